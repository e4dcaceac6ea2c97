/** What commands pass to the readers of tables, and JSON files that are tables of positions. */

import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Crs, CsvOptions, GpxOptions } from '../../interchange/index.js';
import type { ReadingOptions } from './readingOptions.js';

/** The options of `fromCsv` for a file. */
export function csvOptions(path: string, { columns, speedUnit, table }: ReadingOptions): CsvOptions {
  return {
    columns,
    fileName: basename(path),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...(table === undefined ? {} : { table }),
  };
}

/** Positions whose latitude comes first. */
export const LAT_FIRST: Crs = {
  name: 'latlon',
  toWgs84: (x, y) => [y, x],
  fromWgs84: (lon, lat) => [lat, lon],
};

/** The options of `fromGpx` for a file. */
export function gpxOptions(path: string, { table }: ReadingOptions): GpxOptions {
  return {
    fileName: basename(path),
    ...(typeof table?.timeZone === 'string' ? { timeZone: table.timeZone } : {}),
  };
}

/** Bytes that decide. */
const HEAD_BYTES = 8192;

const JSON_NAME = /\.(?:json|ndjson|jsonl)$/i;
const POSITION_KEYS = /"(?:lat|latitude|latitudeE7|timelinePath|semanticSegments|latLng|pos)"\s*:/i;
const GEOJSON_TYPE =
  /"type"\s*:\s*"(?:FeatureCollection|Feature|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon))"/;

/** Whether a JSON file holds records with positions, not GeoJSON. A file that cannot be read is not. */
export async function isJsonTable(path: string): Promise<boolean> {
  if (!JSON_NAME.test(path)) return false;
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const head = new TextDecoder().decode(buffer.subarray(0, bytesRead));
      return POSITION_KEYS.test(head) && !GEOJSON_TYPE.test(head);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
