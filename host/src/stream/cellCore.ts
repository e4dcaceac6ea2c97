/**
 * The pure core of a cell: (state, message) → events, without clock, database or randomness. The same states and messages give the
 * same events and states in every process.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { type Fix, WayzoneError } from 'wayzone';
import type { UnitFleet, UnitHistory } from 'wayzone/operator';
import type { UnitSettings } from 'wayzone/tracks';
import { type CompanyUnits, companyUnits } from './companyUnits.js';
import { dirtyUnits } from './dirtyUnits.js';
import type { FixesMessage, LogMessage, Message, RetryMessage } from './message.js';
import { writeState } from './readState.js';
import type { StreamEvent } from './streamEvent.js';
import type { RuledZones } from './zoneSource.js';

/** An event with its company: its id is (cell, `seq`, `ordinal`). */
export interface CoreEvent {
  readonly companyId: string;
  readonly seq: number;
  readonly ordinal: number;
  readonly event: StreamEvent;
  /** The time by which spans select the event, epoch milliseconds. Default: that of `lastTimeOf`. */
  readonly lastTime?: number;
}

/** A message of the log, and the number of its next event. */
export interface AtStamp extends Pick<LogMessage, 'seq' | 'stamp'> {
  readonly ordinal: number;
}

export interface StoredState {
  readonly unitId: string;
  readonly companyId: string;
  /** The last message of the cell that the state includes. */
  readonly seq: number;
  readonly state: string;
}

export interface Applied {
  readonly events: readonly CoreEvent[];
  /** Units with a fix that was too late for the tracker, each with the earliest time of such a fix. */
  readonly late: ReadonlyMap<string, number>;
  /** Units that failed: they must be forgotten. */
  readonly failed: ReadonlyMap<string, string>;
}

/** A unit that failed, and why. */
export interface UnitFault {
  readonly companyId: string;
  readonly unitId: string;
  readonly reason: string;
}

/** Some unit failed while the clock was raised. The core must not be used any more; `failing` of a new one names the unit. */
export class ClockFailed extends Error {
  constructor(
    readonly seq: number,
    override readonly cause: unknown,
  ) {
    super(reasonOf(cause));
  }
}

export interface CoreOptions {
  readonly latenessSeconds: number;
  /** The clock before the first message; -Infinity before any tick. */
  readonly clock: number;
}

export interface CellCore {
  /** The latest tick, epoch milliseconds; -Infinity before the first. */
  readonly clock: number;
  /** Number of units that are followed. */
  readonly units: number;
  /** Number of units whose stored state is out of date. */
  readonly dirtyUnits: number;
  /** Number of units of the company whose stored state is out of date. */
  dirtyUnitsOf(companyId: string): number;
  has(companyId: string): boolean;
  /** A time before which the clock gives no event while no fix arrives, epoch milliseconds; null: it never does. */
  wakeAt(): number | null;
  /** The company of a unit that the core follows. */
  companyOf(unitId: string): string | null;
  /** Starts to follow a company with these zones and states; `next` is the sequence of the next message. */
  open(companyId: string, zones: RuledZones, states: readonly StoredState[], next: number): void;
  /** Replaces a company's zones. */
  exchange(companyId: string, zones: RuledZones): void;
  /** The units of message `seq` that have no settings yet. */
  unknown(
    message: Pick<FixesMessage, 'companyId'> & { readonly fixes: readonly { readonly unitId: string }[] },
    seq: number,
  ): string[];
  /** Gives a unit its settings before its first fix. Settings that cannot be read are left out. */
  configure(companyId: string, unitId: string, settings: UnitSettings | null): void;
  /** Applies a message. Skips units whose state already includes it. */
  apply(message: Exclude<Message, RetryMessage>, seq: number, stamp: number): Applied;
  /** The units whose stored states could not be read since the last call. They are not followed. */
  takeFaults(): readonly UnitFault[];
  /** Follows a unit no more. Returns the earliest fix that its stored state may lack, epoch milliseconds; Infinity: none. */
  forget(unitId: string): number;
  /** Follows a unit again from its stored state, which lacks fixes from `from` on: it then demands its history. */
  resume(unit: Omit<StoredState, 'state'> & { readonly state: string | null; readonly from: number }): void;
  /** The units that fail when the clock is raised to `clock`, each tried alone. `onUnit` is awaited before each. */
  failing(clock: number, onUnit?: (unitId: string) => Promise<void>): Promise<readonly UnitFault[]>;
  /** The unit includes its fixes of the messages up to `seq`. */
  skip(unitId: string, seq: number): void;
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
    at: AtStamp,
    history: UnitHistory & { readonly fixes: readonly Fix[] },
  ): Promise<CoreEvent[]>;
  /** The states of these units after message `seq`. The caller stores them: they count as up to date from here on. */
  save(unitIds: Iterable<string>, seq: number): StoredState[];
  /** Units whose stored state is older than message `seq`, the longest waiting first; of all companies or of one. */
  behind(seq: number, companyId?: string): Generator<string>;
  /** The message from which a restart after message `seq` reads, and the clock before it. */
  resumeAt(seq: number): { readonly from: number; readonly clock: number };
}

export function cellCore({ latenessSeconds, clock: before }: CoreOptions): CellCore {
  const companies = new Map<string, CompanyUnits>();
  const dirty = dirtyUnits();
  /** The last message that a unit already includes: by its stored state during a replay, or by a later computation. */
  const stored = new Map<string, number>();
  let clock = before;
  let faults: UnitFault[] = [];
  /** A time up to which the clock gives no event; null: to be computed. */
  let wake: number | null = null;

  const touch = (companyId: string, unitId: string, seq: number, from?: number): void =>
    dirty.touch({ companyId, unitId, seq, clock, ...(from === undefined ? {} : { from }) });
  const companyOf = (companyId: string): CompanyUnits => {
    const company = companies.get(companyId);
    if (company === undefined) throw new Error(`expected the zones of company ${companyId} to be open`);
    return company;
  };
  /** Takes over stored states when the replay has passed their message: they already include the ticks before it. */
  const adoptUntil = (companyId: string, company: CompanyUnits, seq: number): void =>
    company.adoptUntil(seq, (unitId, error) => {
      if (error !== null) faults.push({ companyId, unitId, reason: reasonOf(error) });
      else if (!company.fleet.isSettled(unitId)) touch(companyId, unitId, seq);
    });

  const takeFixes = (message: FixesMessage, seq: number, stamp: number): Applied => {
    const { companyId } = message;
    const company = companyOf(companyId);
    adoptUntil(companyId, company, seq);
    const isStored = (unitId: string): boolean => seq <= (stored.get(unitId) ?? 0);
    const onFix = (unitId: string, time: number): void => touch(companyId, unitId, seq, time);
    const applied = pushFixes(company.fleet, message, { seq, stamp }, isStored, onFix);
    if (wake !== null)
      for (const { unitId } of message.fixes) wake = Math.min(wake, company.fleet.wakeAt(unitId) ?? wake);
    return applied;
  };

  const tick = (seq: number, stamp: number): Applied => {
    // Takes over states before the clock is raised, so that they start with the clock of their message.
    for (const [companyId, company] of companies) adoptUntil(companyId, company, seq);
    clock = Math.max(clock, stamp);
    wake = null;
    const events: CoreEvent[] = [];
    try {
      // Sorts by id: the order of a map is that of arrival, which a restart cannot reproduce.
      for (const companyId of [...companies.keys()].sort())
        for (const { event } of companyOf(companyId).fleet.advance(clock)) {
          touch(companyId, event.unitId, seq);
          events.push({ companyId, seq, ordinal: events.length, event });
        }
    } catch (error) {
      throw new ClockFailed(seq, error);
    }
    return { events, late: new Map(), failed: new Map() };
  };

  return {
    get clock(): number {
      return clock;
    },
    get units(): number {
      return [...companies.values()].reduce((sum, { count }) => sum + count, 0);
    },
    get dirtyUnits(): number {
      return dirty.count;
    },
    dirtyUnitsOf: (companyId) => dirty.countOf(companyId),
    has: (companyId) => companies.has(companyId),
    wakeAt() {
      if (wake === null) {
        wake = Number.POSITIVE_INFINITY;
        for (const company of companies.values()) wake = Math.min(wake, company.wakeAt());
      }
      return Number.isFinite(wake) ? wake : null;
    },
    companyOf(unitId) {
      for (const [companyId, company] of companies) if (company.has(unitId)) return companyId;
      return null;
    },

    open(companyId, zones, states, next) {
      wake = null;
      const company = companyUnits({ zones, states, latenessSeconds, clock });
      for (const { unitId, seq } of states) stored.set(unitId, seq);
      companies.set(companyId, company);
      adoptUntil(companyId, company, next);
    },

    exchange(companyId, zones) {
      wake = null;
      companyOf(companyId).exchange(zones);
    },

    unknown({ companyId, fixes }, seq) {
      const company = companyOf(companyId);
      adoptUntil(companyId, company, seq);
      const unitIds = new Set(fixes.map(({ unitId }) => unitId));
      return [...unitIds].filter((unitId) => seq > (stored.get(unitId) ?? 0) && !company.has(unitId));
    },

    configure: (companyId, unitId, settings) => companyOf(companyId).configure(unitId, settings),

    apply: (message, seq, stamp) =>
      message.kind === 'tick' ? tick(seq, stamp) : takeFixes(message, seq, stamp),

    takeFaults() {
      const taken = faults;
      if (taken.length > 0) faults = [];
      return taken;
    },

    forget(unitId) {
      for (const company of companies.values()) company.forget(unitId);
      return dirty.take(unitId)?.from ?? Number.POSITIVE_INFINITY;
    },

    resume({ companyId, unitId, seq, state, from }) {
      wake = null;
      const company = companyOf(companyId);
      let since = from;
      try {
        if (state !== null) company.adopt(unitId, state);
      } catch (error) {
        if (error instanceof WayzoneError && error.code === 'state-version') throw error;
        // The whole history replaces a state that cannot be read.
        since = FIRST;
      }
      touch(companyId, unitId, seq, since);
      company.fleet.invalidate(unitId, since);
    },

    failing: (next, onUnit) => failingUnits(companies, clock, Math.max(clock, next), onUnit),

    skip: (unitId, seq) => void stored.set(unitId, seq),

    endReplay(next) {
      wake = null;
      for (const [companyId, company] of companies) adoptUntil(companyId, company, next);
      stored.clear();
    },

    demand: (companyId, unitId, known) => companyOf(companyId).fleet.demand(unitId, known),
    invalidate: (companyId, unitId, time) => companyOf(companyId).fleet.invalidate(unitId, time),

    async revise(companyId, unitId, { seq, stamp, ordinal }, history) {
      wake = null;
      touch(companyId, unitId, seq);
      const steps = companyOf(companyId).fleet.rebuild(unitId, { ...history, receivedAt: stamp });
      let step = steps.next();
      for (let from = performance.now(); step.done !== true; step = steps.next()) {
        if (performance.now() - from < SLICE_MS) continue;
        await turn();
        from = performance.now();
      }
      return step.value.map(({ event }, i) => ({ companyId, seq, ordinal: ordinal + i, event }));
    },

    save(unitIds, seq) {
      const states: StoredState[] = [];
      for (const unitId of unitIds) {
        const known = dirty.take(unitId);
        if (known === null) continue;
        const { companyId } = known;
        const { fleet } = companyOf(companyId);
        states.push({ unitId, companyId, seq, state: writeState(fleet.stateText(unitId)) });
        // A unit whose fixes wait for the lateness still changes with the clock.
        if (!fleet.isSettled(unitId)) touch(companyId, unitId, seq + 1);
      }
      return states;
    },

    behind: (seq, companyId) => dirty.behind(seq, companyId),
    resumeAt: (seq) => dirty.first(seq, clock),
  };
}

/** Pushes the fixes of a message. `onFix` is called before each fix that is taken. A unit that fails has no events. */
function pushFixes(
  fleet: UnitFleet,
  { companyId, fixes }: FixesMessage,
  { seq, stamp }: { readonly seq: number; readonly stamp: number },
  isStored: (unitId: string) => boolean,
  onFix: (unitId: string, time: number) => void,
): Applied {
  const events: CoreEvent[] = [];
  const late = new Map<string, number>();
  const failed = new Map<string, string>();
  const options = { receivedAt: stamp };
  for (const { unitId, fix } of fixes) {
    if (isStored(unitId) || failed.has(unitId)) continue;
    onFix(unitId, Math.round(fix.time));
    try {
      for (const { event } of fleet.push(unitId, fix, options))
        events.push({ companyId, seq, ordinal: events.length, event });
      const lateFrom = fleet.lateFrom(unitId);
      if (lateFrom !== null) late.set(unitId, lateFrom);
    } catch (error) {
      failed.set(unitId, reasonOf(error));
      late.delete(unitId);
    }
  }
  return { events, late, failed };
}

async function failingUnits(
  companies: ReadonlyMap<string, CompanyUnits>,
  clock: number,
  next: number,
  onUnit?: (unitId: string) => Promise<void>,
): Promise<UnitFault[]> {
  const found: UnitFault[] = [];
  for (const [companyId, company] of companies)
    for await (const { unitId, error } of company.failing(clock, next, onUnit))
      found.push({ companyId, unitId, reason: reasonOf(error) });
  return found;
}

/** Other work gets its turn after so many milliseconds of a rebuild. */
const SLICE_MS = 3;

/** Before every fix, epoch milliseconds. */
export const FIRST = -1e13;

/** Text of an error, for the operator. */
export function reasonOf(error: unknown): string {
  const { code, field, message } = Object(error) as Partial<WayzoneError>;
  const text = message ?? String(error);
  return error instanceof WayzoneError ? `${code}: ${field}: ${text}` : text;
}
