/** Independent results for the tests by brute force. Only Karney's distance is shared with the product. */

const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RAD = Math.PI / 180;

/** The shorter difference between two longitudes. The turn is subtracted from `to` first, which is exact near the antimeridian. */
export function shortStep(from: number, to: number): number {
  return to - from > 180 ? to - 360 - from : to - from < -180 ? to + 360 - from : to - from;
}

/** Composite Simpson's rule over [0, 1]. */
export function simpson(steps: number, f: (t: number) => number): number {
  let odd = 0;
  let even = 0;
  for (let i = 1; i < steps; i += 2) odd += f(i / steps);
  for (let i = 2; i < steps; i += 2) even += f(i / steps);
  return (f(0) + f(1) + 4 * odd + 2 * even) / (3 * steps);
}

/** Length of a straight lon/lat edge. The fraction is t²(3 − 2t), which puts more steps near both ends. */
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

/** ∫ M N cos φ dφ from the equator in closed form: the authalic area per radian of longitude. */
export function authalic(lat: number): number {
  const e = Math.sqrt(E2);
  const s = Math.sin(lat * RAD);
  const b = A * (1 - F);
  return ((b * b) / 2) * (s / (1 - E2 * s * s) + Math.atanh(e * s) / e);
}

/** Area under straight edges by Simpson's rule on the surface element, not on its antiderivative. */
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

/** The minimum of f on [0, 1]: dense samples, then golden-section search around each local minimum of them. */
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

/**
 * Nodes `t`, `1 − t` and weights of the tanh-sinh rule on [0, 1] (Takahasi & Mori 1974). Its error decreases quadratically even if the
 * integrand is singular at or beyond an end, as on edges near a pole.
 */
const TANH_SINH: readonly (readonly [t: number, rest: number, weight: number])[] = ((): [
  number,
  number,
  number,
][] => {
  const step = 1 / 14;
  return Array.from({ length: 91 }, (_, i) => {
    const u = (i - 45) * step;
    const grown = Math.exp(Math.PI * Math.sinh(u));
    const [t, rest] = [grown / (1 + grown), 1 / (1 + grown)];
    return [t, rest, step * Math.PI * Math.cosh(u) * t * rest];
  });
})();

/**
 * Length of an edge in metres and its strip ∫ x M N cos φ dφ, by the tanh-sinh rule. `scale` of the strip is the largest |x| · ∫ |M N cos
 * φ dφ|.
 */
export function tanhSinhEdge(
  xA: number,
  latA: number,
  xB: number,
  latB: number,
): { meters: number; strip: number; scale: number } {
  const side = latA + latB < 0 ? -1 : 1;
  const [fromA, fromB] = [90 - side * latA, 90 - side * latB];
  const latRate = (latB - latA) * RAD;
  const lonRate = (xB - xA) * RAD;
  let [meters, strip, surface] = [0, 0, 0];
  for (const [t, rest, weight] of TANH_SINH) {
    const colat = (fromA * rest + fromB * t) * RAD;
    const cos = Math.sin(colat);
    const w = 1 - E2 * Math.cos(colat) ** 2;
    meters += weight * Math.hypot(((A * (1 - E2)) / w ** 1.5) * latRate, (A / Math.sqrt(w)) * cos * lonRate);
    const density = ((A * A * (1 - E2) * cos) / (w * w)) * latRate * weight;
    strip += density * (xA * rest + xB * t) * RAD;
    surface += density;
  }
  return { meters, strip, scale: Math.max(Math.abs(xA), Math.abs(xB)) * RAD * Math.abs(surface) };
}

/**
 * Area of a ring by a double tanh-sinh rule: along each edge, and along each meridian from the lowest vertex, over the surface element.
 * For a ring around a pole it is the area up to the north pole.
 */
export function tanhSinhArea(ring: readonly number[]): number {
  const count = ring.length / 2;
  let lowest = 90;
  let turned = 0;
  for (let i = 0; i < count; i++) {
    lowest = Math.min(lowest, ring[2 * i + 1]!);
    turned += shortStep(ring[2 * i]!, ring[2 * ((i + 1) % count)]!);
  }
  const base = Math.abs(turned) > 180 ? 90 : lowest;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const [latA, latB] = [ring[2 * i + 1]!, ring[2 * j + 1]!];
    const step = shortStep(ring[2 * i]!, ring[2 * j]!) * RAD;
    if (step === 0) continue;
    for (const [t, rest, weight] of TANH_SINH) {
      const height = (latA - base) * rest + (latB - base) * t;
      for (const [u, , inner] of TANH_SINH) {
        const colat = (90 - base - height * u) * RAD;
        const w = 1 - E2 * Math.cos(colat) ** 2;
        total += (step * weight * inner * height * RAD * (A * A * (1 - E2) * Math.sin(colat))) / (w * w);
      }
    }
  }
  return Math.abs(total);
}

/** Area and perimeter of a ring, also around a pole, by one tanh-sinh rule per edge: fast enough for thousands of edges. */
export function tanhSinhRing(ring: ArrayLike<number>): { area: number; perimeter: number } {
  const [lon0, lat0] = [ring[0]!, ring[1]!];
  let perimeter = 0;
  let area = 0;
  let x = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const next =
      j === 0 ? Math.round((x + shortStep(ring[i]!, lon0)) / 360) * 360 : x + shortStep(ring[i]!, ring[j]!);
    const { meters, strip } = tanhSinhEdge(x, ring[i + 1]!, next, ring[j + 1]!);
    perimeter += meters;
    area += strip;
    x = next;
  }
  if (x === 0) return { area: Math.abs(area), perimeter };
  const toPole = (lat: number): number => Math.abs(area + tanhSinhEdge(x, lat0, x, lat).strip);
  return { area: Math.min(toPole(90), toPole(-90)), perimeter };
}
