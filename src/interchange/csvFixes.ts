/** Rows of a table with a time and a position as fixes. */

import { describe } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { readChoice, readNumber } from '../core/gate.js';
import { isProblem } from './crs.js';
import { type CsvColumns, findColumns } from './csvColumns.js';
import type { ForeignBuilder } from './foreignBuilder.js';
import type { CsvOptions } from './fromCsv.js';
import type { IssueList } from './issueList.js';
import { parseTime } from './parseTime.js';
import { plainNumber } from './plainNumber.js';

/** So many names of columns that are not read are said. */
const SAID_COLUMNS = 20;

export class FixRows {
  readonly #fixes = new Map<string, Fix[]>();
  readonly #options: CsvOptions;
  readonly #builder: ForeignBuilder;
  readonly #issues: IssueList;
  readonly #timeFormat: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  readonly #offsetMinutes: number | null;
  #columns: CsvColumns | null = null;
  /** How many the header has. */
  #cells = 0;

  constructor(options: CsvOptions, builder: ForeignBuilder) {
    const { timeFormat, timeZoneOffsetMinutes: offset, speedUnit } = options;
    this.#options = options;
    this.#builder = builder;
    this.#issues = builder.issues;
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

  /** The first row; without its needed columns no row is read. */
  header(record: readonly string[]): void {
    this.#columns = findColumns(record, this.#options.columns ?? {}, this.#options.speedUnit, this.#issues);
    if (this.#columns === null) return;
    this.#cells = record.length;
    const { others } = this.#columns;
    if (others.length === 0) return;
    const names = others.slice(0, SAID_COLUMNS).map(describe).join(', ');
    const rest = others.length > SAID_COLUMNS ? ` and ${others.length - SAID_COLUMNS} more` : '';
    const message = `expected columns that a fix holds, received also ${names}${rest}; left out`;
    this.#issues.warning('csv-columns', '', message, 1);
  }

  read(record: readonly string[], line: number): void {
    const columns = this.#columns;
    if (columns === null) return;
    const { at } = columns;
    if (record.length > this.#cells && record.slice(this.#cells).some((cell) => cell.trim() !== '')) {
      const message = `expected ${this.#cells} cells, as the header has, received ${record.length}; the rest is left out`;
      this.#issues.warning('csv-columns', '', message, line);
    }
    const unit = at.unit < 0 ? (this.#options.unitId ?? 'unit-1') : (record[at.unit] ?? '').trim();
    if (unit === '') {
      this.#issues.error('unit-missing', 'unit', 'expected a unit, received an empty cell', line);
      return;
    }
    const time = this.#time(record[at.time] ?? '', line);
    const y = this.#degrees(record[at.lat] ?? '', 'lat', line);
    const x = this.#degrees(record[at.lon] ?? '', 'lon', line);
    if (time === null || y === null || x === null) return;
    const place = this.#builder.place(x, y);
    if (isProblem(place)) {
      const field = place.code === 'lat-range' ? 'lat' : 'lon';
      this.#issues.error(place.code, field, place.message, line);
      return;
    }
    this.#builder.limits.countVertices(1);
    const [lon, lat] = place;
    const fix = this.#fix(record, columns, { time, lon, lat }, line);
    if (this.#builder.takesFix(unit, fix)) return;
    const fixes = this.#fixes.get(unit);
    if (fixes !== undefined) fixes.push(fix);
    else {
      this.#builder.limits.countFeature();
      this.#fixes.set(unit, [fix]);
    }
  }

  /** Hands the tracks over: one for each unit. */
  finish(): void {
    for (const [unitId, fixes] of this.#fixes) this.#builder.tracks.push({ name: unitId, unitId, fixes });
  }

  #fix(record: readonly string[], { at, kphPerUnit }: CsvColumns, place: Fix, line: number): Fix {
    const fix: { -readonly [Field in keyof Fix]: Fix[Field] } = place;
    if (kphPerUnit !== null) {
      const speed = this.#number(record, at.speed, 'speed', line, 0);
      if (speed !== null) fix.speedKph = speed * kphPerUnit;
    }
    const course = this.#number(record, at.course, 'course', line);
    if (course !== null) fix.courseDegrees = course;
    const altitude = this.#number(record, at.altitude, 'altitude', line);
    if (altitude !== null) fix.altitudeMeters = altitude;
    const accuracy = this.#number(record, at.accuracy, 'accuracy', line, 0);
    if (accuracy !== null) fix.accuracyMeters = accuracy;
    const satellites = this.#number(record, at.satellites, 'satellites', line, 0);
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

  #number(
    record: readonly string[],
    column: number,
    field: string,
    line: number,
    least: number = Number.NEGATIVE_INFINITY,
  ): number | null {
    if (column < 0) return null;
    const text = record[column] ?? '';
    if (text === '') return null;
    const value = plainNumber(text);
    if (value !== null && value >= least) return value;
    if (text.trim() !== '') {
      const what = least === 0 ? 'a number of at least 0' : 'a number';
      const message = `expected ${what}, received ${describe(text)}; left out`;
      this.#issues.warning('number-invalid', field, message, line);
    }
    return null;
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
