/** The units of a stream, its clock and its snapshot. */

import { inputError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import { guarded, MAX_TIME, readNumber } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import {
  countsOf,
  type FixConsumer,
  FixIntake,
  type Intake,
  issuesOfUnits,
  type StreamCounts,
  sumCounts,
} from './fixIntake.js';
import { corrupt, type StateReader } from './stateReader.js';
import type { JsonOptions, StreamRules } from './streamOptions.js';
import {
  checkSeal,
  type OpenSnapshot,
  openSnapshot,
  SNAPSHOT_VERSION,
  type StreamSnapshot,
  sealSnapshot,
} from './streamSnapshot.js';

export interface StreamUnit extends Intake {
  readonly id: string;
}

/** A unit of a snapshot of this version. */
export interface UnsealedUnit {
  readonly version: number;
  readonly unit: object;
}

/** What a tracker adds to a unit. */
export interface UnitKind<Unit extends StreamUnit> extends FixConsumer<Unit> {
  readonly kind: StreamSnapshot['kind'];
  create(id: string, watermark: number): Unit;
  toJson(unit: Unit): object;
  fromJson(reader: StateReader): Unit;
}

/** Options of `push`. */
export interface PushOptions {
  /** Epoch ms: when the fix was received. Default: unknown; `maxAheadSeconds` then applies. */
  readonly receivedAt?: number | undefined;
}

const PUSH_OPTIONS: OptionTable<PushOptions, 'receivedAt'> = { receivedAt: OWN };

export class StreamUnits<Unit extends StreamUnit> {
  readonly #units = new Map<string, Unit>();
  readonly #kind: UnitKind<Unit>;
  readonly #rules: StreamRules;
  readonly #options: JsonOptions;
  readonly #intake: FixIntake<Unit>;
  #clock = Number.NEGATIVE_INFINITY;

  constructor(kind: UnitKind<Unit>, rules: StreamRules, options: JsonOptions) {
    this.#kind = kind;
    this.#rules = rules;
    this.#options = options;
    this.#intake = new FixIntake(rules, kind);
  }

  push(unitId: string, fix: unknown, options: PushOptions | undefined): void {
    const receivedAt = readReceivedAt(options);
    const unit = this.open(unitId);
    this.#intake.push(unit, fix, receivedAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Raises the clock and every unit's watermark, then calls `after` for each unit. */
  advance(time: number, after: (unit: Unit) => void): void {
    this.#clock = Math.max(this.#clock, readTime(time, 'time'));
    for (const unit of this.#units.values()) {
      this.#intake.advance(unit, this.#clock);
      after(unit);
    }
  }

  /** The unit, created if it is unknown. */
  open(unitId: string): Unit {
    return this.#units.get(unitId) ?? this.#begin(unitId);
  }

  get(unitId: string): Unit | null {
    return this.#units.get(unitId) ?? null;
  }

  counts(unitId: string | undefined): StreamCounts {
    if (unitId === undefined) return sumCounts([...this.#units.values()].map(countsOf));
    const unit = this.#units.get(unitId);
    return unit ? countsOf(unit) : sumCounts([]);
  }

  suspects(unitId: string | undefined): number {
    const units = unitId === undefined ? [...this.#units.values()] : [this.#units.get(unitId)];
    return units.reduce((sum, unit) => sum + (unit?.suspects?.size ?? 0), 0);
  }

  issues(unitId: string | undefined): Issue[] {
    if (unitId === undefined) return issuesOfUnits(this.#units.values());
    const unit = this.#units.get(unitId);
    return unit ? issuesOfUnits([unit]) : [];
  }

  forget(unitId: string): boolean {
    return this.#units.delete(unitId);
  }

  snapshot(unitId: string | undefined): StreamSnapshot {
    const one = unitId === undefined ? null : this.#units.get(unitId);
    const units = one === null ? [...this.#units.values()] : one ? [one] : [];
    return this.#seal(this.#clock, units);
  }

  /** The unit as a snapshot has it, without a checksum, whose computation costs more than the rest; `null` if it is unknown. */
  unitState(unitId: string): UnsealedUnit | null {
    const unit = this.#units.get(unitId);
    return unit === undefined ? null : { version: SNAPSHOT_VERSION, unit: this.#kind.toJson(unit) };
  }

  /** Restores the units of a snapshot, by whose options this tracker was made. It may be from before some options, which have their defaults. */
  load(open: OpenSnapshot): void {
    const stored = Object.entries(this.#options).filter(([name]) => Object.hasOwn(open.options, name));
    if (!equalOptions(Object.fromEntries(stored), open.options)) {
      throw corrupt('snapshot.options', 'options of a tracker', JSON.stringify(open.options));
    }
    this.#clock = open.clock;
    this.#take(open, Object.fromEntries(stored));
  }

  /** Adds the units of another tracker with the same options. */
  adopt(snapshot: unknown): void {
    const open = openSnapshot(snapshot, this.#kind.kind);
    if (!equalOptions(this.#options, open.options)) {
      throw inputError(
        'state-options',
        'snapshot.options',
        `the options ${JSON.stringify(this.#options)}`,
        JSON.stringify(open.options),
      );
    }
    this.#take(open, this.#options);
  }

  #take(open: OpenSnapshot, options: JsonOptions): void {
    const units = open.units.map((reader) => this.#kind.fromJson(reader));
    if (open.checksum !== null) checkSeal(open.checksum, this.#seal(open.clock, units, options));
    const ids = new Set(units.map(({ id }) => id));
    if (ids.size < units.length) throw corrupt('snapshot.units', 'each unit once', units.length - ids.size);
    for (const id of ids) {
      if (this.#units.has(id)) {
        throw inputError('unit-known', 'snapshot.units', 'units not followed yet', id);
      }
    }
    this.#checkRoom(units.length);
    for (const unit of units) {
      unit.watermark = Math.max(unit.watermark, this.#clock - this.#rules.latenessMs);
      this.#units.set(unit.id, unit);
    }
  }

  #seal(clock: number, units: readonly Unit[], options: JsonOptions = this.#options): StreamSnapshot {
    return sealSnapshot(
      this.#kind.kind,
      options,
      clock,
      units.map((unit) => this.#kind.toJson(unit)),
    );
  }

  #begin(unitId: unknown): Unit {
    if (typeof unitId !== 'string') {
      throw inputError('unit-id', 'unitId', 'a text', unitId);
    }
    this.#checkRoom(1);
    const unit = this.#kind.create(unitId, this.#clock - this.#rules.latenessMs);
    this.#units.set(unitId, unit);
    return unit;
  }

  #checkRoom(more: number): void {
    const count = this.#units.size + more;
    if (count > this.#rules.maxUnits) {
      throw inputError('limit-units', 'unitId', `at most ${this.#rules.maxUnits} units`, count);
    }
  }
}

function equalOptions(own: JsonOptions, options: JsonOptions): boolean {
  const entries = Object.entries(own);
  return (
    entries.length === Object.keys(options).length &&
    entries.every(([name, value]) => options[name] === value)
  );
}

const UNITS = new WeakMap<object, Pick<StreamUnits<StreamUnit>, 'unitState'>>();

/** Lets `unitStateOf` read the units of a tracker. */
export function shareUnits(tracker: object, units: Pick<StreamUnits<StreamUnit>, 'unitState'>): void {
  UNITS.set(tracker, units);
}

/** A tracker's unit as a snapshot has it, without a checksum; `null` if it is unknown. */
export function unitStateOf(tracker: object, unitId: string): UnsealedUnit | null {
  return UNITS.get(tracker)?.unitState(unitId) ?? null;
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
