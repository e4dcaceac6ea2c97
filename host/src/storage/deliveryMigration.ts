/** The ninth migration: sinks of events, rules of notifications, and the deliveries that wait. */

import { type Kysely, type Migration, sql } from 'kysely';

export const delivery: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table event_sinks (
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
    )`.execute(db);
    await sql`create index event_sinks_company on event_sinks (company_id, created)`.execute(db);
    await sql`create table notification_rules (
      id text primary key,
      company_id text not null references companies (id),
      is_enabled boolean not null,
      row jsonb not null,
      created bigint not null
    )`.execute(db);
    await sql`create index notification_rules_company on notification_rules (company_id, created)`.execute(
      db,
    );
    // Where the rules of a company have read its events up to, and the visits that were open there.
    await sql`create table rule_cursors (
      company_id text primary key references companies (id),
      cursor text not null
    )`.execute(db);
    await sql`create table open_visits (
      company_id text not null,
      unit_id text not null,
      zone_id text not null,
      enter bigint not null,
      primary key (company_id, unit_id, zone_id, enter)
    )`.execute(db);
    // What a rule that looks at the clock has notified of, so that it does so once.
    await sql`create table rule_notices (
      rule_id text not null references notification_rules (id) on delete cascade,
      key text not null,
      created bigint not null,
      primary key (rule_id, key)
    )`.execute(db);
    await sql`create table deliveries (
      ordinal bigint generated always as identity primary key,
      sink_id text not null references event_sinks (id) on delete cascade,
      event_id text not null,
      unit_id text not null,
      payload jsonb not null,
      created bigint not null,
      due bigint not null,
      attempts int not null default 0,
      is_dead boolean not null default false,
      error text,
      unique (sink_id, event_id)
    )`.execute(db);
    await sql`create index deliveries_order on deliveries (sink_id, unit_id, ordinal) where not is_dead`.execute(
      db,
    );
    await sql`create index deliveries_due on deliveries (sink_id, due) where not is_dead`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    for (const name of [
      'deliveries',
      'rule_notices',
      'open_visits',
      'rule_cursors',
      'notification_rules',
      'event_sinks',
    ])
      await sql`drop table ${sql.table(name)}`.execute(db);
  },
};
