/** The movement of a unit as an analysis: the seat of `movement/movementMachine.ts`, and its events. */

import type { Position } from '../core/geometry.js';
import {
  type MovementItem,
  type MovementKind,
  parkingItem,
  positionOf,
  restItem,
  tripItem,
  type UnknownItem,
  unknownItem,
} from './movement/movementItem.js';
import {
  keepRows,
  type Movement,
  type MovementAtPlace,
  MovementMachine,
  movementAt,
  movementNow,
  noMovement,
} from './movement/movementMachine.js';
import type { Mark } from './movement/wayState.js';
import {
  MOVEMENT_DEFAULTS,
  MOVEMENT_OPTIONS,
  type MovementValues,
  movementRules,
  readMovement,
} from './movementRules.js';
import { TIME } from './stays/stayState.js';
import type { Analysis, Step, UnitView } from './stream/analysis.js';
import { type JsonOptions, optionsFromJson, othersToJson } from './streamOptions.js';

/** Begin or end of a trip, parking, stop or unknown time. Never revised after it was emitted. */
export interface MovementEvent {
  /** `begin`: a trip or parking is confirmed. `end`: a trip, parking, stop or unknown time is over. */
  readonly type: 'begin' | 'end';
  /** Kind of the item that began or ended. */
  readonly kind: MovementKind;
  /** The unit's. */
  readonly unitId: string;
  /** Time of the begin or end, epoch milliseconds. */
  readonly time: number;
  /** Position at the begin or end, `[lon, lat]`. */
  readonly position: Position;
  /** The complete item for an `end`, else `null`. */
  readonly item: MovementItem | UnknownItem | null;
}

/** The movement of a unit. Plain JSON. */
export interface MovementState {
  movement: Movement;
  /** The movement at the first of the fixes at the last one's place, as long as no event was emitted since; null if there is only one. */
  atPlace: MovementAtPlace | null;
}

export class MovementAnalysis implements Analysis<MovementState, MovementEvent> {
  readonly name = 'movement';
  readonly #values: MovementValues;
  readonly #machine: MovementMachine;
  /** The machines of units with settings of their own, by these. */
  readonly #own = new WeakMap<JsonOptions, MovementMachine>();
  /** The unit that moves. */
  #unitId = '';
  #events: MovementEvent[] = [];

  /** `values`: the settings and options of units without settings of their own. */
  constructor(values: MovementValues) {
    this.#values = values;
    this.#machine = this.#machineBy(values);
  }

  start(): MovementState {
    return { movement: noMovement(), atPlace: null };
  }

  step(state: MovementState, { from, to }: Step, unit: UnitView): void {
    const machine = this.#machineOf(unit);
    const { lon, lat } = to;
    if (from === null || lon !== from.lon || lat !== from.lat) state.atPlace = null;
    else if (unit.intake.repeats === 0) state.atPlace = movementNow(state.movement);
    if (state.atPlace !== null) keepRows(state.atPlace, state.movement.ring);
    const { length } = this.#events;
    machine.next(state.movement, to);
    // Changes by fixes at one place can be taken back until an event was emitted.
    if (this.#events.length > length) state.atPlace = null;
  }

  takeBack(state: MovementState): void {
    if (state.atPlace !== null) state.movement = movementAt(state.atPlace, state.movement.ring);
    state.atPlace = null;
  }

  advance(state: MovementState, unit: UnitView): void {
    // A suspect may prove good, and continue the trip.
    if (unit.intake.suspects !== null) return;
    const machine = this.#machineOf(unit);
    const { length } = this.#events;
    if (state.atPlace !== null) keepRows(state.atPlace, state.movement.ring);
    machine.silence(state.movement, unit.intake.watermark);
    if (this.#events.length > length) state.atPlace = null;
  }

  finish({ movement }: MovementState, unit: UnitView): void {
    this.#machineOf(unit).end(movement);
  }

  wakeAt({ movement }: MovementState, unit: UnitView): number {
    return unit.intake.suspects === null
      ? this.#machineOf(unit).silentAt(movement)
      : Number.POSITIVE_INFINITY;
  }

  readSettings(settings: unknown): JsonOptions {
    return othersToJson(readMovement(settings, undefined), SETTINGS);
  }

  take(): readonly MovementEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The state machine of a unit; from now on its events are emitted. */
  #machineOf({ id, settings }: UnitView): MovementMachine {
    this.#unitId = id;
    if (settings === null) return this.#machine;
    let machine = this.#own.get(settings);
    if (machine === undefined) {
      machine = this.#machineBy(valuesOfUnit(this.#values, settings));
      this.#own.set(settings, machine);
    }
    return machine;
  }

  #machineBy(values: MovementValues): MovementMachine {
    const rules = movementRules(values);
    return new MovementMachine(rules, {
      beginTrip: (from) => this.#begin('trip', from),
      endTrip: (from, to, sums, maxKph) => this.#end('trip', tripItem(from, to, sums, maxKph, rules)),
      beginParking: (from) => this.#begin('parking', from),
      endParking: (from, to, maxKph, centre) =>
        this.#end('parking', parkingItem(from, to, maxKph, centre, rules)),
      endStop: (from, to, maxKph) => this.#end('stop', restItem(from, to, maxKph, rules)),
      endUnknown: (from, to, reason) => this.#end('unknown', unknownItem(from, to, reason, rules)),
    });
  }

  #begin(kind: MovementKind, from: Mark): void {
    const [time, position] = [from[TIME]!, positionOf(from)];
    this.#events.push({ type: 'begin', kind, unitId: this.#unitId, time, position, item: null });
  }

  #end(kind: MovementKind, item: MovementItem | UnknownItem): void {
    const { to: time, end: position } = item;
    this.#events.push({ type: 'end', kind, unitId: this.#unitId, time, position, item });
  }
}

const SETTINGS = settingsOf(MOVEMENT_DEFAULTS);

function settingsOf(values: MovementValues): Partial<MovementValues> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(MOVEMENT_OPTIONS, name)),
  );
}

/** The settings and options of a unit with settings of its own. `values`: those of the tracker. */
export function valuesOfUnit(values: MovementValues, settings: JsonOptions): MovementValues {
  return { ...values, ...SETTINGS, ...optionsFromJson(settings) };
}

const NONE: readonly MovementEvent[] = Object.freeze([]);
