/** A company's properties and roles. */

import type { FastifyInstance } from 'fastify';
import { type FieldError, WayzoneError } from 'wayzone';
import { prepareHours, type YearHolidays } from 'wayzone/hours';
import {
  entryFiller,
  keepKeys,
  MonitoringSensorsSettingsSchema,
  TrackGradationSchema,
  validateMonitoringSensorsSettings,
  validateTrackGradation,
} from 'wayzone/schemas';
import { checkCompanies } from '../auth/checkCompanies.js';
import { ROLES } from '../auth/roles.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { type AuthorisedRequest, declare, declareChecked } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { recordChange } from '../storage/changeHistory.js';
import { companyOf, lockCompany } from '../storage/companyOf.js';
import type { Db } from '../storage/rows.js';
import { thresholdErrors } from '../zones/zoneRules.js';
import { namedRole, ROLE } from './access.js';
import { authorOf, languageOf } from './crud.js';
import { SPEEDING_RULES } from './unitSchemas.js';

type Properties = Readonly<Record<string, unknown>>;

export const PROPERTIES: object = {
  type: 'object',
  properties: {
    track_gradation: TrackGradationSchema,
    monitoring_sensors_settings: MonitoringSensorsSettingsSchema,
    holidays: {
      type: 'array',
      description: 'For the hours of geozones',
      items: {
        type: 'object',
        required: ['year', 'days'],
        properties: {
          year: { type: 'integer' },
          days: { type: 'array', items: { type: 'string', description: 'MM.dd' } },
        },
      },
    },
    speeding: SPEEDING_RULES,
  },
};
/** Properties that can be copied. The host stores no `available_maps`, so that copying it changes nothing. */
const COPIED = ['available_maps', 'track_gradation', 'monitoring_sensors_settings'] as const;

const VALIDATORS: Readonly<Record<string, (value: unknown) => unknown>> = {
  track_gradation: (value) => validateTrackGradation(value),
  monitoring_sensors_settings: (value) =>
    keepKeys('sensorSettings', validateMonitoringSensorsSettings(value)),
  holidays: (value) => {
    prepareHours({}, { timeZone: 'UTC', holidays: value as readonly YearHolidays[] });
    return value;
  },
  speeding: (value) => {
    const errors = thresholdErrors(value).map(({ field, message }) =>
      fieldError(`speeding${field}`, message),
    );
    if (errors.length === 0) return value;
    const message = 'expected thresholds of speeding, received field errors';
    throw new WayzoneError('validation', errors[0]!.field, message, { errors });
  },
};

function fieldError(field: string, message: string): FieldError {
  return { code: 4221, field, message, reason: 'type' };
}

export function companyResource(app: FastifyInstance, context: Context): void {
  const { storage, now } = context;
  const own = async ({
    access,
    params: { id },
  }: Pick<AuthorisedRequest<{ readonly id: string }>, 'access' | 'params'>): Promise<string> => {
    await checkCompanies(context, access, [id], () => 'id');
    return id;
  };
  const read = async (db: Db, id: string): Promise<Properties> => (await companyOf(db, id)).properties;
  const readIn = async (id: string, language: string): Promise<Properties> => {
    const { monitoring_sensors_settings: sensors, ...rest } = await read(storage.db, id);
    if (sensors === undefined) return rest;
    return { ...rest, monitoring_sensors_settings: entryFiller('sensorSettings', { language })(sensors) };
  };
  /** Sets properties of companies in one transaction, each with its history. */
  const merge = (access: Access, ids: readonly string[], sent: Properties): Promise<void> =>
    storage.db.transaction().execute(async (trx) => {
      for (const id of [...ids].sort()) {
        await lockCompany(trx, id);
        const before = await read(trx, id);
        const after = { ...before, ...sent };
        await trx
          .updateTable('companies')
          .set({ properties: JSON.stringify(after) })
          .where('id', '=', id)
          .execute();
        await recordChange(trx, id, authorOf(access, now()), {
          objects: 'company',
          objectId: id,
          before,
          after,
        });
      }
    });
  const common = {
    url: '/company/:id/properties',
    tags: ['company'],
    params: WITH_ID,
    answer: PROPERTIES,
  } as const;

  declare(app, {
    ...common,
    method: 'GET',
    summary: 'The colours of tracks, the display of sensors, the holidays and what counts as speeding',
    handler: async (request) => readIn(await own(request), languageOf(request)),
  });
  declare(app, {
    ...common,
    method: 'PUT',
    summary: 'Replaces the properties that are sent',
    body: PROPERTIES,
    async handler(request) {
      const id = await own(request);
      const sent = Object.entries(Object(request.body) as object).flatMap(([name, value]) => {
        const validate = Object.hasOwn(VALIDATORS, name) ? VALIDATORS[name] : undefined;
        return validate === undefined ? [] : [[name, validate(value)] as const];
      });
      await merge(request.access, [id], Object.fromEntries(sent));
      return readIn(id, languageOf(request));
    },
  });
  declareChecked(app, {
    method: 'PUT',
    url: '/company/:id/properties/copy',
    summary: 'Copies properties of the company to other companies of the caller',
    tags: ['company'],
    params: WITH_ID,
    body: {
      type: 'object',
      required: ['companies', 'properties'],
      properties: {
        companies: { type: 'array', items: WITH_ID, maxItems: 10_000 },
        properties: { type: 'array', items: { type: 'string', enum: COPIED }, maxItems: 100 },
      },
    },
    answer: { type: 'object', properties: { companies: { type: 'array', items: WITH_ID } } },
    async handler(request) {
      const from = await own(request);
      const { companies, properties: names } = request.body;
      const ids = companies.map(({ id }) => id);
      await checkCompanies(context, request.access, ids, (i) => `companies[${i}].id`);
      const source = await read(storage.db, from);
      const sent = Object.fromEntries(
        Object.entries(source).filter(([name]) => names.some((one) => one === name)),
      );
      const targets = [...new Set(ids)].filter((id) => id !== from);
      await merge(request.access, targets, sent);
      return { companies: targets.map((id) => ({ id })) };
    },
  });
  declare(app, {
    method: 'GET',
    url: '/company/:id/roles',
    summary: 'The roles that users of the company may have',
    tags: ['company'],
    params: WITH_ID,
    answer: { type: 'array', items: ROLE },
    async handler(request) {
      await own(request);
      return ROLES.map(namedRole);
    },
  });
}
