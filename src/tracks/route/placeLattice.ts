/**
 * Finds the place of each fix along a route: a shortest path through the candidates of all fixes (Viterbi).
 *
 * A fix costs as many steps as it and the fix before have candidates. Fixes are decided as soon as every path of least cost agrees, so the
 * lattice holds only the fixes whose place is ambiguous.
 */

import { leastWays, wayCost } from './leastWays.js';

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
