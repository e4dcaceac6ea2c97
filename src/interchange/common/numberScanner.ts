/**
 * Reads numbers and times from bytes. Decimal numbers are correctly rounded: digits that fit a double are divided by a power of ten once (Clinger,
 * DOI 10.1145/93542.93557); longer numbers are sums of two doubles (Dekker, DOI 10.1007/BF01397083) with an error bound.
 */

import { COLON, DOT, MINUS, PLUS, SPACE, ZERO } from '../../core/ascii.js';
import { productError } from '../../core/decimalDigits.js';
import { daysInMonth } from '../../core/durations.js';

/** Powers of ten that a double represents exactly. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** Number of digits up to which every whole number is exact in a double. */
const EXACT_DIGITS = 15;
/** Largest number of digits that are read here; `Number` reads longer numbers. */
const MOST_DIGITS = 22;
/** Bound of the relative error of the second quotient, a few units of 2^-53. */
const DOUBT = 2 ** -40;
/** Bit that makes `T` and `Z` lower case. */
const LOWER = 0x20;
const LOWER_T = 0x74;
const LOWER_Z = 0x7a;
/** Largest number of digits after the point; `parseTime` reads more. */
const MOST_FRACTION = 15;
/** Years in which every time is far from the limits of `parseTime`. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 9000;

export class NumberScanner {
  /** Index after the number. */
  end = 0;

  /**
   * The number that begins at `from`: an optional sign, digits, and optionally a point with or without digits after it. NaN for other forms
   * and for more than 22 digits. A byte that cannot be part of a number must follow.
   */
  read(bytes: Uint8Array, from: number): number {
    let i = from;
    let c = bytes[i]!;
    const isNegative = c === MINUS;
    if (isNegative || c === PLUS) c = bytes[++i]!;
    const first = i;
    let whole = 0;
    // Nine digits fit into 31 bits.
    const wholeStop = i + 9;
    while (c >= ZERO && c < 58 && i < wholeStop) {
      whole = (whole * 10 + c - ZERO) | 0;
      c = bytes[++i]!;
    }
    const wholeDigits = i - first;
    if (wholeDigits === 0) return Number.NaN;
    if (c >= ZERO && c < 58) return this.#long(bytes, first, isNegative);
    if (c !== DOT) {
      this.end = i;
      return isNegative ? -whole : whole;
    }
    c = bytes[++i]!;
    const point = i;
    let decimals = 0;
    const stop = i + Math.min(9, EXACT_DIGITS - wholeDigits);
    while (c >= ZERO && c < 58 && i < stop) {
      decimals = (decimals * 10 + c - ZERO) | 0;
      c = bytes[++i]!;
    }
    const power = POWERS[i - point]!;
    const exact = whole * power + decimals;
    if (!(c >= ZERO && c < 58)) {
      this.end = i;
      const value = exact / power;
      return isNegative ? -value : value;
    }
    const second = i;
    let more = 0;
    const last = i + Math.min(9, MOST_DIGITS - wholeDigits - (i - point));
    while (c >= ZERO && c < 58 && i < last) {
      more = (more * 10 + c - ZERO) | 0;
      c = bytes[++i]!;
    }
    if (c >= ZERO && c < 58) return this.#long(bytes, first, isNegative);
    this.end = i;
    const value = quotient(exact, POWERS[i - second]!, more, POWERS[i - point]!);
    return isNegative ? -value : value;
  }

  /** Reads a longer number, from its first digit on. */
  #long(bytes: Uint8Array, first: number, isNegative: boolean): number {
    let i = first;
    let high = 0;
    let low = 0;
    let highDigits = 0;
    let lowDigits = 0;
    let point = -1;
    for (let c = bytes[i]!; ; c = bytes[++i]!) {
      if (c === DOT && point < 0) {
        point = i;
        continue;
      }
      if (!(c >= ZERO && c < 58)) break;
      if (highDigits < EXACT_DIGITS) {
        high = high * 10 + c - ZERO;
        // Leading zeros do not count as digits.
        if (high > 0) highDigits++;
      } else {
        if (highDigits + lowDigits === MOST_DIGITS) return Number.NaN;
        low = low * 10 + c - ZERO;
        lowDigits++;
      }
    }
    const scale = point < 0 ? 0 : i - point - 1;
    if (scale > MOST_DIGITS) return Number.NaN;
    const value = quotient(high, POWERS[lowDigits]!, low, POWERS[scale]!);
    this.end = i;
    return isNegative ? -value : value;
  }
}

/** (high × shift + low) / divisor, correctly rounded; NaN if the error bound is too large to decide. */
function quotient(high: number, shift: number, low: number, divisor: number): number {
  const product = high * shift;
  const more = productError(high, shift, product) + low;
  const sum = product + more;
  const rest = more - (sum - product);
  const first = sum / divisor;
  const back = first * divisor;
  // The remainder of a quotient rounded to nearest is a double.
  const remainder = sum - back - productError(first, divisor, back);
  const second = (remainder + rest) / divisor;
  const least = first + second * (1 - DOUBT);
  return least === first + second * (1 + DOUBT) ? least : Number.NaN;
}

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
