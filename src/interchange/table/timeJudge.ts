/** Judges the times of a whole column: their form, the order of their dates, and whether they have a zone. */

import type { TableRole } from './tableDescription.js';
import { tableNumber } from './tableNumber.js';
import { clockParts, dayParts, hasZeroDay, isMidnight, type TimeParts, timeParts } from './timeParts.js';
import type { MonthNames } from './unitWords.js';

export type NumberTime = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds' | 'days';

/** Ranges of numbers that are times from 1990 to 2100, by form. */
const NUMBER_TIMES: readonly { readonly form: NumberTime; readonly from: number; readonly to: number }[] = [
  { form: 'days', from: 32_874, to: 73_051 },
  { form: 'seconds', from: 631_152_000, to: 4_102_444_800 },
  { form: 'milliseconds', from: 631_152_000_000, to: 4_102_444_800_000 },
  { form: 'microseconds', from: 631_152_000_000_000, to: 4_102_444_800_000_000 },
  { form: 'nanoseconds', from: 631_152_000_000_000_000, to: 4_102_444_800_000_000_000 },
];

/** The form in which a number is a time of these years; null for none. */
export function numberTime(value: number): NumberTime | null {
  return NUMBER_TIMES.find(({ from, to }) => value >= from && value <= to)?.form ?? null;
}

/** Whether a number is written with an exponent: spreadsheet programs write long ones so, and lose the last digits. */
export function isRounded(text: string): boolean {
  return /^\s*\d(?:[.,]\d{1,9})?e\+?\d{2}\s*$/i.test(text);
}

/** The number in `/Date(1768453200000)/`; null for other texts. */
export function dotNetTime(text: string): string | null {
  return /^\/?Date\((\d{10,14})\)\/?$/.exec(text.trim())?.[1] ?? null;
}

/** Counts of the times of a column. */
export class TimeJudge {
  /** Number of cells that are not empty. */
  cells = 0;
  /** Number of cells that are times of any form. */
  times = 0;
  zoneless = 0;
  withDate = 0;
  clocks = 0;
  dates = 0;
  lateClocks = 0;
  shortYears = 0;
  dots = 0;
  ambiguous = 0;
  dayFirst = 0;
  monthFirst = 0;
  fractions = 0;
  /** Number of cells that are a day with midnight, and of those with a day such as 1899-12-30 before their time of day. */
  midnights = 0;
  zeroDays = 0;
  /** Number of values rounded by a spreadsheet program: `1.76845E+12`. */
  rounded = 0;
  /** First and last numbers of dates such as 26-01-15; either can be the year. */
  readonly #firsts: Set<number> = new Set();
  readonly #lasts: Set<number> = new Set();
  #yearFirsts = 0;
  readonly numbers: Record<NumberTime, number> = {
    seconds: 0,
    milliseconds: 0,
    microseconds: 0,
    nanoseconds: 0,
    days: 0,
  };
  readonly zoneTexts: Set<string> = new Set();
  readonly #months: MonthNames;
  readonly #decimal: '.' | ',';

  readonly #role: TableRole | null;

  /** `role`: that of the column by its header; dates and times of six digits are read only in their columns. */
  constructor(months: MonthNames, decimal: '.' | ',', role: TableRole | null) {
    this.#months = months;
    this.#decimal = decimal;
    this.#role = role;
  }

  add(text: string): void {
    if (text.trim() === '') return;
    this.cells++;
    if (isMidnight(text)) this.midnights++;
    if (hasZeroDay(text)) this.zeroDays++;
    const parts = this.#partsOf(text);
    if (parts === null) {
      this.#addNumber(text);
      return;
    }
    this.times++;
    const { date, clock, offset } = parts;
    if (offset !== null) {
      const word = text.trim().split(/\s+/).at(-1) ?? '';
      if (this.zoneTexts.size < 4) this.zoneTexts.add(word);
    } else if (clock !== null) this.zoneless++;
    if (date === null) {
      this.clocks++;
      if (clock !== null && clock >= 86_400_000) this.lateClocks++;
      return;
    }
    if (clock === null) this.dates++;
    else this.withDate++;
    if (date.isShort) this.shortYears++;
    if (date.isSettled) return;
    if (date.canBeYearFirst === true) {
      this.#yearFirsts++;
      this.#firsts.add(date.a);
      this.#lasts.add(date.year - 2000);
      return;
    }
    if (date.a > 12) this.dayFirst++;
    else if (date.b > 12) this.monthFirst++;
    else if (date.a !== date.b) this.ambiguous++;
    if (date.mark === '.') this.dots++;
  }

  #partsOf(text: string): TimeParts | null {
    if (this.#role === 'date') {
      const date = /^\s*\d{6}\s*$/.test(text) ? dayParts(text, this.#months) : null;
      if (date !== null) return { date, clock: null, offset: null };
    }
    const parts = timeParts(text, this.#months);
    return parts ?? (this.#role === 'time' || this.#role === 'clock' ? clockParts(text, this.#months) : null);
  }

  #addNumber(text: string): void {
    const value = tableNumber(dotNetTime(text) ?? text, this.#decimal);
    if (value === null) return;
    if (isRounded(text)) this.rounded++;
    if (value >= 0 && value < 1) {
      this.fractions++;
      return;
    }
    const form = numberTime(value);
    // Digits such as 063510 are a time of day.
    if (form !== null && !/^\s*0\d/.test(text)) this.numbers[form]++;
  }

  get hasShortDashes(): boolean {
    return this.#yearFirsts > 0;
  }

  /** The form of most numbers, with their count. */
  get numberForm(): { readonly form: NumberTime; readonly count: number; readonly others: number } | null {
    const entries = Object.entries(this.numbers) as [NumberTime, number][];
    const total = entries.reduce((sum, [, count]) => sum + count, 0);
    const [best] = entries.sort((x, y) => y[1] - x[1]);
    return best === undefined || best[1] === 0
      ? null
      : { form: best[0], count: best[1], others: total - best[1] };
  }

  /**
   * Order of ambiguous dates. `null`: all dates are unambiguous. `contradiction`: the file has both orders. `unknown`: none is certain.
   * With points between the numbers the day comes first, unless a second number is above 12.
   */
  get order(): 'dmy' | 'mdy' | 'ymd' | 'contradiction' | 'unknown' | null {
    if (this.#yearFirsts > 0) return this.#shortOrder();
    if (this.dayFirst > 0 && this.monthFirst > 0) return 'contradiction';
    if (this.dayFirst > 0) return 'dmy';
    if (this.monthFirst > 0) return 'mdy';
    if (this.dots > 0) return 'dmy';
    return this.ambiguous > 0 ? 'unknown' : null;
  }

  /** Order of dates such as 26-01-15: the number that changes is the day; one above 31 is the year. */
  #shortOrder(): 'dmy' | 'ymd' | 'unknown' {
    const [firsts, lasts] = [[...this.#firsts], [...this.#lasts]];
    if (firsts.some((value) => value > 31 || value === 0)) return 'ymd';
    // 15-01-32 cannot be year first, so its column is not.
    if (this.dayFirst > 0) return 'dmy';
    if (firsts.length === 1 && lasts.length > 1) return 'ymd';
    return lasts.length === 1 && firsts.length > 1 && firsts.some((value) => value > 12) ? 'dmy' : 'unknown';
  }
}
