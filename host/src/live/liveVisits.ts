/** The companies' visit trackers in this process: fixes, states and events are written in one transaction. */

import type { Fix } from 'wayzone';
import { type VisitEvent, VisitTracker } from 'wayzone/tracks';
import type { Storage } from '../storage/storage.js';
import type { ZoneCache } from '../zones/companyZones.js';

/** A fix of one of the company's units. */
export interface UnitFix {
  readonly unitId: string;
  readonly fix: Fix;
}

export interface LiveVisits {
  /** Takes the fixes in their order; when it is done, fixes, states and events are durable. Gives the events. */
  push(companyId: string, fixes: readonly UnitFix[], receivedAt: number): Promise<readonly VisitEvent[]>;
}

const LATENESS_SECONDS = 30;
/** Rows of one statement. */
const BATCH = 1000;

export function liveVisits(storage: Storage, zones: ZoneCache): LiveVisits {
  const trackers = new Map<string, { readonly tracker: VisitTracker; readonly index: object }>();
  const queues = new Map<string, Promise<unknown>>();

  const trackerOf = async (companyId: string): Promise<VisitTracker> => {
    const known = trackers.get(companyId);
    const { index } = await zones.zonesOf(companyId);
    // Zones that were let go and read again are another index.
    if (known?.index === index) return known.tracker;
    const tracker = new VisitTracker(index, { latenessSeconds: LATENESS_SECONDS });
    const states = await storage.db
      .selectFrom('unit_states')
      .select('visits')
      .where('company_id', '=', companyId)
      .execute();
    for (const { visits } of states) tracker.adopt(visits as Parameters<VisitTracker['adopt']>[0]);
    trackers.set(companyId, { tracker, index });
    return tracker;
  };

  const take = async (
    companyId: string,
    fixes: readonly UnitFix[],
    receivedAt: number,
  ): Promise<VisitEvent[]> => {
    const tracker = await trackerOf(companyId);
    try {
      const events = fixes.flatMap(({ unitId, fix }) => [...tracker.push(unitId, fix, { receivedAt })]);
      await store(storage, companyId, tracker, fixes, events);
      return events;
    } catch (error) {
      // The tracker is ahead of what is stored: the next call begins from the stored states.
      trackers.delete(companyId);
      throw error;
    }
  };

  return {
    push(companyId, fixes, receivedAt) {
      const done = (queues.get(companyId) ?? Promise.resolve())
        .catch(() => {})
        .then(() => take(companyId, fixes, receivedAt));
      queues.set(companyId, done);
      return done;
    },
  };
}

async function store(
  { db }: Storage,
  companyId: string,
  tracker: VisitTracker,
  fixes: readonly UnitFix[],
  events: readonly VisitEvent[],
): Promise<void> {
  const units = [...new Set(fixes.map(({ unitId }) => unitId))];
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < fixes.length; from += BATCH) {
      const rows = fixes
        .slice(from, from + BATCH)
        .filter(({ fix }) => Number.isFinite(fix.time))
        .map(({ unitId, fix }) => ({
          unit_id: unitId,
          time: Math.round(fix.time),
          fix: JSON.stringify(fix),
        }));
      // The first fix of a time stays, as in the stream.
      if (rows.length > 0)
        await trx
          .insertInto('fixes')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    }
    for (let from = 0; from < units.length; from += BATCH) {
      const states = units.slice(from, from + BATCH).map((unitId) => ({
        unit_id: unitId,
        company_id: companyId,
        version: 0,
        visits: JSON.stringify(tracker.snapshot(unitId)),
      }));
      await trx
        .insertInto('unit_states')
        .values(states)
        .onConflict((conflict) =>
          conflict.column('unit_id').doUpdateSet((eb) => ({ visits: eb.ref('excluded.visits') })),
        )
        .execute();
    }
    for (let from = 0; from < events.length; from += BATCH) {
      const rows = events.slice(from, from + BATCH).map((event) => ({
        company_id: companyId,
        unit_id: event.unitId,
        time: Math.round(event.time),
        event: JSON.stringify(event),
      }));
      await trx.insertInto('events').values(rows).execute();
    }
  });
}
