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

export function arrivalBoundsOf(run: Run, zone: number, visit: Visit): Bounds {
  const [before, after] = visit.enterBounds;
  if (!isUnseenBetween(run, before ?? run.window.from, after)) return [visit.enter, visit.enter];
  const earliest = before === null ? run.window.from : earliestIn(run, zone, before, placeAt(run, before));
  return [Math.min(earliest, visit.enter), after];
}

export function departureBoundsOf(run: Run, zone: number, visit: Visit): Bounds | null {
  if (visit.exit === null || visit.exitBounds === null) return null;
  const [before, after] = visit.exitBounds;
  if (!isUnseenBetween(run, before, after ?? run.now)) return [visit.exit, visit.exit];
  const latest = after === null ? run.now : latestIn(run, zone, after, placeAt(run, after));
  return [before, Math.max(latest, visit.exit)];
}
