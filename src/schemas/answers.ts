/** What the list, routing and map endpoints take and answer, and the error body. */

import { Type } from 'typebox';
import type { FilterAnswer, FilterQuery, MapFeatureCollection, RoutingAnswer } from '../core/answers.js';
import type { WireError } from '../core/errors.js';
import { list, nullable, PairSchema, PositionSchema } from './parts.js';
import { published, type WireSchema, wireSchema } from './wireSchema.js';

/** A count, as a URL may have it. */
const Whole = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.String({ pattern: '^[0-9]{1,16}$' }),
  Type.Null(),
]);

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
            value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
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

/** The platform's error body, for input and for an unknown id. */
export const WireErrorSchema: WireSchema<WireError> = wireSchema<WireError>()(
  Type.Union([
    Type.Object({
      code: Type.Literal(4220),
      message: Type.String(),
      errors: Type.Array(
        Type.Object({
          code: Type.Literal(4221),
          field: Type.String(),
          message: Type.String(),
          reason: Type.String(),
          segments: Type.Optional(Segments),
        }),
      ),
    }),
    Type.Object({ code: Type.Number(), message: Type.String(), field: Type.String() }),
  ]),
);
