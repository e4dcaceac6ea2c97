/** A line with the metres along it: its edges in a tree, and the local minima of the distance to it. */

import { lonStep, wrapOnce } from '../../core/angles.js';
import { firstWhere } from '../../core/numbers.js';
import { edgeFoot, footDistance, positionOnEdge } from '../../geodesy/edgeFoot.js';
import { addEdge, edgeLength, emptySums } from '../../geodesy/edgeSums.js';
import { LineTree } from '../../geodesy/lineTree.js';
import { firstTwins, NearEdges } from '../../geodesy/nearEdges.js';

/** Longer edges are cut at positions on them, so that each has one foot and a fast distance. */
const MAX_EDGE_METERS = 20_000;
/** Local minima nearer along the line than this are one: the same vertex, reached from both edges. */
const SAME_METERS = 1e-6;
const NEWTON_ROUNDS = 8;

export class RouteLine {
  /** Distinct edges. An edge that lies on a former one is skipped, since it is never nearer. */
  readonly tree: LineTree;
  /** All edges. */
  readonly #all: NearEdges;
  readonly #firstTwins: Uint32Array | null;
  /** Metres along to each vertex. */
  readonly #alongVertices: Float64Array;
  readonly lengthMeters: number;
  /** Places of the last `placesWithin`: metres along, ascending, and distances, m. The arrays are longer than the answer. */
  readonly along: number[] = [];
  readonly offsets: number[] = [];
  /** The distance and the edge of the nearest place of the last `placesWithin` that found one. */
  nearestMeters = 0;
  nearestEdge = 0;
  readonly #edges: number[] = [];
  readonly #ends: number[] = [];

  /** `given` are wrapped `[lon0, lat0, …]` without equal neighbours. */
  constructor(given: Float64Array) {
    const all = new LineTree(withShortEdges(given));
    this.#all = new NearEdges(all);
    this.#firstTwins = firstTwins(all.coords);
    this.tree =
      this.#firstTwins === null
        ? all
        : new LineTree(
            all.coords,
            [...this.#firstTwins.keys()].filter((i) => this.#firstTwins![i] !== i),
          );
    const { coords } = this.tree;
    this.#alongVertices = new Float64Array(coords.length / 2);
    const sums = emptySums();
    for (let i = 1; i < this.#alongVertices.length; i++) {
      const at = 2 * i;
      addEdge(sums, 0, coords[at - 1]!, lonStep(coords[at - 2]!, coords[at]!), coords[at + 1]!);
      this.#alongVertices[i] = sums.meters + sums.metersLow;
    }
    this.lengthMeters = this.#alongVertices.at(-1)!;
  }

  /**
   * The number of local minima of the distance to the line that are at most `reach` metres away, which are in `along` and `offsets`. The
   * comparison with `reach` is exact. An edge nearer to one of its ends counts only where its neighbour agrees.
   */
  placesWithin(lon: number, lat: number, reach: number): number {
    const { coords, edgeCount } = this.tree;
    const { along, offsets } = this;
    let places = 0;
    const edges = this.#edges;
    const ends = this.#ends;
    const count = this.#all.within(lon, lat, reach, edges, ends);
    // Before the first edge the line ends, so that its first vertex may be a minimum.
    let endOfLast = -1;
    this.nearestMeters = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      const i = edges[k]!;
      const at = 2 * i;
      const [aLon, aLat, bLon, bLat] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
      const end = ends[k]!;
      const t = end >= 0 ? end : edgeFoot(lon, lat, aLon, aLat, bLon, bLat);
      const isMinimum = t === 0 ? endOfLast === i - 1 : t < 1 || i === edgeCount - 1;
      if (t === 1) endOfLast = i;
      if (!isMinimum) continue;
      const meters = footDistance(lon, lat, aLon, aLat, bLon, bLat, t, reach);
      if (!(meters <= reach)) continue;
      if (meters < this.nearestMeters) {
        this.nearestMeters = meters;
        this.nearestEdge = i;
      }
      const place = this.#alongAt(i, t);
      if (places > 0 && place - along[places - 1]! < SAME_METERS) {
        offsets[places - 1] = Math.min(meters, offsets[places - 1]!);
      } else {
        along[places] = place;
        offsets[places++] = meters;
      }
    }
    if (this.#firstTwins !== null) this.nearestEdge = this.#firstTwins[this.nearestEdge]!;
    return places === 0 && count > 0 ? this.#placeNearest(lon, lat, reach) : places;
  }

  /** Finds the nearest place alone. Rounding of the feet next to a vertex may hide a minimum. */
  #placeNearest(lon: number, lat: number, reach: number): number {
    const { coords } = this.tree;
    const meters = this.tree.nearest(lon, lat, reach);
    if (!(meters <= reach)) return 0;
    const at = 2 * this.tree.edge;
    const t = edgeFoot(lon, lat, coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!);
    this.along[0] = this.#alongAt(this.tree.edge, t);
    this.offsets[0] = meters;
    this.nearestMeters = meters;
    this.nearestEdge = this.tree.edge;
    return 1;
  }

  /** The edge and the fraction on it of a place along the line. */
  placeAt(meters: number): { edge: number; t: number } {
    const along = this.#alongVertices;
    const edge = Math.max(0, firstWhere(1, along.length - 1, (i) => along[i]! > meters) - 1);
    const rest = meters - along[edge]!;
    const length = along[edge + 1]! - along[edge]!;
    if (rest <= 0) return { edge, t: 0 };
    if (rest >= length) return { edge, t: 1 };
    const { coords } = this.tree;
    const [aLon, aLat, bLon, bLat] = [
      coords[2 * edge]!,
      coords[2 * edge + 1]!,
      coords[2 * edge + 2]!,
      coords[2 * edge + 3]!,
    ];
    let t = rest / length;
    for (let round = 0; round < NEWTON_ROUNDS; round++) {
      const [lon, lat] = positionOnEdge(aLon, aLat, bLon, bLat, t);
      const off = (edgeLength(aLon, aLat, lon, lat) - rest) / length;
      t = Math.min(1, Math.max(0, t - off));
      if (Math.abs(off) < 1e-13) break;
    }
    return { edge, t };
  }

  #alongAt(i: number, t: number): number {
    const along = this.#alongVertices;
    if (t === 0) return along[i]!;
    if (t === 1) return along[i + 1]!;
    const { coords } = this.tree;
    const at = 2 * i;
    const [aLon, aLat] = [coords[at]!, coords[at + 1]!];
    const [lon, lat] = positionOnEdge(aLon, aLat, coords[at + 2]!, coords[at + 3]!, t);
    const meters = along[i]! + edgeLength(aLon, aLat, aLon + lonStep(aLon, wrapOnce(lon)), lat);
    return Math.min(meters, along[i + 1]!);
  }
}

/** The same line; edges longer than `MAX_EDGE_METERS` are cut into equal parts of their degrees. */
function withShortEdges(coords: Float64Array): Float64Array {
  const cut: number[] = [coords[0]!, coords[1]!];
  for (let i = 2; i < coords.length; i += 2) {
    const [aLon, aLat, bLon, bLat] = [coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!];
    const parts = Math.ceil(edgeLength(aLon, aLat, bLon, bLat) / MAX_EDGE_METERS);
    for (let k = 1; k < parts; k++) {
      const [lon, lat] = positionOnEdge(aLon, aLat, bLon, bLat, k / parts);
      cut.push(wrapOnce(lon), lat);
    }
    cut.push(bLon, bLat);
  }
  return Float64Array.from(cut);
}
