/** Trips, parkings and stops of many units as their fixes come in: the stream's driver of `movementMachine.ts`. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { gatherMovement, type MovementReport, withIssues } from './detectTrips.js';
import type { CleanFix } from './fixGate.js';
import { FixIntake, type StreamCounts } from './fixIntake.js';
import { mileageOf } from './mileageColumn.js';
import { type MovementItem, movementItem } from './movementItem.js';
import { type MovementKind, MovementMachine, type MovementSink, type Stretch } from './movementMachine.js';
import {
  MOVEMENT_DEFAULTS,
  type MovementOptions,
  type MovementValues,
  movementRules,
  readMovement,
} from './movementRules.js';
import {
  copyOfMovementUnit,
  type MovementUnit,
  movementUnitFromJson,
  movementUnitToJson,
  newMovementUnit,
} from './movementUnit.js';
import { readOptions } from './readOptions.js';
import { corrupt } from './stateReader.js';
import {
  type JsonOptions,
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_DEFAULTS,
  type StreamOptions,
  type StreamRules,
} from './streamOptions.js';
import { openSnapshot, type StreamSnapshot } from './streamSnapshot.js';
import { type PushOptions, StreamUnits } from './streamUnits.js';

export interface MovementTrackerOptions extends MovementOptions, StreamOptions {}

/** Something that a unit did; final once it is told. */
export interface MovementEvent {
  /** `begin`: a trip or parking is certain to be one. `end`: it is over, or a stop is. */
  readonly type: 'begin' | 'end';
  /** What began or ended. */
  readonly kind: MovementKind;
  /** The unit's. */
  readonly unitId: string;
  /** When it began or ended, epoch milliseconds. */
  readonly time: number;
  /** Where it began or ended, `[lon, lat]`. */
  readonly position: Position;
  /** The whole of it for an `end`, else null. */
  readonly item: MovementItem | null;
}

/**
 * Follows many units and tells what `detectTrips(readTrack(fixes), settings)` would find.
 *
 * Time, lateness, counts and snapshots are those of `VisitTracker`. Events are final: a trip begins when it is long enough to be one,
 * which ends the parking before it; a parking begins after `tripdetector_minparktime`, which ends the trip before it; a stop is told
 * with its end, once its trip has begun. `advance` ends the trip of a unit that is silent for too long to go on.
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
export class MovementTracker {
  readonly #values: MovementValues;
  readonly #streamRules: StreamRules;
  readonly #machine: MovementMachine;
  readonly #units: StreamUnits<MovementUnit>;
  readonly #sink: MovementSink;
  /** Of units with settings of their own. */
  readonly #own = new Map<string, MovementMachine>();
  #unitId = '';
  #unitMachine: MovementMachine;
  #events: MovementEvent[] = [];

  constructor(settings?: TripDetectorSettings, options?: MovementTrackerOptions) {
    const given = readOptions(options);
    this.#values = readMovement(settings, options);
    this.#streamRules = readStreamRules(given);
    this.#sink = {
      begin: (kind, stretch) => this.#tell('begin', kind, stretch),
      end: (kind, stretch) => this.#tell('end', kind, stretch),
    };
    this.#machine = new MovementMachine(movementRules(this.#values), this.#sink);
    this.#unitMachine = this.#machine;
    const all = (name: string): unknown =>
      name in this.#values ? this.#values[name as keyof MovementValues] : given(name);
    const kind = {
      kind: 'movement',
      create: newMovementUnit,
      toJson: (unit: MovementUnit): object => movementUnitToJson(unit, settingsToJson),
      fromJson: (reader: Parameters<typeof movementUnitFromJson>[0]): MovementUnit =>
        movementUnitFromJson(reader, settingsFromJson),
      apply: (unit: MovementUnit, fix: CleanFix): void => this.#apply(unit, fix),
    } as const;
    this.#units = new StreamUnits(kind, this.#streamRules, optionsToJson(all, DEFAULTS));
  }

  /** Goes on where a snapshot ended, with the settings and options that it had. Takes its JSON text too. */
  static restore(snapshot: StreamSnapshot | string): MovementTracker {
    const open = openSnapshot(snapshot, 'movement');
    const tracker = withOptions(optionsFromJson(open.options));
    tracker.#units.load(open);
    return tracker;
  }

  /** Gives a unit settings of its own, from its next fix on; `null`: those of the tracker again. */
  configure(unitId: string, settings: TripDetectorSettings | null): void {
    const { jump, maxJumpSpeedKph } = this.#values;
    const values =
      (settings ?? null) === null ? null : { ...readMovement(settings, undefined), jump, maxJumpSpeedKph };
    this.#units.open(unitId).settings = values;
    this.#own.delete(unitId);
  }

  /** Takes a fix and returns what is now certain. `receivedAt` (epoch ms) is what `maxFutureSeconds` is judged by. */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly MovementEvent[] {
    this.#units.push(unitId, fix, options);
    return this.#take();
  }

  /** Says that it is `time` (epoch ms): raises every unit's watermark to `time` − lateness and ends the trips of silent units. */
  advance(time: number): readonly MovementEvent[] {
    this.#units.advance(time, (unit) => {
      if (unit.held === null) this.#machineOf(unit).silent(unit.movement, unit.watermark);
    });
    return this.#take();
  }

  /** What became of the messages of one unit (nothing, of an unknown one), or of all that are followed. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /** What no `end` event told yet, as though the unit's track ended here: with what is under way and what waits. */
  current(unitId: string): MovementReport {
    const known = this.#units.get(unitId);
    if (known === null) return { trips: [], parkings: [], stops: [] };
    const unit = copyOfMovementUnit(known);
    const rules = unit.settings ? movementRules(unit.settings) : this.#machine.rules;
    const { machine, report } = gatherMovement(rules);
    new FixIntake<MovementUnit>(this.#streamRules, (state, fix) => feed(machine, state, fix)).finish(unit);
    machine.end(unit.movement);
    return withIssues(report, rules, false);
  }

  /** Lets go of a unit, its settings and what waits of it; false when it is unknown. Its next fix is a first one. */
  forget(unitId: string): boolean {
    this.#own.delete(unitId);
    return this.#units.forget(unitId);
  }

  /** All units, or one (none, if it is unknown), as plain JSON: going on from it gives the same events. */
  snapshot(unitId?: string): StreamSnapshot {
    return this.#units.snapshot(unitId);
  }

  /** Takes in the units of a snapshot, which must have this tracker's settings and options and no unit that is followed here. */
  adopt(snapshot: StreamSnapshot | string): void {
    this.#units.adopt(snapshot);
  }

  #apply(unit: MovementUnit, fix: CleanFix): void {
    feed(this.#machineOf(unit), unit, fix);
  }

  /** The machine of a unit, whose events are told from now on. */
  #machineOf(unit: MovementUnit): MovementMachine {
    this.#unitId = unit.id;
    this.#unitMachine = unit.settings === null ? this.#machine : this.#ownMachine(unit.id, unit.settings);
    return this.#unitMachine;
  }

  #ownMachine(unitId: string, settings: MovementValues): MovementMachine {
    let machine = this.#own.get(unitId);
    if (machine === undefined) {
      machine = new MovementMachine(movementRules(settings), this.#sink);
      this.#own.set(unitId, machine);
    }
    return machine;
  }

  #tell(type: 'begin' | 'end', kind: MovementKind, stretch: Stretch): void {
    const item = movementItem(kind, stretch, this.#unitMachine.rules);
    const isBegin = type === 'begin';
    this.#events.push({
      type,
      kind,
      unitId: this.#unitId,
      time: isBegin ? item.from : item.to,
      position: isBegin ? item.start : item.end,
      item: isBegin ? null : item,
    });
  }

  #take(): readonly MovementEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

const NONE: readonly MovementEvent[] = Object.freeze([]);

const DEFAULTS = { ...MOVEMENT_DEFAULTS, ...STREAM_DEFAULTS };

function feed(machine: MovementMachine, unit: MovementUnit, fix: CleanFix): void {
  const { time, lon, lat, speedKph, ignition } = fix;
  machine.next(unit.movement, time, lon, lat, speedKph, ignition, mileageOf(machine.rules.mileage, fix));
}

function settingsToJson(settings: MovementValues): JsonOptions {
  return optionsToJson((name) => settings[name as keyof MovementValues], MOVEMENT_DEFAULTS);
}

function settingsFromJson(json: JsonOptions): MovementValues {
  const settings = optionsFromJson(json);
  return coded('snapshot.units', () => readMovement(settings, settings));
}

function withOptions(options: Record<string, unknown>): MovementTracker {
  return coded('snapshot', () => new MovementTracker(options, options));
}

/** Settings of a snapshot that no tracker can have were not written by one. */
function coded<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    throw corrupt(`${path}.${error.field}`, 'a setting of a tracker', error.message);
  }
}
