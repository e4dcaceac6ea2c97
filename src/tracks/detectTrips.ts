/** Trips, parkings and stops of a track: batch driver of `movement/movementMachine.ts`. */

import type { Issue, Track } from '../core/fix.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { checkRunOptions } from './checkRunOptions.js';
import { checkTrack } from './checkTrack.js';
import { mileageColumn } from './mileageColumn.js';
import {
  type MovementItem,
  movementIssues,
  parkingItem,
  restItem,
  tripItem,
  type UnknownItem,
  unknownItem,
} from './movement/movementItem.js';
import { MovementMachine, noMovement } from './movement/movementMachine.js';
import { MOVEMENT_OPTIONS, type MovementOptions, movementRules, readMovement } from './movementRules.js';

/** The movement of a unit, in order of time. Trips, parkings and unknown times cover the track from the first to the last fix, without overlap. */
export interface MovementReport {
  /** The drives of the unit. */
  readonly trips: readonly MovementItem[];
  /** The rests of the unit. */
  readonly parkings: readonly MovementItem[];
  /** The stops within the trips. */
  readonly stops: readonly MovementItem[];
  /** The unknown times: all time outside trips and parkings. */
  readonly unknown: readonly UnknownItem[];
  /**
   * `mileage-missing`: some steps had no mileage and count by position. `jump-plausible`: some steps cut trips, but may be drives with rare
   * fixes. `speed-contradicts`, `ignition-contradicts`, `mileage-contradicts`: a sensor contradicts the positions. Each issue has a count.
   */
  readonly issues: readonly Issue[];
}

/**
 * The trips of a unit, the parkings between them and the stops within them. Each list is in order of time.
 *
 * - A rest is a stay: positions within `stayMeters` for `tripdetector_minparktime` (a parking) or `minStopSeconds` (a stop within a trip), also
 *   over spikes and silence. Speed and ignition move its bounds by at most 60 s.
 * - A trip is the way between two parkings, jumps or gaps. It lasts at least `tripdetector_mintriptime`, with a fix at least
 *   `tripdetector_mintripdist` from its first fix. A shorter way joins two near parkings.
 * - A jump (a step longer than `tripdetector_maxdistancemsg`, see `jump`) and a gap longer than `advanced_maxintervalmsg` cut a trip. All other
 *   time is `unknown`.
 * - Distances are sums of geodesics times `advanced_mileagecoeff`. By `tripdetector_mileagedetect` they are the growth of a mileage. With
 *   `tripdetector_gpscorrect` rests have no distance. If speed, ignition or mileage contradict the positions, `issues` says so.
 *
 * `settings` are the unit's custom fields, as an object or a list of `{key, value}`. Absent or empty fields take their defaults. All rules with
 * pictures: `docs/guide/movement.md`. Errors: `track-invalid`, `settings-type`, `setting-value`, `option-type`, `option-value`. Cost: O(n).
 *
 * @example
 * ```ts
 * import { detectTrips, readTrack } from 'wayzone/tracks';
 * const fixes = Array.from({ length: 31 }, (_, i) => {
 *   const driven = Math.min(Math.max(i - 10, 0), 10);
 *   return { time: 1772438400000 + i * 60000, lon: 37.6 + 0.01 * driven, lat: 55.7, speedKph: driven % 10 === 0 ? 0 : 38 };
 * });
 * const { trips, parkings } = detectTrips(readTrack(fixes), { tripdetector_minparktime: '300' });
 * trips.map(({ durationSeconds, maxSpeedKph }) => [durationSeconds, maxSpeedKph]); // [[600, 38]]
 * parkings.length; // 2
 * ```
 */
export function detectTrips(
  track: Track,
  settings?: TripDetectorSettings,
  options: MovementOptions = {},
): MovementReport {
  checkRunOptions(options, MOVEMENT_OPTIONS);
  const rules = movementRules(readMovement(settings, options));
  checkTrack(track);
  const trips: MovementItem[] = [];
  const parkings: MovementItem[] = [];
  const stops: MovementItem[] = [];
  const unknown: UnknownItem[] = [];
  const machine = new MovementMachine(rules, {
    beginTrip() {},
    endTrip: (from, to, sums, maxKph) => trips.push(tripItem(from, to, sums, maxKph, rules)),
    beginParking() {},
    endParking: (from, to, maxKph, centre) => parkings.push(parkingItem(from, to, maxKph, centre, rules)),
    endStop: (from, to, maxKph) => stops.push(restItem(from, to, maxKph, rules)),
    endUnknown: (from, to, reason) => unknown.push(unknownItem(from, to, reason, rules)),
  });
  const state = noMovement();
  machine.run(state, track, 0, track.length);
  machine.end(state);
  const column = mileageColumn(rules.mileage);
  const isMissing = track.length > 0 && column !== null && (track[column] ?? null) === null;
  return { trips, parkings, stops, unknown, issues: movementIssues(state.way.counts, rules, isMissing) };
}
