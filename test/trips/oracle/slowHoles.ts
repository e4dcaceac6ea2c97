/** §5 "Holes", and where the unit could have been in them. */

import type { Fix } from '../../../src/core/fix.js';
import type { Position } from '../../../src/core/geometry.js';
import { distanceMeters, signedDistanceMeters } from '../../../src/index.js';
import type { Bounds, Hole, Run, SlowPoint } from './slowModel.js';

export const placeOf = (fix: Fix): Position => [fix.lon, fix.lat];

/** "a step between fixes that is a gap (section 4)". */
export function isGap(run: Run, a: Fix, b: Fix): boolean {
  const lonStep = Math.abs(a.lon - b.lon);
  return b.time - a.time > run.maxGap || lonStep === 180 || meters(a, b) > run.maxGapMeters;
}

/** "Two fixes within `parkedMeters` of each other are a sleep, no hole, unless their mileage grew by more than that." */
export function isSleep(run: Run, a: Fix, b: Fix): boolean {
  if (meters(a, b) > run.parkedMeters) return false;
  const grown =
    a.mileageMeters !== undefined && b.mileageMeters !== undefined
      ? b.mileageMeters - a.mileageMeters
      : (b.mileageDeltaMeters ?? 0);
  return !(grown > run.parkedMeters);
}

export function findHoles(run: Run): { holes: Hole[]; longSleeps: Bounds[] } {
  const { fixes } = run;
  const holes: Hole[] = [];
  const longSleeps: Bounds[] = [];
  if (fixes === null) return { holes, longSleeps };
  fixes.forEach((b, i) => {
    const a = fixes[i - 1];
    if (!a) return;
    const seconds = b.time - a.time;
    const isSleeping = isSleep(run, a, b);
    // "a step between fixes that is a gap (section 4), lasts over `holeSeconds` (600) or is too long to count as a crossing".
    const isUnseen = isGap(run, a, b) || seconds > run.holeMs || meters(a, b) >= run.maxCrossedMeters;
    // Steps before the window affect no rule: a zone that was entered there has a visit under way.
    if (b.time <= run.window.from) return;
    if (isUnseen && !isSleeping) {
      holes.push({ from: a.time, to: b.time, start: placeOf(a), end: placeOf(b) });
    }
    if (isSleeping && seconds > run.holeMs) longSleeps.push([a.time, b.time]);
  });
  const first = fixes[0];
  const last = fixes.at(-1);
  // "from the window's start to the first fix".
  const until = first?.time ?? run.now;
  if (until > run.window.from) {
    holes.unshift({ from: run.window.from, to: until, start: null, end: first ? placeOf(first) : null });
  }
  // "after the last one to `now`"; "the first one after `now`, where known, tells whether the last hole is a sleep".
  if (last && last.time < run.now) {
    if (run.fixAfterNow === null || !isSleep(run, last, run.fixAfterNow)) {
      holes.push({ from: last.time, to: run.now, start: placeOf(last), end: null });
    } else if (run.now - last.time > run.holeMs) {
      longSleeps.push([last.time, run.now]);
    }
  }
  return { holes, longSleeps };
}

/** Milliseconds of the way to a zone at `reachSpeedKph`; "an end without a fix asks nothing". */
export function wayTo(run: Run, place: Position | null, point: SlowPoint): number {
  if (place === null) return 0;
  return Math.max(0, distanceTo(run, point, place)) / run.speed;
}

/**
 * Whether the unit "could have been" at a point "on time (without plan: ever)" in a hole, all of the stay between two times: "the way
 * there, `minStaySeconds`, and the way on are possible at `reachSpeedKph`".
 */
export function couldHaveBeen(run: Run, point: SlowPoint, between: Bounds): boolean {
  return run.holes.some((hole) => couldHaveBeenIn(run, point, hole, between));
}

export function couldHaveBeenIn(run: Run, point: SlowPoint, hole: Hole, between: Bounds): boolean {
  const earliest = Math.max(hole.from + wayTo(run, hole.start, point), between[0]);
  const latest = Math.min(hole.to - wayTo(run, hole.end, point), between[1]);
  if (latest - earliest < run.minStay) return false;
  const come = onTime(point.arrival, point.arrivalTolerance);
  const go = onTime(point.departure, point.departureTolerance);
  // It comes as early as is on time and leaves as late as is on time.
  const arrival = Math.max(earliest, come[0]);
  const departure = Math.min(latest, go[1]);
  return arrival <= come[1] && arrival <= latest && departure >= go[0] && departure - arrival >= run.minStay;
}

/** The times that count as on time: "with a tolerance of 0 seconds are cut off: on time if 0 ≤ actual − plan < 60 s". */
export function onTime(planned: number | null, tolerance: number): Bounds {
  if (planned === null) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return tolerance === 0 ? [planned, planned + 59_999] : [planned - tolerance, planned + tolerance];
}

export function distanceTo(run: Run, point: SlowPoint, place: Position): number {
  const key = `${point.zone} ${place.join(' ')}`;
  let distance = run.measured.get(key);
  if (distance === undefined) {
    distance = signedDistanceMeters(point.shape, place);
    run.measured.set(key, distance);
  }
  return distance;
}

export function meters(a: Fix, b: Fix): number {
  return distanceMeters(placeOf(a), placeOf(b));
}
