/** The records of the squares of cells agree with the exact tests everywhere, and their size is bounded. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { segmentsCross } from '../../../src/planar/orient2d.js';
import { BoxGrid } from '../../../src/zones/index/boxes/boxGrid.js';
import { cellSideOf } from '../../../src/zones/index/raster/cellFrame.js';
import { CellMaker, EXACT } from '../../../src/zones/index/raster/cellMaker.js';
import { CoverageRaster } from '../../../src/zones/index/raster/coverageRaster.js';
import {
  type CellLattice,
  drawPiece,
  INSIDE,
  OUTSIDE,
  putShape,
  UNDECIDED,
} from '../../../src/zones/kinds/index.js';
import { readShape } from '../../../src/zones/readShape.js';
import { ShapeColumns } from '../../../src/zones/shapes/shapeColumns.js';
import { seeded, volume } from '../../volume.js';
import { plainZone } from '../oracle/plainZones.js';
import { circle, corners, isZone, line, mixed, polygon, scanner, star } from './worlds.js';

type Random = () => number;

const columnsOf = (zones: readonly Geozone[]): ShapeColumns => {
  const columns = new ShapeColumns();
  zones.forEach((zone, i) => {
    putShape(columns, i, readShape(zone));
  });
  return columns;
};

/** Positions within a square as shares of its width and height, also at its borders and corners. */
const SHARES = [1e-9, 0.02, 0.5, 0.77, 1 - 1e-9];

type Bounds = readonly [west: number, south: number, east: number, north: number];

/** A grid of one cell with all pieces, and all parts of the cell cut into squares. */
function squaresOf(columns: ShapeColumns, bounds: Bounds) {
  const grid = new BoxGrid(bounds, 1, 1);
  grid.fill(
    Uint32Array.from({ length: columns.pieceCount }, (_, i) => i),
    columns.pieceBoxes,
  );
  const k = grid.parts[0]!;
  const maker = new CellMaker(columns);
  const squares: { west: number; south: number; width: number; height: number; words: Uint32Array }[] = [];
  for (let part = 0; part < k * k; part++) {
    if (!maker.make(grid, part)) continue;
    const side = maker.words[0]!;
    const width = (bounds[2] - bounds[0]) / k;
    const height = (bounds[3] - bounds[1]) / k;
    for (let square = 0; square < side * side; square++) {
      squares.push({
        west: bounds[0] + width * ((part % k) + (square % side) / side),
        south: bounds[1] + height * (Math.floor(part / k) + Math.floor(square / side) / side),
        width: width / side,
        height: height / side,
        words: maker.words.slice(maker.words[1 + square]!, maker.words[2 + square]!),
      });
    }
  }
  return squares;
}

/** The entries of a record: the piece, its second word and its edges. The second word is null if the piece covers the square. */
function* namesOf(words: Uint32Array): Generator<{ piece: number; second: number | null; at: number }> {
  for (let at = 0; at < words.length; ) {
    const name = words[at++]!;
    if ((name & 1) === 1) {
      yield { piece: name >>> 1, second: null, at };
      continue;
    }
    const second = words[at++]!;
    yield { piece: name >>> 1, second, at };
    if (second !== EXACT) at += second & ~1;
  }
}

/** For each piece: the side of a position in the square, according to the record. */
function sidesAt(words: Uint32Array, pieces: number, x: number, y: number): number[] {
  const sides = new Array<number>(pieces).fill(OUTSIDE);
  for (const { piece, second, at } of namesOf(words)) {
    if (second === null) sides[piece] = INSIDE;
    else sides[piece] = second === EXACT ? UNDECIDED : cellSideOf(words, at, second >>> 1, second & 1, x, y);
  }
  return sides;
}

/** Rings with many vertices on the borders and centres of squares, or very near them. */
function snappedRing(random: Random, [west, south, east, north]: Bounds, squares: number, most = 12): Pair[] {
  return Array.from({ length: 3 + Math.floor(random() * (most - 3)) }, (): Pair => {
    const at = (): number => {
      const free = (1.2 * random() - 0.1) * squares;
      const snapped = random() < 0.7 ? Math.round(2 * free) / 2 : free;
      return (snapped + [0, 0, 0, 1e-9, -1e-9, 1e-5][Math.floor(random() * 6)]!) / squares;
    };
    return [west + at() * (east - west), south + at() * (north - south)];
  });
}

const WORLDS: readonly Bounds[] = [
  [10, 50, 12, 52],
  [37.6, 55.7, 37.61, 55.705],
  [-0.3, -0.1, 0.7, 0.54],
];

test('a position in a square is on the side that the record gives', () => {
  const random = seeded(221);
  let [decided, undecided] = [0, 0];
  for (let round = 0; round < volume(150); round++) {
    const bounds = WORLDS[round % 3]!;
    const squares = [2, 4, 6, 12][Math.floor(round / 3) % 4]!;
    const zones = Array.from({ length: 1 + (round % 5) }, (_, i) =>
      polygon(`${i}`, snappedRing(random, bounds, squares)),
    ).filter(isZone);
    const columns = columnsOf(zones);
    const plain = zones.map((zone) => plainZone(zone));
    for (const { west, south, width, height, words } of squaresOf(columns, bounds)) {
      for (const u of SHARES) {
        for (const v of SHARES) {
          const place: Pair = [west + u * width, south + v * height];
          for (const [piece, side] of sidesAt(words, zones.length, u, v).entries()) {
            if (side === UNDECIDED) undecided++;
            else if (plain[piece]!.contains(...place) !== (side === INSIDE))
              expect({ zone: zones[piece], place, side }).toBeNull();
            else decided++;
          }
        }
      }
    }
  }
  expect(undecided).toBeGreaterThan(100);
  expect(decided).toBeGreaterThan(4 * undecided);
});

test('a record contains exactly the edges that enter its square', () => {
  const random = seeded(222);
  let named = 0;
  for (let round = 0; round < volume(60, 25); round++) {
    const bounds = WORLDS[round % 3]!;
    const ring = snappedRing(random, bounds, 6, 120);
    const zone = polygon('ring', ring);
    if (!isZone(zone)) continue;
    for (const { west, south, width, height, words } of squaresOf(columnsOf([zone]), bounds)) {
      const flat = ring.map(([x, y]): Pair => [(x - west) / width, (y - south) / height]);
      const meets = (margin: number): boolean => {
        const [w, e, s, n] = [-margin, 1 + margin, -margin, 1 + margin];
        return flat.some(([ax, ay], i) => {
          const [bx, by] = flat[(i + 1) % flat.length]!;
          if (ax >= w && ax <= e && ay >= s && ay <= n) return true;
          return (
            segmentsCross(ax, ay, bx, by, w, s, e, n) !== 'none' ||
            segmentsCross(ax, ay, bx, by, w, n, e, s) !== 'none'
          );
        });
      };
      const isNamed = [...namesOf(words)].some(({ second }) => second !== null);
      if (isNamed) named++;
      if (isNamed ? !meets(1e-3) : meets(0)) expect({ ring, west, south, isNamed }).toBeNull();
    }
  }
  expect(named).toBeGreaterThan(300);
});

test('records of discs and runs of lines are right at each size and latitude', () => {
  const random = seeded(223);
  let [decided, all] = [0, 0];
  for (let round = 0; round < volume(200); round++) {
    const lat = (random() - 0.5) * 160;
    const size = [0.002, 0.05, 1][round % 3]!;
    const lattice: CellLattice = { west: 20, south: lat, perLon: 16 / size, perLat: 16 / size, side: 16 };
    const at = (): Pair => [20 + (1.4 * random() - 0.2) * size, lat + (1.4 * random() - 0.2) * size];
    const meters = size * 50_000 * random();
    const zone =
      round % 2 === 0
        ? circle('disc', ...at(), meters)
        : line('line', Array.from({ length: 1 + Math.floor(random() * 6) }, at), meters);
    if (!isZone(zone)) continue;
    const values = new Uint8Array(256);
    if (!drawPiece(columnsOf([zone]), 0, lattice, [0, 15, 0, 15], values)) continue;
    const plain = plainZone(zone);
    for (const [square, value] of values.entries()) {
      all++;
      if (value === UNDECIDED) continue;
      decided++;
      for (const u of SHARES) {
        for (const v of SHARES) {
          const place: Pair = [
            20 + ((square % 16) + u) / lattice.perLon,
            lat + (Math.floor(square / 16) + v) / lattice.perLat,
          ];
          if (plain.contains(...place) !== (value === INSIDE)) expect({ zone, place, value }).toBeNull();
        }
      }
    }
  }
  expect(decided).toBeGreaterThan(all / 2);
});

describe('the cell of a part', () => {
  const zones = [
    ...mixed(7.1, 7.3, 1.7).filter(({ type }) => type.key === 'polygon'),
    polygon('long', star(16.35, 8.3, 0.25, 1750, 0.1)),
  ];
  const columns = columnsOf(zones);
  const grid = new BoxGrid([0, 0, 20, 20], 4, 4).fill(
    Uint32Array.from({ length: columns.pieceCount }, (_, i) => i),
    columns.pieceBoxes,
  );
  const counts = Array.from(grid.starts.subarray(1), (end, i) => end - grid.starts[i]!);
  const entries = Math.max(...counts);
  const part = counts.indexOf(entries);

  test('is made once its queries have cost as much as making it', () => {
    const cells = new CoverageRaster(columns, [grid], 2 ** 20);
    cells.addQueryCost(0, part, 400 * entries - 1);
    expect([cells.count, cells.bytes, cells.of(part)]).toEqual([0, 0, 0]);
    cells.addQueryCost(0, part, 1);
    expect(cells.count).toBe(1);
    expect(cells.of(part)).toBeGreaterThan(0);
    const { bytes } = cells;
    expect(bytes).toBeGreaterThan(0);
    cells.addQueryCost(0, part, 1e6);
    expect([cells.count, cells.bytes]).toEqual([1, bytes]);
  });

  test('is not made if it exceeds the memory limit', () => {
    const cells = new CoverageRaster(columns, [grid], 8);
    cells.addQueryCost(0, part, 1e6);
    cells.makeAll();
    expect([cells.count, cells.bytes, cells.of(part)]).toEqual([0, 0, 0]);
  });

  test('has no squares narrower than a millionth of a degree', () => {
    const small = new BoxGrid([0, 0, 1e-7, 1e-7], 1, 1).fill(Uint32Array.of(0), new Float32Array(4));
    expect(new CellMaker(columns).make(small, 0)).toBe(false);
  });
});

describe('zones on top of each other', () => {
  const random = seeded(225);
  const zones = Array.from({ length: 240 }, (_, i): Geozone => {
    const [x, y] = [37.6 + 0.05 * random(), 55.7 + 0.03 * random()];
    if (i % 3 === 0) return circle(`c${i}`, x, y, 1000 + 2000 * random());
    if (i % 3 === 1) return polygon(`p${i}`, star(x, y, 0.03, 5 + Math.floor(40 * random())));
    return line(`l${i}`, [[x - 0.02, y], [x, y + 0.01], [x + 0.02, y]], 2000); // biome-ignore format: a line
  });
  const places = Array.from({ length: 300 }, (): Pair => [37.58 + 0.09 * random(), 55.68 + 0.07 * random()]);
  const scan = scanner(zones);
  const expected = places.map(scan);

  test.each([undefined, 0, 2_000, 60_000])(
    'are found with and without learnt cells, with %s bytes',
    (maxMemoryBytes) => {
      const index = new ZoneIndex(zones, maxMemoryBytes === undefined ? {} : { maxMemoryBytes });
      expect(places.map((place) => index.at(place))).toEqual(expected);
      index.learnAll();
      const { cellBytes } = index.stats();
      if (maxMemoryBytes !== undefined) expect(cellBytes).toBeLessThanOrEqual(maxMemoryBytes);
      expect(places.map((place) => index.at(place))).toEqual(expected);
      expect(places.map((place) => index.at(place))).toEqual(expected);
      const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }));
      expect(places.map((place) => opened.at(place))).toEqual(expected);
    },
  );

  test('are found while some are removed and others are added', () => {
    const index = new ZoneIndex(zones);
    index.learnAll();
    for (const zone of zones.filter((_, i) => i % 4 === 0)) index.remove(zone.id);
    const left = zones.filter((_, i) => i % 4 !== 0);
    const later = left.map((zone, i) => (i % 5 === 0 ? { ...zones[i]!, id: zone.id } : zone));
    for (const [i, zone] of later.entries()) if (i % 5 === 0) index.update(zone);
    const again = scanner(later);
    for (const place of places) expect(index.at(place)).toEqual(again(place));
  });

  test('1,000 circles have a bounded number of entries, in lists and in squares', () => {
    const stack = Array.from({ length: 1000 }, (_, i) =>
      circle(`s${i}`, 37.6 + 0.1 * random(), 55.7 + 0.06 * random(), 2000 + 4000 * random()),
    );
    const index = new ZoneIndex(stack);
    const lists = index.stats().bytes;
    index.learnAll();
    const { cells, cellBytes } = index.stats();
    expect(lists).toBeLessThan(1000 * 1000);
    expect(cells).toBeLessThan(1000);
    expect(cellBytes).toBeLessThan(20e6);
    const all = scanner(stack);
    for (const place of places.slice(0, 40)) expect(index.at(place)).toEqual(all(place));
  });
});

test('with too little memory for all cells the answers are the same', () => {
  const zones = [...corners(0, 0, 64), ...mixed(16.4, 8.3, 2)];
  const scan = scanner(zones);
  for (const maxMemoryBytes of [0, 100, 300, 1_000]) {
    const index = new ZoneIndex(zones, { maxMemoryBytes });
    index.learnAll();
    expect(index.stats().cellBytes).toBeLessThanOrEqual(maxMemoryBytes);
    for (let i = 0; i < 200; i++) {
      const place: Pair = [16.4 + (i % 20) / 10, 8.3 + Math.floor(i / 20) / 5];
      expect(index.at(place)).toEqual(scan(place));
    }
  }
});
