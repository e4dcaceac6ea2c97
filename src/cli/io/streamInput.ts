/** Reads one input file of any size as a stream. */

import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ForeignData } from '../../core/fix.js';
import type { Crs, ReadOptions } from '../../interchange/index.js';
import { FileBytes, MAX_FILE_BYTES, readFailure, unknownFormat, withFailure } from './fileBytes.js';
import { type FileFormat, idPrefixOf } from './fileFormat.js';
import { inputFormat } from './inputFormat.js';
import { type OutputStream, type Progress, startProgress } from './io.js';
import { beginsWithLines, readJsonRows, readLines } from './readInput.js';
import { csvOptions, geoJsonOptions, gpxOptions, type ReadingOptions } from './readingOptions.js';
import { systemErrorText } from './terminal.js';

export interface StreamInputOptions extends ReadingOptions {
  /** Format of the file. Default: by the extension. */
  readonly format?: FileFormat;
  readonly crs?: Crs;
  /** Largest number of issues of one code that are kept in detail. */
  readonly maxIssues?: number;
  /** Zones of GeoJSON may have `FlatPairs` as their geometry. */
  readonly flatRings?: boolean;
}

/**
 * The readable content of a file. A file that cannot be opened or inflated gives one `error` issue beside the content read before it. Never
 * throws because of a file or its content. The text of a file is never in memory as a whole, except for KMZ, whose directory is at its end.
 */
export async function streamInput(
  path: string,
  options: StreamInputOptions,
  stderr: OutputStream,
): Promise<ForeignData> {
  const format = options.format ?? (await inputFormat(path));
  if (format === null) return unknownFormat(path);
  let size: number;
  try {
    const found = await stat(path);
    if (!found.isFile()) return readFailure('file-unreadable', 'expected a file');
    size = found.size;
  } catch (error) {
    return readFailure('file-unreadable', systemErrorText(error));
  }
  const progress = await startProgress(stderr, size, `${basename(path)} {bar} {percentage} %`);
  try {
    if (format === 'kmz') return await readKmz(path, size, options);
    if (format === 'parquet') return await readParquetFile(path, options);
    return await readStream(path, format, options, progress);
  } finally {
    progress.stop();
  }
}

async function readKmz(path: string, size: number, options: StreamInputOptions): Promise<ForeignData> {
  if (size > MAX_FILE_BYTES) {
    return readFailure('limit-bytes', `expected at most ${MAX_FILE_BYTES} bytes, received ${size}`);
  }
  try {
    const { fromKmz } = await import('../../interchange/kmz/fromKmz.js');
    return fromKmz(await readFile(path), commonOptions(path, options));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return readFailure('file-unreadable', systemErrorText(error));
  }
}

async function readParquetFile(path: string, options: StreamInputOptions): Promise<ForeignData> {
  const { readParquetInput } = await import('./readParquetInput.js');
  const { crs, maxIssues } = options;
  return await readParquetInput(path, options, {
    ...(crs === undefined ? {} : { crs }),
    limits: maxIssues === undefined ? {} : { maxIssues },
  });
}

async function readStream(
  path: string,
  format: Exclude<FileFormat, 'kmz' | 'parquet'>,
  options: StreamInputOptions,
  progress: Progress,
): Promise<ForeignData> {
  const source = new FileBytes(path, (count) => progress.step(count), format === 'csv');
  const { gpxAs = 'fixes', flatRings = false } = options;
  const common = commonOptions(path, options);
  // Each reader is loaded on first use.
  const read = async (): Promise<ForeignData> => {
    if (format === 'kml') return (await import('../../interchange/kml/fromKml.js')).readKml(source, common);
    if (format === 'gpx') {
      const { readGpx } = await import('../../interchange/gpx/fromGpx.js');
      return readGpx(source, { ...common, as: gpxAs, ...gpxOptions(path, options) });
    }
    if (format === 'csv') {
      const { readCsv } = await import('../../interchange/csv/fromCsv.js');
      return readCsv(source, { ...common, ...csvOptions(path, options) });
    }
    const own = { ...geoJsonOptions(path, options), ...common };
    if ((format !== 'geojson' && format !== 'mfjson') || (await beginsWithLines(path)))
      return readLines(path, own);
    const { flatReadGeoJson, readGeoJson } = await import('../../interchange/geojson/fromGeoJson.js');
    const data = flatRings ? flatReadGeoJson(source, own, 'fields') : readGeoJson(source, own);
    return readJsonRows(path, await data, own);
  };
  return withFailure(await read(), source.failure);
}

function commonOptions(path: string, { axisOrder, crs, maxIssues }: StreamInputOptions): ReadOptions {
  return {
    axisOrder,
    idPrefix: idPrefixOf(path),
    ...(crs === undefined ? {} : { crs }),
    ...(maxIssues === undefined ? {} : { limits: { maxIssues } }),
  };
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'errno' in error && 'code' in error && typeof error.code === 'string';
}
