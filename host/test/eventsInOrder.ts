import type { Storage } from '../src/storage/storage.js';
import type { StreamEvent } from '../src/stream/streamEvent.js';

/** The stored events of a unit, of a company or of all, sorted by cell, message and index in the message. */
export async function eventsInOrder(
  { db }: Storage,
  of: { readonly unit_id?: string; readonly company_id?: string } = {},
): Promise<StreamEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select('event')
    .where((where) => where.and(of))
    .orderBy('cell')
    .orderBy('seq')
    .orderBy('ordinal')
    .execute();
  return rows.map(({ event }) => event as unknown as StreamEvent);
}
