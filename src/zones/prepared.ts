/** Prepared zones: a shape read once and asked often. */

import { readChoice } from '../core/gate.js';
import type { Bbox, Position } from '../core/geometry.js';
import type { ZoneOptions, ZoneShape, ZoneTypeKey } from '../core/wire.js';
import { prepareDisc } from './disc.js';
import { prepareLine } from './line.js';
import { preparePolygon } from './polygon.js';
import { type NormalShape, readShape } from './shape.js';

/** Positions are wrapped as `readPosition` gives them; nothing is checked here. */
export interface PreparedZone {
  readonly key: ZoneTypeKey;
  /** Boxes that together cover the zone, each west ≤ east, none across the antimeridian. */
  readonly boxes: readonly Bbox[];
  /** A position of the zone's every connected part. */
  readonly anchors: readonly Position[];
  contains(lon: number, lat: number): boolean;
  /** Metres to the boundary, negative inside. */
  signedDistanceMeters(lon: number, lat: number): number;
  /**
   * Fractions `[from0, to0, from1, …]` of the straight lon/lat segment a→b that are inside: ordered, disjoint, closed. The first
   * `from` is 0 exactly when a is inside, the last `to` is 1 exactly when b is; a touch has from = to.
   */
  stays(aLon: number, aLat: number, bLon: number, bLat: number): number[];
}

/** Reads and prepares a shape; errors as `readShape`, with `field` before every path. */
export function prepareZone(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): PreparedZone {
  const normal = readShape(shape, options, field);
  const boundary = readChoice(options.boundary, 'options.boundary', ['closed', 'half-open'], 'closed');
  return prepareNormal(normal, boundary === 'half-open');
}

export function prepareNormal(shape: NormalShape, halfOpen: boolean): PreparedZone {
  switch (shape.key) {
    case 'polygon':
      return preparePolygon(shape.parts, halfOpen);
    case 'line':
      return prepareLine(shape.coords, shape.halfWidth);
    case 'point':
    case 'circle':
      return prepareDisc(shape.key, shape.lon, shape.lat, shape.radius ?? 0);
  }
}
