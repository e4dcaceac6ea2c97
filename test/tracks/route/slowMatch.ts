/** `matchRoute` by trying every choice of places. Written from FEATURES.md section 4; it shares nothing with the code but distances. */

import { distanceMeters, lengthMeters, type Position } from '../../../src/index.js';

export interface SlowOptions {
  readonly widthMeters: number;
  readonly backMeters?: number;
  readonly holeSeconds?: number;
  readonly reachSpeedKph?: number;
  readonly from?: number;
  readonly maxGapSeconds?: number;
  readonly parkedMeters?: number;
}

export interface SlowFix {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
}

export interface SlowLeg {
  readonly from: number;
  readonly to: number;
  readonly fromMeters: number;
  readonly toMeters: number;
  readonly direction: string;
}

export interface SlowPart {
  fromMeters: number;
  toMeters: number;
  status: string;
  passes: number;
}

const TIE = 1e-6;

interface Place {
  readonly along: number;
  readonly offset: number;
}

/** The local minima of the distance as a function of the metres along. */
export function candidates(line: readonly Position[], fix: SlowFix, halfWidth: number): Place[] {
  const at: Position = [fix.lon, fix.lat];
  const places: Place[] = [];
  let before = 0;
  let pullsOn = true;
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i]!, line[i + 1]!];
    const length = lengthMeters([a, b]);
    const position = (meters: number): Position => {
      const t = meters / length;
      return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    };
    /** Positive where the distance grows along the edge. */
    const slope = (meters: number): number =>
      distanceMeters(at, position(meters + 1)) - distanceMeters(at, position(meters - 1));
    const growsAtStart = slope(0) >= 0;
    const fallsAtEnd = slope(length) <= 0;
    if (growsAtStart) {
      if (pullsOn) places.push({ along: before, offset: distanceMeters(at, a) });
      pullsOn = false;
    } else if (fallsAtEnd) {
      pullsOn = true;
    } else {
      let [low, high] = [0, length];
      for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (slope(middle) < 0) low = middle;
        else high = middle;
      }
      places.push({
        along: before + lengthMeters([a, position(low)]),
        offset: distanceMeters(at, position(low)),
      });
      pullsOn = false;
    }
    before += length;
  }
  if (pullsOn) places.push({ along: before, offset: distanceMeters(at, line.at(-1)!) });
  return places.filter(({ offset }) => offset <= halfWidth);
}

/** The choice of places by the rule of least cost; `null` if two choices differ by little more than a tie. */
function choose(fixes: readonly SlowFix[], all: readonly Place[][]): Place[] | null {
  const choices: { places: Place[]; cost: number }[] = [{ places: [], cost: 0 }];
  for (const [i, options] of all.entries()) {
    const next: typeof choices = [];
    for (const { places, cost } of choices) {
      for (const place of options) {
        let way = place.offset;
        const last = places.at(-1);
        if (last !== undefined) {
          const step = place.along - last.along;
          const [p, q] = [fixes[i - 1]!, fixes[i]!];
          way +=
            Math.abs(Math.abs(step) - distanceMeters([p.lon, p.lat], [q.lon, q.lat])) + Math.max(0, -step);
        }
        next.push({ places: [...places, place], cost: cost + way });
      }
    }
    choices.splice(0, choices.length, ...next);
  }
  const least = Math.min(...choices.map(({ cost }) => cost));
  if (choices.some(({ cost }) => cost > least + TIE / 2 && cost < least + 20 * TIE)) return null;
  const equal = choices.filter(({ cost }) => cost <= least + TIE).map(({ places }) => places);
  return equal.reduce((best, other) => {
    for (let i = best.length - 1; i >= 0; i--) {
      const [a, b] = [best[i]!.along, other[i]!.along];
      if (Math.abs(a - b) > TIE) return b < a ? other : best;
    }
    return best;
  });
}

export function slowMatch(
  fixes: readonly SlowFix[],
  line: readonly Position[],
  options: SlowOptions,
): { along: number[]; legs: SlowLeg[]; parts: SlowPart[] } | null {
  const {
    widthMeters,
    holeSeconds = 600,
    reachSpeedKph = 130,
    maxGapSeconds = 3600,
    parkedMeters = 200,
  } = options;
  const half = widthMeters / 2;
  const back = options.backMeters ?? half;
  const L = lengthMeters(line);
  const reach = reachSpeedKph / 3600;
  const all = fixes.map((fix) => candidates(line, fix, half));
  const on = fixes.map((_, i) => i).filter((i) => all[i]!.length > 0);
  const chosen = choose(
    on.map((i) => fixes[i]!),
    on.map((i) => all[i]!),
  );
  if (chosen === null) return null;
  const along: number[] = fixes.map(() => -1);
  on.forEach((i, k) => {
    along[i] = chosen[k]!.along;
  });

  const gap = (i: number): number =>
    distanceMeters([fixes[i - 1]!.lon, fixes[i - 1]!.lat], [fixes[i]!.lon, fixes[i]!.lat]);
  const seconds = (i: number): number => (fixes[i]!.time - fixes[i - 1]!.time) / 1000;
  /** The step to fix i. */
  const isHole = (i: number): boolean =>
    (seconds(i) > holeSeconds || seconds(i) > maxGapSeconds) && gap(i) > parkedMeters;
  const isFollowed = (i: number): boolean =>
    i > 0 &&
    along[i]! >= 0 &&
    along[i - 1]! >= 0 &&
    !isHole(i) &&
    Math.abs(along[i]! - along[i - 1]!) <= 2 * gap(i) + half;

  // Chains, and the legs of each.
  const legs: SlowLeg[] = [];
  for (const start of on.filter((i) => !isFollowed(i))) {
    let end = start;
    while (end + 1 < fixes.length && isFollowed(end + 1)) end++;
    const at = (i: number): number => along[i]!;
    const isMove = (meters: number): boolean => meters >= back && meters > 0;
    const chain = Array.from({ length: end - start + 1 }, (_, k) => start + k);
    const firstMove = chain.find((i) => {
      const seen = chain.filter((k) => k <= i).map(at);
      return isMove(at(i) - Math.min(...seen)) || isMove(Math.max(...seen) - at(i));
    });
    const add = (i: number, k: number, sign: number, fromMeters = at(i), toMeters = at(k)): void => {
      if (fromMeters === toMeters) return;
      const direction = sign > 0 ? 'forward' : 'backward';
      legs.push({ from: fixes[i]!.time, to: fixes[k]!.time, fromMeters, toMeters, direction });
    };
    if (firstMove === undefined) {
      const places = chain.map(at);
      add(start, end, 1, Math.min(...places), Math.max(...places));
      continue;
    }
    const seen = chain.filter((k) => k <= firstMove).map(at);
    let sign = isMove(at(firstMove) - Math.min(...seen)) ? 1 : -1;
    let legStart = start;
    for (;;) {
      // The turn: the first fix that is far enough behind the farthest before it.
      const farthestUpTo = (i: number): number =>
        chain
          .filter((k) => k >= legStart && k <= i)
          .reduce((far, k) => (sign * at(k) > sign * at(far) ? k : far));
      const turn = chain.find((i) => {
        // In the first leg a turn comes after its direction is known.
        if (i <= legStart || (legStart === start && i <= firstMove)) return false;
        return isMove(sign * (at(farthestUpTo(i)) - at(i)));
      });
      const far = farthestUpTo(turn ?? end);
      add(legStart, far, sign);
      if (turn === undefined) break;
      legStart = far;
      sign = -sign;
    }
  }

  // Stretches that were skipped.
  const skips: { from: number; to: number; unseen: boolean }[] = [];
  for (const [k, i] of on.entries()) {
    const last = k === 0 ? 0 : on[k - 1]!;
    const fromMeters = k === 0 ? 0 : along[last]!;
    const step = along[i]! - fromMeters;
    if (step <= 0 || (k > 0 && last === i - 1 && isFollowed(i))) continue;
    let hole = k === 0 ? Math.max(0, fixes[0]!.time - (options.from ?? fixes[0]!.time)) / 1000 : 0;
    for (let n = last + 1; n <= i; n++) if (isHole(n) || (k > 0 && last === i - 1)) hole += seconds(n);
    skips.push({ from: fromMeters, to: along[i]!, unseen: step <= reach * 1000 * hole });
  }

  // The partition, by the middle of each piece between neighbouring ends.
  const greatest = Math.max(0, ...along);
  const ends = [
    0,
    L,
    greatest,
    ...legs.flatMap((leg) => [leg.fromMeters, leg.toMeters]),
    ...skips.flatMap(({ from, to }) => [from, to]),
  ];
  // Ends that only rounding tells apart are one.
  const cuts = ends.sort((a, b) => a - b).filter((end, i, all) => i === 0 || end - all[i - 1]! > TIE);
  let parts: SlowPart[] = [];
  for (let k = 0; k + 1 < cuts.length; k++) {
    const [fromMeters, toMeters] = [cuts[k]!, cuts[k + 1]!];
    const middle = (fromMeters + toMeters) / 2;
    const passes = legs.filter(
      (leg) =>
        Math.min(leg.fromMeters, leg.toMeters) < middle && middle < Math.max(leg.fromMeters, leg.toMeters),
    ).length;
    const isUnseen = skips.some(({ from, to, unseen }) => unseen && from < middle && middle < to);
    const status = passes > 0 ? 'covered' : middle > greatest ? 'ahead' : isUnseen ? 'no_data' : 'missed';
    parts.push({ fromMeters, toMeters, status, passes });
  }
  parts = joined(parts);
  parts = joined(
    parts.map((part, i) => {
      if (part.status === 'covered' || part.toMeters - part.fromMeters > half) return part;
      const beside = [parts[i - 1], parts[i + 1]].filter((other) => other?.status === 'covered');
      return beside.length === 0
        ? part
        : { ...part, status: 'covered', passes: Math.min(...beside.map((other) => other!.passes)) };
    }),
  );
  return { along, legs, parts };
}

function joined(parts: readonly SlowPart[]): SlowPart[] {
  const list: SlowPart[] = [];
  for (const part of parts) {
    const last = list.at(-1);
    if (last !== undefined && last.status === part.status && last.passes === part.passes)
      last.toMeters = part.toMeters;
    else list.push({ ...part });
  }
  return list;
}
