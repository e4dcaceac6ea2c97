/** When a stay begins, goes on and ends: sleeps, excursions that return, and bounds that speeds and ignition move by at most `boundMs`. */

import type { Position } from '../../core/geometry.js';
import { grownMeters } from '../fixFilter.js';
import { KPH_PER_METER_PER_MS, UNKNOWN } from '../fixReader.js';
import type { QuietWindow } from './quietWindow.js';
import type { Ruler } from './ruler.js';
import type { FixColumns, StayRules } from './stayRules.js';
import { type FixRing, LAT, LON, rowOf, type StayState, TIME, WITNESS } from './stayState.js';

/** No mileage grows faster. */
const MAX_KPH = 300;
/** A way out: a fix on the way is within this share of the distance, and the way over it is at most so much longer. */
const WAY_OUT_SHARE = 2 / 3;
const WAY_OUT_DETOUR = 1.2;
/** Number of entries of an excursion among which one on the way out is looked for. */
const WAY_OUT_ENTRIES = 16;
/** Reported speeds explain an excursion if time × speed, as a share of its way, is between these. */
const EXPLAINED = [0.8, 1.6] as const;

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

/** Of a degree, less than anywhere. */
export const LEAST_METERS_PER_LAT = 110_500;

/** Whether the long step to fix `i` leaves a dwell after its way at the least speed. */
export function isSleep(fixes: FixColumns, i: number, rules: StayRules, ruler: Ruler): boolean {
  const { dwellMs, radiusMeters, minSpeedKph, sleepMeters } = rules;
  const { time, lon, lat } = fixes;
  const milliseconds = time[i]! - time[i - 1]!;
  // On a drive no distance is needed.
  const longest = Math.max(radiusMeters / 2, (minSpeedKph * (milliseconds - dwellMs)) / KPH_PER_METER_PER_MS);
  const north = (lat[i]! - lat[i - 1]!) * LEAST_METERS_PER_LAT;
  if (north > longest || -north > longest) return false;
  const grown = grownAt(fixes, i);
  let way = ruler.meters(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!);
  if (way <= radiusMeters / 2) way = 0;
  if (grown > way && grown * KPH_PER_METER_PER_MS <= MAX_KPH * milliseconds) way = grown;
  if (way > sleepMeters) return false;
  return way === 0 || milliseconds - (way * KPH_PER_METER_PER_MS) / minSpeedKph >= dwellMs;
}

/** Metres by which the mileage grew up to fix `i`; 0 if unknown. */
function grownAt({ mileageMeters, mileageDeltaMeters }: FixColumns, i: number): number {
  if ((mileageMeters ?? null) === null && (mileageDeltaMeters ?? null) === null) return 0;
  return grownMeters(
    { mileageMeters: mileageMeters?.[i - 1] ?? UNKNOWN },
    {
      mileageMeters: mileageMeters?.[i] ?? UNKNOWN,
      mileageDeltaMeters: mileageDeltaMeters?.[i] ?? UNKNOWN,
    },
  );
}

/** Adds the step to fix `i`. `squared`: its distance from the centre, or 0 for one at the place. */
export function addExcursion(
  state: StayState,
  { time, lon, lat, speedKph }: FixColumns,
  i: number,
  squared: number,
  ruler: Ruler,
): void {
  const from = speedKph?.[i - 1] ?? UNKNOWN;
  const to = speedKph?.[i] ?? UNKNOWN;
  state.outMeters += ruler.meters(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!);
  if (from < 0 || to < 0) state.outBySpeed = -1;
  else if (state.outBySpeed >= 0)
    state.outBySpeed += (((from + to) / 2) * (time[i]! - time[i - 1]!)) / KPH_PER_METER_PER_MS;
  if (squared > state.outFarthest) state.outFarthest = squared;
}

/** Whether the reported speeds explain an excursion that returned. */
export function isExplained({ outMeters, outBySpeed, outFarthest }: StayState, leaveMeters: number): boolean {
  if (outFarthest < leaveMeters ** 2) return false;
  return outBySpeed >= EXPLAINED[0] * outMeters && outBySpeed <= EXPLAINED[1] * outMeters;
}

/** Whether an excursion leads away to a position: over one of its fixes, in a line. `squared`: its distance from the centre. */
export function isOnWayOut(
  { centreLon, centreLat, out: first }: StayState,
  ring: FixRing,
  lon: number,
  lat: number,
  squared: number,
  ruler: Ruler,
): boolean {
  const { recent, newest } = ring;
  const farthest = squared * WAY_OUT_SHARE ** 2;
  const longest = WAY_OUT_DETOUR * Math.sqrt(squared);
  for (let entry = newest; entry >= first && entry > newest - WAY_OUT_ENTRIES; entry--) {
    const row = rowOf(ring, entry);
    const [ownLon, ownLat] = [recent[row + LON]!, recent[row + LAT]!];
    const out = ruler.squared(centreLon, centreLat, ownLon, ownLat);
    if (out > farthest) continue;
    if (Math.sqrt(out) + ruler.meters(ownLon, ownLat, lon, lat) <= longest) return true;
  }
  return false;
}
