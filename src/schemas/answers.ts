/** What the list, routing and map endpoints take and answer, and the error body. */

import { Type } from 'typebox';
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
import { GeozoneGroupSchema } from './geozoneGroup.js';
import { Amount, list, nullable, PairSchema, Pairs, PositionSchema } from './parts.js';
import { published, type WireSchema, wireSchema } from './wireSchema.js';

/** A count, as a URL may have it. */
const Whole = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.String({ pattern: '^[0-9]{1,16}$' }),
  Type.Null(),
]);

const HasId = Type.Object({ id: Type.String() });

/** What a list request asks for. */
export const FilterQuerySchema: WireSchema<FilterQuery> = wireSchema<FilterQuery>()(
  Type.Object({
    from: Type.Optional(Whole),
    count: Type.Optional(Whole),
    sortField: Type.Optional(nullable(Type.String())),
    sortDesc: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false'), Type.Null()]),
    ),
    conditions: Type.Optional(
      nullable(
        list(
          Type.Object({
            field: Type.String(),
            value: Type.Union([
              Type.String(),
              Type.Number(),
              Type.Boolean(),
              HasId,
              list(Type.Union([Type.String(), HasId])),
            ]),
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
 * filterAnswerSchema(RouteSchema).required; // ['max', 'list']
 */
export function filterAnswerSchema<Row>(row: WireSchema<Row>): WireSchema<FilterAnswer<Row>> {
  return published(
    Type.Unsafe<FilterAnswer<Row>>(Type.Object({ max: Type.Integer({ minimum: 0 }), list: Type.Array(row) })),
  );
}

/** The body of a line to polygon request. */
export const LineToPolygonRequestSchema: WireSchema<LineToPolygonRequest> =
  wireSchema<LineToPolygonRequest>()(Type.Object({ width: Amount, geometry: Pairs }));

/** Its answer. */
export const LineToPolygonAnswerSchema: WireSchema<LineToPolygonAnswer> = wireSchema<LineToPolygonAnswer>()(
  Type.Object({ polygon_geometry: Type.Array(PairSchema) }),
);

const Ids = Type.Union([Type.String(), list(Type.Union([Type.String(), HasId])), Type.Null()]);

/** The body of an export: ids, or objects that have one. */
export const ExportRequestSchema: WireSchema<ExportRequest> = wireSchema<ExportRequest>()(
  Type.Object({ geozones: Type.Optional(Ids), geozones_groups: Type.Optional(Ids) }),
);

/** What the list of groups is asked for. */
export const GroupListQuerySchema: WireSchema<GroupListQuery> = wireSchema<GroupListQuery>()(
  Type.Object({ fields: Type.Optional(Type.Union([Type.String(), list(Type.String()), Type.Null()])) }),
);

/** The list of groups; their zones have the fields that were asked for besides the id. */
export const GroupListSchema: WireSchema<readonly GeozoneGroup[]> = wireSchema<readonly GeozoneGroup[]>()(
  Type.Array(GeozoneGroupSchema),
);

/** The answer of `GET /routing/{points}`; a row has the further columns as fields. */
export const RoutingAnswerSchema: WireSchema<RoutingAnswer> = wireSchema<RoutingAnswer>()(
  Type.Object({
    columns: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    values: Type.Array(
      Type.Object({
        style: Type.Object({ hex_color: Type.String(), width: Type.Number() }),
        points: Type.Array(PairSchema),
      }),
    ),
  }),
);

const Line = Type.Array(PositionSchema);

/** The zones on the map as GeoJSON. */
export const MapFeatureCollectionSchema: WireSchema<MapFeatureCollection> =
  wireSchema<MapFeatureCollection>()(
    Type.Object({
      type: Type.Literal('FeatureCollection'),
      features: Type.Array(
        Type.Object({
          type: Type.Literal('Feature'),
          id: Type.String(),
          geometry: Type.Union([
            Type.Object({ type: Type.Literal('Point'), coordinates: PositionSchema }),
            Type.Object({ type: Type.Literal('LineString'), coordinates: Line }),
            Type.Object({
              type: Type.Union([Type.Literal('MultiLineString'), Type.Literal('Polygon')]),
              coordinates: Type.Array(Line),
            }),
            Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Type.Array(Line)) }),
          ]),
          properties: Type.Object({ address: nullable(Type.String()), name: Type.String() }),
        }),
      ),
    }),
  );

/** The two segments of a ring that meet. */
const Segments: WireSchema<readonly [number, number]> = Type.Unsafe<readonly [number, number]>({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
});

/**
 * The platform's error body: `{code: 4220, message, errors}` for input, `{code, message, field}` for an unknown id or a refused request.
 *
 * One object with both forms' fields and not a choice of two: Fastify's serialiser asks an error for its `toJSON` only then, and so
 * answers a thrown `WayzoneError` in this form by itself.
 */
export const WireErrorSchema: WireSchema<WireError> = published(
  Type.Unsafe<WireError>(
    Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      field: Type.Optional(Type.String()),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            code: Type.Literal(4221),
            field: Type.String(),
            message: Type.String(),
            reason: Type.String(),
            segments: Type.Optional(Segments),
          }),
        ),
      ),
    }),
  ),
);
