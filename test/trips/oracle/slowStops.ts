/** T20 to T22: in which stays the unit stood, or could have stood. */

import { distanceMeters } from '../../../src/index.js';
import type { Visit } from '../../../src/tracks/index.js';
import { isArrivalUnseen, isDepartureUnseen } from './slowBounds.js';
import {
  type Bounds,
  FAST_KPH,
  type Place,
  type Run,
  SLOW_KPH,
  type SlowFix,
  STOP_METERS,
} from './slowModel.js';
import { timeInZone } from './slowReach.js';
import { isHandedOver, isHole, isSleep, type Step, stepOf, stepsOf } from './slowSteps.js';

/** The part of a stay that says where and when it is. */
export interface Presence {
  readonly zone: number;
  readonly visits: readonly Visit[];
  readonly enter: number;
  readonly exit: number | null;
  readonly arrivalBounds: Bounds;
  readonly departureBounds: Bounds | null;
}

/** A fix of a stay, or one of its interpolated ends. */
interface Mark {
  readonly time: number;
  readonly place: Place;
  readonly moves: boolean;
  readonly isOff: boolean;
  readonly isInZone: boolean;
  /** An entry may begin a run of fixes that shows a stop, and an exit may end one; null: a fix. */
  readonly end: 'entry' | 'exit' | null;
}

/** T19: the longest that the bounds allow. */
export const longestMs = (run: Run, stay: Presence): number =>
  (stay.departureBounds?.[1] ?? run.now) - stay.arrivalBounds[0];

/** T21. */
function moves(run: Run, k: number): boolean {
  const fixes = run.fixes!;
  const speed = (fix: SlowFix | undefined): number => fix?.speed ?? 0;
  if (speed(fixes[k]) > FAST_KPH) return true;
  if (speed(fixes[k]) <= SLOW_KPH) return false;
  return [k - 1, k + 1].some((other) => {
    const neighbour = fixes[other];
    if (!neighbour || speed(neighbour) <= SLOW_KPH) return false;
    const step = stepOf(fixes[Math.min(k, other)]!, fixes[Math.max(k, other)]!);
    return !isHole(step, run.settings) && !isHandedOver(step);
  });
}

/** The place between two fixes at a time (V6). */
function placeBetween(run: Run, time: number): Place {
  const fixes = run.fixes!;
  const after = fixes.findIndex((fix) => fix.time >= time);
  if (after < 0) return fixes.at(-1)!.place;
  const [a, b] = [fixes[Math.max(0, after - 1)]!, fixes[after]!];
  if (b.time === time || a.time === b.time) return b.place;
  const share = (time - a.time) / (b.time - a.time);
  let east = b.place[0] - a.place[0];
  if (east > 180) east -= 360;
  if (east < -180) east += 360;
  return [a.place[0] + share * east, a.place[1] + share * (b.place[1] - a.place[1])];
}

/** The fixes of a stay and the interpolated ends of its visits, in order of time. */
function marksOf(run: Run, stay: Presence): Mark[] {
  const end = stay.exit ?? run.now;
  const marks = run.fixes!.flatMap((fix, k): Mark[] =>
    fix.time < stay.enter || fix.time > end
      ? []
      : [
          {
            time: fix.time,
            place: fix.place,
            moves: moves(run, k),
            isOff: fix.ignition === false,
            isInZone: run.metersTo(stay.zone, fix.place, fix.time) <= 0,
            end: null,
          },
        ],
  );
  // An interpolated end that was not seen (T35) is no evidence of standing.
  // T50: where a unit is when another takes over is not interpolated.
  const isTakenOver = (visit: Visit): boolean => run.handOvers.some(({ at }) => at === visit.enter);
  const add = (time: number, end: Mark['end']): void => {
    if (marks.some((mark) => mark.time === time)) return;
    marks.push({ time, place: placeBetween(run, time), moves: false, isOff: false, isInZone: true, end });
  };
  for (const visit of stay.visits) {
    if (!isArrivalUnseen(run, visit) && !isTakenOver(visit)) add(visit.enter, 'entry');
    if (visit.exit !== null && !isDepartureUnseen(run, visit) && visit.end !== 'handed-over')
      add(visit.exit, 'exit');
  }
  return marks.sort((a, b) => a.time - b.time);
}

/** T20. */
export function isSeenStop(run: Run, stay: Presence): boolean {
  const { settings } = run;
  const serviceMs = settings.serviceSeconds * 1000;
  if (serviceMs === 0) return true;
  if (run.fixes === null) return isSeenStopWithoutPlaces(run, stay, serviceMs);
  const end = stay.exit ?? run.now;
  const steps = stepsOf(run.fixes);
  const inZone = (fix: SlowFix): boolean => run.metersTo(stay.zone, fix.place, fix.time) <= 0;
  const isLongSleep = (step: Step): boolean =>
    step.from.time >= stay.enter &&
    step.to.time <= end &&
    step.to.time - step.from.time >= serviceMs &&
    isSleep(step, settings) &&
    inZone(step.from) &&
    inZone(step.to);
  if (steps.some(isLongSleep)) return true;
  const marks = marksOf(run, stay);
  return marks.some((first, i) => {
    if (!first.isInZone || first.end === 'exit') return false;
    let stands = true;
    let isParked = true;
    for (const last of marks.slice(i)) {
      if (last !== first && last.end === 'entry') continue;
      const meters = distanceMeters(first.place, last.place);
      stands &&= meters <= STOP_METERS && !last.moves;
      if (last.end !== 'exit') isParked &&= meters <= settings.parkedMeters && last.isOff;
      else if (!stands) continue;
      const isHoleBetween = run.holes.some((hole) => hole.from < last.time && hole.to > first.time);
      // T50: two units are not one that stands.
      const isHanded = run.handOvers.some(({ at }) => at > first.time && at <= last.time);
      if (isHoleBetween || isHanded || (!stands && !isParked)) return false;
      if (last.isInZone && last.time - first.time >= serviceMs) return true;
    }
    return false;
  });
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
