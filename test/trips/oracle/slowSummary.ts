/** T39, T40, T42 to T45: overdue points, violations, totals and events. */

import { distanceMeters } from '../../../src/index.js';
import type { PointReport, TripEvent, TripTotals, TripViolation } from '../../../src/trips/index.js';
import { activationKey } from './slowActivation.js';
import { endOf, isOver, type Run } from './slowModel.js';
import { type Case, couldHaveBeen, type Statuses, skipper } from './slowStatus.js';
import { isGap, stepsOf } from './slowSteps.js';
import { turnOf } from './slowTurns.js';

/** T42. */
export function violationsOf(
  run: Run,
  points: readonly PointReport[],
  statuses: Statuses,
  isStarted: boolean,
): TripViolation[] {
  if (!isStarted)
    return statuses.trip === 'not_started' && !run.excused[0]
      ? [{ type: 'not_started', pointIndex: 0, which: null, seconds: null }]
      : [];
  // T47.
  return points.flatMap((point): TripViolation[] => {
    if (run.excused[point.index]) return [];
    const of = (type: TripViolation['type']): TripViolation => ({
      type,
      pointIndex: point.index,
      which: null,
      seconds: null,
    });
    const timed = (type: 'early' | 'late'): TripViolation[] => [
      ...(point.arrivalStatus === type
        ? [{ ...of(type), which: 'arrival' as const, seconds: point.arrivalDeviationSeconds }]
        : []),
      ...(point.departureStatus === type
        ? [{ ...of(type), which: 'departure' as const, seconds: point.departureDeviationSeconds }]
        : []),
    ];
    return [
      ...(point.status === 'skipped' ? [of('skipped')] : []),
      ...(point.status === 'missed' ? [of('missed')] : []),
      ...(point.outOfOrder ? [of('out_of_order')] : []),
      ...timed('early'),
      ...timed('late'),
    ];
  });
}

/** T43. */
export function totalsOf(
  { run, activation, assignment }: Case,
  points: readonly PointReport[],
  finishedAt: number | null,
): TripTotals {
  const count = (status: PointReport['status']): number =>
    points.filter((point) => point.status === status).length;
  const passed = assignment.filter((stay) => stay !== null).length;
  const timesOf = (point: PointReport): unknown[] => [
    ...(point.plannedArrival === null ? [] : [point.arrivalStatus]),
    ...(point.plannedDeparture === null ? [] : [point.departureStatus]),
  ];
  const served = points.filter(({ index }) => assignment[index] !== null);
  return {
    passed,
    skipped: count('skipped'),
    missed: count('missed'),
    noData: count('no_data'),
    excused: count('excused'),
    onTime: served.filter((point) => {
      const times = timesOf(point);
      return times.length > 0 && times.every((status) => status === 'on_time');
    }).length,
    uncertain: served.filter((point) => {
      const times = timesOf(point);
      return times.includes('uncertain') && !times.includes('early') && !times.includes('late');
    }).length,
    distanceMeters:
      activation === null
        ? null
        : distanceOf(
            run,
            Math.max(
              activation.since === null ? run.window.from : activation.start,
              Math.min(activation.start, assignment[0]?.enter ?? activation.start),
            ),
            finishedAt ?? endOf(run),
          ),
  } as TripTotals;
}

/** T43: the way between two times, without the gaps; of a step in part, its share. */
function distanceOf({ fixes, settings }: Run, from: number, to: number): number | null {
  if (fixes === null) return null;
  let meters = 0;
  for (const step of stepsOf(fixes)) {
    if (isGap(step, settings)) continue;
    const [a, b] = [Math.max(from, step.from.time), Math.min(to, step.to.time)];
    if (b <= a) continue;
    meters += (distanceMeters(step.from.place, step.to.place) * (b - a)) / (step.to.time - step.from.time);
  }
  return meters;
}

/** T39: a stay in the point's zone is open at a time; of the first point of `leaving` also one that was left less than `leaveConfirmSeconds` before. */
function isStillAt({ run, stays }: Case, index: number, time: number): boolean {
  const isHeld = index === 0 && activationKey(run) === 'leaving_first_point';
  const confirmMs = isHeld ? run.settings.leaveConfirmSeconds * 1000 : 0;
  return stays.some(
    ({ zone, enter, exit }) =>
      zone === run.points[index]!.zone && enter <= time && (exit === null || time < exit + confirmMs),
  );
}

/** T39: the seconds since due of a pending point, or null. */
export function overdueOf(given: Case, statuses: Statuses, index: number): number | null {
  const { run } = given;
  const due = run.points[index]!.arrival?.due;
  if (statuses.points[index] !== 'pending' || due === undefined || run.now < due) return null;
  if (run.excused[index]) return null;
  if (isStillAt(given, index, run.now)) return null;
  return (run.now - due) / 1000;
}

/** T39: when a point became overdue, or null. */
function overdueAt(given: Case, index: number): number | null {
  const { run, assignment } = given;
  const due = run.points[index]!.arrival?.due;
  const stay = assignment[index];
  // T47, T48: never overdue.
  if (run.excused[index] || (run.isCancelled && !stay)) return null;
  if (due === undefined || due > run.now || (stay && stay.enter <= due)) return null;
  if (isStillAt(given, index, due)) return null;
  return couldHaveBeen(given, index) ? null : due;
}

/** T44's table: the events of one instant, in its order. */
const ORDER: readonly string[] = [
  'point_left',
  'departure_early',
  'departure_late',
  'trip_activated',
  'point_skipped',
  'point_entered',
  'arrival_early',
  'arrival_late',
  'arrival_overdue',
  'point_out_of_order',
  'trip_finished',
  'trip_aborted',
];
const LEAVING = ORDER.slice(0, 3);

/** T44 and T45. */
export function eventsOf(given: Case, statuses: Statuses, points: readonly PointReport[]): TripEvent[] {
  const { run, activation, assignment } = given;
  const { finishedAt, outOfTurn } = statuses;
  const events: TripEvent[] = [];
  const add = (type: TripEvent['type'], time: number | null, pointIndex: number | null): void => {
    if (time !== null) events.push({ type, time, pointIndex });
  };
  if (activation !== null) add('trip_activated', activation.start, null);
  for (const { index, status, arrival, departure, arrivalStatus, departureStatus } of points) {
    add('point_entered', arrival, index);
    if (arrivalStatus === 'early') add('arrival_early', arrival, index);
    if (arrivalStatus === 'late') add('arrival_late', arrival, index);
    add('point_left', departure, index);
    if (departureStatus === 'early') add('departure_early', departure, index);
    const due = run.points[index]!.departure?.due;
    // T44: of an open stay at plan + tolerance, or the entry if later.
    if (departureStatus === 'late') add('departure_late', departure ?? Math.max(due!, arrival!), index);
    const settled = run.settled[index];
    if (settled) for (const { type, time } of settled.events) add(type, time, index);
    else add('arrival_overdue', overdueAt(given, index), index);
    const successor = skipper(given, index);
    if (status === 'skipped' && successor >= 0)
      add('point_skipped', turnOf(run, assignment, successor), index);
  }
  for (const { stop, index } of outOfTurn) add('point_out_of_order', stop.enter, index);
  if (finishedAt !== null) add('trip_finished', finishedAt, null);
  if (statuses.trip === 'aborted') add('trip_aborted', run.window.to, null);
  const end = run.isCancelled ? run.now : isOver(run) ? run.window.to : Number.POSITIVE_INFINITY;
  const over = finishedAt ?? end;
  return events
    .filter(({ type, time }) => time <= over || LEAVING.includes(type))
    .sort(
      (a, b) =>
        a.time - b.time ||
        ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
        (a.pointIndex ?? -1) - (b.pointIndex ?? -1),
    );
}
