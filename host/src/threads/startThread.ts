/** Starts the worker threads of this folder. */

import { Worker } from 'node:worker_threads';

/** The folder of the built files. Threads run them even when a test runs the sources. */
const FOLDER = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/threads/', import.meta.url)
  : new URL('./', import.meta.url);

/** Starts `<name>Thread.js`. The thread does not keep the process alive. */
export function startThread(name: 'database' | 'lists'): Worker {
  // Node refuses the caller's `--input-type` for a thread that runs a file.
  const thread = new Worker(new URL(`${name}Thread.js`, FOLDER), { execArgv: [] });
  thread.unref();
  return thread;
}
