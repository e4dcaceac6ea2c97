/** §5 "Serving": every assignment of stays to points is tried, and every way to join visits across gaps. */

import { assumedStart, overlaps, startOf } from './slowActivation.js';
import { arrivalCost, departureCost, earliestTurnOf, isInTurn, predecessorOf } from './slowChain.js';
import { couldHaveBeen } from './slowHoles.js';
import type { Assignment, Bounds, Run, Serving, Start, Stay } from './slowModel.js';
import { exists, jointsOf, staysOf } from './slowStays.js';

export interface Outcome {
  readonly stays: readonly Stay[];
  readonly start: Start | null;
  readonly assignment: Assignment;
}

interface Scored extends Outcome {
  readonly score: readonly number[];
}

/** The best outcome; `assumed` only where it serves more of the other points. */
export function bestOutcome(run: Run): Outcome {
  const joints = jointsOf(run);
  const seen: Scored[] = [];
  const assumed: Scored[] = [];
  for (let mask = 0; mask < 2 ** joints; mask++) {
    const apart = new Set(Array.from({ length: joints }, (_, k) => k).filter((k) => (mask >> k) & 1));
    const stays = staysOf(run, apart).filter((stay) => exists(run, stay));
    // "With no fix in the window, at its end: `no_data`, whatever the activation".
    const isBlind = run.isUnseen && run.now >= run.window.to;
    for (const [list, start] of [
      [seen, isBlind ? null : startOf(run, stays)],
      [assumed, isBlind ? null : assumedStart(run, stays)],
    ] as const) {
      if (start === null) {
        if (list === seen) {
          list.push({ stays, start, assignment: run.points.map(() => null), score: [0, apart.size] });
        }
        continue;
      }
      const found = run.wait ? waiting(run, start, stays) : trying(run, start, stays);
      // "are one stay, unless as two they serve more points".
      const [served, ...rest] = scoreOf(run, start, found);
      list.push({ stays, start, assignment: found, score: [served!, apart.size, ...rest] });
    }
  }
  const [plain, other] = [least(seen), least(assumed)];
  if (plain === null) throw new Error('no outcome');
  if (other === null) return plain;
  // "and more of the other points are served than with the seen activation".
  const others = ({ assignment }: Outcome): number =>
    assignment.slice(1).filter((serving) => serving !== null).length;
  return others(other) > others(plain) ? other : plain;
}

/**
 * "the assignment with the most points served, then the most of them by stops, then the least total |deviation|, then the earliest
 * (entry times compared in list order, an unserved point as the latest)".
 */
function scoreOf(run: Run, start: Start, assignment: Assignment): number[] {
  const served = assignment.filter((serving) => serving !== null);
  const stops = served.filter(({ stay }) => stay.isStop);
  const cost = assignment.reduce((sum, serving, i) => {
    if (!serving) return sum;
    return sum + arrivalCost(run, start, assignment, i) + departureCost(run, serving, i);
  }, 0);
  const entries = assignment.map((serving) => serving?.arrival ?? Number.POSITIVE_INFINITY);
  return [-served.length, -stops.length, Math.round(cost * 1e3) / 1e3, ...entries];
}

function least<Item extends { readonly score: readonly number[] }>(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>(
    (best, item) => (best === null || isLess(item.score, best.score) ? item : best),
    null,
  );
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
}

/** The servings of `count` list neighbours by one stay: "split equally (the parts enter at their starts ...)". */
function partsOf(run: Run, stay: Stay, i: number, count: number): Serving[] | null {
  if (count > 1 && (!run.shares || stay.exit === null)) return null;
  if (i + count > run.points.length) return null;
  const { enter, exit, arrivalBounds, departureBounds } = stay;
  const cut = (from: number, to: number, k: number): number => from + Math.round((k * (to - from)) / count);
  const bounds = (k: number): Bounds => [
    cut(arrivalBounds[0], departureBounds![0], k),
    cut(arrivalBounds[1], departureBounds![1], k),
  ];
  const parts: Serving[] = [];
  for (let k = 0; k < count; k++) {
    if (run.points[i + k]!.zone !== stay.zone) return null;
    const isFirstPart = k === 0;
    const isLastPart = k === count - 1;
    parts.push({
      stay,
      arrival: isFirstPart ? enter : cut(enter, exit!, k),
      departure: isLastPart ? stay.left : cut(enter, exit!, k + 1),
      arrivalBounds: isFirstPart ? arrivalBounds : bounds(k),
      departureBounds: isLastPart ? (stay.left === null ? null : departureBounds) : bounds(k + 1),
      end: isLastPart ? exit : cut(enter, exit!, k + 1),
      isFirstPart,
      isLastPart,
    });
  }
  return parts;
}

/**
 * "The first point is served, for `entrance`, by the visit whose entry is S; for `leaving`, by the visit whose exit is S; for
 * `time_of_first_point` by the best visit that overlaps the window. The others by visits that overlap the window with an exit after
 * the lesser of S (`planned`: less the first point's tolerance) and the entry that serves the first point (or none yet)".
 */
function mayServe(run: Run, start: Start, assignment: Assignment, i: number): boolean {
  const { stay, end } = assignment[i]!;
  if (i === 0) {
    if (start.kind === 'assumed') return false;
    return start.activator === null ? overlaps(run, stay) : stay === start.activator;
  }
  if (!overlaps(run, stay)) return false;
  const first = run.points[0]!;
  const tolerance = first.arrival !== null ? first.arrivalTolerance : first.departureTolerance;
  const bound = Math.min(
    start.at - (start.kind === 'planned' ? tolerance : 0),
    assignment[0]?.arrival ?? Number.POSITIVE_INFINITY,
  );
  const exit = end === null ? null : (stay.exit ?? end);
  return exit === null || exit > bound;
}

/** "`maxDeviationSeconds` (none; |deviation| of arrival or departure) decides only what serves." */
function isNear(run: Run, start: Start, assignment: Assignment, i: number): boolean {
  return (
    arrivalCost(run, start, assignment, i) <= run.maxDeviation &&
    departureCost(run, assignment[i]!, i) <= run.maxDeviation
  );
}

function isAllowed(run: Run, start: Start, assignment: Assignment, i: number): boolean {
  return (
    mayServe(run, start, assignment, i) &&
    (!run.strict || isInTurn(run, assignment, i)) &&
    isNear(run, start, assignment, i)
  );
}

/** Policy `skip`, and `arbitrary`: all assignments. */
function trying(run: Run, start: Start, stays: readonly Stay[]): Assignment {
  let best: { assignment: Assignment; score: number[] } | null = null;
  const isForced =
    start.activator !== null &&
    run.points.some((_, k) => {
      const parts = partsOf(run, start.activator!, 0, k + 1);
      return parts?.every((_part, p) => isAllowed(run, start, parts, p)) ?? false;
    });
  const attempt = (chosen: Assignment): void => {
    const i = chosen.length;
    if (i === run.points.length) {
      const score = scoreOf(run, start, chosen);
      if (best === null || isLess(score, best.score)) best = { assignment: chosen, score };
      return;
    }
    for (const stay of stays) {
      // "a visit serves one point".
      if (chosen.some((serving) => serving?.stay === stay)) continue;
      for (let count = 1; i + count <= run.points.length; count++) {
        const parts = partsOf(run, stay, i, count);
        if (parts === null) break;
        const next = [...chosen, ...parts];
        if (parts.every((_, k) => isAllowed(run, start, next, i + k))) attempt(next);
      }
    }
    if (i > 0 || !isForced) attempt([...chosen, null]);
  };
  attempt([]);
  return best!.assignment;
}

/** Policy `wait`: point by point. */
function waiting(run: Run, start: Start, stays: readonly Stay[]): Assignment {
  const chosen: (Serving | null)[] = [];
  let isHeldBack = false;
  while (chosen.length < run.points.length) {
    const i = chosen.length;
    // "none counts before" its predecessor is served.
    if (isHeldBack) {
      chosen.push(null);
      continue;
    }
    if (i === 0 && start.kind === 'assumed') {
      chosen.push(null);
      continue;
    }
    const offers = offersFor(run, start, stays, chosen);
    if (isPassedOver(run, start, stays, chosen, offers)) {
      chosen.push(null);
      continue;
    }
    const best = least(
      offers.map((parts) => {
        const all = [...chosen, ...parts];
        const { stay, arrival } = parts[0]!;
        // "the first point's own choice under `wait` is the least total |deviation|, then the earliest".
        const cost =
          i === 0 && start.kind === 'planned'
            ? arrivalCost(run, start, all, i) + departureCost(run, parts[0]!, i)
            : 0;
        // "a point is served by its first qualifying stop, else drive-by".
        return { parts, score: [stay.isStop ? 0 : 1, cost, arrival] };
      }),
    );
    if (best === null) {
      isHeldBack = true;
      chosen.push(null);
    } else chosen.push(...best.parts);
  }
  return chosen;
}

function offersFor(run: Run, start: Start, stays: readonly Stay[], chosen: Assignment): Serving[][] {
  const i = chosen.length;
  return stays.flatMap((stay) => {
    if (chosen.some((serving) => serving?.stay === stay)) return [];
    for (let count = run.points.length - i; count > 0; count--) {
      const parts = partsOf(run, stay, i, count);
      const all = [...chosen, ...(parts ?? [])];
      if (parts?.every((_, k) => isAllowed(run, start, all, i + k))) return [parts];
    }
    return [];
  });
}

/**
 * "A point with no visit that begins before a successor's stop is over, and that could have been visited on time before it, holds
 * nothing back (`no_data`)." A successor's stop is the one that would serve it: its first qualifying one.
 */
function isPassedOver(
  run: Run,
  start: Start,
  stays: readonly Stay[],
  chosen: Assignment,
  offers: readonly (readonly Serving[])[],
): boolean {
  const i = chosen.length;
  const before = predecessorOf(run, chosen, i);
  const from =
    i === 0 ? run.window.from : before === null ? start.earliest : earliestTurnOf(run, chosen, before);
  return run.points.some(({ index: k }) => {
    if (k <= i) return false;
    const padded = [...chosen, ...Array.from({ length: k - i }, () => null)];
    const [stop] = offersFor(run, start, stays, padded)
      .map(([part]) => part!.stay)
      .filter(({ isStop }) => isStop)
      .sort((a, b) => a.enter - b.enter);
    if (stop === undefined) return false;
    const over = stop.exit === null ? run.now : stop.departureBounds![1];
    if (offers.some(([part]) => part!.arrival < (stop.exit === null ? Number.POSITIVE_INFINITY : over))) {
      return false;
    }
    return couldHaveBeen(run, run.points[i]!, [Math.max(from, run.window.from), over]);
  });
}
