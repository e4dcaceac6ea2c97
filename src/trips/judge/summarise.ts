/** The totals, violations and events of a run, from the reports of its points. */

import { type PointStatus, TRIP_EVENT_TYPES, type TripEventType } from '../../core/pointStatus.js';
import type { Settled } from '../seen/settlement.js';
import type { TripStay } from '../seen/tripStay.js';
import type { PointReport, TripEvent, TripTotals, TripViolation } from '../terms/tripReport.js';
import type { Course } from './course.js';

export function totalsOf(points: readonly PointReport[], distanceMeters: number | null): TripTotals {
  const count = (status: PointStatus): number => points.filter((point) => point.status === status).length;
  const served = points.filter(({ visit }) => visit !== null);
  return {
    passed: served.length,
    skipped: count('skipped'),
    missed: count('missed'),
    noData: count('no_data'),
    excused: count('excused'),
    onTime: served.filter(isOnTime).length,
    uncertain: served.filter(isUncertain).length,
    distanceMeters,
  };
}

function isOnTime(point: PointReport): boolean {
  const { plannedArrival, plannedDeparture, arrivalStatus, departureStatus } = point;
  if (plannedArrival === null && plannedDeparture === null) return false;
  return (
    (plannedArrival === null || arrivalStatus === 'on_time') &&
    (plannedDeparture === null || departureStatus === 'on_time')
  );
}

function isUncertain({ arrivalStatus, departureStatus }: PointReport): boolean {
  const statuses = [arrivalStatus, departureStatus];
  return statuses.includes('uncertain') && !statuses.includes('early') && !statuses.includes('late');
}

/** The violations in order of point, then of type as in `ViolationType`; the arrival comes before the departure. */
export function violationsOf(points: readonly PointReport[]): TripViolation[] {
  const violations: TripViolation[] = [];
  for (const point of points) {
    const { index: pointIndex, status } = point;
    const plain = (type: TripViolation['type']): void => {
      violations.push({ type, pointIndex, which: null, seconds: null });
    };
    if (status === 'skipped') plain('skipped');
    if (status === 'missed') plain('missed');
    if (point.outOfOrder) plain('out_of_order');
    for (const type of BLAMED) {
      if (point.arrivalStatus === type) {
        violations.push({ type, pointIndex, which: 'arrival', seconds: point.arrivalDeviationSeconds });
      }
      if (point.departureStatus === type) {
        violations.push({ type, pointIndex, which: 'departure', seconds: point.departureDeviationSeconds });
      }
    }
  }
  return violations;
}

const BLAMED = ['early', 'late'] as const;
/** Events of one instant are ordered by type, then by point. */
const RANKS: ReadonlyMap<TripEventType, number> = new Map(TRIP_EVENT_TYPES.map((type, rank) => [type, rank]));

export interface Outcome {
  readonly points: readonly PointReport[];
  readonly activatedAt: number | null;
  readonly finishedAt: number | null;
  readonly abortedAt: number | null;
  /** When the run is over, or would be. */
  readonly overAt: number;
  readonly outOfTurn: readonly OutOfTurn[];
  /** By point, the time when a successor skipped it. */
  readonly skippedAt: ReadonlyMap<number, number>;
  /** By point, the time when a missing or later arrival became overdue. */
  readonly overdueAt: ReadonlyMap<number, number>;
  /** By point that the unit has not left yet, the time since which its departure is late. */
  readonly lateSince: ReadonlyMap<number, number>;
  /** Events of points that an amendment left as they were. */
  readonly kept: readonly TripEvent[];
}

export function eventsOf(outcome: Outcome): TripEvent[] {
  const { points, activatedAt, finishedAt, abortedAt, overAt, outOfTurn, skippedAt, overdueAt } = outcome;
  const { lateSince, kept } = outcome;
  const events: TripEvent[] = outOfTurn.map(({ time, pointIndex }) => ({
    type: 'point_out_of_order',
    time,
    pointIndex,
  }));
  events.push(...kept);
  const add = (type: TripEventType, time: number | null, pointIndex: number | null): void => {
    if (time !== null) events.push({ type, time, pointIndex });
  };
  add('trip_activated', activatedAt, null);
  add('trip_finished', finishedAt, null);
  add('trip_aborted', abortedAt, null);
  for (const [pointIndex, time] of skippedAt) add('point_skipped', time, pointIndex);
  for (const [pointIndex, time] of overdueAt) add('arrival_overdue', time, pointIndex);
  for (const { index, arrival, departure, arrivalStatus, departureStatus } of points) {
    add('point_entered', arrival, index);
    if (arrivalStatus === 'early' || arrivalStatus === 'late')
      add(`arrival_${arrivalStatus}`, arrival, index);
    add('point_left', departure, index);
    if (departureStatus === 'early' || departureStatus === 'late')
      add(`departure_${departureStatus}`, departure ?? lateSince.get(index) ?? null, index);
  }
  // After the run only the exits of visits that serve a point are events (T45).
  return eventsInOrder(events.filter(({ type, time }) => time <= overAt || LEAVING.has(type)));
}

const LEAVING: ReadonlySet<TripEventType> = new Set(['point_left', 'departure_early', 'departure_late']);

/** Sorts events by time, then by type, then by point. */
export function eventsInOrder(events: TripEvent[]): TripEvent[] {
  return events.sort(
    (a, b) =>
      a.time - b.time || RANKS.get(a.type)! - RANKS.get(b.type)! || (a.pointIndex ?? 0) - (b.pointIndex ?? 0),
  );
}

export interface OutOfTurn {
  readonly time: number;
  /** The first point for which the visit is out of turn. */
  readonly pointIndex: number;
  /** All points of its zone that are judged: each has a violation. */
  readonly points: readonly number[];
}

interface TurnRules {
  /** By point: whether it is `no_data`. */
  readonly isNoData: readonly boolean[];
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
  /** By point: what an amendment left as it was (T49a). */
  readonly settled: readonly (Settled | null)[];
  readonly waits: boolean;
  /** The last time at which a visit may be out of turn. */
  readonly end: number;
}

/**
 * The visits out of turn. Only a seen stop between the activation and the finish (both included) can be one. It serves no point, and no point
 * of its zone was served before it, or could have been.
 *
 * Such a stop is out of turn for a point of its zone if one of these holds: the point is unserved, and a later one is served; the stop begins
 * before the earliest turn of an earlier point; or, with `waits`, an earlier point is unserved.
 */
export function findOutOfTurn(
  stays: readonly TripStay[],
  course: Course,
  { isNoData, excused, settled, waits, end }: TurnRules,
): OutOfTurn[] {
  const { assignment, activation, zones } = course.of;
  if (activation === null) return [];
  const serving = new Set(assignment.map((served) => served?.stay));
  const lastServed = assignment.findLastIndex((served) => served !== null);
  const firstHeld = zones.findIndex((_, i) => assignment[i] === null && !isNoData[i]! && !excused[i]!);
  const pointsOf = new Map<number, number[]>();
  zones.forEach((zone, i) => {
    const own = pointsOf.get(zone);
    if (own) own.push(i);
    else pointsOf.set(zone, [i]);
  });
  const found: OutOfTurn[] = [];
  for (const stay of stays) {
    const [first, last] = stay.arrival;
    if (!stay.isSeenStop || serving.has(stay) || first < activation.time || last > end) continue;
    const own = pointsOf.get(stay.zone) ?? [];
    if (own.some((i) => wasThere(i, stay))) continue;
    const pointIndex = own.find((i) => isWrong(i, last));
    if (pointIndex === undefined) continue;
    const points = own.filter((i) => !excused[i]! && !settled[i]);
    found.push({ time: stay.enter, pointIndex, points });
  }
  return found;

  function wasThere(point: number, { enter }: TripStay): boolean {
    const served = assignment[point] ?? null;
    return served === null ? isNoData[point]! : served.stay.enter < enter;
  }

  function isWrong(point: number, begins: number): boolean {
    if (excused[point]! || settled[point]) return false;
    if (assignment[point] === null && point < lastServed) return true;
    if (begins < course.earliestBefore[point]!) return true;
    return waits && firstHeld >= 0 && firstHeld < point;
  }
}
