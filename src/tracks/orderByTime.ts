/** Sorts indices of fixes by time: a radix sort from some thousands of fixes on, since times are whole milliseconds. */

const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;
/** Fewer times are sorted by comparison: counting all digits alone would cost more. */
const MIN_RADIX = 2048;

/**
 * 0 … n - 1 in order of `times` (whole numbers), equal times in order of `compareTies`.
 * Cost: O(n) a digit of 16 bits in the span of the times (3 for eight years of milliseconds), O(n) when already in order; O(k log k)
 * for k equal times.
 */
export function orderByTime(times: Float64Array, compareTies: (i: number, j: number) => number): Uint32Array {
  let order: Uint32Array = new Uint32Array(times.length);
  let isSorted = true;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.length; i++) {
    const time = times[i] as number;
    isSorted &&= time >= last;
    if (time < first) first = time;
    if (time > last) last = time;
    order[i] = i;
  }
  if (!isSorted) {
    if (times.length < MIN_RADIX) order.sort((i, j) => (times[i] as number) - (times[j] as number));
    else order = radixSort(times, first, last - first, order);
  }
  for (let from = 0; from < order.length; ) {
    const time = times[order[from] as number] as number;
    let to = from + 1;
    while (to < order.length && times[order[to] as number] === time) to++;
    if (to - from > 1) order.subarray(from, to).sort(compareTies);
    from = to;
  }
  return order;
}

function radixSort(times: Float64Array, first: number, span: number, order: Uint32Array): Uint32Array {
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(order.length);
  for (let unit = 1; unit <= span; unit *= DIGITS) {
    const starts = new Uint32Array(DIGITS + 1);
    for (const time of times) {
      const digit = Math.floor((time - first) / unit) % DIGITS;
      starts[digit + 1] = (starts[digit + 1] as number) + 1;
    }
    for (let digit = 0; digit < DIGITS; digit++) {
      starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
    }
    for (const i of from) {
      const digit = Math.floor(((times[i] as number) - first) / unit) % DIGITS;
      const place = starts[digit] as number;
      starts[digit] = place + 1;
      to[place] = i;
    }
    [from, to] = [to, from];
  }
  return from;
}
