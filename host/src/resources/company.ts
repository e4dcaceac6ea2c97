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
import { checkCompanies } from '../auth/inSwitchedCompany.js';
import { ROLES } from '../auth/roles.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { type AuthorisedRequest, declare, declareChecked } from '../operation.js';
import { schemaCheck } from '../schemaCheck.js';
import { WITH_ID } from '../schemaParts.js';
import { recordChange } from '../storage/changeHistory.js';
import { companyOf, lockCompany } from '../storage/companyOf.js';
import type { Db } from '../storage/rows.js';
import { SPEEDING_RULES } from '../unitSchemas.js';
import { thresholdErrors } from '../zones/zoneRules.js';
import { namedRole, ROLE } from './access.js';
import { authorOf, languageOf } from './crud.js';
import { checkTag, IF_MATCH, sendTag, versionOf } from './sendTexts.js';

type Properties = Readonly<Record<string, unknown>>;

const HOLIDAYS = {
  type: 'array',
  description: 'For the hours of geozones',
  items: {
    type: 'object',
    required: ['year', 'days'],
    properties: {
      year: { type: 'integer', minimum: 2000, maximum: 3000 },
      days: { type: 'array', items: { type: 'string', description: 'MM.dd' } },
    },
  },
} as const;

export const PROPERTIES: object = {
  type: 'object',
  properties: {
    track_gradation: TrackGradationSchema,
    monitoring_sensors_settings: MonitoringSensorsSettingsSchema,
    holidays: HOLIDAYS,
    speeding: SPEEDING_RULES,
  },
};
/** Properties that can be copied. The host stores no `available_maps`, so that copying it changes nothing. */
const COPIED = ['available_maps', 'track_gradation', 'monitoring_sensors_settings'] as const;

/** `prepareHours` takes no holidays for null. */
const checkHolidays = schemaCheck({ type: 'object', properties: { holidays: HOLIDAYS } }, 'body');

const VALIDATORS: Readonly<Record<string, (value: unknown) => unknown>> = {
  track_gradation: (value) => validateTrackGradation(value),
  monitoring_sensors_settings: (value) =>
    keepKeys('sensorSettings', validateMonitoringSensorsSettings(value)),
  holidays: (value) => {
    checkHolidays({ holidays: value });
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

/** The properties of a body. Throws every error with its whole path; other names than those of the document, and a body without any, are errors. */
function readProperties(body: unknown): Properties {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new WayzoneError('option-type', '', 'expected an object of properties, received another value');
  const errors: FieldError[] = [];
  const wrong = (field: string, reason: FieldError['reason'], message: string): void =>
    void errors.push({ code: 4221, field: field.slice(0, 200), message, reason });
  const sent: [string, unknown][] = [];
  const names = Object.keys(VALIDATORS).join(', ');
  for (const [name, value] of Object.entries(body)) {
    const validate = Object.hasOwn(VALIDATORS, name) ? VALIDATORS[name]! : null;
    if (validate === null) {
      wrong(name, 'field-unknown', `expected one of ${names}, received another name`);
      continue;
    }
    try {
      sent.push([name, validate(value)]);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      for (const { field, reason, message } of error.errors) wrong(below(name, field), reason, message);
    }
  }
  if (errors.length === 0 && sent.length === 0)
    wrong('', 'required', `expected one of ${names}, received none`);
  if (errors.length > 0)
    throw new WayzoneError('validation', errors[0]!.field, 'expected properties, received field errors', {
      errors: errors.slice(0, MOST_ERRORS),
    });
  return Object.fromEntries(sent);
}

const MOST_ERRORS = 1000;

/** The path of a field of a property, whose own errors may have it already. */
function below(name: string, field: string): string {
  if (field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)) return field;
  return field === '' || field.startsWith('[') ? `${name}${field}` : `${name}.${field}`;
}

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
  const inLanguage = (properties: Properties, language: string): Properties => {
    const { monitoring_sensors_settings: sensors, ...rest } = properties;
    if (sensors === undefined) return rest;
    return { ...rest, monitoring_sensors_settings: entryFiller('sensorSettings', { language })(sensors) };
  };
  /** Sets properties of companies in one transaction, each with its history. `check` sees those before. */
  const merge = (
    access: Access,
    ids: readonly string[],
    sent: Properties,
    check: (before: Properties) => void = () => {},
  ): Promise<void> =>
    storage.db.transaction().execute(async (trx) => {
      for (const id of [...ids].sort()) {
        await lockCompany(trx, id);
        const before = await read(trx, id);
        check(before);
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
    async handler(request, reply) {
      const id = await own(request);
      const properties = await read(storage.db, id);
      sendTag(reply, versionOf(properties));
      return inLanguage(properties, languageOf(request));
    },
  });
  declare(app, {
    ...common,
    method: 'PUT',
    summary: 'Replaces the properties that are sent',
    headers: IF_MATCH,
    body: PROPERTIES,
    explain: readProperties,
    async handler(request, reply) {
      const id = await own(request);
      const sent = readProperties(request.body);
      await merge(request.access, [id], sent, (before) => checkTag(request, versionOf(before)));
      const properties = await read(storage.db, id);
      sendTag(reply, versionOf(properties));
      return inLanguage(properties, languageOf(request));
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
