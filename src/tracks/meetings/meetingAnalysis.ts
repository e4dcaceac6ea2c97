/** The meetings of watched pairs of units as an analysis of the first unit of each pair. */

import { type BlindCode, SEEN } from '../blindStep.js';
import type { CleanFix } from '../fixReader.js';
import type { Analysis, Step, UnitView } from '../stream/analysis.js';
import type { Meeting } from './meeting.js';
import type { PairFix } from './pairFix.js';
import { drain, type MeetingSink, newPair, type PairJudge, type PairState } from './pairMachine.js';

/** A meeting of two watched units. */
export interface PairMeeting {
  /** The pair, in the order of `watch`. */
  readonly units: readonly [string, string];
  /** The meeting; its `end` is `track` while it lasts. */
  readonly meeting: Meeting;
}

/** A meeting begins or ends. Never revised after it was emitted. */
export interface MeetingEvent extends PairMeeting {
  /** `together`: a meeting has lasted `minSeconds`. `apart`: the meeting is over. */
  readonly type: 'together' | 'apart';
  /** `from` of the meeting for `together`, its `to` for `apart`. */
  readonly time: number;
}

/** The pairs of which a unit is the first, by the second. Plain JSON. */
export interface MeetingState {
  readonly pairs: Record<string, PairState>;
}

export class MeetingAnalysis implements Analysis<MeetingState, MeetingEvent> {
  readonly name = 'meetings';
  readonly #judge: PairJudge;
  readonly #stateOf: (unitId: string) => MeetingState;
  /** The pairs of each unit: its first and its second units. */
  readonly #partners = new Map<string, Set<string>>();
  #events: MeetingEvent[] = [];

  /** `stateOf`: the state of a watched unit. */
  constructor(judge: PairJudge, stateOf: (unitId: string) => MeetingState) {
    this.#judge = judge;
    this.#stateOf = stateOf;
  }

  /** The units of watched pairs. */
  get watched(): Iterable<string> {
    return this.#partners.keys();
  }

  isWatched(a: string, b: string): boolean {
    return this.#partners.get(a)?.has(b) === true;
  }

  /** Begins a pair of two units with a state. */
  watch(a: UnitView, b: UnitView): void {
    const pair = newPair();
    addLast(pair.a, a);
    addLast(pair.b, b);
    this.#stateOf(a.id).pairs[b.id] = pair;
    this.link(a.id, b.id);
  }

  /** Goes on with a pair of a stored state. */
  link(a: string, b: string): void {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const partners = this.#partners.get(first) ?? new Set();
      this.#partners.set(first, partners.add(second));
    }
  }

  unwatch(a: string, b: string): void {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      this.#partners.get(first)!.delete(second);
      delete this.#stateOf(first).pairs[second];
    }
  }

  /** Ends all pairs of a unit. */
  forget(unitId: string): void {
    for (const other of this.#partners.get(unitId) ?? []) this.unwatch(unitId, other);
    this.#partners.delete(unitId);
  }

  start(): MeetingState {
    return { pairs: {} };
  }

  step(_: MeetingState, { to, blind }: Step, { id }: UnitView): void {
    const at = pairFix(to, blind);
    for (const other of this.#partners.get(id) ?? []) {
      const { pair, first } = this.#pairOf(id, other);
      if (first === id) pair.a.push(at);
      if (first !== id || other === id) pair.b.push(at);
      drain(pair, this.#judge, this.#sinkOf(first, first === id ? other : id));
    }
  }

  /** Drops the frozen fixes that no pair has judged so far. */
  takeBack(_: MeetingState, { id, intake: { placeTime } }: UnitView): void {
    const isKept = ({ time }: PairFix, i: number): boolean => i === 0 || time <= placeTime;
    for (const other of this.#partners.get(id) ?? []) {
      const { pair, first } = this.#pairOf(id, other);
      if (first === id) pair.a = pair.a.filter(isKept);
      if (first !== id || other === id) pair.b = pair.b.filter(isKept);
    }
  }

  take(): readonly MeetingEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The pair of two units, and the first of them. */
  #pairOf(id: string, other: string): { readonly pair: PairState; readonly first: string } {
    const { pairs } = this.#stateOf(id);
    if (Object.hasOwn(pairs, other)) return { pair: pairs[other]!, first: id };
    return { pair: this.#stateOf(other).pairs[id]!, first: other };
  }

  #sinkOf(a: string, b: string): MeetingSink {
    const units: readonly [string, string] = [a, b];
    return {
      together: (meeting) => this.#events.push({ type: 'together', units, time: meeting.from, meeting }),
      apart: (meeting) => this.#events.push({ type: 'apart', units, time: meeting.to, meeting }),
    };
  }
}

/** Collects the fixes that a unit would take if its track ended here. */
export class CollectedFixes implements Analysis<MeetingState, PairFix> {
  readonly name = 'meetings';
  readonly #fixes: PairFix[] = [];

  start(): MeetingState {
    return { pairs: {} };
  }

  step(_: MeetingState, { to, blind }: Step): void {
    this.#fixes.push(pairFix(to, blind));
  }

  takeBack(): void {
    // Only fixes that wait are collected.
  }

  take(): readonly PairFix[] {
    return this.#fixes;
  }
}

function addLast(fixes: PairFix[], { intake: { applied, time, lon, lat } }: UnitView): void {
  if (applied > 0) fixes.push({ time, lon, lat, isBlind: false });
}

function pairFix({ time, lon, lat }: CleanFix, blind: BlindCode): PairFix {
  return { time, lon, lat, isBlind: blind !== SEEN };
}
