/**
 * Processes that work for one job at a time each. If a job needs too much memory, V8 ends the whole process: only this job is lost. A job that
 * is silent for too long is ended. Companies take turns, and a company never occupies all processes of a kind.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WayzoneError } from 'wayzone';
import { type CompanyTurnOptions, companyTurns } from './companyTurns.js';
import {
  type Carrier,
  type Chunk,
  hostEnds,
  type Pipe,
  type PipeMessage,
  pipeOver,
  processEnded,
} from './pipe.js';
import { type Spool, spooled } from './spooled.js';

/** How long a process may take to load its modules, milliseconds. */
const START_MS = 60_000;
/** The folder of the host's package: two folders above this module, and above the built chunk that contains it. */
export const HOST_FOLDER: URL = new URL('../../', import.meta.url);
/** The folder of the built files, also when a test runs the sources. */
const FOLDER = new URL('dist/work/', HOST_FOLDER);

/** A job for a process. */
export interface Order {
  readonly name: string;
  readonly options: unknown;
}

/** A message to a process: an order, or a message of the pipe of a job. */
export type ToJob = { readonly job: number } & (
  | { readonly order: Order }
  | { readonly message: PipeMessage }
);

/** A message of a process: its modules are loaded, or a message of the pipe of a job. */
export type FromJob = 'ready' | { readonly job: number; readonly message: PipeMessage };

/** A job that ended its process. */
export interface JobEnd {
  readonly companyId: string;
  readonly name: string;
  /** `memory`: it needed too much; `time`: it took too long; `other`: something else ended the process. */
  readonly reason: 'memory' | 'time' | 'other';
}

export interface ProcessesOptions extends CompanyTurnOptions, PoolOptions {
  /** How long a process may compute without taking or sending a chunk, milliseconds of its processor time (Linux) or of the clock. */
  readonly silentMs: number;
  /** Stores output that is written faster than it is read, so that no process waits for a slow reader. Default: each process waits for its reader. */
  readonly spool?: Spool;
  /** The name of a job in error messages. */
  readonly what: string;
  /** The field that the errors name. Default ''. */
  readonly field?: string;
  readonly onEnd?: (end: JobEnd) => void;
}

interface Work {
  readonly order: Order;
  readonly input: AsyncIterable<Chunk>;
  /** As `ProcessesOptions.silentMs`. Default: that of all. */
  readonly silentMs?: number;
}

export interface Processes {
  /**
   * Runs a job when its turn has come: `workOf` is called then, with the process. The generator yields the job's output and returns its value;
   * returning early cancels the job. A company has `mostOfCompany` jobs whose output is not read yet. Errors of the input are thrown unchanged; a `WayzoneError` of the job keeps its code and fields. Throws
   * `limit-time` and `limit-memory` (422) for a job that needs more than a process may use, `limit-queue` (429) if too many jobs of the company
   * wait, and `worker-failed` (503) if something else ended the process. A process that `prefers` accepts is taken first.
   */
  run(
    companyId: string,
    workOf: (child: ChildProcess) => Work,
    prefers?: (child: ChildProcess) => boolean,
  ): AsyncGenerator<Chunk, unknown, undefined>;
  /** Ends all processes. Jobs that run or wait fail. */
  close(): void;
}

/** How many times as long as its limit a process may take that gets little of the processors on a busy machine. */
const MOST_TIMES = 6;

export function jobProcesses(options: ProcessesOptions): Processes {
  const { spool, heapMegabytes, what, field = '' } = options;
  const turns = companyTurns(options);
  const pool = processPool(options);
  let jobs = 0;
  const limit = (code: 'limit-time' | 'limit-memory', wanted: string): WayzoneError =>
    new WayzoneError(code, field, `expected ${wanted}, received more`, { status: 422, wireCode: 422 });

  const work: Processes['run'] = async function* (companyId, workOf, prefers = () => false) {
    let child: ChildProcess | undefined;
    let pipe: Pipe | undefined;
    let order: Order | undefined;
    /** An error of the host's side: of the input, or that the job took too long. */
    let failure: { readonly error: unknown } | null = null;
    let reason: JobEnd['reason'] | null = null;
    let isUsable = false;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      child = await pool.take(prefers);
      const job = ++jobs;
      const { silentMs = options.silentMs, input, ...given } = workOf(child);
      order = given.order;
      const own = pipeOver(carrierOf(child, job));
      pipe = own;
      /** Ends the job after a time of the processor. */
      const within = (ms: number): void => {
        clearTimeout(timer);
        // A chunk of a slow input may come after the job.
        if (isOver) return;
        const [begun, before] = [performance.now(), processorMs(child!)];
        const watch = (left: number): void => {
          timer = setTimeout(() => {
            const more = ms - (processorMs(child!) - before);
            if (more > 0 && performance.now() - begun < MOST_TIMES * ms) return watch(Math.max(more, 50));
            reason = 'time';
            failure ??= { error: limit('limit-time', `${what} of at most ${ms / 1000} s`) };
            own.close();
          }, left);
        };
        watch(ms);
      };
      const feed = async (): Promise<void> => {
        for await (const chunk of input) {
          // Runs while the process computes; a slow input does not count.
          within(silentMs);
          if (!(await own.send(chunk))) return;
          clearTimeout(timer);
        }
        own.end();
        within(silentMs);
      };
      const sent: ToJob = { job, order };
      child.send(sent, () => {});
      // Not awaited: the next chunk of a slow input may arrive long after the job has ended.
      void feed().catch((error: unknown) => {
        failure ??= { error };
        own.fail(error);
        within(silentMs);
      });
      const chunks = own.chunks();
      let next = await chunks.next();
      for (; next.done !== true; next = await chunks.next()) {
        clearTimeout(timer);
        yield next.value;
        within(silentMs);
      }
      isUsable = true;
      return next.value;
    } catch (error) {
      // An error that the process has sent leaves it usable.
      isUsable = !(error instanceof WayzoneError && error.code === 'worker-failed');
      if (!isUsable && child !== undefined && !pool.isClosed()) {
        // How a process ends whose heap is full.
        if (child.signalCode === 'SIGABRT') reason = 'memory';
        reason ??= 'other';
      }
      if (failure !== null) throw (failure as { readonly error: unknown }).error;
      if (reason === 'memory') throw limit('limit-memory', `${what} in ${heapMegabytes} MB`);
      throw error;
    } finally {
      isOver = true;
      clearTimeout(timer);
      pipe?.close();
      if (child !== undefined && isUsable) pool.leave(child);
      else child?.kill('SIGKILL');
      if (!isUsable && reason !== 'other') turns.rest(companyId);
      if (reason !== null) options.onEnd?.({ companyId, name: order?.name ?? '', reason });
      turns.free();
    }
  };

  return {
    async *run(companyId, workOf, prefers) {
      await turns.turn(companyId);
      try {
        const chunks = work(companyId, workOf, prefers);
        return yield* spool === undefined ? chunks : spooled(chunks, spool);
      } finally {
        turns.end(companyId);
      }
    },
    close() {
      turns.close();
      pool.close();
    },
  };
}

/** Processor time of a process, milliseconds. Where the system does not tell it: the time of the clock. */
function processorMs({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // In hundredths of a second: user and system.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return performance.now();
  }
}

/** Carries the messages of one job to a process and back. */
function carrierOf(child: ChildProcess, job: number): Carrier {
  const closed = new Set<() => void>();
  const heard = new Set<(message: never) => void>();
  const hear = (sent: FromJob): void => {
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
      const sent: ToJob = { job, message };
      // A process that has ended is heard of by its exit.
      if (child.connected) child.send(sent, () => {});
    },
    close,
  };
}

interface ProcessPool {
  /** An idle process, if possible one that `prefers` accepts; else a new process. Throws `worker-failed` (503) if it cannot start. */
  take(prefers: (child: ChildProcess) => boolean): Promise<ChildProcess>;
  /** The process may take another job. It is ended if none comes. */
  leave(child: ChildProcess): void;
  isClosed(): boolean;
  /** Ends all processes. */
  close(): void;
}

interface PoolOptions {
  readonly file: 'compute' | 'job';
  /** A process that has nothing to do is ended after this time, milliseconds. */
  readonly idleMs: number;
  /** Limit of a process's heap, MB. */
  readonly heapMegabytes: number;
}

function processPool({ file, idleMs, heapMegabytes }: PoolOptions): ProcessPool {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const all = new Set<ChildProcess>();
  let isClosed = false;

  const rouse = (child: ChildProcess): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  /** A new process whose modules are loaded. */
  const started = async (): Promise<ChildProcess> => {
    const child = fork(fileURLToPath(new URL(`${file}Process.js`, FOLDER)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    all.add(child);
    const forget = (): void => {
      all.delete(child);
      rouse(child);
    };
    child.on('exit', forget);
    // A process that cannot start, or a message to one that has ended.
    child.on('error', forget);
    const heard = new AbortController();
    const signal = AbortSignal.any([heard.signal, AbortSignal.timeout(START_MS)]);
    const isReady = await Promise.race([
      once(child, 'message', { signal }).then(() => true),
      once(child, 'exit', { signal }).then(() => false),
    ])
      .catch(() => false)
      .finally(() => heard.abort());
    if (isReady && all.has(child)) return child;
    child.kill('SIGKILL');
    throw isClosed ? hostEnds() : processEnded('its end');
  };

  return {
    async take(prefers) {
      const children = [...idle.keys()];
      const child = children.find(prefers) ?? children.at(-1);
      if (child === undefined) return started();
      rouse(child);
      return child;
    },
    leave(child) {
      if (!all.has(child)) return void child.kill('SIGKILL');
      const dismiss = (): void => {
        // Its exit is heard of later, when the next job might have taken it.
        rouse(child);
        child.kill('SIGKILL');
      };
      idle.set(child, setTimeout(dismiss, idleMs).unref());
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      for (const child of all) child.kill('SIGKILL');
    },
  };
}
