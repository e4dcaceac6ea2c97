/** GeoJSON (RFC 7946) as zones. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions, guarded } from '../../core/input.js';
import { decodeText } from '../common/decodeText.js';
import { eachUtf8 } from '../common/utf8Of.js';
import type { Crs } from '../crs/crs.js';
import { loadCrs, resolveCrs } from '../crs/loadCrs.js';
import { parseJson } from '../json/parseJson.js';
import { rootMembers } from '../json/rootMembers.js';
import { crsMember, FeatureReader } from './featureReader.js';
import { GeoJsonBytes } from './geoJsonBytes.js';
import { GeoJsonFeed } from './geoJsonFeed.js';
import type { GeoJsonOptions } from './geoJsonOptions.js';
import { PlainProperties } from './plainProperties.js';
import { scanGeoJson } from './scanGeoJson.js';

/**
 * The zones of a FeatureCollection, a Feature or a bare geometry: of a text, its bytes, or the object that `JSON.parse` made of it.
 *
 * - Polygon and MultiPolygon give one polygon zone (`parts` where there are holes or several parts; `geometry` is then the
 *   largest outer ring), LineString a line, Point a point, or a circle when its properties say so (`type` circle, or
 *   `radius` in metres). MultiPoint, MultiLineString and GeometryCollection give several zones and a group of their name.
 * - The id is `idProperty`, the feature's `id`, its property `id`, or `zone-` and the feature's running number from 1. A repeated id gets
 *   `~2`, `~3`… and a `duplicate-id` warning. Properties that are fields of the wire (`width`, `color`, `icon`, `is_show_on_map`)
 *   become those fields; all others stay under the zone's `properties`. What `toFeatureCollection(zones, {all: true})`
 *   wrote comes back as it was.
 * - A number that a double does not hold (`1e400`, a whole number beyond 2^53 that JavaScript would write with other digits) is kept as its text, with a
 *   `number-range` warning: ids stay apart. Of an object, such a whole number stays as it is, with the same warning: its text is gone.
 * - Members of a FeatureCollection that GeoJSON does not know are `value.document`: `name` its name, all else under `properties`.
 * - Of two members `features` the first counts (`json-duplicate`); of other members that stand twice the last, as in `JSON.parse`.
 * - The old member `crs` is honoured where it names WGS84 or the option `crs` says what it is; `readGeoJson` loads what it names.
 * - Positions are kept as the file has them (not wrapped, not rounded); a third number is left out with one
 *   `altitude-dropped` warning for the file.
 *
 * Issues: `json-syntax` (with the offset), `limit-depth`, `encoding`, `geojson-type`, `crs-unsupported` (nothing is read), `json-duplicate`, `crs-range`, `geojson-nesting`,
 * `coord-type`, `coord-not-finite`, `lat-range`, `lon-range`, `ring-too-short`, `line-too-short`, `limit-vertices`,
 * `limit-rings` (that feature is left out), and as warnings `geometry-missing`, `duplicate-id`, `id-type`,
 * `type-mismatch`, `altitude-dropped`, `crs-overridden`, `number-range`, `fields-left-out` (members of a Feature or geometry that GeoJSON does not
 * know). Of an object also `json-value` for what JSON cannot hold, `input-unreadable` for what throws when it is read.
 * Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`).
 * Throws `input-type` when the input is neither text nor bytes nor an object, `option-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromGeoJson } from 'wayzone/interchange';
 * const file = '{"type":"Feature","id":"a","properties":{"name":"Depot"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}';
 * fromGeoJson(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGeoJson(input: string | Uint8Array | object, options: GeoJsonOptions = {}): ForeignData {
  checkOptions(options);
  return scanGeoJson(input, options, null) ?? parseGeoJson(input, options);
}

function parseGeoJson(input: string | Uint8Array | object, options: GeoJsonOptions): ForeignData {
  const reader = new FeatureReader(options);
  const { issues, limits } = reader.builder;
  const isParsed = typeof input === 'object' && input !== null && !(input instanceof Uint8Array);
  const text = isParsed ? null : decodeText(input, issues, limits);
  try {
    if (isParsed) {
      guarded('input', () => {
        if (reader.acceptsCrs(crsMember(input))) reader.readRoot(input, null);
      });
    } else if (text !== null) {
      const root = parseJson(text, limits.maxDepth);
      if (hasTwoFeatureLists(text)) feedText(reader, text);
      else if (reader.acceptsCrs(crsMember(root))) reader.readRoot(root, text);
    }
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    issues.error(error.code, error.field, error.message);
  }
  reader.finish();
  return reader.builder.toForeignData();
}

/** Whether the root has two members `features`, of which `JSON.parse` gives the last. */
function hasTwoFeatureLists(text: string): boolean {
  const isSuspect = text.indexOf('"features"') !== text.lastIndexOf('"features"') || text.includes('\\u');
  return isSuspect && rootMembers(text).filter((name) => name === 'features').length > 1;
}

/** Reads the text as `readGeoJson` does, but for systems of coordinates, which are not loaded. */
function feedText(reader: FeatureReader, text: string): void {
  const feed = new GeoJsonFeed(reader);
  feed.write(text);
  if (feed.waitsForCrs !== null) feed.resume(null);
  feed.close();
}

/** `fromGeoJson` for an index: scanned zones of one ring or line have `FlatPairs` as their geometry. */
export function flatFromGeoJson(input: Uint8Array, options: GeoJsonOptions): ForeignData {
  return scanGeoJson(input, options, new PlainProperties()) ?? parseGeoJson(input, options);
}

/**
 * `fromGeoJson` of a file that comes in chunks, feature by feature: what is in memory is one feature (a file without features whole).
 *
 * A `crs` that is built in (`loadCrs`) is honoured where it stands before the features, as old programs write it; after them it is
 * `crs-unsupported`, and the zones read till then are given up.
 * Rejects with what the source throws; `source-type`, `input-type` for what is no iterable of bytes; `crs-unsupported` for the option.
 *
 * @example
 * ```ts
 * import { readGeoJson } from 'wayzone/interchange';
 * const file = '{"type":"Feature","id":"a","properties":{"name":"Depot"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}';
 * const { value } = await readGeoJson([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export async function readGeoJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions = {},
): Promise<ForeignData> {
  checkOptions(options);
  const { crs } = options;
  const reader = new FeatureReader(crs === undefined ? options : { ...options, crs: await resolveCrs(crs) });
  const { builder } = reader;
  const feed = new GeoJsonFeed(reader);
  const scan = new GeoJsonBytes(reader, feed, false);
  const resume = async (name: string): Promise<boolean> => {
    feed.resume(await crsNamed(name));
    scan.run();
    return !feed.isOver;
  };
  const isWhole = await eachUtf8(chunks, builder.issues, builder.limits, (bytes, isSound) => {
    scan.write(bytes, isSound);
    return feed.waitsForCrs === null ? !feed.isOver : resume(feed.waitsForCrs);
  });
  if (isWhole) scan.close();
  reader.finish();
  return builder.toForeignData();
}

/** Null for a name that is not known. */
async function crsNamed(name: string): Promise<Crs | null> {
  try {
    return await loadCrs(name);
  } catch (error) {
    if (error instanceof WayzoneError) return null;
    throw error;
  }
}
