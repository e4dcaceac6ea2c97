import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Geozone,
  type Issue,
  type Pair,
  type Position,
  ZoneIndex,
  zoneContains,
} from '../../src/index.js';
import { errorOf } from '../errorOf.js';
import { unfrozen } from '../frozenCalls.js';
import { LONG, seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { HOSTILE_IDS, PLACES, probeAt, zoneAt } from './generators.js';
import { plainZone } from './oracle/plainZones.js';

const circle = (id: string, lon: number, lat: number, width: number, more: object = {}): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[lon, lat]],
  width,
  ...more,
});

const scan = (zones: readonly Geozone[], position: Position): string[] =>
  zones.filter((zone) => zoneContains(zone, position)).map(({ id }) => id);

describe('ZoneIndex', () => {
  test('answers in order of insertion, and returns the rows', () => {
    const rows = [circle('b', 0, 0, 1000), circle('a', 0, 0, 500), circle('far', 50, 0, 500)];
    const index = new ZoneIndex(rows);
    expect(index.at([0, 0])).toEqual(['b', 'a']);
    expect(index.size).toBe(3);
    expect(index.get('a')).toEqual(rows[1]);
    expect([index.has('a'), index.has('x'), index.get('x')]).toEqual([true, false, null]);
    expect(index.ids()).toEqual(['b', 'a', 'far']);
  });

  test('atMany gives the same zones as ordinals in compressed rows', () => {
    const index = new ZoneIndex([circle('b', 0, 0, 1000), circle('a', 0, 0, 500), circle('far', 50, 0, 500)]);
    const { offsets, zones } = index.atMany(Float64Array.of(0, 0, 10, 10, 50, 0));
    expect([...offsets]).toEqual([0, 2, 2, 3]);
    expect([...zones].map((ordinal) => index.idOf(ordinal))).toEqual(['b', 'a', 'far']);
    expect(index.idOf(99)).toBeNull();
    expect(errorOf(() => index.atMany(Float64Array.of(0))).code).toBe('coord-type');
    expect(errorOf(() => index.atMany(Float64Array.of(0, 0, 0, 91)))).toMatchObject({
      code: 'lat-range',
      field: 'lonLat[1][1]',
    });
  });

  test('rows marked deleted are left out, or kept by option', () => {
    const rows = [true, 1, '1', 'true', false, 0, '0'].map((is_delete, i) =>
      circle(`z${i}`, 0, 0, 10, { is_delete }),
    );
    expect(new ZoneIndex(rows).ids()).toEqual(['z4', 'z5', 'z6']);
    expect(new ZoneIndex(rows, { includeDeleted: true }).size).toBe(7);
  });

  test('an invalid row throws its own error, or is left out and reported; the others are all found', () => {
    const rows = [
      circle('a', 0, 0, 10),
      circle('nan', Number.NaN, 0, 10),
      circle('a', 1, 1, 10),
      circle('neg', 0, 0, -1),
      circle('b', 0, 0, 10),
    ];
    expect(errorOf(() => new ZoneIndex(rows))).toMatchObject({
      code: 'coord-not-finite',
      field: 'zones[1].geometry[0][0]',
    });
    const issues: Issue[] = [];
    const index = new ZoneIndex(rows, { onIssue: (issue) => issues.push(issue) });
    expect(issues.map(({ code, field, severity }) => [code, field, severity])).toEqual([
      ['coord-not-finite', 'zones[1].geometry[0][0]', 'error'],
      ['duplicate-id', 'zones[2].id', 'error'],
      ['radius-range', 'zones[3].width', 'error'],
    ]);
    expect(index.at([0, 0])).toEqual(['a', 'b']);
    expect(errorOf(() => index.add(circle('c', 0, 91, 10))).code).toBe('lat-range');
    expect(errorOf(() => index.update(circle('a', 0, 0, Number.NaN))).code).toBe('radius-range');
    expect(errorOf(() => index.add(circle('a', 0, 0, 1))).code).toBe('duplicate-id');
    expect(index.at([0, 0])).toEqual(['a', 'b']);
    expect([index.remove('nobody'), index.update(circle('nobody', 0, 0, 1))]).toEqual([false, false]);
  });

  test('ids are equal only if all their characters are; ids that are too long or not texts are refused', () => {
    const ids = HOSTILE_IDS;
    const index = new ZoneIndex(ids.map((id) => circle(id, 0, 0, 5)));
    expect(index.at([0, 0])).toEqual(ids);
    expect(ids.every((id) => index.has(id))).toBe(true);
    expect(index.has('hasOwnProperty')).toBe(false);
    expect(index.remove('__proto__')).toBe(true);
    expect(index.at([0, 0])).toEqual(ids.slice(1));
    expect(errorOf(() => index.add(circle(1 as unknown as string, 0, 0, 5))).code).toBe('id-type');
    expect(errorOf(() => index.add(circle('a'.repeat(1_000_000), 0, 0, 5))).code).toBe('id-length');
    expect(errorOf(() => index.add(null as unknown as Geozone)).code).toBe('id-type');
  });

  test('identical boxes, zones on one meridian, and the world among tiny zones are found', () => {
    const same = new ZoneIndex(Array.from({ length: 5_000 }, (_, i) => circle(`s${i}`, 10, 10, 5)));
    expect(same.at([10, 10])).toHaveLength(5_000);
    const world: Geozone = {
      id: 'world',
      name: '',
      type: { key: 'polygon' },
      geometry: wkt('-180 -90, 180 -90, 180 90, -180 90'),
    };
    const tiny = Array.from({ length: 5_000 }, (_, i) => circle(`t${i}`, 30, -80 + i * 0.03, 5));
    const index = new ZoneIndex([world, ...tiny]);
    expect(index.at([30, -80 + 77 * 0.03])).toEqual(['world', 't77']);
    expect(index.at([-120, 45])).toEqual(['world']);
  });

  test('a zone across the antimeridian or a pole is found from both sides, and on the edge of its box', () => {
    const index = new ZoneIndex<Geozone>([
      circle('fiji', 180, -17, 50_000),
      circle('pole', 10, 89.99, 50_000),
      {
        id: 'box',
        name: '',
        type: { key: 'polygon' },
        geometry: wkt('170 0, -170 0, -170 10, 170 10'),
      },
    ]);
    expect([index.at([179.9, -17]), index.at([-179.9, -17]), index.at([-180, -17])]).toEqual([
      ['fiji'],
      ['fiji'],
      ['fiji'],
    ]);
    expect([index.at([-170, 89.9]), index.at([0, 90]), index.at([123, 90])]).toEqual([
      ['pole'],
      ['pole'],
      ['pole'],
    ]);
    expect([index.at([170, 0]), index.at([-170, 10]), index.at([180, 10]), index.at([169.9999, 0])]).toEqual([
      ['box'],
      ['box'],
      ['box'],
      [],
    ]);
    expect(index.intersecting([-180, -20, -179, 5])).toEqual(['fiji', 'box']);
    expect(index.intersecting([179, -20, -179, 5])).toEqual(['fiji', 'box']);
    expect(index.intersecting([170, 10, 170, 10])).toEqual(['box']);
    expect(index.intersecting([-180, -90, -180, 90])).toEqual(index.intersecting([180, -90, 180, 90]));
    expect(index.intersecting([-180, 90, 180, 90])).toEqual(['pole']);
  });

  test('a zone at a pole meets a box at the pole at any longitude', () => {
    const wedges = [1, -1].map((side) => ({
      id: side > 0 ? 'north' : 'south',
      type: { key: 'polygon' as const },
      geometry: [
        [0, 80 * side],
        [10, 80 * side],
        [5, 90 * side],
      ] as [number, number][],
    }));
    const index = new ZoneIndex(wedges);
    for (const opened of [index, ZoneIndex.fromBuffer(index.toBuffer())]) {
      expect(opened.at([110, 90])).toEqual(['north']);
      expect(opened.intersecting([100, 85, 120, 90])).toEqual(['north']);
      expect(opened.intersecting([170, 90, -170, 90])).toEqual(['north']);
      expect(opened.intersecting([100, -90, 120, -85])).toEqual(['south']);
      expect(opened.intersecting([100, 85, 120, 89.999])).toEqual([]);
      expect(opened.intersecting([100, -89.999, 120, 89.999])).toEqual([]);
      expect(opened.crossing([110, 85], [110, 90])).toEqual([{ id: 'north', from: 1, to: 1 }]);
      expect(opened.nearest([110, 90], { maxMeters: 0 }).map(({ id }) => id)).toEqual(['north']);
    }
  });

  test('editing a row after it was added changes no answer; zones may be removed during iteration', () => {
    const row = {
      id: 'a',
      name: 'a',
      type: { key: 'circle' as const },
      geometry: [[0, 0]] as [number, number][],
      width: 100,
    };
    const Index = unfrozen(ZoneIndex);
    const index = new Index<Geozone>([row, circle('b', 0, 0, 100)]);
    row.geometry[0]![0] = 50;
    row.id = 'c';
    expect(index.at([0, 0])).toEqual(['a', 'b']);
    expect([index.get('a')!.geometry, index.has('c')]).toEqual([[[0, 0]], false]);
    for (const id of index.at([0, 0])) index.remove(id);
    expect([index.at([0, 0]), index.size]).toEqual([[], 0]);
  });

  test('update keeps the position in the order; a removed ordinal is not used again', () => {
    const index = new ZoneIndex<Geozone>([circle('a', 0, 0, 100), circle('b', 0, 0, 100)]);
    expect(index.update(circle('a', 0, 0, 200))).toBe(true);
    expect(index.at([0, 0])).toEqual(['a', 'b']);
    index.remove('a');
    index.add(circle('a', 0, 0, 5));
    expect(index.at([0, 0])).toEqual(['b', 'a']);
    expect([index.idOf(0), index.ordinalOf('a')]).toEqual([null, 2]);
    expect(index.update(circle('b', 0, 0, 5, { is_delete: true }))).toBe(true);
    expect(index.ids()).toEqual(['a']);
  });

  test('crossing returns all intervals in order; an ambiguous segment is an error', () => {
    const index = new ZoneIndex<Geozone>([
      {
        id: 'second',
        name: '',
        type: { key: 'polygon' },
        geometry: wkt('2 -1, 3 -1, 3 1, 2 1'),
      },
      {
        id: 'first',
        name: '',
        type: { key: 'polygon' },
        geometry: wkt('1 -1, 2 -1, 2 1, 1 1'),
      },
    ]);
    expect(index.crossing([0, 0], [4, 0])).toEqual([
      { id: 'first', from: 0.25, to: 0.5 },
      { id: 'second', from: 0.5, to: 0.75 },
    ]);
    expect(errorOf(() => index.crossing([-90, 0], [90, 0])).code).toBe('edge-ambiguous');
    expect(errorOf(() => index.crossing([0, 0], [0, 91]))).toMatchObject({
      code: 'lat-range',
      field: 'b[1]',
    });
  });
});

test('each position of a tiling is in exactly one zone of a half-open index', () => {
  const zones = Array.from({ length: 100 }, (_, i): Geozone => {
    const [x, y] = [(i % 10) * 0.1 - 0.5, Math.floor(i / 10) * 0.1 - 0.5];
    return {
      id: `${i}`,
      name: '',
      type: { key: 'polygon' },
      geometry: [
        [x, y],
        [((i % 10) + 1) * 0.1 - 0.5, y],
        [((i % 10) + 1) * 0.1 - 0.5, (Math.floor(i / 10) + 1) * 0.1 - 0.5],
        [x, (Math.floor(i / 10) + 1) * 0.1 - 0.5],
      ],
    };
  });
  const index = new ZoneIndex(zones, { boundary: 'half-open' });
  for (let i = 0; i < 100; i++) expect(index.at(zones[i]!.geometry[0]!)).toEqual([`${i}`]);
});

test('equals a linear scan over random zones of all kinds and places', () => {
  const random = seeded(99);
  for (let round = 0; round < (LONG ? 60 : 3); round++) {
    const zones = Array.from({ length: 120 }, (_, i) =>
      zoneAt(random, `z${i}`, PLACES[i % PLACES.length]!, 0.2),
    );
    const index = new ZoneIndex(zones);
    for (let i = 0; i < 60; i++) {
      const place = PLACES[i % PLACES.length]!;
      const probe = probeAt(random, place, 0.2);
      expect({ probe, ids: index.at(probe) }).toEqual({ probe, ids: scan(zones, probe) });
      const other = probeAt(random, place, 0.2);
      if (Math.abs(other[0] - probe[0]) === 180) continue;
      const intervals = zones
        .flatMap((zone) => {
          const found = plainZone(zone).intervals(
            probe[0] === -180 ? 180 : probe[0],
            probe[1],
            other[0] === -180 ? 180 : other[0],
            other[1],
          );
          return found.flatMap((from, k) => (k % 2 === 0 ? [{ id: zone.id, from, to: found[k + 1]! }] : []));
        })
        .sort((p, q) => p.from - q.from);
      expect(index.crossing(probe, other)).toEqual(intervals);
    }
  }
});

test('intersecting finds each zone with a sampled position in the box, and no zone beyond its distance', () => {
  const random = seeded(31);
  let found = 0;
  for (let round = 0; round < volume(400); round++) {
    const place = PLACES[round % PLACES.length]!;
    const zones = Array.from({ length: 12 }, (_, i) => zoneAt(random, `z${i}`, place, 0.2));
    const index = new ZoneIndex(zones);
    const [lon, lat] = probeAt(random, place, 0.2);
    const size = random() * 0.1;
    const east = lon + size > 180 ? lon + size - 360 : lon + size;
    const north = Math.min(90, lat + size);
    const ids = index.intersecting([lon, lat, east, north]);
    found += ids.length;
    for (let k = 0; k < 100; k++) {
      const x = lon + ((k % 10) / 9) * size;
      const sample: Position = [x > 180 ? x - 360 : x, lat + (Math.floor(k / 10) / 9) * (north - lat)];
      for (const id of scan(zones, sample)) expect(ids).toContain(id);
    }
    for (const zone of zones) {
      const corner = plainZone(zone).signedDistanceMeters(lon === -180 ? 180 : lon, lat);
      if (corner > 0.3 * 112_000) expect(ids).not.toContain(zone.id);
    }
  }
  expect(found).toBeGreaterThan(0.4 * volume(400));
});

/** Edits compared with a plain list; the long run has 200 commands per case. */
test('model: any sequence of edits and queries equals a list', () => {
  type Command = {
    readonly kind: 'add' | 'update' | 'remove' | 'at';
    readonly id: number;
    readonly seed: number;
  };
  const command = fc.record<Command>({
    kind: fc.constantFrom('add', 'update', 'remove', 'at'),
    id: fc.integer({ min: 0, max: 12 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(
    fc.property(fc.array(command, { minLength: 20, maxLength: LONG ? 200 : 40 }), (commands) => {
      const index = new ZoneIndex<Geozone>([]);
      let model: Geozone[] = [];
      for (const { kind, id, seed } of commands) {
        const random = seeded(seed);
        const place = PLACES[id % 3]!;
        const zone = zoneAt(random, `${id}`, place, 0.3);
        const known = model.some((row) => row.id === zone.id);
        if (kind === 'add' && !known) {
          expect(index.add(zone)).toBe(true);
          model.push(zone);
        } else if (kind === 'update') {
          expect(index.update(zone)).toBe(known);
          model = model.map((row) => (row.id === zone.id ? zone : row));
        } else if (kind === 'remove') {
          expect(index.remove(zone.id)).toBe(known);
          model = model.filter((row) => row.id !== zone.id);
        } else {
          const probe: Pair = probeAt(random, place, 0.2);
          expect(index.at(probe)).toEqual(scan(model, probe));
        }
        expect(index.size).toBe(model.length);
      }
    }),
    { numRuns: volume(400) },
  );
});

test('locateAll gives the ids of `at` for each position, and reports the invalid position', () => {
  const square = (id: string, lon: number): Geozone => ({
    id,
    name: id,
    type: { key: 'polygon' },
    geometry: [[lon, 0], [lon + 2, 0], [lon + 2, 2], [lon, 2]], // biome-ignore format: a square
  });
  const index = new ZoneIndex([square('a', 0), square('b', 1)]);
  expect(index.locateAll(wkt('0.5 1, 1.5 1, 9 9'))).toEqual([['a'], ['a', 'b'], []]);
  expect(index.locateAll(new Set([[2.5, 1] as const]))).toEqual([['b']]);
  expect(index.locateAll([])).toEqual([]);
  expect(errorOf(() => index.locateAll(wkt('0 0, 0 91')))).toMatchObject({
    code: 'lat-range',
    field: 'positions[1][1]',
  }); // prettier-ignore
  expect(errorOf(() => index.locateAll(5 as unknown as []))).toMatchObject({
    code: 'source-type',
    field: 'positions',
  });
  for (const name of ['segments', 'edits', 'prepared', 'plainShape']) expect(name in index).toBe(false);
});
