/** Times, spans and ids in the queries of requests. */

import { WayzoneError } from 'wayzone';
import { formatPlatformTime, parsePlatformTime } from 'wayzone/schemas';

/** The query of a period. Its times are epoch milliseconds or the platform's time. */
export const SPAN_QUERY = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: {
      type: 'string',
      description: 'Epoch milliseconds, or yyyy-MM-dd HH:mm:ss on the company’s clock',
    },
    to: { type: 'string', description: 'As `from`' },
  },
} as const;

/** Reads the times of a `SPAN_QUERY`, epoch milliseconds. Throws `time-range` for a period that ends before it begins. */
export function readSpan(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): { readonly from: number; readonly to: number } {
  const span = { from: timeOf(from, 'from', timeZone), to: timeOf(to, 'to', timeZone) };
  if (span.to < span.from)
    throw new WayzoneError(
      'time-range',
      'to',
      `expected a time at or after from, received ${to.slice(0, 60)}`,
    );
  return span;
}

export function timeOf(text: string, field: string, timeZone: string): number {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  try {
    return parsePlatformTime(text, { timeZone });
  } catch (error) {
    // The library does not know the field.
    if (error instanceof WayzoneError && error.code === 'time')
      throw new WayzoneError('time', field, error.message);
    throw error;
  }
}

/** Reads a time after `now` that answers can state, so that no stored row makes a later answer fail. */
export function futureTimeOf(text: string, field: string, timeZone: string, now: number): number {
  const time = timeOf(text, field, timeZone);
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

export const IDS_QUERY = {
  type: 'object',
  properties: {
    ids: {
      type: 'string',
      description:
        'Ids, separated by commas. One id: the object, 404 if it is unknown. Several: a list without unknown ones',
    },
  },
} as const;

/** The ids of a query, each once. An empty result stands for all rows. */
export function idsOf(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}
