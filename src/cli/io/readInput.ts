/** Reads one input file in the format of its extension. */

import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
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
import { beginsWithLines, readJsonRows, readLines } from './readJsonRows.js';
import { systemErrorText } from './terminal.js';

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
