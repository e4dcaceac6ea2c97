/** Bodies that carry a track. A process reads them: it takes the schemas from here, without the modules of the host. */

import { FixSchema } from 'wayzone/schemas';
import { NUMBER } from '../schemaParts.js';
import { CUSTOM_FIELDS } from '../unitSchemas.js';

export const SPEEDING_NAMES = [
  'limitKph',
  'zoneLimits',
  'overlap',
  'combine',
  'toleranceKph',
  'minSeconds',
  'trustSpeeds',
] as const;

const SPEEDING: Readonly<Record<(typeof SPEEDING_NAMES)[number], object>> = {
  limitKph: { type: 'number' },
  zoneLimits: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
  overlap: { type: 'string' },
  combine: { type: 'string' },
  toleranceKph: { type: 'number' },
  minSeconds: { type: 'number' },
  trustSpeeds: { type: 'boolean' },
};

/** The library reads the fields of a fix: a fix that it cannot use is left out of the track and counted, so that the schema requires none. */
const { properties: FIX } = FixSchema as unknown as { readonly properties: object };
const FIXES = { type: 'array', items: { type: 'object', properties: FIX } };

const bodyWith = (fields: Readonly<Record<string, object>>, ...required: readonly string[]): object => ({
  type: 'object',
  required: ['fixes', ...required],
  properties: { fixes: FIXES, ...fields },
});

export const TRACK_BODIES: Readonly<Record<'ledger' | 'speeding' | 'match', object>> = {
  ledger: bodyWith({ settings: CUSTOM_FIELDS, by: { type: 'string' } }),
  speeding: bodyWith({ settings: CUSTOM_FIELDS, ...SPEEDING }),
  match: bodyWith({ width: { ...NUMBER, description: 'metres, the whole width of the corridor' } }, 'width'),
};

/** The schema by which a body is checked: any fixes, since each is read by itself. */
export function withAnyFixes(schema: object): object {
  const { properties } = schema as { readonly properties: object };
  return { ...schema, properties: { ...properties, fixes: { type: 'array' } } };
}
