/** A polygon with many short holes: from some queries on its holes are searched together, and the answers must stay those of each ring. */

import { expect, test } from 'vitest';
import { type Geozone, type Position, ZoneIndex } from '../../src/index.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { LONG, seeded } from '../volume.js';
import { wkt } from '../wkt.js';

type Ring = [number, number][];

/** An outer ring and its holes in a grid: of a few vertices, now and then of many; near the antimeridian they reach across it. */
function holed(random: () => number): { readonly zone: Geozone; readonly lon: number; readonly lat: number } {
  const [lon, lat] = wkt('13 52, 179.9 -10, -60 80')[Math.floor(3 * random())] as [number, number];
  const wrapped = (x: number): number => (x > 180 ? x - 360 : x);
  const ring = (x: number, y: number, reach: number, count: number): Ring => {
    const made = Array.from({ length: count }, (_, i): [number, number] => {
      const angle = (2 * Math.PI * i) / count;
      return [wrapped(x + reach * Math.cos(angle)), y + 0.4 * reach * Math.sin(angle)];
    });
    return [...made, made[0]!];
  };
  const box: Ring = [
    [lon - 0.01, lat - 0.01],
    [lon + 0.25, lat - 0.01],
    [lon + 0.25, lat + 0.25],
    [lon - 0.01, lat + 0.25],
  ];
  const outer = [...box, box[0]!].map(([x, y]): [number, number] => [wrapped(x), y]);
  const holes = Array.from({ length: 120 }, (_, k) => {
    const count = random() < 0.02 ? 150 : 4 + Math.floor(8 * random());
    // Some touch or cross their neighbours.
    return ring(lon + 0.02 * (k % 12), lat + 0.02 * Math.floor(k / 12), 0.004 + 0.008 * random(), count);
  });
  const zone = {
    id: 'z',
    name: 'z',
    type: { key: 'polygon' },
    parts: [[outer, ...holes]],
  } as unknown as Geozone;
  return { zone, lon, lat };
}

test('positions, boxes and segments have the answers of a shape that is prepared for one question', () => {
  const random = seeded(642);
  const counts = { inside: 0, outside: 0, cuts: 0 };
  const worlds = LONG ? 60 : 8;
  for (let n = 0; n < worlds; n++) {
    const { zone, lon, lat } = holed(random);
    const index = new ZoneIndex([zone]);
    const corners = (zone.parts as unknown as Ring[][])[0]!.flat();
    const near = (): Position => {
      if (random() < 0.2) return corners[Math.floor(random() * corners.length)]!;
      const x = lon - 0.02 + 0.3 * random();
      return [x > 180 ? x - 360 : x, lat - 0.02 + 0.3 * random()];
    };
    // Before the holes are searched together.
    for (let k = 0; k < 20; k++) index.at(near());
    for (let k = 0; k < 40; k++) {
      const [a, b] = [near(), near()];
      const message = JSON.stringify([n, a, b]);
      const fresh = prepareZone(zone);
      const isInside = fresh.contains(...(a as [number, number]));
      if (isInside) counts.inside++;
      else counts.outside++;
      expect(index.at(a), message).toEqual(isInside ? ['z'] : []);
      const found = index.crossing(a, b).flatMap(({ from, to }) => [from, to]);
      const expected = fresh.intervals(...(a as [number, number]), ...(b as [number, number]));
      counts.cuts += expected.length;
      expect(found.length, message).toBe(expected.length);
      for (const [i, fraction] of found.entries()) expect(fraction, message).toBeCloseTo(expected[i]!, 9);
      const east = Math.min(180, a[0] + 0.004 * random());
      const box = [a[0], a[1], east, a[1] + 0.004 * random()] as const;
      expect(index.intersecting(box).length === 1, message).toBe(fresh.polygonMeetsBox(...box));
    }
  }
  expect(Math.min(counts.inside, counts.outside)).toBeGreaterThan(worlds * 5);
  expect(counts.cuts).toBeGreaterThan(worlds * 40);
});
