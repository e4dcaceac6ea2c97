/** Stores the settings that are fixed when the streams are created: the log, the number of partitions, the lateness. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { partitionOf } from './partitionOf.js';

export interface StreamSettings {
  readonly log: 'table' | 'nats';
  readonly partitions: number;
  readonly latenessSeconds: number;
}

/** Number of states in one statement. */
const PAGE = 1000;

/**
 * Creates the partitions at the first start and returns its settings; a later start returns the stored ones. `given` holds only what the
 * environment sets. Throws `stream-settings` if that differs from the stored value.
 */
export async function prepareStream(
  { db }: Storage,
  given: Pick<StreamSettings, 'log'> & Partial<StreamSettings>,
): Promise<StreamSettings> {
  const { log, partitions = log === 'nats' ? 64 : 1, latenessSeconds = 30 } = given;
  const made = await db.transaction().execute(async (trx) => {
    await sql`insert into stream_settings (id, log, partitions, lateness_seconds)
      values (1, ${log}, ${partitions}, ${latenessSeconds}) on conflict do nothing`.execute(trx);
    const row = await trx.selectFrom('stream_settings').selectAll().executeTakeFirstOrThrow();
    await sql`insert into partitions (partition) select generate_series(0, ${row.partitions}::int - 1)
      on conflict do nothing`.execute(trx);
    return row;
  });
  const known: StreamSettings = {
    log: made.log as StreamSettings['log'],
    partitions: made.partitions,
    latenessSeconds: made.lateness_seconds,
  };
  for (const [name, value] of Object.entries({ ...known }))
    if ((given[name as keyof StreamSettings] ?? value) !== value)
      throw new WayzoneError(
        'stream-settings',
        name,
        `expected ${value}, the value when the streams were created, received ${given[name as keyof StreamSettings]}`,
      );
  // Fills in the partition of states from before the log.
  for (;;) {
    const rows = await db
      .selectFrom('unit_states')
      .select('unit_id')
      .where('partition', 'is', null)
      .limit(PAGE)
      .execute();
    if (rows.length === 0) return known;
    const ids = rows.map(({ unit_id: id }) => id);
    await sql`update unit_states s set partition = g.partition
      from unnest(${ids}::text[], ${ids.map((id) => partitionOf(id, known.partitions))}::int[]) as g(unit_id, partition)
      where s.unit_id = g.unit_id`.execute(db);
  }
}
