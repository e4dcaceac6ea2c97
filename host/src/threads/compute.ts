/**
 * Runs the computations of requests in threads with a budget of time and memory each. Companies take turns: each has a queue, one company
 * never occupies all threads, and a thread whose computation exceeds its budget is ended.
 */

import type { Worker } from 'node:worker_threads';
import { WayzoneError } from 'wayzone';
import type { ComputeInput, ComputeName } from './computeTypes.js';
import { receivedError, type SentError, threadEnded } from './sentError.js';
import { startThread } from './startThread.js';

export interface Compute {
  /** The JSON text of the result. Throws `limit-time`, `limit-memory` (422) or `limit-queue` (429) when a budget is spent. */
  run<Name extends ComputeName>(companyId: string, name: Name, input: ComputeInput[Name]): Promise<string>;
  /** Ends all threads. Computations that run or wait fail. */
  close(): Promise<void>;
}

export interface ComputeOptions {
  /** Number of threads, at least 2. Default 3. */
  readonly threads?: number;
  /** Limit of one computation, milliseconds. Default 10,000. */
  readonly budgetMs?: number;
  /** Limit of a thread's heap, MB. Default 512. */
  readonly heapMegabytes?: number;
  /** Maximum number of waiting computations of a company. Default 50. */
  readonly mostWaiting?: number;
}

interface Task {
  readonly companyId: string;
  readonly name: ComputeName;
  readonly input: unknown;
  resolve(text: string): void;
  reject(error: Error): void;
}

interface Answer {
  readonly text?: string;
  readonly error?: SentError;
}

export function computeThreads({
  threads: most = 3,
  budgetMs = 10_000,
  heapMegabytes = 512,
  mostWaiting = 50,
}: ComputeOptions = {}): Compute {
  /** Companies with waiting tasks. The first is the next; a company that was served goes to the end. */
  const queues = new Map<string, Task[]>();
  const running = new Map<string, number>();
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const tasks = new Map<Worker, { readonly task: Task; readonly timer: NodeJS.Timeout }>();
  let isClosed = false;

  const take = (): Task | null => {
    for (const [companyId, [task, ...rest]] of queues) {
      // One thread remains for the others.
      if (task === undefined || (running.get(companyId) ?? 0) >= most - 1) continue;
      queues.delete(companyId);
      if (rest.length > 0) queues.set(companyId, rest);
      return task;
    }
    return null;
  };

  const pump = (): void => {
    while (!isClosed && (idle.length > 0 || all.size < most)) {
      const task = take();
      if (task === null) return;
      start(idle.pop() ?? started(), task);
    }
  };

  const started = (): Worker => {
    const thread = startThread('compute', { maxOldGenerationSizeMb: heapMegabytes });
    all.add(thread);
    thread.on('message', ({ text, error }: Answer) => {
      const task = finish(thread, true);
      if (text === undefined) task?.reject(receivedError(error!));
      else task?.resolve(text);
      pump();
    });
    thread.on('error', (error: Error & { readonly code?: string }) =>
      fail(
        thread,
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? limit('limit-memory', `a computation in ${heapMegabytes} MB`, 'one that needs more')
          : threadEnded(error.message),
      ),
    );
    thread.on('exit', () => fail(thread, threadEnded('its end')));
    return thread;
  };

  /** Ends the task of a thread, which is idle from now on or forgotten. */
  const finish = (thread: Worker, isUsable: boolean): Task | undefined => {
    const busy = tasks.get(thread);
    tasks.delete(thread);
    if (busy !== undefined) {
      clearTimeout(busy.timer);
      const { companyId } = busy.task;
      const left = running.get(companyId)! - 1;
      if (left === 0) running.delete(companyId);
      else running.set(companyId, left);
    }
    if (isUsable) idle.push(thread);
    else {
      all.delete(thread);
      const place = idle.indexOf(thread);
      if (place !== -1) idle.splice(place, 1);
    }
    return busy?.task;
  };

  const fail = (thread: Worker, error: Error): void => {
    if (!all.has(thread)) return;
    finish(thread, false)?.reject(error);
    void thread.terminate();
    pump();
  };

  const start = (thread: Worker, task: Task): void => {
    const { companyId, name, input } = task;
    running.set(companyId, (running.get(companyId) ?? 0) + 1);
    const timer = setTimeout(
      () =>
        fail(thread, limit('limit-time', `a computation of at most ${budgetMs / 1000} s`, 'a longer one')),
      budgetMs,
    );
    timer.unref();
    tasks.set(thread, { task, timer });
    thread.postMessage({ name, input });
  };

  return {
    run: (companyId, name, input) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(companyId) ?? [];
        if (queue.length >= mostWaiting)
          return reject(
            limit('limit-queue', `at most ${mostWaiting} waiting computations of a company`, 'more', 429),
          );
        queue.push({ companyId, name, input, resolve, reject });
        queues.set(companyId, queue);
        pump();
      }),
    async close() {
      isClosed = true;
      const waiting = [...queues.values()].flat();
      queues.clear();
      for (const task of waiting) task.reject(threadEnded('the end of the process'));
      const threads = [...all];
      for (const thread of threads) fail(thread, threadEnded('the end of the process'));
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

function limit(
  code: 'limit-time' | 'limit-memory' | 'limit-queue',
  wanted: string,
  received: string,
  status: 422 | 429 = 422,
): WayzoneError {
  return new WayzoneError(code, '', `expected ${wanted}, received ${received}`, { status, wireCode: status });
}
