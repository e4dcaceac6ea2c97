/** The movement of a unit as an analysis: the seat of `movementMachine.ts`, and its events. */

import type { Position } from '../core/geometry.js';
import { mileageOf } from './mileageColumn.js';
import { type Movement, noMovement } from './movement.js';
import { type MovementItem, movementItem } from './movementItem.js';
import { type MovementKind, MovementMachine } from './movementMachine.js';
import { MOVEMENT_DEFAULTS, type MovementValues, movementRules, readMovement } from './movementRules.js';
import type { Analysis, Step, UnitView } from './stream/analysis.js';
import { plainCopy } from './stream/plainCopy.js';
import { type JsonOptions, optionsFromJson, othersToJson } from './streamOptions.js';
import type { Stretch } from './stretch.js';

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

/** The movement of a unit. Plain JSON. */
export interface MovementState {
  movement: Movement;
  /** The movement at the first of the fixes at the last one's place, as long as no event was emitted since; null if there is only one. */
  atPlace: Movement | null;
}

export class MovementAnalysis implements Analysis<MovementState, MovementEvent> {
  readonly name = 'movement';
  readonly #values: MovementValues;
  readonly #machine: MovementMachine;
  /** The machines of units with settings of their own, by these. */
  readonly #own = new WeakMap<JsonOptions, MovementMachine>();
  /** The unit that moves, and its machine. */
  #unitId = '';
  #unitMachine: MovementMachine;
  #events: MovementEvent[] = [];

  /** `values`: the settings and options of units without settings of their own. */
  constructor(values: MovementValues) {
    this.#values = values;
    this.#machine = this.#machineBy(values);
    this.#unitMachine = this.#machine;
  }

  start(): MovementState {
    return { movement: noMovement(), atPlace: null };
  }

  step(state: MovementState, { from, to }: Step, unit: UnitView): void {
    const machine = this.#machineOf(unit);
    const { time, lon, lat, speedKph, ignition } = to;
    if (from === null || lon !== from.lon || lat !== from.lat) state.atPlace = null;
    else if (unit.intake.repeats === 0) state.atPlace = plainCopy(state.movement);
    const { told } = machine;
    machine.next(state.movement, time, lon, lat, speedKph, ignition, mileageOf(machine.rules.mileage, to));
    // What fixes at one place change can be taken back until an event was emitted.
    if (machine.told !== told) state.atPlace = null;
  }

  takeBack(state: MovementState): void {
    if (state.atPlace !== null) state.movement = state.atPlace;
    state.atPlace = null;
  }

  advance(state: MovementState, unit: UnitView): void {
    // A suspect may prove good, and continue the trip.
    if (unit.intake.suspects !== null) return;
    const machine = this.#machineOf(unit);
    const { told } = machine;
    machine.endBefore(state.movement, unit.intake.watermark);
    if (machine.told !== told) state.atPlace = null;
  }

  finish({ movement }: MovementState, unit: UnitView): void {
    this.#machineOf(unit).end(movement);
  }

  wakeAt({ movement }: MovementState, unit: UnitView): number {
    return unit.intake.suspects === null ? this.#machineOf(unit).endsAt(movement) : Number.POSITIVE_INFINITY;
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
    if (settings === null) {
      this.#unitMachine = this.#machine;
      return this.#machine;
    }
    let machine = this.#own.get(settings);
    if (machine === undefined) {
      machine = this.#machineBy(valuesOfUnit(this.#values, settings));
      this.#own.set(settings, machine);
    }
    this.#unitMachine = machine;
    return machine;
  }

  #machineBy(values: MovementValues): MovementMachine {
    return new MovementMachine(movementRules(values), {
      begin: (kind, stretch) => this.#emit('begin', kind, stretch),
      end: (kind, stretch) => this.#emit('end', kind, stretch),
    });
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
}

const { jump: _, maxJumpSpeedKph: __, ...SETTINGS } = MOVEMENT_DEFAULTS;

/** The settings and options of a unit with settings of its own. `values`: those of the tracker. */
export function valuesOfUnit(values: MovementValues, settings: JsonOptions): MovementValues {
  return { ...values, ...SETTINGS, ...optionsFromJson(settings) };
}

const NONE: readonly MovementEvent[] = Object.freeze([]);
