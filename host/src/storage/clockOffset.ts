/** How far the clock of this process is ahead of the database's. */

import { sql } from 'kysely';
import type { Storage } from './storage.js';

/** A larger difference is an alarm, seconds. */
export const MOST_OFFSET_SECONDS = 5;

/** Seconds, negative if the process is behind; 0 while the time that the query took can explain the difference. */
export async function clockOffset({ db }: Pick<Storage, 'db'>): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ time: string }>`
    select 1000 * extract(epoch from clock_timestamp()) as time`.execute(db);
  const time = Number(rows[0]!.time);
  const ahead = Math.max(before - time, 0) + Math.min(Date.now() - time, 0);
  return Math.round(ahead) / 1000;
}
