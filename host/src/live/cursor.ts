/** The position of a client in a company's events: the last id of each partition, as the text that `/events` sends and accepts. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';

/** The last event of each partition: (log sequence, ordinal). A partition without events is absent. */
export type Cursor = Map<number, readonly [seq: number, ordinal: number]>;

export interface NumberedEvent {
  readonly partition: number;
  readonly seq: number;
  readonly ordinal: number;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The partition of events from before the log, whose ids are numbers. */
const BEFORE_LOG = -1;

/** The id of an event, unique in the database. */
export function eventId({ partition, seq, ordinal }: NumberedEvent): string {
  return `${partition}.${seq}.${ordinal}`;
}

/** `0` before the first event; else `partition.seq.ordinal` of each partition, joined with commas. */
export function writeCursor(cursor: Cursor): string {
  if (cursor.size === 0) return '0';
  return [...cursor]
    .sort(([a], [b]) => a - b)
    .map(([partition, [seq, ordinal]]) => `${partition}.${seq}.${ordinal}`)
    .join(',');
}

/** Reads the text of `writeCursor`, or a number: an id from before the log. Throws `option-value` for any other text. */
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

/** The cursor after the company's last events. */
export async function lastCursor({ db }: Pick<Storage, 'db'>, companyId: string): Promise<Cursor> {
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
 * The company's events after the cursor, at most `limit` of each partition. The events of a partition are in the order of their ids.
 * Only the owner of a partition writes its events, so an event with a later id is committed later.
 */
export async function eventsAfter(
  { db }: Pick<Storage, 'db'>,
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
