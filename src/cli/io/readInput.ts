/** Reads one input file in the format of its extension. JSON files may have rows of the platform, and features one after another. */

import { closeSync, openSync, readSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { messageOf } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import type { GeoJsonOptions } from '../../interchange/index.js';
import {
  CHUNK_BYTES,
  FileBytes,
  MAX_FILE_BYTES,
  readFailure,
  unknownFormat,
  withFailure,
} from './fileBytes.js';
import { type FileFormat, idPrefixOf, PARQUET_FILE } from './fileFormat.js';
import { inputFormat } from './inputFormat.js';
import { csvOptions, geoJsonOptions, gpxOptions, NO_LIMITS, type ReadingOptions } from './readingOptions.js';
import { isLines } from './standardInput.js';
import { systemErrorText } from './terminal.js';

const FIRST_BYTES = 65_536;
/** Error codes of a file that is not one GeoJSON object. */
const OTHERS: ReadonlySet<string> = new Set(['geojson-type', 'json-syntax']);

/** The readable content of a file. An unreadable file gives one `error` issue. Never throws because of a file or its content. */
export async function readInput(
  path: string,
  options: ReadingOptions,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<ForeignData> {
  if (PARQUET_FILE.test(path)) {
    const { onFixes } = options;
    const { readParquetInput } = await import('./readParquetInput.js');
    return await readParquetInput(path, options, { ...(onFixes && { onFixes }) });
  }
  const format = await inputFormat(path);
  const read = readerOf(path, format, options);
  if (read === null) return unknownFormat(path);
  if (format === 'csv' && options.onFixes !== undefined) return await readFixColumns(path, options);
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > maxBytes)
      return readFailure('limit-bytes', `expected at most ${maxBytes} bytes, received ${size}`);
    if (format === 'geojson' || format === 'mfjson') {
      if (await beginsWithLines(path)) return await readLines(path, geoJsonOptions(path, options));
      if (options.flatZones === true && !/\.gz$/i.test(path))
        return await readFlat(path, fileChunks(path), options);
    }
    bytes = await readFile(path);
  } catch (error) {
    return readFailure('file-unreadable', systemErrorText(error));
  }
  if (/\.gz$/i.test(path)) {
    try {
      bytes = await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        return readFailure('limit-bytes', `expected at most ${maxBytes} bytes when inflated, received more`);
      }
      return readFailure('gzip-invalid', messageOf(error));
    }
  }
  return await read(bytes);
}

/** Reads the zones of a GeoJSON file for an index. */
async function readFlat(
  path: string,
  chunks: Iterable<Uint8Array>,
  options: ReadingOptions,
): Promise<ForeignData> {
  const { flatReadGeoJson } = await import('../../interchange/geojson/fromGeoJson.js');
  const own = geoJsonOptions(path, options);
  return await readJsonRows(path, await flatReadGeoJson(chunks, own, 'index'), own);
}

/** The bytes of a file in chunks. All chunks share one buffer. */
function* fileChunks(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      yield buffer.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

/** Passes the fixes to `onFixes`. Fixes read before a failure are kept. */
async function readFixColumns(path: string, options: ReadingOptions): Promise<ForeignData> {
  const { axisOrder, onFixes, onBytes = () => undefined } = options;
  const source = new FileBytes(path, onBytes, true);
  const { readCsv } = await import('../../interchange/csv/fromCsv.js');
  const data = await readCsv(source, {
    axisOrder,
    idPrefix: idPrefixOf(path),
    limits: NO_LIMITS,
    ...(onFixes && { onFixes }),
    ...csvOptions(path, options),
  });
  // For a file that could not be opened, this is the only issue.
  const isUnopened = source.failure !== null && !source.isOpened;
  return withFailure(isUnopened ? { ...data, issues: [] } : data, source.failure);
}

/** Each reader is loaded on first use. */
function readerOf(
  path: string,
  format: FileFormat | null,
  options: ReadingOptions,
): ((bytes: Uint8Array) => Promise<ForeignData>) | null {
  const { axisOrder, gpxAs = 'fixes', flatZones = false } = options;
  const common = { axisOrder, idPrefix: idPrefixOf(path) };
  switch (format) {
    case 'geojson':
    case 'mfjson':
      return async (bytes) => {
        if (flatZones) return await readFlat(path, [bytes], options);
        const { fromGeoJson } = await import('../../interchange/geojson/fromGeoJson.js');
        const own = geoJsonOptions(path, options);
        return await readJsonRows(path, fromGeoJson(bytes, own), own);
      };
    case 'geojsonl':
    case 'geojsonseq':
      return async () => readLines(path, geoJsonOptions(path, options));
    case 'kml':
      return async (bytes) => (await import('../../interchange/kml/fromKml.js')).fromKml(bytes, common);
    case 'kmz':
      return async (bytes) => (await import('../../interchange/kmz/fromKmz.js')).fromKmz(bytes, common);
    case 'gpx':
      return async (bytes) =>
        (await import('../../interchange/gpx/fromGpx.js')).fromGpx(bytes, {
          ...common,
          as: gpxAs,
          ...gpxOptions(path, options),
        });
    case 'csv':
      return async (bytes) =>
        (await import('../../interchange/csv/fromCsv.js')).fromCsv(bytes, {
          ...common,
          ...csvOptions(path, options),
        });
    case 'parquet':
    case null:
      return null;
  }
}

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
