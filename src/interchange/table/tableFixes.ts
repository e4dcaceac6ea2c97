/** Reads the rows of a described table as fixes. */

import { describe } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import { FIX_FLAGS, FIX_NUMBERS } from '../common/fixBatches.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { isProblem } from '../crs/crs.js';
import { warnOfShortRow } from '../csv/csvOptions.js';
import { cellPlace, cellTime } from './cellTime.js';
import { LocalTimes } from './localTimes.js';
import type { TableRow } from './splitRows.js';
import type { TableRole } from './tableDescription.js';
import type { ReadyTable } from './tableDraft.js';
import { numberAndWord, tableFlag, tableNumber } from './tableNumber.js';
import { factorOf, unitIn } from './unitWords.js';

type FixDraft = { -readonly [Field in keyof Fix]: Fix[Field] };

/** Number of rows that decide whether a table is newest first. */
const ORDER_SAMPLE = 5000;

export class TableFixes {
  readonly #table: ReadyTable;
  readonly #builder: ForeignBuilder;
  readonly #local: LocalTimes | null;
  #lastUnit = '';
  #skipped = 0;
  #invalid = 0;

  /** Throws `tz-unknown`. */
  constructor(table: ReadyTable, builder: ForeignBuilder) {
    this.#table = table;
    this.#builder = builder;
    const { timeZone } = table.description;
    this.#local =
      timeZone === null || table.offset !== null ? null : new LocalTimes(timeZone, isDescending(table));
  }

  /** Reads all rows. */
  read(): void {
    for (const { rows, unit } of this.#table.parts.sections) {
      for (const row of rows) this.#row(row, unit);
    }
    const { issues } = this.#builder;
    if (this.#skipped > 0) {
      issues.warning(
        'time-skipped',
        'time',
        `${this.#skipped} times do not exist in ${this.#table.description.timeZone}: the clocks skip them`,
      );
    }
    const doubled = this.#local?.doubled ?? 0;
    if (doubled > 0) {
      issues.warning(
        'time-doubled',
        'time',
        `${doubled} times come twice in ${this.#table.description.timeZone}; settled by the order of the rows`,
      );
    }
    if (this.#invalid > 0)
      issues.warning(
        'row-invalid',
        'valid',
        `${this.#invalid} ${this.#invalid === 1 ? 'row is' : 'rows are'} left out: valid false`,
      );
  }

  #row({ cells: given, line }: TableRow, sectionUnit: string | null): void {
    const { at, header, freeText } = this.#table;
    const { issues } = this.#builder;
    let cells = given;
    if (given.length > header.length && given.slice(header.length).some((cell) => cell.trim() !== '')) {
      if (freeText === null) {
        issues.error(
          'cells-more-than-header',
          '',
          `expected ${header.length} cells as in the header, received ${given.length}; the row is left out`,
          line,
        );
        return;
      }
      cells = given.slice(0, freeText);
    } else if (freeText === null && this.#table.open.form !== 'xlsx')
      // Workbooks omit cells in which nothing is written.
      warnOfShortRow(given.length, header.length, issues, line);
    const unit = this.#unit(cells, sectionUnit, line);
    if (unit === null || this.#table.suspects.has(unit)) return;
    const time = this.#time(cells, unit, line);
    const xy = cellPlace(cells, at, this.#table.place, this.#table.decimal);
    if (xy === null) {
      const column = at.lat ?? at.position ?? at.wkt ?? 0;
      issues.error(
        'coord-type',
        at.lat === undefined ? 'position' : 'lat',
        `expected a position (${this.#table.place.form}), received ${describe([cells[column], cells[at.lon ?? column]].join(', '))}`,
        line,
      );
    }
    if (time === null || xy === null) return;
    const [x, y] = this.#table.swapped.has(unit) ? [xy[1], xy[0]] : xy;
    const place = this.#builder.place(x, y);
    if (isProblem(place)) {
      issues.error(place.code, place.code === 'lat-range' ? 'lat' : 'lon', place.message, line);
      return;
    }
    const fix: FixDraft = { time, lon: place[0], lat: place[1] };
    this.#numbers(fix, cells, line);
    if (this.#flags(fix, cells, line) === false && this.#table.leavesOutInvalid) {
      this.#invalid++;
      return;
    }
    this.#builder.limits.countVertices(1);
    this.#builder.addFix(unit, fix);
  }

  #unit(cells: readonly string[], sectionUnit: string | null, line: number): string | null {
    const { at, unitId, fillsUnits } = this.#table;
    if (at.unit === undefined) return sectionUnit ?? unitId;
    const unit = (cells[at.unit] ?? '').trim();
    if (unit !== '') {
      this.#lastUnit = unit;
      return unit;
    }
    if (fillsUnits && this.#lastUnit !== '') return this.#lastUnit;
    this.#builder.issues.error('unit-missing', 'unit', 'expected a unit, received an empty cell', line);
    return null;
  }

  #time(cells: readonly string[], unit: string, line: number): number | null {
    const { at, time: form, decimal, offset, description } = this.#table;
    const found = cellTime(cells, at, form, decimal);
    if (found === null) {
      const text = [cells[at.date ?? -1], cells[at.time ?? at.clock ?? -1]]
        .filter((cell) => cell !== undefined)
        .join(' ');
      this.#builder.issues.error(
        'time-invalid',
        'time',
        `expected a time as in the other rows, received ${describe(text)}`,
        line,
      );
      return null;
    }
    if (!found.isLocal) return found.time;
    if (offset !== null) return found.time - offset * 60_000;
    const time = this.#local?.resolve(found.time, unit) ?? null;
    if (time !== null) return time;
    if (this.#local === null) {
      this.#builder.issues.error(
        'time-invalid',
        'time',
        'expected a time with a zone, as in the other rows, received one without',
        line,
      );
      return null;
    }
    this.#skipped++;
    const wall = new Date(found.time).toISOString().slice(0, 19).replace('T', ' ');
    this.#builder.issues.error(
      'time-skipped',
      'time',
      `expected a time that the clocks of ${description.timeZone} show, received ${wall}, which they skip`,
      line,
    );
    return null;
  }

  #numbers(fix: FixDraft, cells: readonly string[], line: number): void {
    const { at, factors, decimal } = this.#table;
    for (const { quantity: role, name, least, hasGroups } of FIX_NUMBERS) {
      const column = at[role];
      if (column === undefined) continue;
      const text = (cells[column] ?? '').trim();
      if (text === '' || /^(?:-|—|null|nan|n\/a|none)$/i.test(text)) continue;
      const factor = role in factors ? factors[role] : role === 'speed' ? undefined : 1;
      if (factor === null) continue;
      const value = this.#number(text, role, factor, decimal, hasGroups);
      if (value === null) continue;
      if (!Number.isNaN(value) && value >= least) fix[name] = value;
      else {
        const message = `expected ${least === 0 ? 'a number of at least 0' : 'a number'}, received ${describe(text)}; left out`;
        this.#builder.issues.warning('number-invalid', role, message, line);
      }
    }
  }

  /** The value in km/h or metres; NaN for an invalid text, null if its unit is unknown. */
  #number(
    text: string,
    role: TableRole,
    factor: number | undefined,
    decimal: '.' | ',',
    groups: boolean,
  ): number | null {
    const plain = tableNumber(text, decimal, groups);
    if (plain !== null) return factor === undefined ? null : plain * factor;
    const found = numberAndWord(text);
    const value = found === null ? null : tableNumber(found.number, decimal, groups);
    if (found === null || value === null) return Number.NaN;
    if (role === 'course' && /^[°º]$/.test(found.word)) return value;
    const measure = role === 'speed' ? 'speed' : 'length';
    const unit = unitIn(found.word, measure);
    return unit === null ? Number.NaN : value * (factorOf(unit.unit, measure) ?? Number.NaN);
  }

  /** Sets the flags, and returns that of `valid`. */
  #flags(fix: FixDraft, cells: readonly string[], line: number): boolean | null {
    const { at } = this.#table;
    let valid: boolean | null = null;
    for (const name of FIX_FLAGS) {
      const column = at[name];
      const text = column === undefined ? '' : (cells[column] ?? '').trim();
      if (text === '') continue;
      const value = tableFlag(text);
      if (value === null) {
        this.#builder.issues.warning(
          'number-invalid',
          name,
          `expected true or false, received ${describe(text)}; left out`,
          line,
        );
        continue;
      }
      fix[name] = value;
      if (name === 'valid') valid = value;
    }
    return valid;
  }
}

/** Whether the newest row comes first. */
function isDescending({ parts, at, time, decimal }: ReadyTable): boolean {
  const last = new Map<string, number>();
  let up = 0;
  let down = 0;
  let seen = 0;
  for (const { rows } of parts.sections) {
    for (const { cells } of rows) {
      if (seen++ > ORDER_SAMPLE) break;
      const found = cellTime(cells, at, time, decimal);
      if (found === null) continue;
      const unit = at.unit === undefined ? '' : (cells[at.unit] ?? '');
      const before = last.get(unit);
      last.set(unit, found.time);
      if (before === undefined || before === found.time) continue;
      if (found.time > before) up++;
      else down++;
    }
  }
  return down > up;
}
