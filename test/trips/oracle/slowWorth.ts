/** T28 and T29: what an assignment is worth. */

import { arrivalAt, departureAt } from './slowJudge.js';
import type { Activation, Assignment, Run, Stay } from './slowModel.js';
import { boundedTurn, servedBefore, turnBefore } from './slowTurns.js';

/** Compared from left to right; the greater one is better. */
export type Worth = readonly number[];

export function isBetter(a: Worth, b: Worth): boolean {
  const k = a.findIndex((value, i) => value !== b[i]);
  return k >= 0 && a[k]! > b[k]!;
}

/** T28: planned times missed, and points at whose zone an unassigned stop was out of turn. */
export function blameOf(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  stays: readonly Stay[],
): number {
  let blame = 0;
  run.points.forEach((point, index) => {
    if (assignment[index] && !run.settled[index] && !run.excused[index]) {
      if (arrivalAt(run, activation, assignment, index, 'worth').isBlamed) blame++;
      if (departureAt(run, assignment, index, 'worth').isBlamed) blame++;
    }
    const isFirstOfZone = run.points.findIndex(({ zone }) => zone === point.zone) === index;
    const before = servedBefore(assignment, index);
    if (!run.strict || !isFirstOfZone || before < 0 || run.excused[index]) return;
    const turn = boundedTurn(run, assignment, before, 0);
    const isOutOfTurn = stays.some(
      (stay) =>
        stay.zone === point.zone &&
        stay.isSeenStop &&
        !assignment.includes(stay) &&
        // Certainly: at every time of its bounds.
        stay.arrivalBounds[0] >= (activation.hole?.to ?? activation.start) &&
        stay.departureBounds !== null &&
        stay.departureBounds[1] <= turn,
    );
    if (isOutOfTurn) blame++;
  });
  return blame;
}

/** T29: the total |deviation|, milliseconds. */
export function costOf(run: Run, activation: Activation, assignment: Assignment): number {
  return run.points.reduce(
    (sum, { index }) =>
      assignment[index] && !run.settled[index]
        ? sum +
          arrivalAt(run, activation, assignment, index, 'worth').cost +
          departureAt(run, assignment, index, 'worth').cost
        : sum,
    0,
  );
}

/** T29. `apart` joints come after the points served (T17a). */
export function worthOf(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  stays: readonly Stay[],
  apart: number,
): Worth {
  const served = assignment.filter((stay) => stay !== null);
  // Before its turn, or by a visit shared with the point before.
  const beforeTurn = run.points.filter(
    ({ index }) =>
      !run.settled[index] &&
      assignment[index] &&
      (assignment[index] === assignment[index - 1] ||
        (run.strict && assignment[index].enter < turnBefore(run, assignment, index))),
  );
  return [
    served.length,
    -apart,
    served.filter(({ isStop }) => isStop).length,
    -blameOf(run, activation, assignment, stays),
    -beforeTurn.length,
    -costOf(run, activation, assignment),
    ...assignment.map((stay) => (stay ? -stay.enter : Number.NEGATIVE_INFINITY)),
  ];
}
