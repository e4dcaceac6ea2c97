import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import {
  type LiveStream,
  liveStream,
  type StreamWorkerOptions,
  startWorker,
} from '../src/stream/liveStream.js';

type Given = Pick<StreamWorkerOptions, 'storage' | 'log' | 'settings'> & Partial<StreamWorkerOptions>;

/** A live stream with a worker that commits each message at once, without ticks and with the shortest retention. `storage`: used by the senders. */
export function testStream(given: Given, storage: Storage = given.storage): LiveStream {
  const worker = startWorker({
    days: fixDays(given.storage),
    commitMs: 0,
    rotationMs: 60_000,
    tickMs: 0,
    keepMs: 0,
    onCommitted: () => {},
    onPaused: () => {},
    ...given,
  });
  return liveStream(storage, given.log, given.settings, worker);
}
