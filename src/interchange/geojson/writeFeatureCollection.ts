/** Writes zones as GeoJSON text (RFC 7946) in pieces. */

import type { Bbox } from '../../core/geometry.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import type { Geozone } from '../../core/wire.js';
import { routeFeatures } from '../common/routeZones.js';
import {
  eachOf,
  type OnZoneError,
  TextCollector,
  type TextSink,
  throwZoneError,
} from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { resolveCrs } from '../crs/loadCrs.js';
import type { TrackFeature } from './trackFeature.js';
import {
  FEATURE_OPTIONS,
  type FeatureCollectionOptions,
  FeatureMaker,
  type LeftOutZone,
  type NamedCrs,
  type ZoneFeature,
  type ZoneProperties,
} from './zoneFeature.js';

/** Zones as a GeoJSON FeatureCollection (RFC 7946 §3.3). */
export interface ZoneFeatureCollection<Properties = { readonly [key: string]: unknown }> {
  /** Always `FeatureCollection`. */
  readonly type: 'FeatureCollection';
  /** Name of the coordinate system (GeoJSON 2008) if it is not WGS84. */
  readonly crs?: NamedCrs;
  /** With the option `bbox`: box `[west, south, east, north]` of all features. */
  readonly bbox?: Bbox;
  /** With `onIssue`: the zones whose shape could not be written. Absent if all were written. */
  readonly leftOut?: readonly LeftOutZone[];
  /** Features, in the order of the zones. */
  readonly features: ZoneFeature<Properties>[];
}

/**
 * Writes the collection of `toFeatureCollection` with the same options, one feature per line, in pieces of at most 65,536 characters. The next
 * piece is made when `sink` has returned. With `bbox` the collection's box comes after the features.
 *
 * Memory: one zone and one piece. Rejects with the errors of `toFeatureCollection` and with `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { writeFeatureCollection } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * let text = '';
 * await writeFeatureCollection([zone], (chunk) => { text += chunk; });
 * JSON.parse(text).features.length; // 1
 * ```
 */
export async function writeFeatureCollection(
  source: Iterable<Geozone> | AsyncIterable<Geozone>,
  sink: TextSink,
  options: FeatureCollectionOptions = {},
): Promise<void> {
  checkOptions(options, FEATURE_OPTIONS);
  await writeSoundFeatures(source, sink, options, throwZoneError);
}

/** Form of the text: one collection, one feature per line, or text sequences (RFC 8142). Only a collection has members of its own. */
export type FeatureForm = 'collection' | 'lines' | 'sequence';

/** The record separator of RFC 8142. */
export const RECORD_SEPARATOR = '\u001E';

/** `writeFeatureCollection` in each form. Zones that cannot be written are left out. */
export async function writeSoundFeatures(
  source: Iterable<Geozone> | AsyncIterable<Geozone>,
  sink: TextSink,
  options: FeatureCollectionOptions,
  onError: OnZoneError,
  form: FeatureForm = 'collection',
): Promise<void> {
  const { crs } = options;
  const maker = new FeatureMaker(crs === undefined ? options : { ...options, crs: await resolveCrs(crs) });
  const out = new TextCollector(sink);
  const member = maker.crsMember;
  const about = Object.entries({ ...maker.members, ...(member === null ? {} : { crs: member }) });
  const head = about.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`).join('');
  const isCollection = form === 'collection';
  if (isCollection) out.add(`{"type":"FeatureCollection",${head}"features":[`);
  let index = 0;
  let separator = isCollection ? '\n' : '';
  const add = async (feature: ZoneFeature | TrackFeature | null): Promise<void> => {
    if (feature === null) return;
    const text = JSON.stringify(feature);
    const full = out.add(
      isCollection ? separator + text : `${form === 'sequence' ? RECORD_SEPARATOR : ''}${text}\n`,
    );
    separator = ',\n';
    if (full) await out.flush();
  };
  const featureOf = (zone: Geozone): ZoneFeature | null => {
    try {
      return atZone(index++, () => maker.feature(zone));
    } catch (error) {
      onError(zone, error);
      return null;
    }
  };
  for await (const zone of eachOf(source)) await add(featureOf(zone));
  for (const feature of routeFeatures(options.routes ?? [], maker)) await add(feature);
  for (const feature of maker.trackFeatures()) await add(feature);
  const bbox = maker.bbox();
  const last = Object.entries({
    ...(bbox === null ? {} : { bbox }),
    ...(maker.leftOut.length === 0 ? {} : { leftOut: maker.leftOut }),
  });
  const tail = last.map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`).join('');
  if (isCollection) out.add(`\n]${tail}}\n`);
  await out.end();
}

/**
 * Writes all zones that are not deleted as features with the properties `address`, `name`, `type`, `color` and `icon`. With `all` it writes
 * every row with all wire fields, without loss. Rules of geometries, `digits`, `crs` and `bbox`: docs/rules/files.md.
 *
 * A polygon or circle is its outline, a line with a width is its corridor, a point is a Point. `toleranceMeters` bounds the distance of outlines
 * and corridors from the true boundary. Use `writeFeatureCollection` for a collection that does not fit in memory.
 *
 * Errors: the errors of a zone's shape with the field `zones[i]…`; `source-type`, `cycle`, `json-value`, `limit-depth`, `option-type`,
 * `option-value`, `tolerance-range`, `crs-not-loaded`, `crs-range`. Cost: O(vertices), with `digits` O(n log n) for each zone.
 *
 * @example
 * ```ts
 * import { toFeatureCollection } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * toFeatureCollection([zone]).features[0].geometry; // { type: 'Point', coordinates: [37.6, 55.7] }
 * ```
 */
export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options?: FeatureCollectionOptions & {
    readonly all?: false | undefined;
    readonly properties?: undefined;
  },
): ZoneFeatureCollection<ZoneProperties>;

/** Writes zones as GeoJSON (RFC 7946). */
export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options?: FeatureCollectionOptions,
): ZoneFeatureCollection;

export function toFeatureCollection(
  zones: Iterable<Geozone>,
  options: FeatureCollectionOptions = {},
): ZoneFeatureCollection | ZoneFeatureCollection<ZoneProperties> {
  checkOptions(options, FEATURE_OPTIONS);
  const maker = new FeatureMaker(options);
  const features: ZoneFeature[] = [];
  let index = 0;
  for (const zone of itemsOf(zones, 'zones')) {
    const feature = atZone(index++, () => maker.feature(zone));
    if (feature !== null) features.push(feature);
  }
  for (const feature of routeFeatures(options.routes ?? [], maker)) features.push(feature);
  // The maker has tracks only if the caller asked for them.
  for (const feature of maker.trackFeatures()) features.push(feature as unknown as ZoneFeature);
  const bbox = maker.bbox();
  const crs = maker.crsMember;
  return {
    type: 'FeatureCollection',
    ...maker.members,
    ...(crs === null ? {} : { crs }),
    ...(bbox === null ? {} : { bbox }),
    ...(maker.leftOut.length === 0 ? {} : { leftOut: maker.leftOut }),
    features,
  };
}
