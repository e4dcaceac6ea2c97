/** Whether a position is in a part of a polygon, from the columns: exact, and edges that cannot matter are passed over by their boxes. */

import { crossesAntimeridian } from '../../core/angles.js';
import { rayCrosses } from '../../planar/ray.js';
import { turn } from '../../planar/turn.js';
import { lonBeside } from '../polygon.js';
import { CHUNK, NORTH, type ShapeStore, WRAPS } from './shapeStore.js';

/**
 * The ray runs north along the meridian, on the cylinder: see `polygon.ts`, whose answers these are. O(n / 16 + edges near the ray).
 * `lon`, `lat` as the gate gives them.
 */
export function partContains(
  store: ShapeStore,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  if (lat === 90 || lat === -90) return poleInPart(store, piece, lon, lat, halfOpen);
  const { coords, chunkBoxes } = store;
  let inside = false;
  const lastRing = store.pieceTo[piece]!;
  for (let ring = store.pieceFrom[piece]!; ring < lastRing; ring++) {
    const marks = store.ringMarks[ring]!;
    const wraps = (marks & WRAPS) !== 0;
    if ((marks & NORTH) !== 0) inside = !inside;
    const first = store.ringFrom[ring]!;
    const end = store.ringTo[ring]!;
    let box = 4 * store.ringChunk[ring]!;
    for (let from = first; from < end; from += CHUNK, box += 4) {
      if (chunkBoxes[box + 3]! < lat) continue;
      if (!wraps && (chunkBoxes[box]! > lon || chunkBoxes[box + 2]! < lon)) continue;
      const last = Math.min(from + CHUNK, end);
      for (let i = from; i < last; i++) {
        const next = i + 1 < end ? i + 1 : first;
        let ax = coords[2 * i]!;
        let bx = coords[2 * next]!;
        if (wraps && crossesAntimeridian(ax, bx)) {
          ax = lonBeside(ax, lon);
          bx = lonBeside(bx, lon);
        }
        if ((ax < lon && bx < lon) || (ax > lon && bx > lon)) continue;
        const ay = coords[2 * i + 1]!;
        const by = coords[2 * next + 1]!;
        if (ay < lat && by < lat) continue;
        const aIsLeft = ax <= lon;
        const crosses = aIsLeft !== bx <= lon;
        if (ay > lat && by > lat) {
          if (crosses) inside = !inside;
          continue;
        }
        const side = turn(ax, ay, bx, by, lon, lat);
        if (side === 0) {
          // On the edge: it neither is wholly to one side of the position nor wholly above or below it.
          if (!halfOpen) return true;
        } else if (crosses && side < 0 === aIsLeft) {
          inside = !inside;
        }
      }
    }
  }
  return inside;
}

/** A pole is in a closed part when a vertex is there; half-open it is looked up at longitude 0, from its own hemisphere. */
function poleInPart(store: ShapeStore, piece: number, lon: number, lat: number, halfOpen: boolean): boolean {
  const { coords } = store;
  const x = halfOpen ? 0 : lon;
  let inside = false;
  for (let ring = store.pieceFrom[piece]!; ring < store.pieceTo[piece]!; ring++) {
    if ((store.ringMarks[ring]! & NORTH) !== 0) inside = !inside;
    const first = store.ringFrom[ring]!;
    const end = store.ringTo[ring]!;
    for (let i = first; i < end; i++) {
      const next = i + 1 < end ? i + 1 : first;
      let ax = coords[2 * i]!;
      let bx = coords[2 * next]!;
      const ay = coords[2 * i + 1]!;
      const by = coords[2 * next + 1]!;
      if (!halfOpen && ay === lat) return true;
      if (crossesAntimeridian(ax, bx)) {
        ax = lonBeside(ax, x);
        bx = lonBeside(bx, x);
      }
      if (rayCrosses(x, lat, ax, ay, bx, by, halfOpen && lat === 90)) inside = !inside;
    }
  }
  return inside;
}
