/** `meterTrack`: what a unit did in any span of its track. */

import type { Track } from '../../core/fix.js';
import { valuesOf } from '../../core/options.js';
import type { TripDetectorSettings } from '../../core/trackSettings.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { MovementMachine, noMovement } from '../movement/movementMachine.js';
import type { Mark } from '../movement/wayState.js';
import { type MovementRules, movementRules, readMovement } from '../movementRules.js';
import { FIXES } from '../stays/stayState.js';
import { GAP_OPTIONS, type GapOptions, gapRules } from './gapRules.js';
import { meterRulesOf } from './meterSettings.js';
import { stepsOf } from './stepColumns.js';
import { meterOf, type TrackMeter } from './trackMeter.js';

/**
 * A meter of a track. For any span it returns seconds moving, idling and parked, metres and speeds. Rules of steps, distances and speeds:
 * docs/rules/meter.md.
 *
 * `settings` are the custom fields of the unit, as for `detectTrips`. A gap, as set by `options`, is `unmeasured` in time and metres. Every sum
 * is additive: `between(a, b)` and `between(b, c)` give `between(a, c)`.
 *
 * Errors: `track-invalid`, `settings-type`, `setting-value`, `option-type`, `option-unknown`, `option-value`; of `between` `span-invalid`. Cost:
 * copying the track and finding its parkings, and one distance for each step within the spans. Then O(log n) for each span.
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

/** Of each step of a checked track: 1 if it lies in a parking or stop, whatever its fixes report, else 0. */
export function restSteps(track: Track, rules: MovementRules): Uint8Array {
  const isRest = new Uint8Array(track.length);
  const add = (from: Mark, to: Mark): void => {
    isRest.fill(1, from[FIXES]! - 1, to[FIXES]! - 1);
  };
  const machine = new MovementMachine(rules, {
    beginTrip() {},
    endTrip() {},
    beginParking() {},
    endParking: add,
    endStop: add,
    endUnknown() {},
  });
  const state = noMovement();
  machine.run(state, track, 0, track.length);
  machine.end(state);
  return isRest;
}
