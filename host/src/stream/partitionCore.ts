/**
 * The pure core of a partition: (state, message) → events, without clock, database or randomness. The same states and messages give the
 * same events and states in every process.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { type Fix, WayzoneError } from 'wayzone';
import { UnitFleet, type UnitHistory } from 'wayzone/operator';
import type { UnitSettings } from 'wayzone/tracks';
import type { FixesMessage, Message } from './message.js';
import { placesOf } from './placesOf.js';
import { readState, writeState } from './storedUnit.js';
import type { StreamEvent } from './streamEvent.js';
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
  readonly fleet: UnitFleet;
  /** Units whose settings are known. */
  readonly known: Set<string>;
  /** Stored states that include later messages than the replay has reached, the earliest last. */
  readonly ahead: StoredState[];
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
  unknown(
    message: Pick<FixesMessage, 'companyId'> & { readonly fixes: readonly { readonly unitId: string }[] },
    seq: number,
  ): string[];
  /** Gives a unit its settings before its first fix. Those that cannot be read are left out. */
  configure(companyId: string, unitId: string, settings: UnitSettings | null): void;
  /** Applies a message. Skips units whose state already includes it. */
  apply(message: Message, seq: number, stamp: number): Applied;
  /** Ends the replay before message `next`: takes over all remaining stored states. */
  endReplay(next: number): void;
  /** The history that the unit needs after a late fix, see `UnitFleet.demand`; null: none, or the known one is enough. */
  demand(companyId: string, unitId: string, known?: UnitHistory): { readonly from: number | null } | null;
  /** Makes a unit demand its history from a time on, as a late fix does. */
  invalidate(companyId: string, unitId: string, time: number): void;
  /** Computes a unit again from its history, and returns the `revised` events, numbered from `ordinal` on. */
  revise(
    companyId: string,
    unitId: string,
    at: { readonly seq: number; readonly stamp: number; readonly ordinal: number },
    history: UnitHistory & { readonly fixes: readonly Fix[] },
  ): Promise<CoreEvent[]>;
  /** The states of these units after message `seq`. The caller stores them: they count as up to date from here on. */
  save(unitIds: Iterable<string>, seq: number): StoredState[];
  /** Units whose stored state is older than message `seq`, those that wait longest first; of all companies or of one. */
  behind(seq: number, companyId?: string): Generator<string>;
  /** The message from which a restart after message `seq` reads, and the clock before it. */
  resumeAt(seq: number): { readonly from: number; readonly clock: number };
}

export function partitionCore({ latenessSeconds, clock: before }: CoreOptions): PartitionCore {
  const companies = new Map<string, Company>();
  const dirty = new Map<string, Dirty>();
  /** During a replay: the last message that each unit's stored state includes. */
  const stored = new Map<string, number>();
  let clock = before;

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
    const { ahead, fleet, known } = company;
    while (ahead.length > 0 && ahead.at(-1)!.seq < seq) {
      const { unitId, state: text } = ahead.pop()!;
      const { state, hasSettings } = readState(text);
      fleet.adopt(state);
      if (hasSettings) known.add(unitId);
      if (!fleet.isSettled(unitId)) dirty.set(unitId, { companyId, since: seq, clock });
    }
  };

  const takeFixes = ({ companyId, fixes }: FixesMessage, seq: number, stamp: number): Applied => {
    const company = companyOf(companyId);
    const { fleet } = company;
    adoptUntil(companyId, company, seq);
    const events: CoreEvent[] = [];
    const late = new Map<string, number>();
    const options = { receivedAt: stamp };
    for (const { unitId, fix } of fixes) {
      if (seq <= (stored.get(unitId) ?? 0)) continue;
      touch(companyId, unitId, seq);
      for (const { event } of fleet.push(unitId, fix, options))
        events.push({ companyId, seq, ordinal: events.length, event });
      const lateFrom = fleet.lateFrom(unitId);
      if (lateFrom !== null) late.set(unitId, lateFrom);
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
      for (const { event } of companyOf(companyId).fleet.advance(clock)) {
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
      const fleet = new UnitFleet(placesOf(zones), { latenessSeconds });
      if (Number.isFinite(clock)) fleet.advance(clock);
      const ahead = [...states].sort((a, b) => b.seq - a.seq);
      const company: Company = { fleet, known: new Set(), ahead };
      for (const { unitId, seq } of states) stored.set(unitId, seq);
      companies.set(companyId, company);
      adoptUntil(companyId, company, next);
    },

    exchange: (companyId, zones) => companyOf(companyId).fleet.exchange(placesOf(zones)),

    unknown({ companyId, fixes }, seq) {
      const company = companyOf(companyId);
      adoptUntil(companyId, company, seq);
      const unitIds = new Set(fixes.map(({ unitId }) => unitId));
      return [...unitIds].filter((unitId) => seq > (stored.get(unitId) ?? 0) && !company.known.has(unitId));
    },

    configure(companyId, unitId, settings) {
      const { fleet, known } = companyOf(companyId);
      known.add(unitId);
      for (const readable of lessAndLess(settings))
        try {
          return fleet.configure(unitId, readable);
        } catch (error) {
          if (!(error instanceof WayzoneError)) throw error;
        }
    },

    apply: (message, seq, stamp) =>
      message.kind === 'tick' ? tick(seq, stamp) : takeFixes(message, seq, stamp),

    endReplay(next) {
      for (const [companyId, company] of companies) adoptUntil(companyId, company, next);
      stored.clear();
    },

    demand: (companyId, unitId, known) => companyOf(companyId).fleet.demand(unitId, known),
    invalidate: (companyId, unitId, time) => companyOf(companyId).fleet.invalidate(unitId, time),

    async revise(companyId, unitId, { seq, stamp, ordinal }, history) {
      touch(companyId, unitId, seq);
      const steps = companyOf(companyId).fleet.rebuild(unitId, { ...history, receivedAt: stamp });
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) await turn();
      return step.value.map(({ event }, i) => ({ companyId, seq, ordinal: ordinal + i, event }));
    },

    save(unitIds, seq) {
      const states: StoredState[] = [];
      for (const unitId of unitIds) {
        const known = dirty.get(unitId);
        if (known === undefined) continue;
        const { companyId } = known;
        const { fleet } = companyOf(companyId);
        states.push({ unitId, companyId, seq, state: writeState(fleet.stateText(unitId)) });
        dirty.delete(unitId);
        // A unit whose fixes wait for the lateness still changes with the clock.
        if (!fleet.isSettled(unitId)) dirty.set(unitId, { companyId, since: seq + 1, clock });
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

/** The settings, and what is left of them if a part cannot be read: without the limit, the limit alone, nothing. */
function* lessAndLess(settings: UnitSettings | null): Generator<UnitSettings | null> {
  if (settings !== null && Object.keys(settings).length > 0) {
    yield settings;
    if (!Array.isArray(settings)) {
      const { advanced_speedlimit: limit, ...others } = settings as { readonly advanced_speedlimit?: number };
      yield others;
      if (limit !== undefined) yield { advanced_speedlimit: limit };
    }
  }
  yield null;
}
