/** The library's schemas of geozones and their types with the fields that the host adds. */

import { CustomGeozoneTypeSchema, GeozoneInputSchema, GeozoneSchema, HoursSchema } from 'wayzone/schemas';
import { TEXT } from '../schemaParts.js';

const RULES = {
  speed_limit: {
    type: ['number', 'null'],
    exclusiveMinimum: 0,
    description: 'km/h; what counts as speeding inside',
  },
  hours: {
    anyOf: [HoursSchema, { type: 'null' }],
    description: 'When the geozone is open; always without it',
  },
};

function withFields<Schema extends object>(
  schema: Schema,
  fields: object,
  required: readonly string[] = [],
): Schema {
  const known = schema as { readonly properties?: object; readonly required?: readonly string[] };
  return {
    ...schema,
    required: [...required, ...(known.required ?? [])],
    properties: { ...known.properties, ...fields },
  };
}

export const GEOZONE: typeof GeozoneSchema = withFields(GeozoneSchema, RULES);
const { polygon_geometry: CORRIDOR } = (
  GeozoneInputSchema as unknown as { readonly properties: Readonly<Record<string, object>> }
).properties;
export const GEOZONE_INPUT: typeof GeozoneInputSchema = withFields(GeozoneInputSchema, {
  ...RULES,
  polygon_geometry: { anyOf: [CORRIDOR, { type: 'null' }], description: 'Computed; what is sent has no say' },
});
export const CUSTOM_GEOZONE_TYPE: typeof CustomGeozoneTypeSchema = withFields(
  CustomGeozoneTypeSchema,
  { id: TEXT },
  ['id'],
);
