import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { errorOf } from '../../errorOf.js';
import { seeded, volume } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';

test('a locator gives the answers of the index along any path, and the same array while no zone can have changed', () => {
  const random = seeded(21);
  let same = 0;
  let moves = 0;
  for (let round = 0; round < volume(200); round++) {
    const place = PLACES[round % PLACES.length]!;
    const zones = Array.from({ length: 80 }, (_, i) => zoneAt(random, `z${i}`, place, 0.02 + random() * 0.1));
    const index = new ZoneIndex<Geozone>(zones, { boundary: round % 2 === 0 ? 'closed' : 'half-open' });
    const locator = index.locator();
    let [lon, lat] = probeAt(random, place, 0.05);
    let last: readonly string[] = [];
    for (let i = 0; i < 200; i++) {
      const step = [0, 1e-9, 1e-6, 1e-5, 1e-3][Math.floor(random() * 5)]!;
      lon += (random() - 0.5) * step;
      lat = Math.max(-90, Math.min(90, lat + (random() - 0.5) * step));
      if (Math.abs(lon) > 180) lon -= 360 * Math.sign(lon);
      const position: Pair = [lon, lat];
      const ids = locator.at(position);
      expect({ position, ids }).toEqual({ position, ids: index.at(position) });
      moves++;
      if (ids === last) same++;
      last = ids;
    }
  }
  expect(same).toBeGreaterThan(moves / 3);
});

test('edits apply at once, and an invalid position is still an error', () => {
  const circle = (id: string, width: number): Geozone => ({
    id,
    name: '',
    type: { key: 'circle' },
    geometry: [[10, 10]],
    width,
  });
  const index = new ZoneIndex([circle('a', 5_000)]);
  const locator = index.locator();
  const first = locator.at([10, 10]);
  expect(first).toEqual(['a']);
  expect(locator.at([10.0001, 10])).toBe(first);
  index.add(circle('b', 10));
  expect(locator.at([10, 10])).toEqual(['a', 'b']);
  index.update(circle('a', 1));
  expect(locator.at([10.00005, 10])).toEqual(['b']);
  index.remove('b');
  expect(locator.at([10, 10])).toEqual(['a']);
  for (const bad of [null, undefined, ['10', 10], [10], [Number.NaN, 10]]) {
    expect(errorOf(() => locator.at(bad as unknown as Pair)).code).toMatch(/^coord-/);
  }
});
