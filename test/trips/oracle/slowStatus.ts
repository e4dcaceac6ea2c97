/** T32, T37, T38 and T41: the statuses of points and of the trip, and what was out of turn. */

import type { PointStatus, TripStatus } from '../../../src/trips/index.js';
import { activationKey } from './slowActivation.js';
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
import { timeInZone } from './slowReach.js';
import { isOldEnough } from './slowStays.js';
import { boundedTurn, isTentative, latestPlan, turnOf } from './slowTurns.js';

/** A run with its assignment; without a start nothing is served. */
export interface Case {
  readonly run: Run;
  readonly activation: Activation | null;
  readonly assignment: Assignment;
  readonly stays: readonly Stay[];
}

/** T41, rows `finished` and `finished_with_violations`: when, or null. */
export function finishOf(given: Case): number | null {
  const { run, activation, assignment } = given;
  if (activation === null) return null;
  // T47.
  if (run.excused.every(Boolean)) return Math.max(activation.start, run.excusedAt);
  return run.strict ? strictFinish(given, activation) : arbitraryFinish(run, activation, assignment, given);
}

function strictFinish({ run, assignment }: Case, activation: Activation): number | null {
  const last = lastNeeded(run);
  const stay = assignment[last];
  if (!stay || isTentative(run, stay)) return null;
  // T32.
  const isMissing = assignment.some((other, k) => k < last && other === null && !run.excused[k]);
  if (!isOver(run) && !stay.isStop && isMissing) return null;
  if (mayServeBefore(run, assignment, last)) return null;
  const turn = Math.max(turnOf(run, assignment, last), activation.start);
  if (run.settings.finishOn !== 'departure') return turn;
  return stay.exit !== null && stay.exit <= run.window.to ? Math.max(stay.exit, turn) : null;
}

function arbitraryFinish(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  given: Case,
): number | null {
  const needed = run.points.filter(({ index }) => !run.excused[index]);
  const served = needed.flatMap(({ index }) => assignment[index] ?? []);
  const isDone = needed.every(({ index }) => {
    const stay = assignment[index];
    if (stay) return !isTentative(run, stay);
    return isOver(run) && couldHaveBeen(given, index);
  });
  if (!isDone || served.length === 0) return null;
  return Math.max(activation.start, ...served.map(({ enter }) => enter));
}

/** T34 for an unserved point; for a served one, as if its visit were not. */
export const couldHaveBeen = ({ run, activation, assignment }: Case, index: number): boolean =>
  couldBeWithout(run, activation, assignment, index);

/** Whether a later point is served by a visit that skips the points before it (T32). */
export function skipper({ run, assignment }: Case, index: number): number {
  const next = assignment.findIndex((stay, k) => k > index && stay !== null && (isOver(run) || stay.isStop));
  const { zone } = run.points[index]!;
  const isNeighbour = run.points.slice(index, next + 1).every((point) => point.zone === zone);
  return next >= 0 && isNeighbour && mayServeBefore(run, assignment, next) ? -1 : next;
}

/** T24: whether the open stay that serves a point may yet serve the unserved neighbour before it too. */
function mayServeBefore(run: Run, assignment: Assignment, index: number): boolean {
  const before = run.points[index - 1];
  if (!run.settings.allowSharedVisit || isOver(run) || before?.zone !== run.points[index]!.zone) return false;
  return assignment[index]!.exit === null && assignment[index - 1] === null && !run.excused[index - 1];
}

/** T37 without what was visited out of turn. */
function plainStatus(given: Case, index: number): PointStatus {
  const { run, assignment, activation } = given;
  const stay = assignment[index];
  const isTripOver = isOver(run) || finishOf(given) !== null || run.isCancelled;
  if (stay) {
    const mustLeave = index === run.points.length - 1 && run.settings.finishOn === 'departure';
    const isDone = isOldEnough(run, stay) && !(mustLeave && stay.exit === null);
    return isDone || isTripOver || stay.exit !== null ? 'passed' : 'inside';
  }
  // T47, T48.
  if (run.excused[index] || run.isCancelled) return 'excused';
  const isSkipped = run.strict && activation !== null && skipper(given, index) >= 0;
  if (!isTripOver && !isSkipped) return 'pending';
  if (couldHaveBeen(given, index)) return 'no_data';
  return isSkipped ? 'skipped' : 'missed';
}

/** T38: a stop out of turn, and the first point to which it was. */
export interface OutOfTurn {
  readonly stop: Stay;
  readonly index: number;
}

export function outOfTurn(given: Case): OutOfTurn[] {
  const { run, activation, assignment, stays } = given;
  if (!run.strict || activation === null) return [];
  const end = finishOf(given) ?? endOf(run);
  const status = run.points.map(({ index }) => plainStatus(given, index));
  const isOpen = (index: number): boolean =>
    assignment[index] === null && status[index] !== 'no_data' && status[index] !== 'excused';
  return stays
    .filter((stop) => stop.isSeenStop && !assignment.includes(stop))
    .filter((stop) => stop.arrivalBounds[0] >= activation.start && stop.arrivalBounds[1] <= end)
    .flatMap((stop) => {
      const ofZone = run.points.filter(({ zone }) => zone === stop.zone);
      const isAnswered = ofZone.some(
        ({ index }) =>
          status[index] === 'no_data' || (assignment[index] && assignment[index].enter < stop.enter),
      );
      if (isAnswered) return [];
      const wrong = ofZone.find(({ index }) => {
        // T47: an excused point makes no violation.
        if (run.settled[index] || run.excused[index] || status[index] === 'excused') return false;
        if (isOpen(index) && assignment.some((stay, k) => k > index && stay !== null)) return true;
        return run.points.slice(0, index).some((before) => {
          if (assignment[before.index])
            return stop.arrivalBounds[1] < boundedTurn(run, assignment, before.index, 0);
          return run.settings.policy === 'wait' && isOpen(before.index);
        });
      });
      return wrong ? [{ stop, index: wrong.index }] : [];
    });
}

export interface Statuses {
  readonly trip: TripStatus;
  readonly points: readonly PointStatus[];
  readonly outOfTurn: readonly OutOfTurn[];
  readonly isOutOfOrder: readonly boolean[];
  readonly finishedAt: number | null;
}

/** T37, T38 and T41, but for the difference that violations make. */
export function statusesOf(given: Case): Statuses {
  const { run, activation } = given;
  const wrong = outOfTurn(given);
  const isOutOfOrder = run.points.map(
    ({ zone, index }) =>
      !run.settled[index] &&
      !run.excused[index] &&
      !(run.isCancelled && given.assignment[index] === null) &&
      wrong.some(({ stop }) => stop.zone === zone),
  );
  const points = run.points.map(({ index }): PointStatus => {
    const status = plainStatus(given, index);
    return run.strict && status === 'missed' && isOutOfOrder[index] ? 'skipped' : status;
  });
  const finishedAt = finishOf(given);
  const isStarted = activation !== null && activation.start <= run.now;
  const trip = ((): TripStatus => {
    if (run.isCancelled) return 'cancelled';
    if (!isStarted) return isOver(run) ? withoutStart(given) : 'scheduled';
    if (finishedAt !== null) return 'finished';
    if (!isOver(run)) return 'active';
    const isUnknown = run.strict
      ? points[lastNeeded(run)] === 'no_data'
      : points.every((status, index) => status === 'no_data' || run.excused[index]) &&
        points.includes('no_data');
    return isUnknown ? 'no_data' : 'aborted';
  })();
  return { trip, points, outOfTurn: wrong, isOutOfOrder, finishedAt };
}

/** T41: no fix in the window; or the first point could have been visited (`leaving`: left) on time. */
function withoutStart(given: Case): TripStatus {
  const { run, stays } = given;
  if (!hasFixInWindow(run)) return 'no_data';
  if (activationKey(run) !== 'leaving_first_point')
    return couldHaveBeen(given, 0) ? 'no_data' : 'not_started';
  const { zone, arrival, departure } = run.points[0]!;
  const confirmMs = run.settings.leaveConfirmSeconds * 1000;
  const could = run.holes.some((hole) => {
    const beginsThere = stays.some(
      (stay) =>
        stay.zone === zone && stay.enter <= hole.from && (stay.exit === null || stay.exit >= hole.from),
    );
    const [comes, goes] = timeInZone(run, zone, hole);
    const departs = hole.to >= endOf(run) ? -Infinity : (departure?.from ?? -Infinity);
    let leaves = Math.max(run.window.from, departs, hole.from);
    if (!beginsThere) {
      if (arrival !== null && comes > arrival.to) return false;
      leaves = Math.max(leaves, comes + run.settings.minStaySeconds * 1000, arrival?.from ?? -Infinity);
    }
    // Back in the zone at the end, it was away for over `leaveConfirmSeconds`.
    const isBack = hole.end !== null && goes >= hole.to;
    const until = isBack ? hole.to - confirmMs - 1 : goes;
    return leaves <= Math.min(goes, until, departure?.to ?? latestPlan(run), endOf(run));
  });
  return could ? 'no_data' : 'not_started';
}

/** Of given visits it is known only where holes are. */
export function hasFixInWindow({ fixes, window, holes }: Run): boolean {
  if (fixes === null) return !holes.some(({ from, to }) => from <= window.from && to >= window.to);
  return fixes.some(({ time }) => time >= window.from && time < window.to);
}
