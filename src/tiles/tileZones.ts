/** Finds the zones whose boxes meet a tile with its buffer. */

import { isDeleted } from '../core/wire.js';
import type { IndexInternals } from '../zones/index/index.js';

/** Largest zoom at which all boxes are scanned: one tile may contain most zones, and a scan is then faster than the lists. */
const SCANNED_ZOOM = 9;

/** A box in degrees, and the zoom of tiles of its size. Longitudes may lie beyond ±180. */
export interface ZoomBox {
  readonly z: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * Calls `visit` with the ordinal of each zone whose box meets the box, in ascending order. Zones marked deleted are left out. With `among`,
 * only these ordinals are visited.
 */
export function visitZones(
  internals: IndexInternals,
  box: ZoomBox,
  visit: (ordinal: number) => void,
  among: Uint32Array | null = null,
): void {
  const visitLive = internals.includesDeleted
    ? (ordinal: number): void => {
        const row = internals.keptRow(ordinal);
        if (row !== null && !isDeleted(row)) visit(ordinal);
      }
    : visit;
  const spans = lonSpans(box.west, box.east);
  if (among !== null || box.z <= SCANNED_ZOOM) scan(internals, box, spans, among, visitLive);
  else for (const ordinal of listed(internals, box, spans)) visitLive(ordinal);
}

/** Wrapped ranges for a range of longitudes that may go beyond ±180. */
export function lonSpans(west: number, east: number): [west: number, east: number][] {
  if (east - west >= 360) return [[-180, 180]];
  const spans: [number, number][] = [[Math.max(west, -180), Math.min(east, 180)]];
  if (west <= -180) spans.push([west + 360, 180]);
  if (east >= 180) spans.push([-180, east - 360]);
  return spans;
}

function scan(
  { columns }: IndexInternals,
  { south, north }: ZoomBox,
  spans: readonly [west: number, east: number][],
  among: Uint32Array | null,
  visit: (ordinal: number) => void,
): void {
  const { zoneFrom, zonePieces, zoneCount, pieceBoxes } = columns;
  const [west, east] = spans[0]!;
  const others = spans.slice(1);
  const count = among === null ? zoneCount : among.length;
  for (let i = 0; i < count; i++) {
    const ordinal = among === null ? i : among[i]!;
    const first = zoneFrom[ordinal]!;
    const end = first + zonePieces[ordinal]!;
    for (let box = 4 * first; box < 4 * end; box += 4) {
      if (pieceBoxes[box + 1]! > north || pieceBoxes[box + 3]! < south) continue;
      const [from, to] = [pieceBoxes[box]!, pieceBoxes[box + 2]!];
      if ((from > east || to < west) && !others.some(([w, e]) => from <= e && to >= w)) continue;
      visit(ordinal);
      break;
    }
  }
}

function listed(
  { columns, candidates }: IndexInternals,
  { south, north }: ZoomBox,
  spans: readonly [west: number, east: number][],
): Iterable<number> {
  const found: number[] = [];
  for (const [west, east] of spans) {
    const count = candidates.collect(west, south, east, north);
    for (let i = 0; i < count; i++) {
      const ordinal = columns.pieceZone[candidates.pieces[i]!]!;
      if (found.at(-1) !== ordinal) found.push(ordinal);
    }
  }
  return spans.length === 1 ? found : [...new Set(found)].sort((p, q) => p - q);
}
