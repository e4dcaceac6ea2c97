/** Reads GeoJSON (RFC 7946) as zones. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import { eachUtf8, utf8Of } from '../common/utf8Of.js';
import type { Crs } from '../crs/crs.js';
import { loadCrs, resolveCrs } from '../crs/loadCrs.js';
import { crsMember } from './crsMember.js';
import { FeatureReader, type FlatZones } from './featureReader.js';
import { GeoJsonCutter } from './geoJsonCutter.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from './geoJsonOptions.js';

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
 * Error issues for the file: `json-syntax` (with the offset), `limit-depth` (features before it are read), `encoding`, `geojson-type`,
 * `crs-unsupported` (nothing is read), `json-duplicate`. Error issues for a feature, which is left out: `geojson-type`, `geojson-nesting`, `limit-depth`, `coord-type`,
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
  const reader = new FeatureReader(options);
  const { builder } = reader;
  if (typeof input === 'object' && input !== null && !(input instanceof Uint8Array)) {
    try {
      guarded('input', () => {
        if (reader.acceptsCrs(crsMember(input))) reader.readRoot(input, null);
      });
    } catch (error) {
      builder.issues.caught(error);
    }
  } else {
    const bytes = utf8Of(input, builder.issues, builder.limits);
    if (bytes !== null) cutWhole(bytes, reader);
  }
  reader.finish();
  return builder.toForeignData();
}

/** Number of bytes read at a time. */
const PIECE = 1_048_576;

function cutWhole(bytes: Uint8Array, reader: FeatureReader): void {
  const cutter = new GeoJsonCutter(reader);
  for (let at = 0; at < bytes.length && !cutter.isOver; at += PIECE) {
    cutter.write(bytes.subarray(at, at + PIECE));
    // Only `readGeoJson` loads systems.
    if (cutter.waitsForCrs !== null) cutter.resume(null);
  }
  cutter.close();
}

/**
 * `fromGeoJson` for a file in chunks, with the same result. Memory: one feature and the text around the features; a file without `features` is read as a whole.
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

/** `readGeoJson` for a writer (`fields`) or an index: scanned zones of one ring or line have `FlatPairs` as their geometry. */
export async function flatReadGeoJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
  flat: 'fields' | 'index',
): Promise<ForeignData> {
  return await readChunks(chunks, options, flat);
}

async function readChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GeoJsonOptions,
  flat: FlatZones,
): Promise<ForeignData> {
  const { crs } = options;
  const given = crs === undefined ? options : { ...options, crs: await resolveCrs(crs) };
  const reader = new FeatureReader(given, undefined, flat);
  const { builder } = reader;
  const cutter = new GeoJsonCutter(reader);
  const resume = async (name: string): Promise<boolean> => {
    cutter.resume(await crsNamed(name));
    return !cutter.isOver;
  };
  const write = (bytes: Uint8Array): boolean | Promise<boolean> => {
    cutter.write(bytes);
    return cutter.waitsForCrs === null ? !cutter.isOver : resume(cutter.waitsForCrs);
  };
  const isWhole = await eachUtf8(chunks, builder.issues, builder.limits, write, () => cutter.line);
  if (isWhole) cutter.close();
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
