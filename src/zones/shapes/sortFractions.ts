/** Sorts fractions in linear time, if they are not clustered. */

/** Number of values up to which they are sorted by insertion. */
const FEW = 24;

/** Size of a bucket above which it is sorted by comparison. */
const LARGE_BUCKET = 32;

/** Sorts the first `count` values, finite numbers, ascending. O(n), at worst O(n log n). */
export function sortFractions(values: Float64Array, count: number): void {
  if (count > FEW && !isAscending(values, count)) {
    if (!deal(values, count)) values.subarray(0, count).sort();
  } else insert(values, 0, count);
}

function isAscending(values: Float64Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (values[i - 1]! > values[i]!) return false;
  return true;
}

/** Distributes the values to buckets of equal width. Returns false if all values are equal. */
function deal(values: Float64Array, count: number): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const perValue = (count - 1) / (high - low);
  if (!(perValue < Infinity)) return false;
  const ends = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) ends[(((values[i]! - low) * perValue) | 0) + 1]!++;
  for (let bucket = 1; bucket <= count; bucket++) ends[bucket]! += ends[bucket - 1]!;
  const given = values.slice(0, count);
  for (let i = 0; i < count; i++) {
    const value = given[i]!;
    values[ends[((value - low) * perValue) | 0]!++] = value;
  }
  let from = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    const to = ends[bucket]!;
    if (to - from > LARGE_BUCKET) values.subarray(from, to).sort();
    else if (to - from > 1) insert(values, from, to);
    from = to;
  }
  return true;
}

/** Insertion sort of the values from `from` to before `to`. */
function insert(values: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}
