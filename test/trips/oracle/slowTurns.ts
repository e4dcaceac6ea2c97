/** T25, T27 and T34: turns, the threshold from which visits count, and the time in which a point could have been visited. */

import { couldBeWithout } from './slowJudge.js';
import {
  type Activation,
  type Assignment,
  endOf,
  isOver,
  lastNeeded,
  type Run,
  type Stay,
} from './slowModel.js';
import { isOldEnough } from './slowStays.js';

const NEVER = Number.NEGATIVE_INFINITY;

/** Whether the visit that serves a point is open and younger than `minStaySeconds` (T23). */
export const isTentative = (run: Run, stay: Stay): boolean => stay.exit === null && !isOldEnough(run, stay);

/** The first of the points that share the visit of a point. */
function firstOfVisit(assignment: Assignment, index: number): number {
  const isShared = assignment[index] && assignment[index - 1] === assignment[index];
  return isShared ? firstOfVisit(assignment, index - 1) : index;
}

/** The list index of the served point before `index`, or -1. */
export function servedBefore(assignment: Assignment, index: number): number {
  for (let k = index - 1; k >= 0; k--) if (assignment[k]) return k;
  return -1;
}

/** T25: the later of the entry and the turn of the served point before. */
export function turnOf(run: Run, assignment: Assignment, index: number): number {
  const { enter } = assignment[index]!;
  return run.strict ? Math.max(enter, turnBefore(run, assignment, index)) : enter;
}
/** The turn of the served point before, or -Infinity. */
export function turnBefore(run: Run, assignment: Assignment, index: number): number {
  const before = servedBefore(assignment, index);
  return before < 0 ? NEVER : turnOf(run, assignment, before);
}

/** The earliest (0) or the latest (1) turn that the bounds of the arrivals allow. */
export function boundedTurn(run: Run, assignment: Assignment, index: number, side: 0 | 1): number {
  const bound = assignment[index]!.arrivalBounds[side];
  const before = servedBefore(assignment, index);
  return run.strict && before >= 0 ? Math.max(bound, boundedTurn(run, assignment, before, side)) : bound;
}

/** S, less the first point's tolerance for `planned`. */
const startForVisits = ({ points, begun }: Run, { kind, start }: Activation): number =>
  kind === 'planned' && begun?.isOwnFirst !== false
    ? start - (points[0]!.arrival ?? points[0]!.departure)!.tolerance
    : start;

/** T27: the others are served by visits that end after this. */
export function threshold(run: Run, activation: Activation, assignment: Assignment): number {
  // T13b: each visit says whether it counts.
  if (activation.kind === 'assumed') return NEVER;
  // T13a: visits count from that exit on.
  if (activation.since !== null && run.begun?.isOwnFirst !== false) return activation.since;
  return Math.min(startForVisits(run, activation), assignment[0]?.enter ?? Number.POSITIVE_INFINITY);
}

/** T34: the earliest time of the threshold; `assumed`: the start of its hole. */
function earliestThreshold(run: Run, activation: Activation | null, assignment: Assignment): number {
  if (activation === null) return run.window.from;
  if (activation.kind === 'assumed') return activation.hole!.from;
  if (activation.since !== null) return activation.since;
  const { stay } = activation;
  const byLeaving = run.trip.activation_type?.key === 'leaving_first_point';
  const ofS = byLeaving ? stay?.departureBounds?.[0] : stay?.arrivalBounds[0];
  return Math.min(
    startForVisits(run, activation),
    ofS ?? Number.POSITIVE_INFINITY,
    assignment[0]?.arrivalBounds[0] ?? Number.POSITIVE_INFINITY,
  );
}

/**
 * T34: from when the unit may have been at the point. A visit that was over before the window's start serves no point (T27), and one that was
 * under way then is not judged, wherever its predecessor's turn is (T31): so f is not before that.
 */
export function mayBeFrom(
  run: Run,
  activation: Activation | null,
  assignment: Assignment,
  index: number,
): number {
  const begin = Math.min(run.window.from, activation?.since ?? run.window.from);
  // T34: of points that share its visit the first one decides.
  return Math.max(begin, seenFrom(run, activation, assignment, firstOfVisit(assignment, index)));
}

function seenFrom(run: Run, activation: Activation | null, assignment: Assignment, index: number): number {
  if (index === 0) return run.window.from;
  const before = servedBefore(assignment, index);
  if (run.strict && before >= 0) return boundedTurn(run, assignment, before, 0);
  return earliestThreshold(run, activation, assignment);
}

/**
 * T34: until when. Without excused points a finish ends it only through a later point that is served, or at the window's end; and for
 * `arbitrary`, a list index says nothing about what comes first. An excused point may come after the finish. A visit whose end was not seen is over by the latest of its bounds.
 */
export function mayBeUntil(
  run: Run,
  activation: Activation | null,
  assignment: Assignment,
  index: number,
): number {
  const later = run.strict
    ? assignment.slice(index + 1).filter((stay) => stay !== null && stay !== assignment[index])
    : [];
  const finish =
    later.length > 0 ? Number.POSITIVE_INFINITY : finishBefore(run, activation, assignment, index);
  // T34: a first point without a plan, without S.
  const [first] = run.points;
  const isOpen = activation === null && index === 0 && !first!.arrival && !first!.departure;
  if (isOpen) return Math.min(endOf(run), finish, latestPlan(run));
  return Math.min(endOf(run), finish, ...later.map((stay) => stay!.departureBounds?.[1] ?? run.now));
}

/** The greatest plan + tolerance of the trip; Infinity without a plan. */
export const latestPlan = ({ points }: Run): number => {
  const ends = points.flatMap(({ arrival, departure }) =>
    [arrival, departure].flatMap((plan) => plan?.to ?? []),
  );
  return ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends);
};

/** T34, T47: the finish by other points than an excused one that is served. */
function finishBefore(
  run: Run,
  activation: Activation | null,
  assignment: Assignment,
  index: number,
): number {
  if (activation === null) return Number.POSITIVE_INFINITY;
  const own = assignment[index] ?? null;
  if (!run.excused[index]) {
    // T34: the finish does not limit the visit that ends the trip. In any order this is the last visit, or one that is no seen stop.
    if (run.strict || own === null || !own.isSeenStop) return Number.POSITIVE_INFINITY;
    const others = run.points.filter((point) => !run.excused[point.index]);
    if (others.every((point) => (assignment[point.index]?.enter ?? own.enter) <= own.enter))
      return Number.POSITIVE_INFINITY;
  }
  if (run.excused.every(Boolean)) return Math.max(activation.start, run.excusedAt);
  if (!run.strict) {
    const needed = run.points.filter((point) => !run.excused[point.index]);
    const isDone = needed.every((point) =>
      assignment[point.index]
        ? !isTentative(run, assignment[point.index]!)
        : isOver(run) && couldBeWithout(run, activation, assignment, point.index),
    );
    const entries = needed.flatMap((point) => assignment[point.index]?.enter ?? []);
    return isDone && entries.length > 0 ? Math.max(activation.start, ...entries) : Number.POSITIVE_INFINITY;
  }
  const last = lastNeeded(run);
  const stay = assignment[last];
  if (last > index || !stay) return Number.POSITIVE_INFINITY;
  const turn = turnOf(run, assignment, last);
  return Math.max(
    activation.start,
    run.settings.finishOn === 'departure' ? (stay.exit ?? Number.POSITIVE_INFINITY) : turn,
  );
}
