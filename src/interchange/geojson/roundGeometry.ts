/** Rounds geometries to fewer decimals. Valid rings stay valid, and no line or ring is lost. */

import { WayzoneError } from '../../core/errors.js';
import type { PolygonCoordinates, Position } from '../../core/geometry.js';
import { planarArea } from '../../planar/planarArea.js';
import { polygonProblems } from '../../zones/polygonProblems.js';
import { readShape } from '../../zones/readShape.js';
import type { ZoneGeometry } from '../common/zoneGeometry.js';

/** From this number of decimals on, positions are not rounded. */
const MOST_DIGITS = 15;

/**
 * The geometry rounded to `digits` decimals, without repeated positions. More decimals are used, up to all of them, where rounding would make a
 * valid polygon invalid, reverse a ring or leave fewer than two positions of a line.
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

/** The rounded positions, without those that equal the position before. */
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
  const together = isValid(polygons);
  // Polygons that touch at the antimeridian, where they were cut, or overlap are not valid together: they are checked one by one.
  const wasValid = polygons.map((polygon) => together || isValid([polygon]));
  for (let more = digits; more < MOST_DIGITS; more++) {
    const result = polygons.map((polygon) => polygon.map((ring) => roundedLine(ring, more)));
    const kept = result.every(
      (polygon, i) =>
        polygon.every((ring, j) => ring.length >= 4 && sameTurn(ring, polygons[i]![j]!)) &&
        (!wasValid[i] || together || isValid([polygon])),
    );
    if (kept && (!together || isValid(result))) return result;
  }
  return polygons.map((polygon) => polygon.map((ring) => [...ring]));
}

function isValid(polygons: readonly PolygonCoordinates[]): boolean {
  try {
    const shape = readShape({ type: { key: 'polygon' }, geometry: polygons[0]![0]!, parts: polygons });
    return shape.key === 'polygon' && polygonProblems(shape.parts, 1).problems.length === 0;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return false;
  }
}

/** Whether both rings are clockwise or both counterclockwise. */
function sameTurn(ring: readonly Position[], original: readonly Position[]): boolean {
  return Math.sign(planarArea(ring)) === Math.sign(planarArea(original));
}
