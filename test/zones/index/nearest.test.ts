import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { errorOf } from '../../errorOf.js';
import { seeded, volume } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';
import { plainZone } from '../oracle/plainZones.js';
import { circle } from './worlds.js';

test('gives the nearest by true distance: 0 from inside, equals in order of insertion, none beyond maxMeters', () => {
  const index = new ZoneIndex([
    circle('far', 1, 0, 100),
    circle('b', 0.01, 0, 100),
    circle('a', -0.01, 0, 100),
    circle('here', 0, 0, 10),
  ]);
  const meters = 0.01 * 111_319.4908 - 100;
  const nearest = index.nearest([0, 0], { count: 3 });
  expect(nearest.map(({ id }) => id)).toEqual(['here', 'b', 'a']);
  expect(nearest[0]!.distanceMeters).toBe(0);
  expect(nearest[1]!.distanceMeters).toBeCloseTo(meters, 3);
  expect(nearest[2]!.distanceMeters).toBe(nearest[1]!.distanceMeters);
  expect(index.nearest([0, 0])).toEqual([{ id: 'here', distanceMeters: 0 }]);
  expect(index.nearest([0, 0], { count: 9, maxMeters: 2000 }).map(({ id }) => id)).toEqual([
    'here',
    'b',
    'a',
  ]);
  const exactly = nearest[1]!.distanceMeters;
  expect(index.nearest([0, 0], { count: 9, maxMeters: exactly })).toHaveLength(3);
  expect(new ZoneIndex([]).nearest([0, 0])).toEqual([]);
});

test('invalid options are errors', () => {
  const index = new ZoneIndex([circle('a', 0, 0, 10)]);
  for (const count of [0, 1.5, Number.NaN, -1]) {
    expect(errorOf(() => index.nearest([0, 0], { count }))).toMatchObject({
      code: 'option-value',
      field: 'options.count',
    });
  }
  expect(errorOf(() => index.nearest([0, 0], { maxMeters: Number.NaN })).field).toBe('options.maxMeters');
  expect(errorOf(() => index.nearest([0, 91])).code).toBe('lat-range');
  expect(errorOf(() => new ZoneIndex([], { maxMemoryBytes: -1 })).field).toBe('options.maxMemoryBytes');
});

test('equals a sorted scan, before and after edits, across the antimeridian and the poles', () => {
  const random = seeded(81);
  for (let round = 0; round < volume(120); round++) {
    const place = PLACES[round % PLACES.length]!;
    const zones = Array.from({ length: 60 }, (_, i) => zoneAt(random, `z${i}`, place, 0.3));
    const added = Array.from({ length: 10 }, (_, i) => zoneAt(random, `a${i}`, place, 0.3));
    const index = new ZoneIndex(zones);
    for (const zone of added) index.add(zone);
    index.remove('z5');
    const rows = [...zones, ...added].filter(({ id }) => id !== 'z5');
    const probe = probeAt(random, place, 1);
    const lon = probe[0] === -180 ? 180 : probe[0];
    const scan = rows
      .map((row) => ({
        id: row.id,
        distanceMeters: Math.max(0, plainZone(row).signedDistanceMeters(lon, probe[1])),
      }))
      .sort((p, q) => p.distanceMeters - q.distanceMeters);
    expect(index.nearest(probe, { count: 12 })).toEqual(scan.slice(0, 12));
    const maxMeters = scan[8]!.distanceMeters;
    expect(index.nearest(probe, { count: 99, maxMeters })).toEqual(
      scan.filter(({ distanceMeters }) => distanceMeters <= maxMeters),
    );
  }
});

test('stats counts zones that are indexed, left out, learnt and changed', () => {
  const index = new ZoneIndex<Geozone>(
    [circle('a', 0, 0, 10), { ...circle('b', 0, 0, 10), is_delete: true }, circle('a', 1, 1, 1)],
    { onIssue: () => undefined },
  );
  expect(index.stats()).toMatchObject({ zones: 1, leftOut: 2, vertices: 1, cells: 0, overlay: 0 });
  index.add(circle('c', 0, 0, 10));
  expect(index.stats()).toMatchObject({ zones: 2, vertices: 2, cells: 0, overlay: 1 });
  const triangle: Pair[] = [[1, 1], [2, 1], [2, 2]]; // biome-ignore format: a triangle
  index.add({ id: 'd', name: 'd', type: { key: 'polygon' }, geometry: triangle });
  index.learnAll();
  expect(index.stats()).toMatchObject({ zones: 3, vertices: 5, cells: 1, overlay: 2 });
  expect(index.stats().bytes).toBeGreaterThan(index.stats().cellBytes);
});
