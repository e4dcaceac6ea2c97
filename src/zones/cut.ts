/**
 * Rings of the cylinder as GeoJSON polygons: cut at ±180° (RFC 7946 §3.1.9), closed along the top or bottom edge of the map where a
 * pole is inside, right-hand rule.
 *
 * Every ring is walked with its inside on the left and broken where it crosses the antimeridian. A chain that ends on the map's border
 * goes on along the border, counterclockwise, to where the next chain begins: the inside stays on the left.
 */

import { crossesAntimeridian, lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { planarArea } from '../planar/planarArea.js';
import { pointInRing } from '../planar/pointInRing.js';
import { type Ring, unrolled } from './ring.js';

/** The polygons (shell first, then its holes; rings closed) of one part. */
export function cutPart(part: readonly Ring[]): Position[][][] {
  const closed: Position[][] = [];
  const chains: Position[][] = [];
  for (const ring of part) {
    const pieces = breakRing(insideLeft(ring));
    if (pieces.closed) closed.push(pieces.chains[0]!);
    else chains.push(...pieces.chains);
  }
  return assemble([...closed, ...linkChains(chains)].filter((ring) => planarArea(ring) !== 0));
}

/** The ring's vertices in the direction that has the part's inside on the left. */
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

function unrolledArea(coords: Float64Array): number {
  const x = unrolled(coords);
  return planarArea(Array.from(x, (lon, i): Position => [lon, coords[2 * i + 1]!]));
}

/** The chains between crossings of the antimeridian, or the whole closed ring when it never crosses. */
function breakRing(coords: Float64Array): { closed: boolean; chains: Position[][] } {
  const n = coords.length / 2;
  const chains: Position[][] = [];
  let chain: Position[] = [];
  for (let i = 0; i < n; i++) {
    const next = (i + 1) % n;
    const [ax, ay, bx, by] = [coords[2 * i]!, coords[2 * i + 1]!, coords[2 * next]!, coords[2 * next + 1]!];
    chain.push([ax, ay]);
    if (!crossesAntimeridian(ax, bx)) continue;
    const east = ax > bx;
    const side = east ? 180 : -180;
    const step = lonStep(ax, bx);
    const lat = ay === by ? ay : ay + (by - ay) * ((side - ax) / step);
    chain.push([side, lat]);
    chains.push(withoutRepeats(chain));
    chain = [[-side, lat]];
  }
  if (chains.length === 0) return { closed: true, chains: [[...chain, chain[0]!]] };
  chains[0] = withoutRepeats([...chain, ...chains[0]!]);
  return { closed: false, chains };
}

function withoutRepeats(chain: readonly Position[]): Position[] {
  return chain.filter(([x, y], i) => i === 0 || x !== chain[i - 1]![0] || y !== chain[i - 1]![1]);
}

/** Where a border position lies on the counterclockwise way round the map from its lower right corner. */
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

function linkChains(chains: readonly Position[][]): Position[][] {
  const starts = chains.map((chain) => borderPlace(chain[0]!));
  const used = new Set<number>();
  const rings: Position[][] = [];
  for (let first = 0; first < chains.length; first++) {
    if (used.has(first)) continue;
    const ring: Position[] = [];
    let current = first;
    do {
      used.add(current);
      ring.push(...chains[current]!);
      const from = borderPlace(ring.at(-1)!);
      const ahead = (place: number): number => (place - from + ROUND) % ROUND;
      let next = first;
      for (let k = 0; k < chains.length; k++) {
        if ((k === first || !used.has(k)) && ahead(starts[k]!) < ahead(starts[next]!)) next = k;
      }
      const way = ahead(starts[next]!);
      const passed = CORNERS.filter(({ place }) => ahead(place) < way && ahead(place) > 0);
      ring.push(...passed.sort((p, q) => ahead(p.place) - ahead(q.place)).map(({ at }) => at));
      current = next;
    } while (current !== first);
    rings.push(withoutRepeats([...ring, ring[0]!]));
  }
  return rings;
}

/** Gives every hole (clockwise) to the smallest shell that holds it. */
function assemble(rings: readonly Position[][]): Position[][][] {
  const shells = rings.filter((ring) => planarArea(ring) > 0).sort((p, q) => planarArea(p) - planarArea(q));
  const polygons = shells.map((shell) => [shell]);
  for (const hole of rings) {
    if (planarArea(hole) > 0) continue;
    const owner = shells.findIndex((shell) => holdsRing(shell, hole));
    if (owner >= 0) polygons[owner]!.push(hole);
    else polygons.push([hole.toReversed()]);
  }
  return polygons.reverse();
}

function holdsRing(shell: readonly Position[], hole: readonly Position[]): boolean {
  const flat = shell.flat();
  for (const [x, y] of hole) {
    const side = pointInRing(x, y, flat);
    if (side !== 0) return side > 0;
  }
  return true;
}
