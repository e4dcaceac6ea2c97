/** The totals, violations and events that the points' reports add up to. */

import type { OutOfTurn } from './outOfTurn.js';
import type {
  PointReport,
  PointStatus,
  TripEvent,
  TripEventType,
  TripReport,
  TripTotals,
  TripViolation,
} from './tripReport.js';

export function totalsOf(points: readonly PointReport[], distanceMeters: number | null): TripTotals {
  const count = (status: PointStatus): number => points.filter((point) => point.status === status).length;
  const served = points.filter(({ visit }) => visit !== null);
  return {
    passed: served.length,
    skipped: count('skipped'),
    missed: count('missed'),
    noData: count('no_data'),
    onTime: served.filter(isOnTime).length,
    share: served.length / points.length,
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

/** In order of point, then of type as `ViolationType` lists them; the arrival before the departure. */
export function violationsOf(points: readonly PointReport[]): TripViolation[] {
  return points.flatMap((point) => {
    const { index: pointIndex, status, outOfOrder } = point;
    const plain = (type: TripViolation['type'], holds: boolean): TripViolation[] =>
      holds ? [{ type, pointIndex, which: null, seconds: null }] : [];
    const timed = (type: 'early' | 'late'): TripViolation[] =>
      (['arrival', 'departure'] as const).flatMap((which) =>
        point[`${which}Status`] === type
          ? [{ type, pointIndex, which, seconds: point[`${which}DeviationSeconds`] }]
          : [],
      );
    return [
      ...plain('skipped', status === 'skipped'),
      ...plain('missed', status === 'missed'),
      ...plain('out_of_order', outOfOrder),
      ...timed('early'),
      ...timed('late'),
    ];
  });
}

/** Events of one instant come in this order, then by point. */
const EVENT_TYPES: readonly TripEventType[] = [
  'point_left',
  'departure_early',
  'departure_late',
  'trip_activated',
  'point_skipped',
  'point_entered',
  'arrival_early',
  'arrival_late',
  'point_out_of_order',
  'trip_finished',
  'trip_aborted',
];
const RANKS: ReadonlyMap<TripEventType, number> = new Map(EVENT_TYPES.map((type, rank) => [type, rank]));

type Outcome = Pick<TripReport, 'activatedAt' | 'finishedAt' | 'status' | 'window' | 'points'>;

export function eventsOf(outcome: Outcome, outOfTurn: readonly OutOfTurn[]): TripEvent[] {
  const { activatedAt, finishedAt, status, window, points } = outcome;
  const events: TripEvent[] = outOfTurn.map((visit) => ({ type: 'point_out_of_order', ...visit }));
  const add = (type: TripEventType, time: number | null, pointIndex: number | null): void => {
    if (time !== null) events.push({ type, time, pointIndex });
  };
  add('trip_activated', activatedAt, null);
  add('trip_finished', finishedAt, null);
  if (status === 'aborted') add('trip_aborted', window.to, null);
  let successor: number | null = null;
  for (const point of points.toReversed()) {
    const { index, arrival, departure, arrivalStatus, departureStatus } = point;
    add('point_entered', arrival, index);
    if (arrivalStatus === 'early' || arrivalStatus === 'late')
      add(`arrival_${arrivalStatus}`, arrival, index);
    add('point_left', departure, index);
    if (departureStatus === 'early' || departureStatus === 'late')
      add(`departure_${departureStatus}`, departure, index);
    if (point.status === 'skipped') add('point_skipped', successor, index);
    successor = arrival ?? successor;
  }
  return events.sort(
    (a, b) =>
      a.time - b.time || RANKS.get(a.type)! - RANKS.get(b.type)! || (a.pointIndex ?? 0) - (b.pointIndex ?? 0),
  );
}
