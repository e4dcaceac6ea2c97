/** Executors of a replay's jobs: a worker thread, or the caller's own thread. */

import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { FixColumns, type FixColumnsData } from '../tracks/fixColumns.js';
import {
  openReplay,
  type ReplayAnswer,
  type ReplayMessage,
  type ReplayTask,
  type UnitOrder,
} from './openReplay.js';
import type { ReplayResult } from './replayOptions.js';
import { startThread } from './startThread.js';

/** Largest number of chunks of one job in transfer: the thread reads one while the next is filled. */
const MAX_CHUNKS = 2;

/** Computes the results of units. A job is one unit, given by its number. */
export interface ReplayExecutor {
  /** Announces a job. */
  begin(job: number): void;
  /** Adds columns to a job. Resolves when there is room for more. */
  append(job: number, columns: FixColumns): Promise<void> | void;
  finish(job: number, order: UnitOrder): Promise<ReplayResult>;
  drop(job: number): void;
  stop(): Promise<unknown>;
}

/** An executor in the caller's own thread. */
export function ownExecutor(task: ReplayTask): ReplayExecutor {
  const work = openReplay(task);
  const jobs = new Map<number, FixColumns>();
  return {
    begin: (job) => void jobs.set(job, new FixColumns()),
    append: (job, columns) => jobs.get(job)?.append(columns),
    async finish(job, order) {
      // Lets timers and signals of the caller run.
      await setImmediate();
      const columns = jobs.get(job) ?? new FixColumns();
      jobs.delete(job);
      return work(columns, order);
    },
    drop: (job) => void jobs.delete(job),
    stop: () => Promise.resolve(),
  };
}

interface Job {
  chunks: number;
  /** Resolves the promise of `append` or `finish`. */
  resolve: (result: ReplayResult | null) => void;
  reject: (error: Error) => void;
}

/** An executor in a worker thread. If it dies, its jobs fail, and the next job starts a new thread. */
export class ThreadExecutor implements ReplayExecutor {
  readonly #task: ReplayTask;
  readonly #jobs = new Map<number, Job>();
  #thread: Worker | null = null;
  /** Error by which the last thread died. */
  #death: Error | null = null;
  #isStopped = false;

  constructor(task: ReplayTask) {
    this.#task = task;
  }

  begin(job: number): void {
    this.#jobs.set(job, { chunks: 0, resolve: () => undefined, reject: () => undefined });
  }

  append(job: number, columns: FixColumns): Promise<void> | void {
    const state = this.#known(job);
    const data: FixColumnsData = Object.assign({}, columns);
    const parts = Object.values(data).flatMap((column) =>
      ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
    );
    state.chunks++;
    this.#send({ kind: 'fixes', job, columns: data }, parts);
    if (state.chunks < MAX_CHUNKS) return;
    return new Promise((resolve, reject) => {
      state.resolve = () => resolve();
      state.reject = reject;
    });
  }

  finish(job: number, order: UnitOrder): Promise<ReplayResult> {
    return new Promise((resolve, reject) => {
      const state = this.#known(job);
      state.resolve = (result) => {
        if (result !== null) resolve(result);
      };
      state.reject = reject;
      this.#send({ kind: 'finish', job, order }, []);
    });
  }

  drop(job: number): void {
    if (this.#jobs.delete(job) && this.#thread !== null) this.#send({ kind: 'drop', job }, []);
  }

  stop(): Promise<unknown> {
    this.#isStopped = true;
    this.#jobs.clear();
    const thread = this.#thread;
    this.#thread = null;
    return thread?.terminate() ?? Promise.resolve();
  }

  /** The job. Throws if its thread has died. */
  #known(job: number): Job {
    const state = this.#jobs.get(job);
    if (state !== undefined && !this.#isStopped) return state;
    throw this.#death ?? new Error(`expected job ${job} to be under way`);
  }

  #send(message: ReplayMessage, parts: ArrayBuffer[]): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(message, parts);
  }

  #start(): Worker {
    const thread = startThread(
      new URL('../parallel/replayWorker.js', import.meta.url),
      (answer: ReplayAnswer) => this.#take(answer),
      (error) => {
        if (this.#thread !== thread) return;
        this.#thread = null;
        const jobs = [...this.#jobs.values()];
        this.#jobs.clear();
        this.#death = error;
        for (const job of jobs) job.reject(error);
      },
      this.#task,
    );
    return thread;
  }

  #take({ job, result }: ReplayAnswer): void {
    const state = this.#jobs.get(job);
    if (state === undefined) return;
    if (result === null) state.chunks--;
    else this.#jobs.delete(job);
    state.resolve(result);
  }
}
