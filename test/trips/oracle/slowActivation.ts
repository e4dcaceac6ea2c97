/** §5 "Activation S". */

import { couldHaveBeenIn, onTime } from './slowHoles.js';
import type { Run, Start, Stay } from './slowModel.js';

/** The activation that the plan or the visits give; null where there is none by `now`. */
export function startOf(run: Run, stays: readonly Stay[]): Start | null {
  const start = soughtStart(run, stays);
  return start === null || run.now < start.at ? null : start;
}

function soughtStart(run: Run, stays: readonly Stay[]): Start | null {
  const first = run.points[0]!;
  const { from, to } = run.window;
  if (run.activation === 'time_of_first_point') {
    // "the planned arrival (else departure) of the first point".
    const at = (first.arrival ?? first.departure)!;
    return { kind: 'planned', at, earliest: at, activator: null };
  }
  const ofFirst = stays.filter((stay) => stay.zone === first.zone);
  if (run.activation === 'entrance_to_first_point') {
    // "already inside at its start: S = the window's start".
    const inside = ofFirst.find((stay) => stay.enter < from && (stay.exit === null || stay.exit > from));
    if (inside) {
      return { kind: 'seen', at: from, earliest: from, activator: inside };
    }
    // "the first entry into it in the window by a stop, else by a drive-by".
    const entered = ofFirst.filter((stay) => stay.enter >= from && stay.enter < to);
    const activator = entered.find((stay) => stay.isStop) ?? entered[0];
    if (!activator) return null;
    const earliest = activator.arrivalBounds[0];
    return { kind: 'seen', at: activator.enter, earliest, activator };
  }
  // "the first exit of a stop, else of a drive-by, from it in the window that is not undone within `leaveConfirmSeconds`";
  // "an exit counts once `now` is that much after it".
  const left = ofFirst
    .filter((stay) => stay.left !== null && stay.left >= from && stay.left < to)
    .filter((stay) => run.now >= stay.left! + run.leaveConfirm)
    .sort((a, b) => a.left! - b.left!);
  const activator = left.find((stay) => stay.isStop) ?? left[0];
  if (!activator) return null;
  const earliest = activator.departureBounds![0];
  return { kind: 'seen', at: activator.left!, earliest, activator };
}

/**
 * "`assumed`: the unit could have been at the first point on time in a hole between the window's start and a stay of another point";
 * "S = the end of the first such hole".
 */
export function assumedStart(run: Run, stays: readonly Stay[]): Start | null {
  if (run.activation === 'time_of_first_point') return null;
  const first = run.points[0]!;
  const others = stays.filter(
    (stay) => stay.zone !== first.zone && run.points.some((point) => point.zone === stay.zone),
  );
  const hole = [...run.holes]
    .sort((a, b) => a.from - b.from)
    .find(
      ({ from, to, start, end }) =>
        others.some((stay) => overlaps(run, stay) && stay.enter >= to) &&
        couldHaveBeenIn(run, first, { from, to, start, end }, [run.window.from, to]),
    );
  if (!hole) return null;
  const earliest = Math.max(hole.from, run.window.from);
  return { kind: 'assumed', at: hole.to, earliest, activator: null };
}

/** "visits that overlap the window"; a visit without length lies in it, or not. */
export function overlaps(run: Run, stay: Stay): boolean {
  const { from, to } = run.window;
  return stay.enter < to && (stay.exit === null || stay.exit > from || stay.enter >= from);
}

/** "(`no_data`, without violation, if it could have been at, or for `leaving` have left, the first point on time)". */
export function couldHaveStarted(run: Run, stays: readonly Stay[]): boolean {
  const first = run.points[0]!;
  const within = [run.window.from, Math.min(run.window.to, run.now)] as const;
  if (run.holes.some((hole) => couldHaveBeenIn(run, first, hole, within))) return true;
  if (run.activation !== 'leaving_first_point') return false;
  // A unit that left on time need not have arrived on time.
  const unplanned = { ...first, arrival: null };
  const isLeft =
    first.departure !== null && run.holes.some((hole) => couldHaveBeenIn(run, unplanned, hole, within));
  return isLeft || couldHaveLeft(run, stays, within);
}

function couldHaveLeft(run: Run, stays: readonly Stay[], [from, to]: readonly [number, number]): boolean {
  const first = run.points[0]!;
  const [earliest, last] = onTime(first.departure, first.departureTolerance);
  return run.holes.some((hole) => {
    const isThere = stays.some(
      (stay) =>
        stay.zone === first.zone && stay.enter <= hole.from && (stay.exit === null || stay.exit >= hole.from),
    );
    return isThere && Math.max(hole.from, from, earliest) <= Math.min(hole.to, to, last);
  });
}
