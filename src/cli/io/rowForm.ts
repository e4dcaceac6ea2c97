/** The form of rows in CSV and workbooks: local times beside UTC, decimals, and the separators of spreadsheet programs. */

import { MINUTE_MS } from '../../core/durations.js';
import { type LocalClock, makeClock, offsetText } from '../../core/localClock.js';
import { type CsvCell, type CsvMarks, csvHead, csvRows } from '../../interchange/csv/toCsv.js';
import type { RowFlags } from '../flags/tableFlags.js';

const UTC_END = /_utc$/;

/** Decimals of numbers by the end of the column's name. 1e-7 deg ≈ 1 cm. */
const DECIMALS: readonly (readonly [end: RegExp, decimals: number])[] = [
  [/(?:^|_)(?:lon|lat)$/, 7],
  [/_meters$/, 1],
  [/_kph$/, 2],
  [/_seconds$/, 3],
  [/_share$/, 4],
];

/** Rows with a cell for each column, the local times among them. */
export interface RowForm<Row> {
  /** Names of the columns. If a time zone is given, a column `…_local` follows each `…_utc`. */
  readonly columns: readonly string[];
  /** Cells for CSV. */
  cells(row: Row): CsvCell[];
  /** Cells with times in epoch milliseconds. A local time is the instant that UTC would show as the zone's wall time. */
  values(row: Row): CsvCell[];
  /** The header as CSV. */
  head(): string;
  /** Rows as CSV. */
  text(rows: readonly Row[]): string;
}

interface Column {
  readonly name: string;
  readonly source: string;
  readonly isTime: boolean;
  readonly isLocal: boolean;
  /** 10 to the power of the number of decimals; 0: numbers are not rounded. */
  readonly scale: number;
}

/** Errors: `tz-unknown`. */
export function rowForm<Row extends Readonly<Record<string, CsvCell>>>(
  names: readonly string[],
  { excel, locale, timeZone }: RowFlags,
): RowForm<Row> {
  const clock = timeZone === undefined ? null : makeClock(timeZone);
  const columns = names.flatMap((name) => columnsOf(name, clock !== null));
  const marks = marksOf(excel === true, locale);
  const timeText = excel === true ? plainTime(marks.decimal) : isoOf;
  const cells = (row: Row): CsvCell[] =>
    columns.map((column) => {
      const cell = row[column.source];
      if (!column.isTime || typeof cell !== 'string') return rounded(cell, column.scale);
      if (!column.isLocal && excel !== true) return cell;
      return timeText(Date.parse(cell), column.isLocal ? clock : null);
    });
  return {
    columns: columns.map(({ name }) => name),
    cells,
    values: (row) =>
      columns.map((column) => {
        const cell = row[column.source];
        if (!column.isTime || typeof cell !== 'string') return rounded(cell, column.scale);
        const time = Date.parse(cell);
        return column.isLocal && clock !== null ? clock.wallTimeOf(time) : time;
      }),
    head: () =>
      csvHead(
        columns.map(({ name }) => name),
        excel === true ? marks : undefined,
      ),
    text: (rows) => csvRows(rows.map(cells), marks),
  };
}

/** The CSV columns for a column `name`: one, or two with the local time. */
function columnsOf(name: string, hasLocal: boolean): Column[] {
  const decimals = DECIMALS.find(([end]) => end.test(name))?.[1];
  const isTime = UTC_END.test(name);
  const column = { name, source: name, isTime, isLocal: false, scale: decimals ? 10 ** decimals : 0 };
  if (!isTime || !hasLocal) return [column];
  return [column, { ...column, name: name.replace(UTC_END, '_local'), isLocal: true }];
}

function rounded(cell: CsvCell, scale: number): CsvCell {
  return typeof cell === 'number' && scale > 0 ? Math.round(cell * scale) / scale : cell;
}

/** Separators of cells and decimals: `,` and a point, or `;` and a comma where the locale has a decimal comma. */
export function marksOf(isExcel: boolean, locale: string | undefined): CsvMarks {
  if (!isExcel) return { delimiter: ',', decimal: '.' };
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  const isComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  return isComma ? { delimiter: ';', decimal: ',' } : { delimiter: ',', decimal: '.' };
}

/** A time as ISO 8601 with the zone's offset. */
function isoOf(time: number, clock: LocalClock | null): string {
  if (clock === null) return new Date(time).toISOString();
  const wall = clock.wallTimeOf(time);
  const minutes = Math.round((wall - time) / MINUTE_MS);
  // Local mean times of the past have offsets with seconds, which ISO 8601 cannot express.
  return new Date(time + minutes * MINUTE_MS).toISOString().slice(0, -1) + offsetText(minutes);
}

/** A time as `yyyy-MM-dd HH:mm:ss`, which spreadsheet programs read as a date in every language. */
function plainTime(decimal: string): (time: number, clock: LocalClock | null) => string {
  return (time, clock) => {
    const text = new Date(clock === null ? time : clock.wallTimeOf(time)).toISOString();
    const plain = text.slice(0, -1).replace('T', ' ');
    return plain.endsWith('.000') ? plain.slice(0, -4) : plain.replace('.', decimal);
  };
}
