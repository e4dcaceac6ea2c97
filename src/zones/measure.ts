/** Area, perimeter and length of zones on the ellipsoid. */

import { WayzoneError } from '../core/errors.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { discAreaPerimeter } from '../geodesy/disc.js';
import { edgeLength } from '../geodesy/length.js';
import { polarSide, ringAreaSquareMeters, ringPerimeterMeters } from '../geodesy/ringArea.js';
import type { Ring } from './ring.js';
import { readShape } from './shape.js';

/** Square metres and metres; null where a type has no such measure. */
export interface ZoneMeasure {
  readonly area: number | null;
  readonly perimeter: number | null;
  /** Of a line alone: the line's own length. */
  readonly length: number | null;
}

/** The surface of WGS84 in square metres. */
const EARTH_AREA = 510_065_621_724_088.44;

/**
 * Area, perimeter and length of a zone.
 *
 * Edges are straight in lon/lat. A circle is the geodesic disc, a point with a width a disc, without one 0 and 0; holes are taken off
 * the area and their edges count in the perimeter. A line has a length; its area and perimeter are null.
 *
 * Errors: those of the shape, and `hole-outside` when the holes of a part are larger than its shell.
 *
 * @example
 * ```ts
 * import { measureZone } from 'wayzone';
 * measureZone({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 }).area; // 31415.9…
 * ```
 */
export function measureZone(shape: ZoneShape, options: ZoneOptions = {}): ZoneMeasure {
  const normal = readShape(shape, options);
  if (normal.key === 'line') {
    return { area: null, perimeter: null, length: lineLength(normal.coords) };
  }
  if (normal.key !== 'polygon') {
    return { ...discAreaPerimeter(normal.lon, normal.lat, normal.radius ?? 0), length: null };
  }
  let area = 0;
  let perimeter = 0;
  normal.parts.forEach((part, index) => {
    const net = ringsArea(part.filter((ring) => !ring.hole)) - ringsArea(part.filter((ring) => ring.hole));
    if (net < 0) {
      const field = shape.parts ? `parts[${index}]` : 'geometry';
      throw new WayzoneError(
        'hole-outside',
        field,
        'expected holes inside their shell, received holes that are larger than it',
      );
    }
    area += net;
    perimeter += part.reduce((sum, { coords }) => sum + ringPerimeterMeters(coords), 0);
  });
  return { area, perimeter, length: null };
}

function lineLength(coords: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 3 < coords.length; i += 2) {
    sum += edgeLength(coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!);
  }
  return sum;
}

/** Areas of several rings; the two of a band bound the difference of their caps. */
function ringsArea(rings: readonly Ring[]): number {
  let area = 0;
  for (let i = 0; i < rings.length; i++) {
    const ring = rings[i]!;
    if (ring.turns !== 0 && ring.pole === null) {
      area += Math.abs(northOf(ring) - northOf(rings[++i]!));
    } else {
      area +=
        ring.turns === 0
          ? ringAreaSquareMeters(ring.coords)
          : ring.pole === 'north'
            ? northOf(ring)
            : EARTH_AREA - northOf(ring);
    }
  }
  return area;
}

/** Area between a ring that goes round and the north pole. */
function northOf(ring: Ring): number {
  const smaller = ringAreaSquareMeters(ring.coords);
  return polarSide(ring.coords) === 'north' ? smaller : EARTH_AREA - smaller;
}
