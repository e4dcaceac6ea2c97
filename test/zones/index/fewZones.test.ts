/** Segments and nearest zones among few zones of each kind, compared with the prepared zones. */

import { expect, test } from 'vitest';
import { readPosition } from '../../../src/core/input.js';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { errorOf } from '../../errorOf.js';
import { plainZone } from '../oracle/plainZones.js';
import { circle, corners, line, mixed, parts, polygon, scanner, star } from './worlds.js';

interface Stay {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

function intervalsOf(zones: readonly Geozone[]): (a: Pair, b: Pair) => Stay[] {
  const prepared = zones.map((zone) => ({ id: zone.id, zone: plainZone(zone) }));
  return (p, q) => {
    const [a, b] = [readPosition(p, 'a'), readPosition(q, 'b')];
    return prepared
      .flatMap(({ id, zone }) => {
        const intervals = zone.intervals(a[0], a[1], b[0], b[1]);
        return intervals.flatMap((from, i) => (i % 2 === 0 ? [{ id, from, to: intervals[i + 1]! }] : []));
      })
      .sort((p, q) => p.from - q.from);
  };
}

const CAPS: Geozone[] = [
  polygon('cap', [
    [0, 88.5],
    [120, 88.7],
    [-120, 88.9],
  ]),
  polygon('southern cap', [
    [0, -88.5],
    [-120, -88.7],
    [120, -88.9],
  ]),
];

const WORLDS: readonly (readonly [name: string, zones: Geozone[], x: number, y: number, size: number])[] = [
  ['a town', [...corners(37, 55, 1), ...mixed(37.4, 55.3, 0.02)], 37.4, 55.3, 0.02],
  [
    'the antimeridian',
    [
      ...mixed(179.3, -17, 1),
      ...CAPS,
      circle('beyond', 180.1, -16.6, 70_000),
      circle('before', 179.8, -16.4, 70_000),
    ],
    179.3,
    -17,
    1,
  ],
  ['the north pole', [...mixed(10, 88.6, 1), ...CAPS], 10, 88.6, 1],
  ['the south pole', [...mixed(-100, -90, 1.6), ...CAPS], -100, -90, 1.6],
  ['a continent', [...mixed(-20, 10, 50), ...CAPS], -20, 10, 50],
];

test.each(WORLDS)('at %s', (_, zones, x, y, size) => {
  const index = new ZoneIndex(zones);
  const tree = new ZoneIndex(zones, { maxMemoryBytes: 0 });
  const intervals = intervalsOf(zones);
  const scan = scanner(zones);
  const prepared = zones.map((zone) => ({ id: zone.id, zone: plainZone(zone) }));
  const places = Array.from({ length: size > 1 ? 10 : 20 }, (_, i): Pair => {
    const lon = x + size * (((i * 7) % 20) / 18 - 0.05);
    return [
      lon > 180 ? lon - 360 : lon,
      Math.max(-90, Math.min(90, y + size * (((i * 3) % 20) / 18 - 0.05))),
    ];
  });
  for (const [i, a] of places.entries()) {
    const b = places[(i + 1 + (i % 5)) % places.length]!;
    expect({ a, b, intervals: index.crossing(a, b) }).toEqual({ a, b, intervals: intervals(a, b) });
    const near = [a[0], a[1] + (a[1] > 0 ? -1 : 1) * 1e-6 * size] as const;
    expect({ a, near, intervals: index.crossing(a, near) }).toEqual({
      a,
      near,
      intervals: intervals(a, near),
    });
    expect(index.at(a)).toEqual(scan(a));
    expect(tree.at(a)).toEqual(scan(a));
    const [lon, lat] = readPosition(a, 'a');
    const nearest = prepared
      .map(({ id, zone }) => ({ id, distanceMeters: Math.max(0, zone.signedDistanceMeters(lon, lat)) }))
      .sort((p, q) => p.distanceMeters - q.distanceMeters);
    expect(index.nearest(a, { count: 99 })).toEqual(nearest);
    expect(index.nearest(a, { count: 3, maxMeters: nearest[1]!.distanceMeters })).toEqual(
      nearest.filter(({ distanceMeters }, k) => k < 3 && distanceMeters <= nearest[1]!.distanceMeters),
    );
  }
});

test('a segment of more than 180° of longitude goes the other way', () => {
  const zones = [
    circle('greenwich', 0, 0, 900_000),
    circle('fiji', 179, 0, 900_000),
    polygon('samoa', [
      [-175, -5],
      [-165, -5],
      [-165, 5],
      [-175, 5],
    ]),
    circle('last', 175, 1, 100_000),
    line(
      'seam',
      [
        [178, -9],
        [-178, 9],
      ],
      10_000,
    ),
  ];
  const index = new ZoneIndex(zones);
  const intervals = intervalsOf(zones);
  for (const [a, b] of [
    [
      [-100, 0],
      [100, 1],
    ],
    [
      [100, 0],
      [-100, 1],
    ],
    [
      [-90, 0],
      [89, 0],
    ],
  ] as const)
    expect(index.crossing(a, b)).toEqual(intervals(a, b));
  expect(index.crossing([100, 0], [-100, 1]).map(({ id }) => id)).toEqual(['fiji', 'last', 'seam', 'samoa']);
  // Intervals that begin together are in order of insertion, wherever the other parts of the zones are.
  const west: Pair[] = [
    [-175, -5],
    [-170, -5],
    [-170, 5],
    [-175, 5],
  ];
  const seam = new ZoneIndex([
    polygon('one', west),
    parts(
      'two',
      [
        [175, -5],
        [178, -5],
        [178, 5],
        [175, 5],
      ],
      west,
    ),
    polygon('three', west),
  ]);
  expect(seam.crossing([170, 0], [-170, 1]).map(({ id }) => id)).toEqual(['two', 'one', 'two', 'three']);
  expect(errorOf(() => index.crossing([-90, 0], [90, 1]))).toMatchObject({
    code: 'edge-ambiguous',
    field: 'b',
  });
});

test('discs and lines as wide as seas, beside each other and up to a pole', () => {
  const zones = [
    ...Array.from({ length: 10 }, (_, i) => circle(`c${i}`, -60 + i * 15, 60 + 2 * i, 400_000 - 30_000 * i)),
    line(
      'wide',
      [
        [0, 80],
        [40, 83],
      ],
      1_500_000,
    ),
    line(
      'level',
      [
        [-50, 84],
        [50, 84],
      ],
      1_900_000,
    ),
    line(
      'far round',
      [
        [-80, 50],
        [80, 50],
      ],
      300_000,
    ),
    polygon('star', star(0, 70, 15, 40)),
  ];
  const index = new ZoneIndex(zones);
  const intervals = intervalsOf(zones);
  const scan = scanner(zones);
  for (let i = 0; i < 40; i++) {
    const a: Pair = [-75 + ((i * 37) % 150), 52 + ((i * 11) % 36)];
    const b: Pair = [-75 + ((i * 53) % 150), 52 + ((i * 17) % 36)];
    expect({ a, b, intervals: index.crossing(a, b) }).toEqual({ a, b, intervals: intervals(a, b) });
    expect({ a, ids: index.at(a) }).toEqual({ a, ids: scan(a) });
  }
});

test('invalid options and queries are refused with exact messages', () => {
  const index = new ZoneIndex<Geozone>([circle('a', 0, 0, 5)]);
  const errorTexts = (ask: () => unknown): (string | null)[] => {
    const { code, field, message } = errorOf(ask);
    return [code, field, message];
  };
  expect(errorTexts(() => index.nearest([0, 0], { count: 1.5 }))).toEqual([
    'option-value',
    'options.count',
    'expected a whole number from 1, received 1.5',
  ]);
  expect(errorTexts(() => index.nearest([0, 0], { maxMeters: -1 })).slice(0, 2)).toEqual([
    'option-value',
    'options.maxMeters',
  ]);
  expect(index.nearest([0, 0], { maxMeters: 0 })).toHaveLength(1);
  expect(errorTexts(() => index.atMany(Float64Array.of(1, 2, 3))).slice(0, 2)).toEqual([
    'coord-type',
    'lonLat',
  ]);
  expect(errorTexts(() => index.atMany([1, 2] as unknown as Float64Array))[2]).toMatch(
    /^expected a Float64Array of lon, lat, lon, lat, …, received /,
  );
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5'] as unknown as number[])
    expect(errorTexts(() => new ZoneIndex([], { maxMemoryBytes: bad })).slice(0, 2)).toEqual([
      'option-value',
      'options.maxMemoryBytes',
    ]);
  expect(errorTexts(() => new ZoneIndex([], { axisOrder: 'x' as never }))).toMatchObject([
    'option-value',
    'options.axisOrder',
    'expected one of lonlat, latlon, received "x"',
  ]);
  expect(errorTexts(() => new ZoneIndex([], { boundary: 'x' as never }))).toMatchObject([
    'option-value',
    'options.boundary',
    'expected one of closed, half-open, received "x"',
  ]);
  expect(errorTexts(() => index.add({ ...circle('b', 0, 0, 1), id: 5 as never }))).toEqual([
    'id-type',
    'id',
    'expected a text, received 5',
  ]);
  expect(errorTexts(() => index.add('row' as never))).toMatchObject([
    'id-type',
    'id',
    'expected a text, received undefined',
  ]);
  expect(errorTexts(() => index.add(circle('x'.repeat(65_537), 0, 0, 1)))[2]).toMatch(
    /^expected at most 65536 characters, received /,
  );
  expect(errorTexts(() => index.add(circle('a', 0, 0, 1)))).toEqual([
    'duplicate-id',
    'id',
    'expected a unique id, received "a" again',
  ]);
  expect(errorTexts(() => new ZoneIndex([circle('a', 0, 0, 1), circle('a', 0, 0, 1)])).slice(0, 2)).toEqual([
    'duplicate-id',
    'zones[1].id',
  ]);
  const each = new ZoneIndex(
    [
      line(
        'l',
        [
          [0, 0],
          [1, 0],
        ],
        200,
      ),
    ],
    { lineWidth: 'each-side' },
  );
  const total = new ZoneIndex([
    line(
      'l',
      [
        [0, 0],
        [1, 0],
      ],
      200,
    ),
  ]);
  expect([0.0008, 0.0012, 0.0019].map((lat) => each.at([0.5, lat]).length)).toEqual([1, 1, 0]);
  expect([0.0008, 0.0012, 0.0019].map((lat) => total.at([0.5, lat]).length)).toEqual([1, 0, 0]);
});
