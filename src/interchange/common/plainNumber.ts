/** Parses numbers in text files. */

import { DECIMAL } from '../../core/numbers.js';

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
