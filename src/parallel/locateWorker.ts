/** A worker of `locateParallel`: takes chunk after chunk until none is left. */

import { parentPort, workerData } from 'node:worker_threads';
import { WayzoneError } from '../core/errors.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import { CHUNK_POSITIONS, type ChunkAnswer, type LocateTask } from './locateTask.js';

const { index: buffer, positions, next } = workerData as LocateTask;
const index = ZoneIndex.fromBuffer(buffer, { verify: false });
const chunks = Math.ceil(positions.length / 2 / CHUNK_POSITIONS);

function answer(chunk: number): ChunkAnswer {
  const from = 2 * CHUNK_POSITIONS * chunk;
  try {
    return { chunk, ...index.atMany(positions.subarray(from, from + 2 * CHUNK_POSITIONS)) };
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return { chunk, offsets: null, zones: new Uint32Array(0) };
  }
}

for (let chunk = Atomics.add(next, 0, 1); chunk < chunks; chunk = Atomics.add(next, 0, 1)) {
  const { offsets, zones } = answer(chunk);
  const parts: ArrayBuffer[] = [zones.buffer as ArrayBuffer];
  if (offsets !== null) parts.push(offsets.buffer as ArrayBuffer);
  parentPort!.postMessage({ chunk, offsets, zones }, parts);
}
