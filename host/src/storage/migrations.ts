/** The schema's migrations in their order, for PostgreSQL 15. `tables.ts` says what the columns hold. */

import { type Kysely, type Migration, sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { type LabelledTable, unlabelled } from './entryColumns.js';
import { RESOURCES } from './tables.js';

/** Statements in order: each refers only to tables that exist by then. */
const PLATFORM: readonly string[] = [
  `create table companies (
    id text primary key,
    name text not null,
    time_zone text not null,
    zones_version bigint not null default 0,
    zones_from bigint not null default 0,
    properties jsonb not null default '{}'
  )`,
  ...RESOURCES.flatMap((name) => [
    // A shared zone has a row in each company that sees it.
    `create table ${name} (
      id text not null,
      company_id text not null references companies (id),
      name text not null,
      is_delete boolean not null default false,
      created timestamptz not null,
      version bigint not null,
      ordinal bigint generated always as identity,
      row jsonb not null,
      ${name === 'geozones' ? 'owner_id text references companies (id), primary key (id, company_id)' : 'primary key (id)'}
    )`,
    `create index ${name}_company on ${name} (company_id, ordinal)`,
    `create index ${name}_version on ${name} (company_id, version)`,
  ]),
  ...historyOf('geozones', 'keep_geozone'),
  ...historyOf('trips', 'keep_trip'),
  ...['geozones', 'geozones_history'].map(
    (name) => `create index ${name}_rules on ${name} (company_id) where row ? 'speed_limit' or row ? 'hours'`,
  ),
  `create table api_keys (
    key_hash text primary key,
    company_id text not null references companies (id),
    user_id text not null,
    role text not null,
    id text not null unique default gen_random_uuid()::text,
    companies jsonb not null default '[]',
    expires bigint,
    created bigint not null default 0
  )`,
  'create index api_keys_company on api_keys (company_id)',
  `create table change_history (
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
  )`,
  'create index change_history_company on change_history (company_id, created, ordinal)',
  `create table work_types (
    company_id text not null references companies (id),
    name text not null,
    ordinal bigint generated always as identity,
    primary key (company_id, name)
  )`,
  `create table units (
    id text primary key,
    company_id text not null references companies (id),
    name text not null,
    device_key text not null unique,
    settings jsonb not null default '{}',
    is_delete boolean not null default false,
    row jsonb not null default '{}'
  )`,
  'create index units_company on units (company_id)',
  'create table tickets (hash text primary key, access jsonb not null, expires bigint not null)',
  `create table locators (
    id text primary key,
    company_id text not null references companies (id),
    unit_id text not null references units (id),
    expires bigint not null
  )`,
  'create index locators_company on locators (company_id)',
  `create table pictures (
    id text not null,
    company_id text not null references companies (id),
    size text not null,
    media_type text not null,
    bytes bytea not null,
    width integer not null default 0,
    height integer not null default 0,
    primary key (id, size)
  )`,
  `create table zone_snapshots (
    token text primary key,
    company_id text not null references companies (id),
    version bigint not null
  )`,
  'create index zone_snapshots_company on zone_snapshots (company_id, version)',
];

/** Fixes and what follows from them. They refer to no other table: fixes and events are written by the thousand. */
const STREAM: readonly string[] = [
  `create table fixes (
    unit_id text not null,
    time bigint not null,
    lon double precision not null,
    lat double precision not null,
    is_usable boolean not null,
    accuracy double precision,
    more text,
    primary key (unit_id, time)
  ) partition by range (time)`,
  // States are replaced all the time: a replaced one leaves its room to the next one on its page.
  `create table unit_states (
    unit_id text primary key,
    company_id text not null,
    partition integer,
    seq bigint not null,
    state text not null
  ) with (fillfactor = 50)`,
  'create index unit_states_partition on unit_states (partition)',
  `create table events (
    company_id text not null,
    partition integer not null,
    seq bigint not null,
    ordinal integer not null,
    unit_id text not null,
    time bigint not null,
    event jsonb not null,
    number bigint not null,
    primary key (company_id, partition, seq, ordinal)
  )`,
  'create unique index events_number on events (company_id, number)',
  'create index events_unit on events (unit_id, time)',
  'create table event_numbers (company_id text primary key, last bigint not null)',
  `create table stream_settings (
    id integer primary key check (id = 1),
    log text not null,
    partitions integer not null,
    lateness_seconds double precision not null
  )`,
  `create table partitions (
    partition integer primary key,
    epoch bigint not null default 0,
    owner text,
    position bigint not null default 0,
    clock bigint,
    replay_from bigint not null default 1,
    replay_clock bigint,
    stream_created text,
    unproven integer not null default 0,
    trying bigint,
    tries integer not null default 0,
    shift bigint not null default 0,
    alarm text
  )`,
  // Several versions may apply after the same message, because each edit of a trip has its own events.
  `create table partition_zones (
    partition integer not null,
    company_id text not null,
    seq bigint not null,
    version bigint not null,
    primary key (partition, company_id, seq, version)
  )`,
  'create index partition_zones_company on partition_zones (company_id, version)',
  'create table workers (id text primary key, seen timestamptz not null)',
  'create table stream_heads (partition integer primary key, last_seq bigint not null)',
  `create table stream_log (
    partition integer not null,
    seq bigint not null,
    stamp bigint not null,
    payload bytea not null,
    primary key (partition, seq)
  )`,
  // Payloads are compressed already.
  'alter table stream_log alter column payload set storage external',
  // A row without a unit is a message that names none.
  `create table set_aside (
    partition integer not null,
    seq bigint not null,
    unit_id text not null default '',
    company_id text,
    from_time bigint,
    reason text not null,
    payload bytea not null,
    resolved text,
    primary key (partition, seq, unit_id)
  )`,
  'create index set_aside_unit on set_aside (unit_id)',
];

const DELIVERY: readonly string[] = [
  `create table event_sinks (
    id text primary key,
    company_id text not null references companies (id),
    name text not null,
    kind text not null,
    target jsonb not null,
    secret text not null,
    types jsonb,
    is_enabled boolean not null,
    cursor text not null,
    created bigint not null
  )`,
  'create index event_sinks_company on event_sinks (company_id, created)',
  `create table notification_rules (
    id text primary key,
    company_id text not null references companies (id),
    is_enabled boolean not null,
    row jsonb not null,
    created bigint not null
  )`,
  'create index notification_rules_company on notification_rules (company_id, created)',
  // By company, the position up to which its rules have read the events, and the visits open there.
  'create table rule_cursors (company_id text primary key references companies (id), cursor text not null)',
  `create table open_visits (
    company_id text not null,
    unit_id text not null,
    zone_id text not null,
    enter bigint not null,
    primary key (company_id, unit_id, zone_id, enter)
  )`,
  // Occasions that a rule of the clock has notified of, so that each is notified once.
  `create table rule_notices (
    rule_id text not null references notification_rules (id) on delete cascade,
    key text not null,
    created bigint not null,
    primary key (rule_id, key)
  )`,
  `create table deliveries (
    ordinal bigint generated always as identity primary key,
    sink_id text not null references event_sinks (id) on delete cascade,
    event_id text not null,
    unit_id text not null,
    payload jsonb not null,
    created bigint not null,
    due bigint not null,
    attempts integer not null default 0,
    is_dead boolean not null default false,
    error text,
    unique (sink_id, event_id)
  )`,
  'create index deliveries_order on deliveries (sink_id, unit_id, ordinal) where not is_dead',
  'create index deliveries_due on deliveries (sink_id, due) where not is_dead',
];

/** A table of the rows at earlier versions, which a worker that replays the log needs, and the trigger that writes it. */
function historyOf(name: string, trigger: string): string[] {
  return [
    `create table ${name}_history (
      id text not null,
      company_id text not null,
      version bigint not null,
      until bigint not null,
      ordinal bigint not null,
      row jsonb not null
    )`,
    `create index ${name}_history_company on ${name}_history (company_id, until)`,
    `create function ${trigger}() returns trigger language plpgsql as $$
      begin
        insert into ${name}_history values (old.id, old.company_id, old.version, new.version, old.ordinal, old.row);
        return new;
      end $$`,
    `create trigger ${trigger} before update on ${name}
      for each row when (old.version <> new.version) execute function ${trigger}()`,
  ];
}

const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...PLATFORM, ...STREAM, ...DELIVERY]) await sql.raw(statement).execute(db);
  },
};

const shown: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // The condition of `WHICH.shown` in rowTexts.ts.
    await sql`create index geozones_shown on geozones (company_id, ordinal)
      where not is_delete and row @> '{"is_show_on_map": true}'`.execute(db);
  },
};

/** Columns with rows that had the labels of their last writer. */
const LABELLED_COLUMNS: readonly (readonly [rows: LabelledTable, table: string, column: string])[] = [
  ['geozones', 'geozones', 'row'],
  ['geozones', 'geozones_history', 'row'],
  ['routes', 'routes', 'row'],
  ['trips', 'trips', 'row'],
  ['trips', 'trips_history', 'row'],
  ['units', 'units', 'row'],
  ['company', 'companies', 'properties'],
];
const LABELLED_HISTORY = ['geozones', 'routes', 'trips', 'units', 'company'] as const;

/** Entries are stored by their keys. Earlier rows had the labels of the last client. */
const entryKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const clear = async (
      rows: LabelledTable,
      table: string,
      column: string,
      which = sql`true`,
    ): Promise<void> => {
      const state = sql.ref(column);
      const cleared = unlabelled(rows)(state);
      await sql`update ${sql.table(table)} set ${state} = ${cleared} where ${which} and ${state} <> ${cleared}`.execute(
        db,
      );
    };
    for (const [rows, table, column] of LABELLED_COLUMNS) await clear(rows, table, column);
    for (const rows of LABELLED_HISTORY)
      for (const column of ['before', 'after'])
        await clear(rows, 'change_history', column, sql`objects = ${rows}`);
  },
};

const users: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [
      `create table users (
        id text primary key,
        company_id text,
        role text,
        companies integer,
        row jsonb not null default '{}'
      )`,
      `create table user_settings (
        id text primary key default gen_random_uuid()::text,
        user_id text not null,
        company_id text references companies (id),
        key text not null,
        value text not null,
        version integer not null
      )`,
      `create unique index user_settings_key on user_settings (user_id, coalesce(company_id, ''), key)`,
      'create table switched_companies (credential_hash text primary key, company_id text not null, expires bigint)',
    ])
      await sql.raw(statement).execute(db);
  },
};

/**
 * Without its condition, an index of versions also serves a page of rowTexts.ts, which names the company and a range of `ordinal`: with
 * statistics from before a large import PostgreSQL took it, and read all rows of the company for each page. Versions begin at 1.
 */
const versionsAlone: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of RESOURCES) await sql.raw(`drop index ${name}_version`).execute(db);
    // Rows of the others are not asked for by their version.
    for (const name of ['geozones', 'trips'])
      await sql
        .raw(`create index ${name}_version on ${name} (company_id, version) where version > 0`)
        .execute(db);
  },
};

/**
 * The fields by which lists are filtered and sorted, `HeadCells` as JSON, so that a list unpacks no row. PostgreSQL computes them at each write. `->` and
 * `||` may stand in such a column; `jsonb_build_array` may not, since it is not immutable.
 */
const heads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const fields = ['id', 'name', 'created', 'is_delete', 'companies'].map((name) => `row -> '${name}'`);
    const keys = ['icon', 'color', 'type'].map((name) => `row -> '${name}' -> 'key'`);
    const cells = [...fields, ...keys].map((value) => `coalesce((${value})::text, 'null')`);
    const head = `'[' || ${cells.join(` || ',' || `)} || ']'`;
    await sql
      .raw(`alter table geozones add column head text not null generated always as (${head}) stored`)
      .execute(db);
  },
};

/** Messages that no checkpoint holds yet, and the identity of a partition's last committed message. */
const received: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [
      `create table received (
        partition integer not null,
        id bigint generated always as identity,
        payload bytea not null,
        primary key (partition, id)
      )`,
      // The rows live for a second: compressing them costs more than it saves.
      'alter table received alter column payload set storage external',
      'alter table partitions add column stamp bigint, add column stamp_position bigint',
    ])
      await sql.raw(statement).execute(db);
  },
};

/**
 * A device key is one unit's in its company. `/osmand`, which has no token, takes it for the unit that had it first, so that a company learns nothing of
 * the keys of others.
 */
const ownedKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [
      'alter table units add column owns_key boolean not null default true',
      'alter table units drop constraint units_device_key_key',
      'create unique index units_key on units (company_id, device_key)',
      'create unique index units_owned_key on units (device_key) where owns_key',
    ])
      await sql.raw(statement).execute(db);
  },
};

/** `coordinates` of a geozone were kept as sent, also where they contradicted `geometry`, which alone was read. */
const coordinates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`update geozones set row = row - 'coordinates' where row ? 'coordinates'`.execute(db);
  },
};

/** Sign-in links that were used. */
const usedLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table used_links (hash text primary key, expires bigint not null)`.execute(db);
  },
};

/**
 * Cells: the units of a company in groups, each with an order of arrival of its own. `cells` is written by requests and `cell_positions` by workers, so that they do
 * not wait for each other. Pages are left mostly empty, so that a changed row stays on its page. The log of earlier versions must be read to its end.
 */
const cells: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`lock table partitions, stream_log, received`.execute(db);
    const { rows } = await sql<{ partition: number; why: string }>`
      select partition, 'states that lack messages' as why from partitions where replay_from <= position
      union all select partition, 'messages that a broker had' from received
      union all select l.partition, 'messages that no worker has handled' from stream_log l left join partitions p on p.partition = l.partition
        where l.seq + coalesce(p.shift, 0) > coalesce(p.position, 0) and l.payload <> convert_to('{"v":1,"tick":true}', 'UTF8')
      union all select partition, 'a message that is set aside and names no unit' from set_aside where unit_id = '' and resolved is null
      order by 1 limit 1`.execute(db);
    const [left] = rows;
    if (left !== undefined)
      throw new WayzoneError(
        'stream-unfinished',
        `partition ${left.partition}`,
        `expected a stream whose workers ended after their last message, received ${left.why}; start the version before, stop requests, then end it with SIGTERM`,
      );
    for (const statement of [
      'create table cell_maps (company_id text primary key, base integer not null unique, parts integer not null)',
      `create table cells (
        cell integer primary key,
        company_id text not null,
        head bigint not null default 0
      ) with (fillfactor = 20)`,
      `create table cell_positions (
        cell integer primary key,
        version bigint not null default 0,
        owner text,
        position bigint not null default 0,
        clock bigint,
        replay_from bigint not null default 1,
        replay_clock bigint,
        tick_at bigint,
        unproven integer not null default 0,
        trying bigint,
        trying_unit text,
        tries integer not null default 0,
        alarm text
      ) with (fillfactor = 20)`,
      `create table cell_messages (
        cell integer not null,
        seq bigint not null,
        stamp bigint not null,
        payload bytea not null,
        primary key (cell, seq)
      )`,
      'alter table cell_messages alter column payload set storage external',
      // From which cells of earlier states begin.
      'alter table stream_settings drop column log, drop column partitions, add column clock bigint',
      'update stream_settings set clock = (select max(clock) from partitions)',
      "delete from set_aside where unit_id = ''",
      'alter table partition_zones rename to cell_zones',
      ...['unit_states', 'events', 'cell_zones', 'set_aside'].map(
        (name) => `alter table ${name} rename column partition to cell`,
      ),
      'update unit_states set cell = 0 where cell is null',
      'alter table unit_states alter column cell set not null',
      'drop table partitions, received, stream_log, stream_heads',
    ])
      await sql.raw(statement).execute(db);
  },
};

/**
 * Cells can be divided. Processes of earlier versions go on with companies whose cells were not divided: their requests get an error where a cell is closed
 * or gone, and their workers, which know nothing of closed cells, find neither `tick_at` nor `workers`.
 */
const dividedCells: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`lock table cells, cell_positions, cell_maps, workers`.execute(db);
    const { rows } = await sql<{ next: number }>`
      select greatest(10000, (select max(cell) + 1 from cells)) as next`.execute(db);
    for (const statement of [
      `alter table cells alter column cell add generated by default as identity (start with ${rows[0]!.next}),
        add column modulus integer, add column residue integer, add column parent integer, add column last bigint,
        add constraint cells_closed check (head <= last)`,
      `update cells c set modulus = m.parts, residue = c.cell - m.base from cell_maps m where m.company_id = c.company_id`,
      'alter table cells alter column modulus set not null, alter column residue set not null',
      'create index cells_company on cells (company_id)',
      'create index cells_parent on cells (parent) where parent is not null',
      'drop table cell_maps',
      'alter table cell_positions rename column tick_at to due_at',
      'alter table workers rename to cell_workers',
    ])
      await sql.raw(statement).execute(db);
  },
};

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_schema': first,
  '002_shown': shown,
  '003_entry_keys': entryKeys,
  '004_users': users,
  '005_versions_alone': versionsAlone,
  '006_heads': heads,
  '007_received': received,
  '008_owned_keys': ownedKeys,
  '009_coordinates': coordinates,
  '010_used_links': usedLinks,
  '011_cells': cells,
  '012_divided_cells': dividedCells,
};
