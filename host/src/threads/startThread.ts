/** Starts the worker threads of this folder. */

import { Worker } from 'node:worker_threads';

/** Threads run what was built, also where a test runs the sources. */
const FOLDER = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/threads/', import.meta.url)
  : new URL('./', import.meta.url);

/** `name` is that of a file `…Thread.js`. The thread keeps no process alive. */
export function startThread(name: 'database' | 'jobs' | 'lists'): Worker {
  // Options of Node that say how to read the caller's program (`--input-type`) are not for threads.
  const thread = new Worker(new URL(`${name}Thread.js`, FOLDER), { execArgv: [] });
  thread.unref();
  return thread;
}
