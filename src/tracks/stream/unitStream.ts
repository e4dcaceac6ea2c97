/** Units whose fixes are read once: one intake for each unit, and the states of analyses beside each other. */

import { inputError } from '../../core/errors.js';
import type { Issue } from '../../core/fix.js';
import { guarded, MAX_TIME, readNumber } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { BlindCode } from '../blindStep.js';
import {
  advanceFor,
  BEFORE_ALL,
  copyOfIntake,
  countsOf,
  emptyIntake,
  FixIntake,
  type Intake,
  intakeOf,
  issuesOfUnits,
  type PlainIntake,
  plainIntake,
  releaseAt,
  type StreamCounts,
  sumCounts,
} from '../fixIntake.js';
import type { CleanFix } from '../fixReader.js';
import type { JsonOptions, StreamRules } from '../streamOptions.js';
import type { Analysis, Step, UnitView } from './analysis.js';
import { corrupt, plainCopy } from './sealed.js';

/** Options of `push`. */
export interface PushOptions {
  /** Time of receipt, epoch ms. Default: unknown, so that `maxAheadSeconds` applies. */
  readonly receivedAt?: number | undefined;
}

const PUSH_OPTIONS: OptionTable<PushOptions, 'receivedAt'> = { receivedAt: OWN };

/** A unit in memory. */
export interface Unit extends UnitView {
  settings: JsonOptions | null;
  readonly intake: Intake;
  /** The state of each analysis, by name. */
  readonly states: Record<string, object>;
}

/** A unit as plain JSON. */
export interface PlainUnit {
  readonly id: string;
  readonly settings: JsonOptions | null;
  readonly intake: PlainIntake;
  readonly states: Record<string, object>;
}

export class UnitStream {
  readonly #units = new Map<string, Unit>();
  readonly #rules: StreamRules;
  readonly #intake: FixIntake<Intake>;
  #analyses: readonly Analysis[];
  /** Unit whose fixes are read at present, and the analyses that take them. */
  #unit: Unit | null = null;
  #readers: readonly Analysis[];
  #clock = Number.NEGATIVE_INFINITY;
  readonly #step: { from: Step['from']; to: CleanFix | null; blind: BlindCode } = {
    from: null,
    to: null,
    blind: 0,
  };

  constructor(analyses: readonly Analysis[], rules: StreamRules) {
    this.#analyses = analyses;
    this.#readers = analyses;
    this.#rules = rules;
    this.#intake = new FixIntake<Intake>(rules, {
      apply: (intake, fix, blind) => this.#apply(intake, fix, blind),
      takeBack: () => this.#takeBack(),
    });
  }

  /** Time of the last `advance`; -Infinity before the first. */
  get clock(): number {
    return this.#clock;
  }

  get units(): Iterable<Unit> {
    return this.#units.values();
  }

  /** Takes a fix that was received at a time; `null`: unknown. */
  push(unitId: string, fix: unknown, receivedAt: number | null): void {
    const unit = this.open(unitId);
    this.#unit = unit;
    this.#beginStates(unit);
    this.#intake.push(unit.intake, fix, receivedAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Raises the clock and every unit's watermark. */
  advance(time: number): void {
    this.#clock = Math.max(this.#clock, readTime(time, 'time'));
    for (const unit of this.#units.values()) this.#advance(unit, this.#clock);
  }

  /** Raises the watermark of one unit. The stream keeps no clock of a unit. */
  advanceUnit(unitId: string, time: number): void {
    const unit = this.#units.get(unitId);
    if (unit !== undefined) this.#advance(unit, time);
  }

  #advance(unit: Unit, clock: number): void {
    this.#unit = unit;
    this.#intake.advance(unit.intake, clock);
    for (const analysis of this.#analyses) {
      const state = unit.states[analysis.name];
      if (state !== undefined) analysis.advance?.(state, unit);
    }
  }

  /** The unit, created if it is unknown. */
  open(unitId: string): Unit {
    return this.#units.get(unitId) ?? this.#begin(unitId);
  }

  get(unitId: string): Unit | null {
    return this.#units.get(unitId) ?? null;
  }

  /** Gives a unit settings of its own from its next fix on; null: those of the tracker. */
  configure(unitId: string, settings: unknown): void {
    const own =
      (settings ?? null) === null
        ? null
        : Object.assign({}, ...this.#analyses.map((analysis) => analysis.readSettings?.(settings)));
    const unit = this.open(unitId);
    unit.settings = own;
    this.#beginStates(unit);
  }

  counts(unitId: string | undefined): StreamCounts {
    if (unitId === undefined)
      return sumCounts([...this.#units.values()].map(({ intake }) => countsOf(intake)));
    const unit = this.#units.get(unitId);
    return unit ? countsOf(unit.intake) : sumCounts([]);
  }

  suspects(unitId: string | undefined): number {
    const units = unitId === undefined ? [...this.#units.values()] : [this.#units.get(unitId)];
    return units.reduce((sum, unit) => sum + (unit?.intake.suspects?.size ?? 0), 0);
  }

  issues(unitId: string | undefined): Issue[] {
    const units = unitId === undefined ? [...this.#units.values()] : [this.#units.get(unitId)];
    return issuesOfUnits(units.flatMap((unit) => unit?.intake ?? []));
  }

  /** Epoch milliseconds; -Infinity before the unit's first fix. */
  watermark(unitId: string): number {
    const watermark = this.#units.get(unitId)?.intake.watermark ?? BEFORE_ALL;
    return watermark < -MAX_TIME ? Number.NEGATIVE_INFINITY : watermark;
  }

  /** The earliest `advance` that may emit an event of the unit while no fix arrives and no zone is edited; null: none does. */
  wakeAt(unitId: string): number | null {
    const unit = this.#units.get(unitId);
    if (unit === undefined) return null;
    const { latenessMs } = this.#rules;
    let time = releaseAt(unit.intake, latenessMs);
    for (const analysis of this.#analyses) {
      const state = unit.states[analysis.name];
      if (state === undefined || analysis.wakeAt === undefined) continue;
      time = Math.min(time, advanceFor(unit.intake, analysis.wakeAt(state, unit), latenessMs));
    }
    return time === Number.POSITIVE_INFINITY ? null : time;
  }

  forget(unitId: string): boolean {
    return this.#units.delete(unitId);
  }

  /** Lets other analyses go on with the states of those of the same names. */
  exchange(analyses: readonly Analysis[]): void {
    this.#analyses = analyses;
    this.#readers = analyses;
  }

  /** Gives an analysis the rest of a unit's track as if it ended here: a copy of its state, which it returns, the waiting fixes, and the end. */
  lookAhead(unitId: string, analysis: Analysis): object | null {
    const unit = this.#units.get(unitId);
    const state = unit?.states[analysis.name];
    if (unit === undefined || state === undefined) return null;
    const ahead: Unit = {
      id: unitId,
      settings: unit.settings,
      intake: copyOfIntake(unit.intake),
      states: { [analysis.name]: plainCopy(state) },
    };
    this.#unit = ahead;
    this.#readers = [analysis];
    try {
      this.#intake.finish(ahead.intake);
    } finally {
      this.#readers = this.#analyses;
    }
    analysis.finish?.(ahead.states[analysis.name]!, ahead);
    return ahead.states[analysis.name]!;
  }

  /** A unit as plain JSON. It shares its settings and states with the unit: copy it, as `sealed` does, or give the unit away. */
  plain({ id, settings, intake, states }: Unit): PlainUnit {
    return { id, settings, intake: plainIntake(intake), states };
  }

  /** Follows a unit that `plain` wrote, and that nobody else holds. An analysis without a state begins with its next fix. */
  adopt({ id, settings, intake: plain, states }: PlainUnit): void {
    const intake = readIntake(plain);
    intake.watermark = Math.max(intake.watermark, this.#clock - this.#rules.latenessMs);
    const unit: Unit = { id, settings, intake, states };
    this.#startStates(unit);
    this.#units.set(id, unit);
  }

  /** Begins a unit with the settings and the analyses of one of another stream. */
  openLike({ id, settings, states }: Unit): void {
    const unit = this.open(id);
    unit.settings = settings;
    for (const analysis of this.#analyses)
      if (states[analysis.name] !== undefined) unit.states[analysis.name] ??= analysis.start();
  }

  /** The units of a snapshot with the clock of another stream. */
  resume(clock: number, units: readonly PlainUnit[]): void {
    this.#clock = clock;
    this.adoptAll(units);
  }

  /** Errors: `state-corrupt`, `unit-known`, `limit-units`. */
  adoptAll(units: readonly PlainUnit[]): void {
    const ids = new Set(units.map(({ id }) => id));
    if (ids.size < units.length) throw corrupt('snapshot.units', 'each unit once', units.length - ids.size);
    for (const id of ids)
      if (this.#units.has(id)) throw inputError('unit-known', 'snapshot.units', 'units not followed yet', id);
    this.#checkRoom(units.length);
    for (const unit of units) this.adopt(unit);
  }

  #apply(intake: Intake, fix: CleanFix, blind: BlindCode): void {
    const unit = this.#unit!;
    const step = this.#step;
    step.from = intake.applied > 0 ? intake : null;
    step.to = fix;
    step.blind = blind;
    for (const analysis of this.#readers) {
      const state = unit.states[analysis.name];
      if (state !== undefined) analysis.step(state, step as Parameters<Analysis['step']>[1], unit);
    }
  }

  #takeBack(): void {
    const unit = this.#unit!;
    for (const analysis of this.#readers) {
      const state = unit.states[analysis.name];
      if (state !== undefined) analysis.takeBack(state, unit);
    }
  }

  #begin(unitId: unknown): Unit {
    if (typeof unitId !== 'string') throw inputError('unit-id', 'unitId', 'a text', unitId);
    this.#checkRoom(1);
    const intake = emptyIntake(this.#clock - this.#rules.latenessMs);
    const unit: Unit = { id: unitId, settings: null, intake, states: {} };
    this.#startStates(unit);
    this.#units.set(unitId, unit);
    return unit;
  }

  /** Starts the analyses that follow every unit. */
  #startStates(unit: Unit): void {
    for (const analysis of this.#analyses)
      if (analysis.begins === undefined) unit.states[analysis.name] ??= analysis.start();
  }

  /** Starts the analyses that follow the unit from now on. */
  #beginStates(unit: Unit): void {
    for (const analysis of this.#analyses)
      if (analysis.begins?.(unit) === true) unit.states[analysis.name] ??= analysis.start();
  }

  #checkRoom(more: number): void {
    const count = this.#units.size + more;
    if (count > this.#rules.maxUnits)
      throw inputError('limit-units', 'unitId', `at most ${this.#rules.maxUnits} units`, count);
  }
}

/** When the fix was received; `null` if unknown. */
export function readReceivedAt(options: unknown): number | null {
  if (options === undefined) return null;
  checkOptions(options, PUSH_OPTIONS);
  const receivedAt = guarded('options.receivedAt', () => (options as PushOptions).receivedAt);
  return receivedAt === undefined ? null : readTime(receivedAt, 'options.receivedAt');
}

/** Whole epoch milliseconds, or `option-value`. */
export function readTime(value: unknown, field: string): number {
  return Math.round(readNumber(value, field, 'option-value', -MAX_TIME, MAX_TIME)) + 0;
}

/** The intake of a plain form. Error: `state-corrupt` for a form that `plain` did not write. */
function readIntake(plain: PlainUnit['intake']): Intake {
  try {
    return intakeOf(plain);
  } catch (cause) {
    throw corrupt('snapshot.units', 'the waiting fixes of a unit', String(cause));
  }
}
