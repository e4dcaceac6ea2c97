/** Rules of notifications: which events they match, and when a notification is due. */

import { type Hours, prepareHours, type YearHolidays } from 'wayzone/hours';
import { DAY_MS } from '../durations.js';
import type { Db } from '../storage/rows.js';
import { RULE_TYPES, type RuleTypeName } from './ruleTypes.js';

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

export function isAmong(list: readonly { readonly id: string }[] | undefined, id: unknown): boolean {
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
