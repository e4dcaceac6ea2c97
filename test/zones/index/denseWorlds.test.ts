/** Small worlds, queried at vertices, edges and cell borders with each method: all answers equal a scan. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { circle, corners, hardPlaces, line, mixed, polygon, scanner, star } from './worlds.js';

interface Place {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Zones beside the world, which make its grid coarser. */
  readonly more: readonly Geozone[];
}

const PLACES: readonly Place[] = [
  { name: 'in one cell of a grid', x: 16.4, y: 8.3, size: 2, more: corners(0, 0, 64) },
  { name: 'over the borders of cells', x: 7.1, y: 7.3, size: 1.7, more: corners(0, 0, 64) },
  { name: 'that is all there is', x: 37.5, y: 55.5, size: 0.3, more: [] },
  { name: 'as small as a house', x: 37.5, y: 55.5, size: 0.0004, more: corners(37.4, 55.4, 0.2) },
  { name: 'around 0/0', x: -0.4, y: -0.6, size: 1, more: [] },
  { name: 'over the antimeridian', x: 179.3, y: -17, size: 1, more: [] },
  { name: 'at the north pole', x: 10, y: 89, size: 1, more: [] },
  { name: 'at the south pole', x: -100, y: -90, size: 2, more: [] },
  { name: 'as large as a continent', x: -20, y: 10, size: 50, more: [] },
];

const flat = (positions: readonly Pair[]): Float64Array => Float64Array.from(positions.flat());

/** Results of `atMany` as ids. */
function many(index: ZoneIndex<Geozone>, positions: readonly Pair[]): (string | null)[][] {
  const { offsets, zones } = index.atMany(flat(positions));
  return positions.map((_, i) => [...zones.subarray(offsets[i]!, offsets[i + 1]!)].map((k) => index.idOf(k)));
}

describe.each(PLACES)('a world $name', ({ x, y, size, more }) => {
  const zones = [...more, ...mixed(x, y, size)];
  const places = hardPlaces(zones, x, y, size, 10).filter((_, i) => i % 2 === 0);

  test.each(['closed', 'half-open'] as const)('%s', (boundary) => {
    const scan = scanner(zones, { boundary });
    const expected = places.map(scan);
    const learnt = new ZoneIndex(zones, { boundary });
    learnt.learnAll();
    expect(places.map((place) => learnt.at(place))).toEqual(expected);
    expect(many(learnt, places)).toEqual(expected);
    const opened = ZoneIndex.fromBuffer<Geozone>(learnt.toBuffer({ cells: true }));
    expect(many(opened, places)).toEqual(expected);
    const cold = new ZoneIndex(zones, { boundary });
    expect(places.map((place) => cold.at(place))).toEqual(expected);
    const asked = new ZoneIndex(zones, { boundary, maxMemoryBytes: 6_000 });
    expect(many(asked, places)).toEqual(expected);
    asked.learnAll();
    expect(many(asked, places)).toEqual(expected);
  });

  test('while zones are added, moved and removed', () => {
    const index = new ZoneIndex<Geozone>(more.length > 0 ? more : zones.slice(0, 1));
    const here = new Map(index.ids().map((id) => [id, zones.find((zone) => zone.id === id)!]));
    const some = places.filter((_, i) => i % 7 === 0);
    const check = (): void => {
      const scan = scanner([...here.values()]);
      expect(some.map((place) => index.at(place))).toEqual(some.map(scan));
    };
    index.learnAll();
    for (const zone of zones) {
      if (here.has(zone.id)) continue;
      index.add(zone);
      here.set(zone.id, zone);
      if (index.size % 4 === 0) index.learnAll();
    }
    check();
    for (const [k, zone] of zones.entries()) {
      const other = { ...zones.at(-1 - k)!, id: zone.id };
      index.update(other);
      here.set(zone.id, other);
      if (k % 4 === 3) check();
    }
    for (const [k, zone] of zones.entries()) {
      if (k % 3 === 0) continue;
      index.remove(zone.id);
      here.delete(zone.id);
      if (k % 4 === 3) check();
    }
    check();
    const again = ZoneIndex.fromBuffer<Geozone>(index.toBuffer());
    const scan = scanner([...here.values()]);
    expect(many(again, some)).toEqual(some.map(scan));
  });
});

test('dozens of discs and lines in one cell, small ones and some as large as countries', () => {
  const zones: Geozone[] = [...corners(0, 0, 64)];
  for (let i = 0; i < 40; i++) {
    const [lon, lat] = [17 + (i % 8) * 0.7, 9 + Math.floor(i / 8) * 1.1];
    zones.push(circle(`c${i}`, lon, lat, [300, 9_000, 45_000, 400_000][i % 4]!));
    const to: Pair = [lon + 0.9, lat + 0.3 * ((i % 5) - 2)];
    zones.push(line(`l${i}`, [[lon, lat], to, [to[0], to[1] + 0.2]], [200, 8_000, 60_000][i % 3]!));
  }
  zones.push(polygon('fine', star(19, 11, 2.5, 600, 0.1)));
  const places = hardPlaces(zones.slice(0, 20), 16.5, 8.5, 7, 24);
  const scan = scanner(zones);
  const expected = places.map(scan);
  const index = new ZoneIndex(zones);
  expect(many(index, places)).toEqual(expected);
  index.learnAll();
  expect(many(index, places)).toEqual(expected);
});
