/** Writes a batch of fixes with the trackers' states and the events in one transaction. */

import { sql } from 'kysely';
import type { VisitEvent, VisitTracker } from 'wayzone/tracks';
import { notify, type Storage } from '../storage/storage.js';
import type { UnitFix } from './unitFix.js';

/**
 * False, and nothing is written, where the company's stream is not at `batch`: another process has written since the states were read.
 * The stream's row is held to the commit, so that events are numbered in commit order: a reader of number 2 has seen 1.
 */
export async function storeBatch(
  { db }: Storage,
  companyId: string,
  { tracker, batch }: { readonly tracker: VisitTracker; readonly batch: number },
  fixes: readonly UnitFix[],
  events: readonly VisitEvent[],
): Promise<boolean> {
  const fixRows = JSON.stringify(
    fixes.map(({ unitId, fix }) => ({ unit_id: unitId, time: Math.round(fix.time), fix })),
  );
  const stateRows = JSON.stringify(
    [...lastFixes(fixes)].map(([unitId, last]) => ({
      unit_id: unitId,
      visits: tracker.snapshot(unitId),
      last_time: Math.round(last.fix.time),
      last_fix: last.fix,
    })),
  );
  return db.transaction().execute(async (trx) => {
    const { rows: streams } = await sql<{ last_event: string }>`
      insert into company_streams (company_id, last_event, batch) values (${companyId}, ${events.length}, 1)
      on conflict (company_id) do update
        set last_event = company_streams.last_event + ${events.length}, batch = company_streams.batch + 1
        where company_streams.batch = ${batch}
      returning last_event`.execute(trx);
    const stream = streams[0];
    if (stream === undefined) return false;
    // The first fix of a time stays, as in the stream.
    await sql`
      insert into fixes (unit_id, time, fix)
      select x.unit_id, x.time, x.fix
      from jsonb_to_recordset(${fixRows}::jsonb) as x(unit_id text, time bigint, fix jsonb)
      on conflict do nothing`.execute(trx);
    await sql`
      insert into unit_states (unit_id, company_id, visits, last_time, last_fix)
      select x.unit_id, ${companyId}, x.visits, x.last_time, x.last_fix
      from jsonb_to_recordset(${stateRows}::jsonb)
        as x(unit_id text, visits jsonb, last_time bigint, last_fix jsonb)
      on conflict (unit_id) do update set
        visits = excluded.visits,
        last_time = greatest(unit_states.last_time, excluded.last_time),
        last_fix = case when excluded.last_time >= coalesce(unit_states.last_time, excluded.last_time)
          then excluded.last_fix else unit_states.last_fix end`.execute(trx);
    if (events.length > 0) {
      const first = Number(stream.last_event) - events.length + 1;
      const eventRows = JSON.stringify(
        events.map((event, i) => ({
          number: first + i,
          unit_id: event.unitId,
          time: Math.round(event.time),
          event,
        })),
      );
      await sql`
        insert into events (company_id, number, unit_id, time, event)
        select ${companyId}, x.number, x.unit_id, x.time, x.event
        from jsonb_to_recordset(${eventRows}::jsonb)
          as x(number bigint, unit_id text, time bigint, event jsonb)`.execute(trx);
    }
    await notify(trx, 'wayzone_live', { companyId, version: batch + 1 });
    return true;
  });
}

/** Each unit's fix of the latest time. */
function lastFixes(fixes: readonly UnitFix[]): Map<string, UnitFix> {
  const last = new Map<string, UnitFix>();
  for (const one of fixes) {
    const known = last.get(one.unitId);
    if (known === undefined || one.fix.time > known.fix.time) last.set(one.unitId, one);
  }
  return last;
}
