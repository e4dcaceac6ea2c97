/** Finds the partitions of the log that no worker reads, for `/health`. */

import { sql } from 'kysely';
import { every } from '../every.js';
import type { Storage } from '../storage/storage.js';

export interface UnreadPartition {
  readonly partition: number;
  /** Why the partition is not read: an error code, or `no-worker`. */
  readonly reason: string;
}

const POLL_MS = 1000;
/** A worker that has not registered for this long counts as dead; it registers each second. */
const GONE = '5 seconds';

export function streamHealth({ db, url }: Pick<Storage, 'db' | 'url'>): {
  readonly unread: () => readonly UnreadPartition[];
  readonly close: () => void;
} {
  let unread: readonly UnreadPartition[] = [];
  const poll = async (): Promise<void> => {
    // An embedded database has one process, which does not register.
    const { rows } = await sql<UnreadPartition>`
      select p.partition, coalesce(p.alarm, 'no-worker') as reason from partitions p
      where p.alarm is not null or (${url !== null} and not exists (
        select from workers w where w.id = p.owner and w.seen > now() - ${sql.lit(GONE)}::interval
      )) order by p.partition`.execute(db);
    unread = rows;
  };
  const timer = every(POLL_MS, poll);
  timer.unref();
  return { unread: () => unread, close: () => clearInterval(timer) };
}
