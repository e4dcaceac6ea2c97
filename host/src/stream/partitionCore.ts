/**
 * The pure core of a partition: (state, message) → events, without clock, database or randomness. The same states and messages give the
 * same events and states in every process.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { Fix } from 'wayzone';
import type { TripDetectorSettings, Visit } from 'wayzone/tracks';
import { emittedHours, hoursRevisions } from './emittedHours.js';
import { afterAnchor, emittedMovement, movementRevisions } from './emittedMovement.js';
import { emittedSpeeding, speedingFrom, speedingRevisions } from './emittedSpeeding.js';
import { emittedVisits, visitRevisions } from './emittedVisits.js';
import type { FixesMessage, Message } from './message.js';
import type { EmittedMovement, StreamEvent } from './streamEvent.js';
import { readState, writeState } from './unitState.js';
import { type UnitTrackers, unitTrackers } from './unitTrackers.js';
import type { RuledZones } from './zoneSource.js';

/** An event with its company: its id is (partition, `seq`, `ordinal`). */
export interface CoreEvent {
  readonly companyId: string;
  readonly seq: number;
  readonly ordinal: number;
  readonly event: StreamEvent;
  /** The time by which spans select the event, epoch milliseconds. Default: that of `lastTimeOf`. */
  readonly lastTime?: number;
}

export interface StoredState {
  readonly unitId: string;
  readonly companyId: string;
  /** The last message of the partition that the state includes. */
  readonly seq: number;
  readonly state: string;
}

export interface Applied {
  readonly events: readonly CoreEvent[];
  /** Units with a fix that was too late for the tracker, each with the earliest time of such a fix. */
  readonly late: ReadonlyMap<string, number>;
}

/** A unit whose stored state is out of date. */
interface Dirty {
  readonly companyId: string;
  /** The first message that the stored state does not include, and the clock before it. */
  readonly since: number;
  readonly clock: number;
}

interface Company {
  readonly trackers: UnitTrackers;
  /** Number of late fixes so far, by unit. */
  readonly late: Map<string, number>;
  /** Stored states that include later messages than the replay has reached, the earliest last. */
  readonly ahead: StoredState[];
}

/** The span of a unit that is recomputed. */
export interface Span {
  /** The earliest time of a late fix. */
  readonly lateTime: number;
  /** When the span begins. */
  readonly start: number;
  /** All fixes of the span, in time order. */
  readonly fixes: readonly Fix[];
  /** The events of the span that were emitted before. */
  readonly emitted: readonly StreamEvent[];
  /** The parking after which movement is recomputed; null: over the whole span. */
  readonly anchor: EmittedMovement | null;
  readonly settings: TripDetectorSettings | null;
}

export interface CoreOptions {
  readonly latenessSeconds: number;
  /** The clock before the first message; -Infinity before any tick. */
  readonly clock: number;
}

export interface PartitionCore {
  /** The latest tick, epoch milliseconds; -Infinity before the first. */
  readonly clock: number;
  /** Number of units whose stored state is out of date. */
  readonly dirtyUnits: number;
  /** Number of units of the company whose stored state is out of date. */
  dirtyUnitsOf(companyId: string): number;
  has(companyId: string): boolean;
  /** Starts to follow a company with these zones and states; `next` is the sequence of the next message. */
  open(companyId: string, zones: RuledZones, states: readonly StoredState[], next: number): void;
  /** Replaces a company's zones. */
  exchange(companyId: string, zones: RuledZones): void;
  /** The units of message `seq` that have no settings yet. */
  unknown(message: FixesMessage, seq: number): string[];
  /** Gives a unit its trip-detector settings before its first fix. */
  configure(companyId: string, unitId: string, settings: TripDetectorSettings | null): void;
  /** Applies a message. Skips units whose state already includes it. */
  apply(message: Message, seq: number, stamp: number): Applied;
  /** Ends the replay before message `next`: takes over all remaining stored states. */
  endReplay(next: number): void;
  /** The visits of a unit that are under way, whether emitted or not. */
  openVisits(companyId: string, unitId: string): Visit[];
  /**
   * Recomputes a unit from all fixes of a span, and returns the `revised` events. The unit's trackers continue from there, with a count of
   * 0 late fixes. The events are numbered from `ordinal` on.
   */
  revise(
    companyId: string,
    unitId: string,
    at: { readonly seq: number; readonly stamp: number; readonly ordinal: number },
    span: Span,
  ): Promise<CoreEvent[]>;
  /** The states of these units after message `seq`. The caller stores them: they count as up to date from here on. */
  save(unitIds: Iterable<string>, seq: number): StoredState[];
  /** Units whose stored state is older than message `seq`, those that wait longest first; of all companies or of one. */
  behind(seq: number, companyId?: string): Generator<string>;
  /** The message from which a restart after message `seq` reads, and the clock before it. */
  resumeAt(seq: number): { readonly from: number; readonly clock: number };
}

/** Fixes that are recomputed before the event loop gets a turn, some milliseconds. */
const SLICE_FIXES = 1000;

export function partitionCore({ latenessSeconds, clock: before }: CoreOptions): PartitionCore {
  const companies = new Map<string, Company>();
  const dirty = new Map<string, Dirty>();
  /** During a replay: the last message that each unit's stored state includes. */
  const stored = new Map<string, number>();
  let clock = before;

  const trackerOptions = { latenessSeconds, clock: () => clock };
  const touch = (companyId: string, unitId: string, seq: number): void => {
    if (!dirty.has(unitId)) dirty.set(unitId, { companyId, since: seq, clock });
  };
  const companyOf = (companyId: string): Company => {
    const company = companies.get(companyId);
    if (company === undefined) throw new Error(`expected the zones of company ${companyId} to be open`);
    return company;
  };
  /** Takes over stored states when the replay has passed their message: they already include the ticks before it. */
  const adoptUntil = (companyId: string, company: Company, seq: number): void => {
    const { ahead, trackers, late } = company;
    while (ahead.length > 0 && ahead.at(-1)!.seq < seq) {
      const { unitId, state } = ahead.pop()!;
      trackers.adopt(readState(state));
      late.set(unitId, trackers.lateCount(unitId));
      if (!trackers.isSettled(unitId)) dirty.set(unitId, { companyId, since: seq, clock });
    }
  };

  const takeFixes = ({ companyId, fixes }: FixesMessage, seq: number, stamp: number): Applied => {
    const company = companyOf(companyId);
    const { trackers, late: counted } = company;
    adoptUntil(companyId, company, seq);
    const events: CoreEvent[] = [];
    const late = new Map<string, number>();
    for (const { unitId, fix } of fixes) {
      if (seq <= (stored.get(unitId) ?? 0)) continue;
      touch(companyId, unitId, seq);
      for (const event of trackers.push(unitId, fix, stamp))
        events.push({ companyId, seq, ordinal: events.length, event });
      const count = trackers.lateCount(unitId);
      if (count === (counted.get(unitId) ?? 0)) continue;
      counted.set(unitId, count);
      late.set(unitId, Math.min(late.get(unitId) ?? Number.POSITIVE_INFINITY, Math.round(fix.time)));
    }
    return { events, late };
  };

  const tick = (seq: number, stamp: number): Applied => {
    // Takes over states before the clock is raised, so that they start with the clock of their message.
    for (const [companyId, company] of companies) adoptUntil(companyId, company, seq);
    clock = Math.max(clock, stamp);
    const events: CoreEvent[] = [];
    // Sorts by id: the order of a map is that of arrival, which a restart cannot reproduce.
    for (const companyId of [...companies.keys()].sort()) {
      for (const event of companyOf(companyId).trackers.advance(clock)) {
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
    dirtyUnitsOf(companyId) {
      let count = 0;
      for (const one of dirty.values()) if (one.companyId === companyId) count++;
      return count;
    },
    has: (companyId) => companies.has(companyId),

    open(companyId, zones, states, next) {
      const trackers = unitTrackers(zones, trackerOptions);
      const ahead = [...states].sort((a, b) => b.seq - a.seq);
      const company: Company = { trackers, late: new Map(), ahead };
      for (const { unitId, seq } of states) stored.set(unitId, seq);
      companies.set(companyId, company);
      adoptUntil(companyId, company, next);
    },

    exchange(companyId, zones) {
      const company = companyOf(companyId);
      companies.set(companyId, { ...company, trackers: company.trackers.over(zones) });
    },

    unknown({ companyId, fixes }, seq) {
      const company = companyOf(companyId);
      adoptUntil(companyId, company, seq);
      const unitIds = new Set(fixes.map(({ unitId }) => unitId));
      return [...unitIds].filter(
        (unitId) => seq > (stored.get(unitId) ?? 0) && !company.trackers.knows(unitId),
      );
    },

    configure: (companyId, unitId, settings) => companyOf(companyId).trackers.configure(unitId, settings),

    apply: (message, seq, stamp) =>
      message.kind === 'tick' ? tick(seq, stamp) : takeFixes(message, seq, stamp),

    endReplay(next) {
      for (const [companyId, company] of companies) adoptUntil(companyId, company, next);
      stored.clear();
    },

    openVisits: (companyId, unitId) => companyOf(companyId).trackers.openVisits(unitId),

    async revise(companyId, unitId, { seq, stamp, ordinal }, span) {
      const { fixes, emitted, anchor, settings } = span;
      const { trackers, late } = companyOf(companyId);
      touch(companyId, unitId, seq);
      const fresh = trackers.fresh();
      fresh.configure(unitId, settings);
      const events: StreamEvent[] = [];
      for (const [i, fix] of fixes.entries()) {
        events.push(...fresh.push(unitId, fix, stamp));
        if (i % SLICE_FIXES === SLICE_FIXES - 1) await turn();
      }
      if (Number.isFinite(clock)) events.push(...fresh.advance(clock));
      trackers.forget(unitId);
      trackers.adopt(fresh.stateOf(unitId));
      late.set(unitId, 0);
      const changed: StreamEvent[] = [
        ...visitRevisions(unitId, emittedVisits(emitted), emittedVisits(events)),
        ...movementRevisions(
          unitId,
          afterAnchor(emittedMovement(emitted), anchor),
          afterAnchor(emittedMovement(events), anchor),
        ),
        ...hoursRevisions(unitId, emittedHours(emitted, span.start), emittedHours(events, span.start)),
        ...speedingRevisions(
          unitId,
          speedingFrom(emittedSpeeding(emitted), span.lateTime),
          speedingFrom(emittedSpeeding(events), span.lateTime),
        ),
      ];
      return changed.map((event, i) => ({ companyId, seq, ordinal: ordinal + i, event }));
    },

    save(unitIds, seq) {
      const states: StoredState[] = [];
      for (const unitId of unitIds) {
        const known = dirty.get(unitId);
        if (known === undefined) continue;
        const { companyId } = known;
        const { trackers } = companyOf(companyId);
        states.push({ unitId, companyId, seq, state: writeState(trackers.stateOf(unitId)) });
        dirty.delete(unitId);
        // A unit whose fixes wait for the lateness still changes with the clock.
        if (!trackers.isSettled(unitId)) dirty.set(unitId, { companyId, since: seq + 1, clock });
      }
      return states;
    },

    *behind(seq, companyId) {
      for (const [unitId, one] of dirty)
        if (one.since <= seq && (companyId === undefined || one.companyId === companyId)) yield unitId;
    },

    resumeAt(seq) {
      let first: { from: number; clock: number } = { from: seq + 1, clock };
      for (const { since, clock: then } of dirty.values())
        if (since < first.from) first = { from: since, clock: then };
      return first;
    },
  };
}
