/** Which visits serve which points of a run, and when it began. */

import type { Activation } from './activation.js';
import { assignArbitrary } from './assignArbitrary.js';
import { type Assignment, type Scored, servedOf } from './assignment.js';
import { assignSplit, type Tried } from './assignSplit.js';
import { assignStrict, type Start } from './assignStrict.js';
import { assignStrictShared } from './assignStrictShared.js';
import { assignWaiting } from './assignWaiting.js';
import { Course, type CourseOf, isOnTime } from './course.js';
import type { TripRun } from './evaluateRun.js';
import type { Hole } from './holes.js';
import { dueOf } from './onTime.js';
import { Costs, countsFrom, NEVER, wholeOf } from './serving.js';
import { joinGaps, type TripStay } from './tripStay.js';

export interface Assigned {
  readonly activation: Activation | null;
  readonly assumedHole: Hole | null;
  readonly assignment: Assignment;
  /** Those that count, by `enter`. */
  readonly stays: readonly TripStay[];
}

export interface RunOf extends Omit<CourseOf, 'assignment' | 'assumedHole'> {
  readonly run: TripRun;
  readonly stays: readonly TripStay[];
  /** Of parts of a joined stay those that count. */
  rejoin(stays: readonly TripStay[]): TripStay[];
}

export function assignRun(of: RunOf): Assigned {
  const seen = assignWith(of, of.activation, null);
  if (of.activation?.how === 'planned' || of.run.activationKind === 'time_of_first_point') return seen;
  const hole = firstHole(of);
  if (hole === null) return seen;
  const activation: Activation = { how: 'assumed', time: hole.to, earliest: hole.to, stay: null };
  const assumed = assignWith(of, activation, hole);
  return othersServed(assumed) > othersServed(seen) ? assumed : seen;
}

function othersServed({ assignment }: Assigned): number {
  return servedOf(assignment.slice(1));
}

/** The first hole before a stay of another point in which the unit could have been at the first point on time. */
function firstHole({ plan, zones, stays, holes, minStayMs }: RunOf): Hole | null {
  const others = new Set(zones.filter((zone) => zone !== 0));
  const lastStay = stays.findLast(({ zone, enter }) => others.has(zone) && enter < plan.window.to);
  if (lastStay === undefined) return null;
  const isWanted = isOnTime(plan.points[0]!, minStayMs);
  return holes.find(
    0,
    plan.window.from,
    plan.window.to,
    (span, { to }) => to <= lastStay.enter && isWanted(span),
  );
}

function assignWith(of: RunOf, activation: Activation | null, assumedHole: Hole | null): Assigned {
  const { zones, stays, run, plan } = of;
  if (activation === null) return { activation, assumedHole, assignment: zones.map(() => null), stays };
  const course = new Course({ ...of, activation, assumedHole, assignment: zones.map(() => null) });
  const costs = new Costs({ plan, maxDeviationMs: run.rules.maxDeviationMs });
  const first = plan.points[0]!;
  const due = dueOf(first, 'arrival') ?? dueOf(first, 'departure');
  const planned = activation.how === 'planned' ? activation.time - (due?.toleranceMs ?? 0) : null;
  const assign = (own: readonly TripStay[]): Tried => {
    const firstStay = activation.stay && activatorIn(own, activation);
    const servesFirst = firstStay !== null && costs.of(0, wholeOf(firstStay), NEVER) >= 0;
    // Others count from the lesser of the activation and the entry that serves the first point.
    const from = servesFirst ? Math.min(activation.time, firstStay.enter) : activation.time;
    const after = planned === null ? from : NEVER;
    const open = own.filter(
      (stay) => (servesFirst && stay === firstStay) || countsFrom(stay, plan.window, after),
    );
    const start: Start = {
      firstStay: servesFirst ? firstStay : null,
      isFirstLeft: !servesFirst && planned === null,
      planned,
      countsForOthers: (stay) => countsFrom(stay, plan.window, after),
    };
    return { ...assignOpen(of, course, open, costs, start), stays: own };
  };
  const rejoin = (parts: readonly TripStay[]): TripStay | null =>
    of.rejoin(joinGaps(parts, run.rules.serviceMs))[0] ?? null;
  const { assignment, stays: used } = assignSplit(stays, zones.length, assign, rejoin);
  return { activation, assumedHole, assignment, stays: used };
}

/** The stay, or the part of it, whose entry or exit activates the trip. */
function activatorIn(stays: readonly TripStay[], { stay, time }: Activation): TripStay | null {
  if (stay === null || stays.includes(stay)) return stay;
  const isOwn = (other: TripStay): boolean =>
    other.zone === 0 && (other.enter === stay.enter || other.left === time);
  return (stay.left === time ? stays.findLast(isOwn) : stays.find(isOwn)) ?? null;
}

function assignOpen(
  { zones, isStrict, run: { rules }, plan }: RunOf,
  course: Course,
  stays: readonly TripStay[],
  costs: Costs,
  start: Start,
): Scored {
  const { allowSharedVisit } = rules;
  if (!isStrict) return assignArbitrary(stays, { zones, costs, start, allowSharedVisit });
  if (!rules.waits) {
    return allowSharedVisit
      ? assignStrictShared(stays, zones, costs, start)
      : assignStrict(stays, zones, costs, start);
  }
  const couldHaveBeen = (point: number, from: number, to: number): boolean =>
    course.isPossible(point, from > NEVER ? from : course.begin(point), Math.min(to, plan.window.to));
  const assignment = assignWaiting(stays, { zones, costs, start, allowSharedVisit, couldHaveBeen });
  return { assignment, score: { served: servedOf(assignment), stops: 0, off: 0 } };
}
