/** Turns the events that were stored since the last look into deliveries, each step in one transaction with its cursor. */

import { sql, type Transaction } from 'kysely';
import {
  cursorFrom,
  eventId,
  eventsAfter,
  lastCursor,
  type NumberedEvent,
  readCursor,
  writeCursor,
} from '../live/cursor.js';
import { companyOf } from '../storage/companyOf.js';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';
import {
  clockOccasions,
  companyRules,
  matches,
  notificationOf,
  type Occasion,
  type Rule,
  sendTimeOf,
} from './rules.js';

/** Number of events in one step. */
const PAGE = 500;

/** Rows of one statement, which may have 65,535 parameters. */
const ROWS = 1000;

interface Delivery {
  readonly sinkId: string;
  readonly eventId: string;
  readonly unitId: string;
  readonly payload: object;
  readonly due: number;
}

/** One step of each enabled sink. Returns whether a sink may have more events. Other processes work on other sinks meanwhile. */
export async function enqueueEvents({ db }: Storage, now: number): Promise<boolean> {
  const sinks = await db
    .selectFrom('event_sinks')
    .select('id')
    .where('is_enabled', '=', true)
    .orderBy('id')
    .execute();
  let hasMore = false;
  for (const { id } of sinks) {
    const count = await db.transaction().execute(async (trx) => {
      const sink = await trx
        .selectFrom('event_sinks')
        .select(['company_id', 'cursor', 'types'])
        .where('id', '=', id)
        .where('is_enabled', '=', true)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (sink === undefined) return 0;
      const { company_id: companyId, types } = sink;
      const from = await cursorFrom({ db: trx }, companyId, readCursor(sink.cursor));
      const { events, cursor } = await eventsAfter({ db: trx }, companyId, from, PAGE);
      if (events.length === 0) return 0;
      const chosen = events.filter(({ event }) => types === null || types.includes(String(event['type'])));
      await insert(
        trx,
        now,
        chosen.map((one) => ({
          sinkId: id,
          eventId: eventId(companyId, one),
          unitId: String(one.event['unitId']),
          payload: { id: eventId(companyId, one), ...one.event },
          due: now,
        })),
      );
      await trx
        .updateTable('event_sinks')
        .set({ cursor: writeCursor(cursor.number) })
        .where('id', '=', id)
        .execute();
      return events.length;
    });
    hasMore ||= count > 0;
  }
  return hasMore;
}

/** One step of the rules of each company. `hasClock`: also of rules that no event triggers. Returns whether there may be more events. */
export async function enqueueNotifications(
  { db }: Storage,
  now: number,
  hasClock: boolean,
): Promise<boolean> {
  const companies = await db
    .selectFrom('notification_rules')
    .select('company_id')
    .distinct()
    .where('is_enabled', '=', true)
    .execute();
  let hasMore = false;
  for (const { company_id: companyId } of companies) {
    const count = await db.transaction().execute((trx) => stepOf(trx, companyId, now, hasClock));
    hasMore ||= count > 0;
  }
  return hasMore;
}

async function stepOf(
  trx: Transaction<Tables>,
  companyId: string,
  now: number,
  hasClock: boolean,
): Promise<number> {
  const state = await trx
    .selectFrom('rule_cursors')
    .select('cursor')
    .where('company_id', '=', companyId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (state === undefined) return 0;
  const from = await cursorFrom({ db: trx }, companyId, readCursor(state.cursor));
  const { events, cursor } = await eventsAfter({ db: trx }, companyId, from, PAGE);
  const rules = await companyRules(trx, companyId);
  await followVisits(trx, companyId, events);
  const occasions = [
    ...events.flatMap((one) =>
      rules
        .filter((rule) => matches(rule, one.event))
        .map((rule) => [rule, occasionOf(companyId, one)] as const),
    ),
    // Only when all events are read: a later one may end the visit.
    ...(hasClock && events.length < PAGE ? await clockOccasions(trx, companyId, rules, now) : []),
  ];
  await notify(trx, companyId, occasions, now);
  if (events.length > 0)
    await trx
      .updateTable('rule_cursors')
      .set({ cursor: writeCursor(cursor.number) })
      .where('company_id', '=', companyId)
      .execute();
  return events.length;
}

function occasionOf(companyId: string, one: NumberedEvent): Occasion {
  const { event } = one;
  return {
    key: eventId(companyId, one),
    unitId: String(event['unitId']),
    time: Number(event['time']),
    fields: { event: { id: eventId(companyId, one), ...event } },
  };
}

async function notify(
  trx: Transaction<Tables>,
  companyId: string,
  occasions: readonly (readonly [Rule, Occasion])[],
  now: number,
): Promise<void> {
  if (occasions.length === 0) return;
  const { timeZone, holidays } = await companyOf(trx, companyId);
  const known = await trx
    .selectFrom('event_sinks')
    .select('id')
    .where('company_id', '=', companyId)
    .execute();
  const sinkIds = new Set(known.map(({ id }) => id));
  const deliveries = occasions.flatMap(([rule, occasion]) => {
    const due = sendTimeOf(rule, now, timeZone, holidays);
    return rule.sinks
      .filter(({ id }) => sinkIds.has(id))
      .map(({ id }) => ({
        sinkId: id,
        eventId: `${rule.id}:${occasion.key}`,
        unitId: occasion.unitId,
        payload: notificationOf(rule, occasion),
        due,
      }));
  });
  await insert(trx, now, deliveries);
}

async function insert(trx: Transaction<Tables>, now: number, deliveries: readonly Delivery[]): Promise<void> {
  for (let i = 0; i < deliveries.length; i += ROWS)
    await trx
      .insertInto('deliveries')
      .values(
        deliveries.slice(i, i + ROWS).map(({ sinkId, eventId: id, unitId, payload, due }) => ({
          sink_id: sinkId,
          event_id: id,
          unit_id: unitId,
          payload: JSON.stringify(payload),
          created: now,
          due,
        })),
      )
      // A replay of events that still wait.
      .onConflict((conflict) => conflict.columns(['sink_id', 'event_id']).doNothing())
      .execute();
}

interface VisitPart {
  readonly enter: number;
  readonly exit: number | null;
}

/** Keeps the open visits of the company, for rules of dwelling. */
async function followVisits(
  trx: Transaction<Tables>,
  companyId: string,
  events: readonly NumberedEvent[],
): Promise<void> {
  /** Whether each visit is open, by unit, zone and entry. */
  const visits = new Map<string, readonly [unitId: string, zoneId: string, enter: number, isOpen: boolean]>();
  for (const { event } of events) {
    const { type, unitId, zoneId, time } = event as Readonly<Record<string, unknown>>;
    if (typeof zoneId !== 'string' || typeof unitId !== 'string') continue;
    const set = (enter: number, isOpen: boolean): void =>
      void visits.set(`${unitId} ${zoneId} ${enter}`, [unitId, zoneId, enter, isOpen]);
    const { visit = null, was = null, is = null } = event as Readonly<Record<string, VisitPart | null>>;
    if (type === 'enter') set(Number(time), true);
    if (type === 'exit' && visit !== null) set(visit.enter, false);
    if (type === 'revised' && was !== null) set(was.enter, false);
    if (type === 'revised' && is !== null) set(is.enter, is.exit === null);
  }
  const ended = [...visits.values()].filter(([, , , isOpen]) => !isOpen);
  const open = [...visits.values()].filter(([, , , isOpen]) => isOpen);
  if (ended.length > 0)
    await sql`delete from open_visits v using unnest(${ended.map(([unitId]) => unitId)}::text[],
        ${ended.map(([, zoneId]) => zoneId)}::text[], ${ended.map(([, , enter]) => enter)}::bigint[]) as e(unit_id, zone_id, enter)
      where v.company_id = ${companyId} and v.unit_id = e.unit_id and v.zone_id = e.zone_id and v.enter = e.enter`.execute(
      trx,
    );
  if (open.length > 0)
    await sql`insert into open_visits select ${companyId}, * from unnest(${open.map(([unitId]) => unitId)}::text[],
        ${open.map(([, zoneId]) => zoneId)}::text[], ${open.map(([, , enter]) => enter)}::bigint[])
      on conflict do nothing`.execute(trx);
}

/** Begins to read a company's events for its rules: from now on, unless a rule has read them before. Call it before a rule is enabled. */
export async function startRules(trx: Transaction<Tables>, companyId: string): Promise<void> {
  const enabled = await trx
    .selectFrom('notification_rules')
    .select('id')
    .where('company_id', '=', companyId)
    .where('is_enabled', '=', true)
    .limit(1)
    .execute();
  if (enabled.length > 0) return;
  const cursor = writeCursor((await lastCursor({ db: trx }, companyId)).number);
  await trx.deleteFrom('open_visits').where('company_id', '=', companyId).execute();
  await trx
    .insertInto('rule_cursors')
    .values({ company_id: companyId, cursor })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ cursor }))
    .execute();
}
