/** The visits of a unit as an analysis: its dwells from fix to fix, and their events. */

import { inputError } from '../core/errors.js';
import type { TimedPosition } from '../core/fix.js';
import { askHours, changesBetween, type HoursOf } from '../core/zoneHours.js';
import { newUnitLedger, type UnitLedger } from './ledger/unitLedger.js';
import { takeBackMeasured, type VisitLedger } from './ledger/visitLedger.js';
import type { Analysis, Step, UnitView } from './stream/analysis.js';
import type { Visit } from './visit.js';
import { EventBatch, type HoursEvent, type VisitEvent } from './visitEvent.js';
import {
  afterZoneChange,
  atEnd,
  atZoneChange,
  type Dwell,
  takeBackRepeats,
  type VisitSink,
} from './visitMachine.js';
import type { VisitRules } from './visitRules.js';
import { VisitStepper } from './visitStepper.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';
import { ZoneShapes } from './zoneShapes.js';

class VisitHours {
  readonly #hoursOf: HoursOf;
  readonly #events: EventBatch;

  constructor(hoursOf: HoursOf, events: EventBatch) {
    this.#hoursOf = hoursOf;
    this.#events = events;
  }

  isOpen(zoneId: string, time: number): boolean {
    return askHours(this.#hoursOf, zoneId)?.isOpen(time) ?? true;
  }

  /** Emits the openings and closings up to the last instant at which the unit was seen inside. */
  follow(unitId: string, dwell: Dwell): void {
    if (!dwell.isEnterEmitted) return;
    const before = dwell.exit === null ? (dwell.lastInside ?? dwell.enter) + 1 : dwell.exit.time;
    this.until(unitId, dwell, before);
  }

  /** Emits the openings and closings before an instant. */
  until(unitId: string, dwell: Dwell, before: number): void {
    const hours = askHours(this.#hoursOf, dwell.zoneId);
    if (hours === null) return;
    for (const time of changesBetween(hours, dwell.hoursEmitted ?? dwell.enter, before)) {
      dwell.hoursEmitted = time;
      this.#events.hours(unitId, dwell.zoneId, time, hours.isOpen(time));
    }
  }
}

/** The visits of a unit under way. Plain JSON. */
export interface VisitState {
  /** At most one for each zone, in the order in which they began. */
  dwells: Dwell[];
  /** Null if visits are not measured. */
  readonly ledger: UnitLedger | null;
}

/** Zones and rules by which visits are found. */
export interface VisitRun {
  readonly index: ZoneIndexLike;
  readonly rules: VisitRules;
  /** Measures visits; null: they are not measured. */
  readonly ledger: VisitLedger | null;
}

export class VisitAnalysis implements Analysis<VisitState, VisitEvent | HoursEvent> {
  readonly name = 'visits';
  readonly #run: VisitRun;
  readonly #shapes: ZoneShapes;
  readonly #events: EventBatch;
  readonly #stepper: VisitStepper;
  readonly #hours: VisitHours | null;
  readonly #sink: VisitSink = { end: (visit, dwell) => this.#emitExit(visit, dwell) };
  /** `edits` of the index when the dwells of a state were last compared with their zones. */
  readonly #compared = new WeakMap<VisitState, number>();
  /** The unit whose visits end. */
  #unitId = '';
  #ledger: UnitLedger | null = null;

  /** Errors: `option-value`. */
  constructor(run: VisitRun, hoursOf: unknown) {
    const { index } = run;
    this.#run = run;
    this.#shapes = new ZoneShapes(index);
    this.#events = new EventBatch((zoneId) => index.ordinalOf(zoneId) ?? Number.MAX_SAFE_INTEGER);
    this.#hours = visitHours(hoursOf, this.#events);
    this.#stepper = new VisitStepper(index, run.rules, this.#sink);
  }

  start(): VisitState {
    return { dwells: [], ledger: this.#run.ledger && newUnitLedger() };
  }

  step(state: VisitState, step: Step, unit: UnitView): void {
    this.compareZones(state, unit);
    stepVisits(this.#stepper, this.#run.ledger, state, step);
    const { from, to } = step;
    for (const dwell of state.dwells) {
      if (!dwell.lost) continue;
      dwell.lost = false;
      if (!dwell.exit) this.#events.gap('found', unit.id, dwell.zoneId, [from!.time, to.time]);
    }
    this.#emitEnters(state, unit);
    this.#events.endStep();
  }

  takeBack(state: VisitState, { intake: { placeTime, repeats } }: UnitView): void {
    const { dwells, ledger } = state;
    if (ledger !== null) takeBackMeasured(ledger, dwells);
    for (const dwell of dwells) takeBackRepeats(dwell, placeTime, repeats, this.#run.rules);
  }

  advance(state: VisitState, unit: UnitView): void {
    this.compareZones(state, unit);
    const { watermark, time } = unit.intake;
    if (watermark - time <= this.#run.rules.maxGapMs) return;
    for (const dwell of state.dwells) {
      if (!isAwaited(dwell)) continue;
      dwell.lost = true;
      this.#events.gap('lost', unit.id, dwell.zoneId, [time, null]);
    }
    this.#events.endStep();
  }

  wakeAt({ dwells }: VisitState, { intake }: UnitView): number {
    return dwells.some(isAwaited) ? intake.time + this.#run.rules.maxGapMs + 1 : Number.POSITIVE_INFINITY;
  }

  take(): readonly (VisitEvent | HoursEvent)[] {
    return this.#events.take();
  }

  /** Ends the visits of a unit in zones that were changed or removed. */
  compareZones(state: VisitState, unit: UnitView): void {
    this.#unitId = unit.id;
    this.#ledger = state.ledger;
    if (state.dwells.length === 0 || !this.changeZones(state, unit.intake, this.#sink)) return;
    this.#emitEnters(state, unit);
    this.#events.endStep();
  }

  /** Ends the dwells in zones that were changed or removed since the last fix. Returns whether there was one. */
  changeZones(state: VisitState, last: TimedPosition, sink: VisitSink): boolean {
    const { edits } = this.#shapes;
    if (edits !== undefined && edits === this.#compared.get(state)) return false;
    if (edits !== undefined) this.#compared.set(state, edits);
    const { index, rules, ledger } = this.#run;
    let inside: ReadonlySet<string> | null = null;
    const dwells: Dwell[] = [];
    for (const dwell of state.dwells) {
      const shape = this.#shapes.of(dwell.zoneId);
      if (shape === dwell.zoneShape || ((shape === '' || dwell.zoneShape === '') && shape !== null)) {
        dwells.push(dwell);
        continue;
      }
      if (state.ledger) ledger?.pause(state.ledger);
      atZoneChange(dwell, last.time, sink);
      inside ??= new Set(index.at([last.lon, last.lat]));
      const isInside = shape !== null && inside.has(dwell.zoneId);
      if (isInside) dwells.push(afterZoneChange(dwell.zoneId, last.time, rules));
    }
    state.dwells = dwells;
    return inside !== null;
  }

  #emitExit(visit: Visit, dwell: Dwell): void {
    if (!dwell.isEnterEmitted) this.#events.enter(this.#unitId, visit, this.#openAt(visit));
    this.#hours?.until(this.#unitId, dwell, visit.exit as number);
    this.#events.exit(this.#unitId, this.#run.ledger?.measured(this.#ledger!, visit, dwell) ?? visit);
  }

  #emitEnters({ dwells }: VisitState, { id }: UnitView): void {
    for (const dwell of dwells) {
      if (dwell.zoneShape === '') dwell.zoneShape = this.#shapes.of(dwell.zoneId) ?? '';
      if (!dwell.isEnterEmitted && dwell.confirmed && dwell.fixCount > 0) {
        dwell.isEnterEmitted = true;
        const { zoneId, enter, enterBounds } = dwell;
        const visit = { zoneId, enter, enterBounds, seen: 'inside', exit: null } as const;
        this.#events.enter(id, visit, this.#openAt(visit));
      }
      this.#hours?.follow(id, dwell);
    }
  }

  #openAt({ zoneId, enter }: Pick<Visit, 'zoneId' | 'enter'>): boolean | null {
    return this.#hours?.isOpen(zoneId, enter) ?? null;
  }
}

/** Collects the visits of one unit: ended ones, and open ones at the end. */
export class OpenVisits implements Analysis<VisitState, Visit> {
  readonly name = 'visits';
  readonly #run: VisitRun;
  readonly #zones: VisitAnalysis;
  readonly #visits: Visit[] = [];
  readonly #sink: VisitSink = {
    end: (visit, dwell) => this.#visits.push(this.#measured(visit, dwell)),
  };
  readonly #stepper: VisitStepper;
  #ledger: UnitLedger | null = null;
  #isCompared = false;

  constructor(run: VisitRun, zones: VisitAnalysis) {
    this.#run = run;
    this.#zones = zones;
    this.#stepper = new VisitStepper(run.index, run.rules, this.#sink);
  }

  start(): VisitState {
    return this.#zones.start();
  }

  step(state: VisitState, step: Step, unit: UnitView): void {
    this.#compareOnce(state, unit);
    stepVisits(this.#stepper, this.#run.ledger, state, step);
  }

  takeBack(state: VisitState, unit: UnitView): void {
    this.#compareOnce(state, unit);
    this.#zones.takeBack(state, unit);
  }

  finish(state: VisitState, unit: UnitView): void {
    this.#compareOnce(state, unit);
    if (state.ledger) this.#run.ledger?.pause(state.ledger);
    for (const dwell of state.dwells) {
      const open = atEnd(dwell);
      if (open) this.#sink.end(open, dwell);
    }
  }

  take(): readonly Visit[] {
    return this.#visits;
  }

  /** Zones were edited since the last fix, not after a waiting one. */
  #compareOnce(state: VisitState, { intake }: UnitView): void {
    if (this.#isCompared) return;
    this.#isCompared = true;
    this.#ledger = state.ledger;
    this.#zones.changeZones(state, intake, this.#sink);
  }

  #measured(visit: Visit, dwell: Dwell): Visit {
    return this.#run.ledger?.measured(this.#ledger!, visit, dwell) ?? visit;
  }
}

function isAwaited({ lost, isEnterEmitted, exit }: Dwell): boolean {
  return isEnterEmitted && !lost && !exit;
}

/** Applies a step to the dwells of a state, and measures them. `ledger`: null if visits are not measured. */
function stepVisits(
  stepper: VisitStepper,
  ledger: VisitLedger | null,
  state: VisitState,
  { from, to, blind }: Step,
): void {
  if (state.ledger) ledger?.begin(state.ledger, to, blind);
  if (from === null) state.dwells = stepper.start(to);
  else stepper.step(from, to, blind, state.dwells);
  if (state.dwells.length > 0) ledger?.end(state.dwells);
}

/** The hours of a tracker; null without `hoursOf`. Errors: `option-value`. */
function visitHours(hoursOf: unknown, events: EventBatch): VisitHours | null {
  if (hoursOf === undefined || hoursOf === null) return null;
  if (typeof hoursOf === 'function') return new VisitHours(hoursOf as HoursOf, events);
  throw inputError('option-value', 'options.hoursOf', 'a function', hoursOf);
}
