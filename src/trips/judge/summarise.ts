/** The totals, violations and events of a run, from the reports of its points. */

import { type PointStatus, TRIP_EVENT_TYPES, type TripEventType } from '../../core/pointStatus.js';
import type { PointReport, TripEvent, TripTotals, TripViolation } from '../terms/tripReport.js';
import type { OutOfTurn } from './outOfTurn.js';

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
