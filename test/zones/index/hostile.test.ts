import { describe, expect, test } from 'vitest';
import { inverseMeters } from '../../../src/geodesy/karney.js';
import { type Bbox, destination, type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { errorOf } from '../../errorOf.js';
import { LONG, seeded, volume } from '../../volume.js';
import { box, polygon } from './worlds.js';

const circle = (id: string, lon: number, lat: number, width: number): Geozone => ({
  id,
  name: '',
  type: { key: 'circle' },
  geometry: [[lon, lat]],
  width,
});

const boxZone = (id: string, bbox: Bbox): Geozone => polygon(id, box(...bbox));

const WORLD = boxZone('world', [-180, -90, 180, 90]);

describe('zones at one place, around the world and on one line', () => {
  test('100,000 identical boxes: all are found, at the first query and later', () => {
    const index = new ZoneIndex(Array.from({ length: 100_000 }, (_, i) => circle(`${i}`, 10, 10, 5)));
    for (const position of [
      [10, 10],
      [10, 10],
      [10.00001, 10],
      [10, 10.00001],
    ] as const) {
      expect(index.at(position)).toHaveLength(100_000);
    }
    expect(index.at([10.001, 10])).toEqual([]);
    expect(index.atMany(Float64Array.of(10, 10, 0, 0)).offsets).toEqual(Uint32Array.of(0, 100_000, 100_000));
    expect(index.stats().bytes).toBeLessThan(2 ** 27);
  });

  test('one zone as large as the world among 100,000 tiny ones', () => {
    const random = seeded(41);
    const tiny = Array.from({ length: 100_000 }, (_, i) =>
      circle(`t${i}`, random() * 359 - 179.5, random() * 170 - 85, 5),
    );
    const index = new ZoneIndex([WORLD, ...tiny]);
    for (let i = 0; i < 500; i++) {
      const [lon, lat] = tiny[Math.floor(random() * tiny.length)]!.geometry[0]!;
      expect(index.at([lon, lat])).toContain('world');
      expect(index.at([lon, lat]).length).toBeGreaterThan(1);
      expect(index.at([random() * 360 - 180, random() * 180 - 90])[0]).toBe('world');
    }
    expect([index.at([180, 0]), index.at([-180, 45]), index.at([7, 90]), index.at([0, -90])]).toEqual(
      Array(4).fill(['world']),
    );
  });

  test('all zones on one meridian, and all on one parallel', () => {
    for (const turned of [false, true]) {
      const at = (i: number): Pair => (turned ? [-85 + i * 0.008, 0] : [0, -85 + i * 0.008]);
      const zones = Array.from({ length: 20_000 }, (_, i) => circle(`${i}`, ...at(i), 20));
      const index = new ZoneIndex(zones);
      for (let i = 0; i < zones.length; i += 97) expect(index.at(at(i))).toEqual([`${i}`]);
      for (let i = 0; i < zones.length; i += 97) expect(index.at(at(i + 0.5))).toEqual([]);
    }
  });

  test('zones of zero size, in one place and along a line', () => {
    const points = Array.from(
      { length: 500 },
      (_, i): Geozone => ({
        id: `${i}`,
        name: '',
        type: { key: 'point' },
        geometry: [[0, i < 250 ? 0 : i]].map(([x, y]): Pair => [x!, y! / 10]),
      }),
    );
    const index = new ZoneIndex(points);
    expect(index.at([0, 0])).toHaveLength(250);
    expect(index.at([0, 30])).toEqual(['300']);
    expect(index.at([0, 30.000001])).toEqual([]);
  });
});

test('an invalid box is refused, and the index answers as before', () => {
  const index = new ZoneIndex([circle('a', 0, 0, 100)]);
  for (const bad of [[0, 1, 1, 0], [0, Number.NaN, 1, 1], [0, 0, 1], [], null]) {
    expect(errorOf(() => index.intersecting(bad as unknown as Bbox)).code).toMatch(
      /^(bbox-invalid|coord-type)$/,
    );
  }
  expect(index.intersecting([-1, -1, 1, 1])).toEqual(['a']);
  expect(index.at([0, 0])).toEqual(['a']);
});

test('invalid options are refused at once for any rows, and are not reported as an issue of a row', () => {
  const line: Geozone = { id: 'l', name: '', type: { key: 'line' }, geometry: [[0, 0], [1, 1]], width: 9 }; // biome-ignore format: short
  for (const [options, code, field] of [
    [{ lineWidth: 'both' }, 'option-value', 'options.lineWidth'],
    [{ lineWidth: 'constructor' }, 'option-value', 'options.lineWidth'],
    [{ defaultWidthMeters: -1 }, 'width-range', 'options.defaultWidthMeters'],
  ] as const) {
    const refused = (rows: readonly Geozone[]): unknown =>
      errorOf(() => new ZoneIndex(rows, { ...options, onIssue: expect.unreachable } as never));
    for (const rows of [[], [circle('a', 0, 0, 100)], [line]])
      expect(refused(rows)).toMatchObject({ code, field });
  }
});

test('a row that throws when it is read is reported with its index', () => {
  const thrower = (field: string): Geozone => {
    const get = (): never => {
      throw new Error('no');
    };
    return Object.defineProperty(circle('t', 0, 0, 5), field, { get, enumerable: true });
  };
  const fields: string[] = [];
  const rows = ['id', 'is_delete', 'geometry', 'colour'].map(thrower);
  new ZoneIndex(rows, { onIssue: ({ code, field }) => fields.push(`${code} ${field}`) });
  expect(fields).toEqual([
    'input-unreadable zones[0].id',
    'input-unreadable zones[1].is_delete',
    'input-unreadable zones[2].type',
    'input-unreadable zones[3]',
  ]);
});

test('a returned row belongs to the caller: changing it does not change the index', () => {
  const parts = [[[[0, 0], [1, 0], [1, 1]]]]; // biome-ignore format: short
  const rows = [
    boxZone('a', [0, 0, 1, 1]),
    { ...boxZone('b', [0, 0, 1, 1]), parts },
    boxZone('c', [179, 0, 181, 1]),
  ];
  const index = new ZoneIndex(rows as Geozone[]);
  const wanted = structuredClone(rows);
  for (const { id } of rows) {
    const row = index.get(id) as unknown as { geometry: number[][]; parts?: number[][][][] };
    row.geometry[0]![0] = 77;
    row.geometry.pop();
    if (row.parts) row.parts[0]![0]![0]![1] = 77;
  }
  expect(rows.map(({ id }) => index.get(id))).toEqual(wanted);
});

test('invalid lists of positions are refused with their type', () => {
  const index = new ZoneIndex([circle('a', 0, 0, 100)]);
  const message = (lonLat: unknown): string => errorOf(() => index.atMany(lonLat as Float64Array)).message;
  const wanted = 'expected a Float64Array of lon, lat, lon, lat, …, received';
  expect(message(Float64Array.of(1, 2, 3))).toBe(`${wanted} 3 numbers`);
  expect(message([1, 2])).toBe(`${wanted} an array`);
});

test('each position of a tiling of the Earth is in exactly one cell of a half-open index', () => {
  const tiles = Array.from({ length: 36 * 18 }, (_, i): Geozone => {
    const west = (i % 36) * 10 - 175;
    const south = Math.floor(i / 36) * 10 - 90;
    return boxZone(`${i}`, [west, south, west + 10, south + 10]);
  });
  const index = new ZoneIndex(tiles, { boundary: 'half-open' });
  const random = seeded(43);
  const lonOf = [
    (): number => random() * 360 - 180,
    (): number => Math.floor(random() * 36) * 10 - 175,
    (): number =>
      [180, -180, 0, -0, 1e-13, 179.99999999999997, -179.99999999999997][Math.floor(random() * 7)]!,
  ];
  const latOf = [
    (): number => random() * 180 - 90,
    (): number => Math.floor(random() * 19) * 10 - 90,
    (): number => [90, -90, 0, -1e-13, 89.99999999999999, -89.99999999999999][Math.floor(random() * 6)]!,
  ];
  for (let i = 0; i < volume(60_000); i++) {
    const position: Pair = [lonOf[Math.floor(random() * 3)]!(), latOf[Math.floor(random() * 3)]!()];
    expect({ position, count: index.at(position).length }).toEqual({ position, count: 1 });
  }
});

test('circles are decided by the geodesic within a micrometre of their border', () => {
  const random = seeded(44);
  for (let round = 0; round < volume(300); round++) {
    const lon = random() * 360 - 180;
    const lat = [random() * 176 - 88, 0, 89.9, 60][round % 4]!;
    const radius = [50, 700, 5_000, 60_000][Math.floor(random() * 4)]!;
    const index = new ZoneIndex([circle('c', lon, lat, radius)]);
    for (let k = 0; k < 20; k++) {
      const away = (random() - 0.5) * 4e-6;
      const border = destination([lon, lat], random() * 360, radius + away);
      const inside = inverseMeters(lon, lat, border[0], border[1]) <= radius;
      expect({ border, ids: index.at(border) }).toEqual({ border, ids: inside ? ['c'] : [] });
    }
  }
});

test('lines are decided by the distance to their edges within a micrometre of their border', () => {
  const random = seeded(45);
  let near = 0;
  for (let round = 0; round < (LONG ? 400 : 40); round++) {
    const at: Pair = [random() * 350 - 175, random() * 160 - 80];
    const half = 20 + random() * 400;
    const line: Geozone = {
      id: 'l',
      name: '',
      type: { key: 'line' },
      geometry: Array.from({ length: 3 }, (): Pair => [at[0] + random() * 0.02, at[1] + random() * 0.02]),
      width: 2 * half,
    };
    const index = new ZoneIndex([line]);
    const zone = internalsOf(index)!.prepared('l')!;
    for (let k = 0; k < 10; k++) {
      // From a vertex outwards to near the border, by the secant method on the true distance.
      const [lon, lat] = line.geometry[Math.floor(random() * 3)]!;
      const azimuth = random() * 360;
      let reach = half;
      for (let step = 0; step < 8; step++) {
        const [x, y] = destination([lon, lat], azimuth, reach);
        reach -= zone.signedDistanceMeters(x, y);
      }
      const probe = destination([lon, lat], azimuth, reach + (random() - 0.5) * 2e-6);
      const meters = zone.signedDistanceMeters(...probe);
      if (Math.abs(meters) < 1e-6) near++;
      expect({ probe, ids: index.at(probe) }).toEqual({ probe, ids: zone.contains(...probe) ? ['l'] : [] });
      if (Math.abs(meters) > 1e-7) expect(zone.contains(...probe)).toBe(meters <= 0);
    }
  }
  expect(near).toBeGreaterThan(50);
});
