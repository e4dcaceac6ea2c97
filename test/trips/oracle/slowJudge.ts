/** §5 "Judgement": the status of each point and of the trip. */

import { couldHaveStarted, overlaps } from './slowActivation.js';
import type { Outcome } from './slowAssign.js';
import {
  earliestTurnOf,
  finishOf,
  followsNoData,
  isLateBeforeTurn,
  isLaterServed,
  isUnderWay,
  isUnknown,
  mayPrecede,
} from './slowChain.js';
import { onTime } from './slowHoles.js';
import type { Bounds, Run, Serving, Stay } from './slowModel.js';
import type { SlowPointReport, SlowStatus, SlowTimeStatus } from './slowReport.js';
import { isYoung } from './slowStays.js';

export interface Judgement {
  readonly status: SlowStatus;
  readonly finishedAt: number | null;
  readonly points: readonly SlowPointReport[];
  readonly outOfTurn: readonly { time: number; pointIndices: readonly number[] }[];
}

export function judge(run: Run, outcome: Outcome): Judgement {
  const { start, assignment } = outcome;
  const unknown = run.points.map(({ index }) => isUnknown(run, start, assignment, index));
  const finishedAt = finishOf(run, start, assignment, (i) => unknown[i]!);
  const isEnd = run.now >= run.window.to;
  const isWaitingForTime = start === null && run.activation === 'time_of_first_point' && !run.isUnseen;
  const isOver = finishedAt !== null || (isEnd && !isWaitingForTime);
  const isPending = (i: number): boolean =>
    assignment[i] === null && !isOver && !isLaterServed(run, assignment, i);
  const isNoData = (i: number): boolean => assignment[i] === null && !isPending(i) && unknown[i]!;
  const outOfTurn = findOutOfTurn(run, outcome, finishedAt, isNoData);
  const points = run.points.map((point, index): SlowPointReport => {
    const serving = assignment[index] ?? null;
    const outOfOrder = outOfTurn.some(({ pointIndices }) => pointIndices.includes(index));
    const isWithoutData = unknown[index]!;
    const arrival = serving ? judgeArrival(run, outcome, index) : null;
    const departure = serving ? judgeDeparture(run, serving, index) : null;
    const arrivalStatus = unlessUnknown(arrival, isWithoutData);
    const departureStatus = unlessUnknown(departure, isWithoutData);
    const deadline = point.arrival === null ? null : point.arrival + point.arrivalTolerance;
    const isLate = isPending(index) && deadline !== null && run.now > deadline;
    return {
      index,
      name: point.name,
      status: serving
        ? servedStatus(run, serving, index, start !== null && !isOver)
        : isPending(index)
          ? 'pending'
          : isNoData(index)
            ? 'no_data'
            : isLaterServed(run, assignment, index) || outOfOrder
              ? 'skipped'
              : 'missed',
      plannedArrival: point.arrival,
      plannedDeparture: point.departure,
      arrival: serving?.arrival ?? null,
      arrivalBounds: serving?.arrivalBounds ?? null,
      departure: serving?.departure ?? null,
      departureBounds: serving?.departureBounds ?? null,
      arrivalDeviationSeconds:
        serving && isKnown(arrivalStatus) ? nearest(point.arrival!, serving.arrivalBounds) : null,
      departureDeviationSeconds:
        serving && isKnown(departureStatus) ? nearest(point.departure!, serving.departureBounds!) : null,
      arrivalStatus,
      departureStatus,
      overdueSeconds: isLate ? (run.now - deadline) / 1000 : null,
      outOfOrder,
      visit: serving
        ? { ...serving.stay.visit, zoneId: String(index), hasGap: serving.stay.gaps.length > 0 }
        : null,
    };
  });
  return { status: tripStatus(), finishedAt, points, outOfTurn };

  function tripStatus(): SlowStatus {
    // "With no fix in the window, at its end: `no_data`, whatever the activation".
    if (run.isUnseen && isEnd) return 'no_data';
    if (start === null) {
      if (!isOver) return 'scheduled';
      return couldHaveStarted(run, outcome.stays) ? 'no_data' : 'not_started';
    }
    if (finishedAt !== null) {
      const isBlamed = points.some(
        ({ status, outOfOrder, arrivalStatus, departureStatus }) =>
          status === 'skipped' ||
          status === 'missed' ||
          outOfOrder ||
          [arrivalStatus, departureStatus].some((at) => at === 'early' || at === 'late'),
      );
      return isBlamed ? 'finished_with_violations' : 'finished';
    }
    if (!isEnd) return 'active';
    // "`arbitrary` leaves `no_data` points out (all of them `no_data`: the trip is); `strict` with the last point `no_data` is
    // `no_data`; else an unfinished trip is `aborted`."
    const isUnjudged = run.strict
      ? points.at(-1)!.status === 'no_data'
      : points.every(({ status }) => status === 'no_data');
    return isUnjudged ? 'no_data' : 'aborted';
  }
}

/** "an `early` or `late` becomes `uncertain` where without this visit the point would be `no_data`". */
function unlessUnknown(status: SlowTimeStatus | null, isWithoutData: boolean): SlowTimeStatus | null {
  return (status === 'early' || status === 'late') && isWithoutData ? 'uncertain' : status;
}

const isKnown = (status: SlowTimeStatus | null): boolean => status !== null && status !== 'uncertain';

/** "Deviation = actual − planned in seconds, + late; of bounds, the value nearest to 0." */
function nearest(planned: number, [from, to]: Bounds): number {
  return (Math.min(Math.max(planned, from), to) - planned) / 1000;
}

function servedStatus(run: Run, serving: Serving, index: number, isActive: boolean): 'passed' | 'inside' {
  const mustLeave = index === run.points.length - 1 && run.finishOnDeparture;
  const holds = !isYoung(run, serving.stay) && !(mustLeave && serving.departure === null);
  return isActive && serving.stay.exit === null && !holds ? 'inside' : 'passed';
}

/** "Status: within the tolerance `on_time`, else `early` / `late`, when every time within the bounds says the same; else `uncertain`". */
function statusOf(planned: number, tolerance: number, bounds: Bounds): SlowTimeStatus {
  const [from, to] = onTime(planned, tolerance);
  if (bounds[0] >= from && bounds[1] <= to) return 'on_time';
  if (bounds[1] < from) return 'early';
  if (bounds[0] > to) return 'late';
  return 'uncertain';
}

function judgeArrival(run: Run, { start, assignment }: Outcome, i: number): SlowTimeStatus | null {
  const { arrival: planned, arrivalTolerance } = run.points[i]!;
  if (planned === null) return null;
  const follows = followsNoData(run, start!, assignment, i);
  if (isUnderWay(run, assignment, i)) {
    if (!isLateBeforeTurn(run, assignment, i)) return null;
    return follows ? 'uncertain' : 'late';
  }
  const status = statusOf(planned, arrivalTolerance, assignment[i]!.arrivalBounds);
  if (status === 'early' && (follows || mayPrecede(run, assignment, i))) return 'uncertain';
  return status === 'late' && follows ? 'uncertain' : status;
}

function judgeDeparture(run: Run, serving: Serving, i: number): SlowTimeStatus | null {
  const { departure: planned, departureTolerance } = run.points[i]!;
  if (planned === null || serving.departure === null) return null;
  const status = statusOf(planned, departureTolerance, serving.departureBounds!);
  if (status === 'on_time' || !serving.isLastPart) return status;
  // "its departure is that of the later part, `uncertain` where leaving in the gap would be on time".
  const [from, to] = onTime(planned, departureTolerance);
  return serving.stay.gaps.some((gap) => gap[0] <= to && gap[1] >= from) ? 'uncertain' : status;
}

/** "*out of turn* is a stop (by its seen duration) that serves no point, ...". */
function findOutOfTurn(
  run: Run,
  { start, stays, assignment }: Outcome,
  finishedAt: number | null,
  isNoData: (i: number) => boolean,
): { time: number; pointIndices: number[] }[] {
  if (start === null || !run.strict) return [];
  const isWrong = (stay: Stay, i: number): boolean => {
    // "is to a point that is unserved and not `no_data` while a later one is served".
    const isPassedOver =
      assignment[i] === null && !isNoData(i) && assignment.some((serving, k) => k > i && serving !== null);
    // "or begins before the earliest turn of a predecessor of its point (`wait`: also while one is unserved and not `no_data`)".
    const isAhead = assignment.some((serving, k) => {
      if (k >= i) return false;
      if (serving === null) return run.wait && !isNoData(k);
      return stay.arrivalBounds[1] < earliestTurnOf(run, assignment, k);
    });
    return isPassedOver || isAhead;
  };
  return stays.flatMap((stay) => {
    if (!stay.isSeenStop || assignment.some((serving) => serving?.stay === stay)) return [];
    // "begins (at every time within its bounds) from S to the finish".
    const [from, to] = stay.arrivalBounds;
    if (from < start.at || to > (finishedAt ?? Number.POSITIVE_INFINITY) || !overlaps(run, stay)) return [];
    const ofZone = run.points.filter((point) => point.zone === stay.zone);
    // "at a zone no point of which was served before it or could have been (`no_data`)".
    const isFamiliar = ofZone.some(({ index }) => {
      const serving = assignment[index];
      return serving ? serving.arrival <= stay.enter : isNoData(index);
    });
    if (isFamiliar) return [];
    const pointIndices = ofZone.filter(({ index }) => isWrong(stay, index)).map(({ index }) => index);
    return pointIndices.length > 0 ? [{ time: stay.enter, pointIndices }] : [];
  });
}
