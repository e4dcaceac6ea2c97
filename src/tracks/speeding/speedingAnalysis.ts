/** The speeding of a unit as an analysis: its fixes in evidence, the event under way, and the events that are emitted. */

import { firstWhere } from '../../core/numbers.js';
import { type LastZones, noLastZones } from '../ledger/stepZones.js';
import type { GapRules } from '../meter/gapRules.js';
import { type MeterSettings, meterRules } from '../meter/meterSettings.js';
import { noMeterState, StepMeter } from '../meter/stepMeter.js';
import type { Analysis, Step, UnitView } from '../stream/analysis.js';
import { type JsonOptions, optionsFromJson, othersToJson } from '../streamOptions.js';
import { copyOfDriving, type Driving, endRun, feedSpeeding, type SpeedFeed } from './feedSpeeding.js';
import type { Speeding } from './speeding.js';
import { SpeedingMachine, type SpeedingRules } from './speedingMachine.js';
import {
  readUnitSettings,
  rulesOfUnit,
  type SpeedingSources,
  UNIT_DEFAULTS,
  unitLimit,
} from './speedingOptions.js';
import type { SpeedLimits } from './speedLimits.js';

/** A beginning or end of speeding. Never revised after it was emitted. */
export interface SpeedingEvent {
  /** `begin`: the event has lasted `minSeconds`. `end`: the event is over. */
  readonly type: 'begin' | 'end';
  /** Id of the unit. */
  readonly unitId: string;
  /** Time of the begin or end, epoch milliseconds. */
  readonly time: number;
  /** For an `end` the complete event, for a `begin` its part that is certain so far. */
  readonly speeding: Speeding;
}

/** The speeding of a unit. Plain JSON. */
export interface SpeedingState {
  driving: Driving;
  /** `driving` at the first of the fixes at the last one's place, as long as no event was emitted since; null if there is only one. */
  atPlace: Driving | null;
  /** Limits that came with fixes that are not applied yet, in order of time. */
  given: GivenLimit[];
}

/** A limit from the fix of a time on: km/h, -1 for none, null for `Infinity`. */
interface GivenLimit {
  readonly time: number;
  limitKph: number | null;
}

/** Limits and rules by which speeding is found. */
export interface SpeedingRun {
  /** Of units without settings of their own. */
  readonly settings: MeterSettings;
  /** The option, which goes before the setting of a unit. */
  readonly limitKph: unknown;
  readonly gaps: GapRules;
  readonly trustSpeeds: boolean;
  readonly rules: SpeedingRules;
  readonly thresholdsOf: SpeedingSources['thresholdsOf'];
  readonly limits: SpeedLimits;
  /** Whether a unit is followed from its next fix on. Default: from its first one on. */
  readonly begins?: (unit: UnitView) => boolean;
}

/** Rules that follow from the settings of a unit. */
interface OfSettings {
  readonly meter: StepMeter;
  readonly unitKph: number;
}

export class SpeedingAnalysis implements Analysis<SpeedingState, SpeedingEvent> {
  readonly name = 'speeding';
  readonly begins?: (unit: UnitView) => boolean;
  readonly #run: SpeedingRun;
  readonly #feed: SpeedFeed;
  readonly #common: OfSettings;
  readonly #own = new WeakMap<JsonOptions, OfSettings>();
  /** The zones at a unit's last fix, which save queries where zones have limits. */
  readonly #lastZones = new WeakMap<SpeedingState, LastZones>();
  #unitId = '';
  #events: SpeedingEvent[] = [];

  constructor(run: SpeedingRun) {
    this.#run = run;
    if (run.begins !== undefined) this.begins = run.begins;
    this.#common = this.#bySettings(run.settings);
    const machine = new SpeedingMachine(run.limits, run.rules, {
      begin: (speeding) => this.#emit('begin', speeding),
      end: (speeding) => this.#emit('end', speeding),
    });
    this.#feed = { machine, trustSpeeds: run.trustSpeeds, zones: noLastZones(), spare: null };
  }

  start(): SpeedingState {
    return { driving: noDriving(), atPlace: null, given: [] };
  }

  step(state: SpeedingState, { from, to, blind }: Step, unit: UnitView): void {
    const { machine } = this.#feedFor(state, unit);
    if (from === null || to.lon !== from.lon || to.lat !== from.lat) state.atPlace = null;
    else if (unit.intake.repeats === 0) state.atPlace = copyOfDriving(state.driving);
    const { meter, unitKph } = this.#settingsOf(unit);
    const limitKph = takeGiven(state, to.time) ?? unitKph;
    machine.hasReported = false;
    feedSpeeding(this.#feed, meter, state.driving, to, blind, limitKph);
    // Changes by fixes at one place can be taken back until an event was emitted.
    if (machine.hasReported) state.atPlace = null;
  }

  takeBack(state: SpeedingState): void {
    if (state.atPlace !== null) state.driving = state.atPlace;
    state.atPlace = null;
  }

  finish(state: SpeedingState, unit: UnitView): void {
    endRun(this.#feedFor(state, unit), state.driving, 'track');
  }

  readSettings(settings: unknown): JsonOptions {
    return othersToJson(readUnitSettings(settings), UNIT_DEFAULTS);
  }

  take(): readonly SpeedingEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Keeps a limit until the fix of its time is applied. Of fixes of one time the lowest limit counts. */
  give({ given }: SpeedingState, { intake }: UnitView, time: number, limitKph: number): void {
    if (intake.applied > 0 && time <= intake.time) return;
    const i = firstWhere(0, given.length, (k) => given[k]!.time >= time);
    const there = given[i]?.time === time ? given[i] : undefined;
    const json = limitKph === Number.POSITIVE_INFINITY ? null : limitKph;
    if (there === undefined) given.splice(i, 0, { time, limitKph: json });
    else if (!isHigher(limitKph, limitOf(there)) || !waits(intake, time)) there.limitKph = json;
    if (given.length < 2 * (intake.pending?.size ?? 0) + 16) return;
    const waiting = given.filter((one) => one.time === time || waits(intake, one.time));
    given.splice(0, given.length, ...waiting);
  }

  #zonesOf(state: SpeedingState): LastZones {
    let zones = this.#lastZones.get(state);
    if (zones === undefined) {
      zones = noLastZones();
      this.#lastZones.set(state, zones);
    }
    return zones;
  }

  /** The feed for a unit; from now on its events are emitted. */
  #feedFor(state: SpeedingState, { id }: UnitView): SpeedFeed {
    const { rules, thresholdsOf, limits } = this.#run;
    this.#unitId = id;
    this.#feed.machine.rules = rulesOfUnit(id, rules, thresholdsOf);
    if (limits.hasZones) this.#feed.zones = this.#zonesOf(state);
    return this.#feed;
  }

  #settingsOf({ settings }: UnitView): OfSettings {
    if (settings === null) return this.#common;
    let own = this.#own.get(settings);
    if (own === undefined) {
      own = this.#bySettings({ ...UNIT_DEFAULTS, ...optionsFromJson(settings) });
      this.#own.set(settings, own);
    }
    return own;
  }

  #bySettings(settings: MeterSettings): OfSettings {
    const { gaps, limitKph } = this.#run;
    return { meter: new StepMeter(meterRules(settings, gaps)), unitKph: unitLimit(limitKph, settings) };
  }

  #emit(type: 'begin' | 'end', speeding: Speeding): void {
    const time = type === 'begin' ? speeding.from : speeding.to;
    this.#events.push({ type, unitId: this.#unitId, time, speeding });
  }
}

const NONE: readonly SpeedingEvent[] = Object.freeze([]);

function noDriving(): Driving {
  return { meter: noMeterState(), fixes: [], judgedCount: 0, open: null };
}

/** The limit that came with the fix of a time. Those up to it are not needed any more. */
function takeGiven({ given }: SpeedingState, time: number): number | null {
  if (given.length === 0) return null;
  const passed = firstWhere(0, given.length, (k) => given[k]!.time > time);
  const last = given[passed - 1];
  given.splice(0, passed);
  return last?.time === time ? limitOf(last) : null;
}

function limitOf({ limitKph }: GivenLimit): number {
  return limitKph ?? Number.POSITIVE_INFINITY;
}

function isHigher(limitKph: number, other: number): boolean {
  return other >= 0 && (limitKph < 0 || limitKph > other);
}

/** Whether a fix of this time waits in the intake. */
function waits({ ahead, pending, suspects }: UnitView['intake'], time: number): boolean {
  if (ahead?.time === time || pending?.at(time) !== undefined) return true;
  return suspects?.toArray().some((fix) => fix.time === time) ?? false;
}
