/** Rules of notifications: their types, the events that they match, and their occasions by the clock. */

import { sql, type Transaction } from 'kysely';
import { type Hours, prepareHours, type YearHolidays } from 'wayzone/hours';
import { DAY_MS, MINUTE_MS } from '../durations.js';
import type { Db } from '../storage/rows.js';
import type { Tables } from '../storage/tables.js';

const OCCASIONS: Readonly<Partial<Record<RuleTypeName, typeof dwellsOf>>> = {
  dwell: dwellsOf,
  unit_silent: silencesOf,
};

/** A rule as it is stored in `row`. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly type: RuleTypeName;
  /** Sinks that get the notifications. */
  readonly sinks: readonly { readonly id: string }[];
  /** Absent: all units of the company. */
  readonly units?: readonly { readonly id: string }[];
  /** Absent: all geozones. */
  readonly geozones?: readonly { readonly id: string }[];
  readonly minutes?: number;
  /** Spans on the company's clock in which nothing is sent; notifications wait for their end. */
  readonly quiet_hours?: Hours;
  readonly is_enabled: boolean;
}

/** The subject of a notification. */
export interface Occasion {
  /** Unique, and equal for equal occasions. */
  readonly key: string;
  readonly unitId: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Fields beside those of the rule. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The enabled rules of a company. */
export async function companyRules(db: Db, companyId: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('notification_rules')
    .select('row')
    .where('company_id', '=', companyId)
    .where('is_enabled', '=', true)
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(({ row }) => row as unknown as Rule);
}

/** Whether the rule notifies of the event. */
export function matches(rule: Rule, event: Readonly<Record<string, unknown>>): boolean {
  const { type, unitId, zoneId } = event;
  // `begin` and `end` of movement have a kind; no rule is about them.
  return (
    RULE_TYPES[rule.type].events.includes(String(type)) &&
    isAmong(rule.units, unitId) &&
    (!RULE_TYPES[rule.type].hasZones || isAmong(rule.geozones, zoneId))
  );
}

function isAmong(list: readonly { readonly id: string }[] | undefined, id: unknown): boolean {
  return list === undefined || list.some((one) => one.id === id);
}

/** When a notification of `now` may be sent: at once, or at the end of the quiet hours. Epoch milliseconds. */
export function sendTimeOf(
  { quiet_hours: quiet }: Rule,
  now: number,
  timeZone: string,
  holidays: readonly YearHolidays[],
): number {
  if (quiet === undefined) return now;
  const spans = prepareHours(quiet, { timeZone, holidays }).spans(now, now + 7 * DAY_MS);
  const [first] = spans;
  // Adjoining spans, as 22:00 to 24:00 and 00:00 to 06:00, are one.
  return first === undefined || first.from > now ? now : first.to;
}

/** The payload of a notification. */
export function notificationOf(rule: Rule, { key, unitId, time, fields }: Occasion): object {
  const { id, name, type } = rule;
  return { id: `${id}:${key}`, type: 'notification', rule: { id, name, type }, unitId, time, ...fields };
}

interface RuleType {
  /** The events that trigger the rule, in words, for the document. */
  readonly text: string;
  /** Types of events that the rule matches; `[]` for a rule that looks at the clock. */
  readonly events: readonly string[];
  /** Whether `minutes` is required. */
  readonly hasMinutes: boolean;
  /** Whether the rule may be limited to geozones. */
  readonly hasZones: boolean;
}

export const RULE_TYPE_NAMES = [
  'zone_enter',
  'zone_exit',
  'dwell',
  'trip_late',
  'trip_overdue',
  'unit_silent',
  'speeding',
] as const;

type RuleTypeName = (typeof RULE_TYPE_NAMES)[number];

export const RULE_TYPES: Readonly<Record<RuleTypeName, RuleType>> = {
  zone_enter: { text: 'A unit enters a geozone', events: ['enter'], hasMinutes: false, hasZones: true },
  zone_exit: { text: 'A unit leaves a geozone', events: ['exit'], hasMinutes: false, hasZones: true },
  dwell: {
    text: 'A unit is in a geozone for `minutes`',
    events: [],
    hasMinutes: true,
    hasZones: true,
  },
  trip_late: {
    text: 'A unit arrives or departs late on a trip, or is expected to',
    events: ['arrival_late', 'departure_late', 'late_expected'],
    hasMinutes: false,
    hasZones: false,
  },
  trip_overdue: {
    text: 'A unit has not arrived at a point of a trip in time',
    events: ['arrival_overdue'],
    hasMinutes: false,
    hasZones: false,
  },
  unit_silent: {
    text: 'A unit that has sent fixes sends none for `minutes`',
    events: [],
    hasMinutes: true,
    hasZones: false,
  },
  speeding: { text: 'A unit exceeds its limit', events: ['speeding'], hasMinutes: false, hasZones: true },
};

export async function clockOccasions(
  trx: Transaction<Tables>,
  companyId: string,
  rules: readonly Rule[],
  now: number,
): Promise<(readonly [Rule, Occasion])[]> {
  const found: (readonly [Rule, Occasion])[] = [];
  for (const rule of rules) {
    const occasions = (await OCCASIONS[rule.type]?.(trx, companyId, rule, now)) ?? [];
    for (const one of await newOnes(trx, rule, occasions, now)) found.push([rule, one]);
  }
  return found;
}

/** Visits that have lasted for the rule's minutes. */
async function dwellsOf(
  trx: Transaction<Tables>,
  companyId: string,
  rule: Rule,
  now: number,
): Promise<Occasion[]> {
  const since = now - rule.minutes! * MINUTE_MS;
  const visits = await trx
    .selectFrom('open_visits')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('enter', '<=', String(since))
    .orderBy('enter')
    .execute();
  const chosen = visits.filter(
    ({ unit_id: unitId, zone_id: zoneId }) => isAmong(rule.units, unitId) && isAmong(rule.geozones, zoneId),
  );
  return chosen.map(({ unit_id: unitId, zone_id: zoneId, enter }) => ({
    key: `dwell:${unitId}:${zoneId}:${enter}`,
    unitId,
    time: Number(enter) + rule.minutes! * MINUTE_MS,
    fields: { zoneId, enter: Number(enter) },
  }));
}

/** Units without a fix for the rule's minutes. After its next fix a unit can cause another notification. */
async function silencesOf(
  trx: Transaction<Tables>,
  companyId: string,
  rule: Rule,
  now: number,
): Promise<Occasion[]> {
  const since = now - rule.minutes! * MINUTE_MS;
  // Only the days since then are read, and of the silent units their last fix.
  const { rows } = await sql<{ id: string; last: string }>`
    select u.id, f.time as last from units u
    cross join lateral (select time from fixes where unit_id = u.id order by time desc limit 1) f
    where u.company_id = ${companyId} and not u.is_delete
      and not exists (select 1 from fixes s where s.unit_id = u.id and s.time > ${since})
    order by u.id`.execute(trx);
  return rows
    .filter(({ id }) => isAmong(rule.units, id))
    .map(({ id, last }) => ({
      key: `silent:${id}:${last}`,
      unitId: id,
      time: Number(last) + rule.minutes! * MINUTE_MS,
      fields: { lastTime: Number(last) },
    }));
}

/** The occasions that the rule has not notified of. */
async function newOnes(
  trx: Transaction<Tables>,
  rule: Rule,
  occasions: readonly Occasion[],
  now: number,
): Promise<Occasion[]> {
  if (occasions.length === 0) return [];
  const added = await trx
    .insertInto('rule_notices')
    .values(occasions.map(({ key }) => ({ rule_id: rule.id, key, created: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute();
  const keys = new Set(added.map(({ key }) => key));
  return occasions.filter(({ key }) => keys.has(key));
}
