import type { Static, TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { Geozone, GeozoneGroup, Route } from '../../src/index.js';
import * as schemas from '../../src/schemas/index.js';
import {
  array,
  nullable,
  number,
  object,
  optional,
  type Same,
  string,
  wireSchema,
} from '../../src/schemas/wireSchema.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type Trip, type TripInput } from '../../src/trips/index.js';
import { geozone, group, ID, point, route, trip } from './samples.js';

/**
 * The compiler proves that the schemas equal the interfaces of core: `wireSchema` accepts no other. These cases show that it complains:
 * an `@ts-expect-error` without an error is itself an error (`npm run types`).
 */

interface Row {
  readonly id: string;
  readonly width?: number | null;
  readonly points: readonly { readonly name: string }[];
}

const id = string();
const width = optional(nullable(number()));
const points = array(object({ name: string() }));

describe('a schema that differs from its interface does not compile', () => {
  test('the same fields compile', () => {
    expect(wireSchema<Row>()(object({ id, width, points }))).toBeTypeOf('object');
  });

  test('each difference is a compile error', () => {
    const wrong = [
      // @ts-expect-error a field is missing
      wireSchema<Row>()(object({ id, width })),
      // @ts-expect-error an optional field is missing
      wireSchema<Row>()(object({ id, points })),
      // @ts-expect-error an extra field
      wireSchema<Row>()(object({ id, width, points, name: id })),
      // @ts-expect-error an extra optional field
      wireSchema<Row>()(object({ id, width, points, name: optional(id) })),
      // @ts-expect-error another type
      wireSchema<Row>()(object({ id: number(), width, points })),
      // @ts-expect-error not optional
      wireSchema<Row>()(object({ id, width: nullable(number()), points })),
      // @ts-expect-error optional
      wireSchema<Row>()(object({ id: optional(id), width, points })),
      // @ts-expect-error not nullable
      wireSchema<Row>()(object({ id, width: optional(number()), points })),
      // @ts-expect-error another type in a nested field
      wireSchema<Row>()(object({ id, width, points: array(object({ name: width })) })),
    ];
    expect(wrong).toHaveLength(9);
  });

  test('a host derives the interface from the schema', () => {
    const same: Same<Static<typeof schemas.GeozoneInputSchema>, schemas.GeozoneInput> = true;
    // @ts-expect-error the stored geozone has an id
    const other: Same<Static<typeof schemas.GeozoneSchema>, schemas.GeozoneInput> = true;
    expect([same, other]).toHaveLength(2);
  });
});

describe('a validator keeps the type of a row with an id', () => {
  const stored = {
    ...trip(),
    points: [point({ type: { key: 'circle' }, width: 200, arrival: { time: '08:00' } })],
  };
  const run = (row: TripInput): unknown =>
    evaluateTrip(row, '2026-11-21', readTrack([]), { timeZone: 'Europe/Moscow' });

  test('and its result goes into evaluateTrip unchanged', () => {
    const typed: Trip = schemas.validateTrip(stored as unknown as Trip);
    const parsed: Trip = schemas.validateTrip(JSON.parse(JSON.stringify(stored)));
    const unknown: TripInput = schemas.validateTrip(stored as unknown);
    // @ts-expect-error an input of unknown type may lack an id
    const id: string = schemas.validateTrip(stored as unknown).id;
    expect([typed.id, parsed.id, unknown.id, id]).toEqual([ID, ID, ID, ID]);
    expect(run(schemas.validateTrip(stored))).toMatchObject({ tripId: ID });
    const { id: _, ...fresh } = stored as unknown as Trip;
    expect(run(schemas.validateTrip(fresh))).toMatchObject({ tripId: null });
  });

  test('and so do the validators of geozones, groups and routes', () => {
    const zone: Geozone & { readonly address: string } = schemas.validateGeozone({
      ...(geozone() as unknown as Geozone),
      address: 'Street 1',
    });
    const row: Route = schemas.validateRoute(route() as unknown as Route);
    const set: GeozoneGroup = schemas.validateGeozoneGroup(group() as unknown as GeozoneGroup);
    expect([zone.address, zone.id, row.id, set.id]).toEqual(['Street 1', ID, ID, ID]);
  });
});

const ALL = Object.entries({
  ...schemas,
  AnswerSchema: schemas.filterAnswerSchema(schemas.RouteSchema),
}).filter(([name]) => name.endsWith('Schema') && name !== 'filterAnswerSchema') as unknown as [
  string,
  TSchema,
][];

describe('published schemas', () => {
  test('there are 40', () => {
    expect(ALL).toHaveLength(40);
  });

  test.each(ALL)('%s is plain JSON', (_, schema) => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(JSON.stringify(schema)).not.toMatch(/~|\$ref|typebox/i);
  });

  test.each(ALL.filter(([name]) => name !== 'AnswerSchema'))('%s is deeply frozen', (_, schema) => {
    const open: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) open.push(value);
      Object.values(value).forEach(visit);
    };
    visit(schema);
    expect(open).toEqual([]);
  });

  test.each(ALL)('%s allows further fields in every object', (_, schema) => {
    const closed: unknown[] = [];
    let objects = 0;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('type' in value && value.type === 'object') {
        objects++;
        if (!('additionalProperties' in value) || value.additionalProperties !== true) closed.push(value);
      }
      Object.values(value).forEach(visit);
    };
    visit(schema);
    expect(objects).toBeGreaterThan(0);
    expect(closed).toEqual([]);
  });

  test.each(ALL)('%s uses standard keywords only', (_, schema) => {
    const known = new Set(
      'type properties required additionalProperties items anyOf enum const pattern minLength minItems maxItems minimum maximum description'.split(
        ' ',
      ),
    );
    const unknown = new Set<string>();
    const visit = (value: TSchema, inside: boolean): void => {
      for (const [key, child] of Object.entries(value) as [string, TSchema][]) {
        if (!inside && !known.has(key)) unknown.add(key);
        if (key === 'enum' || typeof child !== 'object') continue;
        if (Array.isArray(child))
          for (const item of (child as unknown[]).filter((one) => typeof one === 'object'))
            visit(item as TSchema, false);
        else visit(child, !inside && key === 'properties');
      }
    };
    visit(schema, false);
    expect([...unknown]).toEqual([]);
  });
});
