/** Trips, parkings and stops of many units as their fixes come in. */

import { defaultsOf, type OptionTable, pickOptions, valuesOf } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { checkRunOptions } from './checkRunOptions.js';
import type { MovementReport } from './detectTrips.js';
import {
  type MovementItem,
  type MovementKind,
  movementIssues,
  type UnknownItem,
} from './movement/movementItem.js';
import {
  MovementAnalysis,
  type MovementEvent,
  type MovementState,
  valuesOfUnit,
} from './movementAnalysis.js';
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
import { openSnapshot, UnitTracker } from './stream/unitTracker.js';
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
 * Time, lateness, counts and snapshots: as `VisitTracker`. Events are final. A trip begins once it is long enough; this ends the parking before.
 * A parking begins once it has lasted `tripdetector_minparktime`, at most twice that time after the arrival; this ends the trip before. Stops
 * and unknown times are emitted at their end. `advance` ends the trip of a unit whose gap is too long. The items of the `end` events and of
 * `current(unitId)` together equal the batch.
 *
 * `configure` gives a unit its own settings. Snapshots contain them.
 *
 * Errors: as `detectTrips` and `VisitTracker`. Cost of a fix: O(1), one distance.
 *
 * @example
 * ```ts
 * import { MovementTracker } from 'wayzone/tracks';
 * const tracker = new MovementTracker();
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * tracker.push('truck', fix(0, 37.6)).length; // 0
 * tracker.push('truck', fix(60, 37.61)).length; // 0
 * tracker.push('truck', fix(70, 37.612)).map(({ type, kind, time }) => [type, kind, time]); // [['begin', 'trip', 1772438400000]]
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
    const open = openSnapshot(snapshot, 'movement');
    const options = optionsFromJson(open.options);
    const tracker = asCorrupt(
      'snapshot',
      'a setting of a tracker',
      () => new MovementTracker(options as TripDetectorSettings, pickOptions(options, OPTIONS)),
    );
    tracker.resume(open);
    return tracker;
  }

  /** Gives a unit its own settings from its next fix on. `null`: the settings of the tracker. */
  configure(unitId: string, settings: TripDetectorSettings | null): void {
    this.stream.configure(unitId, settings);
  }

  /** Items without an `end` event so far, as if the unit's track ended here, and the issues of the whole track. Waiting fixes count. */
  current(unitId: string): MovementReport {
    const unit = this.stream.get(unitId);
    if (unit === null) return { trips: [], parkings: [], stops: [], unknown: [], issues: [] };
    const ahead = new MovementAnalysis(this.#values);
    const state = this.stream.lookAhead(unitId, ahead) as MovementState | null;
    const events = ahead.take();
    const items = <Item extends MovementItem | UnknownItem>(kind: MovementKind): Item[] =>
      events.flatMap((event) => (event.kind === kind && event.item !== null ? [event.item as Item] : []));
    const { settings } = unit;
    const values = settings === null ? this.#values : valuesOfUnit(this.#values, settings);
    return {
      trips: items('trip'),
      parkings: items('parking'),
      stops: items('stop'),
      unknown: items('unknown'),
      issues: state === null ? [] : movementIssues(state.movement.way.counts, movementRules(values), false),
    };
  }
}

const OPTIONS: OptionTable<MovementTrackerOptions> = { ...MOVEMENT_OPTIONS, ...STREAM_OPTIONS };

const DEFAULTS = { ...MOVEMENT_DEFAULTS, ...defaultsOf(STREAM_OPTIONS) };
