/** Marks of rings, and groups of the edges of long rings and lines, so that a ray or a distance tests only a few: slabs by longitude, trees. */

import { crossesAntimeridian } from '../../core/angles.js';
import type { LineTree } from '../../geodesy/lineTree.js';

/** Largest length of a ring whose edges are tested one by one. */
const SHORT_RING = 96;
/** Target number of edges per slab. */
const EDGES_OF_SLAB = 4;
/** Limit of the average number of slabs per edge. */
const MOST_ENTRIES = 4;
/** Smallest useful number of slabs. A ring with fewer, because its edges are nearly as long as the ring is wide, is tested edge by edge. */
const LEAST_SLABS = 16;
/** Number of tests of all edges that cost about as much as the slabs. The slabs are made after so many. */
const TESTS_BEFORE = 12;
/**
 * Marks of a ring: it encloses the north pole; encloses the south pole; is a hole; has an edge across the antimeridian; was given closed.
 */
export const NORTH_POLE = 4;
export const SOUTH_POLE = 8;
const POLES = NORTH_POLE | SOUTH_POLE;
/** Number of distances to all edges that cost about as much as a tree. The tree is made after so many. */
const DISTANCES_BEFORE = 4;
/** Size of all trees beyond which the oldest are dropped, bytes. */
const MOST_BYTES = 512e6;

/** The columns of rings. */
interface RingColumns {
  /** Longitude and latitude of each vertex. */
  readonly coords: Float64Array;
  /** First vertex of each ring. */
  readonly ringFrom: Uint32Array;
  /** Last vertex of each ring. */
  readonly ringTo: Uint32Array;
  readonly ringMarks: Uint8Array;
}

/** Slabs of rings: for each slab the first vertices of its edges. An edge across the antimeridian is in slabs on both sides. */
export class Slabs {
  readonly #west: number;
  readonly #perLon: number;
  readonly #last: number;
  readonly starts: Uint32Array;
  readonly edges: Uint32Array;

  constructor(columns: RingColumns, rings: Rings, west: number, east: number, slabs: number) {
    this.#west = west;
    this.#perLon = slabs / (east - west);
    this.#last = slabs - 1;
    this.starts = new Uint32Array(slabs + 1);
    this.#deal(columns, rings, this.starts, 1, null);
    for (let slab = 0; slab < slabs; slab++) this.starts[slab + 1]! += this.starts[slab]!;
    this.edges = new Uint32Array(this.starts[slabs]!);
    this.#deal(columns, rings, this.starts.slice(), 0, this.edges);
  }

  /** For each edge in each of its slabs: increases `counts[slab + offset]`, and writes the edge to `edges` at the former count. */
  #deal(
    columns: RingColumns,
    rings: Rings,
    counts: Uint32Array,
    offset: number,
    edges: Uint32Array | null,
  ): void {
    const { coords } = columns;
    eachEdge(columns, rings, (i) => {
      const p = this.at(coords[2 * i]!);
      const q = this.at(coords[2 * i + 2]!);
      const isSplit = crossesAntimeridian(coords[2 * i]!, coords[2 * i + 2]!);
      const low = Math.min(p, q);
      const high = Math.max(p, q);
      // A split edge is in the slabs up to `low` and from `high` on.
      const end = isSplit ? this.#last : high;
      for (let slab = isSplit ? 0 : low; slab <= end; slab++) {
        if (isSplit && slab > low && slab < high) slab = high;
        const at = counts[slab + offset]!++;
        if (edges !== null) edges[at] = i;
      }
    });
  }

  /** The slab of a longitude: the first slab west of the ring, the last slab east of it. */
  at(lon: number): number {
    const slab = Math.floor((lon - this.#west) * this.#perLon);
    return slab < 0 ? 0 : slab > this.#last ? this.#last : slab;
  }

  /** The first slab, from `from` on, of the edge between two longitudes. */
  firstOf(lon: number, next: number, from: number): number {
    const low = this.at(Math.min(lon, next));
    if (!crossesAntimeridian(lon, next)) return Math.max(from, low);
    return from <= low ? from : Math.max(from, this.at(Math.max(lon, next)));
  }
}

/** Rings that are searched together. */
interface Rings {
  readonly first: number;
  readonly end: number;
}

/** Rings that were queried, with the number of queries. */
interface Asked extends Rings {
  queries: number;
  /** Null if slabs are not made yet, or of no use. */
  slabs: Slabs | null;
}

/** Slabs of long rings, and of many consecutive short ones, made on demand. */
export class RingSlabs {
  /** By first ring, its state. */
  readonly #asked = new Map<number, Asked>();
  /** Short rings that are tested edge by edge in this query. */
  #waiting: Rings = { first: 0, end: 0 };
  /** Index of the ring after those of the last result. */
  after = 0;
  /** Size of the slabs, bytes. */
  bytes = 0;

  /**
   * The slabs of the rings from `ring` up to `after`, in a part whose rings end at `end`. Null if all edges of this ring should be tested:
   * it is short, its edges are long, or it had few queries so far.
   */
  of(columns: RingColumns, ring: number, end: number): Slabs | null {
    const { ringFrom, ringTo } = columns;
    this.after = ring + 1;
    // The rings of a part are consecutive.
    if (ringTo[end - 1]! - ringFrom[ring]! <= SHORT_RING) return null;
    if (ring > this.#waiting.first && ring < this.#waiting.end) return null;
    let asked = this.#asked.get(ring);
    if (asked === undefined) {
      asked = { first: ring, end: endOfRun(columns, ring, end), queries: 0, slabs: null };
      this.#asked.set(ring, asked);
    }
    if (asked.queries < TESTS_BEFORE) asked.queries++;
    else if (asked.queries === TESTS_BEFORE) {
      asked.queries++;
      asked.slabs = slabsOf(columns, asked);
      if (asked.slabs !== null) this.bytes += asked.slabs.starts.byteLength + asked.slabs.edges.byteLength;
    }
    if (asked.slabs === null) this.#waiting = asked;
    else this.after = asked.end;
    return asked.slabs;
  }
}

/** End of the rings that are searched together with this one: a long ring alone, a short one with the short ones after it. */
function endOfRun({ ringFrom, ringTo, ringMarks }: RingColumns, ring: number, end: number): number {
  const isShortHole = (at: number): boolean =>
    ringTo[at]! - ringFrom[at]! <= SHORT_RING && (ringMarks[at]! & (HOLE | WRAPS | POLES)) === HOLE;
  let next = ring + 1;
  if (isShortHole(ring)) while (next < end && isShortHole(next)) next++;
  return next;
}

function eachEdge(
  { ringFrom, ringTo }: RingColumns,
  { first, end }: Rings,
  visit: (i: number) => void,
): void {
  for (let ring = first; ring < end; ring++) for (let i = ringFrom[ring]!; i < ringTo[ring]!; i++) visit(i);
}

function slabsOf(columns: RingColumns, rings: Rings): Slabs | null {
  const { coords } = columns;
  let [west, east, way, count] = [180, -180, 0, 0];
  eachEdge(columns, rings, (i) => {
    const x = coords[2 * i]!;
    const next = coords[2 * i + 2]!;
    if (crossesAntimeridian(x, next)) [west, east] = [-180, 180];
    else way += Math.abs(next - x);
    west = Math.min(west, x);
    east = Math.max(east, x);
    count++;
  });
  if (count <= SHORT_RING) return null;
  const most = ((MOST_ENTRIES - 1) * count * (east - west)) / way;
  const slabs = Math.floor(Math.min(count / EDGES_OF_SLAB, most));
  return slabs < LEAST_SLABS ? null : new Slabs(columns, rings, west, east, slabs);
}

/** Number of edges up to which a shape is measured edge by edge. */
export const FEW_EDGES = 32;

/** Trees of shapes with more than `FEW_EDGES` edges, made on demand. */
export class EdgeTrees {
  /** By first piece of the shape, its tree, or the number of distances so far. */
  readonly #made = new Map<number, LineTree | number>();
  /** Size of the trees, bytes. */
  bytes = 0;

  /**
   * The tree of a shape; null as long as all its edges should be measured. `make` must copy the vertices, because columns that grow move.
   */
  of(piece: number, make: () => LineTree): LineTree | null {
    const known = this.#made.get(piece) ?? 0;
    if (typeof known !== 'number') return known;
    if (known < DISTANCES_BEFORE) {
      this.#made.set(piece, known + 1);
      return null;
    }
    const tree = make();
    this.#made.delete(piece);
    this.#made.set(piece, tree);
    this.bytes += tree.bytes;
    for (const [oldest, other] of this.#made) {
      if (this.bytes <= MOST_BYTES || other === tree) break;
      this.#made.delete(oldest);
      if (typeof other !== 'number') this.bytes -= other.bytes;
    }
    return tree;
  }
}

export const HOLE = 16;
export const WRAPS = 32;
export const CLOSED = 64;
