/** Points in order of x, then y: a radix sort on x scaled to 33 bits, then a comparison within each run of equal keys. */

const BITS = 11;
const BUCKETS: number = 1 << BITS;

/** Number of points below which a comparison sort is as fast. */
const FEW = 256;

/** Indices that sort the points by x, then y (equal points in any order). Cost: O(n), at worst O(n log n). */
export function sortPoints(x: Float64Array, y: Float64Array): Uint32Array {
  const count = x.length;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const byPlace = (p: number, q: number): number => x[p]! - x[q]! || y[p]! - y[q]!;
  if (count < FEW) return order.sort(byPlace);
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = x[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low === high) return order.sort(byPlace);
  // Rounding never reverses the order of x, so only points with equal keys remain to be compared.
  const scale = (2 ** 33 - 1) / (high - low);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = Math.floor((x[i]! - low) * scale);
  const sorted = radix(keys, order);
  for (let from = 0; from < count; ) {
    const key = keys[sorted[from]!]!;
    let to = from + 1;
    while (to < count && keys[sorted[to]!]! === key) to++;
    if (to === from + 2) {
      const p = sorted[from]!;
      const q = sorted[from + 1]!;
      if (byPlace(p, q) > 0) {
        sorted[from] = q;
        sorted[from + 1] = p;
      }
    } else if (to > from + 2) sorted.subarray(from, to).sort(byPlace);
    from = to;
  }
  return sorted;
}

function radix(keys: Float64Array, order: Uint32Array): Uint32Array {
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(order.length);
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 1; digit < 2 ** 33; digit *= BUCKETS) {
    starts.fill(0);
    for (const i of from) starts[digitOf(keys[i]!, digit)]!++;
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const size = starts[bucket]!;
      starts[bucket] = sum;
      sum += size;
    }
    for (const i of from) to[starts[digitOf(keys[i]!, digit)]!++] = i;
    [from, to] = [to, from];
  }
  return from;
}

function digitOf(key: number, digit: number): number {
  return Math.floor(key / digit) & (BUCKETS - 1);
}
