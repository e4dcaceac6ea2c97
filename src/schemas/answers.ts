/** Requests and responses of the list, routing and map endpoints, and the error body. */

import type {
  ExportRequest,
  FilterAnswer,
  FilterQuery,
  GroupListQuery,
  LineToPolygonAnswer,
  LineToPolygonRequest,
  MapFeatureCollection,
  RoutingAnswer,
} from '../core/answers.js';
import type { WireError } from '../core/errors.js';
import type { GeozoneGroup } from '../core/wire.js';
import { GeozoneGroupSchema } from './validateGeozone.js';
import {
  Amount,
  array,
  boolean,
  integer,
  list,
  literal,
  nil,
  nullable,
  number,
  object,
  optional,
  PairSchema,
  Pairs,
  PositionSchema,
  published,
  schemaOf,
  string,
  union,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

/** A count. It may be a text, because URLs contain text. */
const Whole = union([integer({ minimum: 0 }), string({ pattern: '^[0-9]{1,16}$' }), nil]);

const HasId = object({ id: string() });

/** A list request. */
export const FilterQuerySchema: WireSchema<FilterQuery> = wireSchema<FilterQuery>()(
  object({
    from: optional(Whole),
    count: optional(Whole),
    sortField: optional(nullable(string())),
    sortDesc: optional(union([boolean(), literal('true'), literal('false'), nil])),
    conditions: optional(
      nullable(
        list(
          object({
            field: string(),
            value: union([string(), number(), boolean(), HasId, list(union([string(), HasId]))]),
          }),
        ),
      ),
    ),
  }),
);

/**
 * The schema of a page of rows, `{max, list}`, from the schema of a row.
 *
 * @example
 * import { filterAnswerSchema, RouteSchema } from 'wayzone/schemas';
 * filterAnswerSchema(RouteSchema).required; // ['max', 'list']
 */
export function filterAnswerSchema<Row>(row: WireSchema<Row>): WireSchema<FilterAnswer<Row>> {
  return published(schemaOf<FilterAnswer<Row>>(object({ max: integer({ minimum: 0 }), list: array(row) })));
}

/** The body of a request that converts a line to a polygon. */
export const LineToPolygonRequestSchema: WireSchema<LineToPolygonRequest> =
  wireSchema<LineToPolygonRequest>()(object({ width: Amount, geometry: Pairs }));

/** The response with the polygon of a line. */
export const LineToPolygonAnswerSchema: WireSchema<LineToPolygonAnswer> = wireSchema<LineToPolygonAnswer>()(
  object({ polygon_geometry: array(PairSchema) }),
);

const Ids = union([string(), list(union([string(), HasId])), nil]);

/** The body of an export request: ids, or objects with an `id`. */
export const ExportRequestSchema: WireSchema<ExportRequest> = wireSchema<ExportRequest>()(
  object({ geozones: optional(Ids), geozones_groups: optional(Ids) }),
);

/** A request for the list of groups. */
export const GroupListQuerySchema: WireSchema<GroupListQuery> = wireSchema<GroupListQuery>()(
  object({ fields: optional(union([string(), list(string()), nil])) }),
);

/** The list of groups. Their zones have the `id` and the requested fields. */
export const GroupListSchema: WireSchema<readonly GeozoneGroup[]> = wireSchema<readonly GeozoneGroup[]>()(
  array(GeozoneGroupSchema),
);

/** The response of `GET /routing/{points}`. Further columns are fields of a row. */
export const RoutingAnswerSchema: WireSchema<RoutingAnswer> = wireSchema<RoutingAnswer>()(
  object({
    columns: array(object({ key: string(), value: string() })),
    values: array(
      object({
        style: object({ hex_color: string(), width: number() }),
        points: array(PairSchema),
        order: optional(number()),
        from: optional(number()),
        to: optional(number()),
        distance: optional(number()),
        distance_text: optional(string()),
        duration: optional(number()),
        duration_text: optional(string()),
        instructions: optional(array(string())),
      }),
    ),
  }),
);

const Line = array(PositionSchema);

/** The zones on the map as GeoJSON. */
export const MapFeatureCollectionSchema: WireSchema<MapFeatureCollection> =
  wireSchema<MapFeatureCollection>()(
    object({
      type: literal('FeatureCollection'),
      features: array(
        object({
          type: literal('Feature'),
          id: string(),
          geometry: union([
            object({ type: literal('Point'), coordinates: PositionSchema }),
            object({ type: literal('LineString'), coordinates: Line }),
            object({
              type: union([literal('MultiLineString'), literal('Polygon')]),
              coordinates: array(Line),
            }),
            object({ type: literal('MultiPolygon'), coordinates: array(array(Line)) }),
          ]),
          properties: object({ address: nullable(string()), name: string() }),
        }),
      ),
    }),
  );

/** The two segments of a ring that meet. */
const Segments: WireSchema<readonly [number, number]> = schemaOf<readonly [number, number]>({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
});

/**
 * The platform's error body: `{code: 4220, message, errors}` for input, `{code, message, field}` for an unknown id or a refused request.
 *
 * The schema is one object with the fields of both forms, not a union, because Fastify's serialiser calls an error's `toJSON` only for an
 * object. Fastify then sends a thrown `WayzoneError` in this form.
 */
export const WireErrorSchema: WireSchema<WireError> = published(
  schemaOf<WireError>(
    object({
      code: integer(),
      message: string(),
      field: optional(string()),
      errors: optional(
        array(
          object({
            code: literal(4221),
            field: string(),
            message: string(),
            reason: string(),
            segments: optional(Segments),
          }),
        ),
      ),
    }),
  ),
);
