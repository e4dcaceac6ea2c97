/** Where a client is in a company's events: the last id of each partition, as the text that `/events` gives and takes. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';

/** The last event of each partition: (log sequence, ordinal). Absent: none yet. */
export type Cursor = Map<number, readonly [seq: number, ordinal: number]>;

export interface NumberedEvent {
  readonly partition: number;
  readonly seq: number;
  readonly ordinal: number;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Events from before the log: their ids are numbers. */
const BEFORE_LOG = -1;

/** `0` of the first event's time; else `partition.seq.ordinal` of each partition, joined by commas. */
export function writeCursor(cursor: Cursor): string {
  if (cursor.size === 0) return '0';
  return [...cursor]
    .sort(([a], [b]) => a - b)
    .map(([partition, [seq, ordinal]]) => `${partition}.${seq}.${ordinal}`)
    .join(',');
}

/** Throws `option-value` for another text. A number is an id from before the log. */
export function readCursor(text: string): Cursor {
  if (/^\d{1,15}$/.test(text)) return text === '0' ? new Map() : new Map([[BEFORE_LOG, [Number(text), 0]]]);
  const cursor: Cursor = new Map();
  for (const part of text.split(',')) {
    const found = /^(-1|\d{1,4})\.(\d{1,15})\.(\d{1,9})$/.exec(part);
    if (found === null)
      throw new WayzoneError(
        'option-value',
        'cursor',
        `expected the id of an event, received ${text.slice(0, 60)}`,
      );
    cursor.set(Number(found[1]), [Number(found[2]), Number(found[3])]);
  }
  return cursor;
}

interface IdRow {
  readonly partition: number;
  readonly seq: string;
  readonly ordinal: number;
}

/** Behind the company's last events. */
export async function lastCursor({ db }: Storage, companyId: string): Promise<Cursor> {
  const { rows } = await sql<IdRow>`
    select p.partition, e.seq, e.ordinal
    from (select partition from partitions union all select ${BEFORE_LOG}) as p
    cross join lateral (
      select seq, ordinal from events where company_id = ${companyId} and partition = p.partition
      order by seq desc, ordinal desc limit 1
    ) as e`.execute(db);
  return new Map(rows.map(({ partition, seq, ordinal }) => [partition, [Number(seq), ordinal]]));
}

/**
 * The company's next events behind the cursor, at most `limit` of each partition, those of a partition in the order of their ids. Only the
 * owner of a partition writes there, so what is behind an id is committed after it.
 */
export async function eventsAfter(
  { db }: Storage,
  companyId: string,
  cursor: Cursor,
  limit: number,
): Promise<NumberedEvent[]> {
  const known = [...cursor];
  const { rows } = await sql<IdRow & Pick<NumberedEvent, 'event'>>`
    select p.partition, e.seq, e.ordinal, e.event
    from (select partition from partitions union all select ${BEFORE_LOG}) as p
    left join unnest(${known.map(([partition]) => partition)}::int[], ${known.map(([, [seq]]) => seq)}::bigint[],
      ${known.map(([, [, ordinal]]) => ordinal)}::int[]) as c(partition, seq, ordinal) on c.partition = p.partition
    cross join lateral (
      select seq, ordinal, event from events
      where company_id = ${companyId} and partition = p.partition
        and (seq, ordinal) > (coalesce(c.seq, -1), coalesce(c.ordinal, -1))
      order by seq, ordinal limit ${limit}
    ) as e`.execute(db);
  return rows.map(({ partition, seq, ordinal, event }) => ({ partition, seq: Number(seq), ordinal, event }));
}
