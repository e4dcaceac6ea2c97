/** Independent answers for the tests: brute force in plain sight, nothing of the product but Karney's distance. */

const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RAD = Math.PI / 180;

/** The short way between two longitudes. */
export function shortStep(from: number, to: number): number {
  const step = to - from;
  return step > 180 ? step - 360 : step < -180 ? step + 360 : step;
}

/** Composite Simpson over [0, 1]. */
export function simpson(steps: number, f: (t: number) => number): number {
  let odd = 0;
  let even = 0;
  for (let i = 1; i < steps; i += 2) odd += f(i / steps);
  for (let i = 2; i < steps; i += 2) even += f(i / steps);
  return (f(0) + f(1) + 4 * odd + 2 * even) / (3 * steps);
}

/** Length of a straight lon/lat edge. The fraction runs as t²(3 − 2t), which crowds steps at both ends. */
export function fineLength(lonA: number, latA: number, lonB: number, latB: number, steps: number): number {
  const lonRate = shortStep(lonA, lonB) * RAD;
  const latRate = (latB - latA) * RAD;
  return simpson(steps, (t) => {
    const share = t * t * (3 - 2 * t);
    const colat = (90 - latA) * (1 - share) + (90 - latB) * share;
    const sin = Math.cos(colat * RAD);
    const cos = Math.sin(colat * RAD);
    const w = 1 - E2 * sin * sin;
    return (
      Math.hypot(((A * (1 - E2)) / w ** 1.5) * latRate, (A / Math.sqrt(w)) * cos * lonRate) * 6 * t * (1 - t)
    );
  });
}

/** ∫ M N cos φ dφ from the equator, in closed form: the authalic area per radian of longitude. */
export function authalic(lat: number): number {
  const e = Math.sqrt(E2);
  const s = Math.sin(lat * RAD);
  const b = A * (1 - F);
  return ((b * b) / 2) * (s / (1 - E2 * s * s) + Math.atanh(e * s) / e);
}

/** Area under straight edges by Simpson on the surface element itself, not on its antiderivative. */
export function fineArea(ring: readonly number[], steps: number): number {
  let lowest = 90;
  for (let i = 1; i < ring.length; i += 2) lowest = Math.min(lowest, ring[i]!);
  let total = 0;
  const count = ring.length / 2;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const latA = ring[2 * i + 1]!;
    const latB = ring[2 * j + 1]!;
    const strip = (t: number): number => {
      const height = (latA + (latB - latA) * t - lowest) * RAD;
      return height * simpson(16, (u) => element(lowest * RAD + height * u));
    };
    total += shortStep(ring[2 * i]!, ring[2 * j]!) * RAD * simpson(steps, strip);
  }
  return Math.abs(total);
}

function element(phi: number): number {
  const w = 1 - E2 * Math.sin(phi) ** 2;
  return (A * A * (1 - E2) * Math.cos(phi)) / (w * w);
}

/** The least of f on [0, 1]: dense samples, then golden sections around every low sample that is a local least. */
export function denseMinimum(f: (t: number) => number, samples: number): number {
  const values: number[] = [];
  for (let k = 0; k <= samples; k++) values.push(f(k / samples));
  let best = Math.min(...values);
  const limit = best * 1.01 + 1e4;
  for (let k = 0; k <= samples; k++) {
    const value = values[k]!;
    if (value > limit || (values[k - 1] ?? value) < value || (values[k + 1] ?? value) < value) continue;
    best = Math.min(best, golden(f, Math.max(0, (k - 1) / samples), Math.min(1, (k + 1) / samples)));
  }
  return best;
}

function golden(f: (t: number) => number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 50; round++) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    const [atLeft, atRight] = [f(left), f(right)];
    least = Math.min(least, atLeft, atRight);
    if (atLeft <= atRight) high = right;
    else low = left;
  }
  return least;
}
