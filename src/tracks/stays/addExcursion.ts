/** Fixes outside the place of a stay: noise, unless they lead away or the reported speeds explain a round. */

import { KPH_PER_METER_PER_MS, UNKNOWN } from '../fixReader.js';
import type { Ruler } from './ruler.js';
import type { FixColumns } from './stayRules.js';
import { type FixRing, LAT, LON, rowOf, type StayState } from './stayState.js';

/** A way out: a fix on the way is within this share of the distance, and the way over it is at most so much longer. */
const WAY_OUT_SHARE = 2 / 3;
const WAY_OUT_DETOUR = 1.2;
/** Number of entries of an excursion among which one on the way out is looked for. */
const WAY_OUT_ENTRIES = 16;
/** Reported speeds explain an excursion if time × speed, as a share of its way, is between these. */
const EXPLAINED = [0.8, 1.6] as const;

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
