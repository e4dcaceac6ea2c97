/** Speeding of many units as their fixes come in: the stream's driver of `speedingMachine.ts`. */

import { inputError, WayzoneError } from '../../core/errors.js';
import type { Fix, Issue } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { checkOptions, pickOptions, valuesOf } from '../../core/options.js';
import type { UnitSettings } from '../../core/trackSettings.js';
import type { BlindCode } from '../blindStep.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { FixIntake, type StreamCounts } from '../fixIntake.js';
import type { CleanFix } from '../fixReader.js';
import { type GapRules, gapRules } from '../meter/gapRules.js';
import { type MeterSettings, meterRules } from '../meter/meterSettings.js';
import { StepMeter } from '../meter/stepMeter.js';
import { asCorrupt } from '../stateReader.js';
import { optionsFromJson, optionsToJson, readStreamRules, type StreamRules } from '../streamOptions.js';
import { openSnapshot, type StreamSnapshot } from '../streamSnapshot.js';
import { type PushOptions, StreamUnits, shareUnits } from '../streamUnits.js';
import { endRun, feedSpeeding } from './feedSpeeding.js';
import type { Speeding } from './speeding.js';
import { SpeedingMachine, type SpeedingRules, type SpeedingSink } from './speedingMachine.js';
import { readUnitSettings, unitLimit } from './speedingOptions.js';
import { copiedLimits, PUSH_OPTIONS, rulesOfUnit, SOURCES, type SpeedingPushOptions, type SpeedingSources, type SpeedingTrackerOptions, settingsFromJson, settingsToJson, TRACKER_DEFAULTS, TRACKER_OPTIONS, UNIT_ROWS } from './speedingTrackerOptions.js'; // biome-ignore format: one line
import { copyOfDriving, copyOfSpeedingUnit, newSpeedingUnit, type SpeedingUnit, speedingUnitFromJson, speedingUnitToJson, waits } from './speedingUnit.js'; // biome-ignore format: one line
import { type LimitSources, readLimit, SpeedLimits } from './speedLimits.js';

/** A beginning or end of speeding. Never revised after it was emitted. */
export interface SpeedingEvent {
  /** `begin`: the event has lasted `minSeconds`. `end`: it is over. */
  readonly type: 'begin' | 'end';
  /** Id of the unit. */
  readonly unitId: string;
  /** When it began or ended, epoch milliseconds. */
  readonly time: number;
  /** The complete event for an `end`; for a `begin` what is certain of it so far. */
  readonly speeding: Speeding;
}

/**
 * Follows many units and emits their speeding. The `end` events, with `current(unitId)`, are those of
 * `findSpeeding(readTrack(fixes), options)`.
 *
 * Time, lateness, counts and snapshots are those of `VisitTracker`. Events are final: a frozen receiver that is noticed
 * late changes only what was not emitted so far. A `begin` is emitted once the event has lasted
 * `minSeconds` and no speed in it waits for evidence. A speed waits where the fixes before it contradict it, or where there are none: for
 * the first fix at least 10 s later, or the gap that ends the run. `advance` does not decide it, and ends no event.
 *
 * `thresholdsOf` gives a unit a tolerance and a shortest duration of its own, which may change at any time. It changes no event that has begun
 * or ended before. `configure` gives a unit settings of its own; they travel in its snapshot, as the options do. Functions and the index do not: `restore`
 * takes them. Memory of a unit: its fixes of the last 10 s and the parts of its event.
 *
 * Errors: as `findSpeeding` and `VisitTracker`. Cost of a fix: as `findSpeeding`.
 *
 * @example
 * ```ts
 * import { SpeedingTracker } from 'wayzone/tracks';
 * const tracker = new SpeedingTracker({ limitKph: 90 });
 * const fix = (seconds, lat, speedKph) => ({ time: 1772438400000 + seconds * 1000, lon: 37.6, lat, speedKph });
 * tracker.push('truck', fix(0, 55.7, 80)).length; // 0
 * tracker.push('truck', fix(20, 55.705, 110)).map(({ type, time }) => [type, time]); // [['begin', 1772438406667]]
 * tracker.push('truck', fix(40, 55.71, 80)).map(({ type, speeding }) => [type, speeding.maxKph]); // [['end', 110]]
 * ```
 */
export class SpeedingTracker {
  readonly #settings: MeterSettings;
  readonly #limitKph: unknown;
  readonly #gaps: GapRules;
  readonly #trustSpeeds: boolean;
  readonly #rules: SpeedingRules;
  readonly #thresholdsOf: SpeedingSources['thresholdsOf'];
  readonly #limits: SpeedLimits;
  readonly #streamRules: StreamRules;
  readonly #units: StreamUnits<SpeedingUnit>;
  readonly #machine: SpeedingMachine;
  readonly #meter: StepMeter;
  /** Of units with settings of their own. */
  readonly #meters = new Map<string, StepMeter>();
  #unitId = '';
  #events: SpeedingEvent[] = [];

  constructor(options: SpeedingTrackerOptions) {
    checkRunOptions(options, TRACKER_OPTIONS);
    const values = valuesOf(options, TRACKER_OPTIONS);
    this.#settings = readUnitSettings(values.settings);
    this.#limitKph = values.limitKph ?? undefined;
    const unitKph = readLimit(values.limitKph, 'options.limitKph');
    this.#gaps = gapRules(values);
    this.#trustSpeeds = values.trustSpeeds;
    this.#rules = { toleranceKph: values.toleranceKph, minMs: values.minSeconds * 1000 };
    this.#thresholdsOf = readThresholds(values.thresholdsOf);
    this.#limits = new SpeedLimits(copiedLimits(values as LimitSources), values);
    this.#streamRules = readStreamRules(options);
    this.#meter = new StepMeter(meterRules(this.#settings, this.#gaps));
    this.#machine = new SpeedingMachine(this.#limits, this.#rules, {
      begin: (speeding) => this.#emit('begin', speeding),
      end: (speeding) => this.#emit('end', speeding),
    });
    const kind = {
      kind: 'speeding',
      create: newSpeedingUnit,
      toJson: (unit: SpeedingUnit): object => speedingUnitToJson(unit, settingsToJson),
      fromJson: (reader: Parameters<typeof speedingUnitFromJson>[0]): SpeedingUnit =>
        speedingUnitFromJson(reader, settingsFromJson),
      apply: (unit: SpeedingUnit, fix: CleanFix, blind: BlindCode): void => {
        this.#unitId = unit.id;
        this.#apply(this.#machine, unit, fix, blind);
      },
      takeBack,
    } as const;
    const { settings: _, index, zoneLimits, limitOf, limitKph: __, thresholdsOf: ___, ...plain } = values;
    const json = {
      ...plain,
      ...this.#settings,
      limitKph: unitKph,
      index: index !== undefined,
      zoneLimits: zoneLimits !== undefined,
      limitOf: limitOf !== undefined,
    };
    this.#units = new StreamUnits(kind, this.#streamRules, optionsToJson(json, TRACKER_DEFAULTS));
    shareUnits(this, this.#units);
  }

  /** Restores a tracker from a snapshot or its JSON text, with its options. `sources` are the functions and the index of before. */
  static restore(snapshot: StreamSnapshot | string, sources: SpeedingSources = {}): SpeedingTracker {
    checkOptions(sources, SOURCES, 'sources');
    const open = openSnapshot(snapshot, 'speeding');
    const { index, zoneLimits, limitOf, limitKph, ...options } = optionsFromJson(open.options);
    const had = { index, zoneLimits, limitOf };
    for (const name of ['index', 'zoneLimits', 'limitOf'] as const) {
      const has = guarded(`sources.${name}`, () => sources[name] !== undefined);
      if (has !== had[name]) {
        throw new WayzoneError(
          'option-value',
          `sources.${name}`,
          `expected ${had[name] ? 'the one' : 'none, as'} of the tracker that wrote the snapshot, received ${has ? 'one' : 'none'}`,
        );
      }
    }
    const limit = Number(limitKph) > 0 ? { limitKph } : {};
    // An unusable source is the caller's mistake, not one of the snapshot.
    const { thresholdsOf, ...limits } = pickOptions(sources, SOURCES);
    new SpeedLimits(limits as LimitSources, { overlap: 'lowest', combine: 'zone' });
    readThresholds(thresholdsOf);
    const tracker = withOptions(options, { ...limit, ...pickOptions(sources, SOURCES) });
    tracker.#units.load(open);
    return tracker;
  }

  /** Gives a unit settings of its own from its next fix on. `null` returns it to the settings of the tracker. */
  configure(unitId: string, settings: UnitSettings | null): void {
    const own = (settings ?? null) === null ? null : readUnitSettings(settings);
    this.#units.open(unitId).settings = own;
    this.#meters.delete(unitId);
  }

  /** Processes a fix and returns the new events. `limitKph` is the unit's own limit from this fix to its next one. */
  push(unitId: string, fix: Fix, options?: SpeedingPushOptions): readonly SpeedingEvent[] {
    let received: PushOptions | undefined;
    if (options !== undefined) {
      checkOptions(options, PUSH_OPTIONS);
      const { receivedAt, limitKph } = guarded('options', () => ({ ...options }));
      received = { receivedAt };
      if (limitKph !== undefined) this.#give(unitId, fix, readLimit(limitKph, 'options.limitKph'));
    }
    this.#units.push(unitId, fix, received);
    return this.#take();
  }

  /** Advances the clock to `time` (epoch ms): raises every unit's watermark to `time` − lateness. It judges no speed and ends no event. */
  advance(time: number): readonly SpeedingEvent[] {
    this.#units.advance(time, () => {});
    return this.#take();
  }

  /** Counts of the messages of one unit (zeros for an unknown one), or of all units. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /**
   * Why fixes were rejected, for one unit or for all units: for each reason an example with its field, the received value and what to do, sorted
   * by code. The examples are part of snapshots.
   */
  issues(unitId?: string): Issue[] {
    return this.#units.issues(unitId);
  }

  /** Events without an `end` event so far, as if the unit's track ended here. Waiting fixes count. */
  current(unitId: string): Speeding[] {
    const known = this.#units.get(unitId);
    if (known === null) return [];
    const unit = copyOfSpeedingUnit(known);
    const found: Speeding[] = [];
    const sink: SpeedingSink = { begin: () => {}, end: (speeding) => found.push(speeding) };
    const rules = rulesOfUnit(unitId, this.#rules, this.#thresholdsOf);
    const machine = new SpeedingMachine(this.#limits, rules, sink);
    const apply = (state: SpeedingUnit, fix: CleanFix, blind: BlindCode): void =>
      this.#apply(machine, state, fix, blind);
    new FixIntake<SpeedingUnit>(this.#streamRules, { apply, takeBack }).finish(unit);
    endRun(machine, unit, 'track');
    return found;
  }

  /** Removes a unit with its settings and waiting fixes; `false` if it is unknown. Its next fix begins a new track. */
  forget(unitId: string): boolean {
    this.#meters.delete(unitId);
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

  /** Keeps a limit until its fix is applied. Of fixes of one time the lowest limit counts. */
  #give(unitId: string, fix: Fix, limitKph: number): void {
    const unit = this.#units.open(unitId);
    const time = guarded('fix', () => Math.round(fix?.time));
    if (!Number.isFinite(time) || (unit.applied > 0 && time <= unit.time)) return;
    const { given } = unit;
    const other = given.get(time);
    const isHigher = other !== undefined && other >= 0 && (limitKph < 0 || limitKph > other);
    if (!isHigher || !waits(unit, time)) given.set(time, limitKph);
    if (given.size < 2 * (unit.pending?.size ?? 0) + 16) return;
    for (const key of given.keys()) if (key !== time && !waits(unit, key)) given.delete(key);
  }

  #apply(machine: SpeedingMachine, unit: SpeedingUnit, fix: CleanFix, blind: BlindCode): void {
    const { time } = fix;
    if (unit.applied === 0 || fix.lon !== unit.lon || fix.lat !== unit.lat) unit.atPlace = null;
    else if (unit.repeats === 0) unit.atPlace = copyOfDriving(unit);
    let unitKph = unit.given.get(time);
    for (const key of unit.given.keys()) if (key <= time) unit.given.delete(key);
    unitKph ??= unitLimit(this.#limitKph, unit.settings ?? this.#settings);
    machine.rules = rulesOfUnit(unit.id, this.#rules, this.#thresholdsOf);
    machine.hasReported = false;
    feedSpeeding(machine, this.#meterOf(unit), unit, fix, blind, unitKph, this.#trustSpeeds);
    if (machine.hasReported) unit.atPlace = null;
  }

  #meterOf(unit: SpeedingUnit): StepMeter {
    if (unit.settings === null) return this.#meter;
    let meter = this.#meters.get(unit.id);
    if (meter === undefined) {
      meter = new StepMeter(meterRules(unit.settings, this.#gaps));
      this.#meters.set(unit.id, meter);
    }
    return meter;
  }

  #emit(type: 'begin' | 'end', speeding: Speeding): void {
    const time = type === 'begin' ? speeding.from : speeding.to;
    this.#events.push({ type, unitId: this.#unitId, time, speeding });
  }

  #take(): readonly SpeedingEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Takes back all fixes at the last one's place but the first, unless an event was emitted since. */
function takeBack(unit: SpeedingUnit): void {
  Object.assign(unit, unit.atPlace);
  unit.atPlace = null;
}

const NONE: readonly SpeedingEvent[] = Object.freeze([]);

/** Errors: `option-type`. */
function readThresholds(given: unknown): SpeedingSources['thresholdsOf'] {
  if (given === undefined || typeof given === 'function') return given as SpeedingSources['thresholdsOf'];
  throw inputError('option-type', 'options.thresholdsOf', 'a function', given);
}

/** The tracker of a snapshot, which has the settings among the options. */
function withOptions(options: Record<string, unknown>, own: object): SpeedingTracker {
  const settings = pickOptions(options, UNIT_ROWS) as UnitSettings;
  const plain = pickOptions(options, TRACKER_OPTIONS);
  return asCorrupt(
    'snapshot',
    'a setting of a tracker',
    () => new SpeedingTracker({ ...plain, ...own, settings }),
  );
}
