/** The schema's migrations in their order, for PostgreSQL 15. */

import { type Kysely, type Migration, sql } from 'kysely';
import { asideUnits } from './asideUnitsMigration.js';
import { delivery } from './deliveryMigration.js';
import { eventNumbers } from './eventNumbersMigration.js';
import { live } from './liveMigration.js';
import { platform } from './platformMigration.js';
import { retention } from './retentionMigration.js';
import { rules } from './rulesMigration.js';
import { setAside } from './setAsideMigration.js';
import { shift } from './shiftMigration.js';
import { snapshots } from './snapshotMigration.js';
import { stream } from './streamMigration.js';
import { RESOURCES } from './tables.js';
import { tripHistory } from './tripHistory.js';

const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table companies (
      id text primary key,
      name text not null,
      time_zone text not null,
      zones_version bigint not null default 0,
      properties jsonb not null default '{}'
    )`.execute(db);
    for (const name of RESOURCES) {
      const table = sql.table(name);
      await sql`create table ${table} (
        id text primary key,
        company_id text not null references companies (id),
        name text not null,
        is_delete boolean not null default false,
        created timestamptz not null,
        version bigint not null,
        ordinal bigint generated always as identity,
        row jsonb not null
      )`.execute(db);
      await sql`create index ${sql.id(`${name}_company`)} on ${table} (company_id, ordinal)`.execute(db);
      await sql`create index ${sql.id(`${name}_version`)} on ${table} (company_id, version)`.execute(db);
    }
    await sql`create table api_keys (
      key_hash text primary key,
      company_id text not null references companies (id),
      user_id text not null,
      role text not null
    )`.execute(db);
    await sql`create table units (
      id text primary key,
      company_id text not null references companies (id),
      name text not null,
      device_key text not null unique,
      settings jsonb not null default '{}'
    )`.execute(db);
    await sql`create index units_company on units (company_id)`.execute(db);
    await sql`create table fixes (
      unit_id text not null references units (id),
      time bigint not null,
      fix jsonb not null,
      primary key (unit_id, time)
    )`.execute(db);
    await sql`create table unit_states (
      unit_id text primary key references units (id),
      company_id text not null references companies (id),
      version bigint not null,
      visits jsonb not null
    )`.execute(db);
    await sql`create table events (
      id bigint generated always as identity primary key,
      company_id text not null references companies (id),
      unit_id text not null references units (id),
      time bigint not null,
      event jsonb not null
    )`.execute(db);
    await sql`create index events_company on events (company_id, id)`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    const tables = ['events', 'unit_states', 'fixes', 'units', 'api_keys', ...RESOURCES, 'companies'];
    for (const name of tables) await sql`drop table ${sql.table(name)}`.execute(db);
  },
};

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_first': first,
  '002_live': live,
  '003_stream': stream,
  '004_snapshots': snapshots,
  '005_retention': retention,
  '006_shift': shift,
  '007_trip_history': tripHistory,
  '008_platform': platform,
  '009_set_aside': setAside,
  '010_event_numbers': eventNumbers,
  '011_rules': rules,
  '012_delivery': delivery,
  '013_aside_units': asideUnits,
};
