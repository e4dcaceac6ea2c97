/** Zones as GeoJSON (RFC 7946). */

import type { Bbox } from '../../core/geometry.js';
import { checkOptions, itemsOf } from '../../core/input.js';
import type { Geozone } from '../../core/wire.js';
import { routeFeatures } from '../common/routeZones.js';
import { atZone } from '../common/zoneGeometry.js';
import {
  type FeatureCollectionOptions,
  FeatureMaker,
  type MapProperties,
  type NamedCrs,
  type ZoneFeature,
} from './zoneFeature.js';

/** Zones as a GeoJSON FeatureCollection (RFC 7946 §3.3). */
export interface ZoneFeatureCollection<Properties = { readonly [key: string]: unknown }> {
  /** As RFC 7946 has it. */
  readonly type: 'FeatureCollection';
  /** The old member, where the coordinates are not WGS84. */
  readonly crs?: NamedCrs;
  /** On request: `[west, south, east, north]` of all features. */
  readonly bbox?: Bbox;
  /** In the order of the zones. */
  readonly features: ZoneFeature<Properties>[];
}

/**
 * The zones on the map (`is_show_on_map`, not deleted) as features with the properties `address` and `name`; with `all` every zone,
 * with all its wire fields as properties (its pairs in lon, lat; `geometry` and `parts` where the feature's geometry
 * does not say them, as for a circle).
 *
 * - Polygons and circles are outlines, lines with a width corridors: closed, right-hand rule, cut at the antimeridian. Points are Points.
 * - With `digits` a geometry is rounded; one that would become invalid, turn round or vanish keeps as many more digits as it needs.
 * - With `crs` the vertices are in that system, and the member `crs` names it; what is read back is within a millimetre.
 * - With `bbox` the boxes are `[west, south, east, north]`, west > east across the antimeridian; a collection without features has none.
 *
 * For collections that should not lie in memory: `writeFeatureCollection`. A circle without a width and a bad shape throw the shape's
 * error with the field `zones[i]…`; `source-type`, `cycle`, `json-value`, `limit-depth`, `option-type`, `option-value`, `crs-not-loaded`, `crs-range`.
 * Cost: O(vertices), with `digits` O(n log n) of each zone.
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
  options?: FeatureCollectionOptions & { readonly all?: false },
): ZoneFeatureCollection<MapProperties>;
export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options?: FeatureCollectionOptions,
): ZoneFeatureCollection;
export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options: FeatureCollectionOptions = {},
): ZoneFeatureCollection | ZoneFeatureCollection<MapProperties> {
  checkOptions(options);
  const maker = new FeatureMaker(options);
  const features: ZoneFeature[] = [];
  let index = 0;
  for (const zone of itemsOf(zones, 'zones')) {
    const feature = atZone(index++, () => maker.feature(zone));
    if (feature !== null) features.push(feature);
  }
  for (const feature of routeFeatures(options.routes ?? [], maker)) features.push(feature);
  const bbox = maker.bbox();
  const crs = maker.crsMember;
  return {
    type: 'FeatureCollection',
    ...maker.members,
    ...(crs === null ? {} : { crs }),
    ...(bbox === null ? {} : { bbox }),
    features,
  };
}
