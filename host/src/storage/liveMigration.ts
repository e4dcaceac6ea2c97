/** The second migration: fixes by day, events numbered in commit order, and the tables of streams and pictures. */

import { type Kysely, type Migration, type QueryExecutorProvider, sql } from 'kysely';

const DAY_MS = 86_400_000;

export const live: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table fixes rename to fixes_before`.execute(db);
    await sql`alter table fixes_before rename constraint fixes_pkey to fixes_before_pkey`.execute(db);
    await sql`create table fixes (
      unit_id text not null,
      time bigint not null,
      fix jsonb not null,
      primary key (unit_id, time)
    ) partition by range (time)`.execute(db);
    const { rows: days } = await sql<{ day: string }>`
      select distinct floor(time / ${sql.lit(DAY_MS)}.0)::bigint as day from fixes_before
    `.execute(db);
    for (const { day } of days) await createDay(db, Number(day));
    await sql`insert into fixes select unit_id, time, fix from fixes_before`.execute(db);
    await sql`drop table fixes_before`.execute(db);

    await sql`alter table events rename to events_before`.execute(db);
    await sql`alter table events_before rename constraint events_pkey to events_before_pkey`.execute(db);
    await sql`drop index events_company`.execute(db);
    await sql`create table events (
      company_id text not null references companies (id),
      number bigint not null,
      unit_id text not null references units (id),
      time bigint not null,
      event jsonb not null,
      primary key (company_id, number)
    )`.execute(db);
    await sql`insert into events
      select company_id, row_number() over (partition by company_id order by id), unit_id, time, event
      from events_before`.execute(db);
    await sql`drop table events_before`.execute(db);
    await sql`create table company_streams (
      company_id text primary key references companies (id),
      last_event bigint not null,
      batch bigint not null
    )`.execute(db);
    await sql`insert into company_streams select company_id, max(number), 1 from events group by company_id`.execute(
      db,
    );
    await sql`alter table unit_states drop column version,
      add column last_time bigint, add column last_fix jsonb`.execute(db);
    await sql`create index unit_states_company on unit_states (company_id)`.execute(db);

    await sql`create table tickets (hash text primary key, access jsonb not null, expires bigint not null)`.execute(
      db,
    );
    await sql`create table locators (
      id text primary key,
      company_id text not null references companies (id),
      unit_id text not null references units (id),
      expires bigint not null
    )`.execute(db);
    await sql`create index locators_company on locators (company_id)`.execute(db);
    await sql`create table pictures (
      type_id text not null references custom_geozone_types (id),
      company_id text not null references companies (id),
      size text not null,
      media_type text not null,
      bytes bytea not null,
      primary key (type_id, size)
    )`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    for (const name of ['pictures', 'locators', 'tickets', 'company_streams'])
      await sql`drop table ${sql.table(name)}`.execute(db);
    await sql`drop index unit_states_company`.execute(db);
    await sql`alter table unit_states drop column last_time, drop column last_fix,
      add column version bigint not null default 0`.execute(db);
    await sql`alter table events rename to events_after`.execute(db);
    await sql`alter table events_after rename constraint events_pkey to events_after_pkey`.execute(db);
    await sql`create table events (
      id bigint generated always as identity primary key,
      company_id text not null references companies (id),
      unit_id text not null references units (id),
      time bigint not null,
      event jsonb not null
    )`.execute(db);
    await sql`create index events_company on events (company_id, id)`.execute(db);
    await sql`insert into events (company_id, unit_id, time, event)
      select company_id, unit_id, time, event from events_after order by company_id, number`.execute(db);
    await sql`drop table events_after`.execute(db);
    await sql`alter table fixes rename to fixes_after`.execute(db);
    await sql`alter table fixes_after rename constraint fixes_pkey to fixes_after_pkey`.execute(db);
    await sql`create table fixes (
      unit_id text not null references units (id),
      time bigint not null,
      fix jsonb not null,
      primary key (unit_id, time)
    )`.execute(db);
    await sql`insert into fixes select unit_id, time, fix from fixes_after`.execute(db);
    await sql`drop table fixes_after`.execute(db);
  },
};

/** Creates the partition of a day (UTC, counted from 1970-01-01). */
export async function createDay(db: QueryExecutorProvider, day: number): Promise<void> {
  const [from, to] = [day * DAY_MS, (day + 1) * DAY_MS].map((time) => sql.lit(String(time)));
  await sql`create table if not exists ${sql.table(`fixes_${dayName(day)}`)}
    partition of fixes for values from (${from}) to (${to})`.execute(db);
}

/** The day as `yyyyMMdd`, for example `20260302`. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}
