/** A long step in which a unit stood: the night of a tracker that loses power with the ignition. */

import { grownMeters } from '../fixFilter.js';
import { KPH_PER_METER_PER_MS, UNKNOWN } from '../fixReader.js';
import type { Ruler } from './ruler.js';
import type { FixColumns, StayRules } from './stayRules.js';

/** No mileage grows faster. */
const MAX_KPH = 300;
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
