/** Delimited text (RFC 4180) with a header as tracks: one for each unit. */

import { type CsvError, parse } from 'csv-parse/sync';
import { describe } from '../core/errors.js';
import type { Fix, ForeignData } from '../core/fix.js';
import { readChoice, readNumber } from '../core/gate.js';
import { type CsvColumns, findColumns, type Quantity, type SpeedUnit } from './csvColumns.js';
import { decodeText } from './decodeText.js';
import { ForeignBuilder } from './foreignBuilder.js';
import { IssueList } from './issueList.js';
import { parseTime } from './parseTime.js';
import { plainNumber } from './plainNumber.js';
import { positionProblem } from './readShape.js';

export interface CsvOptions {
  /** Header names, where they are not the common ones (`vehicle_id`, `timestamp`, `lat`, `lon`, `speed_kph`…). */
  readonly columns?: Partial<Readonly<Record<Quantity, string>>>;
  /** What the speed column counts, where its name does not say so. Without both, speeds are left out with an error. */
  readonly speedUnit?: SpeedUnit;
  /** How times are written. Default `iso`. */
  readonly timeFormat?: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  /** Minutes east of UTC for ISO times without a zone. Without it such a time is `time-invalid`. */
  readonly timeZoneOffsetMinutes?: number;
  /** The unit of a file without a unit column. Default `unit-1`. */
  readonly unitId?: string;
  /** Default: the one of comma, semicolon, tab that the header has most of. */
  readonly delimiter?: string;
}

/**
 * The fixes of a table with one row a fix, as one track for each unit, in the file's order.
 *
 * A row whose unit, time or position cannot be read is left out with an issue that has its line; a wrong number in another
 * column is left out alone (`number-invalid`). Of each code the first 100 are given, then one issue with the exact count.
 *
 * Issues: `encoding`, `csv-syntax`, `csv-columns`, `speed-unit`, `unit-missing`, `time-invalid`, `coord-type`,
 * `lat-range`, `lon-range`, `number-invalid`, `leap-second`. Throws `input-type`, `option-value`. Cost O(bytes).
 *
 * @example
 * ```ts
 * import { fromCsv } from 'wayzone/interchange';
 * const file = 'unit,time,lat,lon\nvan,2026-03-02T08:00:00Z,55.7,37.6';
 * fromCsv(file).value.tracks[0].fixes; // [{ time: 1772438400000, lon: 37.6, lat: 55.7 }]
 * ```
 */
export function fromCsv(input: string | Uint8Array, options: CsvOptions = {}): ForeignData {
  const issues = new IssueList();
  const builder = new ForeignBuilder(issues, 'lonlat');
  const text = decodeText(input, issues);
  const rows = new RowReader(options, issues);
  try {
    parse(text, {
      delimiter: options.delimiter ?? delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (record: string[], { lines }) => {
        rows.read(record, lines);
        return null;
      },
    });
  } catch (error) {
    if (!isCsvError(error)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : undefined;
    issues.error(
      'csv-syntax',
      '',
      `expected RFC 4180 text, received: ${error.message}; the rest is not read`,
      line,
    );
  }
  rows.finish();
  for (const [unitId, fixes] of rows.fixes) builder.tracks.push({ name: unitId, unitId, fixes });
  return builder.toForeignData();
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/);
  const header = end < 0 ? text : text.slice(0, end);
  let best = ',';
  let most = 0;
  for (const delimiter of [',', ';', '\t']) {
    const count = header.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}

class RowReader {
  readonly fixes = new Map<string, Fix[]>();
  readonly #options: CsvOptions;
  readonly #issues: IssueList;
  readonly #timeFormat: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  readonly #offsetMinutes: number | null;
  #columns: CsvColumns | null = null;
  #header = false;

  constructor(options: CsvOptions, issues: IssueList) {
    const { timeFormat, timeZoneOffsetMinutes: offset, speedUnit } = options;
    this.#options = options;
    this.#issues = issues;
    this.#timeFormat = readChoice(
      timeFormat,
      'timeFormat',
      ['iso', 'epoch-seconds', 'epoch-milliseconds'],
      'iso',
    );
    readChoice(speedUnit, 'speedUnit', ['kph', 'mps', 'mph'], 'kph');
    this.#offsetMinutes =
      offset === undefined ? null : readNumber(offset, 'timeZoneOffsetMinutes', 'option-value', -1080, 1080);
  }

  finish(): void {
    if (!this.#header) this.#issues.error('csv-columns', '', 'expected a header, received an empty file', 1);
  }

  read(record: readonly string[], line: number): void {
    if (!this.#header) {
      this.#header = true;
      this.#columns = findColumns(record, this.#options.columns ?? {}, this.#options.speedUnit, this.#issues);
      return;
    }
    const columns = this.#columns;
    if (columns === null) return;
    const { at } = columns;
    const unit = at.unit < 0 ? (this.#options.unitId ?? 'unit-1') : (record[at.unit] ?? '').trim();
    if (unit === '') {
      this.#issues.error('unit-missing', 'unit', 'expected a unit, received an empty cell', line);
      return;
    }
    const time = this.#time(record[at.time] ?? '', line);
    const lat = this.#degrees(record[at.lat] ?? '', 'lat', line);
    const lon = this.#degrees(record[at.lon] ?? '', 'lon', line);
    if (time === null || lat === null || lon === null) return;
    const problem = positionProblem(lon, lat);
    if (problem !== null) {
      const field = problem.code === 'lat-range' ? 'lat' : 'lon';
      this.#issues.error(problem.code, field, problem.message, line);
      return;
    }
    const fixes = this.fixes.get(unit);
    const fix = this.#fix(record, columns, { time, lon, lat }, line);
    if (fixes === undefined) this.fixes.set(unit, [fix]);
    else fixes.push(fix);
  }

  #fix(record: readonly string[], { at, kphPerUnit }: CsvColumns, place: Fix, line: number): Fix {
    const fix: { -readonly [Field in keyof Fix]: Fix[Field] } = place;
    if (kphPerUnit !== null) {
      const speed = this.#number(record, at.speed, 'speed', line);
      if (speed !== null) fix.speedKph = speed * kphPerUnit;
    }
    const course = this.#number(record, at.course, 'course', line);
    if (course !== null) fix.courseDegrees = course;
    const altitude = this.#number(record, at.altitude, 'altitude', line);
    if (altitude !== null) fix.altitudeMeters = altitude;
    const accuracy = this.#number(record, at.accuracy, 'accuracy', line);
    if (accuracy !== null) fix.accuracyMeters = accuracy;
    const satellites = this.#number(record, at.satellites, 'satellites', line);
    if (satellites !== null) fix.satellites = satellites;
    const valid = this.#flag(record, at.valid, 'valid', line);
    if (valid !== null) fix.valid = valid;
    const ignition = this.#flag(record, at.ignition, 'ignition', line);
    if (ignition !== null) fix.ignition = ignition;
    return fix;
  }

  #time(text: string, line: number): number | null {
    if (this.#timeFormat !== 'iso') {
      const value = plainNumber(text);
      const time =
        value === null ? Number.NaN : Math.floor(this.#timeFormat === 'epoch-seconds' ? value * 1000 : value);
      if (Math.abs(time) <= 8.64e15) return time;
      this.#issues.error(
        'time-invalid',
        'time',
        `expected ${this.#timeFormat}, received ${describe(text)}`,
        line,
      );
      return null;
    }
    const parsed = parseTime(text, this.#offsetMinutes);
    if (parsed === null) {
      const zone = this.#offsetMinutes === null ? ' with a zone' : '';
      this.#issues.error(
        'time-invalid',
        'time',
        `expected an ISO 8601 time${zone}, received ${describe(text)}`,
        line,
      );
      return null;
    }
    if (parsed.note === 'leap-second') {
      this.#issues.warning('leap-second', 'time', `${text} is read as the millisecond before it`, line);
    }
    return parsed.time;
  }

  #degrees(text: string, field: string, line: number): number | null {
    const value = plainNumber(text);
    if (value === null) {
      this.#issues.error(
        'coord-type',
        field,
        `expected a number of degrees, received ${describe(text)}`,
        line,
      );
    }
    return value;
  }

  #number(record: readonly string[], column: number, field: string, line: number): number | null {
    if (column < 0) return null;
    const text = record[column] ?? '';
    if (text === '') return null;
    const value = plainNumber(text);
    if (value === null && text.trim() !== '') {
      this.#issues.warning(
        'number-invalid',
        field,
        `expected a number, received ${describe(text)}; left out`,
        line,
      );
    }
    return value;
  }

  #flag(record: readonly string[], column: number, field: string, line: number): boolean | null {
    if (column < 0) return null;
    const text = (record[column] ?? '').trim().toLowerCase();
    if (text === '') return null;
    if (['1', 'true', 'yes', 'on', 'a'].includes(text)) return true;
    if (['0', 'false', 'no', 'off', 'v'].includes(text)) return false;
    this.#issues.warning(
      'number-invalid',
      field,
      `expected true or false, received ${describe(text)}; left out`,
      line,
    );
    return null;
  }
}
