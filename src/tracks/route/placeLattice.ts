/**
 * Finds the place of each fix along a route: a shortest path through the candidates of all fixes (Viterbi).
 *
 * A fix costs as many steps as it and the fix before have candidates. Fixes are decided as soon as every path of least cost agrees, so the
 * lattice holds only the fixes whose place is ambiguous.
 */

/** Up to so many pairs of places are compared one by one, which is faster. */
const FEW_PAIRS = 1000;

/** The fix of a layer, and the candidates for its place. Plain data; only the one of a settled lattice changes. */
export interface Layer {
  time: number;
  /** Metres from the fix of the layer before. */
  meters: number;
  /** Whether the step from that fix is one of the track, and not a hole. */
  isStep: boolean;
  /** Milliseconds between that fix and this one in which the unit may have driven unseen. */
  unseenMs: number;
  /** Metres along of the candidates, ascending. */
  readonly along: number[];
  /** Metres from the fix to each candidate. */
  readonly offsets: number[];
  /** Least cost of a path that ends at each candidate. */
  readonly costs: number[];
}

/** Costs within this are equal. */
const COST_TIE_METERS = 1e-6;
/** The lattice is searched for decided fixes when it has this many layers, then at twice the rest. */
const FIRST_SEARCH = 16;

/** Plain data. The first layer is decided if `isDecided`. */
export interface Lattice {
  layers: Layer[];
  isDecided: boolean;
  searchAt: number;
}

export function emptyLattice(): Lattice {
  return { layers: [], isDecided: false, searchAt: FIRST_SEARCH };
}

/** The only layer of a lattice whose place is decided, else `null`: a next fix with one candidate may take its place without a search. */
export function settledLayer({ layers, isDecided }: Lattice): Layer | null {
  return isDecided && layers.length === 1 ? layers[0]! : null;
}

/** Adds a fix; `decide` takes each fix whose place became certain, with its metres along. */
export function addLayer(
  lattice: Lattice,
  layer: Layer,
  decide: (layer: Layer, alongMeters: number) => void,
): void {
  const last = lattice.layers.at(-1);
  const ways = last && leastWays(last.along, last.costs, layer.along, layer.meters);
  for (let c = 0; c < layer.along.length; c++) layer.costs[c] = (ways?.[c] ?? 0) + layer.offsets[c]!;
  lattice.layers.push(layer);
  if (layer.along.length === 1) {
    settle(lattice, lattice.layers.length - 1, 0, decide);
  } else if (lattice.layers.length >= lattice.searchAt) {
    const [at, candidate] = lastCommonPlace(lattice);
    if (at > 0) settle(lattice, at, candidate, decide);
    lattice.searchAt = Math.max(FIRST_SEARCH, 2 * lattice.layers.length);
  }
}

/** The places of all layers as if the track ended here. */
export function placesAtEnd(lattice: Lattice): number[] {
  const last = lattice.layers.at(-1);
  if (last === undefined) return [];
  const budget = Math.min(...last.costs) + COST_TIE_METERS;
  return backFrom(lattice, lattice.layers.length - 1, firstWithin(last.costs, budget), budget);
}

/** The place of the last layer as if the track ended here. */
export function lastPlaceOf({ layers }: Lattice): number {
  const { along, costs } = layers.at(-1)!;
  return along[firstWithin(costs, Math.min(...costs) + COST_TIE_METERS)]!;
}

function firstWithin(costs: readonly number[], budget: number): number {
  return costs.findIndex((cost) => cost <= budget);
}

/** Decides the layers up to `at`, given its candidate, and makes layer `at` the first one. */
function settle(
  lattice: Lattice,
  at: number,
  candidate: number,
  decide: (layer: Layer, alongMeters: number) => void,
): void {
  const places = backFrom(lattice, at, candidate, lattice.layers[at]!.costs[candidate]! + COST_TIE_METERS);
  for (let k = lattice.isDecided ? 1 : 0; k <= at; k++) decide(lattice.layers[k]!, places[k]!);
  const { layers } = lattice;
  const first = layers[at]!;
  const cost = first.costs[candidate]!;
  const kept = {
    ...first,
    along: [first.along[candidate]!],
    offsets: [first.offsets[candidate]!],
    costs: [0],
  };
  // Costs count from the decided fix on, so that their digits do not run out.
  const rest = layers.slice(at + 1);
  for (const layer of rest) for (let c = 0; c < layer.costs.length; c++) layer.costs[c]! -= cost;
  lattice.layers = [kept, ...rest];
  lattice.isDecided = true;
}

/**
 * The places of the layers up to `at` on a path to a candidate there that costs at most `budget`. If there are several paths, the one least
 * along at the last layer where they differ.
 */
function backFrom({ layers }: Lattice, at: number, candidate: number, budget: number): number[] {
  const places: number[] = new Array(at + 1);
  let chosen = candidate;
  let after = 0;
  for (let k = at; k > 0; k--) {
    const layer = layers[k]!;
    const before = layers[k - 1]!;
    const place = layer.along[chosen]!;
    places[k] = place;
    after += layer.offsets[chosen]!;
    let [next, nextCost] = [-1, Number.POSITIVE_INFINITY];
    for (let p = 0; p < before.along.length; p++) {
      const cost = before.costs[p]! + wayCost(before.along[p]!, place, layer.meters) + after;
      if (cost <= budget) {
        next = p;
        break;
      }
      if (cost < nextCost) [next, nextCost] = [p, cost];
    }
    chosen = next;
    after += wayCost(before.along[chosen]!, place, layer.meters);
  }
  places[0] = layers[0]!.along[chosen]!;
  return places;
}

/** The last layer at which all paths of least cost meet, and their candidate there; layer 0 if there is none. */
function lastCommonPlace({ layers }: Lattice): readonly [number, number] {
  let reached = layers.at(-1)!.along.map((_, c) => c);
  for (let k = layers.length - 1; k > 0; k--) {
    const { along, offsets, costs, meters } = layers[k]!;
    const before = layers[k - 1]!;
    // Seen from the end: what a path lacks that comes from each candidate. Mirrored, so that a way back stays one.
    const ends = reached.toReversed();
    const lacks = leastWays(
      ends.map((c) => -along[c]!),
      ends.map((c) => offsets[c]! - costs[c]!),
      before.along.toReversed().map((place) => -place),
      meters,
    ).reverse();
    reached = lacks.flatMap((lack, p) => (before.costs[p]! + lack <= COST_TIE_METERS ? [p] : []));
    if (reached.length === 1) return [k - 1, reached[0]!];
  }
  return [0, 0];
}

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
