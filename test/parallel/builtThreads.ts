/**
 * Threads for sources that a test loads as they are: a worker thread runs what was built (`npm run build` comes first),
 * since Node starts a thread with plain JavaScript only. A test's `vi.mock` puts them in the place of Node's.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker, WorkerOptions } from 'node:worker_threads';

const SRC = pathToFileURL(resolve(import.meta.dirname, '../../src')).href;
const DIST = resolve(import.meta.dirname, '../../dist');

export async function builtThreads(
  original: () => Promise<typeof import('node:worker_threads')>,
): Promise<typeof import('node:worker_threads')> {
  if (!existsSync(`${DIST}/parallel/index.js`)) throw new Error('expected dist/, which npm run build makes');
  const threads = await original();
  class BuiltThread extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file instanceof URL ? new URL(file.href.replace(SRC, pathToFileURL(DIST).href)) : file, options);
    }
  }
  return { ...threads, Worker: BuiltThread as typeof Worker };
}
