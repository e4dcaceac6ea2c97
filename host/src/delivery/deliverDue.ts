/** Sends the due deliveries, the oldest of each unit first, and keeps the failed ones. */

import { sql } from 'kysely';
import type { Storage } from '../storage/storage.js';
import { type Sender, type Sink, SinkError } from './sink.js';

/** Attempts before a delivery becomes a dead letter. With the pauses below: after about a day. */
export const MOST_ATTEMPTS = 16;
const FIRST_PAUSE_MS = 5000;
const MOST_PAUSE_MS = 3 * 3_600_000;
/** A delivery that a process has taken is free for others after this time. Longer than any sender waits. */
const LEASE_MS = 60_000;
/** Deliveries of one sink that are under way at the same time. */
const TOGETHER = 16;

interface Taken {
  readonly ordinal: string;
  readonly event_id: string;
  readonly unit_id: string;
  readonly payload: object;
  readonly attempts: number;
}

export interface Delivered {
  readonly sent: number;
  readonly failed: number;
  readonly dead: number;
}

/** The pause after an attempt, milliseconds: doubled each time. */
export function pauseOf(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MOST_PAUSE_MS);
}

/** Sends what is due of one sink, once. A unit whose oldest delivery waits has no later one sent. */
export async function deliverDue(
  { db }: Storage,
  sink: Sink,
  sender: Sender,
  now: number,
): Promise<Delivered> {
  const { rows } = await sql<Taken>`
    update deliveries set attempts = attempts + 1, due = ${now + LEASE_MS}
    where ordinal in (
      select ordinal from deliveries d
      where sink_id = ${sink.id} and not is_dead and due <= ${now}
        and not exists (
          select 1 from deliveries e
          where e.sink_id = d.sink_id and e.unit_id = d.unit_id and not e.is_dead and e.ordinal < d.ordinal
        )
      order by ordinal limit ${TOGETHER} for update skip locked
    ) returning ordinal, event_id, unit_id, payload, attempts`.execute(db);
  const results = await Promise.all(rows.map((row) => attempt(row)));
  const count = (wanted: string): number => results.filter((result) => result === wanted).length;
  return { sent: count('sent'), failed: count('failed'), dead: count('dead') };

  async function attempt({
    ordinal,
    event_id: id,
    unit_id: unitId,
    payload,
    attempts,
  }: Taken): Promise<string> {
    try {
      await sender.send({ id, unitId, body: JSON.stringify(payload) });
    } catch (error) {
      const isDead = attempts >= MOST_ATTEMPTS;
      const asked = error instanceof SinkError ? error.retryMs : null;
      await db
        .updateTable('deliveries')
        .set({
          due: now + (asked ?? pauseOf(attempts)),
          is_dead: isDead,
          error: String((error as Error).message ?? error).slice(0, 500),
        })
        .where('ordinal', '=', ordinal)
        .execute();
      return isDead ? 'dead' : 'failed';
    }
    await db.deleteFrom('deliveries').where('ordinal', '=', ordinal).execute();
    return 'sent';
  }
}
