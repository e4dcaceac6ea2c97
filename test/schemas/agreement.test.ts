import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { type FieldError, WayzoneError } from '../../src/core/errors.js';
import { type Geozone, lineToPolygon, notFound } from '../../src/index.js';
import { toFeatureCollection } from '../../src/interchange/index.js';
import { buildRouting } from '../../src/routing/index.js';
import {
  CustomGeozoneTypeSchema,
  ExportRequestSchema,
  FilterQuerySchema,
  filterAnswerSchema,
  GeozoneGroupInputSchema,
  GeozoneGroupSchema,
  GeozoneInputSchema,
  GeozoneSchema,
  GroupListQuerySchema,
  GroupListSchema,
  LineToPolygonAnswerSchema,
  LineToPolygonRequestSchema,
  MapFeatureCollectionSchema,
  RouteInputSchema,
  RouteSchema,
  RoutingAnswerSchema,
  TrackGradationSchema,
  TripDetectorSettingsSchema,
  TripInputSchema,
  TripSchema,
  validateCustomGeozoneType,
  validateGeozone,
  validateGeozoneGroup,
  validateRoute,
  validateTrip,
  WireErrorSchema,
} from '../../src/schemas/index.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { customType, geozone, group, ID, point, polygon, route, SQUARE, trip } from './samples.js';

/** Compares the validators with TypeBox's own check of the published schemas. */

const SHAPES = [
  ['geozone', validateGeozone, GeozoneInputSchema, GeozoneSchema, geozone],
  ['group', validateGeozoneGroup, GeozoneGroupInputSchema, GeozoneGroupSchema, group],
  ['custom type', validateCustomGeozoneType, CustomGeozoneTypeSchema, CustomGeozoneTypeSchema, customType],
  ['route', validateRoute, RouteInputSchema, RouteSchema, route],
  ['trip', validateTrip, TripInputSchema, TripSchema, trip],
] as const;

/** Reasons that a JSON Schema cannot express. All others come from the schema. */
const BEYOND =
  /^(lat-range|lon-range|geometry-count|geometry-conflict|line-too-short|ring-.*|edge-ambiguous|radius-range|width-(missing|range)|date|date-duplicate|order-of-times|activation-time|hole-.*)$/;

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    'x',
    ID,
    'point',
    'circle',
    'line',
    'polygon',
    'strict',
    '#123456',
  ),
  fc.constantFrom<unknown>('2028-02-29', '2026-02-30', '2026-01-01 00:00', '08:00', '23:00', '24:00'),
  fc.constantFrom<unknown>(-1, 0, 1, 0.5, 91, 541, 1e9, Number.NaN),
);
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>([], {}, [[1, 2]], [[1, 2, 3]], [[1, 2, 3, 4, 5]], [1], [{ id: ID }]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { key: 'line' },
      { key: 'red' },
      { time: '07:00' },
      SQUARE,
      [SQUARE],
      [[SQUARE]],
    ),
  },
);

/** An index of a place in the sample, optionally the name of a field to set there, and the value to set. */
const edit = fc.tuple(
  fc.nat(),
  fc.option(
    fc.constantFrom(
      'coordinates',
      'width',
      'parts',
      'color',
      'icon',
      'arrival',
      'departure',
      'activation_type',
      'work_types',
      'area',
      'companies',
      'trailer',
      'polygon_geometry',
      'is_delete',
      'extra',
    ),
  ),
  fc.option(value, { nil: undefined }),
);

function edited(sample: unknown, edits: readonly [number, string | null, unknown][]): unknown {
  const root = structuredClone(sample) as Record<string, unknown>;
  for (const [at, name, what] of edits) {
    const parents: (readonly [Record<string, unknown>, string])[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, child] of Object.entries(node)) {
        parents.push([node as Record<string, unknown>, key]);
        visit(child);
      }
    };
    visit(root);
    const found = parents[at % Math.max(1, parents.length)];
    if (found === undefined) continue;
    const key = name !== null && !Array.isArray(found[0]) ? name : found[1];
    if (what === undefined && !Array.isArray(found[0])) delete found[0][key];
    else found[0][key] = structuredClone(what);
  }
  return root;
}

/** The returned value or the thrown errors. */
function outcome(run: () => unknown): { value: unknown } | { errors: readonly FieldError[] } {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof WayzoneError) return { errors: error.errors };
    throw error;
  }
}

/** The validators accept null geometry beside coordinates; the schema does not. */
function saysNullPairs(input: unknown): boolean {
  return /"(geometry|coordinates)":null/.test(JSON.stringify(input));
}

describe.each(SHAPES)('%s', (_, validate, schema, stored, sample) => {
  test('the sample and its validated form match the schemas', () => {
    expect(Check(schema, sample())).toBe(true);
    expect(Check(stored, validate(sample()))).toBe(true);
  });

  test('the validator and the published schema agree', () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const input = edited(sample(), edits);
        const result = outcome(() => validate(input));
        if ('value' in result) {
          valid++;
          expect(Check(schema, result.value)).toBe(true);
          if (!saysNullPairs(input)) expect(Check(schema, input)).toBe(true);
        } else if (result.errors.every(({ reason }) => BEYOND.test(reason))) {
          // Only rules beyond the schema are broken. The schema has patterns for dates and minima for widths and lengths, so these may fail it too.
          if (
            !result.errors.some(({ reason }) =>
              /^(date|width-range|radius-range|geometry-count|ring-too-short|line-too-short)$/.test(reason),
            )
          )
            expect(Check(schema, input) || saysNullPairs(input)).toBe(true);
        } else {
          expect(Check(schema, input)).toBe(false);
        }
      }),
      { numRuns: volume(20_000) },
    );
    expect(valid).toBeGreaterThan(0);
  });
});

test('the parts of a point are validated like those of a geozone', () => {
  const input = {
    ...route(),
    points: [{ name: 'p', type: { key: 'polygon' }, geometry: SQUARE, parts: { key: 'line' } }],
  };
  expect(Check(RouteInputSchema, input)).toBe(false);
  expect(outcome(() => validateRoute(input))).toMatchObject({ errors: [{ field: 'points[0].parts' }] });
});

test('every published schema accepts what the platform sends and refuses broken forms of it', async () => {
  expect(Check(FilterQuerySchema, {})).toBe(true);
  expect(Check(FilterQuerySchema, { from: '10', count: null, sortDesc: null, conditions: null })).toBe(true);
  expect(
    Check(FilterQuerySchema, {
      from: 0,
      count: 10,
      sortField: 'name',
      sortDesc: 'true',
      conditions: [{ field: 'is_delete', value: 'all' }],
    }),
  ).toBe(true);
  expect(Check(FilterQuerySchema, { from: -1 })).toBe(false);
  expect(Check(FilterQuerySchema, { sortDesc: 'yes' })).toBe(false);
  expect(Check(filterAnswerSchema(RouteSchema), { max: 7, list: [route()] })).toBe(true);
  expect(Check(filterAnswerSchema(RouteSchema), { max: 7, list: [{}] })).toBe(false);
  expect(Check(RoutingAnswerSchema, await buildRouting('55.75,37.61;55.7,37.5'))).toBe(true);
  expect(Check(RoutingAnswerSchema, { columns: [], values: [{ style: 'blue', points: [] }] })).toBe(false);
  expect(Check(RoutingAnswerSchema, { columns: [], values: [{ points: [] }] })).toBe(false);
  expect(
    Check(TrackGradationSchema, {
      styles: [
        { max: 60, hex_color: '#00ff00' },
        { max: null, hex_color: '#FF0000' },
      ],
    }),
  ).toBe(true);
  expect(Check(TrackGradationSchema, { styles: [{ hex_color: '#00ff00' }] })).toBe(false);
  for (const settings of [
    {},
    { tripdetector_minparktime: '300', key_tripdetector_movedetect: 'ignition' },
    [{ key: 'a', value: 7 }],
  ])
    expect(Check(TripDetectorSettingsSchema, settings)).toBe(true);
  expect(Check(TripDetectorSettingsSchema, { tripdetector_minparktime: 'soon' })).toBe(false);
});

test('requests and answers of the other endpoints match the published schemas', () => {
  for (const request of [
    {},
    { geozones: [{ id: 'a' }], geozones_groups: [{ id: 'g' }] },
    { geozones: ['a', { id: 'b' }], geozones_groups: null },
    { geozones: 'a,b' },
  ])
    expect(Check(ExportRequestSchema, request)).toBe(true);
  expect(Check(ExportRequestSchema, { geozones: [{}] })).toBe(false);
  expect(Check(GroupListQuerySchema, { fields: ['geozones.id', 'geozones.name'] })).toBe(true);
  expect(Check(GroupListQuerySchema, { fields: 'name' })).toBe(true);
  expect(Check(GroupListQuerySchema, { fields: [7] })).toBe(false);
  expect(Check(GroupListSchema, [group({ geozones: [{ id: ID, name: 'Depot' }] })])).toBe(true);
  expect(Check(GroupListSchema, [{ id: ID }])).toBe(false);
  const line = { width: 50, geometry: SQUARE };
  expect(Check(LineToPolygonRequestSchema, line)).toBe(true);
  expect(Check(LineToPolygonRequestSchema, { geometry: SQUARE })).toBe(false);
  expect(Check(LineToPolygonAnswerSchema, lineToPolygon(line))).toBe(true);
  expect(Check(LineToPolygonAnswerSchema, {})).toBe(false);
});

test('errors of every kind match the published schema', () => {
  const bowTie = polygon(wkt('0 0, 1 1, 1 0, 0 1'));
  expect(outcome(() => validateGeozone(bowTie))).toHaveProperty('errors[0].segments');
  for (const run of [
    () => validateGeozone(bowTie),
    () => validateTrip({}),
    () => {
      throw notFound('geozone', 'a');
    },
  ]) {
    try {
      run();
    } catch (error) {
      expect(Check(WireErrorSchema, JSON.parse(JSON.stringify(error)))).toBe(true);
    }
  }
  expect(Check(WireErrorSchema, { code: 4220, message: 'm', errors: [{ code: 1 }] })).toBe(false);
});

test('the features of a map match the published schema', () => {
  const zones = [
    geozone(),
    polygon(SQUARE),
    polygon(SQUARE.map(([x, y]) => [x + 179.5, y])),
    geozone({ ...point() }),
    geozone({ type: { key: 'line' }, geometry: SQUARE }),
  ];
  const shown = zones.map((zone) => ({ ...zone, is_show_on_map: true })) as unknown as Geozone[];
  expect(Check(MapFeatureCollectionSchema, toFeatureCollection(shown))).toBe(true);
  expect(
    Check(MapFeatureCollectionSchema, { type: 'FeatureCollection', features: [{ type: 'Feature' }] }),
  ).toBe(false);
});
