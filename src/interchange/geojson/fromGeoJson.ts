/** Reads GeoJSON (RFC 7946) as zones. */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import { eachUtf8, utf8Of } from '../common/utf8Of.js';
import type { Crs } from '../crs/crs.js';
import { loadCrs, resolveCrs } from '../crs/loadCrs.js';
import { FeatureReader, type FlatZones } from './featureReader.js';
import { GeoJsonCutter } from './geoJsonCutter.js';
import { crsMember, GEOJSON_OPTIONS, type GeoJsonOptions } from './geoJsonOptions.js';

/**
 * Reads the zones of a FeatureCollection, a Feature or a bare geometry, and features with times as tracks. The input is a text, its bytes, or an
 * object from `JSON.parse`. Positions are kept as they are in the file, not wrapped or rounded. Rules (shapes, ids, properties, exact
 * numbers, coordinate systems): docs/rules/files.md.
 *
 * Issues of the file: `json-syntax` (with the offset), `limit-depth`, `encoding`, `geojson-type`, `crs-unsupported` (nothing is read),
 * `json-duplicate`, and at a limit `limit-bytes`, `limit-vertices`, `limit-features` (the rest is not read). A feature with an error is left
 * out, with the code of its shape. Warnings: docs/rules/files.md.
 * Throws `input-type` if the input is neither text, bytes nor an object, `option-type`, `option-value`, `crs-not-loaded`. Cost: O(bytes).
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
