/** The one way in which the library starts worker threads and learns of their end. */

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

/** `worker-failed`: a thread gives no more answers. */
export function threadLost(received: string): WayzoneError {
  return new WayzoneError('worker-failed', 'workers', `expected an answer of a thread, received ${received}`);
}

/**
 * Nothing, so that a thread takes over Node's own options of the caller. Given as a list, Node refuses those of the whole process and of V8
 * (`--max-old-space-size`). It takes `--input-type` (`node --input-type=module -e …`) over too and then refuses to run a file: such a program's
 * threads have no options.
 */
function threadOptions(): { readonly execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
}
