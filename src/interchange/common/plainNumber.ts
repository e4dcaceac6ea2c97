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
