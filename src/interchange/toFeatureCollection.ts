/** Zones as GeoJSON (RFC 7946). */

import { type Geozone, isDeleted, type ZoneOptions } from '../core/wire.js';
import { atZone, wireFieldsBeside, type ZoneGeometry, zoneGeometry } from './zoneGeometry.js';

export interface ZoneFeature {
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: ZoneGeometry;
  readonly properties: { readonly [key: string]: unknown };
}

export interface ZoneFeatureCollection {
  readonly type: 'FeatureCollection';
  readonly features: ZoneFeature[];
}

export interface FeatureCollectionOptions extends ZoneOptions {
  /** Every zone with every field, so that `fromGeoJson` reads back what was written. Default: the map features only. */
  readonly all?: boolean;
  /** The address of a zone, null where there is none. Default: the zone's own field `address`, if it is text. */
  readonly address?: (zone: Geozone) => string | null;
}

/**
 * The zones on the map (`is_show_on_map`, not deleted) as features with the properties `address` and `name`; with `all` every zone,
 * with all its wire fields as properties (its pairs in lon, lat; `geometry` and `parts` where the feature's geometry
 * does not say them, as for a circle).
 *
 * Polygons and circles are outlines: closed, right-hand rule, cut at the antimeridian, as are lines. Points are Points.
 * A circle without a width and a bad shape throw the shape's error with the field `zones[i]…`; `cycle`, `json-value`.
 *
 * @example
 * ```ts
 * import { toFeatureCollection } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]], is_show_on_map: true };
 * toFeatureCollection([zone]).features[0].geometry; // { type: 'Point', coordinates: [37.6, 55.7] }
 * ```
 */
export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options: FeatureCollectionOptions = {},
): ZoneFeatureCollection {
  const features: ZoneFeature[] = [];
  let index = 0;
  for (const zone of zones) {
    const feature = atZone(index++, () => featureOf(zone, options));
    if (feature !== null) features.push(feature);
  }
  return { type: 'FeatureCollection', features };
}

function featureOf(zone: Geozone, options: FeatureCollectionOptions): ZoneFeature | null {
  const { all = false } = options;
  if (!all && (zone.is_show_on_map !== true || isDeleted(zone))) return null;
  const geometry = zoneGeometry(zone, options);
  const address = options.address === undefined ? ownAddress(zone) : options.address(zone);
  const properties = all
    ? { ...(address === null ? {} : { address }), ...wireFieldsBeside(zone, geometry, options) }
    : { address, name: zone.name };
  return { type: 'Feature', id: zone.id, geometry, properties };
}

function ownAddress(zone: Geozone): string | null {
  const { address } = zone as { readonly address?: unknown };
  return typeof address === 'string' ? address : null;
}
