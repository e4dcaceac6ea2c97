/** Chooses the columns of the time, with the form and zone of their values. */

import type { TimedPosition } from '../../core/fix.js';
import { pushTo } from '../../core/pushTo.js';
import { isTorn } from '../common/suspectUnits.js';
import { cellTime, type TimeForm } from './cellTime.js';
import { type ColumnFact, candidates } from './columnFacts.js';
import type { TableRow } from './splitRows.js';
import {
  makeNotes,
  type Notes,
  type TableHints,
  type TableNote,
  type TableRole,
} from './tableDescription.js';
import { tableNumber } from './tableNumber.js';
import { type NumberTime, TimeJudge } from './timeJudge.js';
import type { MonthNames } from './unitWords.js';

export interface TimeFinding {
  readonly at: Partial<Record<TableRole, number>>;
  readonly form: TimeForm;
  /** Format for the description. */
  readonly format: string | null;
  /** Offset named by the header, minutes east of UTC; null for none. */
  readonly offset: number | null;
  /** Whether some times have no zone. */
  readonly needsZone: boolean;
  readonly assumptions: readonly TableNote[];
  readonly questions: readonly TableNote[];
  /** Whether the columns were chosen by their cells, for the description. */
  readonly isFound: boolean;
}

/** Rank of columns chosen by their cells, without a known word. */
const BY_CELLS = 5;

interface Judged {
  readonly column: ColumnFact & { readonly rank: number };
  readonly judge: TimeJudge;
  kind: 'stamp' | 'date' | 'clock' | null;
  /** Whether another column has times that fit the positions, and this one has not. */
  isTorn: boolean;
}

/** Number of rows that show which times fit the positions. */
const WAY_ROWS = 2000;

export function judgeTimes(
  columns: readonly ColumnFact[],
  rows: readonly TableRow[],
  hints: TableHints,
  months: MonthNames,
  decimal: '.' | ',',
): TimeFinding {
  const judged = timeColumns(columns, rows).map((column): Judged => {
    const judge = new TimeJudge(months, decimal, column.given ?? column.facts[0]?.role ?? null);
    for (const { cells } of rows) judge.add(cells[column.index] ?? '');
    return { column, judge, kind: timeKindOf(judge, column), isTorn: false };
  });
  splitTimes(judged);
  const notes = makeNotes();
  const { assumptions, questions, say, ask } = notes;
  const ofKind = (wanted: Judged['kind']): Judged[] =>
    judged.filter(({ kind }) => kind === wanted).sort((a, b) => a.column.rank - b.column.rank);
  const stamps = ofKind('stamp');
  const at: Partial<Record<TableRole, number>> = {};
  let used: Judged[] = [];
  const stamp = ofTheWay(stamps, rows, columns, hints, months, decimal, say);
  const [clock] = ofKind('clock');
  const [date] = ofKind('date');
  if (stamp?.column.rank === BY_CELLS)
    say(`time is the column ${JSON.stringify(stamp.column.name)}, by its cells`, '--time-column');
  if (stamp !== undefined && !(stamp.column.rank > 2 && clock !== undefined && date !== undefined)) {
    used = [stamp];
    at.time = stamp.column.index;
    const rivals = stamps.filter((other) => other !== stamp && !other.isTorn);
    const equal = rivals.filter(({ column }) => column.rank === stamp.column.rank);
    if (equal.some((other) => differs(rows, stamp.column.index, other.column.index))) {
      const names = [stamp, ...equal].map(({ column }) => JSON.stringify(column.name)).join(', ');
      ask(
        'columns-unknown',
        `expected one column of times, received ${names}`,
        `--time-column ${quoted(stamp.column.name)}`,
      );
    } else if (rivals.length > 0) {
      const names = rivals.map(({ column }) => JSON.stringify(column.name)).join(', ');
      say(
        `time is ${JSON.stringify(stamp.column.name)}, not ${names}`,
        `--time-column ${quoted(rivals[0]!.column.name)}`,
      );
    }
  } else if (clock !== undefined) {
    at.clock = clock.column.index;
    used = [clock];
    if (date !== undefined) {
      at.date = date.column.index;
      used.push(date);
      say(`time is ${JSON.stringify(date.column.name)} and ${JSON.stringify(clock.column.name)} together`);
    } else if (hints.date === undefined) {
      ask(
        'date-missing',
        `the times of ${JSON.stringify(clock.column.name)} have no date`,
        '--date 2026-03-20',
      );
    }
    if (clock.judge.lateClocks > 0) say('hours from 24 on are of the next day');
  }
  const form = timeFormOf(used, hints, notes, months);
  const offset = used.map(({ column }) => column.offset).find((own) => own !== null) ?? null;
  const needsZone = used.some(({ judge, kind }) => kind !== 'date' && zonelessCount(judge, form) > 0);
  for (const { judge } of used) {
    for (const word of judge.zoneTexts) if (/^(?:мск|msk)$/i.test(word)) say(`${word} read as +03:00`);
  }
  const isIso = used.length === 1 && form.numbers === null && form.order === null;
  const format = form.numbers ?? (isIso ? 'iso' : form.order);
  return { at, form, format, offset, needsZone, assumptions, questions, isFound: used.length > 0 };
}

/**
 * Databases and workbooks write a day as its midnight, and a time of day after a day such as 1899-12-30. Such columns are halves of one
 * time if the table has both.
 */
function splitTimes(judged: readonly Judged[]): void {
  const isDay = ({ kind, judge }: Judged): boolean =>
    kind === 'date' || (kind === 'stamp' && judge.midnights === judge.cells);
  const isClock = ({ kind, judge }: Judged): boolean =>
    kind === 'clock' || (kind === 'stamp' && judge.zeroDays === judge.cells);
  if (!judged.some(isDay) || !judged.some((own) => isClock(own) && !isDay(own))) return;
  for (const own of judged) {
    if (isDay(own)) own.kind = 'date';
    else if (isClock(own)) own.kind = 'clock';
  }
}

/**
 * The column of times: the first by rank, unless a unit would jump by its times but not by those of another column. Server times fall into
 * one second after a time without a network.
 */
function ofTheWay(
  stamps: readonly Judged[],
  rows: readonly TableRow[],
  columns: readonly ColumnFact[],
  hints: TableHints,
  months: MonthNames,
  decimal: '.' | ',',
  say: Notes['say'],
): Judged | undefined {
  const [first] = stamps;
  if (first === undefined || stamps.length < 2 || first.column.rank === -1) return first;
  const [lat, lon, unit] = (['lat', 'lon', 'unit'] as const).map(
    (role) => candidates(columns, role)[0]?.index,
  );
  if (lat === undefined || lon === undefined) return first;
  for (const own of stamps) {
    const form = timeFormOf([own], hints, makeNotes(), months);
    const read = { ...form, order: form.order ?? 'mdy' } as const;
    const groups = new Map<string, TimedPosition[]>();
    for (const { cells } of rows.slice(0, WAY_ROWS)) {
      const time = cellTime(cells, { time: own.column.index }, read, decimal)?.time;
      const [y, x] = [tableNumber(cells[lat] ?? '', decimal), tableNumber(cells[lon] ?? '', decimal)];
      if (time === undefined || y === null || x === null || Math.abs(y) > 90 || Math.abs(x) > 180) continue;
      pushTo(groups, unit === undefined ? '' : (cells[unit] ?? ''), { time, lon: x, lat: y });
    }
    own.isTorn = [...groups.values()].some((points) => isTorn(points) && changes(points));
  }
  const fitting = stamps.find((own) => !own.isTorn);
  if (fitting === undefined) for (const own of stamps) own.isTorn = false;
  if (fitting === undefined || fitting === first) return first;
  const names = [fitting, first].map(({ column }) => JSON.stringify(column.name)).join(', not ');
  say(`time is ${names}, by whose times the unit would jump`, `--time-column ${quoted(first.column.name)}`);
  return fitting;
}

/** Whether most times differ. A whole day at each place shows nothing. */
function changes(points: readonly TimedPosition[]): boolean {
  return new Set(points.map(({ time }) => time)).size > points.length / 2;
}

function quoted(name: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? name : JSON.stringify(name);
}

/** Rank from which words mean times of a server, not of the unit. */
const SERVER_RANK = 3;

/** Columns that a header names for times of the unit; if there are none, also columns whose cells are times with a date. */
function timeColumns(
  columns: readonly ColumnFact[],
  rows: readonly TableRow[],
): (ColumnFact & { readonly rank: number })[] {
  const given = (['time', 'date', 'clock'] as const).flatMap((role) => candidates(columns, role));
  const byCaller = given.filter(({ rank }) => rank === -1);
  if (byCaller.length > 0) return byCaller.map((column) => ({ ...column, isEmpty: false }));
  const named = given.filter((column, i) => given.findIndex(({ index }) => index === column.index) === i);
  if (named.some(({ rank }) => rank < SERVER_RANK)) return named;
  const sample = rows.slice(0, 50);
  const byCells = columns
    .filter(({ facts, given: own }) => own === undefined && facts.length === 0)
    .filter(
      ({ index }) =>
        sample.length > 0 &&
        sample.every(({ cells }) =>
          /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}.*\d:\d\d/.test((cells[index] ?? '').slice(0, 64)),
        ),
    )
    .map((column) => ({ ...column, rank: BY_CELLS }));
  return [...named, ...byCells];
}

function timeKindOf(judge: TimeJudge, column: ColumnFact & { readonly rank: number }): Judged['kind'] {
  const { cells, withDate, clocks, dates, fractions, numbers } = judge;
  if (cells === 0) return null;
  const stamps =
    withDate + numbers.seconds + numbers.milliseconds + numbers.microseconds + numbers.nanoseconds;
  const first = column.facts[0]?.role ?? column.given;
  // Whole days may be dates; days with fractions are times.
  const best = Math.max(stamps, clocks + fractions, dates, numbers.days);
  // Accepted if the caller named the column, or half of the cells fit.
  if (best < cells / 2) return column.rank === -1 ? asNamed(column) : null;
  if (best === numbers.days && numbers.days > 0) return first === 'date' ? 'date' : 'stamp';
  if (best === stamps) return 'stamp';
  return best === dates ? 'date' : 'clock';
}

function asNamed({ given }: ColumnFact): Judged['kind'] {
  return given === 'date' ? 'date' : given === 'clock' ? 'clock' : 'stamp';
}

function differs(rows: readonly TableRow[], a: number, b: number): boolean {
  return rows.some(({ cells }) => (cells[a] ?? '') !== (cells[b] ?? ''));
}

function zonelessCount(judge: TimeJudge, form: TimeForm): number {
  const days = form.numbers === 'days' ? judge.numbers.days : 0;
  return judge.zoneless + judge.fractions + days;
}

const NUMBER_WORDS: Readonly<Record<NumberTime, string>> = {
  seconds: 'epoch seconds (10 digits)',
  milliseconds: 'epoch milliseconds (13 digits)',
  microseconds: 'epoch microseconds (16 digits)',
  nanoseconds: 'epoch nanoseconds (19 digits)',
  days: 'serial days of a spreadsheet',
};

function timeFormOf(
  used: readonly Judged[],
  hints: TableHints,
  { say, ask }: Notes,
  months: MonthNames,
): TimeForm {
  let order: TimeForm['order'] = hints.dateOrder ?? null;
  let numbers: NumberTime | null = null;
  for (const { judge, column, kind } of used) {
    if (column.givenFormat === 'dmy' || column.givenFormat === 'mdy') order ??= column.givenFormat;
    const found = judge.order;
    if (judge.rounded > 0) {
      ask(
        'digits-lost',
        `${judge.rounded} times of ${JSON.stringify(column.name)} are numbers that a spreadsheet program rounded, such as 1.76845E+12; save the column with all digits`,
        '',
      );
    }
    if (found === 'contradiction' && order === null) {
      ask(
        'date-order-unknown',
        `the dates of ${JSON.stringify(column.name)} are day first in some rows and month first in others`,
        '--date-order dmy',
      );
    } else if (found === 'unknown' && order === null) {
      ask(
        'date-order-unknown',
        judge.hasShortDashes
          ? `the dates of ${JSON.stringify(column.name)} begin with a day or with a year of two digits`
          : `no number of the dates of ${JSON.stringify(column.name)} is above 12, so that day and month cannot be told apart`,
        judge.hasShortDashes ? '--date-order ymd' : '--date-order mdy',
      );
    } else if (found === 'ymd') {
      if (order === null)
        say(
          'dates are year-month-day: their last number changes, or their first is above 31',
          '--date-order dmy',
        );
      order ??= found;
    } else if (found === 'dmy' || found === 'mdy') {
      if (order === null) {
        const why =
          judge.dayFirst > 0 || judge.monthFirst > 0
            ? 'a number above 12 cannot be a month'
            : 'points stand between the numbers';
        say(
          `dates are ${found === 'dmy' ? 'day.month.year' : 'month/day/year'}: ${why}`,
          `--date-order ${found === 'dmy' ? 'mdy' : 'dmy'}`,
        );
      }
      order ??= found;
    }
    if (judge.shortYears > 0) say('years of two digits are of this century (26 read as 2026)');
    const named = numberFormat(column.givenFormat ?? column.unit);
    const most = judge.numberForm;
    if (kind !== 'stamp' || (named === null && (most === null || most.count < judge.times))) continue;
    numbers = named ?? most?.form ?? null;
    if (numbers !== null && named === null && most !== null) {
      if (most.others > 0)
        ask(
          'time-format-unknown',
          `the numbers of ${JSON.stringify(column.name)} are times in several forms`,
          '',
        );
      else say(`times are ${NUMBER_WORDS[numbers]}`);
    } else if (numbers !== null && most !== null && most.form !== numbers) {
      ask(
        'time-format-unknown',
        `the header says ${numbers}, the numbers look like ${NUMBER_WORDS[most.form]}`,
        '',
      );
    }
  }
  const day = hints.date === undefined ? null : dayOfText(hints.date);
  return { order, numbers, months, day };
}

function numberFormat(text: string | null): NumberTime | null {
  return text !== null && Object.hasOwn(NUMBER_WORDS, text) ? (text as NumberTime) : null;
}

/** Midnight of `yyyy-MM-dd`; null for other texts. */
export function dayOfText(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return null;
  const time = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return new Date(time).toISOString().slice(0, 10) === text ? time : null;
}
