/** `urbanMileage`: how far a unit drove in town and out of it, by its speed. */

import type { Track } from '../../core/fix.js';
import { type OptionTable, valuesOf } from '../../core/options.js';
import type { UnitSettings } from '../../core/trackSettings.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { GAP_OPTIONS, type GapOptions, gapRules } from '../meter/gapRules.js';
import { meterRulesOf } from '../meter/meterSettings.js';
import { restSteps } from '../meter/meterTrack.js';
import { endKph, measureSteps, startKph } from '../meter/stepColumns.js';
import { GAP } from '../meter/stepMeter.js';
import { movementRules, readMovement, readNumericSetting } from '../movementRules.js';
import { judgeSpeeds } from './judgeSpeeds.js';

/** Metres in town, out of town, and of gaps. */
export interface UrbanMileage {
  /** Metres at speeds up to `advanced_urbspeedlimit`. */
  readonly urbanMeters: number;
  /** Metres at higher speeds. */
  readonly suburbanMeters: number;
  /** Metres of gaps. */
  readonly unmeasuredMeters: number;
}

/** Options of `urbanMileage`. */
export interface UrbanOptions extends GapOptions {
  /** Whether reported speeds count even if positions contradict them. Default false. */
  readonly trustSpeeds?: boolean | undefined;
}

const OPTIONS: OptionTable<UrbanOptions> = { trustSpeeds: { default: false }, ...GAP_OPTIONS };

/**
 * The urban and suburban mileage of a unit. A movement is suburban while the speed exceeds `advanced_urbspeedlimit` (km/h) of the unit's
 * `settings`. If this field is absent, empty or 0, everything is urban. Contradicted speeds are ignored as by `findSpeeding`. The metres of a
 * step are divided by time. Urban and suburban metres sum to `distanceMeters` of the meter's total, and gaps to its `unmeasuredMeters`.
 *
 * Errors: `track-invalid`, `settings-type`, `setting-value`, `option-type`, `option-unknown`, `option-value`. Cost: O(n).
 *
 * @example
 * ```ts
 * import { readTrack, urbanMileage } from 'wayzone/tracks';
 * const speeds = [36, 36, 72, 72, 72];
 * const lats = [55.7, 55.702, 55.705, 55.709, 55.713];
 * const track = readTrack(lats.map((lat, i) => ({ time: 1772438400000 + i * 20000, lon: 37.6, lat, speedKph: speeds[i] })));
 * const { urbanMeters, suburbanMeters } = urbanMileage(track, { advanced_urbspeedlimit: '60' });
 * [Math.round(urbanMeters), Math.round(suburbanMeters)]; // [445, 1002]
 * ```
 */
export function urbanMileage(
  track: Track,
  settings?: UnitSettings,
  options: UrbanOptions = {},
): UrbanMileage {
  checkRunOptions(options, OPTIONS);
  const values = valuesOf(options, OPTIONS);
  const limit = readNumericSetting(settings, 'advanced_urbspeedlimit');
  const movement = movementRules(readMovement(settings, undefined));
  const rules = meterRulesOf(movement, gapRules(values));
  checkTrack(track);
  const steps = measureSteps(track, rules, restSteps(track, movement));
  const judged = values.trustSpeeds
    ? steps
    : { ...steps, speedKph: judgeSpeeds(steps, track.lon, track.lat) };
  const sums = { urbanMeters: 0, suburbanMeters: 0, unmeasuredMeters: 0 };
  for (let i = 0; i + 1 < steps.length; i++) {
    const meters = steps.metersOf(i);
    if (steps.kind[i] === GAP) {
      sums.unmeasuredMeters += meters;
      continue;
    }
    const share = limit === 0 ? 0 : shareAbove(startKph(judged, i), endKph(judged, i), limit);
    sums.urbanMeters += meters * (1 - share);
    sums.suburbanMeters += meters * share;
  }
  return sums;
}

/** The share of a step in which a speed that changes evenly exceeds the limit. */
function shareAbove(start: number, end: number, limit: number): number {
  if (start <= limit && end <= limit) return 0;
  if (start > limit && end > limit) return 1;
  const crossing = (limit - start) / (end - start);
  return end > start ? 1 - crossing : crossing;
}
