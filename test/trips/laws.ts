/** What must hold of every report, whoever wrote it: each law gives what is wrong with a run, null if nothing is, undefined if it says nothing of it. */

import type { Fix } from '../../src/core/fix.js';
import type { TripPointTime } from '../../src/core/trip.js';
import { distanceMeters } from '../../src/index.js';
import { readTrack } from '../../src/tracks/index.js';
import type { TripReport } from '../../src/trips/index.js';
import { DEFAULTS } from './oracle/slowModel.js';
import type { RandomRun } from './randomRuns.js';

export type Judge = (run: RandomRun) => TripReport;

/** A violation without its seconds. */
const blames = ({ violations }: TripReport): string[] =>
  violations.map(({ type, pointIndex, which }) => [type, pointIndex, which ?? ''].join(' ').trim());

const isPlain = ({ options }: RandomRun): boolean => options.now === undefined;

/** Whether the unit was never faster than `reachSpeedKph` by its own fixes. */
function isWithinReach({ fixes, options }: RandomRun): boolean {
  const kph = options.reachSpeedKph ?? DEFAULTS.reachSpeedKph;
  return fixes.every((fix, k) => {
    const before = fixes[k - 1];
    if (!before) return true;
    const meters = distanceMeters([before.lon, before.lat], [fix.lon, fix.lat]);
    return (meters / ((fix.time - before.time) / 1000)) * 3.6 <= kph;
  });
}

/** Removes a run of fixes, so that the step over them is a hole; null if it would be a sleep or too short. */
export function withoutSome(run: RandomRun, from: number, count: number): RandomRun | null {
  const { fixes, options } = run;
  const [before, after] = [fixes[from - 1], fixes[from + count]];
  if (before && after) {
    const meters = distanceMeters([before.lon, before.lat], [after.lon, after.lat]);
    const isLong = after.time - before.time > (options.holeSeconds ?? DEFAULTS.holeSeconds) * 1000;
    if (!isLong || meters <= DEFAULTS.parkedMeters) return null;
  }
  return { ...run, fixes: fixes.filter((_, k) => k < from || k >= from + count) };
}

/** Nobody who is cleared is blamed after fixes are removed. */
export function cleared(
  run: RandomRun,
  from: number,
  count: number,
  judge: Judge,
): string | null | undefined {
  if (!isPlain(run) || !isWithinReach(run)) return undefined;
  const less = withoutSome(run, from, count);
  if (less === null) return undefined;
  const whole = judge(run);
  if (whole.violations.length > 0 || !whole.status.startsWith('finished')) return undefined;
  const after = blames(judge(less));
  return after.length === 0
    ? null
    : `blamed without fixes ${from} to ${from + count - 1}: ${after.join(', ')}`;
}

/** A larger tolerance never adds a violation. */
export function forgiven(run: RandomRun, minutes: number, judge: Judge): string | null | undefined {
  const before = judge(run);
  // The window opens an hour before the least of plan − tolerance (T7): it stays where it was.
  const opens = before.window.from + 3_600_000;
  const wider = (time: TripPointTime | null | undefined, plan: number | null): TripPointTime | null => {
    if (!time || plan === null) return null;
    const own = time.deviation_minutes ?? run.options.defaultDeviationMinutes ?? 0;
    return { ...time, deviation_minutes: Math.max(own, Math.min(own + minutes, (plan - opens) / 60_000)) };
  };
  const points = run.trip.points.map((point, i) => ({
    ...point,
    arrival: wider(point.arrival, before.points[i]!.plannedArrival),
    departure: wider(point.departure, before.points[i]!.plannedDeparture),
  }));
  const after = judge({ ...run, trip: { ...run.trip, points } });
  if (before.window.from !== after.window.from || before.window.to !== after.window.to) return undefined;
  // The first point may have been visited in a hole by the larger tolerance only: then the run begins where none did.
  if (before.activation !== after.activation || before.activatedAt !== after.activatedAt) return undefined;
  if (after.violations.length <= before.violations.length) return null;
  return `${blames(before).join(', ') || 'none'} becomes ${blames(after).join(', ')} with ${minutes} more minutes`;
}

/** The run some days and hours later: another date, and a time zone of another offset. */
export function shifted({ trip, date, fixes, options }: RandomRun, days: number, hours: number): RandomRun {
  const ms = days * 86_400_000 + hours * 3_600_000;
  const later = (text: string): string =>
    new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10);
  return {
    trip: { ...trip, dates: trip.dates.map(later) },
    date: later(date),
    fixes: fixes.map((fix) => ({ ...fix, time: fix.time + ms })),
    options: {
      ...options,
      timeZone: `Etc/GMT${hours < 0 ? '' : '+'}${hours}`,
      ...(options.now === undefined ? {} : { now: options.now + ms }),
    },
  };
}

/** A report whose times are earlier by these milliseconds, and without what names the date. */
export function movedBack(report: TripReport, ms: number): object {
  const text = JSON.stringify({ ...report, date: null, timeZone: null }, (_, value: unknown) =>
    typeof value === 'number' && value > 1e11 ? value - ms : value,
  );
  return JSON.parse(text) as object;
}

/** Adds far positions within a step, as a jam does; `alone`: one position, which leaves the step an ordinary one. */
export function jammed(fixes: readonly Fix[], after: number, count: number): Fix[] {
  const [a, b] = [fixes[after]!, fixes[after + 1]!];
  const wild = Array.from(
    { length: count },
    (_, k): Fix => ({
      time: Math.round(a.time + ((b.time - a.time) * (k + 1)) / (count + 1)),
      lon: a.lon + 9 + k * 1e-5,
      lat: 50.1,
    }),
  );
  return [...fixes.slice(0, after + 1), ...wild, ...fixes.slice(after + 1)];
}

/** The track without the wild positions, whose step is marked by hand. */
export function markedByHand(fixes: readonly Fix[], after: number): ReturnType<typeof readTrack> {
  const track = readTrack(fixes);
  const blind = new Uint8Array(track.length);
  if (track.blind) blind.set(track.blind);
  const to = fixes[after + 1]!.time;
  blind[track.time.indexOf(to)] = 1;
  return { ...track, blind };
}
