/** Runs long work in processes. A job reads a stream of chunks, writes another stream, and returns a value. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobEnd, jobProcesses, type ProcessesOptions } from './jobProcesses.js';
import type { JobName, JobOptions, JobValue } from './jobTypes.js';
import type { Chunk } from './pipe.js';
import type { Spool } from './spooled.js';

export interface Jobs {
  /** As `Processes.run` does. */
  run<Name extends JobName>(
    companyId: string,
    name: Name,
    options: JobOptions[Name],
    input: AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk, JobValue[Name], undefined>;
  close(): void;
}

export type JobKind = 'import' | 'export' | 'index';

/** Kinds of jobs that do not wait for each other. */
const KINDS: Readonly<Record<JobKind, ProcessesOptions>> = {
  import: {
    file: 'job',
    most: 2,
    mostOfCompany: 1,
    mostWaiting: 10,
    silentMs: 60_000,
    idleMs: 10_000,
    heapMegabytes: 2048,
    what: 'a file that is read',
    field: 'file',
  },
  export: {
    file: 'job',
    most: 4,
    mostOfCompany: 2,
    mostWaiting: 50,
    silentMs: 60_000,
    idleMs: 10_000,
    heapMegabytes: 2048,
    what: 'an export',
  },
  index: {
    file: 'job',
    most: 2,
    mostOfCompany: 1,
    mostWaiting: 1000,
    silentMs: 60_000,
    idleMs: 10_000,
    heapMegabytes: 4096,
    what: 'an index of all geozones',
  },
};

const KIND_OF: Readonly<Record<JobName, JobKind>> = {
  import: 'import',
  export: 'export',
  groups: 'export',
  index: 'index',
  open: 'index',
};

export interface JobsOptions extends Partial<Record<JobKind, Partial<ProcessesOptions>>> {
  readonly onEnd?: (end: JobEnd) => void;
  /** Folder of exports that wait for slow readers. Default: the system's folder for temporary files. */
  readonly exportFolder?: string;
  /** Limit of what waits there, bytes. Default 4e9. */
  readonly exportBytes?: number;
  /** How long a reader of an export may let a chunk wait, milliseconds. Default 60,000. */
  readonly unreadMs?: number;
}

export function hostJobs({
  onEnd = () => {},
  exportFolder = join(tmpdir(), 'wayzone-exports'),
  exportBytes = 4e9,
  unreadMs = 60_000,
  ...changed
}: JobsOptions = {}): Jobs {
  const spool: Spool = { folder: exportFolder, left: exportBytes, unreadMs, waiting: new Set() };
  const processesOf = (kind: JobKind) =>
    jobProcesses({ ...KINDS[kind], onEnd, ...(kind === 'export' ? { spool } : {}), ...changed[kind] });
  const kinds = {
    import: processesOf('import'),
    export: processesOf('export'),
    index: processesOf('index'),
  };
  return {
    run: <Name extends JobName>(
      companyId: string,
      name: Name,
      options: JobOptions[Name],
      input: AsyncIterable<Chunk>,
    ) =>
      kinds[KIND_OF[name]].run(companyId, () => ({ order: { name, options }, input })) as AsyncGenerator<
        Chunk,
        JobValue[Name],
        undefined
      >,
    close() {
      for (const processes of Object.values(kinds)) processes.close();
    },
  };
}
