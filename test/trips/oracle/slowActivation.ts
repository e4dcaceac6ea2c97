/** T12 to T14a: how and when a run begins. */

import type { ActivationTypeKey } from '../../../src/core/trip.js';
import { assign, type Chosen } from './slowAssign.js';
import { arrivalAt, departureAt } from './slowJudge.js';
import { type Activation, endOf, type Hole, isOver, type Run, type Stay } from './slowModel.js';
import { couldBeOnTimeIn } from './slowReach.js';

export function activationKey(run: Run): ActivationTypeKey {
  const first = run.points[0]!;
  const byDefault = first.arrival || first.departure ? 'time_of_first_point' : 'entrance_to_first_point';
  return run.trip.activation_type?.key ?? byDefault;
}

const earliest = (starts: readonly Activation[]): Activation | null =>
  [...starts].sort((a, b) => a.start - b.start)[0] ?? null;

/** A stop if there is one, else a drive-by; of these the first. */
const byStopsFirst = (starts: readonly Activation[]): Activation | null =>
  earliest(starts.filter(({ stay }) => stay!.isStop)) ?? earliest(starts);

const seen = (start: number, stay: Stay): Activation => ({
  kind: 'seen',
  start,
  stay,
  hole: null,
  since: null,
});

/** T12: S as it was planned or seen, or null. */
export function seenStart(run: Run, stays: readonly Stay[]): Activation | null {
  return activationKey(run) === 'time_of_first_point'
    ? plannedStart(run)
    : byStopsFirst(seenStarts(run, stays));
}

function plannedStart(run: Run): Activation {
  const first = run.points[0]!;
  const start = (first.arrival ?? first.departure)!.at;
  return { kind: 'planned', start, stay: null, hole: null, since: null };
}

/** T12: the entries into the first point in the window, or its exits. */
function seenStarts(run: Run, stays: readonly Stay[]): Activation[] {
  const first = run.points[0]!;
  const { from, to } = run.window;
  const own = stays.filter(({ zone }) => zone === first.zone);
  switch (activationKey(run)) {
    case 'entrance_to_first_point':
      return own
        .filter((stay) => stay.enter < to && (stay.enter >= from || stay.exit === null || stay.exit > from))
        .map((stay) => seen(Math.max(stay.enter, from), stay));
    case 'leaving_first_point':
      return own
        .filter(({ exit }) => exit !== null && exit >= from && exit < to)
        .filter(({ exit }) => run.now - exit! >= run.settings.leaveConfirmSeconds * 1000)
        .map((stay) => seen(stay.exit!, stay));
    case 'time_of_first_point':
      return [];
  }
}

/** T14 and T14a: whether a stay after the hole tells that the run has begun. */
function tells(run: Run, stay: Stay): boolean {
  const [first, ...others] = run.points;
  if (!isOver(run) && !stay.isSeenStop) return false;
  if (stay.zone !== first!.zone) return true;
  const firstPlan = first!.arrival ?? first!.departure;
  return others.some((point) => {
    const plan = point.arrival ?? point.departure;
    if (point.zone !== stay.zone || plan === null) return false;
    if (!isOver(run) && stay.enter < plan.from) return false;
    return firstPlan === null
      ? stay.enter >= plan.from && stay.enter <= plan.to
      : Math.abs(stay.enter - plan.at) < Math.abs(stay.enter - firstPlan.at);
  });
}

/** T13b: the first hole of the lead or the window in which the first point could have been visited on time. */
const firstPossibleHole = (run: Run): Hole | undefined =>
  run.holes
    // T10: before the first fix the lead is unseen too.
    .map((hole) =>
      hole.reason === 'not_started' ? { ...hole, from: Math.min(hole.from, run.leadFrom) } : hole,
    )
    .filter((hole) => hole.to >= run.leadFrom)
    .find((hole) => couldBeOnTimeIn(run, run.points[0]!, hole, run.leadFrom, endOf(run)));

/** T13a: the last stop there that ended in the lead, else the last drive-by, if the unit is elsewhere when the window opens. */
function leadStart(run: Run, stays: readonly Stay[], planned: Activation | null): Activation | null {
  const { from } = run.window;
  const own = stays.filter(({ zone }) => zone === run.points[0]!.zone);
  if (own.some(({ enter, exit }) => enter <= from && (exit === null || exit > from))) return null;
  const left = own
    .filter(({ exit }) => exit !== null && exit >= run.leadFrom && exit <= from)
    .sort((a, b) => b.enter - a.enter);
  const stay = left.find(({ isStop }) => isStop) ?? left[0];
  if (!stay) return null;
  return {
    kind: planned ? 'planned' : 'seen',
    start: planned?.start ?? stay.exit!,
    stay,
    hole: null,
    since: stay.exit,
  };
}

/** T13b: of the drive-bys of the first point before the stop that begins the run, the one nearest to the plan. */
function passingStart(run: Run, stays: readonly Stay[]): Activation | null {
  const starts = [...seenStarts(run, stays)].sort((a, b) => a.stay!.enter - b.stay!.enter);
  const stop = starts.findIndex(({ stay }) => stay!.isStop);
  const plan = run.points[0]!.arrival ?? run.points[0]!.departure;
  const off = ({ stay }: Activation): number => (plan === null ? 0 : Math.abs(stay!.enter - plan.at));
  return stop < 0 ? null : (starts.slice(0, stop).sort((a, b) => off(a) - off(b))[0] ?? null);
}

/** T13b: the planned times that an assignment certainly misses. */
const missedTimes = (run: Run, { activation, assignment }: Chosen): number =>
  run.points
    .filter(({ index }) => assignment[index] && !run.excused[index])
    .flatMap(({ index }) => [
      arrivalAt(run, activation, assignment, index, 'worth'),
      departureAt(run, assignment, index, 'worth'),
    ])
    .filter(({ isBlamed }) => isBlamed).length;

/** T13, T14: how many of the points from one on are served; before the window's end by seen stops alone. */
const servedFrom = (run: Run, chosen: Chosen | null, first: number): number =>
  (chosen?.assignment ?? []).slice(first).filter((stay) => stay && (isOver(run) || stay.isSeenStop)).length;

/** T49c: the start stays; its visit is the one with that entry or exit. */
function keptStart(run: Run, stays: readonly Stay[]): Activation {
  const { activation, isOwnFirst } = run.begun!;
  if (activation.kind !== 'seen' && activation.since === null) return activation;
  const byLeaving = activationKey(run) === 'leaving_first_point';
  const { start } = activation;
  // The unit may have been there when the window opened that held before the amendment.
  const isAt = ({ enter, exit }: Stay): boolean =>
    enter === start || (enter < start && (exit === null || exit > start));
  const isStart = (stay: Stay): boolean =>
    stay.zone === run.points[0]!.zone &&
    (activation.since !== null
      ? stay.exit === activation.since
      : byLeaving
        ? stay.exit === start
        : isAt(stay));
  // The bounds of S stay, whether or not its visit serves the first point (T34).
  return { ...activation, stay: (isOwnFirst ? stays.find(isStart) : null) ?? activation.stay };
}

/** T12 and T13: the start and the assignment of a run with these stays; null without S. `mayBegin`: whether a seen S begins the run (T17). */
export function started(
  run: Run,
  stays: readonly Stay[],
  apart: number,
  mayBegin: (chosen: Chosen) => boolean,
): Chosen | null {
  if (run.begun !== null) return assign(run, keptStart(run, stays), stays, apart);
  const asSeen = seenStart(run, stays);
  const ifSeen = asSeen && assign(run, asSeen, stays, apart);
  const bySeen = ifSeen && mayBegin(ifSeen) ? ifSeen : null;
  const isPlanned = activationKey(run) === 'time_of_first_point';
  const asLead =
    isPlanned && asSeen!.start > run.now ? null : leadStart(run, stays, isPlanned ? asSeen : null);
  const ifLead = asLead && assign(run, asLead, stays, apart);
  const byLead = ifLead && (isPlanned || mayBegin(ifLead)) ? ifLead : null;
  const isMore =
    byLead !== null &&
    servedFrom(run, byLead, 0) > servedFrom(run, bySeen, 0) &&
    servedFrom(run, byLead, 1) > 0;
  let found = isMore ? byLead : bySeen;
  if (isPlanned) return found;
  const asPassing = passingStart(run, stays);
  const ifPassing = asPassing && assign(run, asPassing, stays, apart);
  if (ifPassing && mayBegin(ifPassing)) {
    const more = servedFrom(run, ifPassing, 1) - servedFrom(run, found, 1);
    const misses = missedTimes(run, ifPassing) - (found ? missedTimes(run, found) : 0);
    if (more > Math.max(0, misses)) found = ifPassing;
  }
  const hole = firstPossibleHole(run);
  if (!hole) return found;
  const isTold = stays.some(
    (stay) =>
      stay.enter >= Math.max(hole.to, run.window.from) && stay.enter < run.window.to && tells(run, stay),
  );
  if (!isTold) return found;
  const assumed = assign(
    run,
    { kind: 'assumed', start: hole.to, stay: null, hole, since: null },
    stays,
    apart,
  );
  if (servedFrom(run, assumed, 1) <= servedFrom(run, found, 1)) return found;
  // T13b: S is the end of the hole, or the first entry that serves.
  const start = Math.min(hole.to, ...assumed.assignment.flatMap((stay) => stay?.enter ?? []));
  return { ...assumed, activation: { ...assumed.activation, start } };
}
