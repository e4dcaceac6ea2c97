/** Starts worker threads and reports their end. No other module of the library starts threads. */

import { Worker } from 'node:worker_threads';
import { messageOf, WayzoneError } from '../core/errors.js';

/**
 * Starts a thread that runs `program` until it is terminated. `onEnd` gets `worker-failed` when it throws or exits, termination included,
 * and may be called twice.
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

/** The error `worker-failed`, for a thread that gives no more answers. */
export function threadLost(received: string): WayzoneError {
  return new WayzoneError('worker-failed', 'workers', `expected an answer of a thread, received ${received}`);
}

/**
 * Empty, so that a thread inherits the caller's Node options. Node rejects a list of them that contains options of the whole process or of V8
 * (`--max-old-space-size`). A thread also inherits `--input-type` (`node --input-type=module -e …`) and then refuses to run a file, so threads of
 * such a program get no options.
 */
function threadOptions(): { readonly execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
}
