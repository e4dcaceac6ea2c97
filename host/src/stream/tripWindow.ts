/** Finds the runs of trips that overlap a span of time. */

import { WayzoneError } from 'wayzone';
import type { TripPlan } from 'wayzone/trips';
import { windowOf } from './runChanges.js';
import type { FollowedTrip } from './tripSource.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** One date of a trip. */
export interface TripWindow {
  readonly trip: FollowedTrip;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  readonly window: TripPlan['window'];
  /** The span of fixes that evaluate the run, epoch milliseconds: from a day before its window to an hour after it. */
  readonly from: number;
  readonly to: number;
}

/** The span of fixes that a report needs: a visit may be under way when the window opens, and the first fix after it shows a sleep. */
export function spanOf({ from, to }: TripPlan['window']): { readonly from: number; readonly to: number } {
  return { from: from - DAY_MS, to: to + HOUR_MS };
}

interface Known {
  readonly byDate: Map<string, TripWindow | null>;
  readonly days: readonly { readonly date: string; readonly time: number }[];
  /** Bounds in milliseconds: how far a run's span may reach before and after the beginning of its day in UTC. */
  readonly before: number;
  readonly after: number;
}

/** Plans by trip. They stay valid because a company's time zone does not change. */
const known = new WeakMap<FollowedTrip, Known>();

/** The runs whose span overlaps `from` to `to`, in order of their dates. Empty for a trip that cannot be planned. */
export function windowsAt(trip: FollowedTrip, timeZone: string, from: number, to: number): TripWindow[] {
  const about = known.get(trip) ?? learn(trip);
  return about.days.flatMap(({ date, time }) => {
    if (time - about.before > to || time + about.after < from) return [];
    const run = runOf(trip, date, timeZone, about);
    return run !== null && run.from <= to && run.to >= from ? [run] : [];
  });
}

/** The runs of these dates, in their order. Dates on which the trip does not run are left out. */
export function windowsOn(trip: FollowedTrip, timeZone: string, dates: ReadonlySet<string>): TripWindow[] {
  const about = known.get(trip) ?? learn(trip);
  return about.days.flatMap(({ date }) => {
    const run = dates.has(date) ? runOf(trip, date, timeZone, about) : null;
    return run === null ? [] : [run];
  });
}

function learn(trip: FollowedTrip): Known {
  const times = trip.points.flatMap(({ arrival, departure }) => [arrival, departure]);
  const most = (name: 'after_days' | 'deviation_minutes'): number =>
    Math.max(
      0,
      ...times.map((time) => Number((time as Record<string, unknown> | undefined)?.[name] ?? 0) || 0),
    );
  const slack = 4 * DAY_MS + most('deviation_minutes') * 60_000;
  const days = [...new Set(trip.dates.map((date) => date.slice(0, 10)))]
    .sort()
    .map((date) => ({ date, time: Date.parse(`${date}T00:00:00Z`) }));
  const about = { byDate: new Map(), days, before: slack, after: slack + most('after_days') * DAY_MS };
  known.set(trip, about);
  return about;
}

/** null if the trip cannot be planned on this date. */
function runOf(trip: FollowedTrip, date: string, timeZone: string, { byDate }: Known): TripWindow | null {
  const planned = byDate.get(date);
  if (planned !== undefined) return planned;
  let run: TripWindow | null = null;
  try {
    const window = windowOf(trip, date, timeZone);
    run = { trip, date, window, ...spanOf(window) };
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  byDate.set(date, run);
  return run;
}
