/**
 * Reads uploaded files in processes of their own, one file at a time each: a file may occupy its process for long, while the other jobs
 * (indexes, exports, groups) go on. A company has one file read at a time. A process that is silent for too long is ended, and one that needs too
 * much memory ends alone.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WayzoneError } from 'wayzone';
import type { JobOptions, JobValue } from './jobTypes.js';
import { type Carrier, type Piece, type Pipe, type PipeMessage, pipeOver } from './pipe.js';
import { threadEnded } from './sentError.js';

type Options = JobOptions['import'];
type Value = JobValue['import'];

export interface Imports {
  /**
   * Runs the job `import`, as `Jobs.run` does. Throws `limit-time` and `limit-memory` (422) for a file that needs more than a process may
   * use, and `limit-queue` (429) if too many files of the company wait.
   */
  run(
    companyId: string,
    options: Options,
    input: AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, Value, undefined>;
  /** Ends all processes. Files that are read fail. */
  close(): void;
}

export interface ImportProcessesOptions {
  /** Number of processes. Default 2. */
  readonly processes?: number;
  /** How long a process may compute without taking or sending a piece, milliseconds. Default 60,000. */
  readonly silentMs?: number;
  /** Limit of a process's heap, MB. Default 2,048. */
  readonly heapMegabytes?: number;
  /** Maximum number of waiting files of a company. Default 10. */
  readonly mostWaiting?: number;
}

/** What the host sends: an order, or a message of the pipe of a job. */
export type ToImport = { readonly job: number } & (
  | { readonly options: JobOptions['import'] }
  | { readonly message: PipeMessage }
);

/** What the process sends: that its modules are loaded, or a message of the pipe of a job. */
export type FromImport = 'ready' | { readonly job: number; readonly message: PipeMessage };

interface Waiting {
  readonly companyId: string;
  begin(): void;
}

/** The built file, also when a test runs the sources. */
const FILE = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/threads/importProcess.js', import.meta.url)
    : new URL('./importProcess.js', import.meta.url),
);

export function importProcesses({
  processes: most = 2,
  silentMs = 60_000,
  heapMegabytes = 2048,
  mostWaiting = 10,
}: ImportProcessesOptions = {}): Imports {
  /** Companies whose files are read now. */
  const reading = new Set<string>();
  const waiting: Waiting[] = [];
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  let jobs = 0;

  const begin = (): void => {
    const place = reading.size < most ? waiting.findIndex(({ companyId }) => !reading.has(companyId)) : -1;
    const [next] = place === -1 ? [] : waiting.splice(place, 1);
    if (next === undefined) return;
    reading.add(next.companyId);
    next.begin();
  };
  const end = (companyId: string): void => {
    reading.delete(companyId);
    begin();
  };
  const turn = (companyId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (waiting.filter((one) => one.companyId === companyId).length >= mostWaiting)
        return reject(limit('limit-queue', `at most ${mostWaiting} waiting files of a company`, 429));
      waiting.push({ companyId, begin: resolve });
      begin();
    });

  /** A new process whose modules are loaded. */
  const started = async (): Promise<ChildProcess> => {
    const child = fork(FILE, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    all.add(child);
    child.on('exit', () => {
      all.delete(child);
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
    });
    const heard = new AbortController();
    const { signal } = heard;
    const isReady = await Promise.race([
      once(child, 'message', { signal }).then(() => true),
      once(child, 'exit', { signal }).then(() => false),
    ]).finally(() => heard.abort());
    if (!isReady) throw threadEnded('its end');
    return child;
  };

  return {
    async *run(companyId, options, input) {
      await turn(companyId);
      let child: ChildProcess | undefined;
      let pipe: Pipe | undefined;
      let failure: unknown = null;
      let isUsable = false;
      /** Runs while the process computes; a slow upload does not count. */
      let timer: NodeJS.Timeout | undefined;
      try {
        child = idle.pop() ?? (await started());
        const job = ++jobs;
        const own = pipeOver(carrierOf(child, job));
        pipe = own;
        const fail = (error: unknown): void => {
          failure ??= error;
          own.close();
        };
        const watch = (): void => {
          clearTimeout(timer);
          const late = (): void =>
            fail(limit('limit-time', `a file that is read within ${silentMs / 1000} s`, 422));
          timer = setTimeout(late, silentMs);
        };
        const feed = async (): Promise<void> => {
          for await (const piece of input) {
            watch();
            if (!(await own.send(piece))) return;
            clearTimeout(timer);
          }
          own.end();
          watch();
        };
        const order: ToImport = { job, options };
        child.send(order);
        // Not awaited: the next piece of a slow input may arrive long after the job has ended.
        void feed().catch(fail);
        const pieces = own.pieces();
        let next = await pieces.next();
        for (; next.done !== true; next = await pieces.next()) {
          clearTimeout(timer);
          yield next.value;
          watch();
        }
        isUsable = true;
        return next.value as Value;
      } catch (error) {
        if (failure !== null) throw failure;
        // How a process ends whose heap is full.
        if (child?.signalCode === 'SIGABRT')
          throw limit('limit-memory', `a file that is read in ${heapMegabytes} MB`, 422);
        // An error of the file leaves the process usable.
        isUsable = error instanceof WayzoneError && error.code !== 'worker-failed';
        throw error;
      } finally {
        clearTimeout(timer);
        pipe?.close();
        if (child !== undefined && isUsable && all.has(child)) idle.push(child);
        else child?.kill('SIGKILL');
        end(companyId);
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

/** Carries the messages of one job to a process and back. */
function carrierOf(child: ChildProcess, job: number): Carrier {
  const closed = new Set<() => void>();
  const heard = new Set<(message: never) => void>();
  const hear = (sent: FromImport): void => {
    if (sent !== 'ready' && sent.job === job) for (const listener of heard) listener(sent.message as never);
  };
  const close = (): void => {
    child.off('message', hear);
    child.off('exit', close);
    for (const listener of closed) listener();
    closed.clear();
  };
  child.on('message', hear);
  child.once('exit', close);
  return {
    onMessage: (listener) => void heard.add(listener),
    onClose: (listener) => void closed.add(listener),
    post(message) {
      const sent: ToImport = { job, message };
      // A process that has ended is heard of by its exit.
      if (child.connected) child.send(sent, () => {});
    },
    close,
  };
}

function limit(
  code: 'limit-time' | 'limit-memory' | 'limit-queue',
  wanted: string,
  status: 422 | 429,
): WayzoneError {
  return new WayzoneError(code, status === 422 ? 'file' : '', `expected ${wanted}, received more`, {
    status,
    wireCode: status,
  });
}
