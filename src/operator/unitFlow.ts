/** One unit while a message is applied: trackers, runs and outputs. */

import type { Fix } from '../core/fix.js';
import type { UnitSettings } from '../core/trackSettings.js';
import {
  type CleanFix,
  comparePreference,
  copyOfClean,
  FixReader,
  type FixRules,
} from '../tracks/fixReader.js';
import { otherUnitOf } from './chargesOf.js';
import { type FollowedRuns, openRuns, type RunKind } from './followedRuns.js';
import type { OperatorPlaces, OperatorSettings } from './operatorOptions.js';
import type { ReadMessage } from './readMessage.js';
import type { Moment, RunPart, RunWindows, UnitScope } from './runWindows.js';
import type { TrackedEvent } from './unitAnalyses.js';
import type { RebuildDemand } from './unitMessage.js';
import { eventsOfPart, type UnitEvents, type UnitOutput, type UnitPart } from './unitOutput.js';
import { RUN_KINDS, TRACKED_PARTS } from './unitParts.js';
import { type OpenUnitState, unitFields, unitOfState } from './unitState.js';
import { UnitTrackers } from './unitTrackers.js';

type RebuildInput = Extract<ReadMessage['input'], { kind: 'rebuild' }>;

export interface FlowScope extends OperatorSettings {
  readonly unitId: string;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
}

/** The fields of a unit's state that messages change. */
type FlowState = Omit<OpenUnitState, 'unitId' | 'zonesVersion' | 'options'>;

/** Applies one message to one unit; afterwards it has the outputs and the new state. */
export class UnitFlow {
  readonly outputs: UnitOutput[] = [];
  readonly #given: FlowScope;
  readonly #trackers: UnitTrackers;
  #runs: readonly FollowedRuns<RunPart>[];
  /** Number of the unit's outputs before the message. */
  readonly #before: number;
  /** The demand for a longer history, after a `rebuild` message whose history was too short; else `null`. */
  #earlier: RebuildDemand | null = null;

  /** `known`: the state before the message; `null` for a new unit. */
  constructor(given: FlowScope, known: OpenUnitState | null) {
    const { places, options } = given;
    this.#given = given;
    this.#trackers = new UnitTrackers(places, options, known?.clock ?? Number.NEGATIVE_INFINITY);
    const unit = known === null ? null : unitOfState(known, TRACKED_PARTS);
    if (unit !== null) this.#trackers.adopt(unit, known!.lateFrom, null);
    this.#before = known?.outputs ?? 0;
    const opened = this.#scope();
    const kinds = Object.values(RUN_KINDS) as readonly RunKind<RunPart>[];
    this.#runs = kinds.map((kind) => openRuns(kind, opened, known?.parts[kind.name] ?? null));
  }

  get demand(): RebuildDemand | null {
    const { unitId } = this.#given;
    if (this.#earlier !== null) return this.#earlier;
    if (this.#trackers.lateFrom(unitId) !== null)
      return { of: 'all', from: this.#trackers.demandFrom(unitId, this.#runsFrom()) };
    return this.#runs.map(({ demand }) => demand).find((one) => one !== null) ?? null;
  }

  get wakeAt(): number | null {
    const reached = this.#reached();
    const ofRuns = this.#runs.map((runs) => runs.wakeAt(reached));
    const times = [this.#trackers.wakeAt(this.#given.unitId), ...ofRuns].filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  push(fix: Fix, receivedAt: number | undefined): void {
    const { unitId } = this.#given;
    if (otherUnitOf(fix, unitId) !== null) {
      for (const runs of this.#runs) this.#emit(runs.name, runs.take(fix, receivedAt, this.#reached()));
      return;
    }
    const before = this.#reached();
    const late = this.#trackers.lateCount(unitId);
    this.#emitAll(this.#trackers.push(unitId, fix, receivedAt));
    if (this.#trackers.lateCount(unitId) > late) return;
    const moment: Moment = { before, reached: this.#reached() };
    for (const runs of this.#runs) this.#emit(runs.name, runs.push(fix, receivedAt, moment));
  }

  advance(time: number): void {
    const before = this.#reached();
    const moment: Moment = { before, reached: Math.max(before, time) };
    this.#emitAll(this.#trackers.advance(time));
    for (const runs of this.#runs) this.#emit(runs.name, runs.advance(moment));
  }

  /** Ends the visits in zones that changed. */
  compareZones(): void {
    this.#emitAll(this.#trackers.compareZones(this.#given.unitId));
  }

  configure(settings: UnitSettings | null): void {
    this.#trackers.configure(this.#given.unitId, settings);
  }

  rebuild({ of, from, fixes: given, outputs, receivedAt }: RebuildInput): void {
    const { unitId, fixRules } = this.#given;
    const fixes = inTrackOrder(given, fixRules);
    const events = outputs.map(({ event }) => event);
    let lateFrom: number | null = null;
    if (of === 'trips' && from !== null && this.#runsFrom() < from) return;
    if (of === 'all') {
      // Without a late fix, only the whole history can contain more than the state.
      if (from !== null && this.#trackers.lateFrom(unitId) === null) return;
      const span = this.#trackers.span(unitId, { from, events }, this.#runsFrom());
      if ('demand' in span) {
        this.#earlier = { of, from: span.demand };
        return;
      }
      lateFrom = this.#trackers.lateFrom(unitId) ?? Number.NEGATIVE_INFINITY;
      const own = fixes.filter((fix) => otherUnitOf(fix, unitId) === null);
      const steps = this.#trackers.rebuild(unitId, span, { from, events, fixes: own, receivedAt });
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      this.#emitAll(step.value);
    }
    const present = this.#scope();
    this.#runs = this.#runs.map((runs) => {
      const history = { fixes, lateFrom, receivedAt, events: eventsOfPart(runs.name, events) };
      const rebuilt = runs.rebuild(present, history);
      this.#emit(runs.name, rebuilt.events);
      return rebuilt.follower;
    });
  }

  /** The fields of the state that messages change. */
  state(): FlowState {
    const { unitId } = this.#given;
    const own = unitFields(this.#trackers.state(unitId));
    const parts: Partial<Record<UnitPart, object>> = { ...own.parts };
    for (const runs of this.#runs) {
      const state = runs.state();
      if (state !== null) parts[runs.name] = state;
    }
    const { clock } = this.#trackers;
    return {
      clock: Number.isFinite(clock) ? clock : null,
      outputs: this.#before + this.outputs.length,
      lateFrom: this.#trackers.lateFrom(unitId),
      ...own,
      parts,
    };
  }

  #emit(of: UnitPart, events: readonly UnitEvents[UnitPart][]): void {
    const { unitId } = this.#given;
    for (const event of events) {
      const number = this.#before + this.outputs.length + 1;
      this.outputs.push({ unitId, number, of, event } as UnitOutput);
    }
  }

  #emitAll(events: readonly TrackedEvent[]): void {
    for (const { of, event } of events) this.#emit(of, [event]);
  }

  #reached(): number {
    const { unitId, latenessMs } = this.#given;
    return Math.max(this.#trackers.clock, this.#trackers.watermark(unitId) + latenessMs);
  }

  #scope(): UnitScope {
    const { unitId, options, latenessMs, places, windows } = this.#given;
    return { unitId, options, latenessMs, places, windows, reached: this.#reached() };
  }

  /** Start of the fixes of the waiting runs and of the runs that late fixes change, epoch milliseconds. */
  #runsFrom(): number {
    const late = this.#trackers.lateFrom(this.#given.unitId) ?? Number.POSITIVE_INFINITY;
    return Math.min(...this.#runs.flatMap((runs) => [runs.demand?.from ?? late, runs.spanFrom(late)]));
  }
}

/** Rejected fixes first, then by time; at one time the preferred fix first, because a stream without lateness keeps the first one. */
export function inTrackOrder(fixes: readonly Fix[], rules: FixRules): Fix[] {
  const reader = new FixReader(rules);
  const read = fixes.map((fix) => ({ fix, clean: reader.read(fix) === null ? copyOfClean(reader) : null }));
  return read
    .sort((a, b) => timeOf(a.clean) - timeOf(b.clean) || preference(a.clean, b.clean))
    .map(({ fix }) => fix);
}

function timeOf(clean: CleanFix | null): number {
  return clean?.time ?? -Number.MAX_VALUE;
}

function preference(a: CleanFix | null, b: CleanFix | null): number {
  return a === null || b === null ? 0 : comparePreference(a, b);
}
