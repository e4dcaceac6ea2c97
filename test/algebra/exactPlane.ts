/** Containment of simple polygons by whole numbers: every double is one times 2^-80. */

export type Rings = readonly (readonly (readonly [number, number])[])[];

type Big = readonly [bigint, bigint];

function big([x, y]: readonly [number, number]): Big {
  const scale = (value: number): bigint => {
    const whole = value * 2 ** 60;
    if (!Number.isInteger(whole)) throw new Error('expected a double of at least 2^-7, or 0');
    return BigInt(whole);
  };
  return [scale(x), scale(y)];
}

function side(a: Big, b: Big, c: Big): number {
  const value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** 1 inside, 0 on the boundary, -1 outside; even-odd over all rings. */
function place(rings: readonly (readonly Big[])[], p: Big): number {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const [a, b] = [ring[i]!, ring[(i + 1) % ring.length]!];
      const turn = side(a, b, p);
      const within = (k: 0 | 1) => (a[k] <= p[k] && p[k] <= b[k]) || (b[k] <= p[k] && p[k] <= a[k]);
      if (turn === 0 && within(0) && within(1)) return 0;
      if (a[1] > p[1] !== b[1] > p[1] && turn > 0 === b[1] > a[1]) inside = !inside;
    }
  }
  return inside ? 1 : -1;
}

/** Why `outer` does not contain `inner`; `null` if it does. */
export function whyNotInside(outer: Rings, inner: Rings): string | null {
  const [large, small] = [outer.map((ring) => ring.map(big)), inner.map((ring) => ring.map(big))];
  for (const p of small.flat()) if (place(large, p) < 0) return 'a vertex is outside';
  for (const p of large.flat()) if (place(small, p) > 0) return 'a new vertex is inside';
  for (const ring of small) {
    for (let i = 0; i < ring.length; i++) {
      const [a, b] = [ring[i]!, ring[(i + 1) % ring.length]!];
      const middle: Big = [a[0] + b[0], a[1] + b[1]];
      const doubled = large.map((other) => other.map(([x, y]): Big => [2n * x, 2n * y]));
      if (place(doubled, middle) < 0) return 'the middle of an edge is outside';
      for (const other of large) {
        for (let k = 0; k < other.length; k++) {
          const [c, d] = [other[k]!, other[(k + 1) % other.length]!];
          if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return 'edges cross';
        }
      }
    }
  }
  return null;
}
