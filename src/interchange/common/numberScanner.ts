/**
 * Reads decimal numbers from bytes, correctly rounded. Digits that fit a double are divided by a power of ten once (Clinger,
 * DOI 10.1145/93542.93557). Longer numbers are sums of two doubles (Dekker, DOI 10.1007/BF01397083) with an error bound.
 */

import { DOT, MINUS, PLUS, ZERO } from '../../core/ascii.js';
import { productError } from '../../core/decimalDigits.js';

/** Powers of ten that a double represents exactly. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** Number of digits up to which every whole number is exact in a double. */
const EXACT_DIGITS = 15;
/** Largest number of digits that are read here; `Number` reads longer numbers. */
const MOST_DIGITS = 22;
/** Bound of the relative error of the second quotient, a few units of 2^-53. */
const DOUBT = 2 ** -40;

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
