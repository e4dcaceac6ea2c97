/** Rounds geometries to fewer decimals. Valid rings stay valid, and no line or ring is lost. */

import type { PolygonCoordinates, Position } from '../../core/geometry.js';
import { planarArea } from '../../planar/planarArea.js';
import { areValid, type ZoneGeometry } from '../common/zoneGeometry.js';

/** Number of decimals from which positions are not rounded. */
const MOST_DIGITS = 15;

/**
 * The geometry rounded to `digits` decimals, without repeated positions. More decimals, up to all, are used if rounding would make a valid
 * polygon invalid, reverse a ring, or leave a line fewer than two positions.
 */
export function roundGeometry(geometry: ZoneGeometry, digits: number): ZoneGeometry {
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: rounded(geometry.coordinates, 10 ** digits) };
    case 'LineString':
      return { type: 'LineString', coordinates: roundLine(geometry.coordinates, digits) };
    case 'MultiLineString':
      return {
        type: 'MultiLineString',
        coordinates: geometry.coordinates.map((line) => roundLine(line, digits)),
      };
    case 'Polygon':
      return { type: 'Polygon', coordinates: roundPolygons([geometry.coordinates], digits)[0]! };
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: roundPolygons(geometry.coordinates, digits) };
  }
}

function rounded([lon, lat]: Position, factor: number): Position {
  return [Math.round(lon * factor) / factor + 0, Math.round(lat * factor) / factor + 0];
}

/** The rounded positions, without repeated neighbours. */
function roundedLine(line: readonly Position[], digits: number): Position[] {
  const factor = 10 ** digits;
  const positions: Position[] = [];
  for (const position of line) {
    const next = rounded(position, factor);
    const before = positions.at(-1);
    if (before === undefined || before[0] !== next[0] || before[1] !== next[1]) positions.push(next);
  }
  return positions;
}

function roundLine(line: readonly Position[], digits: number): Position[] {
  for (let more = digits; more < MOST_DIGITS; more++) {
    const positions = roundedLine(line, more);
    if (positions.length > 1) return positions;
  }
  return [...line];
}

function roundPolygons(polygons: readonly PolygonCoordinates[], digits: number): Position[][][] {
  if (polygons.length === 0) return [];
  const together = areValid(polygons);
  // Polygons that touch at the antimeridian, where they were cut, or that overlap are not valid together; they are checked one by one.
  const wasValid = polygons.map((polygon) => together || areValid([polygon]));
  for (let more = digits; more < MOST_DIGITS; more++) {
    const result = polygons.map((polygon) => polygon.map((ring) => roundedLine(ring, more)));
    const kept = result.every(
      (polygon, i) =>
        polygon.every((ring, j) => ring.length >= 4 && sameTurn(ring, polygons[i]![j]!)) &&
        (!wasValid[i] || together || areValid([polygon])),
    );
    if (kept && (!together || areValid(result))) return result;
  }
  return polygons.map((polygon) => polygon.map((ring) => [...ring]));
}

/** Whether both rings are clockwise or both counterclockwise. */
function sameTurn(ring: readonly Position[], original: readonly Position[]): boolean {
  return Math.sign(planarArea(ring)) === Math.sign(planarArea(original));
}
