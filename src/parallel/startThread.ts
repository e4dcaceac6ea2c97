/** Starts worker threads, reads their number, and reports their end. No other module of the library starts threads. */

import { Worker } from 'node:worker_threads';
import { inputError, messageOf, WayzoneError } from '../core/errors.js';

/**
 * Starts a thread that runs `program` until it is terminated. `onEnd` receives `worker-failed` when the thread throws or exits (also by
 * termination), and may be called twice.
 */
export function startThread<Answer>(
  program: URL,
  onAnswer: (answer: Answer) => void,
  onEnd: (error: WayzoneError) => void,
  workerData?: unknown,
): Worker {
  const thread = new Worker(program, { ...threadOptions(), workerData });
  thread.on('message', onAnswer);
  thread.on('error', (error: unknown) => onEnd(threadLost(messageOf(error))));
  thread.on('exit', (code) => onEnd(threadLost(`its end with code ${code}`)));
  return thread;
}

/** The error `worker-failed` for a thread that will not answer any more. */
function threadLost(received: string): WayzoneError {
  return new WayzoneError('worker-failed', 'workers', `expected an answer of a thread, received ${received}`);
}

/**
 * Options of a thread: none, so that it inherits the caller's Node options. Node rejects a list with options of the whole process or of V8
 * (`--max-old-space-size`). A thread also inherits `--input-type` (`node --input-type=module -e …`), with which it refuses to run a file;
 * threads of such a program get an empty list.
 */
function threadOptions(): { readonly execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
}

/** The highest number of threads allowed. */
export const MAX_WORKERS = 1024;

/** Reads a whole number. Error: `option-value`. */
export function readCount(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const wanted = `a whole number from ${min} to ${max}`;
  throw inputError('option-value', `options.${name}`, wanted, value);
}

/** The error of work stopped by its signal. */
export function aborted(signal: AbortSignal): WayzoneError {
  return new WayzoneError('aborted', 'options.signal', 'expected to finish, received the signal to stop', {
    cause: signal.reason,
  });
}
