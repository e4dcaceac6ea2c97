/** The row of planned trips: a `TripTracker` for each run whose span the unit has reached and not left. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { TripSnapshot } from '../trips/tripSnapshot.js';
import { TripTracker } from '../trips/tripTracker.js';
import { TRIP_TRACKER_OPTIONS } from '../trips/tripTrackerOptions.js';
import { describedRuns, reviseRun, runEvent } from './runEvents.js';
import type { RunWindow } from './runWindows.js';
import type { RebuildDemand } from './unitMessage.js';
import type { OfRun, UnitEvents } from './unitOutput.js';
import type { History, Moment, Rebuilt, UnitFollower, UnitRow, UnitScope } from './unitRow.js';

/** Times are rounded down to a multiple of this, so that a run costs at most one evaluation in it. */
const EVERY_MS = 30_000;

/** A run under way. `tracker` is `null` while the run waits for a rebuild. */
interface Run {
  readonly window: RunWindow;
  readonly tracker: TripTracker | null;
}

interface TripFollower extends UnitFollower<'trips'> {
  readonly runs: ReadonlyMap<string, Run>;
}

type Event = UnitEvents['trips'];

export const TRIP_ROW: UnitRow<'trips'> = {
  name: 'trips',
  open: (scope, stored) => follow(scope, storedRuns(scope, stored)),
  rebuild: (scope, known, history) => rebuild(scope, (known as TripFollower).runs, history),
};

function follow(scope: UnitScope, runs: Map<string, Run>): TripFollower {
  const { unitId, places, windows, latenessMs } = scope;
  const trips = places.trips?.(unitId) ?? [];
  const timeZone = places.timeZone ?? 'UTC';
  const eventsOf = (run: Run, events: ReturnType<TripTracker['advance']>): Event[] =>
    events.map((event) => runEvent(ofRun(unitId, run.window), event));
  /** Begins the runs that the unit has reached. A run whose fixes have passed waits for them. */
  const begin = ({ before, reached }: Moment): void => {
    if (trips.length === 0 || !Number.isFinite(reached)) return;
    const since = (Number.isFinite(before) ? before : reached) - latenessMs;
    for (const window of windows.within(trips, timeZone, since, reached)) {
      const key = keyOf(window);
      if (runs.has(key) || window.to <= since) continue;
      const isMissed = Number.isFinite(before) && window.from <= before;
      runs.set(key, { window, tracker: isMissed ? null : trackerOf(scope, window) });
    }
  };
  /** Ends the runs of which no more fix can be taken. */
  const end = (reached: number): Event[] => {
    const events: Event[] = [];
    for (const [key, run] of inOrder(runs)) {
      if (run.tracker === null || run.window.to > reached - latenessMs) continue;
      events.push(...eventsOf(run, run.tracker.advance(run.window.to)));
      runs.delete(key);
    }
    return events;
  };

  begin({ before: scope.reached, reached: scope.reached });
  return {
    runs,
    push(fix, receivedAt, moment) {
      begin(moment);
      const events: Event[] = [];
      const options = receivedAt === undefined ? {} : { receivedAt };
      for (const [, run] of inOrder(runs))
        if (run.tracker !== null && isIn(run.window, fix))
          events.push(...eventsOf(run, run.tracker.push(fix, options)));
      return [...events, ...end(moment.reached)];
    },
    advance(_time, moment) {
      begin(moment);
      const at = boundaryOf(moment.reached);
      const events: Event[] = [];
      if (at > boundaryOf(moment.before))
        for (const [, run] of inOrder(runs))
          if (run.tracker !== null)
            events.push(...eventsOf(run, run.tracker.advance(Math.min(at, run.window.to))));
      return [...events, ...end(moment.reached)];
    },
    get demand() {
      return demandOf(runs);
    },
    wakeAt(reached) {
      const opening = windows.nextOpening(trips, timeZone, reached);
      const isOpen = [...runs.values()].some(
        ({ tracker, window }) => tracker !== null && window.opens <= reached,
      );
      const next = isOpen && Number.isFinite(reached) ? boundaryOf(reached) + EVERY_MS : null;
      if (opening === null) return next;
      const opens = Math.ceil(opening / EVERY_MS) * EVERY_MS;
      return next === null ? opens : Math.min(next, opens);
    },
    state: () =>
      runs.size === 0
        ? null
        : {
            runs: inOrder(runs).map(([, { window, tracker }]) => ({
              trip: window.trip.id,
              date: window.date,
              snapshot: tracker?.snapshot() ?? null,
            })),
          },
  };
}

/** The runs of a state whose trips still exist. A run whose trip was edited waits for a rebuild. */
function storedRuns(scope: UnitScope, stored: StateReader | null): Map<string, Run> {
  const { unitId, places, windows } = scope;
  const runs = new Map<string, Run>();
  if (stored === null) return runs;
  const trips = new Map((places.trips?.(unitId) ?? []).map((trip) => [trip.id, trip]));
  for (const reader of stored.children('runs')) {
    const trip = trips.get(reader.text('trip'));
    const window =
      trip === undefined ? null : windows.on(trip, places.timeZone ?? 'UTC', reader.text('date'));
    if (trip === undefined || window === null) continue;
    const snapshot = reader.childOrNull('snapshot') === null ? null : reader.plain('snapshot');
    runs.set(keyOf(window), { window, tracker: snapshot === null ? null : restored(trip, snapshot) });
  }
  return runs;
}

function restored(trip: RunWindow['trip'], snapshot: object): TripTracker | null {
  try {
    return TripTracker.restore(trip, snapshot as TripSnapshot);
  } catch (error) {
    if (error instanceof WayzoneError && error.code === 'state-trip') return null;
    throw error;
  }
}

/** Evaluates runs over their fixes: those that wait, or all that the fixes reach. */
function rebuild(
  scope: UnitScope,
  known: ReadonlyMap<string, Run>,
  { fixes, events, of }: History,
): Rebuilt<'trips'> {
  const { unitId, places, windows, reached, latenessMs } = scope;
  const runs = new Map(of === 'all' ? [] : known);
  const emitted = describedRuns(events as readonly Event[]);
  const revised: Event[] = [];
  const first = Math.min(fixes[0]?.time ?? reached, reached);
  const trips = places.trips?.(unitId) ?? [];
  const seen = of === 'trips' ? [] : windows.within(trips, places.timeZone ?? 'UTC', first, reached);
  const waiting = [...known.values()].flatMap((run) => (run.tracker === null ? [run.window] : []));
  for (const window of new Map([...seen, ...waiting].map((one) => [keyOf(one), one])).values()) {
    const tracker = trackerOf(scope, window);
    tracker.pushAll(fixes.filter((fix) => isIn(window, fix)));
    const isOver = window.to <= reached - latenessMs;
    if (isOver) tracker.advance(window.to);
    else if (Number.isFinite(reached)) tracker.advance(Math.min(boundaryOf(reached), window.to));
    const run = ofRun(unitId, window);
    revised.push(...reviseRun(run, emitted.get(keyOf(window)) ?? [], tracker.report().events));
    if (isOver) runs.delete(keyOf(window));
    else runs.set(keyOf(window), { window, tracker });
  }
  return { follower: follow(scope, runs), events: revised };
}

function trackerOf({ options, places }: UnitScope, { trip, date }: RunWindow): TripTracker {
  const { timeZone = 'UTC' } = places;
  return new TripTracker(trip, date, { ...pickOptions(options, TRIP_TRACKER_OPTIONS), timeZone });
}

function demandOf(runs: ReadonlyMap<string, Run>): RebuildDemand | null {
  const waiting = [...runs.values()].filter(({ tracker }) => tracker === null);
  if (waiting.length === 0) return null;
  return { of: 'trips', from: Math.min(...waiting.map(({ window }) => window.from)) };
}

function ofRun(unitId: string, { trip, date }: RunWindow): OfRun {
  return { unitId, tripId: trip.id, date };
}

function keyOf({ trip, date }: Pick<RunWindow, 'trip' | 'date'>): string {
  return JSON.stringify([trip.id, date]);
}

/** An order that does not depend on when the runs began. */
function inOrder(runs: ReadonlyMap<string, Run>): [string, Run][] {
  return [...runs].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isIn({ from, to }: RunWindow, { time }: Fix): boolean {
  const rounded = Math.round(time);
  return rounded >= from && rounded <= to;
}

function boundaryOf(time: number): number {
  return Math.floor(time / EVERY_MS) * EVERY_MS;
}
