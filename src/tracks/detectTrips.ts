/** Trips, parkings and stops of a track: batch driver of the state machine in `movementMachine.ts`. */

import type { Issue, Track } from '../core/fix.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { checkRunOptions } from './checkRunOptions.js';
import { checkTrack } from './checkTrack.js';
import { UNKNOWN, UNKNOWN_IGNITION } from './fixReader.js';
import { mileageColumn } from './mileageColumn.js';
import { noMovement } from './movement.js';
import { type MovementItem, movementItem } from './movementItem.js';
import { type MovementKind, MovementMachine } from './movementMachine.js';
import {
  MOVEMENT_OPTIONS,
  type MovementOptions,
  type MovementRules,
  movementRules,
  readMovement,
} from './movementRules.js';

/** The movement of a unit, in order of time. */
export interface MovementReport {
  /** Its drives. */
  readonly trips: readonly MovementItem[];
  /** Its rests. */
  readonly parkings: readonly MovementItem[];
  /** The stops within the trips. */
  readonly stops: readonly MovementItem[];
  /**
   * `mileage-missing`: some steps had no mileage and count by position. `jump-plausible` (not of a stream): how many steps cut trips that may
   * be a drive which is seldom reported. Present only with such a step, or when `tripdetector_mileagedetect` is not `mileage_GPS`.
   */
  readonly issues?: readonly Issue[];
}

/**
 * The trips of a unit, the parkings between them and the stops within them. Each list is in order of time.
 *
 * - A fix moves when its speed is at least `tripdetector_minmovespeed` and, with `ignition`, its ignition is not off. A fix without a
 *   speed gets the speed of the step that leads to it (the first fix rests). A fix without an ignition is judged by its speed alone.
 * - A rest that lasts at least `tripdetector_minparktime`, from its first to its last fix at rest, is a parking. A trip begins at the last fix at
 *   rest before it and ends at the first one of the parking after it; shorter rests in it are its stops (a lone fix at rest is one
 *   without duration).
 * - A jump (a step longer than `tripdetector_maxdistancemsg`, see `jump`, or of exactly 180° of longitude) and a gap longer than
 *   `advanced_maxintervalmsg` cut the track: the item before ends at its last fix, the item after begins at its first, and the step
 *   adds no distance. A unit that drives 110 km/h and reports once a minute has no trip by the default of 1000 m: the issue
 *   `jump-plausible` counts such steps. A unit at rest on both sides of a gap and at most 200 m apart is asleep: its rest continues.
 * - Only then a trip shorter than `tripdetector_mintriptime` or `tripdetector_mintripdist` is dropped: the rests around it
 *   become one, a parking if it is long enough. Its stops are dropped too.
 * - A rest at an end of the track or at a cut that is too short for a parking is left out.
 * - Distances are sums of geodesics (`mileage_GPS`) times `advanced_mileagecoeff`. By `tripdetector_mileagedetect` only the steps that
 *   begin with the ignition on count (`mileage_GPS_ignition`), or in place of the geodesics the growth of `mileageMeters`
 *   (`mileage_mileage_sensor`) or `mileageDeltaMeters` (`mileage_relative_mileage`). A step whose fix has no mileage counts by
 *   position, and so does one whose mileage grew faster than 300 km/h (plus 1 km) or decreased: `unmeasuredSteps` counts
 *   these, and `issues` reports them (`mileage-missing`). Jumps, speeds and gaps are always judged by position.
 * - With `tripdetector_gpscorrect` the drift between fixes at rest adds no distance, and a parking or stop begins and ends at the
 *   position of its first fix.
 *
 * `settings` are the unit's custom fields, as an object or a list of `{key, value}`, numbers or numeric text; those that are absent or
 * empty take their defaults: parking 300 s, 3 km/h, trips from 100 m and 60 s, jumps from 1000 m, gaps from 3600 s, factor 1 (up to
 * a million), by `speedkph`, distances by `mileage_GPS`, `tripdetector_gpscorrect` off (on: 1, '1', 'true'). Other fields are ignored.
 *
 * A trip depends on its own fixes, on the fix at rest that begins it, and on the rest or cut that ends it: every track that holds those fixes
 * has the same trip, to the last bit, however a report's period is cut.
 *
 * Errors: `track-invalid`, `settings-type`, `setting-value`, `option-type`, `option-value`. Cost: O(n), one distance a fix.
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
  const { machine, report } = gatherMovement(rules);
  const { time, lon, lat, speedKph, ignition } = track;
  const column = mileageColumn(rules.mileage);
  const mileage = column === null || column === 'ignition' ? null : track[column];
  const state = noMovement();
  for (let i = 0; i < track.length; i++) {
    machine.next(
      state,
      time[i] as number,
      lon[i] as number,
      lat[i] as number,
      speedKph?.[i] ?? UNKNOWN,
      ignition?.[i] ?? UNKNOWN_IGNITION,
      mileage?.[i] ?? UNKNOWN,
    );
  }
  machine.end(state);
  const isMissing = track.length > 0 && column !== null && (track[column] ?? null) === null;
  return withJumpIssue(withIssues(report, rules, isMissing), rules, machine.plausibleJumps);
}

/** The report with an issue of jumps that may be drives. */
function withJumpIssue(report: MovementReport, rules: MovementRules, count: number): MovementReport {
  if (count === 0) return report;
  const { maxStepMeters, plausibleKph } = rules;
  const message =
    `expected steps up to ${maxStepMeters} m, received ${count} longer ones up to ${plausibleKph} km/h, ` +
    `which cut trips; raise tripdetector_maxdistancemsg or pass jump: 'speed'`;
  const field = 'settings.tripdetector_maxdistancemsg';
  const issue = { code: 'jump-plausible', severity: 'warning', field, message } as const;
  return { ...report, issues: [...(report.issues ?? []), issue] };
}

/** The report with the issues of its distances. `isMissing`: no fix of the track has the mileage that measures them. */
export function withIssues(
  report: MovementReport,
  { mileage }: MovementRules,
  isMissing: boolean,
): MovementReport {
  const column = mileageColumn(mileage);
  if (column === null) return report;
  // Stops are parts of trips.
  const items = [...report.trips, ...report.parkings];
  const count = items.reduce((sum, { unmeasuredSteps = 0 }) => sum + unmeasuredSteps, 0);
  if (count === 0 && !isMissing) return { ...report, issues: [] };
  const received = isMissing ? 'a track without it' : `${count} steps without a usable one`;
  const message = `expected ${column} for ${mileage}, received ${received}; these count by position`;
  const issue = { code: 'mileage-missing', severity: 'warning', field: `track.${column}`, message } as const;
  return { ...report, issues: [issue] };
}

/** A state machine, and the report that collects its items. */
function gatherMovement(rules: MovementRules): {
  readonly machine: MovementMachine;
  readonly report: MovementReport;
} {
  const found: Record<MovementKind, MovementItem[]> = { trip: [], parking: [], stop: [] };
  const machine = new MovementMachine(rules, {
    begin: () => {},
    end: (kind, stretch) => found[kind].push(movementItem(kind, stretch, rules)),
  });
  return { machine, report: { trips: found.trip, parkings: found.parking, stops: found.stop } };
}
