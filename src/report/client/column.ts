/** Columns of tables: the text of their cells, their sort values and their values in saved files. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { ReportWords } from '../reportWordsEnglish.js';
import { type Clock, duration, fill, type Sortable } from './shared/formats.js';

export interface PageColumn<T> {
  readonly title: string;
  /** CSS class of the cells. */
  readonly kind: string;
  readonly value: (row: T) => Sortable;
  readonly text: (row: T) => string;
  /** The cell in a downloaded file. Default: its number, else its text. */
  readonly saved?: (row: T) => CsvCell;
  /** The title in a downloaded file. Default: `title`. */
  readonly savedTitle?: string;
  /** The cell in the row of totals, from the filtered rows. Default: empty. */
  readonly total?: (rows: readonly T[]) => string;
  /** Draws the cell in place of its text. */
  readonly draw?: (row: T, i: number) => Node;
}

/** A column of amounts. */
export interface AmountColumn<T> extends PageColumn<T> {
  readonly value: (row: T) => number | null;
  readonly amountText: (amount: number) => string;
}

/** A column that sorts by `value` and shows its `text`. */
export function column<T, Value extends Sortable = Sortable>(
  title: string,
  kind: string,
  value: (row: T) => Value,
  text: (value: Value, row: T) => string = (shown) => String(shown ?? ''),
): PageColumn<T> {
  return { title, kind, value, text: (row) => text(value(row), row) };
}

/** A column of times. Files contain them on the page's wall clock. */
function pageTimeColumn<T>(
  clock: Clock,
  title: string,
  value: (row: T) => number | null,
  text: (time: number | null, row: T) => string,
): PageColumn<T> {
  return {
    ...column<T, number | null>(title, 'time', value, text),
    saved(row) {
      const time = value(row);
      return time === null ? null : clock.wall(time);
    },
  };
}

/** The two columns of an interval. The day of its end is shown only if it differs from that of its start. */
export function spanColumns<T>(
  clock: Clock,
  titles: readonly [from: string, to: string],
  span: (row: T) => readonly [from: number, to: number | null],
): PageColumn<T>[] {
  const endText = (end: number | null, row: T): string => {
    const text = clock.text(end);
    return text.slice(0, 10) === clock.text(span(row)[0]).slice(0, 10) ? text.slice(11) : text;
  };
  return [
    pageTimeColumn(clock, `${titles[0]} (${clock.name})`, (row) => span(row)[0], clock.text),
    pageTimeColumn(clock, titles[1], (row) => span(row)[1], endText),
  ];
}

/** A column of durations, milliseconds: shown as `h:mm:ss`, saved as seconds. */
export function durationColumn<T>(
  words: ReportWords,
  title: string,
  milliseconds: (row: T) => number | null,
): AmountColumn<T> {
  return {
    ...column<T, number | null>(title, 'num', milliseconds, duration),
    value: milliseconds,
    amountText: duration,
    saved(row) {
      const value = milliseconds(row);
      return value === null ? null : value / 1000;
    },
    savedTitle: fill(words.secondsOf, { what: title }),
  };
}

/** A column of numbers, converted by `amount` for display and files. */
export function amountColumn<T>(
  title: string,
  value: (row: T) => number | null,
  amount: (value: number) => number,
  text: (value: number | null, digits: number) => string,
  digits: number,
): AmountColumn<T> {
  const own = (row: T): number | null => {
    const given = value(row);
    return given === null ? null : amount(given);
  };
  return {
    ...column<T, number | null>(title, 'num', own, (shown) => text(shown, digits)),
    value: own,
    amountText: (shown) => text(shown, digits),
    saved(row) {
      const shown = own(row);
      return shown === null ? null : Number(shown.toFixed(digits));
    },
  };
}

/** Distances on the page have two decimals of a kilometre or mile. */
const STEPS_OF_KM = 100;

/** A column of distances in hundredths of a kilometre or mile. */
export function wayColumn<T>(
  text: (value: number | null, digits: number) => string,
  title: string,
  steps: (row: T) => number,
): AmountColumn<T> {
  return amountColumn(title, steps, (value) => value / STEPS_OF_KM, text, 2);
}

/** The column with the sum of its amounts in the row of totals. */
export function summed<T>(own: AmountColumn<T>): PageColumn<T> {
  return {
    ...own,
    total: (rows) => own.amountText(rows.reduce((sum, row) => sum + (own.value(row) ?? 0), 0)),
  };
}
