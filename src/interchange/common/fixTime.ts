/** Formats the time of a fix for files. */

import { inputError } from '../../core/errors.js';

/** The time as ISO 8601 text in UTC. Throws `time-range` outside the years 1 to 9999, because files write years with four digits. */
export function fixTime(time: number, field: string): string {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  if (year >= 1 && year <= 9999) return date.toISOString();
  throw inputError('time-range', field, 'a time of the years 1 to 9999', time);
}
