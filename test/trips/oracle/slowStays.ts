/** §5 "Stays": what is known at `now`, the bounds of arrivals and departures, stops and drive-bys, joined stays. */

import type { Fix } from '../../../src/core/fix.js';
import type { Position } from '../../../src/core/geometry.js';
import type { Visit } from '../../../src/tracks/visit.js';
import { distanceTo, wayTo } from './slowHoles.js';
import type { Bounds, Run, SlowPoint, Stay } from './slowModel.js';
import { standsFor, type Waypoint } from './slowStanding.js';

/** The visits as they are known at `now`: one that is not over by then is open. */
export function knownVisits(run: Run): Visit[] {
  return run.visits
    .filter((visit) => visit.enterBounds[1] <= run.now)
    .map((visit): Visit => {
      const { exit, exitBounds } = visit;
      const isOver = exit !== null && exitBounds !== null && (exitBounds[1] ?? exitBounds[0]) <= run.now;
      return isOver ? visit : { ...visit, end: 'open', exit: null, exitBounds: null };
    })
    .sort((a, b) => a.enter - b.enter);
}

/** "a visit that ends at a gap and one that begins at its other end": the places at which visits of a zone can be joined. */
export function jointsOf(run: Run): number {
  const known = knownVisits(run);
  return known.filter((visit) => nextAcrossGap(run, visit, known) !== null).length;
}

/** All stays, where the joints with a number in `apart` are not joined. */
export function staysOf(run: Run, apart: ReadonlySet<number>): Stay[] {
  const known = knownVisits(run);
  const chains: Visit[][] = [];
  let joint = 0;
  const used = new Set<Visit>();
  // Numbers of joints go by the order of the visits, so they are given before the chains are built.
  const isJoined = new Map<Visit, boolean>();
  for (const visit of known) {
    if (nextAcrossGap(run, visit, known) !== null) isJoined.set(visit, !apart.has(joint++));
  }
  for (const visit of known) {
    if (used.has(visit)) continue;
    const chain = [visit];
    for (;;) {
      const last = chain.at(-1)!;
      used.add(last);
      const next = isJoined.get(last) ? nextAcrossGap(run, last, known) : null;
      if (next === null) break;
      chain.push(next);
    }
    chains.push(chain);
  }
  const stays = chains.map((chain) =>
    stayOf(
      run,
      chain,
      chain.slice(1).map((_, k) => gapAfter(chain[k]!)),
    ),
  );
  return run.activation === 'leaving_first_point' ? joinUndone(run, stays) : stays;
}

/** The gap at which a visit ends: from its last fix inside to the fix after it. */
function gapAfter({ exit, exitBounds }: Visit): Bounds {
  return [exitBounds![0], exitBounds![1] ?? exit!];
}

function nextAcrossGap(run: Run, visit: Visit, known: readonly Visit[]): Visit | null {
  if (visit.end !== 'gap' || visit.exitBounds === null) return null;
  const across = visit.exitBounds[1];
  return (
    known.find(
      (other) => other !== visit && zoneOf(run, other) === zoneOf(run, visit) && other.enter === across,
    ) ?? null
  );
}

const zoneOf = (run: Run, visit: Visit): number => run.points[Number(visit.zoneId)]!.zone;

/** "An undone exit joins the two stays; a re-entry exactly then does not undo it." */
function joinUndone(run: Run, stays: readonly Stay[]): Stay[] {
  const joined: Stay[] = [];
  for (const stay of stays) {
    const at = joined.findLastIndex((other) => other.zone === stay.zone);
    const before = joined[at];
    const isUndone =
      before !== undefined &&
      stay.zone === run.points[0]!.zone &&
      before.left !== null &&
      stay.enter - before.left < run.leaveConfirm;
    if (isUndone) {
      joined[at] = stayOf(run, [...before.parts, ...stay.parts], [...before.gaps, ...stay.gaps]);
    } else joined.push(stay);
  }
  return joined;
}

function stayOf(run: Run, parts: readonly Visit[], gaps: readonly Bounds[]): Stay {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const zone = zoneOf(run, first);
  const point = run.points.find((other) => other.zone === zone)!;
  const { exit, exitBounds } = last;
  const isArrivalSeen = isSeen(run, [first.enterBounds[0] ?? Number.NEGATIVE_INFINITY, first.enterBounds[1]]);
  const arrivalBounds: Bounds = isArrivalSeen ? [first.enter, first.enter] : arrivalWithin(run, first, point);
  const left = exit !== null && (last.end !== 'gap' || isLeft(run, last, point)) ? exit : null;
  const departureBounds = exit === null ? null : departureWithin(run, last, point);
  const visit: Visit = {
    zoneId: first.zoneId,
    seen: parts.every(({ seen }) => seen === 'crossed') ? 'crossed' : 'inside',
    end: last.end,
    enter: first.enter,
    exit,
    enterBounds: first.enterBounds,
    exitBounds,
    fixCount: parts.reduce((sum, { fixCount }) => sum + fixCount, 0),
  };
  const stops = stopsOf(run, parts, arrivalBounds, departureBounds);
  return {
    zone,
    enter: first.enter,
    exit,
    left,
    arrivalBounds,
    departureBounds,
    isArrivalSeen,
    isFirstSight: first.enterBounds[0] === null,
    gaps,
    crossed: visit.seen === 'crossed',
    ...stops,
    visit,
    parts,
  };
}

/** "If the fix after a gap is outside, the zone counts as left"; without a known fix the unit may still be inside. */
function isLeft(run: Run, visit: Visit, point: SlowPoint): boolean {
  const after = visit.exitBounds![1];
  if (after === null) return false;
  const fix = run.fixes?.find(({ time }) => time === after);
  if (fix) return distanceTo(run, point, [fix.lon, fix.lat]) > 0;
  return !run.visits.some((other) => zoneOf(run, other) === point.zone && other.enter === after);
}

/** "An arrival is *seen* when no hole, and no sleep over `holeSeconds`, lies between its `enterBounds`". */
function isSeen(run: Run, [from, to]: Bounds): boolean {
  const meets = (start: number, end: number): boolean => start < to && end > from;
  return !(
    run.holes.some((hole) => meets(hole.from, hole.to)) ||
    run.longSleeps.some(([start, end]) => meets(start, end))
  );
}

/** "else it is known only within them (no fix before: from the window's start), narrowed by the way from the fix before at `reachSpeedKph`." */
function arrivalWithin(run: Run, visit: Visit, point: SlowPoint): Bounds {
  const [before, upper] = visit.enterBounds;
  if (before === null) return [Math.min(run.window.from, upper), upper];
  // The entry lies within, though the unit may have been faster than that.
  return [Math.min(before + wayTo(run, placeAt(run, before, 'start'), point), visit.enter), upper];
}

/** "Departures likewise." */
function departureWithin(run: Run, visit: Visit, point: SlowPoint): Bounds {
  const [lower, after] = visit.exitBounds!;
  const upper = after ?? run.now;
  if (isSeen(run, [lower, upper])) return [visit.exit!, visit.exit!];
  const place = after === null ? null : placeAt(run, after, 'end');
  return [lower, Math.max(upper - wayTo(run, place, point), visit.exit!)];
}

/** The place of the fix of a time; with visits alone, that of a hole's end. */
function placeAt(run: Run, time: number, side: 'start' | 'end'): Position | null {
  if (run.fixes !== null) {
    const fix = run.fixes.find((other) => other.time === time);
    return fix ? [fix.lon, fix.lat] : null;
  }
  const hole = run.holes.find((other) => (side === 'start' ? other.from : other.to) === time);
  return hole?.[side] ?? null;
}

/** "Durations are the longest that their bounds allow (open: to `now`)." */
export function durationOf(run: Run, stay: Stay): number {
  return (stay.departureBounds?.[1] ?? run.now) - stay.arrivalBounds[0];
}

/** "`minStaySeconds` (0) and `acceptCrossed` (true) decide which stays exist for activation, serving and out of turn". */
export function exists(run: Run, stay: Stay): boolean {
  if (stay.crossed && !run.acceptCrossed) return false;
  if (durationOf(run, stay) >= run.minStay) return true;
  // "An open stay younger than `minStaySeconds` serves tentatively until the window ends".
  return stay.exit === null && run.now < run.window.to;
}

export function isYoung(run: Run, stay: Stay): boolean {
  return stay.exit === null && durationOf(run, stay) < run.minStay;
}

/**
 * "A stay that holds `serviceSeconds` during which the unit stays within `parkedMeters` (without positions its duration decides) is a
 * *stop*"; once with the longest duration, in which the unit may have stood where it was not seen, once with what was seen.
 */
function stopsOf(
  run: Run,
  parts: readonly Visit[],
  arrival: Bounds,
  departure: Bounds | null,
): { isStop: boolean; isSeenStop: boolean } {
  const longest = (departure?.[1] ?? run.now) - arrival[0];
  const { fixes } = run;
  if (fixes === null) {
    const seen = (departure?.[0] ?? run.now) - arrival[1];
    return { isStop: longest >= run.service, isSeenStop: seen >= run.service };
  }
  // The fixes of the stay, and the places at which it entered and left.
  const start = arrival[1];
  const end = departure?.[0] ?? fixes.at(-1)!.time;
  const seenWay: Waypoint[] = [];
  if (start <= end) {
    seenWay.push({ time: start, place: placeOn(fixes, start) });
    for (const { time, lon, lat } of fixes) {
      if (time > start && time < end) seenWay.push({ time, place: [lon, lat] });
    }
    if (end > start) seenWay.push({ time: end, place: placeOn(fixes, end) });
  }
  const isHole = (a: Waypoint, b: Waypoint): boolean =>
    run.holes.some((hole) => hole.from < b.time && hole.to > a.time);
  const isSeenStop = seenWay.length > 0 && standsFor(seenWay, run.service, run.parkedMeters, isHole);
  if (seenWay.length === 0) return { isStop: longest >= run.service, isSeenStop };
  // Before the first sight and after the last one it may have stood where it was seen.
  const [head, tail] = [seenWay[0]!, seenWay.at(-1)!];
  const longWay = [...seenWay];
  if (arrival[0] < start) longWay.unshift({ time: arrival[0], place: seenWay[0]!.place });
  const until = departure?.[1] ?? run.now;
  if (until > end) longWay.push({ time: until, place: seenWay.at(-1)!.place });
  const hasLongHole = seenWay.some((b, i) => {
    const a = seenWay[i - 1];
    return a !== undefined && isHole(a, b) && b.time - a.time >= run.service;
  });
  const isBroken = (a: Waypoint, b: Waypoint): boolean =>
    a.time >= head.time && b.time <= tail.time && isHole(a, b);
  const isStop = hasLongHole || standsFor(longWay, run.service, run.parkedMeters, isBroken);
  return { isStop: isStop && longest >= run.service, isSeenStop: isSeenStop && parts.length > 0 };
}

/** "Between two fixes the unit moves straight in lon/lat and linearly in time" (§4). */
function placeOn(fixes: readonly Fix[], time: number): Position {
  const at = fixes.findIndex((fix) => fix.time >= time);
  const b = fixes[at < 0 ? fixes.length - 1 : at]!;
  const a = fixes[at - 1];
  if (!a || b.time <= time) return [b.lon, b.lat];
  const f = (time - a.time) / (b.time - a.time);
  let step = b.lon - a.lon;
  if (step > 180) step -= 360;
  if (step < -180) step += 360;
  return [a.lon + f * step, a.lat + f * (b.lat - a.lat)];
}
