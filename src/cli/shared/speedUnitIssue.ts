/** Compares the unit of speeds that the user gave with the movement. */

import type { TimedPosition } from '../../core/fix.js';
import { likelySpeedUnit, speedRatio } from '../../interchange/common/isTorn.js';
import type { SpeedUnit } from '../../interchange/index.js';
import type { FileIssue } from '../../report/index.js';
import type { UnitColumns } from './unitColumns.js';

/** Largest number of fixes that are compared. */
const SAMPLE = 20_000;
/** Ratio of speeds to those of the movement from which the unit is doubted. */
const DOUBTED = 1.3;

const KPH_PER: Readonly<Record<SpeedUnit, number>> = { kph: 1, mps: 3.6, knots: 1.852, mph: 1.609344 };

/** A warning if the speeds fit the movement only in another unit; else null. */
export function speedUnitIssue(
  units: ReadonlyMap<string, UnitColumns>,
  given: SpeedUnit,
  file: string,
): FileIssue | null {
  const ratio = speedRatio(sampleOf(units));
  if (ratio === null) return null;
  // The ratio of the numbers in the file to metres per second.
  const own = ratio / KPH_PER[given];
  const likely = likelySpeedUnit(own);
  const off = Math.abs(Math.log(ratio / 3.6));
  if (likely === given || off < Math.log(DOUBTED)) return null;
  const message = `expected speeds as fast as the movement, received ${own.toFixed(2)} times its metres per second (1.00 is m/s, 1.94 knots, 2.24 mph, 3.60 km/h); --speed-unit ${given} is given: --speed-unit ${likely} fits`;
  return { code: 'speed-unit', severity: 'warning', field: 'speedUnit', message, file };
}

function sampleOf(
  units: ReadonlyMap<string, UnitColumns>,
): (TimedPosition & { readonly unit: string; readonly speed: number | null })[] {
  const sample: (TimedPosition & { readonly unit: string; readonly speed: number | null })[] = [];
  for (const [unit, tables] of units) {
    for (const { length, time, lon, lat, speedKph } of tables) {
      for (let i = 0; i < length; i++) {
        const speed = speedKph?.[i] ?? Number.NaN;
        sample.push({
          unit,
          time: time[i]!,
          lon: lon[i]!,
          lat: lat[i]!,
          speed: Number.isNaN(speed) ? null : speed,
        });
        if (sample.length === SAMPLE) return sample;
      }
    }
  }
  return sample;
}
