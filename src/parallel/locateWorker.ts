/** A worker of `locateParallel`. It takes chunks until none is left. */

import { parentPort } from 'node:worker_threads';
import { WayzoneError } from '../core/errors.js';
import type { ZoneRow } from '../zones/index/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import { CHUNK_POSITIONS, type ChunkAnswer, type LocateTask } from './locateParallel.js';

parentPort!.on('message', ({ index: buffer, positions, next }: LocateTask) => {
  const index = ZoneIndex.fromBuffer(buffer, { verify: false });
  const chunks = Math.ceil(positions.length / 2 / CHUNK_POSITIONS);
  for (let chunk = Atomics.add(next, 0, 1); chunk < chunks; chunk = Atomics.add(next, 0, 1)) {
    const from = 2 * CHUNK_POSITIONS * chunk;
    const { offsets, zones } = answerOf(index, positions.subarray(from, from + 2 * CHUNK_POSITIONS));
    const parts: ArrayBuffer[] = [zones.buffer as ArrayBuffer];
    if (offsets !== null) parts.push(offsets.buffer as ArrayBuffer);
    parentPort!.postMessage({ chunk, offsets, zones }, parts);
  }
});

/** The zones of a chunk. Offsets are null if a position is invalid. */
function answerOf(index: ZoneIndex<ZoneRow>, positions: Float64Array): Omit<ChunkAnswer, 'chunk'> {
  try {
    return index.atMany(positions);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return { offsets: null, zones: new Uint32Array(0) };
  }
}
