import { sublevelIntervals } from '../geodesy/sublevelIntervals.js';
import { axisMeters, INSIDE, UNDECIDED, zoneContainsAt, zoneMeetsSegment } from './kinds/index.js';
import { settleEnds } from './settleEnds.js';
import { A_LAT, A_LON, B_LAT, B_LON, type ShapeColumns } from './shapes/index.js';

/**
 * Fractions of a segment inside a zone without rings, as `PreparedZone.intervals` has them. `pieces` are at least those of the zone whose boxes
 * meet the segment's.
 */
export function levelIntervals(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  segment: Float64Array,
): number[] {
  const edges: number[] = [];
  const answer = zoneMeetsSegment(columns, kind, pieces, 0, pieces.length, segment, edges);
  if (answer !== UNDECIDED) return answer === INSIDE ? [0, 1] : [];
  const first = pieces[0]!;
  const [aLon, aLat, bLon, bLat] = [segment[A_LON]!, segment[A_LAT]!, segment[B_LON]!, segment[B_LAT]!];
  const meters = (lon: number, lat: number): number => axisMeters(columns, kind, first, edges, lon, lat);
  const found = sublevelIntervals(meters, columns.pieceSize[first]!, aLon, aLat, bLon, bLat);
  const contains = (lon: number, lat: number): boolean =>
    zoneContainsAt(columns, kind, pieces, lon, lat, false);
  return settleEnds(found, contains(aLon, aLat), contains(bLon, bLat));
}
