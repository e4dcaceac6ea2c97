/**
 * Follows the runs of a cell's trips: their points (`unitParts.ts`), and their way along a route (`routeKind.ts`). After each message
 * the emitted events of a run equal those of an evaluation over all fixes so far in the run's span. Therefore no state is stored: a
 * restart evaluates the stored fixes again and compares the result with the stored events.
 *
 * A run that was handed over stays in the cell of its trip's unit. The fixes of the unit that took over may be of another cell: they are
 * read from the store with every tick, so that their events come up to half a minute later.
 */

import { setImmediate as turn } from 'node:timers/promises';
import {
  followRun,
  type OperatorOptions,
  type RunTracker,
  type RunWindow,
  runWindows,
} from 'wayzone/operator';
import type { CoreEvent } from './cellCore.js';
import type { CellPart } from './cellMap.js';
import type { EachUnit } from './eachUnit.js';
import type { FixesMessage } from './message.js';
import {
  type EvaluationOptions,
  handedFixes,
  isHanded,
  isIn,
  ownFixes,
  type RunKind,
  runEvaluation,
  type Waiting,
} from './runEvaluation.js';
import { isRunEvent, type RunEvent } from './streamEvent.js';
import type { FollowedTrip, VersionedTrips } from './tripSource.js';

/** Events that depend on time alone (overdue, aborted) are emitted when the clock passes a multiple of this. */
const EVERY_MS = 30_000;
/** After a longer pause of the clock, a tick evaluates only the runs of the last part of this length. */
const LONGEST_PAUSE_MS = 7 * 86_400_000;

export interface TripRunsOptions extends EvaluationOptions {
  readonly part: CellPart;
  readonly each: EachUnit;
}

/** A message of the log, the clock then, and the number of its next event. */
export interface AtClock {
  readonly seq: number;
  readonly clock: number;
  readonly ordinal: number;
}

/** A tick raised the clock from `before`. */
export interface AtTick extends AtClock {
  readonly before: number;
}

interface Running {
  readonly companyId: string;
  readonly trip: FollowedTrip;
  /** null: the run cannot be followed. */
  readonly tracker: RunTracker<RunEvent> | null;
  /** Number of stored fixes of the units that took over. */
  readonly handed?: number;
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
    at: AtClock,
    waiting: Waiting,
  ): Promise<readonly CoreEvent[]>;
  /** Applies the fixes of message `seq` at the clock of the log (epoch milliseconds). The events are numbered from `ordinal` on. */
  take(message: FixesMessage, at: AtClock, waiting: Waiting): Promise<readonly CoreEvent[]>;
  /** Follows a unit no more. */
  forget(unitId: string): void;
  /** Evaluates the runs of a unit again whose fixes since `from` were not applied. */
  resume(
    unit: { readonly companyId: string; readonly unitId: string; readonly from: number; readonly to: number },
    at: AtClock,
    waiting: Waiting,
  ): Promise<readonly CoreEvent[]>;
  /** Applies tick `seq`, which raised the clock from `before`. */
  tick(at: AtTick, waiting: Waiting): Promise<readonly CoreEvent[]>;
}

/** The runs of all trips. Their plans stay valid because a company's time zone does not change. */
const windows = runWindows();

/** The points of runs. */
export function tripKind(latenessSeconds: number): RunKind {
  return {
    follows: () => true,
    owns: (event) => !('kind' in event),
    tracker: async (_companyId, run, timeZone) =>
      followRun('trips', run, { timeZone }, runOptions(latenessSeconds)) as RunTracker<RunEvent> | null,
  };
}

/** A run takes any time of a device's clock, so that the order of arrival does not matter. */
export function runOptions(latenessSeconds: number): OperatorOptions {
  return { latenessSeconds, maxAheadSeconds: Number.POSITIVE_INFINITY };
}

/** The last multiple of `EVERY_MS` up to `clock`. -Infinity before the first tick. */
export function boundaryOf(clock: number): number {
  return Math.floor(clock / EVERY_MS) * EVERY_MS;
}

export function tripRuns(options: TripRunsOptions): TripRuns {
  const { part, kind, store, each } = options;
  const companies = new Map<string, VersionedTrips>();
  /** The runs under way, by unit, trip and date. */
  const running = new Map<string, Running>();

  const gather = (at: AtClock, waiting: Waiting) => {
    const evaluation = runEvaluation(options, at, waiting);
    /** The tracker of a run as it was before this message. */
    const trackerBefore = async (
      companyId: string,
      run: RunWindow,
      timeZone: string,
      until: number,
    ): Promise<RunTracker<RunEvent> | null> => {
      const known = running.get(keyOf(run));
      if (known?.trip === run.trip) return known.tracker;
      const tracker = await evaluation.evaluate(companyId, run, timeZone, until);
      running.set(keyOf(run), { companyId, trip: run.trip, tracker });
      return tracker;
    };
    const boundary = boundaryOf(at.clock);
    /** Advances a run that was handed over: evaluates it again if fixes of the unit that took over were stored. */
    const follow = async (companyId: string, run: RunWindow, timeZone: string): Promise<void> => {
      const key = keyOf(run);
      const known = running.get(key);
      const handed = (await handedFixes(store, companyId, run)).length;
      if (known?.trip === run.trip && known.handed === handed && known.tracker !== null)
        evaluation.emit(companyId, run, known.tracker.advance(Math.min(boundary, run.to)));
      else {
        const tracker = await evaluation.evaluate(companyId, run, timeZone, boundary);
        running.set(key, { companyId, trip: run.trip, tracker, handed });
      }
      if (boundary >= run.to) running.delete(key);
      await turn();
    };
    return { ...evaluation, boundary, trackerBefore, follow };
  };

  return {
    forget(unitId) {
      for (const [key, { trip }] of running) if (trip.unit.id === unitId) running.delete(key);
    },

    async resume({ companyId, unitId, from, to }, at, waiting) {
      const company = companies.get(companyId);
      const trips = company?.unitsOf(part).get(unitId)?.filter(kind.follows);
      if (company === undefined || trips === undefined) return [];
      const { events, boundary, evaluate } = gather(at, waiting);
      // Edits of its trips were not applied either.
      const since = Math.min(from, Number.isFinite(boundary) ? boundary - LONGEST_PAUSE_MS : from);
      for (const run of windows.within(trips, company.timeZone, since, Math.max(to, boundary))) {
        const tracker = await evaluate(companyId, run, company.timeZone, boundary);
        if (boundary < run.to) running.set(keyOf(run), { companyId, trip: run.trip, tracker });
      }
      return events;
    },

    open: (companyId, trips) => void companies.set(companyId, trips),

    async change(companyId, trips, at, waiting) {
      const before = companies.get(companyId)?.unitsOf(part);
      const units = trips.unitsOf(part);
      companies.set(companyId, trips);
      for (const [key, { trip, companyId: own }] of running)
        if (own === companyId && units?.get(trip.unit.id)?.includes(trip) !== true) running.delete(key);
      const { events, boundary, evaluate } = gather(at, waiting);
      for (const { unitId, trip } of editedTrips(before, units, kind))
        await each({ companyId, unitId }, async () => {
          const waits = waitingDates(waiting, kind, unitId, trip.id);
          const since = boundary - LONGEST_PAUSE_MS;
          // A run without events may have some by the edit, also when its window is over.
          const dates = [...datesWithin(trip, trips.timeZone, since, boundary), ...waits];
          for (const date of new Set(
            [...(await store.tripDatesOf(companyId, unitId, trip.id)), ...dates].sort(),
          )) {
            const run = windows.on(trip, trips.timeZone, date);
            if (run === null || run.to < since) continue;
            const tracker = await evaluate(companyId, run, trips.timeZone, boundary);
            if (boundary < run.to) running.set(keyOf(run), { companyId, trip, tracker });
          }
        });
      return events;
    },

    async take(message, at, waiting) {
      const { companyId } = message;
      const company = companies.get(companyId);
      const units = company?.unitsOf(part);
      if (company === undefined || units === undefined) return [];
      const { timeZone } = company;
      const { events, boundary, emit, evaluate, trackerBefore } = gather(at, waiting);
      for (const unitId of new Set(message.fixes.map((one) => one.unitId))) {
        const trips = units.get(unitId)?.filter(kind.follows);
        if (trips === undefined) continue;
        const own = message.fixes.filter((one) => one.unitId === unitId);
        const times = own.map(({ fix }) => Math.round(fix.time));
        await each({ companyId, unitId }, async () => {
          for (const run of windows.within(trips, timeZone, Math.min(...times), Math.max(...times))) {
            const taken = own.filter(({ fix }) => isIn(run, fix));
            if (taken.length === 0) continue;
            const tracker = await trackerBefore(companyId, run, timeZone, boundary);
            if (tracker === null) continue;
            const { late } = tracker;
            const fixes = taken.map(({ fix }) => fix);
            emit(companyId, run, tracker.pushAll(isHanded(run) ? ownFixes(run, fixes) : fixes, undefined));
            if (tracker.late > late)
              running.set(keyOf(run), {
                companyId,
                trip: run.trip,
                tracker: await evaluate(companyId, run, timeZone, boundary),
              });
            if (boundary >= run.to) running.delete(keyOf(run));
          }
        });
      }
      return events;
    },

    async tick(at, waiting) {
      const last = boundaryOf(at.before);
      const { events, boundary, emit, trackerBefore, follow } = gather(at, waiting);
      if (boundary === last) return [];
      const since = Math.max(last, boundary - LONGEST_PAUSE_MS);
      for (const companyId of [...companies.keys()].sort()) {
        const { timeZone, unitsOf } = companies.get(companyId)!;
        const own = unitsOf(part);
        for (const unitId of [...own.keys()].sort())
          await each({ companyId, unitId }, async () => {
            const trips = own.get(unitId)!.filter(kind.follows);
            for (const run of windows.within(trips, timeZone, since, boundary)) {
              if (run.opens > boundary || run.to <= since) continue;
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
          });
      }
      return events;
    },
  };
}

/** The dates of a trip whose runs overlap `from` to `to`; none without a clock. */
function datesWithin(trip: FollowedTrip, timeZone: string, from: number, to: number): string[] {
  return Number.isFinite(to) ? windows.within([trip], timeZone, from, to).map(({ date }) => date) : [];
}

const keyOf = ({ trip, date }: RunWindow): string => JSON.stringify([trip.unit.id, trip.id, date]);

type UnitTrips = ReadonlyMap<string, readonly FollowedTrip[]>;

/** The trips of both versions that differ, by unit. */
function* editedTrips(
  before: UnitTrips | undefined,
  after: UnitTrips | undefined,
  kind: RunKind,
): Generator<{ readonly unitId: string; readonly trip: FollowedTrip }> {
  for (const unitId of [...(before?.keys() ?? [])].sort())
    for (const trip of byId(after?.get(unitId) ?? []).filter(kind.follows)) {
      const known = before?.get(unitId)?.find(({ id }) => id === trip.id);
      if (known !== undefined && known !== trip && JSON.stringify(known) !== JSON.stringify(trip))
        yield { unitId, trip };
    }
}

/** The dates of a trip whose events wait for a checkpoint. */
function waitingDates(waiting: Waiting, kind: RunKind, unitId: string, tripId: string): string[] {
  return waiting.events.flatMap(({ event }) =>
    isRunEvent(event) && kind.owns(event) && event.unitId === unitId && event.tripId === tripId
      ? [event.date]
      : [],
  );
}

function byId(trips: readonly FollowedTrip[]): FollowedTrip[] {
  return [...trips].sort((a, b) => (a.id < b.id ? -1 : 1));
}
