/** A company's properties and the custom fields of its units. */

import type { FastifyInstance } from 'fastify';
import { notFound } from 'wayzone';
import {
  type TripDetectorFields,
  validateMonitoringSensorsSettings,
  validateTrackGradation,
} from 'wayzone/schemas';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { declare } from '../operation.js';

/** Fields of a unit that control its trip detection, with the platform's names. */
const CUSTOM_FIELDS: Readonly<Record<keyof TripDetectorFields, true>> = {
  tripdetector_minparktime: true,
  tripdetector_minmovespeed: true,
  tripdetector_mintripdist: true,
  tripdetector_mintriptime: true,
  tripdetector_maxdistancemsg: true,
  advanced_maxintervalmsg: true,
  advanced_mileagecoeff: true,
  key_tripdetector_movedetect: true,
  tripdetector_gpscorrect: true,
  tripdetector_mileagedetect: true,
};

const PROPERTIES = { type: 'object', properties: { track_gradation: {}, monitoring_sensors_settings: {} } };
const ID = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

const VALIDATORS: Readonly<Record<string, (value: unknown) => unknown>> = {
  track_gradation: (value) => validateTrackGradation(value),
  monitoring_sensors_settings: (value) => validateMonitoringSensorsSettings(value),
};

export function companyResource(app: FastifyInstance, { storage }: Context): void {
  const own = ({ companyId }: Access, id: string): string => {
    if (id !== companyId) throw notFound('company', id);
    return id;
  };
  const read = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const found = await storage.db
      .selectFrom('companies')
      .select('properties')
      .where('id', '=', id)
      .executeTakeFirst();
    if (found === undefined) throw notFound('company', id);
    return found.properties;
  };
  const common = {
    url: '/company/:id/properties',
    tags: ['company'],
    params: ID,
    answer: PROPERTIES,
  } as const;

  declare(app, {
    ...common,
    method: 'GET',
    summary: 'The colours of tracks and the display of sensors',
    minRole: 'VIEWER',
    handler: ({ access, params }) => read(own(access, params['id']!)),
  });
  declare(app, {
    ...common,
    method: 'PUT',
    summary: 'Replaces the properties that are sent',
    minRole: 'ADMIN',
    body: PROPERTIES,
    async handler({ access, params, body }) {
      const id = own(access, params['id']!);
      const sent = Object.entries(Object(body) as object).flatMap(([name, value]) => {
        const validate = Object.hasOwn(VALIDATORS, name) ? VALIDATORS[name] : undefined;
        return validate === undefined ? [] : [[name, validate(value)] as const];
      });
      const properties = { ...(await read(id)), ...Object.fromEntries(sent) };
      await storage.db
        .updateTable('companies')
        .set({ properties: JSON.stringify(properties) })
        .where('id', '=', id)
        .execute();
      return properties;
    },
  });

  declare(app, {
    method: 'GET',
    url: '/custom_fields',
    summary: 'The fields of a unit that control its trip detection',
    tags: ['company'],
    minRole: 'VIEWER',
    answer: { type: 'array', items: { type: 'object' } },
    handler: () => Object.keys(CUSTOM_FIELDS).map((key) => ({ key })),
  });
}
