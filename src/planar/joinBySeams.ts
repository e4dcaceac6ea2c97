/** Joins several rings into one by seams of zero width, which change neither even-odd counts nor areas. */

import { boxTree, joinRings } from './curves.js';
import { edgeX, nearestOnLeft } from './nearestOnLeft.js';
import { areaOf } from './sideOf.js';

interface Seam {
  /** The point where the seam leaves the edge. */
  readonly x: number;
  readonly y: number;
  /** The ring that the seam leads to, and the point of that ring where it arrives. */
  readonly ring: number;
  readonly point: number;
}

/**
 * One ring (x0, y0, …, not closed) that runs through all given rings, starting with the first.
 *
 * From the leftmost point of every other ring a horizontal seam leads left to the nearest edge; the result runs along it there and back.
 * Where rounding the seam's end on that edge would change the area, the seam leads to the edge's first end. A ring without an edge on its
 * left is joined to the first point of the first ring by a straight seam. That seam may cross edges: a path there and back adds nothing
 * to any count or area. Horizontal seams cross no edge. Cost: about O(n log n).
 */
export function joinBySeams(rings: readonly ArrayLike<number>[]): number[] {
  if (rings.length === 1) return withoutRepeats(rings[0]!);
  const curves = joinRings(rings);
  const { starts } = curves;
  const tree = boxTree(curves);
  const seams = new Map<number, Seam[]>();
  const most = AREA_SHARE * Math.abs(rings.reduce((sum, xy) => sum + twiceArea(xy), 0));
  for (let ring = 1; ring < rings.length; ring++) {
    const xy = rings[ring]!;
    let point = 0;
    for (let k = 2; k < xy.length; k += 2) {
      if (xy[k]! < xy[2 * point]! || (xy[k] === xy[2 * point] && xy[k + 1]! < xy[2 * point + 1]!))
        point = k / 2;
    }
    const y = xy[2 * point + 1]!;
    const hit = nearestOnLeft(curves, tree, xy[2 * point]!, y, null);
    const seam =
      hit < 0
        ? { x: rings[0]![0]!, y: rings[0]![1]!, ring, point }
        : { ...footOn(curves.xy, hit, y, most), ring, point };
    const edge = Math.max(0, hit);
    const onEdge = seams.get(edge);
    if (onEdge === undefined) seams.set(edge, [seam]);
    else onEdge.push(seam);
  }
  for (const [edge, onEdge] of seams) {
    const [from, to] = [curves.xy[2 * edge + 1]!, curves.xy[2 * edge + 3]!];
    onEdge.sort((p, q) => (to > from ? p.y - q.y : q.y - p.y));
  }
  return walk(rings, starts, seams);
}

/** A ring without vertices that equal the one before them, around the ring. */
function withoutRepeats(ring: ArrayLike<number>): number[] {
  const out: number[] = [];
  let x = Number.NaN;
  let y = Number.NaN;
  for (let i = 0; i < ring.length; i += 2) {
    if (ring[i] === x && ring[i + 1] === y) continue;
    x = ring[i]!;
    y = ring[i + 1]!;
    out.push(x, y);
  }
  while (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  return out;
}

/** Largest change of the area by rounding the end of one seam, as a share of the total area. */
const AREA_SHARE = 1e-11;

/** The point of an edge at height y, or the edge's first end if rounding that point would change the area by more than `most`. */
function footOn(
  xy: Float64Array,
  edge: number,
  y: number,
  most: number,
): { readonly x: number; readonly y: number } {
  const x = edgeX(xy, edge, y);
  const [ax, ay] = [xy[2 * edge]!, xy[2 * edge + 1]!];
  const off = Math.abs(areaOf(ax, ay, xy[2 * edge + 2]!, xy[2 * edge + 3]!, x, y));
  return off <= most ? { x, y } : { x: ax, y: ay };
}

function twiceArea(xy: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 2; i + 3 < xy.length; i += 2) {
    sum += (xy[i]! - xy[0]!) * (xy[i + 3]! - xy[1]!) - (xy[i + 2]! - xy[0]!) * (xy[i + 1]! - xy[1]!);
  }
  return sum;
}

/** A traversal of one ring: number of edges done, and of seams done on the current edge. */
interface Round {
  readonly ring: number;
  readonly first: number;
  readonly back: Seam | null;
  gone: number;
  seam: number;
}

function walk(
  rings: readonly ArrayLike<number>[],
  starts: Int32Array,
  seams: ReadonlyMap<number, readonly Seam[]>,
): number[] {
  const out: number[] = [];
  const push = (x: number, y: number): void => {
    if (out.at(-2) !== x || out.at(-1) !== y) out.push(x, y);
  };
  const rounds: Round[] = [{ ring: 0, first: 0, back: null, gone: 0, seam: 0 }];
  for (let round = rounds.at(-1); round !== undefined; round = rounds.at(-1)) {
    const xy = rings[round.ring]!;
    const count = xy.length / 2;
    const k = (round.first + round.gone) % count;
    if (round.seam === 0) push(xy[2 * k]!, xy[2 * k + 1]!);
    if (round.gone === count) {
      if (round.back !== null) push(round.back.x, round.back.y);
      rounds.pop();
      continue;
    }
    const seam = seams.get(starts[round.ring]! + k)?.[round.seam];
    if (seam === undefined) {
      round.gone++;
      round.seam = 0;
    } else {
      round.seam++;
      push(seam.x, seam.y);
      rounds.push({ ring: seam.ring, first: seam.point, back: seam, gone: 0, seam: 0 });
    }
  }
  // Drop repeats of the first point at the end.
  while (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  return out;
}
