/** Times in requests: epoch milliseconds, or the platform's time in the company's time zone. */

import { WayzoneError } from 'wayzone';
import { formatPlatformTime, parsePlatformTime } from 'wayzone/schemas';

export function timeOf(text: string | undefined, field: string, timeZone: string): number {
  if (text === undefined) throw new WayzoneError('required', field, 'expected a time, received none');
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  return parsePlatformTime(text, { timeZone });
}

/** Reads a time after `now` that answers can state, so that no stored row makes a later answer fail. */
export function futureTimeOf(value: unknown, field: string, timeZone: string, now: number): number {
  const time = timeOf(typeof value === 'string' ? value : undefined, field, timeZone);
  if (time <= now)
    throw new WayzoneError(
      'option-value',
      field,
      'expected a time in the future, received one that has passed',
    );
  try {
    formatPlatformTime(time, { timeZone });
  } catch {
    throw new WayzoneError(
      'option-value',
      field,
      'expected a time before the year 10000, received a later one',
    );
  }
  return time;
}
