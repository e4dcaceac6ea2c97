/** The clock of the database, by which times of fixes are checked: that of a process may be wrong, and jump. */

import { sql } from 'kysely';
import type { Storage } from './storage.js';

/** A larger difference is an alarm, seconds. */
export const MOST_OFFSET_SECONDS = 5;

/** Milliseconds after which the database is asked again. Between two answers the steady clock of the process counts. */
const REFRESH_MS = 10_000;

/** Epoch milliseconds. An embedded database has the clock of its process. */
export function databaseClock({ db, url }: Pick<Storage, 'db' | 'url'>): () => Promise<number> {
  let known: { readonly time: number; readonly at: number } | null = null;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const { rows } = await sql<{ time: string }>`
      select 1000 * extract(epoch from clock_timestamp()) as time`.execute(db);
    known = { time: Number(rows[0]!.time), at: performance.now() };
  };
  return async () => {
    if (url === null) return Date.now();
    while (known === null || performance.now() - known.at > REFRESH_MS) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    return known.time + performance.now() - known.at;
  };
}

/** Seconds, negative if the process is behind; 0 while the time that the query took can explain the difference. */
export async function clockOffset({ db }: Pick<Storage, 'db'>): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ time: string }>`
    select 1000 * extract(epoch from clock_timestamp()) as time`.execute(db);
  const time = Number(rows[0]!.time);
  const ahead = Math.max(before - time, 0) + Math.min(Date.now() - time, 0);
  return Math.round(ahead) / 1000;
}
