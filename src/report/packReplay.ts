/**
 * A track in time, for the replay: thinned so that a unit is at every moment near where its fixes have it. The distance is that between
 * positions at the same time (Meratnia and de By 2004, doi:10.1007/978-3-540-24741-8_44), so that a stay keeps both its ends.
 */

import type { Track } from '../core/fix.js';
import { unrolled } from './packPositions.js';
import { keptIndices } from './thin.js';
import { piecesOf } from './trackLines.js';

/** Metres. At no fix is the replayed unit farther than this from it, apart from rounding to about a metre. */
export const REPLAY_TOLERANCE_METERS = 25;

/** Steps in a degree: about 1.1 m each. */
export const REPLAY_SCALE = 1e5;

/** Pieces without a gap; each is `[seconds after start, lat, lon, …]`, every value as its step from the one before. */
export function packReplay(track: Track, maxGapMs: number, start: number): number[][] {
  return piecesOf(track, maxGapMs).map(([first, end]) => packPiece(track, first, end, start));
}

function packPiece({ time, lon, lat }: Track, first: number, end: number, start: number): number[] {
  const times = time.subarray(first, end);
  const lats = lat.subarray(first, end);
  const lons = unrolled(lon.subarray(first, end));
  // The distance at the same time.
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
