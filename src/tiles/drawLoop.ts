/** Draws rings on the cylinder of longitudes, in each copy of the world that a tile and its buffer show. */

import { crossesAntimeridian } from '../core/angles.js';
import { clipRing } from './clip.js';
import type { PathBuilder } from './pathBuilder.js';
import type { TileFrame } from './tileFrame.js';

/** A ring: `count` vertices of `coords` (wrapped longitudes and latitudes) from the index `first` on. */
export interface Loop {
  readonly coords: ArrayLike<number>;
  readonly first: number;
  readonly count: number;
  /** Turns around the Earth eastwards; only the sign counts. */
  readonly turns: number;
  /**
   * Whether a ring with turns encloses the south pole. The others are closed in the north; by the even-odd rule two of them bound a band.
   */
  readonly isSouth: boolean;
  /** Whether an edge crosses the antimeridian. */
  readonly wraps: boolean;
}

/** Number of copies of the world, before and after the middle one, through which a ring around the Earth is led. */
const COPIES = 2;

/** Adds the clipped rings of the loop in each copy of the world to `rings`. */
export function drawLoop(loop: Loop, frame: TileFrame, path: PathBuilder, rings: number[][]): void {
  if (loop.turns !== 0) {
    keep(aroundTheEarth(loop, frame, path), rings);
    return;
  }
  if (!loop.wraps && frame.west >= -180 && frame.east <= 180) {
    keep(once(loop, 0, path), rings);
    return;
  }
  const [west, east] = lonsOf(loop);
  const from = Math.ceil((frame.west - east) / 360);
  const to = Math.floor((frame.east - west) / 360);
  for (let copy = from; copy <= to; copy++) keep(once(loop, copy, path), rings);
}

function keep(ring: readonly number[], rings: number[][]): void {
  const clipped = clipRing(ring);
  if (clipped.length >= 4) rings.push(clipped);
}

function once(loop: Loop, copy: number, path: PathBuilder): number[] {
  const turn = addVertices(loop, copy, path);
  path.vertex(loop.coords[2 * loop.first]!, loop.coords[2 * loop.first + 1]!, turn);
  return path.ring();
}

/** Adds each vertex once. Returns the turns at the first vertex when it is reached again. */
function addVertices({ coords, first, count }: Loop, turn: number, path: PathBuilder): number {
  let turns = turn;
  let before = coords[2 * first]!;
  for (let i = 2 * first; i < 2 * (first + count); i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(before, lon)) turns += before > lon ? 1 : -1;
    path.vertex(lon, coords[i + 1]!, turns);
    before = lon;
  }
  const lon = coords[2 * first]!;
  return crossesAntimeridian(before, lon) ? turns + (before > lon ? 1 : -1) : turns;
}

/** A ring that goes around the Earth, led through several copies of the world and closed far above or below the map. */
function aroundTheEarth(loop: Loop, { world, top }: TileFrame, path: PathBuilder): number[] {
  const way = Math.sign(loop.turns);
  let turn = -way * COPIES;
  for (let copy = -COPIES; copy <= COPIES; copy++) turn = addVertices(loop, turn, path);
  path.vertex(loop.coords[2 * loop.first]!, loop.coords[2 * loop.first + 1]!, turn);
  const points = path.line();
  const y = loop.isSouth ? 2 * world - top : -world - top;
  points.push(points.at(-2)!, y, points[0]!, y);
  return points;
}

/** Range of the unrolled longitudes of a loop, unrolled as by `addVertices`. */
function lonsOf({ coords, first, count }: Loop): [west: number, east: number] {
  let turn = 0;
  let before = coords[2 * first]!;
  let [west, east] = [before, before];
  for (let i = 2 * first; i < 2 * (first + count); i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(before, lon)) turn += before > lon ? 360 : -360;
    if (lon + turn < west) west = lon + turn;
    if (lon + turn > east) east = lon + turn;
    before = lon;
  }
  return [west, east];
}
