/** Reads rows with a time and a position as fixes. */

import { describe } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import { MAX_TIME, readNumber } from '../../core/input.js';
import { checkOptions, readOption, type WordRow } from '../../core/options.js';
import { FIX_FLAGS, FIX_NUMBERS } from '../common/fixBatches.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { IssueList } from '../common/issueList.js';
import { parseTime, plainNumber } from '../common/parseTime.js';
import { isProblem } from '../crs/crs.js';
import { HINT_WORDS } from '../table/tableDescription.js';
import { tableFlag } from '../table/tableNumber.js';
import {
  COLUMN_NAMES,
  CSV_OPTIONS,
  type CsvColumns,
  type CsvOptions,
  findColumns,
  type SpeedUnit,
  warnOfOtherColumns,
  warnOfShortRow,
} from './csvOptions.js';
import type { FixColumn, FixLayout } from './fixScanner.js';

const SPEED_UNIT: WordRow<SpeedUnit> = { words: HINT_WORDS.speedUnit };

const DEFAULT_UNIT = 'unit-1';

export class FixRows {
  readonly #options: CsvOptions;
  readonly #builder: ForeignBuilder;
  readonly #issues: IssueList;
  #timeFormat: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  readonly #offsetMinutes: number | null;
  #columns: CsvColumns | null = null;
  /** Number of cells of the header. */
  #cells = 0;

  constructor(options: CsvOptions, builder: ForeignBuilder) {
    const { timeFormat, timeZoneOffsetMinutes: offset, speedUnit } = options;
    checkOptions(options.columns ?? {}, COLUMN_NAMES, 'columns');
    this.#options = options;
    this.#builder = builder;
    this.#issues = builder.issues;
    this.#timeFormat = readOption(CSV_OPTIONS.timeFormat, timeFormat, 'timeFormat');
    readOption(SPEED_UNIT, speedUnit, 'speedUnit');
    this.#offsetMinutes =
      offset === undefined ? null : readNumber(offset, 'timeZoneOffsetMinutes', 'option-value', -1080, 1080);
  }

  /** Reads the header. If a required column is missing, no row will be read. */
  header(record: readonly string[], line: number): void {
    const { columns = {}, speedUnit } = this.#options;
    this.#columns = findColumns(record, columns, speedUnit, this.#issues, line);
    if (this.#columns === null) return;
    this.#cells = record.length;
    warnOfOtherColumns(this.#columns.others.map(describe), this.#issues, line);
  }

  /** From now on reads times as ISO 8601, and ignores the option `timeFormat`. */
  useIsoTimes(): void {
    this.#timeFormat = 'iso';
  }

  read(record: readonly string[], line: number): void {
    const columns = this.#columns;
    if (columns === null) return;
    const { at } = columns;
    warnOfShortRow(record.length, this.#cells, this.#issues, line);
    if (record.length > this.#cells && record.slice(this.#cells).some((cell) => cell.trim() !== '')) {
      const message = `expected ${this.#cells} cells as in the header, received ${record.length}; the rest is left out`;
      this.#issues.warning('csv-columns', '', message, line);
    }
    const unit = at.unit < 0 ? (this.#options.unitId ?? DEFAULT_UNIT) : (record[at.unit] ?? '').trim();
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
    this.#builder.addFix(unit, fix);
  }

  /** The layout of rows for readers of bytes. Null if `read` must read the rows. */
  layout(): FixLayout | null {
    if (this.#columns === null) return null;
    const { at, kphPerUnit } = this.#columns;
    const columns = Array.from({ length: this.#cells }, (): FixColumn => ({ kind: 'skip' }));
    const put = (column: number, own: FixColumn): boolean => {
      if (column < 0) return true;
      const isFree = columns[column]?.kind === 'skip';
      columns[column] = own;
      return isFree;
    };
    const free = [
      put(at.unit, { kind: 'unit' }),
      put(at.time, { kind: 'time' }),
      put(at.lon, { kind: 'lon' }),
      put(at.lat, { kind: 'lat' }),
      ...FIX_NUMBERS.map(({ quantity, name, least }) =>
        quantity === 'speed' && kphPerUnit === null
          ? true
          : put(at[quantity], {
              kind: 'number',
              name,
              least,
              scale: quantity === 'speed' ? (kphPerUnit ?? 1) : 1,
            }),
      ),
      ...FIX_FLAGS.map((name) => put(at[name], { kind: 'flag', name })),
    ];
    // The caller may have named one column for two quantities.
    if (!free.every(Boolean)) return null;
    return {
      columns,
      timeFormat: this.#timeFormat,
      offsetMinutes: this.#offsetMinutes,
      unitId: at.unit < 0 ? (this.#options.unitId ?? DEFAULT_UNIT) : null,
    };
  }

  #fix(record: readonly string[], { at, kphPerUnit }: CsvColumns, place: Fix, line: number): Fix {
    const fix: { -readonly [Field in keyof Fix]: Fix[Field] } = place;
    for (const { quantity, name, least } of FIX_NUMBERS) {
      if (quantity === 'speed' && kphPerUnit === null) continue;
      const value = this.#number(record, at[quantity], quantity, line, least);
      if (value !== null) fix[name] = quantity === 'speed' ? value * (kphPerUnit ?? 1) : value;
    }
    for (const name of FIX_FLAGS) {
      const value = this.#flag(record, at[name], name, line);
      if (value !== null) fix[name] = value;
    }
    return fix;
  }

  #time(text: string, line: number): number | null {
    if (this.#timeFormat !== 'iso') {
      const value = plainNumber(text);
      const time =
        value === null ? Number.NaN : Math.floor(this.#timeFormat === 'epoch-seconds' ? value * 1000 : value);
      if (Math.abs(time) <= MAX_TIME) return time;
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
    least: number,
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
    const text = (record[column] ?? '').trim();
    if (text === '') return null;
    const value = tableFlag(text);
    if (value !== null) return value;
    this.#issues.warning(
      'number-invalid',
      field,
      `expected true or false, received ${describe(text)}; left out`,
      line,
    );
    return null;
  }
}
