/** The companies' visit trackers in this process: fixes, states and events are written in one transaction. */

import { type VisitEvent, VisitTracker } from 'wayzone/tracks';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import type { ZoneCache } from '../zones/companyZones.js';
import { storeBatch } from './storeBatch.js';
import type { UnitFix } from './unitFix.js';

export interface LiveVisits {
  /** Takes the fixes in their order; when it is done, fixes, states and events are durable. */
  push(companyId: string, fixes: readonly UnitFix[], receivedAt: number): Promise<void>;
}

const LATENESS_SECONDS = 30;
/** Fixes of one transaction, about: what waits meanwhile goes together into the next one. */
const BATCH_FIXES = 5000;
/** Other processes that write the same company make trackers read their states again. */
const ATTEMPTS = 5;

interface Held {
  readonly tracker: VisitTracker;
  readonly index: object;
  /** The company's transactions that the tracker has seen. */
  batch: number;
}

interface Waiting {
  readonly fixes: readonly UnitFix[];
  readonly receivedAt: number;
  readonly done: (error?: unknown) => void;
}

export interface LiveOptions {
  readonly storage: Storage;
  readonly zones: ZoneCache;
  readonly days: FixDays;
  readonly onStored: (fixes: number, events: number) => void;
}

export function liveVisits({ storage, zones, days, onStored }: LiveOptions): LiveVisits {
  const trackers = new Map<string, Held>();
  const queues = new Map<string, Waiting[]>();

  const heldOf = async (companyId: string): Promise<Held> => {
    const known = trackers.get(companyId);
    const { index } = await zones.zonesOf(companyId);
    // Zones that were let go and read again are another index.
    if (known?.index === index) return known;
    const tracker = new VisitTracker(index, { latenessSeconds: LATENESS_SECONDS });
    // The batch is read first: states of a later one are then found to be behind when they are written.
    const stream = await storage.db
      .selectFrom('company_streams')
      .select('batch')
      .where('company_id', '=', companyId)
      .executeTakeFirst();
    const states = await storage.db
      .selectFrom('unit_states')
      .select('visits')
      .where('company_id', '=', companyId)
      .execute();
    for (const { visits } of states) tracker.adopt(visits as Parameters<VisitTracker['adopt']>[0]);
    const held = { tracker, index, batch: Number(stream?.batch ?? 0) };
    trackers.set(companyId, held);
    return held;
  };

  const take = async (companyId: string, group: readonly Waiting[]): Promise<void> => {
    const fixes = group.flatMap((one) => one.fixes);
    await days.ensure(fixes.map(({ fix }) => fix.time));
    for (let attempt = 1; ; attempt++) {
      const held = await heldOf(companyId);
      const events: VisitEvent[] = [];
      try {
        for (const { fixes: own, receivedAt } of group)
          for (const { unitId, fix } of own) events.push(...held.tracker.push(unitId, fix, { receivedAt }));
        if (await storeBatch(storage, companyId, held, fixes, events)) {
          held.batch++;
          onStored(fixes.length, events.length);
          return;
        }
      } catch (error) {
        // The tracker is ahead of what is stored: the next call begins from the stored states.
        trackers.delete(companyId);
        throw error;
      }
      trackers.delete(companyId);
      if (attempt === ATTEMPTS) throw Object.assign(new Error('too many writers'), { statusCode: 503 });
    }
  };

  /** Runs until the company's queue is empty. */
  const drain = async (companyId: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const group: Waiting[] = [];
      for (let fixes = 0; queue.length > 0 && fixes < BATCH_FIXES; fixes += group.at(-1)!.fixes.length)
        group.push(queue.shift()!);
      await take(companyId, group).then(
        () => {
          for (const { done } of group) done();
        },
        (error: unknown) => {
          for (const { done } of group) done(error);
        },
      );
    }
    queues.delete(companyId);
  };

  return {
    push: (companyId, fixes, receivedAt) =>
      new Promise((resolve, reject) => {
        if (fixes.length === 0) return resolve();
        const waiting: Waiting = {
          fixes,
          receivedAt,
          done: (error) => (error === undefined ? resolve() : reject(error as Error)),
        };
        const queue = queues.get(companyId);
        if (queue !== undefined) return void queue.push(waiting);
        const fresh = [waiting];
        queues.set(companyId, fresh);
        void drain(companyId, fresh);
      }),
  };
}
