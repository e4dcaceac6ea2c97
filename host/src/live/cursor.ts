/** The position of a client in a company's events, as the text that `/events` sends and accepts: `n` and the number of the last event. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';

/** Longest delay of `setTimeout`: it fires at once for a longer delay. */
const LONGEST_MS = 2 ** 31 - 1;

/** The last event of each partition, as earlier versions sent it: (log sequence, ordinal). A partition without events is absent. */
type EarlierCursor = ReadonlyMap<number, readonly [seq: number, ordinal: number]>;

export interface Cursor {
  /** Events up to this number were sent. */
  readonly number: number;
  /** Events that a client with an earlier cursor has received are not sent again. */
  readonly received: EarlierCursor;
}

type Stored = Pick<Storage, 'db'>;

export interface NumberedEvent {
  readonly number: number;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The partition of events from before the log, whose ids are numbers. */
const BEFORE_LOG = -1;
const NONE: EarlierCursor = new Map();

/** The id of an event, unique in the database. */
export function eventId(companyId: string, { number }: NumberedEvent): string {
  return `${companyId}.${number}`;
}

/** `0` before the first event. At most 17 bytes. */
export function writeCursor(number: number): string {
  return number === 0 ? '0' : `n${number}`;
}

/**
 * Reads the text of `writeCursor`, or one of an earlier version: `partition.seq.ordinal` of each partition, joined with commas, or a
 * number. Throws `option-value` for any other text.
 */
export function readCursor(text: string): number | EarlierCursor {
  if (text === '0') return 0;
  const own = /^n(\d{1,15})$/.exec(text);
  if (own !== null) return Number(own[1]);
  if (/^\d{1,15}$/.test(text)) return new Map([[BEFORE_LOG, [Number(text), 0]]]);
  const cursor = new Map<number, readonly [number, number]>();
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

/** The cursor after the company's last event, or so many events `before`. */
export async function lastCursor({ db }: Stored, companyId: string, before = 0): Promise<Cursor> {
  const { rows } = await (before === 0
    ? sql<{ number: string }>`select last as number from event_numbers where company_id = ${companyId}`
    : sql<{
        number: string;
      }>`select number from events where company_id = ${companyId} order by number desc offset ${before} limit 1`
  ).execute(db);
  return { number: Number(rows[0]?.number ?? 0), received: NONE };
}

/** The cursor of what `readCursor` returned. For an earlier cursor it begins before the first event that the client lacks. */
export async function cursorFrom(
  { db }: Stored,
  companyId: string,
  read: number | EarlierCursor,
): Promise<Cursor> {
  if (typeof read === 'number') return { number: read, received: NONE };
  const known = [...read];
  const { rows } = await sql<{ before: string | null }>`
    select min(e.number) - 1 as before from events e
    left join unnest(${known.map(([partition]) => partition)}::int[], ${known.map(([, [seq]]) => seq)}::bigint[],
      ${known.map(([, [, ordinal]]) => ordinal)}::int[]) as c(partition, seq, ordinal) on c.partition = e.cell
    where e.company_id = ${companyId} and (e.seq, e.ordinal) > (coalesce(c.seq, -1), coalesce(c.ordinal, -1))`.execute(
    db,
  );
  const before = rows[0]?.before ?? null;
  return before === null ? lastCursor({ db }, companyId) : { number: Number(before), received: read };
}

/**
 * The company's events after the cursor, at most `limit`, and the cursor after them. An event with a greater number is committed later.
 */
export async function eventsAfter(
  { db }: Stored,
  companyId: string,
  { number, received }: Cursor,
  limit: number,
): Promise<{ readonly events: readonly NumberedEvent[]; readonly cursor: Cursor }> {
  const rows = await db
    .selectFrom('events')
    .select(['number', 'cell', 'seq', 'ordinal', 'event'])
    .where('company_id', '=', companyId)
    .where('number', '>', String(number))
    .orderBy('number')
    .limit(limit)
    .execute();
  const events = rows.flatMap(({ number: own, cell, seq, ordinal, event }) => {
    const [lastSeq, lastOrdinal] = received.get(cell) ?? [-1, -1];
    const isReceived = Number(seq) < lastSeq || (Number(seq) === lastSeq && ordinal <= lastOrdinal);
    return isReceived ? [] : [{ number: Number(own), event: event as NumberedEvent['event'] }];
  });
  return { events, cursor: { number: Number(rows.at(-1)?.number ?? number), received } };
}

interface StreamEnd {
  readonly signal: AbortSignal;
  end(): void;
}

/** Ends at the earliest of `expiries` (epoch milliseconds; null: never), or when `end` is called. `end` also clears the timer. */
export function streamEnd(now: number, ...expiries: readonly (number | null)[]): StreamEnd {
  const controller = new AbortController();
  const left = Math.min(...expiries.map((expiry) => (expiry ?? Number.POSITIVE_INFINITY) - now));
  const timer =
    left === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(() => controller.abort(), Math.min(Math.max(left, 0), LONGEST_MS));
  timer?.unref();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
