/**
 * Lets tests that import from src/ start the worker threads of dist/ (run `npm run build` first), since Node starts threads from plain
 * JavaScript only. A test replaces Node's module with this one by `vi.mock`.
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
  if (!existsSync(`${DIST}/parallel/index.js`)) throw new Error('expected dist/; run npm run build');
  const threads = await original();
  class BuiltThread extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file instanceof URL ? new URL(file.href.replace(SRC, pathToFileURL(DIST).href)) : file, options);
    }
  }
  return { ...threads, Worker: BuiltThread as typeof Worker };
}
