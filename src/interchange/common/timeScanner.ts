/** Reads times from bytes in the usual form: `2026-03-02T08:00:00.123Z`. */

import { COLON, DOT, MINUS, PLUS, SPACE, ZERO } from '../../core/ascii.js';
import { daysInMonth } from '../../core/daysInMonth.js';

/** Bit that makes `T` and `Z` lower case. */
const LOWER = 0x20;
const LOWER_T = 0x74;
const LOWER_Z = 0x7a;

/** Largest number of digits after the point; `parseTime` reads more. */
const MOST_FRACTION = 15;
/** Years in which every time is far from the limits of `parseTime`. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 9000;

export class TimeScanner {
  /** Index after the time. */
  end = 0;
  readonly #localOffsetMs: number | null;
  /** Day of the last time as one number, and its midnight. */
  #day = -1;
  #midnight = 0;

  /** `localOffsetMinutes`: as for `parseTime`. */
  constructor(localOffsetMinutes: number | null) {
    this.#localOffsetMs = localOffsetMinutes === null ? null : localOffsetMinutes * 60_000;
  }

  /**
   * Epoch milliseconds of the time that begins at `at`, as `parseTime` gives them. NaN for other forms, of which `parseTime` reads some
   * (basic ISO, 24:00, leap seconds). At least 19 bytes, then a byte that is not a digit, must follow `at`.
   */
  read(bytes: Uint8Array, at: number): number {
    const year = pair(bytes, at) * 100 + pair(bytes, at + 2);
    const month = pair(bytes, at + 5);
    const date = pair(bytes, at + 8);
    const hour = pair(bytes, at + 11);
    const minute = pair(bytes, at + 14);
    const second = pair(bytes, at + 17);
    const parts = bytes[at + 10]!;
    // Two bytes that are not digits give NaN, which fails the comparisons.
    if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
    if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return Number.NaN;
    if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return Number.NaN;
    if (parts !== SPACE && (parts | LOWER) !== LOWER_T) return Number.NaN;
    const midnight = this.#midnightOf(year, month, date);
    let i = at + 19;
    let milliseconds = 0;
    if (bytes[i] === DOT) {
      const from = ++i;
      let c = bytes[i]!;
      let unit = 100;
      while (c >= ZERO && c < 58) {
        milliseconds += (c - ZERO) * unit;
        unit = (unit / 10) | 0;
        c = bytes[++i]!;
      }
      if (i === from || i - from > MOST_FRACTION) return Number.NaN;
    }
    const offset = this.#offset(bytes, i);
    return midnight + (hour * 60 + minute) * 60_000 + second * 1000 + milliseconds - offset;
  }

  #midnightOf(year: number, month: number, date: number): number {
    const day = (year * 100 + month) * 100 + date;
    if (day === this.#day) return this.#midnight;
    if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12)) return Number.NaN;
    if (!(date >= 1 && date <= daysInMonth(year, month))) return Number.NaN;
    this.#day = day;
    this.#midnight = Date.UTC(year, month - 1, date);
    return this.#midnight;
  }

  /** Offset of the time zone at `i`, milliseconds east of UTC; if the text has none, the caller's. */
  #offset(bytes: Uint8Array, i: number): number {
    const c = bytes[i]!;
    if ((c | LOWER) === LOWER_Z) {
      this.end = i + 1;
      return 0;
    }
    if (c !== PLUS && c !== MINUS) {
      this.end = i;
      return this.#localOffsetMs ?? Number.NaN;
    }
    if (bytes[i + 3] !== COLON) return Number.NaN;
    const hours = pair(bytes, i + 1);
    const minutes = pair(bytes, i + 4);
    if (!(hours <= 18 && minutes < 60)) return Number.NaN;
    this.end = i + 6;
    return (c === MINUS ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  }
}

/** The number of two digits; NaN if one of the bytes is not a digit. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens < 10 && ones >= 0 && ones < 10 ? tens * 10 + ones : Number.NaN;
}
