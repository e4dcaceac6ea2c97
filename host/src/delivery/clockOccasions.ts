/** Rules that no event triggers: a unit stays in a geozone, a unit is silent. Each occasion is stored, so that it is sent once. */

import { sql, type Transaction } from 'kysely';
import { MINUTE_MS } from '../durations.js';
import type { Tables } from '../storage/tables.js';
import { isAmong, type Occasion, type Rule } from './rules.js';
import type { RuleTypeName } from './ruleTypes.js';

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

const OCCASIONS: Readonly<Partial<Record<RuleTypeName, typeof dwellsOf>>> = {
  dwell: dwellsOf,
  unit_silent: silencesOf,
};

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
