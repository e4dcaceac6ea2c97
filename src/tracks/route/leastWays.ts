/** The cheapest ways from the places of one fix to those of the next, in linear time. */

/** Up to so many pairs of places are compared one by one, which is faster. */
const FEW_PAIRS = 40;

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
  if (from.length * to.length <= FEW_PAIRS) return leastOfPairs(from, costs, to, meters);
  const rest = leastOfRest(from, costs);
  const ascending = new SlidingLeast(from.length);
  const level = new SlidingLeast(from.length);
  let before = -1;
  let [start, end] = [0, 0];
  return to.map((place) => {
    for (; end < from.length && from[end]! <= place + meters; end++) {
      ascending.push(end, costs[end]! + from[end]!);
      level.push(end, costs[end]!);
    }
    for (; start < end && from[start]! <= place - meters; start++) {
      if (before < 0 || costs[start]! - from[start]! < costs[before]! - from[before]!) before = start;
    }
    ascending.dropBefore(start);
    level.dropBefore(start);
    let least = Number.POSITIVE_INFINITY;
    for (const p of [before, ascending.least, level.least, end < from.length ? rest[end]! : -1]) {
      if (p >= 0) least = Math.min(least, costs[p]! + wayCost(from[p]!, place, meters));
    }
    return least;
  });
}

function leastOfPairs(
  from: readonly number[],
  costs: readonly number[],
  to: readonly number[],
  meters: number,
): number[] {
  return to.map((place) => {
    let least = Number.POSITIVE_INFINITY;
    for (let p = 0; p < from.length; p++) {
      least = Math.min(least, costs[p]! + wayCost(from[p]!, place, meters));
    }
    return least;
  });
}

/** For each place the one from there on with the least cost of a way back. */
function leastOfRest(from: readonly number[], costs: readonly number[]): Int32Array {
  const rest = new Int32Array(from.length);
  let best = from.length - 1;
  for (let p = best; p >= 0; p--) {
    if (costs[p]! + 2 * from[p]! < costs[best]! + 2 * from[best]!) best = p;
    rest[p] = best;
  }
  return rest;
}

/** The least of the values in a window that moves forward: those that a later one undercuts are dropped. */
class SlidingLeast {
  readonly #indices: Int32Array;
  readonly #values: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#indices = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  /** Index of the least value; -1 without one. */
  get least(): number {
    return this.#head < this.#size ? this.#indices[this.#head]! : -1;
  }

  push(index: number, value: number): void {
    while (this.#size > this.#head && this.#values[this.#size - 1]! >= value) this.#size--;
    this.#indices[this.#size] = index;
    this.#values[this.#size++] = value;
  }

  dropBefore(index: number): void {
    while (this.#head < this.#size && this.#indices[this.#head]! < index) this.#head++;
  }
}
