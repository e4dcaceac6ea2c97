/**
 * The shortest decimal text of a double (as `String` writes it) as bytes, for numbers of the size of degrees.
 *
 * Between 2^e and 2^(e+1) doubles lie u = 2^(e-52) apart. With d decimals so that 10^-d > u, at most one decimal rounds to a double, and it is the
 * nearest one; with one decimal more the nearest one always rounds to the double. Products are exact as sums of two doubles (Dekker,
 * DOI 10.1007/BF01397083).
 */

import { DOT, ZERO } from './ascii.js';

/** Factor 2^27 + 1, which splits a double into two halves whose products are exact. */
const SPLITTER = 134_217_729;

/** Range of magnitudes that are written. Below it `String` writes an exponent. */
export const LEAST_DECIMAL = 1e-6;
export const MOST_DECIMAL = 1024;

/** Least binary exponent of the tables: 2^-20 < 1e-6. */
const LEAST_EXPONENT = -20;
const TO_WHOLE: number = 2 ** -LEAST_EXPONENT;

/** By exponent: the largest number of decimals whose spacing exceeds that of doubles, and that power of ten. */
const DIGITS: Uint8Array = Uint8Array.from(
  { length: 10 - LEAST_EXPONENT },
  (_, i) => Math.ceil((52 - (i + LEAST_EXPONENT)) * Math.log10(2)) - 1,
);
const POWERS: Float64Array = Float64Array.from(DIGITS, (digits) => Number(`1e${digits}`));

/** Number of digits of the low part of a fraction. */
const LOW_DIGITS = 8;
const LOW: number = 10 ** LOW_DIGITS;
/** Distance of a remainder from the middle of two decimals below which neither is chosen. Greater than the error of a remainder. */
const DOUBT = 1e-6;

export class DecimalDigits {
  /** The current decimals: `high` × 10^8 + `low`. */
  #high = 0;
  #low = 0;

  /**
   * Writes a number from `LEAST_DECIMAL` to below `MOST_DECIMAL` and returns the index after its last byte. Writes nothing and returns -1
   * if two decimals are equally near. O(1); at most 26 bytes.
   */
  write(size: number, bytes: Uint8Array, at: number): number {
    const exponent = 31 - Math.clz32((size * TO_WHOLE) | 0);
    const power = POWERS[exponent]!;
    let digits = DIGITS[exponent]!;
    let whole = size | 0;
    this.#round(size - whole, power);
    // The sum is below 2^53, and the quotient is rounded once.
    const isShort = (whole * power + (this.#high * LOW + this.#low)) / power === size;
    if (!isShort) {
      digits++;
      if (!this.#round(size - whole, 10 * power)) return -1;
    }
    if (this.#high === (isShort ? power : 10 * power) / LOW) {
      whole++;
      this.#high = 0;
    }
    let end = at;
    if (whole > 9) {
      if (whole > 99) {
        if (whole > 999) bytes[end++] = ZERO + ((whole / 1000) | 0);
        bytes[end++] = ZERO + (((whole / 100) | 0) % 10);
      }
      bytes[end++] = ZERO + (((whole / 10) | 0) % 10);
    }
    bytes[end++] = ZERO + (whole % 10);
    return this.#high === 0 && this.#low === 0 ? end : this.#decimals(bytes, end, digits);
  }

  /** Sets the whole number nearest to fraction × power. Returns false if two are equally near. */
  #round(fraction: number, power: number): boolean {
    const product = fraction * power;
    // A quotient that is off by one is corrected below.
    let high = Math.floor(product * (1 / LOW));
    const rest = product - high * LOW;
    let low = Math.floor(rest);
    const above = rest - low + productError(fraction, power, product);
    const up = Math.floor(above + 0.5);
    low += up;
    if (low < 0) {
      low += LOW;
      high--;
    } else if (low >= LOW) {
      low -= LOW;
      high++;
    }
    this.#high = high;
    this.#low = low;
    return Math.abs(above + 0.5 - Math.round(above + 0.5)) > DOUBT;
  }

  /** Writes the decimal point and the decimals, without trailing zeros. */
  #decimals(bytes: Uint8Array, at: number, digits: number): number {
    bytes[at] = DOT;
    const split = at + 1 + digits - LOW_DIGITS;
    let rest = this.#low | 0;
    for (let i = at + digits; i >= split; i--) {
      const next = (rest / 10) | 0;
      bytes[i] = ZERO + rest - next * 10;
      rest = next;
    }
    rest = this.#high | 0;
    for (let i = split - 1; i > at; i--) {
      const next = (rest / 10) | 0;
      bytes[i] = ZERO + rest - next * 10;
      rest = next;
    }
    let end = at + 1 + digits;
    while (bytes[end - 1] === ZERO) end--;
    return end;
  }
}

/** The exact value of a × b - product, where `product` is the rounded a × b (Dekker, DOI 10.1007/BF01397083). No part may overflow or underflow. */
export function productError(a: number, b: number, product: number): number {
  const aBig = SPLITTER * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = SPLITTER * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
