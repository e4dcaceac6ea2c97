/** Writes the fixes of tracks as a Parquet file, with the columns that `readParquet` reads back. */

import type { Fix, RawTrack } from '../../core/fix.js';
import { itemsOf } from '../../core/input.js';
import { fixTime, readRawTrack } from '../common/readRawTrack.js';
import { type ColumnType, ParquetRows } from './toParquet.js';

const COLUMNS: readonly (readonly [name: string, type: ColumnType, field: Exclude<keyof Fix, 'time'>])[] = [
  ['lat', 'number', 'lat'],
  ['lon', 'number', 'lon'],
  ['speed_kph', 'number', 'speedKph'],
  ['course_degrees', 'number', 'courseDegrees'],
  ['altitude_m', 'number', 'altitudeMeters'],
  ['accuracy_m', 'number', 'accuracyMeters'],
  ['satellites', 'number', 'satellites'],
  ['valid', 'boolean', 'valid'],
  ['ignition', 'boolean', 'ignition'],
  ['mileage_m', 'number', 'mileageMeters'],
  ['mileage_delta_m', 'number', 'mileageDeltaMeters'],
];

/**
 * Rows in the order of the tracks and their fixes. Columns: `unit_id`, `time_utc` (a timestamp in UTC), `lat`, `lon`, and one for each
 * other field that any fix has. Rejects with `source-type`, `fixes-type`, `time-range`.
 */
export async function toFixParquet(tracks: Iterable<RawTrack>): Promise<Uint8Array> {
  const list = [...itemsOf(tracks, 'tracks')].map((track, i) => readRawTrack(track, `tracks[${i}]`));
  const used = new Set<string>(['lat', 'lon']);
  for (const { fixes } of list) {
    for (const fix of fixes) for (const field of Object.keys(fix)) used.add(field);
  }
  const columns = COLUMNS.filter(([, , field]) => used.has(field));
  const types = Object.fromEntries(columns.map(([name, type]) => [name, type]));
  const file = await ParquetRows.open({ unit_id: 'text', time_utc: 'time', ...types });
  for (const [i, { unitId, fixes }] of list.entries()) {
    for (const [k, fix] of fixes.entries()) {
      // The text is checked as in other formats.
      const time = Date.parse(fixTime(fix.time, `tracks[${i}].fixes[${k}].time`));
      file.add([unitId, time, ...columns.map(([, , field]) => fix[field])]);
    }
  }
  return file.finish();
}
