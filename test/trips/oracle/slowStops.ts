/** T20 to T22: in which stays the unit stood, or could have stood. */

import type { Visit } from '../../../src/tracks/index.js';
import { type Bounds, type Run, SLOW_KPH, type SlowFix } from './slowModel.js';
import { timeInZone } from './slowReach.js';
import { slowRests } from './slowRests.js';
import { isHandedOver, isSleep, type Step, stepsOf } from './slowSteps.js';

/** The part of a stay that says where and when it is. */
export interface Presence {
  readonly zone: number;
  readonly visits: readonly Visit[];
  readonly enter: number;
  readonly exit: number | null;
  readonly arrivalBounds: Bounds;
  readonly departureBounds: Bounds | null;
}

/** T19: the longest that the bounds allow. */
export const longestMs = (run: Run, stay: Presence): number =>
  (stay.departureBounds?.[1] ?? run.now) - stay.arrivalBounds[0];

/** T20: a rest of which `serviceSeconds` were seen in the zone. */
export function isSeenStop(run: Run, stay: Presence): boolean {
  const serviceMs = run.settings.serviceSeconds * 1000;
  if (serviceMs === 0) return true;
  if (run.fixes === null) return isSeenStopWithoutPlaces(run, stay, serviceMs);
  return hasRest(run, stay, slowRests(run.fixes, run.settings).seen);
}

/** Whether `serviceSeconds` of a rest were seen in the zone. */
function hasRest(run: Run, stay: Presence, rests: readonly Bounds[]): boolean {
  const serviceMs = run.settings.serviceSeconds * 1000;
  const spans = stay.visits.map((visit) => seenSpan(run, stay.zone, visit, serviceMs));
  return rests.some(([from, to]) => {
    const shared = spans.map(([begin, end]) => Math.max(0, Math.min(to, end) - Math.max(from, begin)));
    return shared.reduce((sum, own) => sum + own, 0) >= serviceMs;
  });
}

/** When a visit was seen in the zone: an end counts as interpolated on a step shorter than a stop. */
function seenSpan(run: Run, zone: number, visit: Visit, serviceMs: number): Bounds {
  const { enter, exit, enterBounds, exitBounds } = visit;
  const isShort = (from: number | null, to: number | null): boolean =>
    from !== null && to !== null && to - from < serviceMs;
  const begin = isShort(enterBounds[0], enterBounds[1]) ? enter : enterBounds[1];
  if (exit !== null && exitBounds !== null)
    return [begin, isShort(exitBounds[0], exitBounds[1]) ? exit : exitBounds[0]];
  const inside = run.fixes!.filter(
    ({ time, place }) => time >= enter && run.metersTo(zone, place, time) <= 0,
  );
  return [begin, inside.at(-1)?.time ?? enterBounds[1]];
}

/** T22: without positions the duration decides; what was seen is the time without holes. */
function isSeenStopWithoutPlaces(run: Run, stay: Presence, serviceMs: number): boolean {
  const end = stay.exit ?? run.now;
  const times = [stay.enter, end, ...run.holes.flatMap(({ from, to }) => [from, to])]
    .filter((time) => time >= stay.enter && time <= end)
    .sort((a, b) => a - b);
  return times.some((time, k) => {
    const next = times[k + 1];
    if (next === undefined || next - time < serviceMs) return false;
    return !run.holes.some((hole) => hole.from < next && hole.to > time);
  });
}

/** T22. */
export function isStop(run: Run, stay: Presence): boolean {
  const { settings } = run;
  const serviceMs = settings.serviceSeconds * 1000;
  if (isSeenStop(run, stay)) return true;
  if (run.fixes === null) return longestMs(run, stay) >= serviceMs;
  if (hasRest(run, stay, slowRests(run.fixes, run.settings).possible)) return true;
  // A unit that was in the zone with its first fix has no fix before; that may be before the window.
  const first = stay.visits[0]!.enterBounds[0] ?? Math.min(run.window.from, stay.enter);
  const last = stay.visits.at(-1)!.exitBounds?.[1] ?? run.now;
  const steps = stepsOf(run.fixes).filter((step) => step.from.time < last && step.to.time > first);
  const holes = run.holes.filter((hole) => hole.from < last && hole.to > first);
  // A sleep is no hole (T11): it hides an end of the stay, and nothing else.
  const ends = [stay.visits[0]!.enterBounds, stay.visits.at(-1)!.exitBounds ?? [run.now, run.now]].map(
    ([from, to]) => [from ?? run.window.from, to ?? run.now] as const,
  );
  const unseenEnds = steps
    .filter((step) => isSleep(step, settings) && step.to.time - step.from.time > settings.holeSeconds * 1000)
    .filter((step) => ends.some(([from, to]) => step.from.time < to && step.to.time > from))
    .map((step) => ({
      from: step.from.time,
      to: step.to.time,
      reason: 'gap' as const,
      start: step.from.place,
      end: step.to.place,
    }));
  const couldStand = [...holes, ...unseenEnds].some((hole) => {
    const [from, to] = timeInZone(run, stay.zone, hole);
    // T35: only while the unit may have been there.
    const until = Math.min(last, stay.departureBounds?.[1] ?? run.now);
    return Math.min(to, until) - Math.max(from, first, stay.arrivalBounds[0]) >= serviceMs;
  });
  return (
    couldStand ||
    steps.some((step) =>
      isHandedOver(step)
        ? couldStandBeforeOrAfter(run, stay.zone, step, [first, last], serviceMs)
        : couldStandOn(run, stay.zone, step, [first, last], serviceMs),
    )
  );
}

/** T50: up to the hand-over the old unit may have stood where it was last seen, and from it on the new one where it was first seen. */
function couldStandBeforeOrAfter(
  run: Run,
  zone: number,
  { from, to }: Step,
  [first, last]: readonly [number, number],
  serviceMs: number,
): boolean {
  const [begin, end] = [to.handed![0]!, to.handed!.at(-1)!];
  const standsAt = (fix: SlowFix): boolean =>
    run.metersTo(zone, fix.place, fix.time) <= 0 && (fix.speed ?? 0) <= SLOW_KPH;
  const couldBefore = begin - from.time >= serviceMs && begin > first && from.time < last && standsAt(from);
  const couldAfter = to.time - end >= serviceMs && to.time > first && end < last && standsAt(to);
  return couldBefore || couldAfter;
}

/** A step at a fix in the zone that does not report motion, with the time of a stop to spare. */
function couldStandOn(
  run: Run,
  zone: number,
  step: Step,
  [first, last]: readonly [number, number],
  serviceMs: number,
): boolean {
  const dt = step.to.time - step.from.time;
  const wayMs = (step.meters / (run.settings.reachSpeedKph / 3.6)) * 1000;
  const standsAt = (fix: SlowFix): boolean =>
    run.metersTo(zone, fix.place, fix.time) <= 0 && (fix.speed ?? 0) <= SLOW_KPH;
  // T49b: of a visit that an amendment ends or begins, a fix beyond that is in another zone.
  const isAtFix =
    (step.from.time >= first && standsAt(step.from)) || (step.to.time <= last && standsAt(step.to));
  return dt >= serviceMs && dt - wayMs >= serviceMs && isAtFix;
}
