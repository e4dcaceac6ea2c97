/** A run with assigned visits: the turns of its points, and the points that could have been visited unseen. */

import type { Activation } from '../assign/activation.js';
import type { Assignment } from '../assign/assignment.js';
import { type CouldBe, dueOf, onTimeSpan } from '../assign/due.js';
import { NEVER } from '../assign/serving.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { Hole, Holes, TimeRange } from '../seen/holes.js';
import type { TripRun } from '../seen/tripRun.js';
import type { TripStay } from '../seen/tripStay.js';

interface CourseOf {
  readonly plan: TripPlan;
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly isStrict: boolean;
  readonly assignment: Assignment;
  readonly activation: Activation | null;
  /** The hole in which the first point is assumed to have been visited. */
  readonly assumedHole: Hole | null;
  readonly couldBe: CouldBe;
  readonly now: number;
  /** The last point that the finish needs. */
  readonly lastPoint: number;
  /** By point: whether it is excused, so that no finish needs it (T47). */
  readonly excused: readonly boolean[];
  /** Whether an open stay may yet serve more neighbours of its zone (T24). */
  readonly isSharing: boolean;
  /** Whether the start is that of the first point of the list, which no amendment has put there since. */
  readonly isOwnFirst: boolean;
}

/** Until when a run may begin at its first point (T34): a point without a plan, by the greatest plan + tolerance of the trip. */
function latestStart(plan: TripPlan): number {
  const { plannedArrival, plannedDeparture } = plan.points[0]!;
  return plannedArrival === null && plannedDeparture === null ? latestPlan(plan) : Number.POSITIVE_INFINITY;
}

/** The greatest plan + tolerance of a trip; Infinity without a plan. */
function latestPlan({ points }: TripPlan): number {
  const ends = points.flatMap((point) =>
    (['arrival', 'departure'] as const).flatMap((which) => {
      const due = dueOf(point, which);
      return due === null ? [] : [onTimeSpan(due)[1]];
    }),
  );
  return ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends);
}

export class Course {
  readonly of: CourseOf;
  /** For each point the turn of the nearest served point before it. */
  readonly turnsBefore: readonly number[];
  /** The same by the earliest times within the bounds. */
  readonly earliestBefore: readonly number[];
  /** The same by the latest ones. */
  readonly latestBefore: readonly number[];
  /** For each point when the first visit is over that serves a point after it; Infinity without one. */
  readonly #endsAfter: readonly number[];
  /** Time of the finish. */
  finishedAt: number | null = null;

  constructor(of: CourseOf) {
    this.of = of;
    const [turns, earliest, latest]: [number[], number[], number[]] = [[], [], []];
    let [turn, least, most] = [NEVER, NEVER, NEVER];
    for (const serving of of.assignment) {
      turns.push(of.isStrict ? turn : NEVER);
      earliest.push(of.isStrict ? least : NEVER);
      latest.push(of.isStrict ? most : NEVER);
      if (serving === null) continue;
      turn = Math.max(turn, serving.arrival);
      least = Math.max(least, serving.arrivalSpan[0]);
      most = Math.max(most, serving.stay.arrival[1]);
    }
    this.turnsBefore = turns;
    this.earliestBefore = earliest;
    this.latestBefore = latest;
    let end = Number.POSITIVE_INFINITY;
    this.#endsAfter = of.assignment
      .toReversed()
      .map((serving) => {
        const own = end;
        if (serving !== null && of.isStrict)
          end = Math.min(end, serving.end === null ? of.now : serving.departureSpan[1]);
        return own;
      })
      .reverse();
  }

  /** The turn of a served point. */
  turnOf(point: number): number {
    return Math.max(this.turnsBefore[point]!, this.of.assignment[point]!.arrival);
  }

  /** Whether the open stay that serves a point may yet serve the unserved neighbour before it too (T24). */
  mayShareBefore(point: number): boolean {
    const { isSharing, assignment, zones, excused } = this.of;
    if (!isSharing || assignment[point]?.stay.exit !== null || zones[point - 1] !== zones[point])
      return false;
    return assignment[point - 1] === null && !excused[point - 1]!;
  }

  /** Whether a point could have been visited on time, unseen (T34). The visit of a served point is disregarded. */
  couldHaveBeen(point: number): boolean {
    if (point === 0 && this.of.isOwnFirst && this.of.activation?.how === 'assumed') return true;
    const [from, to] = this.#rangeOf(point);
    return this.of.couldBe.isPossible(point, from, to);
  }

  #rangeOf(point: number): TimeRange {
    const { plan, assignment, now } = this.of;
    const stay = assignment[point]?.stay ?? null;
    // Of points that share its visit the first one decides.
    let first = point;
    while (stay !== null && assignment[first - 1]?.stay === stay) first--;
    const before = this.earliestBefore[first]!;
    const from = before > NEVER ? before : this.#threshold(first);
    let last = point;
    while (stay !== null && assignment[last + 1]?.stay === stay) last++;
    const to = this.#endsAfter[last]!;
    if (to < Number.POSITIVE_INFINITY) return [from, to];
    const { finishedAt } = this;
    if (finishedAt !== null && !this.#finishes(point)) return [from, finishedAt];
    const end = Math.min(plan.window.to, now);
    return [from, this.of.activation === null && point === 0 ? Math.min(end, latestStart(plan)) : end];
  }

  /** Whether the visit to a point ends the trip (T34). In any order this is the last visit, or one that is no seen stop. */
  #finishes(point: number): boolean {
    const { isStrict, lastPoint, excused, assignment } = this.of;
    if (excused[point]!) return false;
    const own = assignment[point] ?? null;
    if (isStrict) return point === lastPoint || (own !== null && own.stay === assignment[lastPoint]?.stay);
    if (own === null || !own.stay.isSeenStop) return true;
    return assignment.every((other, i) => excused[i]! || other === null || other.arrival <= own.arrival);
  }

  /** The earliest possible visit to a point that has no served point before it. */
  #threshold(point: number): number {
    const { plan, activation, assumedHole, assignment, isOwnFirst } = this.of;
    const { from } = plan.window;
    if (point === 0 || activation === null) return from;
    if (assumedHole !== null) return Math.max(assumedHole.from, from);
    const first = plan.points[0]!;
    if (activation.since !== null) return activation.since;
    const isPlanned = isOwnFirst && activation.how === 'planned';
    const due = isPlanned ? (dueOf(first, 'arrival') ?? dueOf(first, 'departure')) : null;
    const begin = activation.earliest - (due?.toleranceMs ?? 0);
    return Math.max(Math.min(begin, assignment[0]?.arrivalSpan[0] ?? begin), from);
  }
}

/** Whether the unit could have been at the first point on time; with `leaving_first_point` whether it could have left it on time, for long enough. */
export function couldHaveStarted(
  run: TripRun,
  holes: Holes,
  course: Course,
  stays: readonly TripStay[],
): boolean {
  if (run.activationKind !== 'leaving_first_point') return course.couldHaveBeen(0);
  return holes.all.some(
    (hole) => hole.reason !== null && couldLeaveIn(run, holes, hole, stays, course.of.now),
  );
}

function couldLeaveIn(
  { plan, rules }: TripRun,
  holes: Holes,
  hole: Hole,
  stays: readonly TripStay[],
  now: number,
): boolean {
  const { from, to } = plan.window;
  const end = Math.min(to, now);
  const isAt = (time: number): boolean =>
    stays.some(({ zone, enter, exit }) => zone === 0 && enter <= time && (exit === null || exit >= time));
  const [comes, goes] = holes.presence(hole, 0);
  const first = plan.points[0]!;
  const due = dueOf(first, 'departure');
  const [earliest, latest] = due === null ? [Number.NEGATIVE_INFINITY, latestPlan(plan)] : onTimeSpan(due);
  const asked = hole.to >= end ? Number.NEGATIVE_INFINITY : earliest;
  let leaves = Math.max(hole.from, from, asked);
  // A unit that was there when it was last seen may have come late.
  if (!isAt(hole.from)) {
    const arrival = dueOf(first, 'arrival');
    if (arrival !== null && comes > onTimeSpan(arrival)[1]) return false;
    const begin = arrival === null ? Number.NEGATIVE_INFINITY : onTimeSpan(arrival)[0];
    leaves = Math.max(leaves, comes + rules.minStayMs, begin);
  }
  const isBack = hole.end !== null && goes >= hole.to;
  const away = isBack ? hole.to - rules.leaveConfirmMs - 1 : goes;
  return leaves <= Math.min(goes, away, latest, end);
}

/** The finish, or `null`. A tentative visit does not finish a run. */
export function finishOf(
  course: Course,
  { rules, excused, excusedAt }: TripRun,
  isWindowOver: boolean,
): number | null {
  const { assignment, activation, isStrict, plan, lastPoint } = course.of;
  if (activation === null) return null;
  if (excused.every(Boolean)) return Math.max(activation.time, excusedAt);
  if (!isStrict) {
    const isDone = assignment.every(
      (serving, i) => excused[i]! || (serving !== null && !serving.stay.isYoung),
    );
    return isDone ? latestOf(course, activation.time, excused) : null;
  }
  const serving = assignment[lastPoint] ?? null;
  if (serving === null || serving.stay.isYoung) return null;
  // Before the window ends a drive-by finishes nothing while a point before it may still be served (T32).
  const isPassing = !serving.stay.isStop && !isWindowOver;
  if (isPassing && assignment.some((other, i) => i < lastPoint && other === null && !excused[i]!))
    return null;
  if (course.mayShareBefore(lastPoint)) return null;
  const { departure } = serving;
  const mustLeave = rules.finishOn === 'departure';
  if (mustLeave && (departure === null || departure >= plan.window.to)) return null;
  // After an amendment a visit may be over before its turn (T49a).
  const time = mustLeave ? departure! : activation.time;
  return Math.max(time, course.turnOf(lastPoint), activation.time);
}

/** The finish of a trip in any order at the window's end. Points that could have been visited unseen are ignored, unless all could. */
export function finishedAnyhow(
  course: Course,
  isUnseen: readonly boolean[],
  excused: readonly boolean[],
): number | null {
  const { assignment, activation } = course.of;
  const isDone = assignment.every(
    (serving, i) => excused[i]! || (serving === null ? isUnseen[i]! : !serving.stay.isYoung),
  );
  const isAll = isUnseen.every((isIt, i) => isIt || excused[i]!);
  return isDone && !isAll ? latestOf(course, activation!.time, excused) : null;
}

function latestOf({ of: { assignment } }: Course, start: number, excused: readonly boolean[]): number {
  return assignment.reduce(
    (time, serving, i) => (excused[i]! ? time : Math.max(time, serving?.arrival ?? time)),
    start,
  );
}
