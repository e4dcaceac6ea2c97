/** Intervals of a straight lon/lat segment within a distance: the fractions on which a 1-Lipschitz function is ≤ a limit. */

import { type Edge, edgeLat, edgeLon, edgePieceBound, makeEdge } from './edge.js';

/** Resolution along the segment, metres: shorter intervals and gaps may be missed. */
export const RESOLUTION_METERS = 1e-3;
/** Difference from the limit, metres, below which a value counts as equal to it: the rounding of a geodesic distance. */
const NOISE_METERS = 5e-9;
/** Largest number of samples. Without it, a segment that runs along the limit would be sampled forever. */
const MAX_SAMPLES = 400;
const ROOT_METERS = 1e-9;
const ROOT_FRACTION = 1e-13;
const ROOT_ROUNDS = 100;
const SHORT_LAT_DEGREES = 0.1;
/** Square of the sine of the angle below which a step and a segment count as parallel. */
const PARALLEL = 1e-18;

/** Bounds of a function of a fraction. They hold for a function that is nearly the length of a vector that moves linearly. */
export interface NearlyConvex {
  /**
   * Bound b of the bulge: between fractions s and t the function exceeds the straight line between its values there by at most b (t − s)².
   */
  readonly bulge: number;
  /** Lower bound of the function between two fractions. */
  leastExcess(from: number, to: number): number;
  /** Approximate zero of the function between two fractions at which its signs differ, with its slope there. */
  crossing(from: number, to: number): { readonly t: number; readonly slope: number };
}

const NO_GUESS = { t: Number.NaN, slope: Number.NaN };

export interface Sample {
  readonly t: number;
  /** Distance − limit, metres. */
  readonly excess: number;
}

/** Knowledge that saves samples. */
interface SampleAids {
  /** Whether the sign surely changes at most once between two samples, and not at all between samples of equal sign. */
  readonly proof?: (left: Sample, right: Sample) => boolean;
  /** Fractions between 0 and 1 that are sampled first, ascending. */
  readonly cuts?: readonly number[];
  /** Computes the result instead if the samples do not suffice. */
  readonly otherwise?: () => number[];
}

/**
 * Fractions `[from0, to0, from1, to1, …]` of the straight lon/lat segment a → b on which
 * `distance(lon, lat) ≤ limitMeters`: ordered, disjoint; a touch has from = to.
 *
 * `distance` must change by at most one metre per metre of the segment. Then a sample proves the sign of all positions within
 * |distance − limit| of it, and only the rest is sampled again, round by round.
 * Ends: `from` is 0 exactly when distance(a) ≤ limit, `to` is 1 exactly when distance(b) ≤ limit.
 * Accuracy of a fraction: 1e-12 or 5 nm of way (over the sine of the angle of crossing). Intervals and gaps below 1 mm
 * may be missed; where the segment runs along the limit, at most 400 samples decide.
 * Longitudes given to `distance` are within a turn of (-180, 180]. Cost: about 15 calls a crossing.
 */
export function sublevelIntervals(
  distance: (lon: number, lat: number) => number,
  limitMeters: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const edge = makeEdge(aLon, aLat, bLon, bLat);
  const excessAt = (t: number): number => distance(edgeLon(edge, t), edgeLat(edge, t)) - limitMeters;
  return sublevelFractions(excessAt, wayAlong(edge), excessAt(0), excessAt(1));
}

/** Returns an upper bound of the length of an edge between two fractions, metres. */
export function wayAlong(edge: Edge): (from: number, to: number) => number {
  // The bound for the whole edge also holds for its pieces. If the edge spans much latitude, pieces have tighter bounds.
  const length = edgePieceBound(edge, 0, 1);
  return Math.abs(edge.latSpan) <= SHORT_LAT_DEGREES
    ? (from, to) => length * (to - from)
    : (from, to) => edgePieceBound(edge, from, to);
}

/**
 * `sublevelIntervals` of any function of a fraction: the fractions with `excessAt(t)` ≤ 0. The function changes by at most `way(from, to)`
 * metres between two fractions. `startExcess` and `endExcess` are its values at 0 and 1. `shape` and `aids` save calls.
 */
export function sublevelFractions(
  excessAt: (t: number) => number,
  way: (from: number, to: number) => number,
  startExcess: number,
  endExcess: number,
  shape?: NearlyConvex,
  { proof, cuts = [], otherwise }: SampleAids = {},
): number[] {
  const start: Sample = { t: 0, excess: startExcess };
  const end: Sample = { t: 1, excess: endExcess };
  const isFar = way(0, 1) - Math.abs(start.excess) - Math.abs(end.excess) <= RESOLUTION_METERS;
  if (isFar && start.excess <= 0 === end.excess <= 0) return start.excess <= 0 ? [0, 1] : [];
  const sampleAt = (t: number): Sample => {
    const excess = excessAt(t);
    return { t, excess: Math.abs(excess) <= NOISE_METERS ? 0 : excess };
  };
  const samples = proveSigns([start, ...cuts.map(sampleAt), end], sampleAt, way, shape, proof);
  if (otherwise !== undefined && samples.length >= MAX_SAMPLES) return otherwise();

  const intervals: number[] = [];
  if (start.excess <= 0) intervals.push(0);
  for (let i = 1; i < samples.length; i++) {
    const left = samples[i - 1]!;
    const right = samples[i]!;
    if (left.excess <= 0 !== right.excess <= 0) intervals.push(root(left, right, excessAt, way, shape));
  }
  if (end.excess <= 0) intervals.push(1);
  return joinIntervals(intervals, way);
}

/** Samples by t, dense enough that the sign changes at most once between neighbours (down to the resolution). */
function proveSigns(
  first: readonly Sample[],
  sampleAt: (t: number) => Sample,
  way: (from: number, to: number) => number,
  shape: NearlyConvex | undefined,
  proof: SampleAids['proof'],
): Sample[] {
  const samples = [...first];
  let open = first.slice(1).map((right, i): [Sample, Sample] => [first[i]!, right]);
  let spent = 0;
  while (open.length > 0 && spent < MAX_SAMPLES) {
    const next: [Sample, Sample][] = [];
    for (const [left, right] of open) {
      const meters = way(left.t, right.t);
      const unproven = meters - Math.abs(left.excess) - Math.abs(right.excess);
      if (unproven <= RESOLUTION_METERS || spent >= MAX_SAMPLES) continue;
      if (shape !== undefined && isProven(left, right, shape)) continue;
      if (proof?.(left, right) === true) continue;
      const share = Math.min(0.98, Math.max(0.02, (Math.abs(left.excess) + unproven / 2) / meters));
      const t = left.t + (right.t - left.t) * share;
      if (t <= left.t || t >= right.t) continue;
      const middle = sampleAt(t);
      spent++;
      samples.push(middle);
      next.push([left, middle], [middle, right]);
    }
    open = next;
  }
  return samples.sort((one, other) => one.t - other.t);
}

/** Whether the sign changes at most once between two samples, and not at all between samples of equal sign. */
function isProven(left: Sample, right: Sample, shape: NearlyConvex): boolean {
  if (left.excess > 0 && right.excess > 0) return shape.leastExcess(left.t, right.t) > 0;
  return shape.bulge * (right.t - left.t) ** 2 <= RESOLUTION_METERS;
}

/** The fraction at which the sign changes between two samples: regula falsi (Illinois), with a bisection after a slow step. */
function root(
  left: Sample,
  right: Sample,
  excessAt: (t: number) => number,
  way: (from: number, to: number) => number,
  shape: NearlyConvex | undefined,
): number {
  let [low, high] = [left.t, right.t];
  let [lowExcess, highExcess] = [left.excess, right.excess];
  const lowInside = lowExcess <= 0;
  const speed = way(low, high) / (high - low);
  let stalled = false;
  // First the guessed zero, then the point that its slope gives, moved a little farther so that the sign changes.
  let guesses = shape === undefined ? 0 : 2;
  const first = shape?.crossing(low, high) ?? NO_GUESS;
  const { slope } = first;
  let guess = first.t;
  for (let round = 0; round < ROOT_ROUNDS; round++) {
    const width = high - low;
    if (width <= ROOT_FRACTION || width * speed <= ROOT_METERS) break;
    const secant = low + (width * lowExcess) / (lowExcess - highExcess);
    const margin = Math.min(width / 4, Math.max(ROOT_FRACTION, ROOT_METERS / speed) / 2);
    const isGuess = guesses-- > 0 && Number.isFinite(guess);
    const t =
      stalled && !isGuess
        ? low + width / 2
        : Math.min(high - margin, Math.max(low + margin, isGuess ? guess : secant));
    const excess = excessAt(t);
    if (isGuess) guess = t - excess / slope - Math.sign(excess / slope) * margin;
    if (excess <= 0 === lowInside) {
      low = t;
      lowExcess = excess;
      highExcess /= 2;
    } else {
      high = t;
      highExcess = excess;
      lowExcess /= 2;
    }
    stalled = !isGuess && high - low > width / 2;
  }
  return lowInside ? low : high;
}

/** Joins intervals whose gap is below the resolution, except at the ends of the segment. */
function joinIntervals(intervals: readonly number[], way: (from: number, to: number) => number): number[] {
  const joined: number[] = [];
  for (let i = 0; i < intervals.length; i += 2) {
    const from = intervals[i]!;
    const to = intervals[i + 1]!;
    const last = joined.length - 1;
    if (last > 0 && way(joined[last]!, from) < RESOLUTION_METERS) joined[last] = to;
    else joined.push(from, to);
  }
  return joined;
}

/**
 * Computes the fractions `from`, `to` of a step (`step`: x, y, z of both ends) within `radius` of a segment (x, y, z of both ends from `at`
 * on in `space`), and writes them to `span`. False if there are none.
 *
 * A capsule is convex: the fractions in the balls at its ends and in the cylinder between them together are one interval.
 */
export function capsuleSpan(
  step: Float64Array,
  space: Float64Array,
  at: number,
  radius: number,
  span: Float64Array,
): boolean {
  const dx = step[3]! - step[0]!;
  const dy = step[4]! - step[1]!;
  const dz = step[5]! - step[2]!;
  const px = step[0]! - space[at]!;
  const py = step[1]! - space[at + 1]!;
  const pz = step[2]! - space[at + 2]!;
  const sx = space[at + 3]! - space[at]!;
  const sy = space[at + 4]! - space[at + 1]!;
  const sz = space[at + 5]! - space[at + 2]!;
  const way = dx * dx + dy * dy + dz * dz;
  const square = radius * radius;
  span[0] = Number.POSITIVE_INFINITY;
  span[1] = Number.NEGATIVE_INFINITY;
  addRoots(span, way, px * dx + py * dy + pz * dz, px * px + py * py + pz * pz - square, 0, 1);
  const [qx, qy, qz] = [px - sx, py - sy, pz - sz];
  addRoots(span, way, qx * dx + qy * dy + qz * dz, qx * qx + qy * qy + qz * qz - square, 0, 1);
  const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
  if (length > 0) {
    // Along the axis the step goes from `start` by `run`; the rest is across it.
    const [nx, ny, nz] = [sx / length, sy / length, sz / length];
    const start = px * nx + py * ny + pz * nz;
    const run = dx * nx + dy * ny + dz * nz;
    const [ax, ay, az] = [px - start * nx, py - start * ny, pz - start * nz];
    const [bx, by, bz] = [dx - run * nx, dy - run * ny, dz - run * nz];
    let from = 0;
    let to = 1;
    if (run !== 0) {
      const [one, other] = [-start / run, (length - start) / run];
      from = Math.max(from, Math.min(one, other));
      to = Math.min(to, Math.max(one, other));
    } else if (start < 0 || start > length) to = -1;
    const across = bx * bx + by * by + bz * bz;
    addRoots(
      span,
      across > PARALLEL * way ? across : 0,
      ax * bx + ay * by + az * bz,
      ax * ax + ay * ay + az * az - square,
      from,
      to,
    );
  }
  return span[0]! <= span[1]!;
}

/** Widens a span by the t between `from` and `to` at which a t² + 2 b t + c ≤ 0, for a ≥ 0; if a = 0, by all of them if c ≤ 0. */
function addRoots(span: Float64Array, a: number, b: number, c: number, from: number, to: number): void {
  let [low, high] = [from, to];
  if (a === 0) {
    if (c > 0) return;
  } else {
    const discriminant = b * b - a * c;
    if (discriminant < 0) return;
    const root = Math.sqrt(discriminant);
    low = Math.max(from, (-b - root) / a);
    high = Math.min(to, (-b + root) / a);
  }
  if (!(low <= high)) return;
  span[0] = Math.min(span[0]!, low);
  span[1] = Math.max(span[1]!, high);
}
