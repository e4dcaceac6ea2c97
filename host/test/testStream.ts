import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import {
  type LiveStream,
  liveStream,
  type StreamWorkerOptions,
  startWorker,
} from '../src/stream/liveStream.js';

type Given = Pick<StreamWorkerOptions, 'storage' | 'latenessSeconds'> & Partial<StreamWorkerOptions>;

/** A live stream with a worker of its own, without ticks and with the shortest retention. `storage`: used by the senders. */
export function testStream(given: Given, storage: Storage = given.storage): LiveStream {
  const worker = startWorker({
    rotationMs: 60_000,
    tickMs: 0,
    keepMs: 0,
    now: null,
    onCommitted: () => {},
    onPaused: () => {},
    ...given,
  });
  return liveStream({ storage, days: fixDays(storage), worker, now: given.now ?? null });
}
