/** Reads GeoJSON (RFC 7946) as zones. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import { decodeText } from '../common/decodeText.js';
import { eachUtf8 } from '../common/utf8Of.js';
import type { Crs } from '../crs/crs.js';
import { loadCrs, resolveCrs } from '../crs/loadCrs.js';
import { parseJson } from '../json/parseJson.js';
import { rootMembers } from '../json/rootMembers.js';
import { crsMember } from './crsMember.js';
import { FeatureReader } from './featureReader.js';
import { GeoJsonBytes } from './geoJsonBytes.js';
import { GeoJsonFeed } from './geoJsonFeed.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from './geoJsonOptions.js';
import { PlainProperties } from './plainProperties.js';
import { scanGeoJson } from './scanGeoJson.js';

/**
 * Reads the zones of a FeatureCollection, a Feature or a bare geometry. The input is a text, its bytes, or an object from `JSON.parse`.
 *
 * - A Polygon or MultiPolygon is one polygon zone. With holes or several parts it has `parts`, and `geometry` is the largest outer ring. A
 *   LineString is a line. A Point is a point, or a circle if its properties have `type` circle or a `radius` in metres. MultiPoint,
 *   MultiLineString and GeometryCollection give several zones and a group with their name.
 * - The id is the property `idProperty`, the feature's `id`, its property `id`, or `zone-` and the feature's running number from 1. A repeated
 *   id gets `~2`, `~3`… and a `duplicate-id` warning.
 * - Properties that are fields of the wire (`width`, `color`, `icon`, `is_show_on_map`) become those fields; all others stay under the zone's
 *   `properties`. The output of `toFeatureCollection(zones, {all: true})` is read back unchanged.
 * - A number that a double does not represent exactly (`1e400`, a whole number beyond 2^53 that JavaScript would write with other digits) is
 *   kept as its text, with a `number-range` warning, so that different ids stay different. In an object from `JSON.parse` a whole number
 *   beyond 2^53 stays a number, with the same warning, because its text is not known.
 * - Members of a FeatureCollection that GeoJSON does not define become `value.document`: its `name`, and all others under `properties`.
 * - Of two members `features` the first is read, with an issue `json-duplicate`. Of other repeated members the last counts, as in `JSON.parse`.
 * - A member `crs` (GeoJSON 2008) is accepted if it names WGS84 or the option `crs` is given. `readGeoJson` also loads the named system.
 * - Positions are kept as they are in the file, not wrapped or rounded. Third numbers are left out, with one `altitude-dropped` warning for the
 *   file.
 *
 * Error issues for the file: `json-syntax` (with the offset), `limit-depth`, `encoding`, `geojson-type`, `crs-unsupported` (nothing is read),
 * `json-duplicate`. Error issues for a feature, which is left out: `geojson-type`, `geojson-nesting`, `limit-depth`, `coord-type`,
 * `coord-not-finite`, `lat-range`, `lon-range`, `crs-range`, `ring-too-short`, `line-too-short`, `limit-vertices`, `limit-rings`. Warnings:
 * `geojson-type` (properties that are not an object), `geometry-missing`, `duplicate-id`, `id-type`,
 * `type-mismatch`, `altitude-dropped`, `crs-overridden`, `number-range`, `fields-left-out` (members of a Feature or geometry that GeoJSON does
 * not define). For an object also `json-value` for a value that JSON cannot represent, `input-unreadable` for a property that throws.
 * Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`).
 * Throws `input-type` if the input is neither text, bytes nor an object, `option-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromGeoJson } from 'wayzone/interchange';
 * const file = '{"type":"Feature","id":"a","properties":{"name":"Depot"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}';
 * fromGeoJson(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGeoJson(input: string | Uint8Array | object, options: GeoJsonOptions = {}): ForeignData {
  checkOptions(options, GEOJSON_OPTIONS);
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

/** Whether the root has two members `features`. `JSON.parse` would return the last one. */
function hasTwoFeatureLists(text: string): boolean {
  const isSuspect = text.indexOf('"features"') !== text.lastIndexOf('"features"') || text.includes('\\u');
  return isSuspect && rootMembers(text).filter((name) => name === 'features').length > 1;
}

/** Reads the text feature by feature as `readGeoJson`, but loads no coordinate system. */
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
 * `fromGeoJson` for a file in chunks. Memory: one feature and the text around the features; a file without `features` is read as a whole.
 *
 * A member `crs` before the features is loaded if it names a built-in system (see `loadCrs`). After the features it gives the issue
 * `crs-unsupported`, and no zone is returned.
 * Rejects with the source's own error, `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes,
 * `crs-unsupported` for the option.
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
  checkOptions(options, GEOJSON_OPTIONS);
  return await readChunks(chunks, options, null);
}

/** `readGeoJson` for a writer: scanned zones of one ring or line have `FlatPairs` as their geometry. */
export async function flatReadGeoJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
): Promise<ForeignData> {
  return await readChunks(chunks, options, 'fields');
}

async function readChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
  flat: 'fields' | null,
): Promise<ForeignData> {
  const { crs } = options;
  const given = crs === undefined ? options : { ...options, crs: await resolveCrs(crs) };
  const reader = new FeatureReader(given, undefined, flat);
  const { builder } = reader;
  const feed = new GeoJsonFeed(reader);
  const scan = new GeoJsonBytes(reader, feed, flat !== null);
  const resume = async (name: string): Promise<boolean> => {
    feed.resume(await crsNamed(name));
    scan.run();
    return !feed.isOver;
  };
  const isWhole = await eachUtf8(chunks, builder.issues, builder.limits, (bytes, isValid) => {
    scan.write(bytes, isValid);
    return feed.waitsForCrs === null ? !feed.isOver : resume(feed.waitsForCrs);
  });
  if (isWhole) scan.close();
  reader.finish();
  return builder.toForeignData();
}

/** Loads a system by its name. Null for an unknown name. */
async function crsNamed(name: string): Promise<Crs | null> {
  try {
    return await loadCrs(name);
  } catch (error) {
    if (error instanceof WayzoneError) return null;
    throw error;
  }
}
