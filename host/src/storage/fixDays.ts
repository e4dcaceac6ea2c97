/** How long fixes and events are kept: the partitions of `fixes`, one per day (UTC), and the rows that are deleted after the retention. */

import { type QueryExecutorProvider, sql } from 'kysely';
import { DAY_MS } from '../durations.js';
import type { Storage } from './storage.js';

/** SQLSTATE codes if another process creates the same partition at the same time. */
const EXISTS: ReadonlySet<unknown> = new Set(['42P07', '23505']);

export interface FixDays {
  /** Creates the days of these times (epoch milliseconds). Call it before the transaction that writes the fixes. */
  ensure(times: Iterable<number>): Promise<void>;
  /** Creates days again that a server may have lost with its last writes. */
  forget(): void;
  /** Drops the days that end before `time` and deletes the events of these days. Returns the names of the dropped partitions. */
  dropBefore(time: number): Promise<readonly string[]>;
}

export function fixDays({ db }: Storage): FixDays {
  const made = new Set<number>();
  return {
    async ensure(times) {
      const days = new Set<number>();
      for (const time of times) days.add(Math.floor(time / DAY_MS));
      for (const day of days) {
        if (made.has(day)) continue;
        await createDay(db, day).catch((error: unknown) => {
          if (!EXISTS.has((error as { code?: unknown }).code)) throw error;
        });
        made.add(day);
      }
    },
    forget: () => made.clear(),
    async dropBefore(time) {
      const first = Math.floor(time / DAY_MS);
      const { rows } = await sql<{ name: string }>`
        select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'fixes'::regclass and c.relname < ${`fixes_${dayName(first)}`} order by 1
      `.execute(db);
      for (const { name } of rows) await sql`drop table if exists ${sql.table(name)}`.execute(db);
      for (const day of made) if (day < first) made.delete(day);
      await db
        .deleteFrom('events')
        .where('time', '<', String(first * DAY_MS))
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}

/** Creates the partition of a day (UTC, counted from 1970-01-01). */
async function createDay(db: QueryExecutorProvider, day: number): Promise<void> {
  const [from, to] = [day * DAY_MS, (day + 1) * DAY_MS].map((time) => sql.lit(String(time)));
  await sql`create table if not exists ${sql.table(`fixes_${dayName(day)}`)}
    partition of fixes for values from (${from}) to (${to})`.execute(db);
}

/** The day as `yyyyMMdd`, for example `20260302`. */
function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}
