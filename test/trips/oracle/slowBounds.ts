/** T35: the bounds of entries and exits. */

import type { Visit } from '../../../src/tracks/index.js';
import type { Bounds, Place, Run } from './slowModel.js';
import { earliestIn, latestIn } from './slowReach.js';
import { isSleep, stepsOf } from './slowSteps.js';

/** Whether a hole, or a sleep over `holeSeconds`, lies between two times. */
export function isUnseenBetween(run: Run, from: number, to: number): boolean {
  const { settings, fixes, holes } = run;
  const sleeps = (fixes === null ? [] : stepsOf(fixes))
    .filter((step) => isSleep(step, settings) && step.to.time - step.from.time > settings.holeSeconds * 1000)
    .map((step) => ({ from: step.from.time, to: step.to.time }));
  return [...holes, ...sleeps].some((period) => period.from < to && period.to > from);
}

const placeAt = (run: Run, time: number): Place | null =>
  run.fixes?.find((fix) => fix.time === time)?.place ??
  run.holes.find((hole) => hole.from === time)?.start ??
  run.holes.find((hole) => hole.to === time)?.end ??
  null;

/** T35: also an arrival that was not seen may have one time as its bounds, where the way there takes all the time. */
export function isArrivalUnseen(run: Run, { enterBounds: [before, after] }: Visit): boolean {
  return isUnseenBetween(run, before ?? run.window.from, after);
}
export function isDepartureUnseen(run: Run, { exit, exitBounds }: Visit): boolean {
  return (
    exit === null || exitBounds === null || isUnseenBetween(run, exitBounds[0], exitBounds[1] ?? run.now)
  );
}

export function arrivalBoundsOf(run: Run, zone: number, visit: Visit): Bounds {
  const [before, after] = visit.enterBounds;
  if (!isArrivalUnseen(run, visit)) return [visit.enter, visit.enter];
  const earliest = before === null ? run.window.from : earliestIn(run, zone, before, placeAt(run, before));
  return [Math.min(earliest, visit.enter), after];
}

export function departureBoundsOf(run: Run, zone: number, visit: Visit): Bounds | null {
  if (visit.exit === null || visit.exitBounds === null) return null;
  const [before, after] = visit.exitBounds;
  if (!isDepartureUnseen(run, visit)) return [visit.exit, visit.exit];
  const latest = after === null ? run.now : latestIn(run, zone, after, placeAt(run, after));
  return [before, Math.max(latest, visit.exit)];
}
