/** Messages that were set aside: their list, their second attempt, and their end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import type { Log } from './log.js';
import { decodeMessage } from './message.js';

/** A message that waits for an operator. */
export interface SetAside {
  readonly partition: number;
  readonly seq: number;
  readonly reason: string;
  /** null for a message that cannot be read. */
  readonly companyId: string | null;
  readonly unitIds: readonly string[];
  readonly fixes: number;
}

/** The messages that wait, by partition and position. */
export async function listSetAside({ db }: Storage): Promise<SetAside[]> {
  const rows = await db
    .selectFrom('set_aside')
    .select(['partition', 'seq', 'reason', 'payload'])
    .where('resolved', 'is', null)
    .orderBy('partition')
    .orderBy('seq')
    .execute();
  return rows.map(({ partition, seq, reason, payload }) => ({
    partition,
    seq: Number(seq),
    reason,
    ...contentOf(payload),
  }));
}

function contentOf(payload: Uint8Array): Pick<SetAside, 'companyId' | 'unitIds' | 'fixes'> {
  const none = { companyId: null, unitIds: [], fixes: 0 };
  try {
    // Only the form counts here: the times were compared with the clock of the log.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    const body = JSON.parse(text) as { fixes?: readonly [unknown, { time?: unknown }][] };
    const message = decodeMessage(payload, Number(body.fixes?.[0]?.[1].time ?? 0));
    if (message.kind === 'tick') return none;
    const unitIds = [...new Set(message.fixes.map(({ unitId }) => unitId))];
    return { companyId: message.companyId, unitIds, fixes: message.fixes.length };
  } catch {
    return none;
  }
}

/**
 * `retry` publishes the message again, at the end of its partition: its fixes then count as late ones. `skip` gives its fixes up. Throws
 * `aside-missing` if no such message waits.
 */
export async function resolveSetAside(
  { db }: Storage,
  log: Pick<Log, 'publish'>,
  { partition, seq }: Pick<SetAside, 'partition' | 'seq'>,
  decision: 'retry' | 'skip',
): Promise<void> {
  const row = await db
    .selectFrom('set_aside')
    .select('payload')
    .where('partition', '=', partition)
    .where('seq', '=', String(seq))
    .where('resolved', 'is', null)
    .executeTakeFirst();
  if (row === undefined)
    throw new WayzoneError(
      'aside-missing',
      `partition ${partition}, seq ${seq}`,
      'expected a message that is set aside, received none',
    );
  // Published first: fixes that arrive twice change nothing, but none may be lost.
  if (decision === 'retry') await log.publish([{ partition, payload: new Uint8Array(row.payload) }]);
  await db
    .updateTable('set_aside')
    .set({ resolved: decision === 'retry' ? 'retried' : 'skipped' })
    .where('partition', '=', partition)
    .where('seq', '=', String(seq))
    .execute();
}

/** How long a reading of the gauge may take, milliseconds. */
const GAUGE_MS = 2000;

/** The metric `wayzone_set_aside`: the number of messages that wait, when it is asked for. */
export function gaugeSetAside(registry: Registry, { db }: Storage): void {
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from set_aside where resolved is null`.execute(db);
    return rows[0]?.count ?? 0;
  };
  new Gauge({
    name: 'wayzone_set_aside',
    help: 'Messages that are set aside and wait for an operator',
    registers: [registry],
    async collect() {
      // Without the database the other metrics still count: the last value stays.
      const count = await Promise.race([waiting(), sleep(GAUGE_MS, null, { ref: false })]).catch(() => null);
      if (count !== null) this.set(count);
    },
  });
}
