/**
 * The eighth migration: companies of routes and trips, zones that several companies share, fields of units, keys that expire, the change
 * history, work types, and pictures that are uploaded before they are used.
 */

import { type Kysely, type Migration, sql } from 'kysely';

const PHOTO_ADDRESS = '/api_v1/custom_geozone_types/([^/"]+)/photo/(original|small)';

/** The former names of roles, and the platform's. */
const ROLES = [
  ['VIEWER', 'READER'],
  ['USER', 'OPERATOR'],
  ['MANAGER', 'EDITOR'],
  ['SUPER_ADMIN', 'SUPERVISOR'],
] as const;

export const platform: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['routes', 'trips', 'trips_history'])
      await sql`update ${sql.table(table)} set row = row || jsonb_build_object('company_id', company_id)`.execute(
        db,
      );
    // A shared zone has a copy in each company that sees it. `owner_id`: the company that may change it.
    await sql`alter table geozones add column owner_id text references companies (id)`.execute(db);
    await sql`alter table geozones drop constraint geozones_pkey`.execute(db);
    await sql`alter table geozones add primary key (id, company_id)`.execute(db);

    await sql`alter table units add column is_delete boolean not null default false,
      add column row jsonb not null default '{}'`.execute(db);

    await sql`alter table api_keys add column id text not null default gen_random_uuid()::text unique,
      add column companies jsonb not null default '[]', add column expires bigint,
      add column created bigint not null default 0`.execute(db);
    for (const [former, role] of ROLES)
      await sql`update api_keys set role = ${role} where role = ${former}`.execute(db);
    await sql`create index api_keys_company on api_keys (company_id)`.execute(db);

    await sql`create table change_history (
      ordinal bigint generated always as identity primary key,
      company_id text not null references companies (id),
      created bigint not null,
      user_id text not null,
      user_name text not null,
      user_email text not null,
      objects text not null,
      operation text not null,
      object_id text not null,
      msg text not null,
      fields jsonb not null,
      before jsonb,
      after jsonb
    )`.execute(db);
    await sql`create index change_history_company on change_history (company_id, created, ordinal)`.execute(
      db,
    );

    await sql`create table work_types (
      company_id text not null references companies (id),
      name text not null,
      ordinal bigint generated always as identity,
      primary key (company_id, name)
    )`.execute(db);
    await sql`insert into work_types (company_id, name)
      select company_id, name from (
        select company_id, name, min(ordinal) as ordinal from (
          select company_id, ordinal, row from trips_history union all select company_id, ordinal, row from trips
        ) as known, jsonb_array_elements_text(
          case jsonb_typeof(row -> 'work_types') when 'array' then row -> 'work_types' else '[]' end
        ) as name group by company_id, name
      ) as used order by ordinal, name`.execute(db);

    await sql`alter table pictures drop constraint pictures_type_id_fkey`.execute(db);
    await sql`alter table pictures rename column type_id to id`.execute(db);
    await sql`alter table pictures add column width int not null default 0, add column height int not null default 0`.execute(
      db,
    );
    await sql`update custom_geozone_types
      set row = regexp_replace(row::text, ${PHOTO_ADDRESS}, '/api_v1/photos/\\1/\\2', 'g')::jsonb`.execute(
      db,
    );
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`update custom_geozone_types
      set row = regexp_replace(row::text, '/api_v1/photos/([^/"]+)/(original|small)',
        '/api_v1/custom_geozone_types/\\1/photo/\\2', 'g')::jsonb`.execute(db);
    await sql`delete from pictures where id not in (select id from custom_geozone_types)`.execute(db);
    await sql`alter table pictures drop column width, drop column height`.execute(db);
    await sql`alter table pictures rename column id to type_id`.execute(db);
    await sql`alter table pictures add constraint pictures_type_id_fkey
      foreign key (type_id) references custom_geozone_types (id)`.execute(db);
    await sql`drop table work_types`.execute(db);
    await sql`drop table change_history`.execute(db);
    for (const [former, role] of ROLES)
      await sql`update api_keys set role = ${former} where role = ${role}`.execute(db);
    await sql`drop index api_keys_company`.execute(db);
    await sql`alter table api_keys drop column id, drop column companies, drop column expires, drop column created`.execute(
      db,
    );
    await sql`alter table units drop column is_delete, drop column row`.execute(db);
    await sql`delete from geozones where owner_id is not null`.execute(db);
    await sql`alter table geozones drop constraint geozones_pkey`.execute(db);
    await sql`alter table geozones add primary key (id)`.execute(db);
    await sql`alter table geozones drop column owner_id`.execute(db);
    for (const table of ['routes', 'trips', 'trips_history'])
      await sql`update ${sql.table(table)} set row = row - 'company_id'`.execute(db);
  },
};
