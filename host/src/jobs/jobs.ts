/** Runs long work in processes. A job reads a stream of pieces, writes another stream, and returns a value. */

import { type JobEnd, jobProcesses, type ProcessesOptions } from './jobProcesses.js';
import type { JobName, JobOptions, JobValue } from './jobTypes.js';
import type { Piece } from './pipe.js';

export interface Jobs {
  /** As `Processes.run` does. */
  run<Name extends JobName>(
    companyId: string,
    name: Name,
    options: JobOptions[Name],
    input: AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, JobValue[Name], undefined>;
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
  // Their processes wait for slow readers.
  export: {
    file: 'job',
    most: 8,
    mostOfCompany: 2,
    mostWaiting: 50,
    silentMs: 60_000,
    idleMs: 10_000,
    unreadMs: 60_000,
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
  indexOnly: 'index',
  open: 'index',
};

export interface JobsOptions extends Partial<Record<JobKind, Partial<ProcessesOptions>>> {
  readonly onEnd?: (end: JobEnd) => void;
}

export function hostJobs({ onEnd = () => {}, ...changed }: JobsOptions = {}): Jobs {
  const processesOf = (kind: JobKind) => jobProcesses({ ...KINDS[kind], onEnd, ...changed[kind] });
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
      input: AsyncIterable<Piece>,
    ) =>
      kinds[KIND_OF[name]].run(companyId, () => ({ order: { name, options }, input })) as AsyncGenerator<
        Piece,
        JobValue[Name],
        undefined
      >,
    close() {
      for (const processes of Object.values(kinds)) processes.close();
    },
  };
}
