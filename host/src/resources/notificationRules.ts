/** Rules of notifications: which events are sent to which sinks, and when nothing is sent. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Transaction } from 'kysely';
import type { XStatic } from 'typebox/schema';
import { requestError, WayzoneError } from 'wayzone';
import { HoursSchema } from 'wayzone/schemas';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { startRules } from '../delivery/enqueue.js';
import { RULE_TYPE_NAMES, RULE_TYPES, type Rule } from '../delivery/rules.js';
import { declare, declareChecked } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { recordChange } from '../storage/changeHistory.js';
import { checkIds } from '../storage/checkIds.js';
import type { Tables } from '../storage/tables.js';
import { checkHours } from '../zones/zoneRules.js';
import { checkRoom } from './checkRoom.js';
import { authorOf } from './crud.js';

const TAG = 'deliveries';
const MOST_RULES = 200;
const ID = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1 } },
} as const;
const IDS = { type: 'array', items: ID, maxItems: 10_000 } as const;
const FIELDS = {
  name: { type: 'string', minLength: 1, maxLength: 500 },
  type: {
    type: 'string',
    enum: RULE_TYPE_NAMES,
    description: RULE_TYPE_NAMES.map((name) => `\`${name}\`: ${RULE_TYPES[name].text}`).join('. '),
  },
  sinks: { ...IDS, minItems: 1, description: 'Sinks that get the notifications' },
  units: { ...IDS, description: 'Absent: all units' },
  geozones: { ...IDS, description: 'Absent: all geozones' },
  minutes: { type: 'integer', minimum: 1, maximum: 43_200, description: 'Of `dwell` and `unit_silent`' },
  quiet_hours: {
    ...(HoursSchema as object),
    description: 'Spans on the company’s clock in which nothing is sent; notifications wait for their end',
  },
  is_enabled: { type: 'boolean', description: 'Default true' },
} as const;
const INPUT = { type: 'object', required: ['name', 'type', 'sinks'], properties: FIELDS } as const;
const RULE = {
  type: 'object',
  required: ['id', 'name', 'type', 'sinks', 'is_enabled'],
  properties: { id: { type: 'string' }, ...FIELDS },
} as const;

type Input = XStatic<typeof INPUT>;
type RuleWire = XStatic<typeof RULE>;
type Database = Context['storage']['db'];

export function notificationRules(app: FastifyInstance, { storage, now }: Context): void {
  const { db } = storage;

  const record = (
    trx: Transaction<Tables>,
    access: Access,
    before: Rule | null,
    after: Rule | RuleWire,
    isDeletion: boolean = false,
  ): Promise<void> =>
    recordChange(trx, access.companyId, authorOf(access, now()), {
      objects: 'notifications',
      objectId: after.id,
      before: before && { ...before },
      after: { ...after },
      isDeletion,
    });

  declare(app, {
    method: 'GET',
    url: '/notification_rules',
    summary: 'The rules of the company',
    tags: [TAG],
    answer: { type: 'array', items: RULE },
    async handler({ access }) {
      const rows = await db
        .selectFrom('notification_rules')
        .select('row')
        .where('company_id', '=', access.companyId)
        .orderBy('created')
        .orderBy('id')
        .execute();
      return rows.map(({ row }) => row);
    },
  });

  declareChecked(app, {
    method: 'POST',
    url: '/notification_rules',
    summary: 'Tells sinks of occasions from now on',
    description:
      'A notification has the type `notification`, its `rule`, `unitId`, `time`, and the `event` that caused it or, of rules that look at the clock, `zoneId` and `enter`, or `lastTime`. `dwell` knows visits that begin after the company’s first rule.',
    tags: [TAG],
    body: INPUT,
    answer: RULE,
    async handler({ access, body }) {
      const { companyId } = access;
      const rule = await readRule(db, companyId, randomUUID(), body);
      await db.transaction().execute(async (trx) => {
        await checkRoom(trx, companyId, 'notification_rules', MOST_RULES, 'rules');
        await startRules(trx, companyId);
        await trx
          .insertInto('notification_rules')
          .values({
            id: rule.id,
            company_id: companyId,
            is_enabled: rule.is_enabled,
            row: JSON.stringify(rule),
            created: now(),
          })
          .execute();
        await record(trx, access, null, rule);
      });
      return rule;
    },
  });

  declareChecked(app, {
    method: 'PUT',
    url: '/notification_rules/:id',
    summary: 'Replaces a rule',
    tags: [TAG],
    params: WITH_ID,
    body: INPUT,
    answer: RULE,
    async handler({ access, params, body }) {
      const before = await storedRule(db, access.companyId, params.id);
      const rule = await readRule(db, access.companyId, before.id, body);
      await db.transaction().execute(async (trx) => {
        if (rule.is_enabled) await startRules(trx, access.companyId);
        await trx
          .updateTable('notification_rules')
          .set({ is_enabled: rule.is_enabled, row: JSON.stringify(rule) })
          .where('id', '=', rule.id)
          .where('company_id', '=', access.companyId)
          .execute();
        await record(trx, access, before, rule);
      });
      return rule;
    },
  });

  declare(app, {
    method: 'DELETE',
    url: '/notification_rules/:id',
    summary: 'Deletes a rule; notifications that wait are sent nevertheless',
    tags: [TAG],
    params: WITH_ID,
    answer: RULE,
    async handler({ access, params }) {
      const rule = await storedRule(db, access.companyId, params.id);
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('notification_rules').where('id', '=', rule.id).execute();
        await record(trx, access, rule, rule, true);
      });
      return rule;
    },
  });
}

async function storedRule(db: Database, companyId: string, id: string): Promise<Rule> {
  const found = await db
    .selectFrom('notification_rules')
    .select('row')
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  if (found === undefined) throw requestError(404, 'expected a known rule, received an unknown one', 'id');
  return found.row as unknown as Rule;
}

/** The rule of a body. Throws `option-value` and `required` with the field. */
async function readRule(db: Database, companyId: string, id: string, body: Input): Promise<RuleWire> {
  const type = RULE_TYPES[body.type];
  if (type.hasMinutes && body.minutes === undefined)
    throw new WayzoneError('required', 'minutes', `expected minutes of ${body.type}, received none`);
  if (!type.hasMinutes && body.minutes !== undefined)
    throw new WayzoneError('option-value', 'minutes', `expected no minutes of ${body.type}, received some`);
  if (!type.hasZones && body.geozones !== undefined)
    throw new WayzoneError('option-value', 'geozones', `expected no geozones of ${body.type}, received some`);
  if (body.quiet_hours !== undefined) checkHours(body.quiet_hours, 'quiet_hours');
  const sinks = await db.selectFrom('event_sinks').select('id').where('company_id', '=', companyId).execute();
  const unknown = body.sinks.findIndex(({ id: sinkId }) => !sinks.some((sink) => sink.id === sinkId));
  if (unknown !== -1)
    throw new WayzoneError(
      'option-value',
      `sinks[${unknown}].id`,
      'expected a sink of the company, received another',
    );
  for (const [kind, list] of [
    ['unit', 'units'],
    ['geozone', 'geozones'],
  ] as const) {
    const named = (body[list] ?? []).map(({ id: one }, i) => ({ id: one, field: `${list}[${i}].id` }));
    await checkIds(db, companyId, kind, named);
  }
  const {
    name,
    type: typeName,
    units,
    geozones,
    minutes,
    quiet_hours: quiet,
    is_enabled: isEnabled = true,
  } = body;
  return {
    id,
    name,
    type: typeName,
    sinks: body.sinks.map(({ id: sinkId }) => ({ id: sinkId })),
    ...(units === undefined ? {} : { units: units.map(({ id: unitId }) => ({ id: unitId })) }),
    ...(geozones === undefined ? {} : { geozones: geozones.map(({ id: zoneId }) => ({ id: zoneId })) }),
    ...(minutes === undefined ? {} : { minutes }),
    ...(quiet === undefined ? {} : { quiet_hours: quiet }),
    is_enabled: isEnabled,
  };
}
