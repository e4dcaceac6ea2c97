import { sql } from 'kysely';
import type { Storage } from '../src/storage/storage.js';

/** The tables as before the migration to cells, with the events and states that they hold. A later `migrate` runs it again. */
export async function undoCells({ db }: Pick<Storage, 'db'>): Promise<void> {
  for (const statement of [
    'drop table cells, cell_positions, cell_messages',
    'alter table cell_workers rename to workers',
    `create table partitions (
      partition integer primary key, position bigint not null default 0, replay_from bigint not null default 1, clock bigint,
      shift bigint not null default 0, stamp bigint, stamp_position bigint
    )`,
    'create table stream_log (partition integer, seq bigint, payload bytea)',
    'create table stream_heads (partition integer, last_seq bigint)',
    'create table received (partition integer)',
    "alter table stream_settings drop column clock, add column log text default 'table', add column partitions integer default 1",
    'alter table cell_zones rename to partition_zones',
    ...['unit_states', 'events', 'partition_zones', 'set_aside'].map(
      (name) => `alter table ${name} rename column cell to partition`,
    ),
    'alter table unit_states alter column partition drop not null',
    "delete from kysely_migration where name in ('011_cells', '012_divided_cells')",
  ])
    await sql.raw(statement).execute(db);
}
