/** Measured zones for the report. */

import { WayzoneError } from '../../../core/errors.js';
import type { MultiPolygon, Polygon } from '../../../core/geometry.js';
import { readPositions } from '../../../core/input.js';
import type { Geozone, ZoneOptions, ZoneShape } from '../../../core/wire.js';
import type { ReportZone } from '../../../report/index.js';
import { measureZone } from '../../../zones/measureZone.js';
import { zoneOutline } from '../../../zones/zoneOutline.js';

/** Measures an indexed zone. Errors: `hole-outside`. */
export function reportZone(zone: Geozone, options: ZoneOptions): ReportZone {
  const given = zone.width ?? options.defaultWidthMeters ?? null;
  const sides = zone.type.key === 'line' && options.lineWidth === 'each-side' ? 2 : 1;
  return {
    zone,
    lonLat: readPositions(zone.geometry, 'geometry', options.axisOrder),
    outline: reportOutlineOf(zone, options),
    widthMeters: zone.type.key === 'polygon' || given === null ? null : given * sides,
    ...measureZone(zone, options),
  };
}

/** The outline of a zone; `null` for a single position. */
export function reportOutlineOf(zone: ZoneShape, options: ZoneOptions): Polygon | MultiPolygon | null {
  try {
    return zoneOutline(zone, options);
  } catch (error) {
    if (error instanceof WayzoneError && error.code === 'outline-empty') return null;
    throw error;
  }
}
