/** Trips, parkings and stops of many units as their fixes come in: the stream's driver of `movementMachine.ts`. */

import type { Fix, Issue } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { defaultsOf, type OptionTable, pickOptions, valuesOf } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import { checkRunOptions } from './checkRunOptions.js';
import { gatherMovement, type MovementReport, withIssues } from './detectTrips.js';
import { advanceFor, earliest, FixIntake, releaseAt, type StreamCounts } from './fixIntake.js';
import type { CleanFix } from './fixReader.js';
import { mileageOf } from './mileageColumn.js';
import { type MovementItem, movementItem } from './movementItem.js';
import { type MovementKind, MovementMachine, type MovementSink } from './movementMachine.js';
import {
  MOVEMENT_DEFAULTS,
  MOVEMENT_OPTIONS,
  type MovementOptions,
  type MovementValues,
  movementRules,
  readMovement,
} from './movementRules.js';
import {
  copyOfMovement,
  copyOfMovementUnit,
  type MovementUnit,
  movementUnitFromJson,
  movementUnitToJson,
  newMovementUnit,
} from './movementUnit.js';
import { asCorrupt } from './stateReader.js';
import {
  type JsonOptions,
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
  type StreamRules,
} from './streamOptions.js';
import { openSnapshot, type StreamSnapshot } from './streamSnapshot.js';
import { type PushOptions, StreamUnits, shareUnits } from './streamUnits.js';
import type { Stretch } from './stretch.js';

export interface MovementTrackerOptions extends MovementOptions, StreamOptions {}

/** A beginning or end of a trip, parking or stop. Never revised after it was emitted. */
export interface MovementEvent {
  /** `begin`: a trip or parking is confirmed. `end`: a trip, parking or stop is over. */
  readonly type: 'begin' | 'end';
  /** What began or ended. */
  readonly kind: MovementKind;
  /** The unit's. */
  readonly unitId: string;
  /** When it began or ended, epoch milliseconds. */
  readonly time: number;
  /** Where it began or ended, `[lon, lat]`. */
  readonly position: Position;
  /** The complete item for an `end`, else `null`. */
  readonly item: MovementItem | null;
}

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
export class MovementTracker {
  readonly #values: MovementValues;
  readonly #streamRules: StreamRules;
  readonly #machine: MovementMachine;
  readonly #units: StreamUnits<MovementUnit>;
  readonly #sink: MovementSink;
  /** Rules of the units with settings of their own. */
  readonly #own = new Map<string, MovementMachine>();
  #unitId = '';
  #unitMachine: MovementMachine;
  #events: MovementEvent[] = [];

  constructor(settings?: TripDetectorSettings, options: MovementTrackerOptions = {}) {
    checkRunOptions(options, OPTIONS);
    this.#values = readMovement(settings, options);
    this.#streamRules = readStreamRules(options);
    this.#sink = {
      begin: (kind, stretch) => this.#emit('begin', kind, stretch),
      end: (kind, stretch) => this.#emit('end', kind, stretch),
    };
    this.#machine = new MovementMachine(movementRules(this.#values), this.#sink);
    this.#unitMachine = this.#machine;
    const values = { ...this.#values, ...valuesOf(options, STREAM_OPTIONS) };
    const kind = {
      kind: 'movement',
      create: newMovementUnit,
      toJson: (unit: MovementUnit): object => movementUnitToJson(unit, settingsToJson),
      fromJson: (reader: Parameters<typeof movementUnitFromJson>[0]): MovementUnit =>
        movementUnitFromJson(reader, settingsFromJson),
      apply: (unit: MovementUnit, fix: CleanFix): void => feed(this.#machineOf(unit), unit, fix),
      takeBack,
    } as const;
    this.#units = new StreamUnits(kind, this.#streamRules, optionsToJson(values, DEFAULTS));
    shareUnits(this, this.#units);
  }

  /** Restores a tracker from a snapshot or its JSON text, with the settings and options of the snapshot. */
  static restore(snapshot: StreamSnapshot | string): MovementTracker {
    const open = openSnapshot(snapshot, 'movement');
    const tracker = withOptions(optionsFromJson(open.options));
    tracker.#units.load(open);
    return tracker;
  }

  /** Gives a unit settings of its own from its next fix on. `null` returns it to the settings of the tracker. */
  configure(unitId: string, settings: TripDetectorSettings | null): void {
    const { jump, maxJumpSpeedKph } = this.#values;
    const values =
      (settings ?? null) === null ? null : { ...readMovement(settings, undefined), jump, maxJumpSpeedKph };
    this.#units.open(unitId).settings = values;
    this.#own.delete(unitId);
  }

  /** Processes a fix and returns the new events. `maxFutureSeconds` is measured from `receivedAt` (epoch ms). */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly MovementEvent[] {
    this.#units.push(unitId, fix, options);
    return this.#take();
  }

  /** Advances the clock to `time` (epoch ms): raises every unit's watermark to `time` − lateness and ends trips whose gap is too long. */
  advance(time: number): readonly MovementEvent[] {
    this.#units.advance(time, (unit) => {
      // A suspect may prove good, and continue the trip.
      if (unit.suspects !== null) return;
      const machine = this.#machineOf(unit);
      const { told } = machine;
      machine.endBefore(unit.movement, unit.watermark);
      if (machine.told !== told) unit.atPlace = null;
    });
    return this.#take();
  }

  /** Counts of the messages of one unit (zeros for an unknown one), or of all units. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /**
   * How many of the pending fixes are suspects of a jam, for one unit or for all units. They wait for a fix of their own unit, and the
   * clock does not change them.
   */
  suspects(unitId?: string): number {
    return this.#units.suspects(unitId);
  }

  /**
   * Why fixes were rejected, for one unit or for all units: for each reason an example with its field, the received value and what to do, sorted
   * by code. The examples are part of snapshots.
   */
  issues(unitId?: string): Issue[] {
    return this.#units.issues(unitId);
  }

  /** Items without an `end` event so far, as if the unit's track ended here. Waiting fixes count. */
  current(unitId: string): MovementReport {
    const known = this.#units.get(unitId);
    if (known === null) return { trips: [], parkings: [], stops: [] };
    const unit = copyOfMovementUnit(known);
    const rules = unit.settings ? movementRules(unit.settings) : this.#machine.rules;
    const { machine, report } = gatherMovement(rules);
    const apply = (state: MovementUnit, fix: CleanFix): void => feed(machine, state, fix);
    new FixIntake<MovementUnit>(this.#streamRules, { apply, takeBack }).finish(unit);
    machine.end(unit.movement);
    return withIssues(report, rules, false);
  }

  /**
   * The earliest `advance` that may emit an event of the unit while no fix arrives, epoch milliseconds; null if none does. A time before the
   * unit's last fix means that any `advance` does.
   */
  wakeAt(unitId: string): number | null {
    const unit = this.#units.get(unitId);
    if (unit === null) return null;
    const { latenessMs } = this.#streamRules;
    const endsAt = unit.suspects === null ? this.#machineOf(unit).endsAt(unit.movement) : NOT_YET;
    return earliest(advanceFor(unit, endsAt, latenessMs), releaseAt(unit, latenessMs));
  }

  /** Removes a unit with its settings and waiting fixes; `false` if it is unknown. Its next fix begins a new track. */
  forget(unitId: string): boolean {
    this.#own.delete(unitId);
    return this.#units.forget(unitId);
  }

  /** The state of all units, or of one (empty if unknown), as plain JSON. A restored tracker emits the same further events. */
  snapshot(unitId?: string): StreamSnapshot {
    return this.#units.snapshot(unitId);
  }

  /** Adds the units of a snapshot. It must have this tracker's settings and options, and no unit that is already followed. */
  adopt(snapshot: StreamSnapshot | string): void {
    this.#units.adopt(snapshot);
  }

  /** The state machine of a unit; from now on its events are emitted. */
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

  #emit(type: 'begin' | 'end', kind: MovementKind, stretch: Stretch): void {
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

const NOT_YET = Number.POSITIVE_INFINITY;

const NONE: readonly MovementEvent[] = Object.freeze([]);

const OPTIONS: OptionTable<MovementTrackerOptions> = { ...MOVEMENT_OPTIONS, ...STREAM_OPTIONS };

const DEFAULTS = { ...MOVEMENT_DEFAULTS, ...defaultsOf(STREAM_OPTIONS) };

/** What fixes at one place change can be taken back until an event was emitted. */
function feed(machine: MovementMachine, unit: MovementUnit, fix: CleanFix): void {
  const { time, lon, lat, speedKph, ignition } = fix;
  if (unit.applied === 0 || lon !== unit.lon || lat !== unit.lat) unit.atPlace = null;
  else if (unit.repeats === 0) unit.atPlace = copyOfMovement(unit.movement);
  const { told } = machine;
  machine.next(unit.movement, time, lon, lat, speedKph, ignition, mileageOf(machine.rules.mileage, fix));
  if (machine.told !== told) unit.atPlace = null;
}

function takeBack(unit: MovementUnit): void {
  if (unit.atPlace !== null) unit.movement = unit.atPlace;
  unit.atPlace = null;
}

function settingsToJson(settings: MovementValues): JsonOptions {
  return optionsToJson(settings, MOVEMENT_DEFAULTS);
}

function settingsFromJson(json: JsonOptions): MovementValues {
  const settings = optionsFromJson(json);
  return asCorrupt('snapshot.units', 'a setting of a tracker', () => readMovement(settings, settings));
}

/** The tracker of a snapshot, which has the settings among the options. */
function withOptions(options: Record<string, unknown>): MovementTracker {
  return asCorrupt(
    'snapshot',
    'a setting of a tracker',
    () => new MovementTracker(options, pickOptions(options, OPTIONS)),
  );
}
