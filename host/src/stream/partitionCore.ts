/**
 * What a partition's messages make of its units: (state, message) → events, without clock, database or chance. The same messages from the
 * same states give the same events and states, whichever process runs it.
 */

import type { Fix, ZoneIndex } from 'wayzone';
import { type Visit, VisitTracker } from 'wayzone/tracks';
import type { Message } from './message.js';
import { readState, writeState } from './unitState.js';
import { type RevisedEvent, revisions, type StreamEvent, toldVisits } from './visitsTold.js';

/** An event with its company: its id is (partition, `seq`, `ordinal`). */
export interface CoreEvent {
  readonly companyId: string;
  readonly seq: number;
  readonly ordinal: number;
  readonly event: StreamEvent;
}

export interface StoredState {
  readonly unitId: string;
  readonly companyId: string;
  /** The state knows the partition's messages up to this one. */
  readonly seq: number;
  readonly state: string;
}

export interface Applied {
  readonly events: readonly CoreEvent[];
  /** Units of which a fix was too late for the tracker, with the earliest such time. */
  readonly late: ReadonlyMap<string, number>;
}

/** A unit whose stored state is behind. */
interface Dirty {
  readonly companyId: string;
  /** The first message that the stored state does not know, and the clock before it. */
  readonly since: number;
  readonly clock: number;
}

interface Company {
  readonly index: ZoneIndex;
  readonly tracker: VisitTracker;
  /** Late fixes so far by unit. */
  readonly late: Map<string, number>;
}

export interface CoreOptions {
  readonly latenessSeconds: number;
  /** The clock before the first message; -Infinity before any tick. */
  readonly clock: number;
}

export interface PartitionCore {
  /** The latest tick, epoch milliseconds; -Infinity before the first. */
  readonly clock: number;
  /** Units whose stored state is behind. */
  readonly dirtyUnits: number;
  has(companyId: string): boolean;
  /** Follows a company by these zones, from these states on; `next` is the message that comes next. */
  open(companyId: string, index: ZoneIndex, states: readonly StoredState[], next: number): void;
  /** Follows a company by another index of the same zones. */
  exchange(companyId: string, index: ZoneIndex): void;
  /** Takes a message. Units whose state knows it already are passed by. */
  apply(message: Message, seq: number, stamp: number): Applied;
  /** The replay is over: no state is ahead any more. */
  endReplay(): void;
  /** The visits of a unit that are under way, told or not. */
  openVisits(companyId: string, unitId: string): Visit[];
  /**
   * Reckons a unit anew from all its fixes of a span, in order of time, and gives what changes of the visits `told` of that span. The
   * unit's tracker goes on from there, with no fix late so far. The events are numbered from `ordinal` on.
   */
  revise(
    companyId: string,
    unitId: string,
    at: { readonly seq: number; readonly stamp: number; readonly ordinal: number },
    fixes: readonly Fix[],
    told: readonly StreamEvent[],
  ): CoreEvent[];
  /** The states of these units after message `seq`, to be stored: they are then no longer behind. */
  save(unitIds: Iterable<string>, seq: number): StoredState[];
  /** Units whose stored state is behind, those that wait longest first; of one company if it is given. */
  behind(companyId?: string): Generator<string>;
  /** Where a restart after message `seq` begins to read, and the clock before it. */
  resumeAt(seq: number): { readonly from: number; readonly clock: number };
}

export function partitionCore({ latenessSeconds, clock: before }: CoreOptions): PartitionCore {
  const companies = new Map<string, Company>();
  const dirty = new Map<string, Dirty>();
  /** What rows hold, of units whose row is ahead of the replay. */
  const stored = new Map<string, number>();
  let clock = before;

  const newTracker = (index: ZoneIndex): VisitTracker => {
    const tracker = new VisitTracker(index, { latenessSeconds });
    if (Number.isFinite(clock)) tracker.advance(clock);
    return tracker;
  };
  const touch = (companyId: string, unitId: string, seq: number): void => {
    if (!dirty.has(unitId)) dirty.set(unitId, { companyId, since: seq, clock });
  };
  const companyOf = (companyId: string): Company => {
    const company = companies.get(companyId);
    if (company === undefined) throw new Error(`expected the zones of company ${companyId} to be open`);
    return company;
  };
  const isSettled = ({ tracker }: Company, unitId: string): boolean => tracker.counts(unitId).pending === 0;

  const takeFixes = (
    { companyId, fixes }: Extract<Message, { kind: 'fixes' }>,
    seq: number,
    stamp: number,
  ): Applied => {
    const company = companyOf(companyId);
    const { tracker, late: counted } = company;
    const events: CoreEvent[] = [];
    const late = new Map<string, number>();
    const options = { receivedAt: stamp };
    for (const { unitId, fix } of fixes) {
      if (seq <= (stored.get(unitId) ?? 0)) continue;
      touch(companyId, unitId, seq);
      for (const event of tracker.push(unitId, fix, options))
        events.push({ companyId, seq, ordinal: events.length, event });
      const count = tracker.counts(unitId).late;
      if (count === (counted.get(unitId) ?? 0)) continue;
      counted.set(unitId, count);
      late.set(unitId, Math.min(late.get(unitId) ?? Number.POSITIVE_INFINITY, Math.round(fix.time)));
    }
    return { events, late };
  };

  const tick = (seq: number, stamp: number): Applied => {
    clock = Math.max(clock, stamp);
    const events: CoreEvent[] = [];
    // Maps are in order of arrival, which a restart does not know: ids decide.
    for (const companyId of [...companies.keys()].sort()) {
      const told = [...companyOf(companyId).tracker.advance(clock)];
      told.sort((a, b) => (a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0));
      for (const event of told) {
        touch(companyId, event.unitId, seq);
        events.push({ companyId, seq, ordinal: events.length, event });
      }
    }
    return { events, late: new Map() };
  };

  return {
    get clock(): number {
      return clock;
    },
    get dirtyUnits(): number {
      return dirty.size;
    },
    has: (companyId) => companies.has(companyId),

    open(companyId, index, states, next) {
      const company: Company = { index, tracker: newTracker(index), late: new Map() };
      for (const { unitId, seq, state } of states) {
        company.tracker.adopt(readState(state));
        company.late.set(unitId, company.tracker.counts(unitId).late);
        stored.set(unitId, seq);
        if (!isSettled(company, unitId)) dirty.set(unitId, { companyId, since: next, clock });
      }
      companies.set(companyId, company);
    },

    exchange(companyId, index) {
      const { tracker: before, late } = companyOf(companyId);
      const tracker = newTracker(index);
      tracker.adopt(before.snapshot());
      companies.set(companyId, { index, tracker, late });
    },

    apply: (message, seq, stamp) =>
      message.kind === 'tick' ? tick(seq, stamp) : takeFixes(message, seq, stamp),

    endReplay: () => stored.clear(),

    openVisits: (companyId, unitId) => companyOf(companyId).tracker.openVisits(unitId),

    revise(companyId, unitId, { seq, stamp, ordinal }, fixes, told) {
      const company = companyOf(companyId);
      const fresh = new VisitTracker(company.index, { latenessSeconds });
      const events: StreamEvent[] = [];
      for (const fix of fixes) events.push(...fresh.push(unitId, fix, { receivedAt: stamp }));
      if (Number.isFinite(clock)) events.push(...fresh.advance(clock));
      company.tracker.forget(unitId);
      company.tracker.adopt(fresh.snapshot(unitId));
      company.late.set(unitId, 0);
      const changed: RevisedEvent[] = revisions(unitId, toldVisits(told), toldVisits(events));
      return changed.map((event, i) => ({ companyId, seq, ordinal: ordinal + i, event }));
    },

    save(unitIds, seq) {
      const states: StoredState[] = [];
      for (const unitId of unitIds) {
        const known = dirty.get(unitId);
        if (known === undefined) continue;
        const { companyId } = known;
        const company = companyOf(companyId);
        states.push({ unitId, companyId, seq, state: writeState(company.tracker, unitId) });
        dirty.delete(unitId);
        // The clock alone still changes a unit of which fixes wait.
        if (!isSettled(company, unitId)) dirty.set(unitId, { companyId, since: seq + 1, clock });
      }
      return states;
    },

    *behind(companyId) {
      for (const [unitId, one] of dirty)
        if (companyId === undefined || one.companyId === companyId) yield unitId;
    },

    resumeAt(seq) {
      let first: { from: number; clock: number } = { from: seq + 1, clock };
      for (const { since, clock: then } of dirty.values())
        if (since < first.from) first = { from: since, clock: then };
      return first;
    },
  };
}
