/**
 * A track in time, for the replay: thinned so that a unit is at every moment near where its fixes have it. The distance is that between
 * positions at the same time (Meratnia and de By 2004, doi:10.1007/978-3-540-24741-8_44), so that a stay keeps both its ends.
 */

import { lonStep } from '../core/angles.js';
import type { Track } from '../core/fix.js';
import { METERS_PER_DEGREE } from './thin.js';
import { isTrackGap } from './trackLines.js';

/** Metres. At no fix is the replayed unit farther than this from it, apart from rounding to about a metre. */
export const REPLAY_TOLERANCE_METERS = 25;

/** Steps in a degree: about 1.1 m each. */
export const REPLAY_SCALE = 1e5;

/** Pieces without a gap; each is `[seconds after start, lat, lon, …]`, every value as its step from the one before. */
export function packReplay(track: Track, maxGapMs: number, start: number): number[][] {
  const pieces: number[][] = [];
  let first = 0;
  for (let i = 1; i <= track.length; i++) {
    if (i < track.length && !isTrackGap(track, i, maxGapMs)) continue;
    pieces.push(packPiece(track, first, i, start));
    first = i;
  }
  return pieces;
}

function packPiece({ time, lon, lat }: Track, first: number, end: number, start: number): number[] {
  const lons = [lon[first]!];
  for (let i = first + 1; i < end; i++) lons.push(lons.at(-1)! + lonStep(lon[i - 1]!, lon[i]!));
  const kept = thinInTime(
    (i) => time[first + i]!,
    (i) => lons[i]!,
    (i) => lat[first + i]!,
    end - first,
  );
  const packed: number[] = [];
  let [seconds, y, x] = [0, 0, 0];
  for (const i of kept) {
    const own = [
      Math.round((time[first + i]! - start) / 1000),
      Math.round(lat[first + i]! * REPLAY_SCALE),
      Math.round(lons[i]! * REPLAY_SCALE),
    ] as const;
    packed.push(own[0] - seconds, own[1] - y, own[2] - x);
    [seconds, y, x] = own;
  }
  return packed;
}

/** Indices to keep, ascending: Douglas and Peucker's halving by distance at the same time. */
function thinInTime(
  time: (i: number) => number,
  lon: (i: number) => number,
  lat: (i: number) => number,
  count: number,
): number[] {
  if (count < 2) return count === 1 ? [0] : [];
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const limit = (REPLAY_TOLERANCE_METERS / METERS_PER_DEGREE) ** 2;
  const open: [number, number][] = [[0, count - 1]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to] = span;
    const length = time(to) - time(from);
    let worst = -1;
    let most = limit;
    for (let i = from + 1; i < to; i++) {
      const share = length === 0 ? 0 : (time(i) - time(from)) / length;
      const y = lat(from) + share * (lat(to) - lat(from)) - lat(i);
      const x = (lon(from) + share * (lon(to) - lon(from)) - lon(i)) * Math.cos((lat(i) * Math.PI) / 180);
      const square = x * x + y * y;
      if (square > most) [worst, most] = [i, square];
    }
    if (worst < 0) continue;
    kept[worst] = 1;
    open.push([from, worst], [worst, to]);
  }
  return Array.from({ length: count }, (_, i) => i).filter((i) => kept[i] === 1);
}
