/** `meterTrack`: what a unit did in any span of its track. */

import type { Track } from '../../core/fix.js';
import { valuesOf } from '../../core/options.js';
import type { TripDetectorSettings } from '../../core/trackSettings.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { movementRules, readMovement } from '../movementRules.js';
import { GAP_OPTIONS, type GapOptions, gapRules } from './gapRules.js';
import { meterRulesOf } from './meterSettings.js';
import { restSteps } from './restSteps.js';
import { stepsOf } from './stepColumns.js';
import { meterOf, type TrackMeter } from './trackMeter.js';

/**
 * A meter of what a unit did in any span: seconds moving, idling and parked, metres, speeds.
 *
 * - Between two fixes position, distance and speed change evenly; part of a step has that share of its metres.
 * - A step longer than `maxGapSeconds` or `maxGapMeters`, of exactly 180° of longitude, or blind (jammed, frozen) is a gap: its time and
 *   metres are `unmeasured`. A long step whose fixes are at most `parkedMeters` apart, by the measured distance too, is a sleep: parked.
 *   `tripdetector_maxdistancemsg` and `advanced_maxintervalmsg` cut trips but are not gaps of the meter.
 * - A step in a parking or stop of `detectTrips` is at rest, whatever is reported: idling with the ignition on at its first fix, else parked, as is
 *   a gap in a parking. Any other step is moving if it leads out of a place (over 50 m, or half of what the least speed covers in its time, at least
 *   15 m), or if one of its fixes moves: by its speed, without one by that of the step to it; with `key_tripdetector_movedetect` `ignition` not
 *   with the ignition off.
 * - Distances are those of `detectTrips`: same source, same coefficient, and by position where the source has no usable value. An
 *   odometer reading also counts over the start of a trip. With `tripdetector_gpscorrect` parkings and stops have 0 m.
 * - The speed of a step is linear between its two reported speeds; if one is unknown, its distance by position over its time. In a gap
 *   there is none. At a single instant without a reported speed it is that of the step to the fix, else of the step from it.
 *
 * `settings` are the unit's custom fields, as for `detectTrips`.
 *
 * Every sum is additive: `between(a, b)` and `between(b, c)` give `between(a, c)`.
 * Errors: `track-invalid`, `settings-type`, `setting-value`, `option-type`, `option-unknown`, `option-value`; of `between` `span-invalid`.
 * Cost: a copy of the track, and its parkings; one distance for each step of all spans, when the first one needs it; else O(log n) a span.
 *
 * @example
 * ```ts
 * import { meterTrack, readTrack } from 'wayzone/tracks';
 * const speeds = [36, 36, 36, 0, 0];
 * const track = readTrack(speeds.map((speedKph, i) => ({ time: 1772438400000 + i * 60000, lon: 37.6, lat: 55.7 + 0.005 * Math.min(i, 3), speedKph })));
 * const meter = meterTrack(track);
 * const { movingSeconds, parkedSeconds, maxSpeedKph } = meter.between(meter.from + 90000, meter.to);
 * [movingSeconds, parkedSeconds, maxSpeedKph]; // [90, 60, 36]
 * ```
 */
export function meterTrack(
  track: Track,
  settings?: TripDetectorSettings,
  options: GapOptions = {},
): TrackMeter {
  checkRunOptions(options, GAP_OPTIONS);
  const movement = movementRules(readMovement(settings, undefined));
  const rules = meterRulesOf(movement, gapRules(valuesOf(options, GAP_OPTIONS)));
  checkTrack(track);
  return meterOf(stepsOf(track, rules, restSteps(track, movement)));
}
