/** Processes of one kind, which wait for a while for their next job. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HOST_FOLDER } from './hostFolder.js';
import { hostEnds, processEnded } from './sentError.js';

export interface ProcessPool {
  /** An idle process, if possible one that `prefers` accepts; else a new process. Throws `worker-failed` (503) if it cannot start. */
  take(prefers: (child: ChildProcess) => boolean): Promise<ChildProcess>;
  /** The process may take another job. It is ended if none comes. */
  leave(child: ChildProcess): void;
  isClosed(): boolean;
  /** Ends all processes. */
  close(): void;
}

export interface PoolOptions {
  readonly file: 'compute' | 'job';
  /** A process that has nothing to do is ended after this time, milliseconds. */
  readonly idleMs: number;
  /** Limit of a process's heap, MB. */
  readonly heapMegabytes: number;
}

/** How long a process may take to load its modules, milliseconds. */
const START_MS = 60_000;
/** The folder of the built files, also when a test runs the sources. */
const FOLDER = new URL('dist/work/', HOST_FOLDER);

export function processPool({ file, idleMs, heapMegabytes }: PoolOptions): ProcessPool {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const all = new Set<ChildProcess>();
  let isClosed = false;

  const rouse = (child: ChildProcess): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  /** A new process whose modules are loaded. */
  const started = async (): Promise<ChildProcess> => {
    const child = fork(fileURLToPath(new URL(`${file}Process.js`, FOLDER)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    all.add(child);
    const forget = (): void => {
      all.delete(child);
      rouse(child);
    };
    child.on('exit', forget);
    // A process that cannot start, or a message to one that has ended.
    child.on('error', forget);
    const heard = new AbortController();
    const signal = AbortSignal.any([heard.signal, AbortSignal.timeout(START_MS)]);
    const isReady = await Promise.race([
      once(child, 'message', { signal }).then(() => true),
      once(child, 'exit', { signal }).then(() => false),
    ])
      .catch(() => false)
      .finally(() => heard.abort());
    if (isReady && all.has(child)) return child;
    child.kill('SIGKILL');
    throw isClosed ? hostEnds() : processEnded('its end');
  };

  return {
    async take(prefers) {
      const children = [...idle.keys()];
      const child = children.find(prefers) ?? children.at(-1);
      if (child === undefined) return started();
      rouse(child);
      return child;
    },
    leave(child) {
      if (!all.has(child)) return void child.kill('SIGKILL');
      const dismiss = (): void => {
        // Its exit is heard of later, when the next job might have taken it.
        rouse(child);
        child.kill('SIGKILL');
      };
      idle.set(child, setTimeout(dismiss, idleMs).unref());
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      for (const child of all) child.kill('SIGKILL');
    },
  };
}
