/** §5 "the events in order of time, then of this list, then of point". */

import type { Outcome } from './slowAssign.js';
import { isUnknown, skipsPoints, turnOf } from './slowChain.js';
import type { Judgement } from './slowJudge.js';
import type { Run } from './slowModel.js';
import type { SlowEvent } from './slowReport.js';

const ORDER = [
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

export function eventsOf(run: Run, outcome: Outcome, judgement: Judgement): SlowEvent[] {
  const { start, assignment } = outcome;
  const { status, points, finishedAt, outOfTurn } = judgement;
  const events: SlowEvent[] = outOfTurn.map(({ time, pointIndices }) => ({
    type: 'point_out_of_order',
    time,
    pointIndex: pointIndices[0]!,
  }));
  const add = (type: string, time: number, pointIndex: number | null): void => {
    events.push({ type, time, pointIndex });
  };
  if (start !== null) add('trip_activated', start.at, null);
  if (finishedAt !== null) add('trip_finished', finishedAt, null);
  if (status === 'aborted') add('trip_aborted', run.window.to, null);
  for (const point of points) {
    const { index, arrival, departure, arrivalStatus, departureStatus } = point;
    if (arrival !== null) {
      add('point_entered', arrival, index);
      if (arrivalStatus === 'early' || arrivalStatus === 'late')
        add(`arrival_${arrivalStatus}`, arrival, index);
    }
    if (departure !== null) {
      add('point_left', departure, index);
      if (departureStatus === 'early' || departureStatus === 'late')
        add(`departure_${departureStatus}`, departure, index);
    }
    // "`point_skipped` (at the turn of the successor that skipped it)".
    if (point.status === 'skipped') {
      const successor = assignment.findIndex(
        (serving, k) => k > index && serving !== null && skipsPoints(run, serving),
      );
      if (successor >= 0) add('point_skipped', turnOf(run, assignment, successor), index);
    }
    // "`arrival_overdue` (at planned arrival + tolerance, + 60 s for a tolerance of 0, also while S is not known, if not served by then
    // and it could not have been there on time)".
    if (point.plannedArrival !== null) {
      const { arrivalTolerance } = run.points[index]!;
      const time = point.plannedArrival + (arrivalTolerance === 0 ? 60_000 : arrivalTolerance);
      const isServed = arrival !== null && arrival <= time;
      if (time <= run.now && time < run.window.to && !isServed && !isUnknown(run, start, assignment, index)) {
        add('arrival_overdue', time, index);
      }
    }
  }
  return events.sort(
    (a, b) =>
      a.time - b.time ||
      ORDER.indexOf(a.type) - ORDER.indexOf(b.type) ||
      (a.pointIndex ?? 0) - (b.pointIndex ?? 0),
  );
}
