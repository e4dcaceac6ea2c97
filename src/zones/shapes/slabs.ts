/** Groups the edges of long rings by longitude, so that a ray or a short segment tests only a few of them. */

import { crossesAntimeridian } from '../../core/angles.js';

/** Rings of up to this many edges are tested edge by edge. */
const SHORT_RING = 96;
/** Target number of edges per slab. */
const EDGES_OF_SLAB = 4;
/** Limit of the average number of slabs per edge. */
const MOST_ENTRIES = 4;
/** Rings with fewer slabs, because their edges are nearly as long as the ring is wide, are tested edge by edge. */
const LEAST_SLABS = 16;
/** Slabs cost about as much as this many tests of all edges, so they are made after as many. */
const TESTS_BEFORE = 12;

/** The columns of rings. */
interface RingColumns {
  /** Longitude and latitude of each vertex. */
  readonly coords: Float64Array;
  /** First vertex of each ring. */
  readonly ringFrom: Uint32Array;
  /** Last vertex of each ring. */
  readonly ringTo: Uint32Array;
}

/** The slabs of a ring: for each slab the first vertices of its edges. An edge across the antimeridian is in slabs on both sides. */
export class Slabs {
  readonly #west: number;
  readonly #perLon: number;
  readonly #last: number;
  readonly starts: Uint32Array;
  readonly edges: Uint32Array;

  constructor({ coords }: RingColumns, from: number, to: number, west: number, east: number, slabs: number) {
    this.#west = west;
    this.#perLon = slabs / (east - west);
    this.#last = slabs - 1;
    this.starts = new Uint32Array(slabs + 1);
    this.#deal(coords, from, to, this.starts, 1, null);
    for (let slab = 0; slab < slabs; slab++) this.starts[slab + 1]! += this.starts[slab]!;
    this.edges = new Uint32Array(this.starts[slabs]!);
    this.#deal(coords, from, to, this.starts.slice(), 0, this.edges);
  }

  /** For each edge in each of its slabs: increases `counts[slab + offset]`, and writes the edge to `edges` at the count before. */
  #deal(
    coords: Float64Array,
    from: number,
    to: number,
    counts: Uint32Array,
    offset: number,
    edges: Uint32Array | null,
  ): void {
    for (let i = from; i < to; i++) {
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
    }
  }

  /** The slab of a longitude. West of the ring it is the first slab, east of it the last. */
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

/** Slabs of long rings, made on demand. */
export class RingSlabs {
  /** By ring, its slabs, null if they are of no use, or the number of queries. */
  readonly #made = new Map<number, Slabs | number | null>();
  /** Bytes of the slabs. */
  bytes = 0;

  /** The slabs of a ring. Null if its edges should all be tested: for a short ring, or one of long edges, and at first. */
  of(columns: RingColumns, ring: number): Slabs | null {
    const from = columns.ringFrom[ring]!;
    const to = columns.ringTo[ring]!;
    if (to - from <= SHORT_RING) return null;
    const known = this.#made.get(ring);
    if (known !== undefined && typeof known !== 'number') return known;
    const queries = known ?? 0;
    const made = queries < TESTS_BEFORE ? null : slabsOf(columns, from, to);
    this.#made.set(ring, queries < TESTS_BEFORE ? queries + 1 : made);
    if (made !== null) this.bytes += made.starts.byteLength + made.edges.byteLength;
    return made;
  }
}

function slabsOf(columns: RingColumns, from: number, to: number): Slabs | null {
  const { coords } = columns;
  let [west, east, way] = [180, -180, 0];
  for (let i = from; i < to; i++) {
    const x = coords[2 * i]!;
    const next = coords[2 * i + 2]!;
    if (crossesAntimeridian(x, next)) [west, east] = [-180, 180];
    else way += Math.abs(next - x);
    west = Math.min(west, x);
    east = Math.max(east, x);
  }
  const count = to - from;
  const most = ((MOST_ENTRIES - 1) * count * (east - west)) / way;
  const slabs = Math.floor(Math.min(count / EDGES_OF_SLAB, most));
  return slabs < LEAST_SLABS ? null : new Slabs(columns, from, to, west, east, slabs);
}
