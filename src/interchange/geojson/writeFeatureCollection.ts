/** Writes zones as GeoJSON text (RFC 7946) in pieces. */

import { checkOptions } from '../../core/options.js';
import type { Geozone } from '../../core/wire.js';
import { eachOf, type OnZoneError, throwZoneError } from '../common/eachOf.js';
import { routeFeatures } from '../common/routeZones.js';
import { TextCollector, type TextSink } from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { resolveCrs } from '../crs/loadCrs.js';
import type { TrackFeature } from './trackFeature.js';
import {
  FEATURE_OPTIONS,
  type FeatureCollectionOptions,
  FeatureMaker,
  type ZoneFeature,
} from './zoneFeature.js';

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
