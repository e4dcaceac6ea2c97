/** The fast path for plain rows reads the same as the general path, and all rows are returned as they were given. */

import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { prepareZone } from '../../../src/zones/preparedZone.js';
import { errorOf } from '../../errorOf.js';
import { wkt } from '../../wkt.js';
import { circle, corners, line, mixed, parts, polygon, scanner } from './worlds.js';

const closed = (geometry: readonly Pair[]): Pair[] => [...geometry, geometry[0]!];
const RING: Pair[] = wkt('1 1, 2 1, 2 2, 1.2 2.5');
const ROWS: Geozone[] = [
  polygon('ring', RING),
  polygon('closed ring', closed(RING)),
  polygon('hole', RING, [wkt('1.3 1.2, 1.5 1.2, 1.5 1.4')]),
  parts('parts', RING, wkt('5 5, 6 5, 6 6')),
  circle('circle', 1.5, 1.5, 300),
  circle('no radius', 1.5, 1.5, 0),
  { id: 'point', name: 'point', type: { key: 'point' }, geometry: [[1.5, 1.5]] },
  line('upright', wkt('1.5 1, 1.5 1.2, 1.5 1.9'), 200),
  line('two', wkt('1.1 1.1, 1.9 1.9'), 200),
  line(
    'long',
    Array.from({ length: 50 }, (_, i): Pair => [1 + i / 50, 1.5 + (i % 3) / 20]),
    90,
  ),
  line('forth and back', wkt('1.1 1.4, 1.6 1.4, 1.1 1.4'), 90),
  polygon('over', wkt('179 1, -179 1, -179 2, 179 2')),
];

test('rows are returned as given, from the index and from a buffer, before and after edits', () => {
  const index = new ZoneIndex(ROWS);
  const expected = ROWS.map((row) => row);
  expect(ROWS.map(({ id }) => index.get(id))).toEqual(expected);
  const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
  expect(ROWS.map(({ id }) => opened.get(id))).toEqual(expected);
  index.add(polygon('gone', RING));
  index.remove('gone');
  index.remove('ring');
  const packed = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
  for (const some of [index, packed]) {
    expect(ROWS.slice(1).map(({ id }) => some.get(id))).toEqual(expected.slice(1));
    expect([some.get('ring'), some.get('gone')]).toEqual([null, null]);
  }
});

test('plainShape gives rows of one ring, one line or one circle, and null for others', () => {
  const index = new ZoneIndex(ROWS);
  const flat = (id: string): number[] => ROWS.find((row) => row.id === id)!.geometry.flat();
  const common = { closed: false, lonIndex: 0, sizes: [-1] };
  const shapes: [string, object | null][] = [
    ['ring', { ...common, key: 'polygon', lonLat: Float64Array.from(RING.flat()) }],
    ['closed ring', { ...common, key: 'polygon', closed: true, lonLat: Float64Array.from(RING.flat()) }],
    ['circle', { ...common, key: 'circle', sizes: [300], lonLat: Float64Array.of(1.5, 1.5) }],
    ['no radius', { ...common, key: 'circle', sizes: [0], lonLat: Float64Array.of(1.5, 1.5) }],
    ['upright', { ...common, key: 'line', sizes: [200], lonLat: Float64Array.from(flat('upright')) }],
    ['long', { ...common, key: 'line', sizes: [90], lonLat: Float64Array.from(flat('long')) }],
    [
      'forth and back',
      { ...common, key: 'line', sizes: [90], lonLat: Float64Array.from(flat('forth and back')) },
    ],
    ['hole', null],
    ['parts', null],
    ['over', null],
    ['nobody', null],
  ];
  for (const [id, shape] of shapes)
    expect([id, internalsOf(index)!.plainShape(index.ordinalOf(id)!)]).toEqual([id, shape]);
  const turned = new ZoneIndex([line('l', wkt('50 10, 51 11'), 5)], { axisOrder: 'latlon' });
  expect(internalsOf(turned)!.plainShape(turned.ordinalOf('l')!)).toEqual({
    ...common,
    key: 'line',
    lonIndex: 1,
    sizes: [5],
    lonLat: Float64Array.of(10, 50, 11, 51),
  });
});

test('rows that the fast path cannot read are read by the general path, or refused with a code', () => {
  const probes: Pair[] = wkt('1.5 1.5, 1.9 1.9, 1.5 1.2, 1.05 1.05, 180 1.5');
  const odd: Geozone[] = [
    // Repeated positions in the middle and at the end.
    polygon('twice', wkt('1 1, 2 1, 2 1, 2 2, 2 2, 1 2')),
    polygon('twice at the end', closed(closed(RING))),
    polygon('minus zero', wkt('-0 1, 2 1, 2 2')),
    polygon('tiny', wkt('1e-14 1, 2 1, 2 2')),
    line('repeated', wkt('1.5 1, 1.5 1, 1.5 2'), 300),
    line('one position', [[1.5, 1.5]], 300),
    circle('seam', 180, 1.5, 900),
  ];
  const index = new ZoneIndex([...corners(1, 1, 1), ...odd]);
  const scan = scanner([...corners(1, 1, 1), ...odd]);
  expect(probes.map((probe) => index.at(probe))).toEqual(probes.map(scan));
  expect(odd.map(({ id }) => index.get(id))).toEqual(odd);
  const refused = (row: object): void => {
    const { code, message } = errorOf(() => prepareZone({ name: '', ...row } as Geozone));
    expect(code).not.toBe('');
    expect(errorOf(() => index.add({ name: '', ...row } as Geozone))).toMatchObject({ code, message });
  };
  const ring = (geometry: unknown): object => ({ id: 'bad', type: { key: 'polygon' }, geometry });
  refused(ring(wkt('1 1, 2 2, 3 3, 5 5')));
  refused(ring(wkt('1 1, 2 1')));
  refused(ring(wkt('1 1, 2 1, 1 1')));
  refused(ring(wkt('1 1, 2 1, 2 91')));
  refused(
    ring([
      [1, 1],
      [2, 1],
      [2, '2'],
    ]),
  );
  refused(ring([[1, 1], [2, 1, 7], [2, 2], null]));
  const lineRow = (geometry: unknown, width: unknown): object => ({
    id: 'bad',
    type: { key: 'line' },
    geometry,
    width,
  });
  const two = wkt('1 1, 2 1');
  refused(lineRow(two, '20'));
  refused(lineRow(two, 0));
  refused(lineRow(two, -5));
  refused(lineRow(two, Number.NaN));
  refused(lineRow(two, 2_000_001));
  refused(lineRow([], 5));
  refused(lineRow(wkt('1 1, 181 1'), 5));
  const disc = (geometry: unknown, width: unknown): object => ({
    id: 'bad',
    type: { key: 'circle' },
    geometry,
    width,
  });
  refused(disc([[1, 1]], -1));
  refused(disc([[1, 1]], '5'));
  refused(disc(wkt('1 1, 2 2'), 5));
  refused(disc([[1, 95]], 5));
  refused(disc([[1]], 5));
  expect(index.has('bad')).toBe(false);
  expect(probes.map((probe) => index.at(probe))).toEqual(probes.map(scan));
});

test('nearest, crossing and intersecting from the columns equal those from the rows', () => {
  for (const [x, y] of [
    [37.5, 55.5],
    [179.4, -17],
    [10, 88.6],
    [-100, -90],
  ] as const) {
    const zones = mixed(x, y, 1);
    const index = new ZoneIndex<Geozone>([]);
    for (const zone of zones) index.add(zone);
    const plain = new ZoneIndex(zones);
    for (let i = 0; i < 12; i++) {
      const at: Pair = [
        Math.min(180, x + (i % 4) * 0.35 - 0.1),
        Math.min(90, Math.max(-90, y + Math.floor(i / 4) * 0.4)),
      ];
      expect(index.nearest(at, { count: 5 })).toEqual(plain.nearest(at, { count: 5 }));
      expect(index.at(at)).toEqual(scanner(zones)(at));
    }
  }
});

test('a zone of parts is returned as given, from the columns or as a copy', () => {
  const square = (x: number, y: number, size: number): Pair[] => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ];
  const closed = (ring: readonly Pair[]): Pair[] => [...ring, ring[0]!];
  const hole = closed(square(11, 51, 1));
  const parts = [[closed(square(10, 50, 4)), hole], [square(20, 50, 2)]];
  const shapes: { geometry: unknown; parts: unknown }[] = [
    { geometry: square(10, 50, 4), parts },
    { geometry: closed(square(10, 50, 4)), parts },
    { geometry: square(10, 50, 3), parts },
    { geometry: [], parts },
    { geometry: [[10, 50, 7]], parts },
    { geometry: square(10, 50, 4), parts: [[closed(square(10, 50, 4)).map(([x, y]) => [x, y, 120])]] },
    {
      geometry: square(179, 50, 2),
      parts: [[square(179, 50, 2).map(([x, y]) => [x > 180 ? x - 360 : x, y])]],
    },
    { geometry: square(10, 50, 4), parts: [[[...square(10, 50, 4), [10, 54]]], [hole]] },
  ];
  const rows = shapes.map(
    (shape, i): Geozone => ({
      id: `${i}`,
      name: '',
      type: { key: 'polygon' },
      ...(shape as Pick<Geozone, 'geometry'>),
    }),
  );
  const copy = structuredClone(rows);
  for (const axisOrder of ['lonlat', 'latlon'] as const) {
    const index = new ZoneIndex(rows, { axisOrder });
    const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
    for (const [i, row] of copy.entries()) {
      expect(index.get(`${i}`)).toEqual(row);
      expect(opened.get(`${i}`)).toEqual(row);
    }
    // Each zone gets the shape of another row, with as many pieces or not.
    for (const [i, { id }] of rows.entries()) {
      const next = { ...rows[(i + 1) % rows.length]!, id };
      index.update(next);
      expect(index.get(id)).toEqual({ ...copy[(i + 1) % rows.length]!, id });
    }
  }
  const index = new ZoneIndex(rows);
  const probes: Pair[] = [[10.5, 50.5], [11.5, 51.5], [11, 51], [20, 50], [21, 51], [180, 51], [14, 54]]; // biome-ignore format: places
  const scan = scanner(rows);
  for (const probe of probes) expect(index.at(probe)).toEqual(scan(probe));
});

test('a list of parts that throws halfway leaves no trace', () => {
  const ring: Pair[] = [[1, 1], [2, 1], [2, 2]]; // biome-ignore format: a triangle
  const bad = [[ring], [ring.map((pair) => pair)]];
  Object.defineProperty(bad[1]![0], 1, {
    get: () => {
      throw new Error('gone');
    },
  });
  const row = {
    id: 'bad',
    name: '',
    type: { key: 'polygon' },
    geometry: ring,
    parts: bad,
  } as unknown as Geozone;
  const issues: string[] = [];
  const index = new ZoneIndex([row, { ...row, id: 'good', parts: [[ring]] }], {
    onIssue: ({ code }) => issues.push(code),
  });
  expect(issues).toEqual(['input-unreadable']);
  expect(index.at([1.7, 1.2])).toEqual(['good']);
  expect(index.stats()).toMatchObject({ zones: 1, vertices: 3 });
});
