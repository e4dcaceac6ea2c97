/** Finds the cells that no worker follows, for `/ready`. */

import { sql } from 'kysely';
import { every } from '../every.js';
import type { Storage } from '../storage/storage.js';

export interface UnreadCell {
  readonly cell: number;
  /** Why the cell is not followed: an error code, or `no-worker`. */
  readonly reason: string;
}

const POLL_MS = 1000;
/** A worker that has not registered for this long counts as dead; it registers each second. */
const GONE = '5 seconds';

export function streamHealth({ db, url }: Pick<Storage, 'db' | 'url'>): {
  readonly unread: () => readonly UnreadCell[];
  readonly close: () => void;
} {
  let unread: readonly UnreadCell[] = [];
  const poll = async (): Promise<void> => {
    // An embedded database has one process, which does not register.
    const { rows } = await sql<UnreadCell>`
      select p.cell, coalesce(p.alarm, 'no-worker') as reason from cell_positions p
      where p.alarm is not null or (${url !== null} and not exists (
        select from cell_workers w where w.seen > now() - ${sql.lit(GONE)}::interval
      )) order by p.cell`.execute(db);
    unread = rows;
  };
  const timer = every(POLL_MS, poll);
  timer.unref();
  return { unread: () => unread, close: () => clearInterval(timer) };
}
