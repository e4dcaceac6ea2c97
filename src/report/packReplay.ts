/**
 * A track for the replay, thinned so that at every moment the unit is near its fixes. Distances are between positions of the same time
 * (Meratnia and de By 2004, doi:10.1007/978-3-540-24741-8_44), so that both ends of a stay are kept.
 */

import type { Track } from '../core/fix.js';
import { keptIndices } from './thin.js';
import { gaplessRanges, unrolledLons } from './trackLines.js';

/** Largest distance of the replayed unit from a fix at its time, metres, apart from rounding to about a metre. */
export const REPLAY_TOLERANCE_METERS = 25;

/** Steps per degree: a step is about 1.1 m. */
export const REPLAY_SCALE = 1e5;

/**
 * The parts of the track between gaps. A part is `[seconds after start, lat, lon, …]`, each value as its difference from the one before.
 */
export function packReplay(track: Track, maxGapMs: number, start: number): number[][] {
  return gaplessRanges(track, maxGapMs).map(([first, end]) => packPiece(track, first, end, start));
}

function packPiece({ time, lon, lat }: Track, first: number, end: number, start: number): number[] {
  const times = time.subarray(first, end);
  const lats = lat.subarray(first, end);
  const lons = unrolledLons(lon.subarray(first, end));
  // The distance between positions of the same time.
  const kept = keptIndices(lons.length, REPLAY_TOLERANCE_METERS, (i, from, to) => {
    const span = times[to]! - times[from]!;
    const share = span === 0 ? 0 : (times[i]! - times[from]!) / span;
    const y = lats[from]! + share * (lats[to]! - lats[from]!) - lats[i]!;
    const shrink = Math.cos((lats[i]! * Math.PI) / 180);
    const x = (lons[from]! + share * (lons[to]! - lons[from]!) - lons[i]!) * shrink;
    return x * x + y * y;
  });
  const packed: number[] = [];
  let [seconds, y, x] = [0, 0, 0];
  for (const i of kept) {
    const own = [
      Math.round((times[i]! - start) / 1000),
      Math.round(lats[i]! * REPLAY_SCALE),
      Math.round(lons[i]! * REPLAY_SCALE),
    ] as const;
    packed.push(own[0] - seconds, own[1] - y, own[2] - x);
    [seconds, y, x] = own;
  }
  return packed;
}
