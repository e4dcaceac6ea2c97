/** Runs long work in worker threads. A job reads a stream of pieces, writes another stream, and returns a value. */

import { availableParallelism } from 'node:os';
import { MessageChannel, type Worker } from 'node:worker_threads';
import type { JobName, JobOptions, JobValue } from './jobTypes.js';
import { type Piece, type Pipe, pipeOverPort } from './pipe.js';
import { startThread } from './startThread.js';

export interface Jobs {
  /**
   * Runs a job. The generator yields the job's output and returns its value; returning early cancels the job. Errors of `input` are
   * thrown unchanged; a `WayzoneError` of the job keeps its code and fields.
   */
  run<Name extends JobName>(
    name: Name,
    options: JobOptions[Name],
    input: AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, JobValue[Name], undefined>;
  close(): Promise<void>;
}

interface JobThread {
  readonly thread: Worker;
  jobs: number;
}

/** Leaves one processor to the event loop. */
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Starts a thread when all others are busy, up to `most`. A thread that died is replaced by the next job. */
export function jobThreads(most: number = MOST_THREADS): Jobs {
  const threads: JobThread[] = [];

  const freest = (): JobThread => {
    const [first] = threads.sort((a, b) => a.jobs - b.jobs);
    if (first !== undefined && (first.jobs === 0 || threads.length >= most)) return first;
    const started: JobThread = { thread: startThread('jobs'), jobs: 0 };
    threads.push(started);
    const forget = (): void => {
      const place = threads.indexOf(started);
      if (place !== -1) threads.splice(place, 1);
    };
    // When the thread ends, the ports of its jobs close, which ends the jobs with an error.
    started.thread.on('error', forget);
    started.thread.on('exit', forget);
    return started;
  };

  return {
    async *run(name, options, input) {
      const used = freest();
      const { port1, port2 } = new MessageChannel();
      used.jobs++;
      used.thread.postMessage({ name, options, port: port2 }, [port2]);
      const pipe = pipeOverPort(port1);
      let inputError: { readonly error: unknown } | null = null;
      // Not awaited: the next piece of a slow input may arrive long after the job has ended.
      void feed(pipe, input).catch((error: unknown) => {
        inputError = { error };
        pipe.close();
      });
      try {
        return (yield* pipe.pieces()) as JobValue[typeof name];
      } catch (error) {
        throw inputError === null ? error : (inputError as { readonly error: unknown }).error;
      } finally {
        used.jobs--;
        pipe.close();
      }
    },
    async close() {
      await Promise.all(threads.splice(0).map(({ thread }) => thread.terminate()));
    },
  };
}

async function feed(pipe: Pipe, input: AsyncIterable<Piece>): Promise<void> {
  for await (const piece of input) if (!(await pipe.send(piece))) return;
  pipe.end();
}
