/** Sides of zones very near the borders of cells, at each depth. A cell must also contain the slivers that reach into it. */

import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { lowerFloat, upperFloat } from '../../../src/zones/shapes/shapeColumns.js';
import { wkt } from '../../wkt.js';
import { box, circle, corners, line, polygon, scanner, star } from './worlds.js';

/** The reference point of a square, as a share of its width and height; it is not the centre. */
const REFERENCE_X = 0.4879;
const REFERENCE_Y = 0.5233;

/** A grid of 8 × 8 cells over 64°. */
const SIZE = 64;
const WEST = lowerFloat(0);
const CELL = (upperFloat(SIZE) - WEST) / 8;
/** The corner of the cell that is tested. */
const [X, Y] = [WEST + 2 * CELL, WEST + CELL];

/** Two stars in the south-west corner of the cell. With thousands of vertices they cut it into 64 by 64 parts. */
const crowd = (vertices: number): Geozone[] => [
  ...corners(0, 0, SIZE),
  ...Array.from({ length: 2 }, (_, i) =>
    polygon(`crowd ${i}`, star(X + 0.35, Y + 0.3 + 0.01 * i, 0.25, vertices, 0.1)),
  ),
];

const HAIRS = [0.001, -0.001, 0.012, -0.012, 1e-5, -0.0019];

/** Boxes very near the borders of a cell's parts, for many depths, and positions beside their sides. */
function slivers(): { readonly zones: Geozone[]; readonly places: Pair[] } {
  const zones: Geozone[] = [];
  const places: Pair[] = [];
  for (const parts of [1, 2, 4, 8, 16, 32, 64]) {
    const part = CELL / parts;
    for (const [i, beyond] of HAIRS.entries()) {
      const [west, south] = [
        X + part * (Math.floor((parts * (i + 0.5)) / HAIRS.length) + beyond),
        Y + part * (((i * 5) % parts) - beyond),
      ];
      const [east, north] = [west + part * (1 - 2 * beyond), south + part * (1 + 2 * beyond)];
      zones.push(polygon(`${parts} ${beyond}`, box(west, south, east, north)));
      for (const by of [-0.5, 0.5, 1.5].map((hair) => hair * Math.abs(beyond) * part)) {
        const [lon, lat] = [(west + east) / 2, (south + north) / 2];
        places.push([west - by, lat], [east + by, lat], [lon, south - by], [lon, north + by]);
      }
    }
  }
  return { zones, places };
}

test('slivers of zones are found', () => {
  const { zones, places } = slivers();
  const all = [...crowd(1750), ...zones];
  const index = new ZoneIndex(all);
  index.learnAll();
  expect(places.map((place) => index.at(place))).toEqual(places.map(scanner(all)));
});

test('slivers of zones are found while zones are added and removed', () => {
  const base = crowd(150);
  const { zones, places } = slivers();
  const before = places.map(scanner(base));
  const expected = places.map(scanner([...base, ...zones]));
  const index = new ZoneIndex(base);
  for (const some of [zones, zones.filter((_, i) => i % 2 === 0), zones.filter((_, i) => i % 2 === 1)]) {
    index.learnAll();
    for (const zone of some) index.add(zone);
    const now = some === zones ? expected : places.map(scanner([...base, ...some]));
    expect(places.map((place) => index.at(place))).toEqual(now);
    index.learnAll();
    expect(places.map((place) => index.at(place))).toEqual(now);
    for (const { id } of some) index.remove(id);
    expect(places.map((place) => index.at(place))).toEqual(before);
  }
});

test('discs and lines that reach into a cell by a sliver, or end just before it', () => {
  const zones = [...corners(0, 0, SIZE), polygon('crowd', star(X + 0.35, Y + 0.3, 0.25, 400))];
  const places: Pair[] = [];
  for (const [k, parts] of [1, 2, 8, 32].entries()) {
    const part = CELL / parts;
    for (const by of [0.0015, -0.0015]) {
      const metres = 111_200 * part * 0.7;
      const lat = Y + part * (1 + Math.floor(parts / 3));
      const lon = X + part * (1 + Math.floor(parts / 2));
      const north = metres / 111_000;
      zones.push(
        circle(`disc ${k} ${by}`, lon, lat - north + by * part, metres),
        line(
          `line ${k} ${by}`,
          [
            [lon, lat - north + by * part],
            [lon + part, lat - north + by * part],
          ],
          2 * metres,
        ),
      );
      for (const beside of [-0.9, -0.5, 0.2, 0.5, 0.8, 1, 1.01, 2])
        places.push([lon, lat + by * beside * part], [lon + part / 2, lat + by * beside * part]);
    }
  }
  const index = new ZoneIndex(zones);
  const expected = places.map(scanner(zones));
  expect(places.map((place) => index.at(place))).toEqual(expected);
  index.learnAll();
  expect(places.map((place) => index.at(place))).toEqual(expected);
});

/** The doubles around a value from 2 to 4. The reference point of the south-west cell has such coordinates. */
const around = (value: number): number[] => [-2, -1, 0, 1, 2].map((k) => value + k * 2 ** -51);

test('edges that begin, end, turn or pass at the reference point of a cell', () => {
  // The south-west cell of the grid, whole and cut into parts, and a quarter of it.
  for (const [size, more] of [
    [CELL, []],
    [CELL, [polygon('more', star(6, 6, 1, 16))]],
    [CELL / 4, [polygon('more', star(6, 6, 1, 16))]],
  ] as const) {
    const [px, py] = [WEST + REFERENCE_X * size, WEST + REFERENCE_Y * size];
    const rings: Pair[][] = [];
    for (const x of around(px)) {
      // Down the meridian of the reference point to above it, to it, and to below it; then to the west or to the east.
      for (const low of [py + 0.2 * size, py, py - 0.2 * size]) {
        for (const side of [-0.4, 3]) {
          rings.push([
            [x, 20],
            [x, low],
            [x + side * size, low - 0.11 * size],
            [x + side * size, 20],
          ]);
        }
      }
      // Edges through the point at an angle, and a vertex at it.
      rings.push(
        [
          [x - 0.3 * size, py - 0.1 * size],
          [x + 0.3 * size, py + 0.1 * size],
          [x, py + 9],
        ],
        [
          [x - 0.4 * size, py + 0.3 * size],
          [x + 0.4 * size, py - 0.3 * size],
          [x + 0.3 * size, 17],
        ],
        [
          [x, py],
          [x + 0.2 * size, py + 0.3 * size],
          [x - 0.1 * size, py + 0.3 * size],
        ],
      );
    }
    for (const y of around(py)) {
      rings.push(
        [
          [0, y],
          [px, y],
          [px, 0.1],
        ],
        [
          [px + 0.2 * size, y],
          [px, y],
          [px, y + 0.2 * size],
        ],
        [
          [0, y],
          [20, y],
          [20, 0.1],
          [0, 0.1],
        ],
      );
    }
    const probes: Pair[] = [];
    for (const u of [0.02, 0.3, REFERENCE_X, 0.6, 0.97])
      for (const v of [0.03, 0.4, REFERENCE_Y, 0.62, 0.96]) probes.push([u * size, v * size]);
    for (const [k, ring] of rings.entries()) {
      const zones = [...corners(0, 0, SIZE), ...more, polygon('ring', ring)];
      const boundary = k % 2 === 0 ? 'closed' : 'half-open';
      const index = new ZoneIndex(zones, { boundary });
      const scan = scanner(zones, { boundary });
      expect([size, ring, probes.map((probe) => index.at(probe))]).toEqual([size, ring, probes.map(scan)]);
    }
  }
});

test('zones as large as the Earth, queried at its poles and at the antimeridian', () => {
  const zones = [
    polygon('north', box(-180, 0, 180, 90)),
    polygon('west', box(-180, -90, -10, 90)),
    polygon('band', box(-180, -30, 180, -10)),
    polygon('south-east', box(10, -90, 180, 0)),
    polygon('over', box(150, -60, -150, 60)),
    polygon('cap', wkt('0 70, 120 65, -120 75')),
    polygon('southern cap', wkt('0 -70, -120 -65, 120 -75')),
    circle('fiji', 180, -17, 3_000_000),
    circle('pole', 20, 89, 400_000),
    line('seam', wkt('170 -50, -170 50'), 90_000),
  ];
  const lons = [-180, -179.9999, -150, -90, -1e-13, 0, 45, 120, 150, 179.9999, 180];
  const lats = [-90, -89.9999, -67, -60, -30, -17, -1e-13, 0, 22.5, 45, 60, 70, 88, 89.9999, 90];
  const places = lons.flatMap((lon) => lats.map((lat): Pair => [lon, lat]));
  for (const boundary of ['closed', 'half-open'] as const) {
    const expected = places.map(scanner(zones, { boundary }));
    const index = new ZoneIndex(zones, { boundary });
    index.learnAll();
    expect(places.map((place) => index.at(place))).toEqual(expected);
    const { offsets, zones: ordinals } = index.atMany(Float64Array.from(places.flat()));
    const many = places.map((_, i) =>
      [...ordinals.subarray(offsets[i]!, offsets[i + 1]!)].map((ordinal) => zones[ordinal]!.id),
    );
    expect(many).toEqual(expected);
  }
});
