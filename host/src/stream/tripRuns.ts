/**
 * Follows the runs of a partition's trips: their points (`tripKind.ts`), and their way along a route (`routeKind.ts`). After each message
 * the emitted events of a run equal those of an evaluation over all fixes so far in the run's span. Therefore no state is stored: a
 * restart evaluates the stored fixes again and compares the result with the stored events.
 *
 * A run that was handed over stays in the partition of its trip's unit. The fixes of the unit that took over may be of another partition: they are
 * read from the store with every tick, so that their events come up to half a minute later.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { Fix } from 'wayzone';
import type { UnitFix } from '../live/unitFix.js';
import { mergeFixes } from './fixOrder.js';
import type { FixesMessage } from './message.js';
import type { CoreEvent } from './partitionCore.js';
import { type Charge, chargesOf, runChanges } from './runChanges.js';
import type { StreamEvent } from './streamEvent.js';
import type { StreamStore } from './streamStore.js';
import type { FollowedTrip, VersionedTrips } from './tripSource.js';
import type { AnyRunEvent, OfRun } from './tripStreamEvent.js';
import { type TripWindow, windowsAt, windowsOn } from './tripWindow.js';

/** Events that depend on time alone (overdue, aborted) are emitted when the clock passes a multiple of this. */
const EVERY_MS = 30_000;
/** After a longer pause of the clock, a tick evaluates only the runs of the last part of this length. */
const LONGEST_PAUSE_MS = 7 * 86_400_000;
/** Fixes that are processed before the event loop gets a turn, some milliseconds. */
const SLICE_FIXES = 1000;

/** One run as its fixes come in. */
export interface RunTracker {
  /** Applies fixes and returns the events. */
  pushAll(fixes: readonly Fix[]): readonly AnyRunEvent[];
  advance(time: number): readonly AnyRunEvent[];
  /** Number of fixes that were too late. */
  readonly late: number;
  /** The events that change the emitted ones into those of all fixes so far. */
  changesFrom(emitted: readonly AnyRunEvent[]): readonly AnyRunEvent[];
}

/** What is followed of a run. */
export interface RunKind {
  /** Whether the runs of a trip are followed. */
  readonly follows: (trip: FollowedTrip) => boolean;
  owns(event: AnyRunEvent): boolean;
  /** A tracker without fixes; null for a run that cannot be followed. */
  tracker(companyId: string, run: TripWindow, timeZone: string): Promise<RunTracker | null>;
}

export interface TripRunsOptions {
  readonly partition: number;
  readonly kind: RunKind;
  readonly store: Pick<StreamStore, 'fixesOf' | 'tripEventsOf' | 'tripDatesOf'>;
  /** Waits until all sealed outputs are committed. */
  readonly settled: () => Promise<void>;
}

interface Running {
  readonly companyId: string;
  readonly trip: FollowedTrip;
  /** null: the run cannot be followed. */
  readonly tracker: RunTracker | null;
  /** Number of stored fixes of the units that took over. */
  readonly handed?: number;
}

/** Fixes and events that wait for a checkpoint, of earlier messages and of this one. */
export interface Waiting {
  readonly fixes: readonly UnitFix[];
  readonly events: readonly CoreEvent[];
}

export interface TripRuns {
  /** Follows the company's trips of this version. */
  open(companyId: string, trips: VersionedTrips): void;
  /**
   * Switches to other trips after message `seq`: evaluates the runs of edited trips again. Events of a removed trip or date stay
   * unchanged.
   */
  change(
    companyId: string,
    trips: VersionedTrips,
    at: { readonly seq: number; readonly clock: number; readonly ordinal: number },
    waiting: Waiting,
  ): Promise<CoreEvent[]>;
  /** Applies the fixes of message `seq` at the clock of the log (epoch milliseconds). The events are numbered from `ordinal` on. */
  take(
    message: FixesMessage,
    at: { readonly seq: number; readonly clock: number; readonly ordinal: number },
    waiting: Waiting,
  ): Promise<CoreEvent[]>;
  /** Applies tick `seq`, which raised the clock from `before`. */
  tick(
    at: { readonly seq: number; readonly before: number; readonly clock: number; readonly ordinal: number },
    waiting: Waiting,
  ): Promise<CoreEvent[]>;
}

/** The last multiple of `EVERY_MS` up to `clock`. -Infinity before the first tick. */
export function boundaryOf(clock: number): number {
  return Math.floor(clock / EVERY_MS) * EVERY_MS;
}

export function tripRuns({ partition, kind, store, settled }: TripRunsOptions): TripRuns {
  const companies = new Map<string, VersionedTrips>();
  /** The runs under way, by unit, trip and date. */
  const running = new Map<string, Running>();

  const keyOf = ({ trip, date }: TripWindow): string => JSON.stringify([trip.unit.id, trip.id, date]);
  const ofRun = ({ trip, date }: TripWindow): OfRun => ({ unitId: trip.unit.id, tripId: trip.id, date });
  const isOwn = (event: StreamEvent): event is AnyRunEvent =>
    'tripId' in event && kind.owns(event as AnyRunEvent);
  const isHanded = ({ trip, date }: TripWindow): boolean => handedUnits(trip, date).length > 0;
  /** The stored fixes of the units that took over, while they are in charge. */
  const handedFixes = async (run: TripWindow): Promise<UnitFix[]> => {
    const fixes: UnitFix[] = [];
    for (const { unitId, from, to } of handedUnits(run.trip, run.date)) {
      const stored = await store.fixesOf(unitId, Math.max(from, run.from), Math.min(to - 1, run.to));
      for (const fix of stored) fixes.push({ unitId, fix });
    }
    return fixes;
  };
  const isIn = (run: TripWindow, { time }: Fix): boolean => {
    const rounded = Math.round(time);
    return rounded >= run.from && rounded <= run.to;
  };
  /** A new tracker after these fixes and the time `boundary`. */
  const trackerOf = async (
    companyId: string,
    run: TripWindow,
    timeZone: string,
    fixes: readonly Fix[],
    boundary: number,
  ): Promise<RunTracker | null> => {
    const tracker = await kind.tracker(companyId, run, timeZone);
    if (tracker === null) return null;
    for (let from = 0; from < fixes.length; from += SLICE_FIXES) {
      if (from > 0) await turn();
      tracker.pushAll(fixes.slice(from, from + SLICE_FIXES));
    }
    if (Number.isFinite(boundary)) tracker.advance(Math.min(boundary, run.to));
    return tracker;
  };

  const gather = (
    { seq, clock, ordinal }: { readonly seq: number; readonly clock: number; readonly ordinal: number },
    waiting: Waiting,
  ) => {
    const events: CoreEvent[] = [];
    const boundary = boundaryOf(clock);
    const emit = (companyId: string, { window }: TripWindow, added: readonly AnyRunEvent[]): void => {
      for (const event of added) {
        const times = event.type === 'revised' ? [event.was, event.is] : [event];
        // A visit may have begun before the window: with this time its event is selected with those of the run.
        const lastTime = Math.max(window.from, ...times.map((one) => one?.time ?? window.from));
        events.push({ companyId, seq, ordinal: ordinal + events.length, event, lastTime });
      }
    };
    /** Evaluates the run again over the stored fixes, the waiting fixes and `own`, and emits the differences. */
    const evaluate = async (
      companyId: string,
      run: TripWindow,
      timeZone: string,
      own: readonly UnitFix[],
      at: number,
    ): Promise<RunTracker | null> => {
      await settled();
      const { unitId, tripId, date } = ofRun(run);
      const stored = await store.fixesOf(unitId, run.from, run.to);
      const fresh = [...waiting.fixes, ...own].filter((one) => one.unitId === unitId && isIn(run, one.fix));
      const merged = mergeFixes(stored, fresh);
      const all = isHanded(run) ? mergedUnits(run, merged, await handedFixes(run)) : merged;
      const tracker = await trackerOf(companyId, run, timeZone, all, at);
      if (tracker === null) return null;
      const waits = [...waiting.events, ...events].flatMap(({ event }) =>
        isOwn(event) && event.unitId === unitId && event.tripId === tripId && event.date === date
          ? [event]
          : [],
      );
      const before = (await store.tripEventsOf(ofRun(run), run.window.from)).filter(isOwn);
      emit(companyId, run, tracker.changesFrom([...before, ...waits]));
      return tracker;
    };
    /** The tracker of a run as it was before this message. */
    const trackerBefore = async (
      companyId: string,
      run: TripWindow,
      timeZone: string,
      at: number,
    ): Promise<RunTracker | null> => {
      const known = running.get(keyOf(run));
      if (known?.trip === run.trip) return known.tracker;
      const tracker = await evaluate(companyId, run, timeZone, [], at);
      running.set(keyOf(run), { companyId, trip: run.trip, tracker });
      return tracker;
    };
    /** Advances a run that was handed over: evaluates it again if fixes of the unit that took over were stored. */
    const follow = async (companyId: string, run: TripWindow, timeZone: string): Promise<void> => {
      const key = keyOf(run);
      const known = running.get(key);
      const handed = (await handedFixes(run)).length;
      if (known?.trip === run.trip && known.handed === handed && known.tracker !== null)
        emit(companyId, run, known.tracker.advance(Math.min(boundary, run.to)));
      else {
        const tracker = await evaluate(companyId, run, timeZone, [], boundary);
        running.set(key, { companyId, trip: run.trip, tracker, handed });
      }
      if (boundary >= run.to) running.delete(key);
      await turn();
    };
    return { events, boundary, emit, evaluate, trackerBefore, follow };
  };

  return {
    open: (companyId, trips) => void companies.set(companyId, trips),

    async change(companyId, trips, at, waiting) {
      const before = companies.get(companyId)?.units.get(partition);
      const units = trips.units.get(partition);
      companies.set(companyId, trips);
      for (const [key, { trip, companyId: own }] of running)
        if (own === companyId && units?.get(trip.unit.id)?.includes(trip) !== true) running.delete(key);
      const { events, boundary, evaluate } = gather(at, waiting);
      for (const unitId of [...(before?.keys() ?? [])].sort())
        for (const trip of byId(units?.get(unitId) ?? []).filter(kind.follows)) {
          const known = before?.get(unitId)?.find(({ id }) => id === trip.id);
          if (known === undefined || known === trip || JSON.stringify(known) === JSON.stringify(trip))
            continue;
          await settled();
          const waits = waiting.events.flatMap(({ event }) =>
            isOwn(event) && event.unitId === unitId && event.tripId === trip.id ? [event.date] : [],
          );
          const dates = new Set([...(await store.tripDatesOf(unitId, trip.id)), ...waits]);
          for (const run of windowsOn(trip, trips.timeZone, dates)) {
            if (run.to < boundary - LONGEST_PAUSE_MS) continue;
            const tracker = await evaluate(companyId, run, trips.timeZone, [], boundary);
            if (boundary < run.to) running.set(keyOf(run), { companyId, trip, tracker });
          }
        }
      return events;
    },

    async take(message, at, waiting) {
      const { companyId } = message;
      const company = companies.get(companyId);
      const units = company?.units.get(partition);
      if (company === undefined || units === undefined) return [];
      const { timeZone } = company;
      const { events, boundary, emit, evaluate, trackerBefore } = gather(at, waiting);
      for (const unitId of new Set(message.fixes.map((one) => one.unitId))) {
        const trips = units.get(unitId)?.filter(kind.follows);
        if (trips === undefined) continue;
        const own = message.fixes.filter((one) => one.unitId === unitId);
        const times = own.map(({ fix }) => Math.round(fix.time));
        for (const run of inOrder(trips, timeZone, Math.min(...times), Math.max(...times))) {
          const taken = own.filter(({ fix }) => isIn(run, fix));
          if (taken.length === 0) continue;
          const tracker = await trackerBefore(companyId, run, timeZone, boundary);
          if (tracker === null) continue;
          const { late } = tracker;
          const fixes = taken.map(({ fix }) => fix);
          emit(companyId, run, tracker.pushAll(isHanded(run) ? ownFixes(run, fixes) : fixes));
          if (tracker.late > late)
            running.set(keyOf(run), {
              companyId,
              trip: run.trip,
              tracker: await evaluate(companyId, run, timeZone, own, boundary),
            });
          if (boundary >= run.to) running.delete(keyOf(run));
        }
      }
      return events;
    },

    async tick(at, waiting) {
      const last = boundaryOf(at.before);
      const { events, boundary, emit, trackerBefore, follow } = gather(at, waiting);
      if (boundary === last) return [];
      const since = Math.max(last, boundary - LONGEST_PAUSE_MS);
      for (const companyId of [...companies.keys()].sort()) {
        const { timeZone, units } = companies.get(companyId)!;
        const own = units.get(partition) ?? new Map<string, readonly FollowedTrip[]>();
        for (const unitId of [...own.keys()].sort())
          for (const run of inOrder(own.get(unitId)!.filter(kind.follows), timeZone, since, boundary)) {
            if (run.window.from > boundary || run.to <= since) continue;
            if (isHanded(run)) {
              await follow(companyId, run, timeZone);
              continue;
            }
            const tracker = await trackerBefore(companyId, run, timeZone, last);
            if (tracker === null) continue;
            emit(companyId, run, tracker.advance(Math.min(boundary, run.to)));
            if (boundary >= run.to) running.delete(keyOf(run));
            await turn();
          }
      }
      return events;
    },
  };
}

const chargesKnown = new WeakMap<FollowedTrip, Map<string, readonly Charge[]>>();

/** Who is in charge of a run, in order of time. */
function chargesIn(trip: FollowedTrip, date: string): readonly Charge[] {
  const byDate = chargesKnown.get(trip) ?? new Map<string, readonly Charge[]>();
  chargesKnown.set(trip, byDate);
  const charges = byDate.get(date) ?? chargesOf(trip.unit.id, runChanges(trip, date));
  byDate.set(date, charges);
  return charges;
}

/** The units that took over a run, each with the time in which it is in charge; the trip's own unit is not among them. */
function handedUnits(trip: FollowedTrip, date: string): readonly Charge[] {
  return chargesIn(trip, date).filter(({ unitId }) => unitId !== trip.unit.id);
}

/** The fixes of the trip's unit while it is in charge, with its id. */
function ownFixes({ trip, date }: TripWindow, fixes: readonly Fix[]): Fix[] {
  const own = chargesIn(trip, date).filter(({ unitId }) => unitId === trip.unit.id);
  return fixes
    .filter(({ time }) => own.some(({ from, to }) => Math.round(time) >= from && Math.round(time) < to))
    .map((fix) => withUnit(fix, trip.unit.id));
}

function mergedUnits(run: TripWindow, own: readonly Fix[], others: readonly UnitFix[]): Fix[] {
  const named = others.map(({ unitId, fix }) => withUnit(fix, unitId));
  return [...ownFixes(run, own), ...named].sort((a, b) => a.time - b.time);
}

function withUnit(fix: Fix, unitId: string): Fix & { readonly unitId: string } {
  return { ...fix, unitId };
}

/** The runs whose span overlaps `from` to `to`, in an order that does not depend on how the trips were read. */
function inOrder(trips: readonly FollowedTrip[], timeZone: string, from: number, to: number): TripWindow[] {
  return byId(trips).flatMap((trip) => windowsAt(trip, timeZone, from, to));
}

function byId(trips: readonly FollowedTrip[]): FollowedTrip[] {
  return [...trips].sort((a, b) => (a.id < b.id ? -1 : 1));
}
