/** A run with assigned visits: the turns of its points, and the points that could have been visited unseen. */

import type { Activation } from './activation.js';
import type { Assignment } from './assignment.js';
import { dueOf, onTimeSpan } from './due.js';
import type { Hole, Holes, Span } from './holes.js';
import { NEVER } from './serving.js';
import type { PlannedPoint, TripPlan } from './tripPlan.js';

export interface CourseOf {
  readonly plan: TripPlan;
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly isStrict: boolean;
  readonly assignment: Assignment;
  readonly activation: Activation | null;
  /** The hole in which the first point is assumed to have been visited. */
  readonly assumedHole: Hole | null;
  readonly holes: Holes;
  readonly minStayMs: number;
  readonly now: number;
}

export class Course {
  readonly of: CourseOf;
  /** For each point the turn of the nearest served point before it. */
  readonly turnsBefore: readonly number[];
  /** The same by the earliest times within the bounds. */
  readonly earliestBefore: readonly number[];
  /** Time of the finish. */
  finishedAt: number | null = null;

  constructor(of: CourseOf) {
    this.of = of;
    const [turns, earliest]: [number[], number[]] = [[], []];
    let [turn, least] = [NEVER, NEVER];
    for (const serving of of.assignment) {
      turns.push(of.isStrict ? turn : NEVER);
      earliest.push(of.isStrict ? least : NEVER);
      if (serving === null) continue;
      turn = Math.max(turn, serving.arrival);
      least = Math.max(least, serving.arrivalSpan[0]);
    }
    this.turnsBefore = turns;
    this.earliestBefore = earliest;
  }

  /** The turn of a served point. */
  turnOf(point: number): number {
    return Math.max(this.turnsBefore[point]!, this.of.assignment[point]!.arrival);
  }

  /** Whether a point could have been visited on time, unseen. The visit of a served point is disregarded. */
  couldHaveBeen(point: number): boolean {
    if (point === 0 && this.of.activation?.how === 'assumed') return true;
    if (!this.of.holes.isAny) return false;
    const [from, to] = this.#rangeOf(point);
    return this.isPossible(point, from, to);
  }

  /** Whether the unit could have been at a point on time, unseen, between two times. */
  isPossible(point: number, from: number, to: number): boolean {
    const { plan, zones, holes, minStayMs } = this.of;
    return holes.find(zones[point]!, from, to, isOnTime(plan.points[point]!, minStayMs)) !== null;
  }

  #rangeOf(point: number): Span {
    const { plan, isStrict, assignment, now } = this.of;
    const from = Math.max(this.earliestBefore[point]!, this.begin(point), plan.window.from);
    let to = Number.POSITIVE_INFINITY;
    if (isStrict) {
      for (let i = point + 1; i < assignment.length; i++) {
        const serving = assignment[i] ?? null;
        if (serving !== null) to = Math.min(to, serving.end === null ? now : serving.departureSpan[1]);
      }
    }
    if (to < Number.POSITIVE_INFINITY) return [from, to];
    const { finishedAt } = this;
    if (finishedAt !== null && !this.#finishes(point)) return [from, finishedAt];
    return [from, Math.min(plan.window.to, now)];
  }

  /** Whether the run is finished by the visit to a point. */
  #finishes(point: number): boolean {
    const { isStrict, assignment } = this.of;
    if (isStrict) return point === assignment.length - 1;
    const own = assignment[point];
    return own !== undefined && own !== null && assignment.every((other) => other!.arrival <= own.arrival);
  }

  /** The earliest possible visit to a point that has no served point before it. */
  begin(point: number): number {
    const { plan, activation, assumedHole, assignment } = this.of;
    if (point === 0) return plan.window.from;
    if (this.earliestBefore[point]! > NEVER) return NEVER;
    if (assumedHole !== null) return Math.max(assumedHole.from, plan.window.from);
    if (activation === null) return plan.window.from;
    return Math.min(activation.earliest, assignment[0]?.arrivalSpan[0] ?? Number.POSITIVE_INFINITY);
  }
}

/** Whether a stay within a span can be on time at a point; without a plan any can. */
export function isOnTime(point: PlannedPoint, minStayMs: number): (span: Span) => boolean {
  const arrival = dueOf(point, 'arrival');
  const departure = dueOf(point, 'departure');
  return ([from, to]) => {
    if (from + minStayMs > to) return false;
    const [comes, latest] = within([from, to], arrival && onTimeSpan(arrival));
    const [earliest, leaves] = within([from, to], departure && onTimeSpan(departure));
    return comes <= latest && earliest <= leaves && leaves - comes >= minStayMs;
  };
}

function within([from, to]: Span, wanted: Span | null): Span {
  return wanted === null ? [from, to] : [Math.max(from, wanted[0]), Math.min(to, wanted[1])];
}
