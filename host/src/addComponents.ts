/** The schemas that the published document defines once, in `components`, and references elsewhere. */

import type { FastifyInstance } from 'fastify';
import {
  ExportRequestSchema,
  FilterQuerySchema,
  GeozoneGroupInputSchema,
  GeozoneGroupSchema,
  RouteInputSchema,
  RouteSchema,
  TripReportSchema,
  TripSchema,
  WireErrorSchema,
} from 'wayzone/schemas';
import { EVENT_SCHEMA } from './live/eventSchema.js';
import { CUSTOM_GEOZONE_TYPE, GEOZONE, GEOZONE_INPUT } from './resources/geozoneInput.js';
import { TRIP_INPUT } from './resources/tripInput.js';
import { settableSchema } from './work/settable.js';

/** Ordered so that a schema precedes each schema that contains it. */
const COMPONENTS: Readonly<Record<string, object>> = {
  Error: WireErrorSchema,
  FilterQuery: FilterQuerySchema,
  Geozone: GEOZONE,
  GeozoneInput: settableSchema(GEOZONE_INPUT),
  GeozoneGroup: GeozoneGroupSchema,
  GeozoneGroupInput: settableSchema(GeozoneGroupInputSchema),
  CustomGeozoneType: CUSTOM_GEOZONE_TYPE,
  CustomGeozoneTypeInput: settableSchema(CUSTOM_GEOZONE_TYPE),
  ExportRequest: ExportRequestSchema,
  Route: RouteSchema,
  RouteInput: settableSchema(RouteInputSchema),
  Trip: TripSchema,
  TripInput: settableSchema(TRIP_INPUT, ['changes']),
  TripReport: TripReportSchema,
  Event: EVENT_SCHEMA,
};

const NAMES = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name] as const),
);

export function addComponents(app: FastifyInstance): void {
  for (const [name, schema] of Object.entries(COMPONENTS)) app.addSchema({ ...schema, $id: name });
}

/** Results of `referred`: most schemas are parts of many operations. */
const REFERRED = new WeakMap<object, unknown>();

/** The schema with references to components in place of their copies. */
export function referred(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!REFERRED.has(schema)) REFERRED.set(schema, withReferences(schema));
  return REFERRED.get(schema);
}

function withReferences(schema: object): unknown {
  if (Array.isArray(schema)) return schema.map(referred);
  const name = NAMES.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `${name}#` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referred(value)]));
}
