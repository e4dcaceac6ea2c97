/** Edits step by step: packing, clearing, order, statistics, and small memory limits. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { errorOf } from '../../errorOf.js';
import { wkt } from '../../wkt.js';
import { box, circle, corners, line, mixed, parts, polygon, scanner, star } from './worlds.js';

/** A zone at the i-th place of a lattice; the kinds take turns. */
function zoneOn(i: number, shift = 0): Geozone {
  const [x, y] = [10 + (i % 20) * 0.1 + shift, 50 + Math.floor(i / 20) * 0.1];
  const id = `z${i}`;
  if (i % 4 === 0) return circle(id, x, y, 500);
  if (i % 4 === 1) return polygon(id, box(x - 0.01, y - 0.01, x + 0.01, y + 0.01));
  if (i % 4 === 2)
    return line(
      id,
      Array.from({ length: 20 }, (_, k): Pair => [x + (k - 10) / 1000, y]),
      300,
    );
  return parts(
    id,
    box(x - 0.01, y - 0.01, x - 0.005, y + 0.01),
    box(x - 0.001, y - 0.01, x + 0.01, y + 0.01),
  );
}

const placeOf = (i: number, shift = 0): Pair => [10 + (i % 20) * 0.1 + shift, 50 + Math.floor(i / 20) * 0.1];

/** So many zones that the overlay is packed into the base on the way. */
const COUNT = 420;

describe.each([undefined, 0])('with a memory limit of %s', (maxMemoryBytes) => {
  const options = maxMemoryBytes === undefined ? {} : { maxMemoryBytes };

  test('all are found while they are added, packed, moved, removed and stored in a buffer', () => {
    const index = new ZoneIndex<Geozone>([], options);
    const expectAll = (some: ZoneIndex<Geozone>, shiftOf: (i: number) => number | null): void => {
      const found = Array.from({ length: COUNT }, (_, i) => some.at(placeOf(i, shiftOf(i) ?? 0)));
      expect(found).toEqual(found.map((_, i) => (shiftOf(i) === null ? [] : [`z${i}`])));
      const before = Array.from({ length: COUNT }, (_, i) => some.at(placeOf(i)));
      expect(before).toEqual(before.map((_, i) => (shiftOf(i) === 0 ? [`z${i}`] : [])));
    };
    for (let i = 0; i < COUNT; i++) index.add(zoneOn(i));
    const { overlay } = index.stats();
    expect(overlay).toBeLessThan(COUNT);
    expectAll(index, () => 0);
    for (let i = 0; i < COUNT; i += 3) index.update(zoneOn(i, 0.05));
    expectAll(index, (i) => (i % 3 === 0 ? 0.05 : 0));
    for (let i = 1; i < COUNT; i += 3) index.remove(`z${i}`);
    const shiftOf = (i: number): number | null => (i % 3 === 0 ? 0.05 : i % 3 === 1 ? null : 0);
    expectAll(index, shiftOf);
    const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer(), options);
    // toBuffer also packs the index itself.
    expectAll(index, shiftOf);
    expectAll(opened, shiftOf);
    for (const some of [index, opened]) {
      expect(some.stats().overlay).toBe(0);
      for (const i of [0, 2, 3, 5, 6, 8]) expect(some.get(`z${i}`)).toEqual(zoneOn(i, shiftOf(i)!));
      some.update(zoneOn(2, 0.02));
      expect([some.at(placeOf(2)), some.at(placeOf(2, 0.02))]).toEqual([[], ['z2']]);
      some.update(zoneOn(2));
    }
    expect(index.ids()).toEqual(opened.ids());
    const left = Array.from({ length: COUNT }, (_, i) => i).filter((i) => shiftOf(i) !== null);
    expect(left.map((i) => index.get(`z${i}`))).toEqual(left.map((i) => zoneOn(i, shiftOf(i)!)));
  });

  test('equal zones keep the order of insertion after the first ones get new shapes', () => {
    const zones = Array.from({ length: 40 }, (_, i) => polygon(`z${i}`, box(10, 10, 11 + i / 100, 11)));
    const index = new ZoneIndex(zones, options);
    const ids = zones.map(({ id }) => id);
    for (const count of [40, 20]) {
      expect(index.at([10.5, 10.5])).toEqual(ids.slice(0, count));
      for (const i of [3, 0, 17]) index.update(polygon(`z${i}`, star(10.5, 10.5, 0.4, 7 + i, 0.1)));
      expect(index.at([10.5, 10.5])).toEqual(ids.slice(0, count));
      expect(index.crossing([10.4, 10.5], [10.6, 10.5]).map(({ id }) => id)).toEqual(ids.slice(0, count));
      expect(index.intersecting([10.4, 10.4, 10.6, 10.6])).toEqual(ids.slice(0, count));
      for (let i = 20; i < 40; i++) index.remove(`z${i}`);
    }
  });
});

test('stats counts zones, overlay, cells and bytes', () => {
  const index = new ZoneIndex<Geozone>([
    polygon('p', box(0, 0, 1, 1)),
    circle('c', 5, 5, 10),
    line('l', wkt('2 2, 3 3'), 5),
  ]);
  const counted = (): number[] => {
    const { zones, vertices, overlay } = index.stats();
    return [zones, vertices, overlay];
  };
  expect(counted()).toEqual([3, 7, 0]);
  const { edits } = internalsOf(index)!;
  index.add(
    line(
      'runs',
      Array.from({ length: 50 }, (_, i): Pair => [i / 10, 7]),
      5,
    ),
  );
  expect(counted()).toEqual([4, 57, 1]);
  index.add(polygon('hole', box(0, 0, 1, 1), [wkt('0.5 0.5, 0.6 0.5, 0.6 0.6')]));
  expect(counted()).toEqual([5, 64, 2]);
  index.update(circle('c', 6, 6, 12));
  expect(counted()).toEqual([5, 64, 3]);
  index.update(polygon('p', star(0, 0, 1, 9)));
  expect(counted()).toEqual([5, 69, 4]);
  for (const id of ['c', 'runs', 'hole']) index.remove(id);
  expect(counted()).toEqual([2, 11, 1]);
  expect(internalsOf(index)!.edits).toBeGreaterThanOrEqual(edits + 7);
  index.remove('p');
  index.remove('l');
  expect(counted()).toEqual([0, 0, 0]);
  expect(new ZoneIndex([]).stats()).toMatchObject({
    zones: 0,
    leftOut: 0,
    vertices: 0,
    cells: 0,
    cellBytes: 0,
    overlay: 0,
  });
});

test('a disc of radius 0 contains its own position and none beside it', () => {
  const zones = [circle('zero', 10, 10, 0), circle('hair', 10, 10, 1e-7), circle('metre', 10, 10, 1)];
  for (const maxMemoryBytes of [0, 1e6]) {
    const index = new ZoneIndex(zones, { maxMemoryBytes });
    index.learnAll();
    expect(index.at([10, 10])).toEqual(['zero', 'hair', 'metre']);
    expect(index.at([10.000001, 10])).toEqual(['metre']);
    // Half a micrometre away.
    expect(index.at([10.000000000005, 10])).toEqual(['metre']);
    expect(index.crossing([10.000001, 10], [10.000002, 10]).map(({ id }) => id)).toEqual(['metre']);
  }
});

test('removed shapes are cleared once they are most of the memory', () => {
  const index = new ZoneIndex([circle('other', 1, 1, 5), polygon('large', star(10, 10, 1, 9_000, 0.1))]);
  for (let i = 1; i <= 20; i++) index.update(polygon('large', star(10 + i, 10, 1, 9_000 + 2 * i, 0.1)));
  expect(index.at([30, 10])).toEqual(['large']);
  expect(index.stats()).toMatchObject({ zones: 2, vertices: 9_041 });
  // 180,000 vertices were added: at 16 bytes each they would be 2.9 MB.
  expect(index.stats().bytes).toBeLessThan(2.4e6);
  expect([index.at([1, 1]), index.at([11, 10])]).toEqual([['other'], []]);
});

test('a buffer contains the learnt cells, and a reader keeps them until an edit', () => {
  const zones = [...corners(0, 0, 64), ...mixed(16.4, 8.3, 2)];
  const index = new ZoneIndex(zones);
  index.learnAll();
  const { cells, cellBytes } = index.stats();
  const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }));
  expect(index.stats()).toMatchObject({ cells, cellBytes });
  opened.at([17, 9]);
  expect(opened.stats()).toMatchObject({ cells, cellBytes });
  const without = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
  without.at([60, 1]);
  expect(without.stats().cells).toBeLessThan(cells);
  // A reader with too little memory for these cells learns its own.
  const small = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }), {
    maxMemoryBytes: cellBytes - 8,
  });
  small.at([60, 1]);
  expect(small.stats().cellBytes).toBeLessThan(cellBytes);
  const enough = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }), {
    maxMemoryBytes: cellBytes,
  });
  enough.at([60, 1]);
  expect(enough.stats()).toMatchObject({ cells, cellBytes });
});

test('with any memory limit the answers equal a scan, and the cells are within the limit', () => {
  const crowd = Array.from({ length: 40 }, (_, i) => circle(`c${i}`, 17.5, 9.5, 1_000 + 40 * i));
  const zones = [...corners(0, 0, 64), ...mixed(16.4, 8.3, 2), ...crowd];
  const places = Array.from(
    { length: 60 },
    (_, i): Pair => [16.2 + (i % 10) * 0.26, 8.1 + Math.floor(i / 10) * 0.42],
  );
  places.push(...Array.from({ length: 30 }, (_, i): Pair => [17.5 + i / 2000, 9.5 + i / 2500]));
  const expected = places.map(scanner(zones));
  for (const maxMemoryBytes of [
    1, 100, 300, 700, 1_500, 3_000, 5_000, 8_000, 12_000, 20_000, 40_000, 80_000,
  ]) {
    const index = new ZoneIndex(zones, { maxMemoryBytes });
    for (let round = 0; round < 3; round++) expect(places.map((place) => index.at(place))).toEqual(expected);
    expect(index.stats().cellBytes).toBeLessThanOrEqual(Math.max(12, maxMemoryBytes));
    index.learnAll();
    expect(places.map((place) => index.at(place))).toEqual(expected);
    const { offsets, zones: ordinals } = index.atMany(Float64Array.from(places.flat()));
    for (let i = 0; i < places.length; i++) {
      expect([...ordinals.subarray(offsets[i]!, offsets[i + 1]!)].map((k) => zones[k]!.id)).toEqual(
        expected[i],
      );
    }
    expect(index.stats().cellBytes).toBeLessThanOrEqual(Math.max(12, maxMemoryBytes));
  }
});

test('many zones in one cell, more than the initial room for results', () => {
  const zones = [
    ...corners(0, 0, 64),
    ...Array.from({ length: 300 }, (_, i) => polygon(`z${i}`, box(9, 9, 30 + i / 100, 30))),
    circle('c', 18, 18, 5_000),
  ];
  const index = new ZoneIndex(zones);
  const all = zones.slice(2).map(({ id }) => id);
  for (const place of [
    [18, 18],
    [18.001, 18.002],
    [20, 20],
  ] as const)
    expect(index.at(place)).toEqual(place[0] < 19 ? all : all.slice(0, -1));
  const { offsets, zones: ordinals } = index.atMany(Float64Array.of(18, 18, 50, 50, 20, 20, 18, 18));
  expect([...offsets]).toEqual([0, 301, 301, 601, 902]);
  expect([...ordinals.subarray(601)]).toEqual(all.map((_, i) => i + 2));
});

test('each position of atMany is checked', () => {
  const index = new ZoneIndex([...corners(0, 0, 64), circle('c', 10, 10, 500)]);
  expect([...index.atMany(Float64Array.of(370, 10, 10, 10, -350, 10)).offsets]).toEqual([0, 1, 2, 3]);
  for (const [lon, lat, code, field] of [
    [10, 91, 'lat-range', 'lonLat[1][1]'],
    [10, -91, 'lat-range', 'lonLat[1][1]'],
    [541, 10, 'lon-range', 'lonLat[1][0]'],
    [Number.NaN, 10, 'coord-not-finite', 'lonLat[1][0]'],
    [10, Number.NaN, 'coord-not-finite', 'lonLat[1][1]'],
    [Number.POSITIVE_INFINITY, 10, 'coord-not-finite', 'lonLat[1][0]'],
  ] as const) {
    expect(errorOf(() => index.atMany(Float64Array.of(1, 1, lon, lat)))).toMatchObject({ code, field });
  }
});

test('cells that are made again after each edit are not cut deeper each time', () => {
  for (const [x, y, size] of [
    [10, 50, 0.2],
    [179, -3, 2],
    [170, -20, 20],
  ] as const) {
    const zones = mixed(x, y, size);
    const whole = new ZoneIndex<Geozone>(zones);
    whole.learnAll();
    const index = new ZoneIndex<Geozone>(zones.slice(0, 1));
    for (const zone of zones.slice(1)) {
      index.learnAll();
      index.add(zone);
    }
    index.learnAll();
    // The counter of cells also counts those that are made again, so the test uses their bytes.
    expect(index.stats().cellBytes).toBeLessThan(4 * whole.stats().cellBytes);
  }
});
