/** Assigns visits to the points of a run and finds its activation. */

import { type Activation, activate } from './activation.js';
import { assignArbitrary } from './assignArbitrary.js';
import { type Assignment, type Scored, servedOf } from './assignment.js';
import type { AssignmentStart } from './assignmentStart.js';
import { assignSplit, type Tried } from './assignSplit.js';
import { assignStrict } from './assignStrict.js';
import { assignStrictShared } from './assignStrictShared.js';
import { assignWaiting } from './assignWaiting.js';
import { Course, type CourseOf, isOnTime } from './course.js';
import { dueOf } from './due.js';
import type { Hole } from './holes.js';
import { Costs, countsFrom, NEVER, neighbours, partOf, wholeOf } from './serving.js';
import type { TripRun } from './tripRun.js';
import { joinGaps, type TripStay } from './tripStay.js';
import { UnseenBefore } from './unseenBefore.js';

export interface Assigned {
  readonly activation: Activation | null;
  readonly assumedHole: Hole | null;
  readonly assignment: Assignment;
  /** The stays that count, in order of `enter`. */
  readonly stays: readonly TripStay[];
}

export interface RunOf extends Omit<CourseOf, 'activation' | 'assignment' | 'assumedHole'> {
  readonly run: TripRun;
  readonly stays: readonly TripStay[];
  /** Joins parts of a stay again and returns the results that count. */
  rejoin(stays: readonly TripStay[]): TripStay[];
}

/** The assignment with the seen activation, or with an assumed one if that serves more of the other points. */
export function assignRun(of: RunOf): Assigned {
  const { plan, run, now } = of;
  const kind = run.activationKind;
  const seen = assignWith(of, (stays) => {
    const activation = activate(kind, plan, stays, run.rules.leaveConfirmMs, now);
    return activation && { activation, assumedHole: null };
  });
  if (kind === 'time_of_first_point' || !of.holes.isAny) return seen;
  const assumed = assignWith(of, (stays) => {
    const hole = firstHole(of, stays);
    if (hole === null) return null;
    const earliest = Math.max(hole.from, plan.window.from);
    return { activation: { how: 'assumed', time: hole.to, earliest, stay: null }, assumedHole: hole };
  });
  return othersServed(assumed) > othersServed(seen) ? assumed : seen;
}

function othersServed({ assignment }: Assigned): number {
  return servedOf(assignment.slice(1));
}

/** The first hole before a stay of another point in which the unit could have been at the first point on time. */
function firstHole({ plan, zones, holes, minStayMs }: RunOf, stays: readonly TripStay[]): Hole | null {
  const { from, to } = plan.window;
  const lastStay = stays.findLast(({ zone, enter }) => zone !== 0 && zones.includes(zone) && enter < to);
  if (lastStay === undefined) return null;
  const isWanted = isOnTime(plan.points[0]!, minStayMs);
  return holes.find(0, from, to, (span, hole) => hole.to <= lastStay.enter && isWanted(span));
}

interface Begun {
  readonly activation: Activation;
  readonly assumedHole: Hole | null;
}

interface TriedRun extends Tried {
  readonly begun: Begun | null;
}

/** The best assignment for the activation that `begin` finds in the stays. Stays that were joined over gaps may be split. */
function assignWith(of: RunOf, begin: (stays: readonly TripStay[]) => Begun | null): Assigned {
  const { zones, stays, run } = of;
  const assign = (own: readonly TripStay[]): TriedRun => {
    const begun = begin(own);
    if (begun !== null) return { ...assignFrom(of, begun, own), stays: own, begun };
    return { assignment: zones.map(() => null), score: { served: 0, stops: 0, off: 0 }, stays: own, begun };
  };
  const rejoin = (parts: readonly TripStay[]): TripStay | null =>
    of.rejoin(joinGaps(parts, run.rules.serviceMs))[0] ?? null;
  const { assignment, stays: used, begun } = assignSplit(stays, zones.length, assign, rejoin);
  return {
    activation: begun?.activation ?? null,
    assumedHole: begun?.assumedHole ?? null,
    assignment,
    stays: used,
  };
}

function assignFrom(of: RunOf, { activation, assumedHole }: Begun, own: readonly TripStay[]): Scored {
  const { zones, run, plan } = of;
  const course = new Course({ ...of, activation, assumedHole, assignment: zones.map(() => null) });
  const costs = new Costs({ plan, maxDeviationMs: run.rules.maxDeviationMs });
  const first = plan.points[0]!;
  const due = dueOf(first, 'arrival') ?? dueOf(first, 'departure');
  const planned = activation.how === 'planned' ? activation.time - (due?.toleranceMs ?? 0) : null;
  const firstStay = activation.stay;
  const isOpen = (stay: TripStay): boolean =>
    countsFrom(stay, plan.window, Math.min(activation.time, stay.enter));
  const servesFirst =
    firstStay !== null &&
    (costs.of(0, wholeOf(firstStay), NEVER) >= 0 ||
      (run.rules.allowSharedVisit &&
        isOpen(firstStay) &&
        canShareFirst(firstStay, zones, costs, of.isStrict)));
  // Others count from the lesser of the activation and the entry that serves the first point.
  const from = servesFirst ? Math.min(activation.time, firstStay.enter) : activation.time;
  const after = planned === null ? from : NEVER;
  const open = own.filter(
    (stay) => (servesFirst && stay === firstStay) || countsFrom(stay, plan.window, after),
  );
  const start: AssignmentStart = {
    firstStay: servesFirst ? firstStay : null,
    isFirstLeft: !servesFirst && planned === null,
    isAssumed: assumedHole !== null,
    planned,
    countsForOthers: (stay) => countsFrom(stay, plan.window, after),
  };
  return assignOpen(of, course, open, costs, start);
}

/** Whether a stay that neighbours share can serve the first point. */
function canShareFirst(stay: TripStay, zones: readonly number[], costs: Costs, isStrict: boolean): boolean {
  for (let count = stay.exit === null ? 1 : neighbours(zones, 0); count > 1; count--) {
    let turn = NEVER;
    const fits = Array.from({ length: count }, (_, k) => partOf(stay, k, count)).every((part, k) => {
      const cost = costs.of(k, part, turn);
      if (isStrict) turn = Math.max(turn, part.arrival);
      return cost >= 0;
    });
    if (fits) return true;
  }
  return false;
}

function assignOpen(
  { zones, isStrict, run: { rules }, plan }: RunOf,
  course: Course,
  stays: readonly TripStay[],
  costs: Costs,
  start: AssignmentStart,
): Scored {
  const { allowSharedVisit } = rules;
  if (!isStrict) return assignArbitrary(stays, { zones, costs, start, allowSharedVisit });
  if (!rules.waits) {
    const before = new UnseenBefore(course);
    const unseen = before.matters(stays, zones, costs) ? before : null;
    return allowSharedVisit || unseen !== null
      ? assignStrictShared(stays, { zones, costs, allowSharedVisit, unseen }, start)
      : assignStrict(stays, zones, costs, start);
  }
  const couldHaveBeen = (point: number, from: number, to: number): boolean =>
    course.isPossible(
      point,
      Math.max(from > NEVER ? from : course.begin(point), plan.window.from),
      Math.min(to, plan.window.to),
    );
  const unseen = new UnseenBefore(course);
  const assignment = assignWaiting(stays, { zones, costs, start, allowSharedVisit, couldHaveBeen, unseen });
  return { assignment, score: { served: servedOf(assignment), stops: 0, off: 0 } };
}
