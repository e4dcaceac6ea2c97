/** The cheapest ways from the places of one fix to those of the next, in linear time. */

/** Up to so many pairs of places are compared one by one, which is faster. */
const FEW_PAIRS = 1000;

/** Cost of the way between two places for a unit that moved `meters`. */
export function wayCost(from: number, to: number, meters: number): number {
  const step = to - from;
  return Math.abs(Math.abs(step) - meters) + (step < 0 ? -step : 0);
}

/**
 * For each place of `to` the least `costs[p] + wayCost(from[p], to, meters)`. Both lists of places ascend.
 *
 * By the place s for a target t the cost of the way is t − s − d up to t − d; d + s − t or d, whichever is less, up to t + d; 2s − 2t − d beyond. So
 * the best of the first part is a running minimum of cost − s, of the last part a minimum of cost + 2s over the rest of the list, and of the middle
 * two minima over a window that slides along with t. Cost: O(`from` + `to`).
 */
export function leastWays(
  from: readonly number[],
  costs: readonly number[],
  to: readonly number[],
  meters: number,
): number[] {
  const count = from.length;
  if (count * to.length <= FEW_PAIRS) return leastOfPairs(from, costs, to, meters);
  const rest = leastOfRest(from, costs);
  const ways: number[] = [];
  const ascending = new SlidingLeast(count);
  const level = new SlidingLeast(count);
  let before = -1;
  let [start, end] = [0, 0];
  for (const place of to) {
    for (; end < count && from[end]! <= place + meters; end++) {
      ascending.push(end, costs[end]! + from[end]!);
      level.push(end, costs[end]!);
    }
    for (; start < end && from[start]! <= place - meters; start++) {
      if (before < 0 || costs[start]! - from[start]! < costs[before]! - from[before]!) before = start;
    }
    let least = Number.POSITIVE_INFINITY;
    if (before >= 0) least = costs[before]! + wayCost(from[before]!, place, meters);
    if (start < end) {
      const [near, far] = [ascending.leastFrom(start), level.leastFrom(start)];
      least = Math.min(least, costs[near]! + wayCost(from[near]!, place, meters));
      least = Math.min(least, costs[far]! + wayCost(from[far]!, place, meters));
    }
    if (end < count) {
      const after = rest[end]!;
      least = Math.min(least, costs[after]! + wayCost(from[after]!, place, meters));
    }
    ways.push(least);
  }
  return ways;
}

function leastOfPairs(
  from: readonly number[],
  costs: readonly number[],
  to: readonly number[],
  meters: number,
): number[] {
  const ways: number[] = [];
  for (const place of to) {
    let least = Number.POSITIVE_INFINITY;
    for (let p = 0; p < from.length; p++) {
      least = Math.min(least, costs[p]! + wayCost(from[p]!, place, meters));
    }
    ways.push(least);
  }
  return ways;
}

/** By place p, the place at or after p that a way back reaches at the least cost. */
function leastOfRest(from: readonly number[], costs: readonly number[]): Int32Array {
  const rest = new Int32Array(from.length);
  let best = from.length - 1;
  for (let p = best; p >= 0; p--) {
    if (costs[p]! + 2 * from[p]! < costs[best]! + 2 * from[best]!) best = p;
    rest[p] = best;
  }
  return rest;
}

/** Minimum of the values in a window that moves forward. A value is dropped once a later one is smaller. */
class SlidingLeast {
  readonly #indices: Int32Array;
  readonly #values: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#indices = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  push(index: number, value: number): void {
    let size = this.#size;
    while (size > this.#head && this.#values[size - 1]! >= value) size--;
    this.#indices[size] = index;
    this.#values[size] = value;
    this.#size = size + 1;
  }

  /** Index of the least value from an index on, which is one of the window's. */
  leastFrom(start: number): number {
    while (this.#indices[this.#head]! < start) this.#head++;
    return this.#indices[this.#head]!;
  }
}
