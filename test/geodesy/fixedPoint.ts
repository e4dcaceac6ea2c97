/**
 * Edges in fixed-point arithmetic of 240 bits (BigInt), by Romberg's rule with 64 steps. This is the reference for the double-precision
 * oracles. It shares no arithmetic with them; if an edge's step of latitude is at most 0.3 cos φ, more than 20 digits are right.
 */

const BITS = 240n;
const ONE = 1n << BITS;
/** π to 60 digits. */
const PI = (3141592653589793238462643383279502884197169399375105820974944n * ONE) / 10n ** 60n;
const FLATTENING = (1_000_000_000n * ONE) / 298_257_223_563n;
const E2 = times(FLATTENING, 2n * ONE - FLATTENING);
const A = 6_378_137n;
const LEVELS = 6;

function times(a: bigint, b: bigint): bigint {
  return (a * b) >> BITS;
}

function over(a: bigint, b: bigint): bigint {
  return (a << BITS) / b;
}

/** The exact value of a double (down to 2⁻²⁴⁰). */
function fixed(value: number): bigint {
  let scale = 0n;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    scale++;
  }
  return scale <= BITS ? BigInt(whole) << (BITS - scale) : BigInt(whole) >> (scale - BITS);
}

function root(value: bigint): bigint {
  if (value === 0n) return 0n;
  const square = value << BITS;
  let guess = 1n << BigInt((square.toString(2).length >> 1) + 1);
  for (;;) {
    const next = (guess + square / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function sinCos(angle: bigint): [sin: bigint, cos: bigint] {
  let [sin, cos, term] = [0n, 0n, ONE];
  for (let k = 0n; term !== 0n; k++) {
    const signed = k % 4n < 2n ? term : -term;
    if (k % 2n === 0n) cos += signed;
    else sin += signed;
    term = times(term, angle) / (k + 1n);
  }
  return [sin, cos];
}

export interface FixedEdge {
  /** In units of 2⁻²⁴⁰ m and 2⁻²⁴⁰ m². */
  readonly meters: bigint;
  readonly strip: bigint;
}

/** Length and strip ∫ x M N cos φ dφ of an edge, as defined by `addEdge`. */
export function fixedEdge(xA: number, latA: number, xB: number, latB: number): FixedEdge {
  const radians = (degrees: bigint): bigint => times(degrees, PI) / 180n;
  const [x0, x1, lat0, lat1] = [xA, xB, latA, latB].map((value) => radians(fixed(value))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const steps = 1n << BigInt(LEVELS);
  const speeds: bigint[] = [];
  const densities: bigint[] = [];
  for (let i = 0n; i <= steps; i++) {
    const [sin, cos] = sinCos(lat0 + ((lat1 - lat0) * i) / steps);
    const w = ONE - times(E2, times(sin, sin));
    const north = over(times(ONE - E2, lat1 - lat0), w);
    const east = times(cos, x1 - x0);
    speeds.push(root(over(times(north, north) + times(east, east), w)));
    const x = x0 + ((x1 - x0) * i) / steps;
    densities.push(times(x, over(times(times(ONE - E2, cos), lat1 - lat0), times(w, w))));
  }
  return { meters: A * romberg(speeds), strip: A * A * romberg(densities) };
}

/** Richardson's extrapolation of the trapezoid rule with 1, 2, 4, … 64 steps over [0, 1]. */
function romberg(values: readonly bigint[]): bigint {
  let row: bigint[] = [];
  for (let level = 0; level <= LEVELS; level++) {
    const stride = 1 << (LEVELS - level);
    let sum = (values[0]! + values.at(-1)!) / 2n;
    for (let i = stride; i < values.length - 1; i += stride) sum += values[i]!;
    const next = [sum >> BigInt(level)];
    for (const [k, previous] of row.entries()) {
      const power = 4n ** BigInt(k + 1);
      next.push((power * next[k]! - previous) / (power - 1n));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** (given − exact) / scale, where `exact` and `scale` are in fixed point. */
export function fixedError(given: number, exact: bigint, scale: bigint = exact): number {
  const difference = fixed(given) - exact;
  const size = scale < 0n ? -scale : scale;
  return Number((difference * 10n ** 25n) / size) / 1e25;
}
