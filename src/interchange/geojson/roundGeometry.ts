/** Rounds GeoJSON geometries to fewer decimals, with valid rings kept valid, and gives their bounding boxes (RFC 7946 §5). */

import { isArray } from '../../core/errors.js';
import type { Bbox, PolygonCoordinates, Position } from '../../core/geometry.js';
import { planarArea } from '../../planar/orient2d.js';
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

/** The bounding box of all added geometries. Its numbers are exactly coordinates of positions. */
export class GeometryBox {
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  /** Extent of the longitudes from 0 on. */
  readonly #east: Extent = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** Extent of the longitudes below 0. */
  readonly #west: Extent = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** Whether an edge crosses longitude 0. A box across the antimeridian would not contain such an edge. */
  #crossesZero = false;

  add(geometry: ZoneGeometry): this {
    this.#addAll(geometry.coordinates);
    return this;
  }

  /** The box `[west, south, east, north]`, west > east across the antimeridian. Null if nothing was added. */
  toBbox(): Bbox | null {
    if (this.#south > this.#north) return null;
    const [west, east] = [this.#west, this.#east];
    const [hasWest, hasEast] = [west.from <= west.to, east.from <= east.to];
    const plain: Bbox = [
      hasWest ? west.from : east.from,
      this.#south,
      hasEast ? east.to : west.to,
      this.#north,
    ];
    if (!hasWest || !hasEast || this.#crossesZero) return plain;
    return west.to + 360 - east.from < east.to - west.from
      ? [east.from, this.#south, west.to, this.#north]
      : plain;
  }

  #addAll(coordinates: unknown): void {
    if (!isArray(coordinates)) return;
    if (typeof coordinates[0] === 'number') {
      this.#addPosition(coordinates[0], coordinates[1] as number);
      return;
    }
    let before: number | null = null;
    for (const item of coordinates) {
      this.#addAll(item);
      const lon: unknown = isArray(item) ? item[0] : undefined;
      if (typeof lon !== 'number') continue;
      if (before !== null && before < 0 !== lon < 0) this.#crossesZero = true;
      before = lon;
    }
  }

  #addPosition(lon: number, lat: number): void {
    this.#south = Math.min(this.#south, lat);
    this.#north = Math.max(this.#north, lat);
    const side = lon < 0 ? this.#west : this.#east;
    side.from = Math.min(side.from, lon);
    side.to = Math.max(side.to, lon);
  }
}

interface Extent {
  from: number;
  to: number;
}
