/** The clock of a database, and its epoch: which history of the database its rows belong to. */

import { type Kysely, sql } from 'kysely';
import type { Storage } from './storage.js';
import type { Tables } from './tables.js';

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

/**
 * The epoch: the cluster, its timeline (raised by a promotion and by a recovery to a point in time), the identity of the table of
 * companies (changed by a restored dump), and the start of the server: it may lack writes of before (a power cut with `synchronous_commit = off`).
 */
export async function databaseEpoch(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`
    select concat_ws('-', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8),
      'companies'::regclass::oid, (1000000 * extract(epoch from pg_postmaster_start_time()))::bigint) as epoch`.execute(
    db,
  );
  return rows[0]!.epoch;
}
