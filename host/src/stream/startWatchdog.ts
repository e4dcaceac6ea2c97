/** Ends the process when its event loop answers nothing for long, as in the work on one unit that does not end: the stream then tries units one by one. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Milliseconds between signs of life, and the number of looks without one after which the process ends. A process that is stopped looks no more. */
const BEAT_MS = 1000;
const MOST_LOOKS = 30;

/** The thread. It counts its own looks, so that a jump of the clock or SIGSTOP counts as one. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { beats, beatMs, mostLooks } = workerData;
let last = -1;
let looks = 0;
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  looks = beat === last ? looks + 1 : 0;
  last = beat;
  if (looks < mostLooks) return;
  require('node:fs').writeSync(2, 'Ended: unit-endless: expected an answer of the event loop within ' + (mostLooks * beatMs) / 1000 + ' s, received none\\n');
  process.kill(process.pid, 'SIGKILL');
}, beatMs);
parentPort.postMessage('runs');`;

/** Starts the watch, which lasts as long as the process. Resolves when it runs: a thread does not begin while the event loop stands. */
export async function startWatchdog({
  beatMs = BEAT_MS,
  mostLooks = MOST_LOOKS,
}: {
  readonly beatMs?: number;
  readonly mostLooks?: number;
} = {}): Promise<void> {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(THREAD, { eval: true, execArgv: [], workerData: { beats, beatMs, mostLooks } });
  await once(thread, 'message');
  thread.unref();
  setInterval(() => Atomics.add(beats, 0, 1), beatMs / 2).unref();
}
