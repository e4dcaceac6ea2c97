/**
 * The inside of polygons whose rings cross or touch themselves or each other, as valid polygons: even-odd in each polygon. Rings of the
 * cylinder of longitudes become closed walks on the map, -180…180 by -90…90.
 */

import { crossesAntimeridian } from '../core/angles.js';
import { WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { joinRings } from '../planar/curves.js';
import { ringsGraph } from '../planar/ringEdges.js';
import { PointSet } from '../planar/snapRound.js';
import { sweepEdges } from '../planar/sweepEdges.js';
import { type Fill, type RingsOfPolygon, unionRings } from '../planar/unionRings.js';
import { antimeridianLat } from './cutPart.js';
import type { Ring } from './ring.js';

/**
 * Largest number of steps of an outline or a corridor, and the addition for each vertex. A step takes 4 ns (counted in
 * test/zones/corridorAttacks.test.ts, timed in bench/corridor.ts), so a line of 10,000 vertices ends within about half a second. A crossing
 * takes 160 steps and more.
 */
export const MAX_WORK = 80_000_000;
export const MAX_WORK_PER_VERTEX = 1000;
/** Number of steps of the grid over the extent of a shape, as a power of two. Exact predicates allow 2^48. */
const GRID_BITS = 47;
/** Least width of a ring, in steps of the grid. */
const LEAST_WIDTH = 8;
/** Number of bits of the fraction of a double. */
const FRACTION_BITS = 52;

/**
 * The region inside `parts` by `zoneContains`, without edges that bound no area, as polygons valid by OGC 06-103r4, with closed rings,
 * shells counterclockwise, cut at ±180°. Empty if no area is inside.
 *
 * Vertices of the rings stay as they are, unless a crossing is within a few steps of them. Crossings are rounded to a grid of 2^-47 of the
 * shape's extent, or to doubles where these are coarser: 1e-14° for a zone of 1°, 4e-12° for one across the antimeridian. Rings narrower
 * than `LEAST_WIDTH` steps are left out.
 *
 * Cost: O((n + k) log n) for n vertices and k crossings, if few edges have overlapping boxes. Long parallel edges that are oblique to the
 * axes are all compared in pairs, and each crossing with each long edge. Errors: `limit-crossings` beyond `MAX_WORK` steps and
 * `MAX_WORK_PER_VERTEX` for each vertex.
 */
export function evenOddOutline(parts: readonly (readonly Ring[])[]): Position[][][] {
  const walks = parts.map(mapWalks);
  const grid = new Grid(walks.flat());
  const work = new Work(walks.flat());
  const regions = walks.map((part) =>
    work.region(
      part.map((walk) => grid.whole(walk)),
      'odd',
    ),
  );
  const polygons = regions.length === 1 ? regions[0]! : work.region(regions.flat(2), 'positive');
  return grid.positionsOf(polygons.filter(([shell]) => isWide(shell!)).map((rings) => rings.filter(isWide)));
}

/** Whether a ring on the grid is wider than a few steps. Narrower rings come from rounded crossings of nearly collinear edges. */
function isWide(ring: readonly number[]): boolean {
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let area = 0;
  let reach = 0;
  let ax = 0;
  let ay = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const bx = ring[i]! - x0;
    const by = ring[i + 1]! - y0;
    area += ax * by - bx * ay;
    reach = Math.max(reach, Math.abs(bx), Math.abs(by));
    ax = bx;
    ay = by;
  }
  return Math.abs(area) > LEAST_WIDTH * reach;
}

/** Makes regions and counts their work. */
class Work {
  #left: number;

  constructor(walks: readonly (readonly number[])[]) {
    const vertices = walks.reduce((sum, walk) => sum + walk.length / 2, 0);
    this.#left = MAX_WORK + MAX_WORK_PER_VERTEX * vertices;
  }

  region(rings: readonly ArrayLike<number>[], fill: Fill): RingsOfPolygon[] {
    const tally = { steps: 0 };
    const polygons = unionRings(joinRings(rings), 1, this.#left, this.#left, tally, fill);
    this.#left -= tally.steps;
    if (polygons !== null && this.#left >= 0) return polygons;
    throw new WayzoneError(
      'limit-crossings',
      'geometry',
      `expected a polygon whose outline takes at most ${MAX_WORK} steps, and ${MAX_WORK_PER_VERTEX} more for each vertex, received one that takes more: its rings cross too often`,
    );
  }
}

/** The grid of whole points around some walks. */
class Grid {
  readonly #step: number;
  readonly #west: number;
  readonly #south: number;
  /** Grid points of vertices that do not lie on the grid, with the vertices themselves. */
  readonly #points: PointSet;
  readonly #vertices: Float64Array;
  #isExact = true;

  constructor(walks: readonly (readonly number[])[]) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    let count = 0;
    for (const walk of walks) {
      count += walk.length / 2;
      for (let i = 0; i < walk.length; i += 2) {
        west = Math.min(west, walk[i]!);
        east = Math.max(east, walk[i]!);
        south = Math.min(south, walk[i + 1]!);
        north = Math.max(north, walk[i + 1]!);
      }
    }
    const size = Math.max(Math.abs(west), Math.abs(south), Math.abs(east), Math.abs(north));
    const extent = Math.max(east - west, north - south);
    this.#step =
      2 ** Math.max(Math.ceil(Math.log2(extent)) - GRID_BITS, Math.floor(Math.log2(size)) - FRACTION_BITS);
    this.#west = Math.round(west / this.#step);
    this.#south = Math.round(south / this.#step);
    this.#points = new PointSet(count);
    this.#vertices = new Float64Array(2 * count);
  }

  /** A walk on the grid. */
  whole(walk: readonly number[]): Float64Array {
    const whole = new Float64Array(walk.length);
    for (let i = 0; i < walk.length; i += 2) {
      const x = Math.round(walk[i]! / this.#step);
      const y = Math.round(walk[i + 1]! / this.#step);
      whole[i] = x - this.#west;
      whole[i + 1] = y - this.#south;
      if (x * this.#step !== walk[i] || y * this.#step !== walk[i + 1]) this.#isExact = false;
      const known = this.#points.count;
      const point = this.#points.at(whole[i]!, whole[i + 1]!);
      if (point < known) continue;
      this.#vertices[2 * point] = walk[i]!;
      this.#vertices[2 * point + 1] = walk[i + 1]!;
    }
    return whole;
  }

  /**
   * The polygons in degrees. Vertices of the walks return to their original positions, except near other points. If the polygons would then
   * meet, all vertices stay on the grid.
   */
  positionsOf(polygons: readonly RingsOfPolygon[]): Position[][][] {
    if (this.#isExact) return this.#placed(polygons, null);
    const placed = this.#placed(polygons, new Crowd(polygons));
    const rings = placed.flat().map((ring) => ring.slice(1).flat());
    return sweepEdges(ringsGraph(rings)) === null ? placed : this.#placed(polygons, null);
  }

  /** The polygons in degrees. With a crowd, vertices without others near them return to their original positions. */
  #placed(polygons: readonly RingsOfPolygon[], crowd: Crowd | null): Position[][][] {
    return polygons.map((rings) =>
      rings.map((ring) => {
        const positions: Position[] = [];
        for (let i = 0; i < ring.length; i += 2) {
          const x = ring[i]!;
          const y = ring[i + 1]!;
          const point = crowd?.isAlone(x, y) ? this.#points.find(x, y) : -1;
          positions.push(
            point >= 0
              ? [this.#vertices[2 * point]!, this.#vertices[2 * point + 1]!]
              : [(x + this.#west) * this.#step, (y + this.#south) * this.#step],
          );
        }
        positions.push(positions[0]!);
        return positions;
      }),
    );
  }
}

/** Side of a square of points, steps. Points in neighbouring squares may be too close to be moved. */
const SQUARE = 8;

/** Counts of the points of polygons by square. */
class Crowd {
  readonly #squares: PointSet;
  readonly #counts: Int32Array;

  constructor(polygons: readonly RingsOfPolygon[]) {
    const rings = polygons.flat();
    const most = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
    const points = new PointSet(most);
    this.#squares = new PointSet(most);
    this.#counts = new Int32Array(most);
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        const known = points.count;
        if (points.at(ring[i]!, ring[i + 1]!) < known) continue;
        this.#counts[this.#squares.at(Math.floor(ring[i]! / SQUARE), Math.floor(ring[i + 1]! / SQUARE))]!++;
      }
    }
  }

  /** Whether no other point is in the square of a point or in a neighbouring one. */
  isAlone(x: number, y: number): boolean {
    let count = 0;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const square = this.#squares.find(Math.floor(x / SQUARE) + dx, Math.floor(y / SQUARE) + dy);
        if (square >= 0) count += this.#counts[square]!;
      }
    }
    return count === 1;
  }
}

/** The walks of one part: x0, y0, x1, y1, …, not closed. Walks cross each other, and themselves, as the rings do. */
function mapWalks(part: readonly Ring[]): number[][] {
  const walks: number[][] = [];
  const chains: number[][] = [];
  let isNorthInside = false;
  for (const { coords, pole } of part) {
    if (pole === 'north') isNorthInside = !isNorthInside;
    breakRing(coords, walks, chains);
  }
  const isOdd = chains.length % 2 === 1;
  walks.push(...linked(chains));
  if (isOdd !== isNorthInside) walks.push([-180, -90, 180, -90, 180, 90, -180, 90]);
  return walks;
}

/** Adds the ring to `walks`, or its parts between crossings of the antimeridian to `chains`. */
function breakRing(coords: Float64Array, walks: number[][], chains: number[][]): void {
  let chain: number[] = [];
  const own = [chain];
  for (let i = 0; i < coords.length; i += 2) {
    const next = i + 2 < coords.length ? i + 2 : 0;
    const [ax, ay, bx, by] = [coords[i]!, coords[i + 1]!, coords[next]!, coords[next + 1]!];
    chain.push(ax, ay);
    if (!crossesAntimeridian(ax, bx)) continue;
    const lat = antimeridianLat(ax, ay, bx, by);
    const side = ax > bx ? 180 : -180;
    chain.push(side, lat);
    chain = [-side, lat];
    own.push(chain);
  }
  if (own.length === 1) {
    walks.push(chain);
    return;
  }
  const last = own.pop()!;
  own[0] = [...last, ...own[0]!];
  for (const piece of own) chains.push(piece);
}

/** Joins chains at their ends on the borders. End 2k is the beginning of chain k, end 2k + 1 its last position. */
function linked(chains: readonly number[][]): number[][] {
  const [east, west]: [number[], number[]] = [[], []];
  const latOf = (end: number): number => chains[end >> 1]!.at(end % 2 === 0 ? 1 : -1)!;
  for (const [k, chain] of chains.entries()) {
    (chain[0]! > 0 ? east : west).push(2 * k);
    (chain.at(-2)! > 0 ? east : west).push(2 * k + 1);
  }
  const partner = new Int32Array(2 * chains.length);
  for (const border of [east, west]) {
    border.sort((p, q) => latOf(p) - latOf(q) || p - q);
    for (let i = 0; i + 1 < border.length; i += 2) {
      partner[border[i]!] = border[i + 1]!;
      partner[border[i + 1]!] = border[i]!;
    }
  }
  const overTop = east.length % 2 === 1 ? [east.at(-1)!, west.at(-1)!] : [];
  if (overTop.length > 0) {
    partner[overTop[0]!] = overTop[1]!;
    partner[overTop[1]!] = overTop[0]!;
  }
  const isUsed = new Uint8Array(chains.length);
  const walks: number[][] = [];
  for (let first = 0; first < chains.length; first++) {
    if (isUsed[first] === 1) continue;
    const walk: number[] = [];
    let entry = 2 * first;
    do {
      isUsed[entry >> 1] = 1;
      const chain = chains[entry >> 1]!;
      const isForward = entry % 2 === 0;
      for (let i = 0; i < chain.length; i += 2) {
        const at = isForward ? i : chain.length - 2 - i;
        walk.push(chain[at]!, chain[at + 1]!);
      }
      const exit = entry ^ 1;
      entry = partner[exit]!;
      if (overTop.includes(exit)) walk.push(walk.at(-2)!, 90, -walk.at(-2)!, 90);
    } while (entry !== 2 * first);
    walks.push(walk);
  }
  return walks;
}
