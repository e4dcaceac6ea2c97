/** Cuts the text of a time into date, time of day and zone, without deciding the order of an ambiguous date. */

import { daysInMonth } from '../../core/durations.js';
import { parseTime } from '../common/parseTime.js';
import { type MonthNames, plainMonth, zoneOffset } from './unitWords.js';

/** A date. `a` and `b` are day and month, in an order that the column decides, unless `isSettled`. */
export interface DateParts {
  /** The day if `isSettled`. */
  readonly a: number;
  /** The month if `isSettled`. */
  readonly b: number;
  readonly year: number;
  readonly isSettled: boolean;
  /** Whether the year had two digits. */
  readonly isShort: boolean;
  /** Mark between its numbers. */
  readonly mark: string;
  /** Whether the first number can be a year of two digits, as in 26-01-15. Then `a` holds that year, and `year` the day. */
  readonly canBeYearFirst?: true;
}

export interface TimeParts {
  readonly date: DateParts | null;
  /** Milliseconds since midnight; from 24 hours on they are on the next day. */
  readonly clock: number | null;
  /** Offset, minutes east of UTC; null if the text has no zone. */
  readonly offset: number | null;
}

const CLOCK =
  /(?:^|[\sT,])(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(am|pm|a\.\s?m\.|p\.\s?m\.)?/gi;
const PURE_CLOCK = /^(\d{1,3}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;
const NUMERIC_DATE = /^(\d{1,4})([./-])\s?(\d{1,2})([./-])\s?(\d{1,4})$/;
const SPACED_DATE = /^(\d{1,4}) (\d{1,2}) (\d{1,4})$/;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s./-]{0,3}(\p{L}{3,12})\.?,?[\s./-]{0,3}(\d{4}|\d{2})$/u;
const MONTH_FIRST = /^(\p{L}{3,12})\.?[\s./-]{1,3}(\d{1,2})(?:st|nd|rd|th)?,?[\s./-]{1,3}(\d{4})$/u;
const YEAR_NAME = /^(\d{4})[\s./-]{1,3}(\p{L}{3,12})\.?[\s./-]{1,3}(\d{1,2})$/u;
const LONGEST = 100;
/** A date of six digits, as NMEA and Columbus write it. */
const PACKED_DATE = /^(\d\d)(\d\d)(\d\d)$/;
/** A time of day of six digits. */
const PACKED_CLOCK = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)(?:\.(\d{1,9}))?$/;
/** Midnight after a date, as databases and workbooks write a day. */
const MIDNIGHT =
  /(?:\s|[T_,])\s{0,3}(?:0?0:00(?::00(?:[.,]0{1,9})?)?|12:00(?::00)?\s?a\.?\s?m\.?)(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?$/i;
/** A day that stands before a time of day which has none, as databases and workbooks write it. */
const ZERO_DAY =
  /^(?:1899-12-3[01]|1900-01-0[01]|(?:1904|1970|2000|0001)-01-01|3[01][./]12[./]1899|12\/3[01]\/1899|0?1[./]0?1[./](?:1900|1904|1970|2000|0001))(?:T|\s)/;
/** A date and a time of day written with points, or after an underscore: `15.01.2026 08.00.07`, `2026-01-15_08:00:07`. */
const POINT_CLOCK = /^(\d{1,4}[./-]\d{1,2}[./-]\d{1,4})[\s_](\d{1,2})[.:](\d{2})[.:](\d{2})$/;
/** A date as JavaScript prints it: `Thu Jan 15 2026 08:00:07 GMT+0300 (Moscow Standard Time)`. */
const PRINTED = /^\p{L}{3} (\p{L}{3} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4})(?: \([^()]*\))?$/u;
/** A time with the zone's name after the offset (RFC 9557): `2026-01-15T08:00:07+03:00[Europe/Moscow]`. */
const BRACKETED = /^([^[\]]*(?:Z|[+-]\d\d:?\d\d))\[[A-Za-z0-9_+/-]+\]$/;

/** The parts of a time; null if the text is not one. `months`: names of months. */
export function timeParts(text: string, months: MonthNames): TimeParts | null {
  const given = text.trim();
  if (given === '' || given.length > LONGEST) return null;
  const trimmed = usual(given);
  const iso = isoParts(trimmed);
  if (iso !== null) return iso;
  const compact = /^(\d{4})(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d))?$/.exec(trimmed);
  if (compact !== null) {
    const [, year, month, day, hour, minute, second] = compact;
    const date = settled(Number(year), Number(month), Number(day), '');
    if (date === null || date.year < 1980 || date.year > 2100) return null;
    if (hour === undefined) return { date, clock: null, offset: null };
    const clock = clockOf(Number(hour), Number(minute), Number(second), '');
    return clock === null ? null : { date, clock, offset: null };
  }
  const pure = PURE_CLOCK.exec(trimmed);
  if (pure !== null) {
    const clock = clockOf(Number(pure[1]), Number(pure[2]), Number(pure[3] ?? 0), pure[4] ?? '');
    return clock === null ? null : { date: null, clock, offset: null };
  }
  return mixedParts(trimmed, months);
}

/** The day of a date cell, which may end with midnight or have six digits; null if the text is not a day. */
export function dayParts(text: string, months: MonthNames): DateParts | null {
  const given = text.trim().slice(0, LONGEST);
  const packed = PACKED_DATE.exec(given);
  if (packed !== null) return numericDate(packed[1]!, packed[2]!, packed[3]!, '-');
  return timeParts(isMidnight(given) ? given.replace(MIDNIGHT, '') : given, months)?.date ?? null;
}

/** Whether a text ends with the midnight of a date. */
export function isMidnight(text: string): boolean {
  return MIDNIGHT.test(text.trim().slice(-40));
}

/** Whether a text begins with a day that only stands before a time of day, such as 1899-12-30. */
export function hasZeroDay(text: string): boolean {
  return ZERO_DAY.test(text.trim().slice(0, 20));
}

/** The time of day of a clock cell, which may begin with such a day or have six digits; null for other texts. */
export function clockParts(text: string, months: MonthNames): TimeParts | null {
  const given = text.trim().slice(0, LONGEST);
  const packed = PACKED_CLOCK.exec(given);
  if (packed !== null) {
    const clock = clockOf(Number(packed[1]), Number(packed[2]), Number(packed[3]), packed[4] ?? '');
    return { date: null, clock, offset: null };
  }
  const parts = timeParts(given.replace(ZERO_DAY, ''), months);
  return parts?.date === null && parts.clock !== null ? parts : null;
}

/** The text without a weekday, a zone's name or a word after its clock, with colons in a clock written with points. */
function usual(text: string): string {
  if (text.endsWith(']')) return BRACKETED.exec(text)?.[1] ?? text;
  if (/[a-z)]$/i.test(text)) return PRINTED.exec(text)?.[1] ?? text.replace(/\s(?:Uhr|Hrs)$/i, '');
  const points = POINT_CLOCK.exec(text);
  if (points !== null) return `${points[1]} ${points[2]}:${points[3]}:${points[4]}`;
  return PRINTED.exec(text)?.[1] ?? text;
}

function isoParts(text: string): TimeParts | null {
  const parsed = parseTime(text, 0);
  if (parsed === null || parsed.note === 'leap-second') return null;
  const offset = parsed.note === 'time-zone-missing' ? null : 0;
  const day = Math.floor(parsed.time / 86_400_000);
  const at = new Date(parsed.time);
  const date = settled(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), '-');
  // The zone is already applied, so the parts are UTC.
  return date === null ? null : { date, clock: parsed.time - day * 86_400_000, offset };
}

function mixedParts(text: string, months: MonthNames): TimeParts | null {
  // A clock ends where no digit or mark of a number follows.
  const found = [...text.matchAll(CLOCK)].find(
    (match) => !/[\d.,:/]/.test(text.charAt(match.index + match[0].trimEnd().length)),
  );
  if (found === undefined) {
    const date = dateParts(text, months);
    return date === null ? null : { date, clock: null, offset: null };
  }
  // Part of 15.01.2026 looks like the clock 8.30, so dates with points are tried first.
  if (/[.h]/i.test(found[0]) && !found[0].includes(':')) {
    const date = dateParts(text, months);
    if (date !== null) return { date, clock: null, offset: null };
  }
  const half = (found[5] ?? '').toLowerCase().charAt(0);
  let hour = Number(found[1]);
  if (half !== '' && (hour < 1 || hour > 12)) return null;
  if (half === 'p' && hour < 12) hour += 12;
  if (half === 'a' && hour === 12) hour = 0;
  const clock = clockOf(hour, Number(found[2]), Number(found[3] ?? 0), found[4] ?? '');
  if (clock === null) return null;
  const before = withoutEnd(text.slice(0, found.index));
  const after = text.slice(found.index + found[0].length).trim();
  if (before === '' && after === '') return { date: null, clock, offset: null };
  const offset = after === '' ? null : zoneOffset(after.replace(/^\((.*)\)$/, '$1'));
  if (before === '') {
    const date = dateParts(after.replace(/^[\s,]+/, ''), months);
    if (date !== null) return { date, clock, offset: null };
    return offset === null ? null : { date: null, clock, offset };
  }
  if (after !== '' && offset === null) return null;
  const date = dateParts(before, months);
  return date === null ? null : { date, clock, offset };
}

function clockOf(hour: number, minute: number, second: number, fraction: string): number | null {
  if (minute > 59 || second > 60 || hour > 99) return null;
  const ms = fraction === '' ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
  if (second === 60) return ((hour * 60 + minute) * 60 + 59) * 1000 + 999;
  return ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

function dateParts(text: string, months: MonthNames): DateParts | null {
  const plain = text
    .replace(/^\p{L}{2,12}\.?,\s+/u, '')
    .replace(/\sde(?:l)?\s/g, ' ')
    .trim();
  return plainDate(withoutYearWord(plain), months);
}

/** Words for "year" that follow it in Russian and Ukrainian. */
const YEAR_WORDS = ['года', 'року', 'г.', 'р.', 'г', 'р'] as const;

function withoutYearWord(text: string): string {
  const word = YEAR_WORDS.find((own) => text.endsWith(own));
  return word === undefined ? text : text.slice(0, -word.length).trimEnd();
}

/** The text without spaces, commas and a T at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,T]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function plainDate(plain: string, months: MonthNames): DateParts | null {
  const numeric = NUMERIC_DATE.exec(plain);
  if (numeric !== null) {
    return numeric[2] === numeric[4] ? numericDate(numeric[1]!, numeric[3]!, numeric[5]!, numeric[2]!) : null;
  }
  const spaced = SPACED_DATE.exec(plain);
  if (spaced !== null) return numericDate(spaced[1]!, spaced[2]!, spaced[3]!, ' ');
  const dayFirst = DAY_FIRST.exec(plain);
  if (dayFirst !== null) {
    const month = months.get(plainMonth(dayFirst[2]!));
    const year = Number(dayFirst[3]!);
    const isShort = dayFirst[3]!.length === 2;
    if (month === undefined) return null;
    return settled(isShort ? 2000 + year : year, month, Number(dayFirst[1]), 'name', isShort);
  }
  const monthFirst = MONTH_FIRST.exec(plain);
  if (monthFirst !== null) {
    const month = months.get(plainMonth(monthFirst[1]!));
    return month === undefined ? null : settled(Number(monthFirst[3]), month, Number(monthFirst[2]), 'name');
  }
  const yearName = YEAR_NAME.exec(plain);
  if (yearName === null) return null;
  const month = months.get(plainMonth(yearName[2]!));
  return month === undefined ? null : settled(Number(yearName[1]), month, Number(yearName[3]), 'name');
}

function numericDate(first: string, second: string, third: string, mark: string): DateParts | null {
  if (first.length === 4)
    return third.length > 2 ? null : settled(Number(first), Number(second), Number(third), mark);
  if (first.length > 2 || (third.length !== 4 && third.length !== 2)) return null;
  const [a, b, year] = [Number(first), Number(second), Number(third)];
  const isShort = third.length === 2;
  const canBeYearFirst =
    isShort && mark === '-' && first.length === 2 && b >= 1 && b <= 12 && year >= 1 && year <= 31;
  if (!canBeYearFirst && (a < 1 || b < 1 || a > 31 || b > 31 || (a > 12 && b > 12))) return null;
  const date = { a, b, year: isShort ? 2000 + year : year, isSettled: false, isShort, mark };
  return canBeYearFirst ? { ...date, canBeYearFirst } : date;
}

function settled(year: number, month: number, day: number, mark: string, isShort = false): DateParts | null {
  if (month < 1 || month > 12 || day < 1 || year < 1 || day > daysInMonth(year, month)) return null;
  return { a: day, b: month, year, isSettled: true, isShort, mark };
}

/** Midnight of a date, epoch milliseconds as if it were UTC; null if the date does not exist in this order. */
export function dayOf(
  { a, b, year, isSettled, canBeYearFirst }: DateParts,
  order: 'dmy' | 'mdy' | 'ymd' | null,
): number | null {
  if (order === 'ymd' && !isSettled) {
    const day = year - 2000;
    return canBeYearFirst === true && day <= daysInMonth(2000 + a, b) ? Date.UTC(2000 + a, b - 1, day) : null;
  }
  if (a < 1 || b < 1) return null;
  // A date such as the first of January is the same in both orders.
  if (!isSettled && order === null && a !== b) return null;
  const [day, month] = isSettled || order !== 'mdy' ? [a, b] : [b, a];
  if (month > 12 || day > 31 || day > daysInMonth(year, month) || year < 100) return null;
  return Date.UTC(year, month - 1, day);
}
