/** §5 "Serving": turns, costs and finish of one assignment, and which unserved points could have been visited in a hole. */

import { couldHaveBeen, onTime } from './slowHoles.js';
import type { Assignment, Bounds, Run, Serving, Start } from './slowModel.js';
import { isYoung } from './slowStays.js';

/** The nearest served point before, in a strict trip. */
export function predecessorOf(run: Run, assignment: Assignment, i: number): number | null {
  if (!run.strict) return null;
  const at = assignment.slice(0, i).findLastIndex((serving) => serving !== null);
  return at < 0 ? null : at;
}

/** "A visit's *turn* is the later of its entry and its predecessor's turn"; "`arbitrary`: turns are entries". */
export function turnOf(run: Run, assignment: Assignment, i: number): number {
  const before = predecessorOf(run, assignment, i);
  const { arrival } = assignment[i]!;
  return before === null ? arrival : Math.max(arrival, turnOf(run, assignment, before));
}

/** The earliest time that the bounds allow for it. */
export function earliestTurnOf(run: Run, assignment: Assignment, i: number): number {
  const before = predecessorOf(run, assignment, i);
  const [earliest] = assignment[i]!.arrivalBounds;
  return before === null ? earliest : Math.max(earliest, earliestTurnOf(run, assignment, before));
}

/** The turn of the nearest served point before; null where there is none. */
export function turnBefore(run: Run, assignment: Assignment, i: number): number | null {
  const before = predecessorOf(run, assignment, i);
  return before === null ? null : turnOf(run, assignment, before);
}

/** "and it is not over before then". */
export function isInTurn(run: Run, assignment: Assignment, i: number): boolean {
  const { end } = assignment[i]!;
  return end === null || end >= turnOf(run, assignment, i);
}

/** "Before the window's end a drive-by skips no point". */
export function skipsPoints(run: Run, serving: Serving): boolean {
  return serving.stay.isStop || run.now >= run.window.to;
}

export function isLaterServed(run: Run, assignment: Assignment, i: number): boolean {
  return (
    run.strict && assignment.some((serving, k) => k > i && serving !== null && skipsPoints(run, serving))
  );
}

/**
 * The stretch in which a point that is not served could have been visited: "between the earliest time that the bounds allow for the
 * turn of the nearest served point before it and the time when the first of the visits that serve later points is over".
 */
function stretchOf(run: Run, start: Start | null, assignment: Assignment, i: number): Bounds {
  const without = assignment.map((serving, k) => (k === i ? null : serving));
  const end = Math.min(run.window.to, run.now);
  if (start === null) return [run.window.from, end];
  return [opening(run, start, without, i), closing(run, start, assignment, i) ?? end];
}

function opening(run: Run, start: Start, without: Assignment, i: number): number {
  const before = predecessorOf(run, without, i);
  // "the first point: from the window's start".
  if (i === 0) return run.window.from;
  let from: number;
  if (before !== null) from = earliestTurnOf(run, without, before);
  else {
    // "from the earliest time of the lesser of S and the entry that serves the first point, `assumed` from the start of its hole".
    from = Math.min(start.earliest, without[0]?.arrivalBounds[0] ?? Number.POSITIVE_INFINITY);
  }
  return Math.max(from, run.window.from);
}

/** "none after: to the finish, else the window's end or `now`; a visit's own finish does not end it". */
function closing(run: Run, start: Start, assignment: Assignment, i: number): number | null {
  if (run.strict) {
    const overs = assignment.flatMap((serving, k) => (k > i && serving ? [overOf(run, serving)] : []));
    return overs.length > 0 ? Math.min(...overs) : null;
  }
  if (assignment.some((serving) => serving === null)) return null;
  const isLast = assignment.every((serving) => serving!.arrival <= assignment[i]!.arrival);
  return isLast ? null : finishOf(run, start, assignment, () => false);
}

/** The latest time at which a serving visit is over. */
function overOf(run: Run, serving: Serving): number {
  if (serving.end === null) return run.now;
  // Without evidence that the unit left at the gap, it may have stayed longer.
  const bounds = serving.isLastPart ? serving.stay.departureBounds : serving.departureBounds;
  return bounds?.[1] ?? serving.end;
}

/** Whether a point would be `no_data` if nothing served it. */
export function isUnknown(run: Run, start: Start | null, assignment: Assignment, i: number): boolean {
  // "the first point is `no_data`" of an assumed activation.
  if (start?.kind === 'assumed' && i === 0) return true;
  return couldHaveBeen(run, run.points[i]!, stretchOf(run, start, assignment, i));
}

/** Whether an arrival is not seen, so that it is known by bounds only. */
function isUnseen(serving: Serving): boolean {
  if (serving.isFirstPart) return !serving.stay.isArrivalSeen;
  return serving.arrivalBounds[0] < serving.arrivalBounds[1];
}

/** "or that follows a `no_data` predecessor's": an unserved point since the nearest served one is not known. */
export function followsNoData(run: Run, start: Start, assignment: Assignment, i: number): boolean {
  if (!run.strict || !isUnseen(assignment[i]!)) return false;
  const before = predecessorOf(run, assignment, i) ?? -1;
  return assignment.some((_, k) => k > before && k < i && isUnknown(run, start, assignment, k));
}

/** "One that may precede the window or its predecessor's turn" of the arrivals known by bounds. */
export function mayPrecede(run: Run, assignment: Assignment, i: number): boolean {
  const serving = assignment[i]!;
  if (!isUnseen(serving)) return false;
  const [earliest] = serving.arrivalBounds;
  const turn = turnBefore(run, assignment, i);
  const isFirstSight = serving.isFirstPart && serving.stay.isFirstSight;
  return isFirstSight || earliest < run.window.from || (turn !== null && earliest < turn);
}

/** "A visit under way when the window opens", "with the turn for the opening". */
export function isUnderWay(run: Run, assignment: Assignment, i: number): boolean {
  const { arrival } = assignment[i]!;
  const turn = turnBefore(run, assignment, i);
  return arrival < run.window.from || (turn !== null && arrival < turn);
}

/** "one before the turn that is itself later than plan + tolerance is `late`". */
export function isLateBeforeTurn(run: Run, assignment: Assignment, i: number): boolean {
  const { arrivalBounds, arrival } = assignment[i]!;
  const { arrival: planned, arrivalTolerance } = run.points[i]!;
  if (arrival < run.window.from || planned === null) return false;
  return arrivalBounds[0] > onTime(planned, arrivalTolerance)[1];
}

export function arrivalCost(run: Run, start: Start, assignment: Assignment, i: number): number {
  const serving = assignment[i]!;
  const { arrival: planned, arrivalTolerance } = run.points[i]!;
  if (planned === null) return 0;
  // "one before the turn that is itself later than plan + tolerance is `late` and costs entry − plan", "or that follows a `no_data`
  // predecessor's, is never `early` (the last never `late` either); cost and `maxDeviationSeconds` treat it as under way".
  const costsAsUnderWay =
    followsNoData(run, start, assignment, i) ||
    (isUnderWay(run, assignment, i) ? !isLateBeforeTurn(run, assignment, i) : mayPrecede(run, assignment, i));
  if (!costsAsUnderWay) return wayBetween(planned, serving.arrivalBounds);
  // "its arrival costs 0 if it is still there at plan − tolerance, else plan − exit".
  if (serving.end === null) return 0;
  const over = overOf(run, serving);
  return over > planned - arrivalTolerance ? 0 : planned - over;
}

export function departureCost(run: Run, serving: Serving, i: number): number {
  const { departure: planned } = run.points[i]!;
  if (planned === null || serving.departure === null) return 0;
  return wayBetween(planned, serving.departureBounds!);
}

/** "|deviation| of a time known by bounds is the way from the plan to the interval (0 within it)". */
function wayBetween(planned: number, [from, to]: Bounds): number {
  return Math.max(0, from - planned, planned - to);
}

/** "finished (`strict`: at the turn of the visit assigned to the last point, not before S, ...; `arbitrary`: every point served)". */
export function finishOf(
  run: Run,
  start: Start | null,
  assignment: Assignment,
  isNoData: (i: number) => boolean,
): number | null {
  if (start === null) return null;
  const last = assignment.length - 1;
  if (run.strict) {
    const serving = assignment[last];
    if (!serving || isYoung(run, serving.stay)) return null;
    // A drive-by "finishes the trip only when all points before it are served".
    if (!skipsPoints(run, serving) && assignment.includes(null)) return null;
    if (!run.finishOnDeparture) return Math.max(start.at, turnOf(run, assignment, last));
    // "or with `finishOn: 'departure'` on leaving it within the window".
    if (serving.departure === null || serving.departure >= run.window.to) return null;
    return Math.max(start.at, serving.departure);
  }
  // "At the window's end `arbitrary` leaves `no_data` points out".
  const isEnd = run.now >= run.window.to;
  const counted = assignment.filter((serving, i) => serving !== null || !(isEnd && isNoData(i)));
  if (counted.length === 0 || counted.some((serving) => !serving || isYoung(run, serving.stay))) return null;
  return Math.max(start.at, ...counted.map((serving) => serving!.arrival));
}
