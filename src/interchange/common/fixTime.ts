/** The time of a fix as files have it. */

import { inputError } from '../../core/errors.js';

/** ISO 8601 UTC; `time-range` for a time outside the years 1 to 9999, which files write with four digits. */
export function fixTime(time: number, field: string): string {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  if (year >= 1 && year <= 9999) return date.toISOString();
  throw inputError('time-range', field, 'a time of the years 1 to 9999', time);
}
