/** Reads JSON files that are not one GeoJSON object: rows of the platform, and features one after another. */

import { open, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { ForeignData } from '../../core/fix.js';
import type { GeoJsonOptions } from '../../interchange/index.js';
import { FileBytes, MAX_FILE_BYTES, withFailure } from './fileBytes.js';
import { isLines } from './standardInput.js';

const FIRST_BYTES = 65_536;
/** Error codes of a file that is not one GeoJSON object. */
const OTHERS: ReadonlySet<string> = new Set(['geojson-type', 'json-syntax']);

/** `data`, or the platform's rows in the file if the only error of `data` is that it is not GeoJSON. */
export async function readJsonRows(
  path: string,
  data: ForeignData,
  options: GeoJsonOptions,
): Promise<ForeignData> {
  const { value, issues } = data;
  const isEmpty = value.zones.length === 0 && value.tracks.length === 0;
  const isOther = isEmpty && issues.some(({ code }) => OTHERS.has(code));
  if (!isOther) return data;
  return (await readWireRows(path, options)) ?? data;
}

/** Reads features one after another. */
export async function readLines(path: string, options: GeoJsonOptions): Promise<ForeignData> {
  const source = new FileBytes(path, () => undefined, false);
  const { readGeoJsonLines } = await import('../../interchange/geojson/readGeoJsonLines.js');
  return withFailure(await readGeoJsonLines(source, options), source.failure);
}

/** Whether the file has features one after another. False for a file that cannot be read: its reader reports that. */
export async function beginsWithLines(path: string): Promise<boolean> {
  if (/\.gz$/i.test(path)) {
    for await (const chunk of new FileBytes(path, () => undefined, false))
      return isSequence(Buffer.from(chunk));
    return false;
  }
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    return isSequence(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function isSequence(head: Buffer): boolean {
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return text.startsWith('\u001E') || isLines(text);
}

/** The rows of the file; null if it is neither a list of rows nor an answer `{max, list}`. */
async function readWireRows(path: string, options: GeoJsonOptions): Promise<ForeignData | null> {
  const { fromWireRows, wireRowsOf } = await import('../../interchange/wire/fromWireRows.js');
  const { parseJson } = await import('../../interchange/json/parseJson.js');
  try {
    const bytes = await readFile(path);
    const whole = /\.gz$/i.test(path) ? gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes;
    const rows = wireRowsOf(parseJson(whole.toString('utf8').replace(/^\uFEFF/, '')));
    return rows === null ? null : fromWireRows(rows, options);
  } catch {
    // The GeoJSON reader has already reported the reason.
    return null;
  }
}
