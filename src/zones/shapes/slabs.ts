/** Groups the edges of long rings by longitude, so that a ray or a short segment tests only a few of them. */

import { crossesAntimeridian } from '../../core/angles.js';

/** Rings of up to this many edges are tested edge by edge. */
const SHORT_RING = 96;
/** Target number of edges per slab. */
const EDGES_OF_SLAB = 4;
/** Limit of the average number of slabs per edge. */
const MOST_ENTRIES = 4;

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

  constructor({ coords, ringFrom, ringTo }: RingColumns, ring: number) {
    const from = ringFrom[ring]!;
    const to = ringTo[ring]!;
    let [west, east, way] = [180, -180, 0];
    for (let i = from; i < to; i++) {
      const x = coords[2 * i]!;
      const next = coords[2 * i + 2]!;
      if (crossesAntimeridian(x, next)) [west, east] = [-180, 180];
      else way += Math.abs(next - x);
      west = Math.min(west, x);
      east = Math.max(east, x);
    }
    const edges = to - from;
    const span = east - west;
    const slabs = Math.max(
      1,
      Math.floor(Math.min(edges / EDGES_OF_SLAB, ((MOST_ENTRIES - 1) * edges * span) / way)),
    );
    this.#west = west;
    this.#perLon = slabs / span;
    this.#last = slabs - 1;
    this.starts = new Uint32Array(slabs + 1);
    const deal = (put: (slab: number, vertex: number) => void): void => {
      for (let i = from; i < to; i++) {
        const x = coords[2 * i]!;
        const next = coords[2 * i + 2]!;
        const [low, high] = [Math.min(x, next), Math.max(x, next)];
        const isSplit = crossesAntimeridian(x, next);
        const end = this.at(isSplit ? low : high);
        for (let slab = isSplit ? 0 : this.at(low); slab <= end; slab++) put(slab, i);
        if (isSplit) for (let slab = Math.max(end + 1, this.at(high)); slab < slabs; slab++) put(slab, i);
      }
    };
    const { starts } = this;
    deal((slab) => starts[slab + 1]!++);
    for (let slab = 0; slab < slabs; slab++) starts[slab + 1]! += starts[slab]!;
    this.edges = new Uint32Array(starts[slabs]!);
    const ends = starts.slice();
    deal((slab, vertex) => {
      this.edges[ends[slab]!++] = vertex;
    });
  }

  /** The slab of a longitude. West of the ring it is the first slab, east of it the last. */
  at(lon: number): number {
    const slab = Math.floor((lon - this.#west) * this.#perLon);
    return slab < 0 ? 0 : slab > this.#last ? this.#last : slab;
  }
}

/** Slabs of long rings. They are made on the second query of a ring. */
export class RingSlabs {
  readonly #made = new Map<number, Slabs | null>();
  /** Bytes of the slabs. */
  bytes = 0;

  /** The slabs of a ring. Null for a short ring, and on the first query of a long one. */
  of(columns: RingColumns, ring: number): Slabs | null {
    if (columns.ringTo[ring]! - columns.ringFrom[ring]! <= SHORT_RING) return null;
    const known = this.#made.get(ring);
    if (known) return known;
    const slabs = known === undefined ? null : new Slabs(columns, ring);
    this.#made.set(ring, slabs);
    if (slabs !== null) this.bytes += slabs.starts.byteLength + slabs.edges.byteLength;
    return slabs;
  }
}
