/** Positions outside the grid of the cells. Zones that were added there later are found, and no others. */

import { expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../../src/index.js';
import { wkt } from '../../wkt.js';

const circle = (id: string, lon: number, lat: number): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[lon, lat]],
  width: 500,
});

const asked = Float64Array.of(10, 50, 30, -20, -170, 10, 100, 90, 0.5, -90);

function counts(index: ZoneIndex<Geozone>): number[] {
  const { offsets } = index.atMany(asked);
  const alone = Array.from({ length: asked.length / 2 }, (_, i) => {
    const ids = index.at([asked[2 * i]!, asked[2 * i + 1]!]);
    expect(offsets[i + 1]! - offsets[i]!).toBe(ids.length);
    return ids.length;
  });
  return alone;
}

test('zones far from the first ones are found before and after they are packed into the base', () => {
  const index = new ZoneIndex(Array.from({ length: 1000 }, (_, i) => circle(`near ${i}`, 10, 50 + i / 1e6)));
  index.learnAll();
  expect(counts(index)).toEqual([1000, 0, 0, 0, 0]);
  index.add(circle('far', 30, -20));
  expect(counts(index)).toEqual([1000, 1, 0, 0, 0]);
  // More zones than the overlay can take are packed into the base; the grid does not change.
  let more = 0;
  while (index.stats().overlay > 0 && more < 1000) index.add(circle(`more ${more++}`, -170, 10));
  expect(more).toBeLessThan(1000);
  expect(counts(index)).toEqual([1000, 1, more, 0, 0]);
  const again = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }));
  expect(counts(again)).toEqual([1000, 1, more, 0, 0]);
  again.remove('far');
  expect(counts(again)).toEqual([1000, 0, more, 0, 0]);
});

test('a pole is one position, so a vertex at a pole is found at each longitude', () => {
  const index = new ZoneIndex<Geozone>([
    {
      id: 'a',
      name: 'a',
      type: { key: 'polygon' },
      geometry: wkt('10 80, 20 80, 15 90'),
    },
    circle('b', 0, -89.9999),
  ]);
  index.learnAll();
  expect(counts(index)).toEqual([0, 0, 0, 1, 1]);
});

test('a zone that moves many times is at its last position, with or without queries between the moves', () => {
  const zones = Array.from({ length: 2000 }, (_, i) =>
    circle(`z${i}`, 10 + (i % 50) / 10, 50 + Math.floor(i / 50) / 10),
  );
  const index = new ZoneIndex(zones);
  index.learnAll();
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 400; i++) index.update(circle(`z${i}`, 20 + round / 10, 40 + i / 1000));
    if (round % 5 === 3) expect(index.at([20 + round / 10, 40.2])).toContain('z200');
  }
  index.remove('z7');
  const list = [
    ...Array.from({ length: 400 }, (_, i) => circle(`z${i}`, 21.1, 40 + i / 1000)),
    ...zones.slice(400),
  ];
  const fresh = new ZoneIndex(list.filter(({ id }) => id !== 'z7'));
  for (const position of [
    [21.1, 40.2],
    [20.3, 40.1],
    [10, 50],
    [10.1, 50.8],
    [21.1, 40.007],
  ] as const)
    expect(index.at(position)).toEqual(fresh.at(position));
  for (const box of [
    [19, 39, 22, 41],
    [10, 50, 11, 51],
    [10, 50.7, 10.5, 50.9],
  ] as const)
    expect(index.intersecting(box)).toEqual(fresh.intersecting(box));
});
