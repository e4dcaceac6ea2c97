/** Area, perimeter and length of zones on the ellipsoid. */

import { WayzoneError } from '../core/errors.js';
import { addCompensated, type CompensatedSum } from '../core/numbers.js';
import { checkOptions } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { lineMeters, measureRing, type RingMeasure } from '../geodesy/edgeSums.js';
import { EARTH_AREA } from '../geodesy/ellipsoid.js';
import { corridorRings } from './corridor/corridor.js';
import { corridorPlanOf } from './corridor/readCorridor.js';
import { measureDisc, type NormalShape } from './kinds/index.js';
import { readShape } from './readShape.js';
import type { Ring } from './ring.js';

/** Measures of a zone. */
export interface ZoneMeasure {
  /** Area on the ellipsoid, square metres. */
  readonly area: number;
  /** Length of the boundary, metres. */
  readonly perimeter: number;
  /** Length of a line's axis, metres; `null` for other types. */
  readonly length: number | null;
}

/**
 * Area, perimeter and length of a zone.
 *
 * Edges are straight in lon/lat. A circle or a point with a width is a geodesic disc. A point without a width has area and perimeter 0. Holes
 * reduce the area and add their edges to the perimeter. A line has the area and perimeter of its corridor.
 *
 * Accuracy: 1e-12 relative for polygons and lines from 10 m to 1,000 km, also across the antimeridian and around a pole
 * (`test/geodesy/edgeSums.test.ts`). Discs: 1e-10 relative up to a radius of 19,900 km. A corridor is measured by a polygon within 0.01 % of the
 * half-width (at least 1 mm) of the true boundary. Cost: O(n), about 0.1 µs per vertex; for a line as `corridor`.
 *
 * Errors: the errors of the shape, and `hole-outside` if the holes of a part have more area than its outer ring.
 *
 * @example
 * ```ts
 * import { measureZone } from 'wayzone';
 * measureZone({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 }).area; // 31415.9…
 * ```
 */
export function measureZone(shape: ZoneShape, options: ZoneOptions = {}): ZoneMeasure {
  checkOptions(options, ZONE_OPTIONS);
  return measureShape(readShape(shape, options), shape);
}

/** `measureZone` of a shape that was read. */
export function measureShape(normal: NormalShape, shape: ZoneShape): ZoneMeasure {
  if (normal.key === 'line') {
    return { ...corridorMeasure(normal.coords, normal.halfWidth), length: lineMeters(normal.coords) };
  }
  if (normal.key !== 'polygon') return { ...measureDisc(normal), length: null };
  const area: CompensatedSum = { sum: 0, low: 0 };
  const perimeter: CompensatedSum = { sum: 0, low: 0 };
  normal.parts.forEach((part, index) => {
    const measures = part.map(({ coords }) => measureRing(coords));
    const shell = ringsArea(part, measures, false);
    const holes = ringsArea(part, measures, true);
    if (holes > shell) {
      const field = shape.parts ? `parts[${index}]` : 'geometry';
      throw new WayzoneError(
        'hole-outside',
        field,
        'expected holes inside their shell, received holes that are larger than it',
      );
    }
    addCompensated(area, shell);
    addCompensated(area, -holes);
    for (const ring of measures) addCompensated(perimeter, ring.perimeter);
  });
  return { area: Math.max(0, area.sum + area.low), perimeter: perimeter.sum + perimeter.low, length: null };
}

/** Tolerance of the polygon that measures a corridor, relative to the half-width. */
const CORRIDOR_SHARE = 1e-4;
const LEAST_TOLERANCE_METERS = 1e-3;

function corridorMeasure(coords: Float64Array, halfWidth: number): { area: number; perimeter: number } {
  const toleranceMeters = Math.max(LEAST_TOLERANCE_METERS, CORRIDOR_SHARE * halfWidth);
  const rings = corridorRings(corridorPlanOf(coords, halfWidth, { toleranceMeters })).rings();
  const measures = rings.map((ring) => measureRing(ring.coords));
  return {
    area: ringsArea(rings, measures, false) - ringsArea(rings, measures, true),
    perimeter: measures.reduce((sum, { perimeter }) => sum + perimeter, 0),
  };
}

/** The area of the shell or of the holes of a part. The area of a band's two rings is the difference of their caps. */
function ringsArea(part: readonly Ring[], measures: readonly RingMeasure[], hole: boolean): number {
  const total: CompensatedSum = { sum: 0, low: 0 };
  for (let i = 0; i < part.length; i++) {
    const ring = part[i]!;
    const measure = measures[i]!;
    if (ring.hole !== hole) continue;
    if (ring.turns % 2 === 0) addCompensated(total, measure.area);
    else if (ring.pole === null) addCompensated(total, Math.abs(northOf(measure) - northOf(measures[++i]!)));
    else addCompensated(total, ring.pole === measure.pole ? measure.area : EARTH_AREA - measure.area);
  }
  return total.sum + total.low;
}

/** Area between a ring around the Earth and the north pole, square metres. */
function northOf({ area, pole }: RingMeasure): number {
  return pole === 'north' ? area : EARTH_AREA - area;
}
