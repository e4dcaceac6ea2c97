/** Parses numbers and times in text files: RFC 3339 and similar forms of ISO 8601. No form is guessed. */

import { daysInMonth } from '../../core/durations.js';
import { DECIMAL } from '../../core/numbers.js';

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,15}))?)?\s*([Zz]|[+-]\d\d(?::?\d\d)?)?$/;
/** First and last year allowed in a text. An offset may lead beyond them. */
const FIRST_TIME = utc(1, 1, 1);
const LAST_TIME = Date.UTC(10_000, 0, 1) - 1;

interface ParsedTime {
  /** Epoch milliseconds UTC, whole; finer fractions are cut off. */
  readonly time: number;
  /** Code of a warning to report; null for none. */
  readonly note: 'time-zone-missing' | 'leap-second' | null;
}

/**
 * The time in `text`, or null if it is not a time.
 *
 * - Without a zone it is null, unless `localOffsetMinutes` (minutes east of UTC) is given: then the note is `time-zone-missing`.
 * - `24:00:00` is the midnight that ends the day; a leap second (`23:59:60` UTC) is read as the last millisecond before it
 *   with the note `leap-second`. Year 0000, 30 February, hour 25, offsets beyond ±18 h and times outside the years 1 to 9999 in
 *   UTC give null.
 */
export function parseTime(text: string, localOffsetMinutes: number | null = null): ParsedTime | null {
  const match = ISO.exec(text.trim());
  if (match === null) return null;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  let second = Number(match[6] ?? 0);
  let millisecond = match[7] === undefined ? 0 : Number(match[7].padEnd(3, '0').slice(0, 3));
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 24 || minute > 59 || second > 60) return null;
  if (hour === 24 && (minute !== 0 || second !== 0 || Number(match[7] ?? 0) !== 0)) return null;
  const offset = match[8] === undefined ? localOffsetMinutes : offsetMinutes(match[8]);
  if (offset === null) return null;
  const leap = second === 60;
  if (leap) {
    second = 59;
    millisecond = 999;
  }
  const time = utc(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond;
  if (leap && (time + 1) % 86_400_000 !== 0) return null;
  if (time < FIRST_TIME || time > LAST_TIME) return null;
  const note = leap ? 'leap-second' : match[8] === undefined ? 'time-zone-missing' : null;
  return { time, note };
}

function offsetMinutes(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 18 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Midnight of a day. `Date.UTC` alone would read the years 1 to 99 as 1901 to 1999. */
function utc(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  return Date.UTC(year + 400, month - 1, day) - 146_097 * 86_400_000;
}

/**
 * The finite number in `text` in plain decimal notation (spaces around it are ignored), else null.
 *
 * Stricter than `Number()`: no hexadecimal, no empty text, no `Infinity`; only ASCII digits and a decimal point.
 */
export function plainNumber(text: string): number | null {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** The shortest text of the number; without an exponent even where `String` writes one. */
export function decimalText(value: number): string {
  const [digits = '', exponent] = String(Math.abs(value)).split('e');
  const sign = value < 0 ? '-' : '';
  if (exponent === undefined) return sign + digits;
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(shift, '0');
}
