/** Where a stay begins and ends: speeds and ignition move its bounds from the first and last fix at the place, by at most `boundMs`. */

import type { Position } from '../../core/geometry.js';
import type { QuietWindow } from './quietWindow.js';
import type { Ruler } from './ruler.js';
import { type FixRing, LAT, LON, rowOf, type StayState, TIME, WITNESS } from './stayState.js';

/** Of a search for stays. */
export interface StayBounds {
  /** The least duration of a stay. */
  readonly dwellMs: number;
  /** A witness moves a bound by at most so long. */
  readonly boundMs: number;
  /** Squared radius of a place, metres. */
  readonly radiusSquared: number;
}

/** Sets the begin of a stay at the centre, and its first fix there: how far back they are. `first` is known to be at the place. */
export function setBegin(
  state: StayState,
  ring: FixRing,
  first: number,
  { dwellMs, boundMs, radiusSquared }: StayBounds,
  ruler: Ruler,
): void {
  const { newest, recent } = ring;
  const least = timeOf(ring, first) - dwellMs;
  const oldest = Math.max(state.since, state.next - 1, state.oldest);
  state.origin = first;
  for (let i = first - 1, inside = 0; i >= oldest && timeOf(ring, i) >= least; i--) {
    if (squaredAt(state, ring, i, ruler) > radiusSquared) continue;
    inside++;
    const outside = first - i - inside;
    // Two thirds are at the place, or all but a spike.
    if (2 * outside <= inside || outside <= 1) state.origin = i;
  }
  const latest = timeOf(ring, state.origin) + boundMs;
  let near = -1;
  state.begin = -1;
  for (let i = state.origin; i <= newest && timeOf(ring, i) <= latest; i++) {
    const squared = squaredAt(state, ring, i, ruler);
    if (squared > radiusSquared) continue;
    if (recent[rowOf(ring, i) + WITNESS]! > 0) {
      state.begin = i;
      break;
    }
    if (near < 0 && squared <= radiusSquared / 4) near = i;
  }
  if (state.begin < 0) state.begin = near < 0 ? state.origin : near;
  state.beginTime = timeOf(ring, state.begin);
}

/** The place of the last dwell of a stay, `[lon, lat]`: the median of its entries. A unit may move about within its place. */
export function lastPlace(
  { origin, oldest, last }: StayState,
  ring: FixRing,
  dwellMs: number,
  window: QuietWindow,
  ruler: Ruler,
): Position {
  const least = Math.max(origin, oldest);
  const earliest = timeOf(ring, last) - dwellMs;
  let from = last;
  while (from > least && timeOf(ring, from - 1) >= earliest) from--;
  window.centre(ring, from, last, ruler);
  return [window.centreLon, window.centreLat];
}

/** The entry at which a stay that was left ended. `lon`, `lat`: its place over the last dwell. */
export function endOf(
  state: StayState,
  ring: FixRing,
  lon: number,
  lat: number,
  { dwellMs, boundMs, radiusSquared }: StayBounds,
  ruler: Ruler,
): number {
  const { recent } = ring;
  const { last } = state;
  const squaredAt = (entry: number): number => {
    const row = rowOf(ring, entry);
    return ruler.squared(lon, lat, recent[row + LON]!, recent[row + LAT]!);
  };
  const longEnough = (end: number): number => (timeOf(ring, end) - state.beginTime >= dwellMs ? end : last);
  const least = Math.max(state.origin, state.oldest);
  const lastTime = timeOf(ring, last);
  let from = last;
  while (from > least && timeOf(ring, from - 1) >= lastTime - dwellMs) from--;
  let final = last;
  while (final > from && squaredAt(final) > radiusSquared) final--;
  if (squaredAt(final) > radiusSquared) return last;
  const earliest = timeOf(ring, final) - boundMs;
  let near = -1;
  for (let i = final; i >= from && timeOf(ring, i) >= earliest; i--) {
    const squared = squaredAt(i);
    if (squared > radiusSquared) continue;
    if (recent[rowOf(ring, i) + WITNESS]! > 0) return longEnough(i);
    if (near < 0 && squared <= radiusSquared / 4) near = i;
  }
  return longEnough(near < 0 ? final : near);
}

function timeOf(ring: FixRing, entry: number): number {
  return ring.recent[rowOf(ring, entry) + TIME]!;
}

/** Squared metres of an entry from the centre. */
function squaredAt({ centreLon, centreLat }: StayState, ring: FixRing, entry: number, ruler: Ruler): number {
  const row = rowOf(ring, entry);
  return ruler.squared(centreLon, centreLat, ring.recent[row + LON]!, ring.recent[row + LAT]!);
}
