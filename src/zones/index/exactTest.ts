/** The exact answer for one piece and one position, with the cheap proofs first. */

import { decidedDistance } from '../../geodesy/inverse.js';
import { partContains } from './polygonAt.js';
import { DISC, LINE, POLYGON, type ShapeStore } from './shapeStore.js';

/** Decides a line: whether the position is in the zone at all. */
export type LineTest = (ordinal: number, lon: number, lat: number) => boolean;

export function pieceContains(
  store: ShapeStore,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
  line: LineTest,
): boolean {
  const kind = store.pieceKind[piece]!;
  if (kind === POLYGON) return partContains(store, piece, lon, lat, halfOpen);
  if (kind === LINE) return line(store.pieceZone[piece]!, lon, lat);
  return discContains(store, store.pieceFrom[piece]!, store.pieceSize[piece]!, lon, lat);
}

export function discContains(
  store: ShapeStore,
  disc: number,
  radius: number,
  lon: number,
  lat: number,
): boolean {
  const { discs } = store;
  const at = DISC * disc;
  let x = lon - discs[at]!;
  if (x > 180) x -= 360;
  else if (x < -180) x += 360;
  const y = lat - discs[at + 1]!;
  if (discs[at + 2]! * x * x + discs[at + 3]! * y * y > discs[at + 7]!) return false;
  if (discs[at + 4]! * x * x + discs[at + 5]! * y * y <= discs[at + 6]!) return true;
  return decidedDistance(discs[at]!, discs[at + 1]!, lon, lat, radius) <= radius;
}
