/** T23, T24, T27, T29 and T30: which stays serve which points. Every assignment is tried. */

import { arrivalAt, couldBeWithout, departureAt, type Judged } from './slowJudge.js';
import {
  type Activation,
  type Assignment,
  isOver,
  overAt,
  type Planned,
  type Run,
  type Stay,
} from './slowModel.js';
import { couldBeOnTime } from './slowReach.js';
import { overlapsWindow } from './slowStays.js';
import { longestMs } from './slowStops.js';
import { mayBeFrom, threshold, turnBefore, turnOf } from './slowTurns.js';
import { blameOf, isBetter, type Worth, worthOf } from './slowWorth.js';

export interface Chosen {
  readonly activation: Activation;
  readonly assignment: Assignment;
  readonly stays: readonly Stay[];
  readonly worth: Worth;
}

/** T13b: whether the planned times of a point, of which there is one, are certainly those of a stay. */
function isOnTime(run: Run, index: number, { arrivalBounds, departureBounds }: Stay): boolean {
  const { arrival, departure } = run.points[index]!;
  const isIn = (plan: typeof arrival, bounds: Stay['departureBounds']): boolean =>
    plan === null || (bounds !== null && bounds[0] >= plan.from && bounds[1] <= plan.to);
  return (
    (arrival !== null || departure !== null) &&
    isIn(arrival, arrivalBounds) &&
    isIn(departure, departureBounds)
  );
}

/** T24: whether a stay may serve all of these points. */
function isSharable(
  run: Run,
  activation: Activation,
  stay: Stay,
  stays: readonly Stay[],
  indices: readonly number[],
): boolean {
  const planOf = (index: number): Planned | null =>
    run.points[index]!.arrival ?? run.points[index]!.departure;
  if (!run.settings.allowSharedVisit || indices.at(-1)! - indices[0]! !== indices.length - 1) return false;
  const areNear = (a: Planned | null, b: Planned | null): boolean =>
    a === null || b === null || Math.abs(a.at - b.at) <= longestMs(run, stay) + a.tolerance + b.tolerance;
  if (!indices.every((a) => indices.every((b) => areNear(planOf(a), planOf(b))))) return false;
  const isDue = (plan: Planned | null): boolean => plan === null || run.now >= plan.at - plan.tolerance;
  if (stay.exit === null && !isOver(run) && !indices.slice(1).every((index) => isDue(planOf(index))))
    return false;
  const isLater = (other: Stay): boolean =>
    other.zone === stay.zone &&
    other.enter > stay.enter &&
    other.enter >= run.window.from &&
    other.enter < run.window.to &&
    run.points.some(({ index }) => candidates(run, activation, [other], index).length > 0);
  return !(run.strict && run.settings.policy === 'wait' && stays.some(isLater));
}

/** The stays that could serve a point by their zone and time (T13, T27). */
function candidates(run: Run, activation: Activation, stays: readonly Stay[], index: number): Stay[] {
  const settled = run.settled[index];
  if (settled) return [settled.stay];
  // The visit whose entry, or exit, is S serves the first point, also if it ends as the window opens.
  const isStart = (stay: Stay): boolean => index === 0 && stay === activation.stay;
  const own = stays.filter(
    (stay) =>
      stay.zone === run.points[index]!.zone && (isStart(stay) || overlapsWindow(run, stay, activation.since)),
  );
  // T49: the first point of an amended list, if it is another one, is like the others.
  if (index === 0 && run.begun?.isOwnFirst === false)
    return own.filter(({ exit }) => exit === null || exit > activation.start);
  if (index === 0 && (activation.kind !== 'planned' || activation.since !== null))
    return own.filter((stay) => stay === activation.stay);
  // T13b: before the end of the hole those that are certainly on time.
  if (activation.kind === 'assumed')
    return own.filter((stay) => stay.enter >= activation.hole!.to || isOnTime(run, index, stay));
  return own;
}

/** T24, T25, T27: whether the stays may serve these points together. */
function isAllowed(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  stays: readonly Stay[],
): boolean {
  const from = threshold(run, activation, assignment);
  return assignment.every((stay, index) => {
    if (stay === null || run.settled[index]) return true;
    // A settled visit after it is not over before its turn.
    const isBeforeSettled = (k: number): boolean =>
      k > index && run.settled[k] !== null && run.settled[k]!.stay.exit! < turnOf(run, assignment, index);
    if (run.strict && run.points.some((_, k) => isBeforeSettled(k))) return false;
    const endsInTime = index === 0 || stay.exit === null || stay.exit > from;
    const isInTurn = !run.strict || overAt(run, stay) >= turnOf(run, assignment, index);
    const serves = assignment.flatMap((other, k) => (other === stay ? [k] : []));
    const isSharedRightly = serves.length === 1 || isSharable(run, activation, stay, stays, serves);
    return endsInTime && isInTurn && isSharedRightly;
  });
}

/** T29. */
function bestOfAll(run: Run, activation: Activation, stays: readonly Stay[], apart: number): Chosen {
  let best: Chosen | null = null;
  const extend = (assignment: Assignment): void => {
    const index = assignment.length;
    if (index < run.points.length) {
      const options = candidates(run, activation, stays, index);
      for (const stay of options) extend([...assignment, stay]);
      // T27: a seen S is the entry, or exit, of the visit that serves the first point.
      if (!run.settled[index]) extend([...assignment, null]);
      return;
    }
    if (!isAllowed(run, activation, assignment, stays)) return;
    if (isFirstLeftOut(run, activation, assignment, stays)) return;
    if (isSkippedByDriveBy(run, activation, assignment)) return;
    const worth = worthOf(run, activation, assignment, stays, apart);
    if (best === null || isBetter(worth, best.worth)) best = { activation, assignment, stays, worth };
  };
  extend([]);
  return best!;
}

/** T27: the visit whose entry, or exit, is S serves the first point. */
function isFirstLeftOut(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  stays: readonly Stay[],
): boolean {
  if (
    (activation.kind !== 'seen' && activation.since === null) ||
    assignment[0] !== null ||
    run.begun?.isOwnFirst === false
  )
    return false;
  // T23: it may have turned out too short.
  return activation.stay !== null && stays.includes(activation.stay);
}

/** T32: before the window's end, a point that only drive-bys come after, and that could not have been visited, would be skipped by one. */
function isSkippedByDriveBy(run: Run, activation: Activation, assignment: Assignment): boolean {
  if (!run.strict || isOver(run)) return false;
  return assignment.some((stay, index) => {
    const later = assignment.slice(index + 1).filter((other) => other !== null);
    const isSettled = run.settled.some((own, k) => k > index && own !== null);
    const isSkippable =
      stay === null &&
      !run.excused[index] &&
      !isSettled &&
      later.length > 0 &&
      later.every(({ isStop }) => !isStop);
    return isSkippable && !couldBeWithout(run, activation, assignment, index);
  });
}

/** T30. */
function byWaiting(run: Run, activation: Activation, stays: readonly Stay[], apart: number): Chosen {
  const padded = (assignment: Assignment): Assignment =>
    run.points.map((_, index) => assignment[index] ?? null);
  /** Not over before the predecessor's turn, nor by the start of the run (T27). */
  const visitsInTime = (assignment: Assignment, index: number): Stay[] => {
    const [turn, from] = [
      turnBefore(run, padded(assignment), index),
      threshold(run, activation, padded(assignment)),
    ];
    return candidates(run, activation, stays, index).filter(
      (stay) =>
        overAt(run, stay) >= turn &&
        (index === 0 || run.settled[index] || stay.exit === null || stay.exit > from),
    );
  };
  const qualifying = (assignment: Assignment, index: number): Stay[] =>
    visitsInTime(assignment, index).filter((stay) => {
      // Shared with the next points, its departure is not known (T24).
      const others = run.points.slice(index).findIndex(({ zone }) => zone !== stay.zone);
      // The zone of a settled visit has its number in the old plan.
      const most = run.settled[index] ? 1 : others < 0 ? run.points.length - index : others;
      return Array.from({ length: most }, (_, k) => Array.from({ length: k + 1 }, () => stay)).some((own) =>
        isAllowed(run, activation, padded([...assignment, ...own]), stays),
      );
    });
  const chosen: (Stay | null)[] = [];
  let isBlocked = false;
  for (const { index } of run.points) {
    const settled = run.settled[index];
    if (settled || isBlocked) {
      chosen.push(settled?.stay ?? null);
      continue;
    }
    // T47: an excused point holds nothing back, so the others come first.
    if (run.excused[index] && (index > 0 || run.begun?.isOwnFirst === false)) {
      chosen.push(null);
      continue;
    }
    const holdsNothingBack =
      (index === 0 && activation.kind === 'assumed' && run.begun?.isOwnFirst !== false) ||
      isPassedUnseen(run, activation, chosen, index, stays, visitsInTime, qualifying);
    const options = holdsNothingBack ? [] : qualifying(chosen, index);
    const stay =
      index === 0 && run.begun?.isOwnFirst !== false
        ? best(options, (option) => firstWorth(run, activation, option, stays, padded))
        : best(options, (option) => [option.isStop ? 1 : 0, -option.enter]);
    isBlocked = stay === null && !holdsNothingBack && !run.excused[index];
    chosen.push(stay);
  }
  const assignment = withExcused(run, activation, stays, padded(chosen));
  return { activation, assignment, stays, worth: worthOf(run, activation, assignment, stays, apart) };
}

/**
 * T47 under `wait`: an excused point is served by its first stop, else drive-by, that leaves every other point as it is: it is not over before
 * the turn of the point before it, and begins before the turn of the one after it.
 */
function withExcused(
  run: Run,
  activation: Activation,
  stays: readonly Stay[],
  assignment: Assignment,
): Assignment {
  return run.points.reduce<Assignment>((found, { index }) => {
    if (!run.excused[index] || found[index]) return found;
    const after = found.findIndex((stay, k) => k > index && stay !== null);
    const options = candidates(run, activation, stays, index).filter((stay) => {
      if (found.includes(stay)) return false;
      if (after >= 0 && stay.enter > turnOf(run, found, after)) return false;
      return isAllowed(
        run,
        activation,
        found.map((other, k) => (k === index ? stay : other)),
        stays,
      );
    });
    const own = best(options, (option) => [option.isStop ? 1 : 0, -option.enter]);
    return found.map((other, k) => (k === index ? own : other));
  }, assignment);
}

/** T30: the first point by T29: stops, blame, |deviation|, then the earliest; as it will be served, with a neighbour where its visit is shared. */
function firstWorth(
  run: Run,
  activation: Activation,
  option: Stay,
  stays: readonly Stay[],
  padded: (assignment: Assignment) => Assignment,
): Worth {
  const alone = padded([option]);
  const both = padded([option, option]);
  const isShared =
    run.points[1]?.zone === option.zone && !run.excused[1] && isAllowed(run, activation, both, stays);
  const timesOf = (assignment: Assignment): readonly Judged[] => [
    arrivalAt(run, activation, assignment, 0, 'worth'),
    departureAt(run, assignment, 0, 'worth'),
  ];
  const blamed = (times: readonly Judged[]): number => times.filter(({ isBlamed }) => isBlamed).length;
  const times = timesOf(isShared ? both : alone);
  const outOfTurn = blameOf(run, activation, alone, stays) - blamed(timesOf(alone));
  const cost = times.reduce((sum, time) => sum + time.cost, 0);
  return [option.isStop ? 1 : 0, -blamed(times) - outOfTurn, -cost, -option.enter];
}

function best(options: readonly Stay[], worth: (stay: Stay) => Worth): Stay | null {
  return options.reduce<Stay | null>(
    (found, stay) => (found === null || isBetter(worth(stay), worth(found)) ? stay : found),
    null,
  );
}

/**
 * T30: the point has no visit that begins before a successor's stop is over, and could have been visited on time before then.
 */
function isPassedUnseen(
  run: Run,
  activation: Activation,
  chosen: Assignment,
  index: number,
  stays: readonly Stay[],
  visitsInTime: (assignment: Assignment, index: number) => Stay[],
  qualifying: (assignment: Assignment, index: number) => Stay[],
): boolean {
  const assignment = run.points.map((_, k) => chosen[k] ?? null);
  const serves = (visit: Stay): number[] => chosen.flatMap((own, k) => (own === visit ? [k] : []));
  const isFree = (visit: Stay): boolean =>
    !chosen.includes(visit) ||
    (chosen[index - 1] === visit && isSharable(run, activation, visit, stays, [...serves(visit), index]));
  const own = visitsInTime(chosen, index).filter(isFree);
  const f = mayBeFrom(run, activation, assignment, index);
  // T34: it is `no_data` only if that was before a later settled visit was over.
  const g = run.settled
    .slice(index + 1)
    .map((own) => own?.stay.departureBounds?.[1] ?? Number.POSITIVE_INFINITY);
  return run.points.slice(index + 1).some((successor) => {
    const skipped = [...chosen, ...Array.from({ length: successor.index - index }, () => null)];
    // The stop by which the successor is served: its first one.
    const stop = qualifying(skipped, successor.index)
      .filter((stay) => stay.isStop && !chosen.includes(stay))
      .sort((a, b) => a.enter - b.enter)[0];
    if (stop === undefined) return false;
    // T34: one whose end was not seen is over by the latest of its bounds.
    const over = stop.departureBounds?.[1] ?? run.now;
    const beginsBefore = (visit: Stay): boolean => stop.exit === null || visit.enter < over;
    return !own.some(beginsBefore) && couldBeOnTime(run, run.points[index]!, f, Math.min(over, ...g));
  });
}

/** The assignment of a run with a start, for these stays. */
export function assign(run: Run, activation: Activation, stays: readonly Stay[], apart: number): Chosen {
  const waits = run.strict && run.settings.policy === 'wait';
  return (waits ? byWaiting : bestOfAll)(run, activation, stays, apart);
}
