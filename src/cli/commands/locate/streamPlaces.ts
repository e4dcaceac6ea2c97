/** Reads the positions of a file into columns, in batches. Neither the file nor its positions are in memory as a whole. */

import type { IssueCode } from '../../../core/errorCode.js';
import type { Fix, FixBatch, ForeignData, Issue } from '../../../core/fix.js';
import type { Geozone } from '../../../core/wire.js';
import type { GeoJsonOptions, ReadOptions } from '../../../interchange/index.js';
import { FileBytes } from '../../io/fileBytes.js';
import { type FileFormat, idPrefixOf } from '../../io/fileFormat.js';
import { inputFormat } from '../../io/inputFormat.js';
import {
  csvOptions,
  geoJsonOptions,
  gpxOptions,
  NO_LIMITS,
  type ReadingOptions,
} from '../../io/readingOptions.js';

/** Largest number of names that keep their numbers from batch to batch: a file of points has a name for each. */
const MOST_NAMES = 100_000;

type PlaceReader = (
  chunks: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
  more: ReadOptions,
  path: string,
) => Promise<ForeignData>;

/** Readers by format. Each is loaded on first use. */
const READERS: Readonly<Partial<Record<FileFormat, PlaceReader>>> = {
  csv: async (chunks, reading, more, path) =>
    (await import('../../../interchange/csv/fromCsv.js')).readCsv(chunks, {
      ...more,
      ...csvOptions(path, reading),
    }),
  gpx: async (chunks, reading, more, path) =>
    (await import('../../../interchange/gpx/fromGpx.js')).readGpx(chunks, {
      ...more,
      ...gpxOptions(path, reading),
    }),
  kml: async (chunks, _, more) => (await import('../../../interchange/kml/fromKml.js')).readKml(chunks, more),
  geojson: readJson,
  mfjson: readJson,
  geojsonl: readJsonLines,
  geojsonseq: readJsonLines,
};

async function readJson(
  chunks: AsyncIterable<Uint8Array>,
  reading: ReadingOptions,
  more: ReadOptions,
  path: string,
): Promise<ForeignData> {
  const { readGeoJson } = await import('../../../interchange/geojson/fromGeoJson.js');
  return readGeoJson(chunks, { ...more, ...jsonOptions(path, reading) });
}

async function readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  reading: ReadingOptions,
  more: ReadOptions,
  path: string,
): Promise<ForeignData> {
  const { readGeoJsonLines } = await import('../../../interchange/geojson/readGeoJsonLines.js');
  return readGeoJsonLines(chunks, { ...more, ...jsonOptions(path, reading) });
}

function jsonOptions(path: string, reading: ReadingOptions): GeoJsonOptions {
  const { idProperty, fileName, table } = geoJsonOptions(path, reading);
  return { idProperty, fileName, table };
}

/**
 * Fills `places` with the fixes of tracks and the point and circle zones of a file, in file order, and calls `take` for batches of about
 * `batchSize`. The next bytes are read when `take` is done. `onBytes` gets the number of bytes of each read.
 *
 * Returns the issues: of rows with their lines, of a file that cannot be read to its end, of other zones (`not-a-position`), and of a file
 * without positions (`no-positions`). Throws only the errors of `take`, never because of a file or its content.
 */
export async function streamPlaces(
  path: string,
  options: ReadingOptions,
  places: PlaceColumns,
  batchSize: number,
  take: () => Promise<void>,
  onBytes: (count: number) => void,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const note = (code: IssueCode, severity: Issue['severity'], message: string): void => {
    issues.push({ code, severity, field: '', message });
  };
  const format = await inputFormat(path);
  const isParquet = format === 'parquet';
  const read = format === null ? undefined : READERS[format];
  if (read === undefined && !isParquet) {
    note(
      'format-unknown',
      'error',
      'expected .csv, .tsv, .gpx, .geojson, .json or .kml, also with .gz, or .parquet',
    );
    return issues;
  }
  places.beginFile();
  const isCsv = format === 'csv';
  const batches = new PlaceBatches(places, batchSize, take);
  const taking = batches.taking(options, isCsv || isParquet);
  const bytes = new FileBytes(path, onBytes, isCsv);
  const common = { axisOrder: options.axisOrder, idPrefix: idPrefixOf(path), limits: NO_LIMITS };
  const { issues: own } =
    read === undefined
      ? await (await import('../../io/readParquetInput.js')).readParquetInput(
          path,
          options,
          taking,
          (count) => {
            onBytes(count);
            return batches.flushFull();
          },
        )
      : await read(chunksBetween(bytes, batches), options, { ...common, ...taking }, path);
  await batches.flush();
  const { failure } = bytes;
  if (failure !== null) {
    const answered = batches.found > 0 ? '; the positions before it are answered' : '';
    note(failure.code, 'error', `${failure.message}${answered}`);
  }
  for (const issue of own) issues.push(issue);
  if (batches.others > 0) {
    note(
      'not-a-position',
      'warning',
      `expected tracks and points, received ${batches.others} lines or polygons; left out`,
    );
  }
  if (batches.found === 0 && !issues.some(({ severity }) => severity === 'error')) {
    note('no-positions', 'warning', 'expected tracks or points, received none');
  }
  return issues;
}

/** Collects the positions of a file and passes them on in batches. */
class PlaceBatches {
  /** Number of positions passed on. */
  found = 0;
  /** Number of zones in the file that are not single positions. */
  others = 0;
  readonly #places: PlaceColumns;
  readonly #size: number;
  readonly #take: () => Promise<void>;
  #flushing: Promise<void> | null = null;

  constructor(places: PlaceColumns, size: number, take: () => Promise<void>) {
    this.#places = places;
    this.#size = size;
    this.#take = take;
  }

  /** Callbacks that receive fixes and zones from a reader; `inColumns`: fixes come in columns. */
  taking(
    { axisOrder }: ReadingOptions,
    inColumns: boolean,
  ): Pick<ReadOptions, 'onFix' | 'onFixes' | 'onZone'> {
    const places = this.#places;
    return {
      // In other formats, points may stand among the fixes.
      ...(inColumns
        ? { onFixes: (batch: FixBatch): void => places.append(batch) }
        : {
            onFix: (unitId: string, { time, lon, lat }: Fix): void => places.push(unitId, time, lon, lat),
          }),
      onZone: ({ id, type, geometry }: Geozone): void => {
        const [pair] = geometry;
        if (pair === undefined || (type.key !== 'point' && type.key !== 'circle')) this.others++;
        else {
          const [lon, lat] = axisOrder === 'latlon' ? [pair[1], pair[0]] : pair;
          places.push(id, null, lon, lat);
        }
      },
    };
  }

  async flush(): Promise<void> {
    this.found += this.#places.length;
    if (this.#places.length > 0) await this.#take();
    this.#places.clear();
  }

  /** Passes a full batch on. Until it is taken, all calls return the same promise; `null`: nothing to wait for. */
  flushFull(): Promise<void> | null {
    if (this.#places.length >= this.#size) {
      this.#flushing ??= this.flush().finally(() => {
        this.#flushing = null;
      });
    }
    return this.#flushing;
  }
}

/**
 * The bytes of a file. The reader requests a chunk only after it has processed the one before, so a batch can be passed on between chunks.
 */
async function* chunksBetween(bytes: FileBytes, batches: PlaceBatches): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    await batches.flushFull();
  }
}

export class PlaceColumns {
  length = 0;
  /** Names of units or points by number. Replaced by a new list when the numbers start at 0 again. */
  names: string[] = [];
  #numbers = new Map<string, number>();
  /** For each unit of the current file, its index in `names`. */
  #unitNumbers: number[] = [];
  unit: Uint32Array;
  /** Epoch milliseconds; NaN for a position without a time. */
  time: Float64Array;
  /** lon, lat, lon, lat, … */
  lonLat: Float64Array;

  constructor(capacity: number) {
    this.unit = new Uint32Array(capacity);
    this.time = new Float64Array(capacity);
    this.lonLat = new Float64Array(2 * capacity);
  }

  /** Begins a new file, whose units are numbered from 0. */
  beginFile(): void {
    this.#unitNumbers = [];
  }

  append(batch: FixBatch): void {
    const { length, unit, unitIds, time, lon, lat } = batch;
    this.#ensure(this.length + length);
    for (let i = this.#unitNumbers.length; i < unitIds.length; i++) {
      this.#unitNumbers.push(this.#numberOf(unitIds[i]!));
    }
    this.time.set(time.subarray(0, length), this.length);
    const numbers = this.#unitNumbers;
    for (let i = 0, k = this.length; i < length; i++, k++) {
      this.unit[k] = numbers[unit[i]!]!;
      this.lonLat[2 * k] = lon[i]!;
      this.lonLat[2 * k + 1] = lat[i]!;
    }
    this.length += length;
  }

  /** Adds one position. `time` is null if it has none. */
  push(name: string, time: number | null, lon: number, lat: number): void {
    this.#ensure(this.length + 1);
    const i = this.length++;
    this.unit[i] = this.#numberOf(name);
    this.time[i] = time ?? Number.NaN;
    this.lonLat[2 * i] = lon;
    this.lonLat[2 * i + 1] = lat;
  }

  /** Removes the positions, and the names too if there are many and they are not units of the file. */
  clear(): void {
    this.length = 0;
    if (this.names.length <= MOST_NAMES || this.#unitNumbers.length > 0) return;
    this.names = [];
    this.#numbers = new Map();
  }

  #numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(name);
      this.#numbers.set(name, number);
    }
    return number;
  }

  #ensure(length: number): void {
    if (length <= this.time.length) return;
    const capacity = 2 * length;
    const { unit, time, lonLat } = this;
    this.unit = new Uint32Array(capacity);
    this.unit.set(unit);
    this.time = new Float64Array(capacity);
    this.time.set(time);
    this.lonLat = new Float64Array(2 * capacity);
    this.lonLat.set(lonLat);
  }
}
