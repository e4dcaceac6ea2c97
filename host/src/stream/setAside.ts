/** Units that were set aside, and messages that name no unit: their list, their return, and their end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { addMessage } from './cellStore.js';
import { encodeRetry, partOfUnit, unitsOf } from './message.js';

/** A unit, or a message that names none, that waits for an operator. */
export interface SetAside {
  readonly cell: number;
  /** The first message that was not applied. */
  readonly seq: number;
  /** null for a message that names no unit. */
  readonly unitId: string | null;
  readonly companyId: string | null;
  readonly reason: string;
  /** The messages whose fixes of the unit were not applied. */
  readonly messages: readonly number[];
}

/** Key of a decision by an operator: a unit, or a message that names none. */
export type AsideKey = { readonly unitId: string } | { readonly cell: number; readonly seq: number };

/** The units and messages that wait, by cell and position. */
export async function listSetAside({ db }: Storage): Promise<SetAside[]> {
  const rows = await db
    .selectFrom('set_aside')
    .select(['cell', 'seq', 'unit_id', 'company_id', 'reason'])
    .where('resolved', 'is', null)
    .orderBy('cell')
    .orderBy('seq')
    .orderBy('unit_id')
    .execute();
  const byKey = new Map<string, SetAside & { readonly messages: number[] }>();
  for (const { cell, seq: text, unit_id: unitId, company_id: companyId, reason } of rows) {
    const seq = Number(text);
    const key = unitId === '' ? `${cell} ${seq}` : `unit ${unitId}`;
    const known = byKey.get(key);
    if (known !== undefined) known.messages.push(seq);
    else
      byKey.set(key, {
        cell,
        seq,
        unitId: unitId === '' ? null : unitId,
        companyId,
        reason,
        messages: [seq],
      });
  }
  return [...byKey.values()];
}

/**
 * `retry` has the unit followed again: its worker computes it from its history. `skip` deletes the fixes that were set aside from the history before.
 * A message that names no unit is added again, or given up. `now`: see `addMessage`. Throws `aside-missing` if no such unit or message waits.
 */
export async function resolveSetAside(
  storage: Storage,
  key: AsideKey,
  decision: 'retry' | 'skip',
  now: number | null = null,
): Promise<void> {
  const known = (await listSetAside(storage)).find((one) =>
    'unitId' in key
      ? one.unitId === key.unitId
      : one.unitId === null && one.cell === key.cell && one.seq === key.seq,
  );
  if (known === undefined)
    throw new WayzoneError(
      'aside-missing',
      'unitId' in key ? `unit ${key.unitId}` : `cell ${key.cell}, seq ${key.seq}`,
      'expected a unit or a message that is set aside, received none',
    );
  const { unitId, companyId, messages } = known;
  if (unitId === null) return resolveMessage(storage, known, decision, now);
  const skip = decision === 'skip' ? messages : [];
  await addMessage(storage, companyId!, unitId, encodeRetry({ companyId: companyId!, unitId, skip }), now);
}

async function resolveMessage(
  { db }: Storage,
  { cell, seq }: SetAside,
  decision: 'retry' | 'skip',
  now: number | null,
): Promise<void> {
  const row = await db
    .selectFrom('set_aside')
    .select('payload')
    .where('cell', '=', cell)
    .where('seq', '=', String(seq))
    .where('unit_id', '=', '')
    .executeTakeFirstOrThrow();
  // Published first: fixes that arrive twice change nothing, but none may be lost.
  if (decision === 'retry') await addAgain({ db }, cell, new Uint8Array(row.payload), now);
  // The row stays, because a replay must skip the message.
  await db
    .updateTable('set_aside')
    .set({ resolved: decision === 'retry' ? 'retried' : 'skipped' })
    .where('cell', '=', cell)
    .where('seq', '=', String(seq))
    .where('unit_id', '=', '')
    .execute();
}

/** Adds a message to the cells of its units; one that still cannot be read, to some cell of the company. */
async function addAgain(
  storage: Pick<Storage, 'db'>,
  cell: number,
  payload: Uint8Array,
  now: number | null,
): Promise<void> {
  const row = await storage.db
    .selectFrom('cells')
    .select('company_id')
    .where('cell', '=', cell)
    .executeTakeFirstOrThrow();
  const units = unitsOf(payload);
  for (const unitId of units)
    await addMessage(storage, row.company_id, unitId, partOfUnit(row.company_id, unitId, [payload]), now);
  if (units.length === 0) await addMessage(storage, row.company_id, '', payload, now);
}

/** How long a reading of the gauge may take, milliseconds. */
const GAUGE_MS = 2000;

/** The metric `wayzone_set_aside`: the number of units and messages that wait, by cell, when it is asked for. */
export function gaugeSetAside(registry: Registry, { db }: Storage): void {
  const waiting = async (): Promise<readonly { cell: number; count: number }[]> => {
    const { rows } = await sql<{ cell: number; count: number }>`
      select cell, count(distinct case when unit_id = '' then seq::text else 'unit ' || unit_id end)::int as count
      from set_aside where resolved is null group by cell order by cell`.execute(db);
    return rows;
  };
  new Gauge({
    name: 'wayzone_set_aside',
    help: 'Units, and messages that name none, that are set aside and wait for an operator',
    labelNames: ['cell'],
    registers: [registry],
    async collect() {
      // Without the database the other metrics still count: the last values stay.
      const rows = await Promise.race([waiting(), sleep(GAUGE_MS, null, { ref: false })]).catch(() => null);
      if (rows === null) return;
      this.reset();
      for (const { cell, count } of rows) this.set({ cell: String(cell) }, count);
    },
  });
}
