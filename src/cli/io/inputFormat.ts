/** The format of an input file: that of its name, except for JSON files that are tables of positions. */

import { open } from 'node:fs/promises';
import { type FileFormat, formatOf } from './fileFormat.js';

/** Null for an unknown one. */
export async function inputFormat(path: string): Promise<FileFormat | null> {
  return (await isJsonTable(path)) ? 'csv' : formatOf(path);
}

/** Bytes that decide. */
const HEAD_BYTES = 8192;

const JSON_NAME = /\.(?:json|ndjson|jsonl)$/i;
const POSITION_KEYS = /"(?:lat|latitude|latitudeE7|timelinePath|semanticSegments|latLng|pos)"\s*:/i;
const GEOJSON_TYPE =
  /"type"\s*:\s*"(?:FeatureCollection|Feature|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon))"/;

/** Whether a JSON file holds records with positions, not GeoJSON. A file that cannot be read is not. */
async function isJsonTable(path: string): Promise<boolean> {
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
