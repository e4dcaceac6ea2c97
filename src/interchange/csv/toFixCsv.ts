/** Writes tracks as CSV, one row per fix. */

import type { Fix, RawTrack } from '../../core/fix.js';
import { itemsOf, readPositions } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import { fixTime, readRawTrack } from '../common/readDocument.js';
import { eachOf, TextCollector, type TextSink } from '../common/textSink.js';
import { type Crs, pairIn, projected } from '../crs/crs.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { type CsvCell, type CsvMarks, csvHead, csvRows } from './toCsv.js';
import { CSV_WRITE_OPTIONS, type CsvWriteOptions, checkMarks } from './toZoneCsv.js';

/**
 * Writes the fixes of tracks. The columns are `unit, time` (ISO 8601 UTC), `lat, lon` (`y, x` in another system), `speed_kph, course,
 * altitude_meters, accuracy_meters, satellites, valid, ignition, mileage_meters, mileage_delta_meters`. A field that a fix lacks is an empty cell.
 *
 * `fromCsv` reads back the same fixes, with exactly the same numbers. A unit that begins like a formula gets an apostrophe in front, as in `toCsv`.
 * The name of a track is not written.
 *
 * Throws errors of positions with their path (`tracks[0].fixes[3]`), `time-range` for a time outside the years 1 to 9999, `fixes-type`,
 * `source-type`, `crs-range`, `crs-not-loaded`, `option-type`, `option-value`.
 *
 * @example
 * ```ts
 * import { toFixCsv } from 'wayzone/interchange';
 * const track = { name: 'Van', unitId: 'v', fixes: [{ time: 0, lon: 37.6, lat: 55.7, speedKph: 50 }] };
 * toFixCsv([track]).split('\r\n')[1]; // 'v,1970-01-01T00:00:00.000Z,55.7,37.6,50,,,,,,,,'
 * ```
 */
export function toFixCsv(tracks: Iterable<RawTrack>, options: CsvWriteOptions = {}): string {
  checkOptions(options, CSV_WRITE_OPTIONS);
  const crs = projected(options.crs);
  checkMarks(options.marks);
  const pieces = [csvHead(fixColumns(crs), options.marks)];
  let index = 0;
  for (const track of itemsOf(tracks, 'tracks')) {
    for (const row of rowsOf(track, `tracks[${index++}]`, crs, options.marks)) pieces.push(row);
  }
  return pieces.join('');
}

/**
 * Writes the table of `toFixCsv` in pieces of at most 65,536 characters. The next piece is made when `sink` has returned.
 *
 * Memory: one track and one piece. Rejects with the errors of `toFixCsv` and with `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { writeFixCsv } from 'wayzone/interchange';
 * let rows = 0;
 * await writeFixCsv([{ name: 'Van', unitId: 'v', fixes: [{ time: 0, lon: 37.6, lat: 55.7 }] }], (chunk) => { rows += chunk.split('\r\n').length - 1; });
 * rows; // 2
 * ```
 */
export async function writeFixCsv(
  tracks: Iterable<RawTrack> | AsyncIterable<RawTrack>,
  sink: TextSink,
  options: CsvWriteOptions = {},
): Promise<void> {
  checkOptions(options, CSV_WRITE_OPTIONS);
  const crs = projected(await resolveCrs(options.crs));
  checkMarks(options.marks);
  const out = new TextCollector(sink);
  out.add(csvHead(fixColumns(crs), options.marks));
  let index = 0;
  for await (const track of eachOf(tracks)) {
    for (const row of rowsOf(track, `tracks[${index++}]`, crs, options.marks))
      if (out.add(row)) await out.flush();
  }
  await out.end();
}

const MEASURED = [
  'speed_kph',
  'course',
  'altitude_meters',
  'accuracy_meters',
  'satellites',
  'valid',
  'ignition',
  'mileage_meters',
  'mileage_delta_meters',
] as const;

/** Names of the columns of the table. */
export function fixColumns(crs: Crs | null): string[] {
  return ['unit', 'time', ...(crs === null ? ['lat', 'lon'] : ['y', 'x']), ...MEASURED];
}

function* rowsOf(
  track: RawTrack,
  field: string,
  crs: Crs | null,
  marks: CsvMarks | undefined,
): Generator<string> {
  for (const cells of fixCells(track, field, crs)) yield csvRows([cells], marks);
}

/** Cells of each fix, in the order of `fixColumns`. `field`: path of the track in errors. */
export function* fixCells(track: RawTrack, field: string, crs: Crs | null): Generator<CsvCell[]> {
  const { unitId, fixes } = readRawTrack(track, field);
  for (const [i, fix] of fixes.entries()) yield cellsOf(unitId, fix, `${field}.fixes[${i}]`, crs);
}

function cellsOf(unitId: string, fix: Fix, field: string, crs: Crs | null): CsvCell[] {
  const [position] = readPositions([[fix.lon, fix.lat]], field);
  const [x, y] = crs === null ? position! : pairIn(crs, position!, field);
  const time = fixTime(fix.time, `${field}.time`);
  const { speedKph, courseDegrees, altitudeMeters, accuracyMeters, satellites, valid, ignition } = fix;
  const { mileageMeters, mileageDeltaMeters } = fix;
  return [
    unitId,
    time,
    y,
    x,
    speedKph,
    courseDegrees,
    altitudeMeters,
    accuracyMeters,
    satellites,
    valid,
    ignition,
    mileageMeters,
    mileageDeltaMeters,
  ];
}
