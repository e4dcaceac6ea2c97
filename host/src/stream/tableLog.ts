/** The log as a table of the database, for a host without a broker. Publishers of one process share transactions. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inGroups } from '../storage/inGroups.js';
import { notify, type Storage } from '../storage/storage.js';
import type { Log, LogMessage, Outgoing } from './log.js';

/** Messages that one query reads. */
const PAGE = 200;
/** About how many of this process's messages stay in memory, per partition. */
const RECENT = 50;
/** Milliseconds between polls for messages of other processes. */
const POLL_MS = 200;

/**
 * Messages have the time of the database, as those of a broker have the broker's: the clocks of hosts differ and jump, and a partition's clock
 * never goes back. `now` replaces it: epoch milliseconds.
 */
export function tableLog(storage: Storage, now: (() => number) | null = null): Log {
  const { db } = storage;
  const arrivals = new EventTarget();
  /** The last messages that this process has published, by partition. Its own reader needs no query for them. */
  const recent = new Map<number, LogMessage[]>();
  const remember = (partition: number, message: LogMessage): void => {
    const own = recent.get(partition) ?? [];
    recent.set(partition, own);
    if (own.length > 0 && own.at(-1)!.seq !== message.seq - 1) own.length = 0;
    own.push(message);
    if (own.length > 2 * RECENT) own.splice(0, RECENT);
  };

  /** Writes messages in one transaction. It locks the partition's head, so that sequences are in commit order. */
  const write = async (all: readonly Outgoing[]): Promise<readonly number[]> => {
    const counts = new Map<number, number>();
    for (const { partition } of all) counts.set(partition, (counts.get(partition) ?? 0) + 1);
    const seqs: number[] = [];
    const shifts = new Map<number, number>();
    const stamps = new Map<number, number>();
    await db.transaction().execute(async (trx) => {
      const next = new Map<number, number>();
      shifts.clear();
      for (const [partition, count] of [...counts].sort(([a], [b]) => a - b)) {
        const { rows } = await sql<{ last_seq: string; shift: string; stamp: string }>`
          insert into stream_heads as head (partition, last_seq) values (${partition}, ${count})
          on conflict (partition) do update set last_seq = head.last_seq + excluded.last_seq
          returning last_seq, (select shift from partitions p where p.partition = head.partition),
            floor(1000 * extract(epoch from clock_timestamp())) as stamp`.execute(trx);
        next.set(partition, Number(rows[0]!.last_seq) - count + 1);
        shifts.set(partition, Number(rows[0]!.shift));
        stamps.set(partition, now === null ? Number(rows[0]!.stamp) : now());
      }
      const values = all.map(({ partition, payload }) => {
        const seq = next.get(partition)!;
        next.set(partition, seq + 1);
        seqs.push(seq);
        return { partition, seq, stamp: stamps.get(partition)!, payload };
      });
      await trx.insertInto('stream_log').values(values).execute();
    });
    for (const [i, { partition, payload }] of all.entries())
      remember(partition, { seq: seqs[i]!, stamp: stamps.get(partition)!, payload });
    for (const partition of counts.keys()) arrivals.dispatchEvent(new Event(String(partition)));
    return all.map(({ partition }, i) => seqs[i]! + shifts.get(partition)!);
  };

  return {
    kind: 'table',
    publish: inGroups(write),
    async *read(partition, from, signal) {
      for (let next = from; !signal.aborted; ) {
        const own = recent.get(partition);
        if (own !== undefined && own.length > 0 && next >= own[0]!.seq && next <= own.at(-1)!.seq) {
          const messages = own.slice(next - own[0]!.seq);
          next = messages.at(-1)!.seq + 1;
          yield messages;
          continue;
        }
        const stop = new AbortController();
        const arrival = once(arrivals, String(partition), { signal: stop.signal }).catch(() => {});
        const rows = await db
          .selectFrom('stream_log')
          .select(['seq', 'stamp', 'payload'])
          .where('partition', '=', partition)
          .where('seq', '>=', String(next))
          .orderBy('seq')
          .limit(PAGE)
          .execute();
        if (rows.length === 0) {
          const end = (): void => stop.abort();
          signal.addEventListener('abort', end);
          await Promise.race([arrival, sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => {})]);
          signal.removeEventListener('abort', end);
        } else {
          const messages: LogMessage[] = rows.map(({ seq, stamp, payload }) => ({
            seq: Number(seq),
            stamp: Number(stamp),
            payload,
          }));
          next = messages.at(-1)!.seq + 1;
          yield messages;
        }
        stop.abort();
      }
    },
    async state(partition) {
      const { rows } = await sql<{ last_seq: string; first: string | null }>`
        select last_seq, (select min(seq) from stream_log l where l.partition = head.partition) as first
        from stream_heads head where partition = ${partition}`.execute(db);
      const last = Number(rows[0]?.last_seq ?? 0);
      return { created: 'table', first: Number(rows[0]?.first ?? last + 1), last };
    },
    async create(partition) {
      return (await this.state(partition))!;
    },
    async trim(partition, before) {
      await db
        .deleteFrom('stream_log')
        .where('partition', '=', partition)
        .where('seq', '<', String(before))
        .execute();
    },
    async wake(companies) {
      for (const companyId of companies.keys()) await notify(db, 'wayzone_live', { companyId, version: 0 });
    },
    listen: (onWake) => storage.listen('wayzone_live', ({ companyId }) => onWake(companyId)),
    close: async () => {},
  };
}
