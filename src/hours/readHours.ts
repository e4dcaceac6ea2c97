/** Opening hours of a zone in the shape that callers store: their check, and their copy to minutes and days. */

import { DAY_MS, daysInMonth } from '../core/durations.js';
import { inputError, isArray } from '../core/errors.js';
import { guarded, isAbsent, type UnknownFields } from '../core/input.js';
import { readWallTime } from '../core/localClock.js';

/** Minutes of the local day, `[from, to)`; `to` is up to 2879, on the next day. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** Checked hours. Days count from 1970-01-01. */
export interface HourRules {
  /** The ranges of each day of the week, Monday first. */
  readonly weekly: readonly (readonly MinuteRange[])[];
  /** Ranges of the days that differ from their day of the week. */
  readonly special: ReadonlyMap<number, readonly MinuteRange[]>;
  readonly firstDay: number;
  readonly lastDay: number;
}

export const DAY_MINUTES = 1440;
/** First and last day, 0001-01-01 and 9999-12-31. */
export const FIRST_DAY: number = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;
export const LAST_DAY: number = Date.parse('9999-12-31T00:00:00Z') / DAY_MS;
export const HOURS_FIELDS: readonly string[] = ['weekly', 'holidayHours', 'dates', 'validFrom', 'validTo'];
const WHOLE_DAY: MinuteRange = { from: 0, to: DAY_MINUTES };

/** Errors: `hours-invalid` with the path of the value (`weekly[0].from`), `input-unreadable`. */
export function readHours(hours: unknown, holidays: unknown): HourRules {
  const fields = readFields(hours, 'hours', HOURS_FIELDS, '');
  const weekly = readWeekly(fields['weekly']);
  const special = new Map<number, readonly MinuteRange[]>();
  const holidayHours = isAbsent(fields['holidayHours'])
    ? null
    : readRanges(fields['holidayHours'], 'holidayHours');
  for (const day of readHolidays(holidays)) if (holidayHours !== null) special.set(day, holidayHours);
  const dates = isAbsent(fields['dates']) ? [] : readItems(fields['dates'], 'dates');
  const seen = new Set<number>();
  for (const [i, value] of dates.entries()) {
    const path = `dates[${i}]`;
    const entry = readFields(value, path, ['date', 'hours']);
    const day = readDay(entry['date'], `${path}.date`);
    if (seen.has(day)) throw invalid(`${path}.date`, 'each date once', entry['date']);
    seen.add(day);
    special.set(day, readRanges(entry['hours'], `${path}.hours`));
  }
  const firstDay = isAbsent(fields['validFrom']) ? FIRST_DAY : readDay(fields['validFrom'], 'validFrom');
  const lastDay = isAbsent(fields['validTo']) ? LAST_DAY : readDay(fields['validTo'], 'validTo');
  if (firstDay > lastDay) {
    throw invalid('validFrom', 'a date at or before validTo', fields['validFrom']);
  }
  return { weekly, special, firstDay, lastDay };
}

function readWeekly(value: unknown): MinuteRange[][] {
  const week: MinuteRange[][] = Array.from({ length: 7 }, () => []);
  if (isAbsent(value)) {
    for (const day of week) day.push(WHOLE_DAY);
    return week;
  }
  for (const [i, item] of readItems(value, 'weekly').entries()) {
    const path = `weekly[${i}]`;
    const fields = readFields(item, path, ['days', 'from', 'to']);
    const days = readItems(fields['days'], `${path}.days`);
    if (days.length === 0) throw invalid(`${path}.days`, 'at least one day', fields['days']);
    const range = rangeOf(fields, path);
    for (const [k, day] of days.entries()) {
      if (!Number.isInteger(day) || (day as number) < 1 || (day as number) > 7) {
        throw invalid(`${path}.days[${k}]`, 'a day from 1 (Monday) to 7 (Sunday)', day);
      }
      week[(day as number) - 1]!.push(range);
    }
  }
  return week;
}

function readRanges(value: unknown, path: string): MinuteRange[] {
  return readItems(value, path).map((item, i) =>
    rangeOf(readFields(item, `${path}[${i}]`, ['from', 'to']), `${path}[${i}]`),
  );
}

function rangeOf(fields: UnknownFields, path: string): MinuteRange {
  const from = readMinutes(fields['from'], `${path}.from`, DAY_MINUTES - 1);
  const to = readMinutes(fields['to'], `${path}.to`, DAY_MINUTES);
  return { from, to: to <= from ? to + DAY_MINUTES : to };
}

function readMinutes(value: unknown, path: string, most: number): number {
  const match = typeof value === 'string' ? /^(\d\d):([0-5]\d)$/.exec(value) : null;
  const minutes = match === null ? Number.NaN : 60 * Number(match[1]) + Number(match[2]);
  if (!(minutes <= most)) {
    throw invalid(path, most === DAY_MINUTES ? 'a time HH:mm up to 24:00' : 'a time HH:mm', value);
  }
  return minutes;
}

function readDay(value: unknown, path: string): number {
  const time = typeof value === 'string' && value.length === 10 ? readWallTime(value) : null;
  if (time === null) throw invalid(path, 'a date yyyy-MM-dd that exists', value);
  return time / DAY_MS;
}

function readHolidays(value: unknown): number[] {
  if (isAbsent(value)) return [];
  return readItems(value, 'holidays').flatMap((item, i) => {
    const path = `holidays[${i}]`;
    const { year, days } = readFields(item, path, null);
    if (!Number.isInteger(year) || (year as number) < 1 || (year as number) > 9999) {
      throw invalid(`${path}.year`, 'a year from 1 to 9999', year);
    }
    return readItems(days, `${path}.days`).map((text, k) => {
      const match = typeof text === 'string' ? /^(\d\d)\.(\d\d)$/.exec(text) : null;
      const [month, day] = [Number(match?.[1]), Number(match?.[2])];
      if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year as number, month))) {
        throw invalid(`${path}.days[${k}]`, 'a day MM.dd of its year', text);
      }
      return readDay(`${String(year).padStart(4, '0')}-${match![1]}-${match![2]}`, `${path}.days[${k}]`);
    });
  });
}

/** A copy of the fields of an object. `names`: all allowed names, or `null` for any. `prefix`: path before the name of an unknown field. */
function readFields(
  value: unknown,
  path: string,
  names: readonly string[] | null,
  prefix: string = `${path}.`,
): UnknownFields {
  return guarded(path, () => {
    if (typeof value !== 'object' || value === null || isArray(value))
      throw invalid(path, 'an object', value);
    const fields: UnknownFields = { ...value };
    for (const name of Object.keys(fields)) {
      if (names !== null && !names.includes(name)) {
        throw invalid(`${prefix}${name}`, `one of the fields ${names.join(', ')}`, name);
      }
    }
    return fields;
  });
}

function readItems(value: unknown, path: string): unknown[] {
  return guarded(path, () => {
    if (!isArray(value)) throw invalid(path, 'an array', value);
    return Array.from(value);
  });
}

function invalid(path: string, what: string, received: unknown): Error {
  return inputError('hours-invalid', path, what, received);
}

/** A range of local clock times. The date of its begin counts. */
export interface HourRange {
  /** Start, `HH:mm`, from `00:00` to `23:59`. */
  readonly from: string;
  /** End, `HH:mm` up to `24:00`. A time before `from` is on the next day. A time equal to `from` means 24 hours. */
  readonly to: string;
}

/** A range on some days of the week. */
export interface WeeklyRange extends HourRange {
  /** Days of the week by ISO 8601, 1 = Monday to 7 = Sunday; at least one. */
  readonly days: readonly number[];
}

/** The ranges of one date. */
export interface DateHours {
  /** The date, `yyyy-MM-dd`. */
  readonly date: string;
  /** Ranges of this date, in place of the day of the week or holiday. `[]`: closed. */
  readonly hours: readonly HourRange[];
}

/** Opening hours of a zone, as local clock times. */
export interface Hours {
  /** Ranges by day of the week. Absent: 00:00 to 24:00 every day. `[]`: never open. */
  readonly weekly?: readonly WeeklyRange[] | undefined;
  /** Ranges on the company's holidays. Absent: as on other days. `[]`: closed. */
  readonly holidayHours?: readonly HourRange[] | undefined;
  /** Ranges on single dates, one entry per date. */
  readonly dates?: readonly DateHours[] | undefined;
  /** First local date, `yyyy-MM-dd`; closed before it. */
  readonly validFrom?: string | undefined;
  /** Last local date, `yyyy-MM-dd`; closed after the end of that day. */
  readonly validTo?: string | undefined;
}

/** The holidays of one year. */
export interface YearHolidays {
  /** Year, 1 to 9999. */
  readonly year: number;
  /** Holidays as `MM.dd`. */
  readonly days: readonly string[];
}
