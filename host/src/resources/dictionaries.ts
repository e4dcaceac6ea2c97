/** The dictionaries and property types of the platform, in the caller's language, and the definitions of custom fields. */

import type { FastifyInstance } from 'fastify';
import { CustomFieldDefinitionSchema, listCustomFields, listDictionaries } from 'wayzone/schemas';
import { ROLES } from '../auth/roles.js';
import { declare } from '../operation.js';
import { languageOf } from './crud.js';

const ENTRIES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['key', 'type', 'value'],
    properties: { key: { type: 'string' }, type: { type: 'string' }, value: { type: 'string' } },
  },
};
const TYPE = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } } as const;

interface Entry {
  readonly type: string;
  readonly key: string;
  readonly value: string;
}

/** Keys of the property types. `layers_type` has none: the host draws no map. */
const PROPERTIES: Readonly<Record<string, () => readonly (readonly [key: string, value: string])[]>> = {
  dateformats: () => [
    ['yyyy-MM-dd', '2026-03-02'],
    ['dd.MM.yyyy', '02.03.2026'],
  ],
  languages: () => [
    ['en', 'English'],
    ['ru', 'Русский'],
  ],
  layers_type: () => [],
  roles: () => ROLES.map((role) => [role, role] as const),
  timeformats: () => [
    ['HH:mm', '17:05'],
    ['HH:mm:ss', '17:05:00'],
  ],
  timezones: () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone] as const),
};

export function dictionariesResource(app: FastifyInstance): void {
  const common = { method: 'GET', tags: ['dictionaries'], answer: ENTRIES } as const;
  declare(app, {
    ...common,
    url: '/dictionaries',
    summary: 'Every entry of every dictionary, sorted by type',
    handler: (request) => listDictionaries({ language: languageOf(request) }),
  });
  declare(app, {
    ...common,
    url: '/dictionaries/:type',
    summary: 'The entries of one dictionary; an empty list if there are none',
    params: TYPE,
    handler: (request) =>
      listDictionaries({ language: languageOf(request) }).filter(({ type }) => type === request.params.type),
  });
  declare(app, {
    ...common,
    url: '/properties',
    summary: 'Every entry of every property type, sorted by type',
    handler: () => Object.keys(PROPERTIES).flatMap(propertiesOf),
  });
  declare(app, {
    ...common,
    url: '/properties/:type',
    summary: 'The entries of one property type; an empty list if there are none',
    params: TYPE,
    handler: ({ params }) => propertiesOf(params.type),
  });
  declare(app, {
    method: 'GET',
    url: '/custom_fields',
    summary: 'The definitions of a unit’s custom fields',
    tags: ['units'],
    answer: { type: 'array', items: CustomFieldDefinitionSchema },
    handler: (request) => listCustomFields({ language: languageOf(request) }),
  });
}

function propertiesOf(type: string): Entry[] {
  const entries = Object.hasOwn(PROPERTIES, type) ? PROPERTIES[type]!() : [];
  return entries.map(([key, value]) => ({ type, key, value }));
}
