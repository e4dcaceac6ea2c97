/** V12, T10, T11: steps between neighbouring fixes, and what is a gap, a sleep or a hole. */

import { distanceMeters } from '../../../src/index.js';
import type { Hole, Settings, SlowFix } from './slowModel.js';

export interface Step {
  readonly from: SlowFix;
  readonly to: SlowFix;
  readonly meters: number;
}

/** Kept, because each stay asks for them. */
const steps = new WeakMap<readonly SlowFix[], readonly Step[]>();

export function stepsOf(fixes: readonly SlowFix[]): readonly Step[] {
  const before = steps.get(fixes);
  if (before) return before;
  const made = fixes.slice(1).map((to, k) => stepOf(fixes[k]!, to));
  steps.set(fixes, made);
  return made;
}

export const stepOf = (from: SlowFix, to: SlowFix): Step => ({
  from,
  to,
  meters: distanceMeters(from.place, to.place),
});

/** T50: a step on which another unit took over. */
export const isHandedOver = ({ to }: Step): boolean => to.handed !== undefined;

const milliseconds = ({ from, to }: Step): number => to.time - from.time;

/** V12. */
export const isGap = (step: Step, settings: Settings): boolean =>
  isHandedOver(step) ||
  step.to.blind !== null ||
  milliseconds(step) > settings.maxGapSeconds * 1000 ||
  Math.abs(step.from.place[0] - step.to.place[0]) === 180;

/** T11: the unit was at one place, and nothing says that it moved. */
function isAtOnePlace(step: Step, settings: Settings): boolean {
  const { from, to } = step;
  const grown = from.mileage !== null && to.mileage !== null ? to.mileage - from.mileage : 0;
  const driven = Math.max(grown, to.mileageDelta ?? 0);
  if (isHandedOver(step)) return false;
  return to.blind === null && step.meters <= settings.parkedMeters && driven <= settings.parkedMeters;
}

/** T10: what would be a hole, if it were no sleep. T50: over a hand-over only the time counts. */
const isUnseen = (step: Step, settings: Settings): boolean =>
  milliseconds(step) > settings.holeSeconds * 1000 ||
  (!isHandedOver(step) && (isGap(step, settings) || step.meters >= settings.maxCrossedMeters));

export const isHole = (step: Step, settings: Settings): boolean =>
  isUnseen(step, settings) && !isAtOnePlace(step, settings);

/** §1: a long step whose two fixes are near each other. */
export const isSleep = (step: Step, settings: Settings): boolean =>
  isUnseen(step, settings) && isAtOnePlace(step, settings);

/** T10 and T11. `next` is the first fix after `now`, or null; `blindAfter` says why the track is blind at its end. */
export function holesOf(
  fixes: readonly SlowFix[],
  next: SlowFix | null,
  blindAfter: 'jammed' | 'frozen' | null,
  windowFrom: number,
  now: number,
  settings: Settings,
  /** The hand-overs after the last fix. */
  handed: readonly number[] = [],
): Hole[] {
  const first = fixes[0];
  const last = fixes.at(-1);
  if (!first || !last)
    return now > windowFrom
      ? [{ from: windowFrom, to: now, reason: 'not_started', start: null, end: null }]
      : [];
  const holes: Hole[] = [];
  if (first.time > windowFrom)
    holes.push({ from: windowFrom, to: first.time, reason: 'not_started', start: null, end: first.place });
  for (const step of stepsOf(fixes)) {
    if (!isHole(step, settings)) continue;
    const { from, to } = step;
    holes.push({
      from: from.time,
      to: to.time,
      reason: to.blind ?? 'gap',
      start: from.place,
      end: to.place,
      ...(to.handed && { handed: to.handed }),
    });
  }
  if (handed.length > 0) {
    if (now > last.time)
      holes.push({ from: last.time, to: now, reason: 'silent', start: last.place, end: null, handed });
    return holes;
  }
  const sleeps = next !== null && isAtOnePlace(stepOf(last, next), settings);
  if (now > last.time && !sleeps) {
    const reason = next === null ? (blindAfter ?? 'silent') : (next.blind ?? 'silent');
    holes.push({ from: last.time, to: now, reason, start: last.place, end: null });
  }
  return holes;
}
