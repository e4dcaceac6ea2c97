/** Edges of a line that lie on one another. */

/** Multipliers without a common measure, so that different edges hardly ever have the same key. */
const [A, B, C, D] = [Math.SQRT2, Math.PI, Math.E, Math.LN2];

/**
 * For each edge of a line `[lon0, lat0, …]`, the first edge between the same two positions in either direction; mostly itself. `null` if no
 * two edges are equal. Cost: O(n).
 */
export function firstTwins(coords: Float64Array): Uint32Array | null {
  const count = coords.length / 2 - 1;
  const first = new Uint32Array(count);
  /** For each key, the last edge that is the first of its twins. The next map links it to the one before with the same key, plus 1. */
  const lasts = new Map<number, number>();
  const before = new Uint32Array(count);
  let hasTwins = false;
  for (let i = 0; i < count; i++) {
    const key = keyOf(coords, i);
    const last = lasts.get(key);
    let twin = last === undefined ? -1 : last;
    while (twin >= 0 && !areTwins(coords, i, twin)) twin = before[twin]! - 1;
    first[i] = twin >= 0 ? twin : i;
    if (twin >= 0) {
      hasTwins = true;
    } else {
      before[i] = last === undefined ? 0 : last + 1;
      lasts.set(key, i);
    }
  }
  return hasTwins ? first : null;
}

function keyOf(coords: Float64Array, edge: number): number {
  const at = 2 * edge;
  const [aLon, aLat, bLon, bLat] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
  return aLon < bLon || (aLon === bLon && aLat < bLat)
    ? A * aLon + B * aLat + C * bLon + D * bLat
    : A * bLon + B * bLat + C * aLon + D * aLat;
}

function areTwins(coords: Float64Array, edge: number, other: number): boolean {
  const [i, k] = [2 * edge, 2 * other];
  const isSame = (a: number, b: number): boolean =>
    coords[a] === coords[b] && coords[a + 1] === coords[b + 1];
  return (isSame(i, k) && isSame(i + 2, k + 2)) || (isSame(i, k + 2) && isSame(i + 2, k));
}
