/** The third migration: fixes in typed columns, events numbered by their position in the log, and the tables of the workers. */

import { type Kysely, type Migration, sql } from 'kysely';
import { createDay } from './liveMigration.js';

export const stream: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table fixes rename to fixes_before`.execute(db);
    await sql`alter table fixes_before rename constraint fixes_pkey to fixes_before_pkey`.execute(db);
    const days = await daysOf(db, 'fixes_before');
    for (const { name } of days) {
      await sql`alter table ${sql.table(name)} rename to ${sql.id(`${name}_before`)}`.execute(db);
      await sql`alter index ${sql.id(`${name}_pkey`)} rename to ${sql.id(`${name}_before_pkey`)}`.execute(db);
    }
    await sql`create table fixes (
      unit_id text not null,
      time bigint not null,
      lon float8 not null,
      lat float8 not null,
      is_usable boolean not null,
      accuracy float8,
      more text,
      primary key (unit_id, time)
    ) partition by range (time)`.execute(db);
    for (const { day } of days) await createDay(db, Number(day));
    await sql`insert into fixes
      select unit_id, time, (fix->>'lon')::float8, (fix->>'lat')::float8,
        coalesce((fix->>'valid')::boolean, true) and not ((fix->>'lon')::float8 = 0 and (fix->>'lat')::float8 = 0),
        (fix->>'accuracyMeters')::float8,
        nullif((fix - 'time' - 'lon' - 'lat' - 'accuracyMeters')::text, '{}')
      from fixes_before`.execute(db);
    await sql`drop table fixes_before`.execute(db);

    await sql`alter table events rename to events_before`.execute(db);
    await sql`alter table events_before rename constraint events_pkey to events_before_pkey`.execute(db);
    await sql`create table events (
      company_id text not null,
      partition int not null,
      seq bigint not null,
      ordinal int not null,
      unit_id text not null,
      time bigint not null,
      event jsonb not null,
      primary key (company_id, partition, seq, ordinal)
    )`.execute(db);
    // Events from before the log have the partition -1 and their number.
    await sql`insert into events select company_id, -1, number, 0, unit_id, time, event from events_before`.execute(
      db,
    );
    await sql`drop table events_before`.execute(db);
    await sql`create index events_unit on events (unit_id, time)`.execute(db);
    await sql`drop table company_streams`.execute(db);

    // The state is the tracker's snapshot. `prepareStream` fills in the partition when the number of partitions is known.
    await sql`alter table unit_states rename to unit_states_before`.execute(db);
    await sql`alter table unit_states_before rename constraint unit_states_pkey to unit_states_before_pkey`.execute(
      db,
    );
    await sql`drop index unit_states_company`.execute(db);
    await sql`create table unit_states (
      unit_id text primary key,
      company_id text not null,
      partition int,
      seq bigint not null,
      state text not null
    )`.execute(db);
    await sql`insert into unit_states select unit_id, company_id, null, 0, visits::text from unit_states_before`.execute(
      db,
    );
    await sql`drop table unit_states_before`.execute(db);
    await sql`create index unit_states_partition on unit_states (partition)`.execute(db);

    await sql`create table stream_settings (
      id int primary key check (id = 1),
      log text not null,
      partitions int not null,
      lateness_seconds float8 not null
    )`.execute(db);
    await sql`create table partitions (
      partition int primary key,
      epoch bigint not null default 0,
      owner text,
      position bigint not null default 0,
      clock bigint,
      replay_from bigint not null default 1,
      replay_clock bigint,
      stream_created text,
      last_seq bigint not null default 0,
      unproven int not null default 0,
      trying bigint,
      tries int not null default 0,
      alarm text
    )`.execute(db);
    await sql`create table workers (id text primary key, seen timestamptz not null)`.execute(db);
    await sql`create table partition_zones (
      partition int not null,
      company_id text not null,
      seq bigint not null,
      version bigint not null,
      primary key (partition, company_id, seq)
    )`.execute(db);
    await sql`create table stream_log (
      partition int not null,
      seq bigint not null,
      stamp bigint not null,
      payload bytea not null,
      primary key (partition, seq)
    )`.execute(db);
    await sql`alter table stream_log alter column payload set storage external`.execute(db);
    await sql`create table set_aside (
      partition int not null,
      seq bigint not null,
      reason text not null,
      payload bytea not null,
      primary key (partition, seq)
    )`.execute(db);

    // A worker that replays the log needs the zones as they were at a version.
    await sql`create table geozones_history (
      id text not null,
      company_id text not null,
      version bigint not null,
      until bigint not null,
      ordinal bigint not null,
      row jsonb not null
    )`.execute(db);
    await sql`create index geozones_history_company on geozones_history (company_id, until)`.execute(db);
    await sql`create function keep_geozone() returns trigger language plpgsql as $$
      begin
        insert into geozones_history values (old.id, old.company_id, old.version, new.version, old.ordinal, old.row);
        return new;
      end $$`.execute(db);
    await sql`create trigger keep_geozone before update on geozones
      for each row when (old.version <> new.version) execute function keep_geozone()`.execute(db);
  },

  async down(db: Kysely<unknown>): Promise<void> {
    await sql`drop trigger keep_geozone on geozones`.execute(db);
    await sql`drop function keep_geozone`.execute(db);
    for (const name of [
      'geozones_history',
      'set_aside',
      'stream_log',
      'partition_zones',
      'workers',
      'partitions',
      'stream_settings',
    ])
      await sql`drop table ${sql.table(name)}`.execute(db);
    await sql`alter table unit_states rename to unit_states_after`.execute(db);
    await sql`alter table unit_states_after rename constraint unit_states_pkey to unit_states_after_pkey`.execute(
      db,
    );
    await sql`create table unit_states (
      unit_id text primary key references units (id),
      company_id text not null references companies (id),
      visits jsonb not null,
      last_time bigint,
      last_fix jsonb
    )`.execute(db);
    // The earlier schema stores only snapshots of visits.
    await sql`insert into unit_states
      select s.unit_id, s.company_id, coalesce(s.state::jsonb->'visits', s.state::jsonb), f.time,
        jsonb_build_object('time', f.time, 'lon', f.lon, 'lat', f.lat)
      from unit_states_after s left join lateral
        (select time, lon, lat from fixes where unit_id = s.unit_id order by time desc limit 1) f on true`.execute(
      db,
    );
    await sql`drop table unit_states_after`.execute(db);
    await sql`create index unit_states_company on unit_states (company_id)`.execute(db);
    await sql`alter table events rename to events_after`.execute(db);
    await sql`alter table events_after rename constraint events_pkey to events_after_pkey`.execute(db);
    await sql`create table events (
      company_id text not null references companies (id),
      number bigint not null,
      unit_id text not null references units (id),
      time bigint not null,
      event jsonb not null,
      primary key (company_id, number)
    )`.execute(db);
    await sql`insert into events
      select company_id, row_number() over (partition by company_id order by partition, seq, ordinal), unit_id, time, event
      from events_after`.execute(db);
    await sql`drop table events_after`.execute(db);
    await sql`create table company_streams (
      company_id text primary key references companies (id),
      last_event bigint not null,
      batch bigint not null
    )`.execute(db);
    await sql`insert into company_streams select company_id, max(number), 1 from events group by company_id`.execute(
      db,
    );
    const days = await daysOf(db, 'fixes');
    await sql`create table fixes_after as select * from fixes`.execute(db);
    await sql`drop table fixes`.execute(db);
    await sql`create table fixes (
      unit_id text not null,
      time bigint not null,
      fix jsonb not null,
      primary key (unit_id, time)
    ) partition by range (time)`.execute(db);
    for (const { day } of days) await createDay(db, Number(day));
    await sql`insert into fixes
      select unit_id, time, jsonb_build_object('time', time, 'lon', lon, 'lat', lat)
        || case when accuracy is null then '{}' else jsonb_build_object('accuracyMeters', accuracy) end
        || coalesce(more, '{}')::jsonb
      from fixes_after`.execute(db);
    await sql`drop table fixes_after`.execute(db);
  },
};

/** The partitions of a table of fixes, with their days since 1970-01-01. */
async function daysOf(db: Kysely<unknown>, table: string): Promise<readonly { name: string; day: string }[]> {
  const { rows } = await sql<{ name: string; day: string }>`
    select c.relname as name, (to_date(substr(c.relname, 7), 'YYYYMMDD') - date '1970-01-01')::text as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass
  `.execute(db);
  return rows;
}
