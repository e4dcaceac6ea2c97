/** The runs of planned trips of one unit: a tracker for each run whose span the unit has entered and not left. */

import type { Fix } from '../core/fix.js';
import type { Trip } from '../core/trip.js';
import { otherUnitOf } from './chargesOf.js';
import type { Moment, RunHistory, RunPart, RunScope, RunWindow, UnitScope } from './runWindows.js';
import type { RebuildDemand } from './unitMessage.js';
import type { UnitEvents } from './unitOutput.js';

/** Clock step, milliseconds: `advance` rounds times down to a multiple of it, so that a run is evaluated at most once in each step. */
const EVERY_MS = 30_000;

/** A run that is followed fix by fix. */
export interface RunTracker<Event> {
  /** Takes a fix, and returns the events that became certain. */
  push(fix: Fix, receivedAt: number | undefined): readonly Event[];
  /** Takes many fixes, and evaluates the run once. */
  pushAll(fixes: readonly Fix[], receivedAt: number | undefined): readonly Event[];
  /** Number of fixes that were too late. */
  readonly late: number;
  /** Sets the clock, epoch milliseconds. */
  advance(time: number): readonly Event[];
  /** The events that turn `emitted` into the events of all fixes so far. Do not call it on a restored tracker. */
  changesFrom(emitted: readonly Event[]): readonly Event[];
  /** The state as plain JSON. */
  snapshot(): object;
}

/** A way to follow runs: by the points of the trip, or along its route. */
export interface RunKind<Part extends RunPart> {
  readonly name: Part;
  /** Whether time alone gives events. If `true`, `advance` gets multiples of `EVERY_MS`; else the exact millisecond. */
  readonly hasTimer: boolean;
  follows(scope: RunScope, trip: Trip): boolean;
  /** Whether a run takes a fix of another unit. */
  takes(window: RunWindow, fix: Fix): boolean;
  /** Start of the fixes that a run needs, epoch milliseconds. */
  fromOf(window: RunWindow): number;
  begin(scope: RunScope, window: RunWindow): RunTracker<UnitEvents[Part]>;
  /** The tracker restored from a snapshot; `null` if the trip was edited since. */
  restore(scope: RunScope, window: RunWindow, snapshot: object): RunTracker<UnitEvents[Part]> | null;
}

/** A run under way. `tracker` is `null` while the run waits for a rebuild. */
interface Run<Part extends RunPart> {
  readonly window: RunWindow;
  readonly tracker: RunTracker<UnitEvents[Part]> | null;
}

/** The stored form of all runs of a part. */
interface RunsState {
  readonly runs: readonly {
    readonly trip: string;
    readonly date: string;
    readonly snapshot: object | null;
  }[];
}

type Runs<Part extends RunPart> = ReadonlyMap<string, Run<Part>>;

interface RebuiltRuns<Part extends RunPart> {
  readonly follower: FollowedRuns<Part>;
  readonly events: readonly UnitEvents[Part][];
}

/** `stored`: the `state()` of an earlier `FollowedRuns`, or `null`. */
export function openRuns<Part extends RunPart>(
  kind: RunKind<Part>,
  scope: UnitScope,
  stored: object | null,
): FollowedRuns<Part> {
  return new FollowedRuns(kind, scope, storedRuns(kind, scope, stored));
}

/** The runs whose span the unit has entered and not left, and the runs that wait for a rebuild, while one message is applied. */
export class FollowedRuns<Part extends RunPart> {
  readonly #kind: RunKind<Part>;
  readonly #scope: UnitScope;
  readonly #timeZone: string;
  readonly #trips: readonly Trip[];
  readonly #runs: Map<string, Run<Part>>;

  constructor(kind: RunKind<Part>, scope: UnitScope, runs: Map<string, Run<Part>>) {
    this.#kind = kind;
    this.#scope = scope;
    this.#timeZone = timeZoneOf(scope);
    this.#trips = tripsOf(kind, scope);
    this.#runs = runs;
    this.#begin({ before: scope.reached, reached: scope.reached });
  }

  get name(): Part {
    return this.#kind.name;
  }

  /** The history that the waiting runs need; `null` if no run waits. */
  get demand(): RebuildDemand | null {
    const waiting = [...this.#runs.values()].filter(({ tracker }) => tracker === null);
    if (waiting.length === 0) return null;
    return { of: 'trips', from: Math.min(...waiting.map(({ window }) => this.#kind.fromOf(window))) };
  }

  /** Takes a fix that is not late, and returns the events that became certain. */
  push(fix: Fix, receivedAt: number | undefined, moment: Moment): UnitEvents[Part][] {
    this.#begin(moment);
    const events: UnitEvents[Part][] = [];
    for (const [, { window, tracker }] of runsInOrder(this.#runs))
      if (tracker !== null && isIn(this.#kind, window, fix)) events.push(...tracker.push(fix, receivedAt));
    return [...events, ...this.#end(moment.reached)];
  }

  /** Takes a fix of another unit that may have taken over runs. `reached`: time reached by the unit of the key, epoch milliseconds. */
  take(fix: Fix, receivedAt: number | undefined, reached: number): UnitEvents[Part][] {
    const kind = this.#kind;
    const time = Math.round(fix.time);
    if (this.#trips.length === 0 || !Number.isFinite(time)) return [];
    const events: UnitEvents[Part][] = [];
    for (const window of this.#within(time, time)) {
      if (!kind.takes(window, fix)) continue;
      const key = keyOf(window);
      const run = this.#runs.get(key);
      const isMissed = Number.isFinite(reached) && kind.fromOf(window) <= reached;
      const isNew = run === undefined && !isMissed;
      const tracker = isNew ? kind.begin(this.#scope, window) : (run?.tracker ?? null);
      const late = tracker?.late ?? 0;
      if (tracker !== null) events.push(...tracker.push(fix, receivedAt));
      // A late fix, or a fix of a run that is over, is counted when the run is rebuilt from the history.
      this.#runs.set(key, { window, tracker: tracker === null || tracker.late > late ? null : tracker });
    }
    return events;
  }

  /** Takes a clock time, and returns the events that became certain. */
  advance(moment: Moment): UnitEvents[Part][] {
    this.#begin(moment);
    const timeOf = (time: number): number => (this.#kind.hasTimer ? boundaryOf(time) : time);
    const at = timeOf(moment.reached);
    const events: UnitEvents[Part][] = [];
    if (at > timeOf(moment.before)) {
      for (const [, { window, tracker }] of runsInOrder(this.#runs))
        if (tracker !== null)
          events.push(...tracker.advance(Math.min(at, endOf(this.#kind, this.#scope, window))));
    }
    return [...events, ...this.#end(moment.reached)];
  }

  /** The earliest time, epoch milliseconds, at which a time input may give an event although no fix arrives; `null`: none. */
  wakeAt(reached: number): number | null {
    if (!this.#kind.hasTimer) return null;
    const opening = this.#scope.windows.nextOpening(this.#trips, this.#timeZone, reached);
    const isOpen = [...this.#runs.values()].some(
      ({ tracker, window }) => tracker !== null && window.opens <= reached,
    );
    const next = isOpen && Number.isFinite(reached) ? boundaryOf(reached) + EVERY_MS : null;
    if (opening === null) return next;
    const opens = Math.ceil(opening / EVERY_MS) * EVERY_MS;
    return next === null ? opens : Math.min(next, opens);
  }

  /** The first fix time, epoch milliseconds, of the runs that a fix at `time` can change; Infinity if it changes none. */
  spanFrom(time: number): number {
    if (time === Number.POSITIVE_INFINITY) return time;
    const reached = this.#within(time, Math.max(time, this.#scope.reached));
    return Math.min(...reached.map((window) => this.#kind.fromOf(window)));
  }

  /** The runs computed again from the history, and the events that turn the emitted events into the new ones. */
  rebuild(present: UnitScope, history: RunHistory<Part>): RebuiltRuns<Part> {
    return rebuild(this.#kind, present, this.#runs, history);
  }

  /** The runs as plain JSON; `null` if there are none. */
  state(): RunsState | null {
    if (this.#runs.size === 0) return null;
    return {
      runs: runsInOrder(this.#runs).map(([, { window, tracker }]) => ({
        trip: window.trip.id,
        date: window.date,
        snapshot: tracker?.snapshot() ?? null,
      })),
    };
  }

  #within(from: number, to: number): readonly RunWindow[] {
    return this.#scope.windows.within(this.#trips, this.#timeZone, from, to);
  }

  /** Begins the runs whose span the unit has entered. A run whose first fixes have already passed waits for a rebuild. */
  #begin({ before, reached }: Moment): void {
    if (this.#trips.length === 0 || !Number.isFinite(reached)) return;
    const kind = this.#kind;
    const since = (Number.isFinite(before) ? before : reached) - this.#scope.latenessMs;
    for (const window of this.#within(since, reached)) {
      const key = keyOf(window);
      if (this.#runs.has(key) || window.to <= since) continue;
      const isMissed = Number.isFinite(before) && kind.fromOf(window) <= before;
      this.#runs.set(key, { window, tracker: isMissed ? null : kind.begin(this.#scope, window) });
    }
  }

  /** Ends the runs that no later fix can belong to. */
  #end(reached: number): UnitEvents[Part][] {
    const events: UnitEvents[Part][] = [];
    for (const [key, { window, tracker }] of runsInOrder(this.#runs)) {
      if (tracker === null || window.to > reached - this.#scope.latenessMs) continue;
      events.push(...tracker.advance(endOf(this.#kind, this.#scope, window)));
      this.#runs.delete(key);
    }
    return events;
  }
}

/** The runs of a stored state whose trips still exist. A run whose trip was edited waits for a rebuild. */
function storedRuns<Part extends RunPart>(
  kind: RunKind<Part>,
  scope: UnitScope,
  stored: object | null,
): Map<string, Run<Part>> {
  const runs = new Map<string, Run<Part>>();
  if (stored === null) return runs;
  const trips = new Map(tripsOf(kind, scope).map((trip) => [trip.id, trip]));
  for (const { trip: tripId, date, snapshot } of (stored as RunsState).runs) {
    const trip = trips.get(tripId);
    const window = trip === undefined ? null : scope.windows.on(trip, timeZoneOf(scope), date);
    if (window === null) continue;
    const tracker = snapshot === null ? null : kind.restore(scope, window, snapshot);
    runs.set(keyOf(window), { window, tracker });
  }
  return runs;
}

/** Evaluates runs over their fixes: the waiting runs, and the runs that a late fix can change. */
function rebuild<Part extends RunPart>(
  kind: RunKind<Part>,
  scope: UnitScope,
  known: Runs<Part>,
  { fixes, events, lateFrom, receivedAt }: RunHistory<Part>,
): RebuiltRuns<Part> {
  const { windows, reached, latenessMs } = scope;
  const runs = new Map(known);
  const revised: UnitEvents[Part][] = [];
  const own = fixes.find((fix) => otherUnitOf(fix, scope.unitId) === null);
  const first = Math.max(lateFrom ?? reached, Math.min(own?.time ?? reached, reached));
  const trips = tripsOf(kind, scope);
  const seen = lateFrom === null ? [] : windows.within(trips, timeZoneOf(scope), first, reached);
  const waiting = [...known.values()].flatMap(({ window, tracker }) => (tracker === null ? [window] : []));
  for (const [key, window] of new Map([...seen, ...waiting].map((one) => [keyOf(one), one]))) {
    const tracker = kind.begin(scope, window);
    tracker.pushAll(
      fixes.filter(
        (fix) =>
          isIn(kind, window, fix) && (otherUnitOf(fix, scope.unitId) === null || kind.takes(window, fix)),
      ),
      receivedAt,
    );
    const isOver = window.to <= reached - latenessMs;
    if (isOver) tracker.advance(endOf(kind, scope, window));
    else if (Number.isFinite(reached))
      tracker.advance(Math.min(kind.hasTimer ? boundaryOf(reached) : reached, endOf(kind, scope, window)));
    const emitted = events.filter(({ tripId, date }) => tripId === window.trip.id && date === window.date);
    revised.push(...tracker.changesFrom(emitted));
    if (isOver) runs.delete(key);
    else runs.set(key, { window, tracker });
  }
  return { follower: new FollowedRuns(kind, scope, runs), events: revised };
}

/**
 * The last clock time of a run, epoch milliseconds. Without a timer it includes the lateness, so that no fix of the run is left waiting.
 */
function endOf<Part extends RunPart>(
  { hasTimer }: RunKind<Part>,
  scope: UnitScope,
  { to }: RunWindow,
): number {
  return hasTimer ? to : to + scope.latenessMs;
}

function tripsOf<Part extends RunPart>(kind: RunKind<Part>, scope: UnitScope): readonly Trip[] {
  return (scope.places.trips?.(scope.unitId) ?? []).filter((trip) => kind.follows(scope, trip));
}

function timeZoneOf({ places }: UnitScope): string {
  return places.timeZone ?? 'UTC';
}

function keyOf({ trip, date }: Pick<RunWindow, 'trip' | 'date'>): string {
  return JSON.stringify([trip.id, date]);
}

/** Runs in order of their keys, which does not depend on when they began. */
function runsInOrder<Part extends RunPart>(runs: Runs<Part>): [string, Run<Part>][] {
  return [...runs].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isIn<Part extends RunPart>(kind: RunKind<Part>, window: RunWindow, { time }: Fix): boolean {
  const rounded = Math.round(time);
  return rounded >= kind.fromOf(window) && rounded <= window.to;
}

function boundaryOf(time: number): number {
  return Math.floor(time / EVERY_MS) * EVERY_MS;
}
