/**
 * A second, slow implementation of visits: the track is divided into small steps, each step only tests whether its position is in the zone, and runs of
 * steps become visits. It shares nothing with `src/tracks`.
 */

import type { Fix } from '../../../src/core/fix.js';
import { distanceTo, fixAt, type PlaneZone } from '../planeIndex.js';

export interface SlowRules {
  readonly exitBufferMeters: number;
  readonly accuracyCapMeters: number;
  readonly minInsideSeconds: number;
  readonly minOutsideSeconds: number;
  readonly maxGapSeconds: number;
  readonly parkedMeters: number;
  readonly maxCrossedMeters: number;
}

export interface Waypoint {
  readonly seconds: number;
  readonly x: number;
  readonly y: number;
  readonly accuracyMeters: number | null;
}

export interface SlowVisit {
  readonly enter: number;
  readonly exit: number | null;
  readonly end: 'left' | 'open' | 'gap';
  readonly fixCount: number;
}

interface Step {
  readonly seconds: number;
  readonly isInside: boolean;
  readonly isFix: boolean;
  readonly isBeyond: boolean;
}

/** A run of steps on one side of the boundary. */
interface Run {
  readonly isInside: boolean;
  from: number;
  to: number;
  fixes: number;
  lastFix: number | null;
  isBeyond: boolean;
}

interface OpenVisit {
  enter: number;
  until: number;
  lastFix: number | null;
  fixCount: number;
  isLong: boolean;
}

/** The visits in seconds, and whether a duration is so near a limit that the step width would decide. */
export function slowVisits(
  way: readonly Waypoint[],
  zone: PlaneZone,
  rules: SlowRules,
  stepSeconds: number,
): { visits: SlowVisit[]; isTooClose: boolean } {
  const pieces = piecesOf(way, zone, rules, stepSeconds);
  const visits: SlowVisit[] = [];
  let isTooClose = false;
  for (const [number, steps] of pieces.entries()) {
    const runs = runsOf(steps);
    isTooClose ||= runs.some((run, i) => closeCall(run, runs, i, rules, stepSeconds));
    visits.push(...judge(runs, rules, number === pieces.length - 1));
  }
  return { visits, isTooClose };
}

export function toFix(point: Waypoint): Fix {
  const { seconds, x, y, accuracyMeters } = point;
  return fixAt(seconds, x, y, accuracyMeters === null ? {} : { accuracyMeters });
}

/** The steps of the track, cut at gaps. A gap in which the unit was asleep is filled with steps inside. */
function piecesOf(
  way: readonly Waypoint[],
  zone: PlaneZone,
  rules: SlowRules,
  stepSeconds: number,
): Step[][] {
  const pieces: Step[][] = [];
  let steps: Step[] = [];
  way.forEach((point, i) => {
    const before = way[i - 1];
    if (before) {
      const meters = Math.hypot(point.x - before.x, point.y - before.y);
      const isGap = point.seconds - before.seconds > rules.maxGapSeconds;
      const bothInside = distanceTo(zone, point.x, point.y) <= 0 && distanceTo(zone, before.x, before.y) <= 0;
      if (!isGap) steps.push(...between(before, point, zone, stepSeconds, meters < rules.maxCrossedMeters));
      else if (!(bothInside && meters <= rules.parkedMeters)) {
        pieces.push(steps);
        steps = [];
      }
    }
    const distance = distanceTo(zone, point.x, point.y);
    const allowance = rules.exitBufferMeters + Math.min(point.accuracyMeters ?? 0, rules.accuracyCapMeters);
    steps.push({
      seconds: point.seconds,
      isInside: distance <= 0,
      isFix: true,
      isBeyond: distance > 0 && distance > allowance,
    });
  });
  pieces.push(steps);
  return pieces;
}

function between(a: Waypoint, b: Waypoint, zone: PlaneZone, stepSeconds: number, isShort: boolean): Step[] {
  const count = Math.max(1, Math.ceil((b.seconds - a.seconds) / stepSeconds));
  const inside: boolean[] = [];
  for (let k = 1; k < count; k++) {
    const f = k / count;
    inside.push(distanceTo(zone, a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)) <= 0);
  }
  if (!isShort) keepOnlyTheEnds(inside, distanceTo(zone, a.x, a.y) <= 0, distanceTo(zone, b.x, b.y) <= 0);
  return inside.map((isInside, k) => ({
    seconds: a.seconds + ((k + 1) / count) * (b.seconds - a.seconds),
    isInside,
    isFix: false,
    isBeyond: false,
  }));
}

/** On a long step only visits with one of its fixes count. */
function keepOnlyTheEnds(inside: boolean[], startInside: boolean, endInside: boolean): void {
  let first = startInside ? inside.indexOf(false) : 0;
  if (first < 0) return;
  let last = inside.length;
  while (endInside && last > first && inside[last - 1]) last--;
  for (; first < last; first++) inside[first] = false;
}

function runsOf(steps: readonly Step[]): Run[] {
  const runs: Run[] = [];
  for (const { seconds, isInside, isFix, isBeyond } of steps) {
    let run = runs.at(-1);
    if (run?.isInside !== isInside) {
      run = { isInside, from: seconds, to: seconds, fixes: 0, lastFix: null, isBeyond: false };
      runs.push(run);
    }
    run.to = seconds;
    run.fixes += Number(isFix);
    if (isFix) run.lastFix = seconds;
    run.isBeyond ||= isBeyond;
  }
  return runs;
}

function closeCall(run: Run, runs: readonly Run[], i: number, rules: SlowRules, step: number): boolean {
  const isInner = i > 0 && i < runs.length - 1;
  const seconds = run.to - run.from;
  if (isInner && run.fixes === 0 && seconds < 3 * step) return true;
  if (!run.isInside) {
    // From the last step inside to the first step inside again.
    return rules.minOutsideSeconds > 0 && Math.abs(seconds - rules.minOutsideSeconds) < 4 * step;
  }
  if (rules.minInsideSeconds === 0) return false;
  return runs
    .slice(0, i + 1)
    .some((first) => first.isInside && Math.abs(run.to - first.from - rules.minInsideSeconds) < 4 * step);
}

function judge(runs: readonly Run[], rules: SlowRules, isLast: boolean): SlowVisit[] {
  const visits: SlowVisit[] = [];
  let visit: OpenVisit | null = null;
  runs.forEach((run, i) => {
    if (run.isInside) {
      visit ??= { enter: run.from, until: run.to, lastFix: null, fixCount: 0, isLong: false };
      visit.until = run.to;
      visit.lastFix = run.lastFix ?? visit.lastFix;
      visit.fixCount += run.fixes;
      visit.isLong ||= run.to - visit.enter >= rules.minInsideSeconds;
      return;
    }
    const wasAway = run.fixes > 0 ? run.isBeyond : rules.exitBufferMeters === 0;
    if (!visit || !wasAway) return;
    const isConfirmed = run.to - run.from >= rules.minOutsideSeconds || (!isLast && i === runs.length - 1);
    if (visit.isLong && !isConfirmed) return;
    if (visit.isLong) {
      visits.push({ enter: visit.enter, exit: visit.until, end: 'left', fixCount: visit.fixCount });
    }
    visit = null;
  });
  const open = visit as OpenVisit | null;
  if (open?.isLong) {
    const last = runs.at(-1);
    const end = isLast ? 'open' : last?.isInside || !last?.isBeyond ? 'gap' : 'left';
    visits.push({
      enter: open.enter,
      exit: isLast ? null : end === 'gap' ? (open.lastFix ?? open.until) : open.until,
      end,
      fixCount: open.fixCount,
    });
  }
  return visits;
}
