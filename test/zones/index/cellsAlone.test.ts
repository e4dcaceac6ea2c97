/** What cells know by themselves, and what they take: away from borders no answer needs the shapes. */

import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { seeded } from '../../volume.js';
import { box, circle, corners, line, mixed, polygon, scanner, star } from './worlds.js';

/** The sections of a buffer that hold vertices and discs: see `indexBuffer.ts`. */
const [VERTICES, DISCS] = [2, 8];

/** The index with its cells, but with nothing in place of the vertices and the discs: the exact tests are of no use. */
function withoutShapes(index: ZoneIndex<Geozone>): ZoneIndex<Geozone> {
  const buffer = index.toBuffer({ cells: true });
  const words = new Uint32Array(buffer);
  for (const section of [VERTICES, DISCS]) {
    const [first, bytes] = [words[8 + 4 * section]!, words[8 + 4 * section + 2]!];
    new Float64Array(buffer, first, bytes / 8).fill(Number.NaN);
  }
  return ZoneIndex.fromBuffer<Geozone>(buffer, { verify: false });
}

function answerOf(index: ZoneIndex<Geozone>, place: Pair): string[] | null {
  try {
    return index.at(place);
  } catch {
    return null;
  }
}

test.each([
  { name: 'all kinds', zones: mixed(16.4, 8.3, 2), x: 16.4, y: 8.3, size: 2, few: 4 },
  { name: 'over cell borders', zones: mixed(7.1, 7.3, 1.7), x: 7.1, y: 7.3, size: 1.7, few: 4 },
  {
    name: 'a street with its blocks',
    zones: [
      ...Array.from({ length: 60 }, (_, i) =>
        polygon(
          `b${i}`,
          box(
            16 + (i % 10) / 10,
            8 + Math.floor(i / 10) / 10,
            16.07 + (i % 10) / 10,
            8.08 + Math.floor(i / 10) / 10,
          ),
        ),
      ),
      line(
        'street',
        [
          [16, 8.09],
          [17, 8.09],
          [17, 8.6],
        ],
        900,
      ),
      ...Array.from({ length: 20 }, (_, i) => circle(`c${i}`, 16.05 + i / 20, 8.3 + i / 100, 1_500)),
    ],
    x: 16,
    y: 8,
    size: 1,
    few: 4,
  },
])(
  'of 1,500 positions among $name all but a few are answered by the cells alone',
  ({ zones, x, y, size, few }) => {
    const all = [...corners(0, 0, 64), ...zones];
    const index = new ZoneIndex(all);
    index.learnAll();
    const alone = withoutShapes(index);
    const scan = scanner(all);
    const random = seeded(211);
    const places = Array.from({ length: 1_500 }, (): Pair => [x + size * random(), y + size * random()]);
    const open = places.filter(
      (place) => JSON.stringify(answerOf(alone, place)) !== JSON.stringify(scan(place)),
    );
    expect(open.length).toBeLessThan(few);
  },
);

test('of 8 × 8 cells over a square the 28 of its border have a record of one entry, the others one number', () => {
  const index = new ZoneIndex([polygon('square', box(0, 0, 64, 64))]);
  expect(index.stats()).toMatchObject({ zones: 1, vertices: 4, cells: 0, cellBytes: 0 });
  index.learnAll();
  // 64 slots; from word 3 on 24 records of 1 + 2 words and an edge of two, and 4 at the corners with another; every edge that leaves a cell
  // in the north or ends there runs on above it: one more for the west side's 7, which are alone.
  const { cells, cellBytes } = index.stats();
  expect(cells).toBe(28);
  expect(cellBytes).toBeGreaterThanOrEqual(4 * (64 + 3 + 28 * 5));
  expect(cellBytes).toBeLessThanOrEqual(4 * (64 + 3 + 28 * 9));
  for (let x = 0.5; x < 64; x += 4.1)
    for (let y = 0.5; y < 64; y += 4.1) expect(index.at([x, y])).toEqual(['square']);
  expect(index.stats()).toMatchObject({ cells, cellBytes });
});

const WORLDS: Readonly<Record<string, Geozone[]>> = {
  'in one cell': [...corners(0, 0, 64), ...mixed(16.4, 8.3, 2)],
  'over borders': [...corners(0, 0, 64), ...mixed(7.1, 7.3, 1.7)],
  'all there is': mixed(37.5, 55.5, 0.3),
  antimeridian: mixed(179.3, -17, 1),
  pole: mixed(10, 89, 1),
  'a fine ring': [...corners(0, 0, 64), polygon('star', star(16.35, 8.3, 0.25, 1750, 0.1))],
};

// Counted once, with speed measured: other numbers mean that cells are cut up otherwise, which changes no answer but may have a price.
test.each([
  ['in one cell', 577, 57_748],
  ['over borders', 691, 61_724],
  ['all there is', 555, 58_460],
  ['antimeridian', 776, 88_624],
  ['pole', 599, 45_704],
  ['a fine ring', 2_897, 227_732],
])(
  'the cells of the world %s are %i, of %i bytes, and nothing is left to learn',
  (name, cells, cellBytes) => {
    const zones = WORLDS[name]!;
    const index = new ZoneIndex(zones);
    index.learnAll();
    const { cells: learnt, cellBytes: taken } = index.stats();
    expect([name, learnt, taken]).toEqual([name, cells, cellBytes]);
    const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }));
    for (const zone of zones)
      for (const place of zone.geometry) expect(opened.at(place)).toEqual(index.at(place));
    expect(index.stats()).toMatchObject({ cells: learnt, cellBytes: taken });
    expect(opened.stats()).toMatchObject({ cells: learnt, cellBytes: taken });
  },
);

test('the first position in a cell of the grid works out all of it, and the next there nothing', () => {
  const index = new ZoneIndex(WORLDS['in one cell']!);
  const random = seeded(212);
  const learnt = Array.from({ length: 6 }, () => {
    index.at([16.4 + 2 * random(), 8.3 + 2 * random()]);
    index.at([40 * random(), 40 * random()]);
    return index.stats().cells;
  });
  // The two at the corners of the map have cells of their own.
  expect(learnt).toEqual(Array(6).fill(575));
});

test('a cell with too much in it for one question is cut up at once, and its parts are learnt where they are asked for', () => {
  const zones = [...corners(0, 0, 64), polygon('star', star(20, 12, 3, 9_000, 0.02))];
  const index = new ZoneIndex(zones);
  const scan = scanner(zones);
  const counts: number[] = [];
  for (let i = 0; i < 900; i++) {
    const angle = i / 10;
    const place: Pair = [20 + 2.97 * Math.cos(angle), 12 + 2.97 * Math.sin(angle)];
    if (i % 30 === 0) expect(index.at(place)).toEqual(scan(place));
    else index.at(place);
    if (i % 300 === 299) counts.push(index.stats().cells);
  }
  expect(counts[0]).toBeLessThan(counts[1]!);
  expect(counts[1]).toBeLessThan(counts[2]!);
  index.learnAll();
  const { cells } = index.stats();
  expect(cells).toBeGreaterThan(counts[2]!);
  for (let i = 0; i < 900; i++) {
    const angle = 0.0007 + i / 100;
    const place: Pair = [20 + 2.95 * Math.cos(angle), 12 + 2.97 * Math.sin(angle)];
    if (i % 30 === 0) expect(index.at(place)).toEqual(scan(place));
    else index.at(place);
  }
  expect(index.stats().cells).toBe(cells);
});

test('where memory is too little for the finest cells, all are learnt more coarsely', () => {
  const zones = WORLDS['in one cell']!;
  for (const maxMemoryBytes of [40_000, 30_000, 25_000]) {
    const index = new ZoneIndex(zones, { maxMemoryBytes });
    index.learnAll();
    const { cells, cellBytes } = index.stats();
    expect(cells).toBeGreaterThan(0);
    expect(cellBytes).toBeLessThanOrEqual(maxMemoryBytes);
    const scan = scanner(zones);
    for (let i = 0; i < 200; i++) {
      const place: Pair = [16.4 + (i % 20) / 10, 8.3 + Math.floor(i / 20) / 5];
      expect(index.at(place)).toEqual(scan(place));
    }
    expect([maxMemoryBytes, index.stats()]).toMatchObject([maxMemoryBytes, { cells, cellBytes }]);
  }
});

test('memory that ends anywhere on the way leaves no cell with another answer', () => {
  const few = [...corners(0, 0, 64), polygon('star', star(20, 12, 3, 60))];
  const many = [
    ...corners(0, 0, 64),
    ...Array.from({ length: 12 }, (_, i) =>
      polygon(`star ${i}`, star(12 + 8 * (i % 4), 12 + 8 * Math.floor(i / 4), 3, 2_000)),
    ),
  ];
  const places: Pair[] = [
    [0.03, 0.03],
    [0.09, 0.02],
    [20, 12],
    [22.5, 12.1],
    [63.98, 63.99],
  ];
  for (const [zones, least, most, step] of [
    [few, 60, 260, 3],
    [many, 600, 930, 60],
  ] as const) {
    const expected = places.map(scanner(zones));
    for (let words = least; words < most; words += step) {
      const index = new ZoneIndex(zones, { maxMemoryBytes: 4 * words });
      index.learnAll();
      expect([words, places.map((place) => index.at(place))]).toEqual([words, expected]);
    }
  }
});
