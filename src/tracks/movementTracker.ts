/** Trips, parkings and stops of many units as their fixes come in. */

import { defaultsOf, type OptionTable, pickOptions, valuesOf } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { checkRunOptions } from './checkRunOptions.js';
import { type MovementReport, withIssues } from './detectTrips.js';
import { MovementAnalysis, type MovementEvent, valuesOfUnit } from './movementAnalysis.js';
import type { MovementItem } from './movementItem.js';
import type { MovementKind } from './movementMachine.js';
import {
  MOVEMENT_DEFAULTS,
  MOVEMENT_OPTIONS,
  type MovementOptions,
  type MovementValues,
  movementRules,
  readMovement,
} from './movementRules.js';
import { asCorrupt } from './stream/sealed.js';
import type { StreamSnapshot } from './stream/unitTracker.js';
import { openStream, UnitTracker } from './stream/unitTracker.js';
import {
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
} from './streamOptions.js';

export interface MovementTrackerOptions extends MovementOptions, StreamOptions {}

/**
 * Follows many units and emits the movement that `detectTrips(readTrack(fixes), settings)` would find.
 *
 * Time, lateness, counts and snapshots are those of `VisitTracker`. Events are final: a trip begins when it is long enough to be one,
 * which ends the parking before it; a parking begins after `tripdetector_minparktime`, which ends the trip before it; a stop is emitted
 * at its end, once its trip has begun. `advance` ends the trip of a unit whose gap is too long.
 * The items of the `end` events, with those of `current(unitId)`, are those of the batch.
 *
 * `configure` gives a unit settings of its own; they travel in its snapshot.
 *
 * Errors: as `detectTrips` and `VisitTracker`. Cost of a fix: O(1), one distance.
 *
 * @example
 * ```ts
 * import { MovementTracker } from 'wayzone/tracks';
 * const tracker = new MovementTracker({ tripdetector_mintriptime: 30 });
 * const fix = (seconds, lon, speedKph) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7, speedKph });
 * tracker.push('truck', fix(0, 37.6, 0)).length; // 0
 * tracker.push('truck', fix(60, 37.61, 40)).map(({ type, kind, time }) => [type, kind, time]); // [['begin', 'trip', 1772438400000]]
 * ```
 */
export class MovementTracker extends UnitTracker<MovementEvent> {
  readonly #values: MovementValues;

  constructor(settings?: TripDetectorSettings, options: MovementTrackerOptions = {}) {
    checkRunOptions(options, OPTIONS);
    const values = readMovement(settings, options);
    const json = optionsToJson({ ...values, ...valuesOf(options, STREAM_OPTIONS) }, DEFAULTS);
    const analysis = new MovementAnalysis(values);
    super({ kind: 'movement', options: json }, readStreamRules(options), analysis);
    this.#values = values;
  }

  /** Restores a tracker from a snapshot or its JSON text, with the settings and options of the snapshot. */
  static restore(snapshot: StreamSnapshot | string): MovementTracker {
    const open = openStream(snapshot, 'movement');
    const options = optionsFromJson(open.options);
    const tracker = asCorrupt(
      'snapshot',
      'a setting of a tracker',
      () => new MovementTracker(options as TripDetectorSettings, pickOptions(options, OPTIONS)),
    );
    tracker.resume(open);
    return tracker;
  }

  /** Gives a unit settings of its own from its next fix on. `null` returns it to the settings of the tracker. */
  configure(unitId: string, settings: TripDetectorSettings | null): void {
    this.stream.configure(unitId, settings);
  }

  /** Items without an `end` event so far, as if the unit's track ended here. Waiting fixes count. */
  current(unitId: string): MovementReport {
    const unit = this.stream.get(unitId);
    if (unit === null) return { trips: [], parkings: [], stops: [] };
    const ahead = new MovementAnalysis(this.#values);
    this.stream.lookAhead(unitId, ahead);
    const events = ahead.take();
    const items = (kind: MovementKind): MovementItem[] =>
      events.flatMap((event) => (event.kind === kind && event.item !== null ? [event.item] : []));
    const report = { trips: items('trip'), parkings: items('parking'), stops: items('stop') };
    const { settings } = unit;
    const values = settings === null ? this.#values : valuesOfUnit(this.#values, settings);
    return withIssues(report, movementRules(values), false);
  }
}

const OPTIONS: OptionTable<MovementTrackerOptions> = { ...MOVEMENT_OPTIONS, ...STREAM_OPTIONS };

const DEFAULTS = { ...MOVEMENT_DEFAULTS, ...defaultsOf(STREAM_OPTIONS) };
