/** Numbers the events of each company in the order of their commits, so that one number is a cursor. */

import { type Kysely, type Migration, sql } from 'kysely';

export const eventNumbers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table events add column number bigint`.execute(db);
    await sql`update events e set number = n.number from (
      select company_id, partition, seq, ordinal,
        row_number() over (partition by company_id order by time, partition, seq, ordinal) as number
      from events
    ) as n
    where e.company_id = n.company_id and e.partition = n.partition and e.seq = n.seq and e.ordinal = n.ordinal`.execute(
      db,
    );
    await sql`create table event_numbers (company_id text primary key, last bigint not null)`.execute(db);
    await sql`insert into event_numbers select company_id, max(number) from events group by company_id`.execute(
      db,
    );
    await sql`alter table events alter column number set not null`.execute(db);
    await sql`create unique index events_number on events (company_id, number)`.execute(db);
    // Workers of the version before run until they are replaced, and give no numbers.
    await sql`create function number_event() returns trigger language plpgsql as $$
      begin
        insert into event_numbers (company_id, last) values (new.company_id, 1)
          on conflict (company_id) do update set last = event_numbers.last + 1 returning last into new.number;
        return new;
      end $$`.execute(db);
    await sql`create trigger number_event before insert on events
      for each row when (new.number is null) execute function number_event()`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`drop trigger number_event on events`.execute(db);
    await sql`drop function number_event`.execute(db);
    await sql`drop index events_number`.execute(db);
    await sql`alter table events drop column number`.execute(db);
    await sql`drop table event_numbers`.execute(db);
  },
};
