/**
 * Converts rings on the cylinder of longitudes to GeoJSON polygons: cut at ±180° (RFC 7946 §3.1.9), closed along the top or bottom edge of the map if
 * they enclose a pole, by the right-hand rule.
 *
 * Each ring is followed with its inside on the left and broken into chains where it crosses the antimeridian. From the end of a chain the ring
 * continues along the map's border, counterclockwise, to the beginning of the next chain, so the inside stays on the left.
 */

import { crossesAntimeridian, lonStep } from '../core/angles.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import { firstWhere } from '../core/numbers.js';
import { planarArea, pointInRing } from '../planar/orient2d.js';
import type { Ring } from './ring.js';

/** The polygons of one part: the shell first, then its holes, with closed rings. */
export function cutPart(part: readonly Ring[]): Position[][][] {
  const closed: Position[][] = [];
  const chains: Position[][] = [];
  for (const ring of part) {
    const pieces = breakRing(insideLeft(ring));
    if (pieces.closed) closed.push(pieces.chains[0]!);
    else for (const chain of pieces.chains) chains.push(chain);
  }
  return assemble([...closed, ...linkChains(chains)]);
}

/** Polygons as one GeoJSON geometry. */
export function cutGeometry(polygons: Position[][][]): Polygon | MultiPolygon {
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** The vertices of a ring, in the direction that has the inside of the part on the left. */
function insideLeft(ring: Ring): Float64Array {
  const forward =
    ring.turns === 0
      ? unrolledArea(ring.coords) > 0 !== ring.hole
      : ring.pole === null
        ? !ring.hole
        : ((ring.pole === 'north') === ring.turns > 0) !== ring.hole;
  if (forward) return ring.coords;
  const reversed = new Float64Array(ring.coords.length);
  for (let i = 0; i < ring.coords.length; i += 2) {
    reversed[i] = ring.coords[ring.coords.length - 2 - i]!;
    reversed[i + 1] = ring.coords[ring.coords.length - 1 - i]!;
  }
  return reversed;
}

/** The signed area of a ring on the plane, with its longitudes unrolled. */
function unrolledArea(coords: Float64Array): number {
  const x0 = coords[0]!;
  const y0 = coords[1]!;
  let sum = 0;
  let shift = -x0;
  let x = 0;
  let y = 0;
  let before = x0;
  for (let i = 2; i < coords.length; i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(before, lon)) shift += before > lon ? 360 : -360;
    const nextX = lon + shift;
    const nextY = coords[i + 1]! - y0;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
    before = lon;
  }
  return sum / 2;
}

/** The chains between crossings of the antimeridian, or the whole closed ring if it has no crossing. */
function breakRing(coords: Float64Array): { closed: boolean; chains: Position[][] } {
  const chains: Position[][] = [];
  let chain: Position[] = [];
  let ax = coords[0]!;
  let ay = coords[1]!;
  for (let i = 2; i <= coords.length; i += 2) {
    const next = i < coords.length ? i : 0;
    const bx = coords[next]!;
    const by = coords[next + 1]!;
    chain.push([ax, ay]);
    if (crossesAntimeridian(ax, bx)) {
      const side = ax > bx ? 180 : -180;
      const lat = antimeridianLat(ax, ay, bx, by);
      chain.push([side, lat]);
      chains.push(withoutRepeats(chain));
      chain = [[-side, lat]];
    }
    ax = bx;
    ay = by;
  }
  if (chains.length === 0) {
    chain.push(chain[0]!);
    return { closed: true, chains: [chain] };
  }
  chains[0] = withoutRepeats([...chain, ...chains[0]!]);
  return { closed: false, chains };
}

/** The latitude where an edge crosses the antimeridian, equal in both directions of the edge. */
export function antimeridianLat(ax: number, ay: number, bx: number, by: number): number {
  if (ax < bx) return antimeridianLat(bx, by, ax, ay);
  const share = (180 - ax) / lonStep(ax, bx);
  return ay === by || share === 0 ? ay : share === 1 ? by : ay + (by - ay) * share;
}

function withoutRepeats(chain: readonly Position[]): Position[] {
  return chain.filter(([x, y], i) => i === 0 || x !== chain[i - 1]![0] || y !== chain[i - 1]![1]);
}

/** Position on the map's border, in degrees along it, counterclockwise from the lower right corner. */
function borderPlace([lon, lat]: Position): number {
  return lon > 0 ? lat + 90 : 540 + 90 - lat;
}

const CORNERS: readonly { readonly place: number; readonly at: Position }[] = [
  { place: 180, at: [180, 90] },
  { place: 540, at: [-180, 90] },
  { place: 720, at: [-180, -90] },
  { place: 1080, at: [180, -90] },
];

const ROUND = 1080;

/**
 * Difference of border positions, degrees, below which they count as equal. Rounding separates the two crossings of an edge that is
 * followed in both directions.
 */
const ONE_PLACE = 1e-13;

/** Joins chains to rings. After each chain comes the chain that begins next along the border. About O(n log n). */
function linkChains(chains: readonly Position[][]): Position[][] {
  const count = chains.length;
  const starts = chains.map((chain) => borderPlace(chain[0]!));
  const byPlace = starts.map((_, k) => k).sort((p, q) => starts[p]! - starts[q]! || p - q);
  const rankOf = new Int32Array(count);
  for (const [rank, k] of byPlace.entries()) rankOf[k] = rank;
  // Union-find with path halving: by rank, a later rank that leads to the next unused chain; `count` for none.
  const left = Int32Array.from({ length: count + 1 }, (_, rank) => rank);
  const leftFrom = (rank: number): number => {
    let at = rank;
    while (left[at] !== at) {
      left[at] = left[left[at]!]!;
      at = left[at]!;
    }
    return at;
  };
  const take = (k: number): void => {
    left[rankOf[k]!] = rankOf[k]! + 1;
  };
  const rings: Position[][] = [];
  for (let first = 0; first < count; first++) {
    if (left[rankOf[first]!] !== rankOf[first]) continue;
    const ring: Position[] = [];
    let current = first;
    do {
      for (const position of chains[current]!) ring.push(position);
      const from = borderPlace(ring.at(-1)!);
      const ahead = (place: number): number => (place - from + ROUND) % ROUND;
      const rank = leftFrom(rankFrom(starts, byPlace, from - ONE_PLACE));
      const next = byPlace[rank < count ? rank : leftFrom(0)]!;
      const way = ahead(starts[next]!);
      const passed = CORNERS.filter(({ place }) => ahead(place) < way && ahead(place) > 0);
      ring.push(...passed.sort((p, q) => ahead(p.place) - ahead(q.place)).map(({ at }) => at));
      // The first chain stays unused until the ring returns to it.
      take(next);
      current = next;
    } while (current !== first);
    rings.push(withoutRepeats([...ring, ring[0]!]));
  }
  return rings;
}

/** The first rank whose chain begins at or after `place`. */
function rankFrom(starts: readonly number[], byPlace: readonly number[], place: number): number {
  return firstWhere(0, byPlace.length, (i) => starts[byPlace[i]!]! >= place);
}

/** Assigns every hole (clockwise ring) to the smallest shell that contains it. Rings without area are left out. */
function assemble(rings: readonly Position[][]): Position[][][] {
  if (rings.length === 1) {
    const area = planarArea(rings[0]!);
    return area === 0 ? [] : [[area > 0 ? rings[0]! : rings[0]!.toReversed()]];
  }
  const sized = rings.map((ring) => ({ ring, area: planarArea(ring) }));
  const shells = sized.filter(({ area }) => area > 0).sort((p, q) => p.area - q.area);
  const holes = sized.filter(({ area }) => area < 0);
  const polygons = shells.map(({ ring }) => [ring]);
  const flat = holes.length === 0 ? [] : shells.map(({ ring }) => ring.flat());
  for (const { ring } of holes) {
    const owner = flat.findIndex((shell) => holdsRing(shell, ring));
    if (owner >= 0) polygons[owner]!.push(ring);
    else polygons.push([ring.toReversed()]);
  }
  return polygons.reverse();
}

/** Whether a ring (x0, y0, …) contains a hole. The first vertex of the hole that is not on the ring decides. */
function holdsRing(shell: readonly number[], hole: readonly Position[]): boolean {
  for (const [x, y] of hole) {
    const side = pointInRing(x, y, shell);
    if (side !== 0) return side > 0;
  }
  return true;
}
