/** The corridor of a line zone as one flat ring, as the platform's endpoint returns it. */

import { guarded } from '../../core/input.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import type { ZoneOptions, ZoneShape } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import { readShape } from '../readShape.js';
import { corridorRings } from './corridor.js';
import { flatRing } from './flatRing.js';
import { CORRIDOR_OPTIONS, type CorridorOptions, corridorPlanOf } from './readCorridor.js';

/** Options for reading the zone, and some of `corridor`. */
export type LineToPolygonOptions = ZoneOptions & Pick<CorridorOptions, 'toleranceMeters' | 'edges' | 'cap'>;

const OPTIONS: OptionTable<LineToPolygonOptions, 'defaultWidthMeters' | 'toleranceMeters'> = {
  ...ZONE_OPTIONS,
  ...CORRIDOR_OPTIONS,
};

/**
 * The corridor of a line zone as `polygon_geometry` of the wire format: one closed ring of pairs in the caller's axis order.
 *
 * A loop's hole stays open: from its westernmost vertex a seam of zero width runs due west to the next boundary, and the ring follows it
 * there and back. The even-odd rule and the signed area both read the ring as the corridor with its holes. Across the antimeridian
 * longitudes continue past ±180 instead of breaking the ring. A corridor over a pole or around the Earth is closed along the edge of the
 * map. Accuracy, validity and cost: as `corridor`. Errors: those of a line zone on `geometry` and `width`; `tolerance-range`;
 * `option-value`.
 *
 * @example
 * ```ts
 * import { lineToPolygon } from 'wayzone';
 * lineToPolygon({ width: 50, geometry: [[37.6, 55.7], [37.61, 55.7]] }, { cap: 'flat' }).polygon_geometry.length; // 5
 * ```
 */
export function lineToPolygon(
  line: Pick<ZoneShape, 'width' | 'geometry'>,
  options: LineToPolygonOptions = {},
): { polygon_geometry: [number, number][] } {
  checkOptions(options, OPTIONS);
  const shape = guarded('geometry', () => ({
    type: { key: 'line' as const },
    geometry: line.geometry,
    width: line.width ?? null,
  }));
  const normal = readShape(shape, options);
  if (normal.key !== 'line') throw new TypeError('a line reads as a line');
  const found = corridorRings(corridorPlanOf(normal.coords, normal.halfWidth, options));
  return { polygon_geometry: flatRing(found, options.axisOrder) };
}
