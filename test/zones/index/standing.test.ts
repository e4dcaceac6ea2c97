/** Units that stand or hardly move beside borders: what a locator and a tracker keep of their last step never reaches over a border. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { prepareZone } from '../../../src/zones/prepared.js';
import { circle, corners, hardPlaces, line, mixed, polygon, scanner, star } from './worlds.js';

const STEPS = [1e-9, 1e-7, 3e-6, 4e-5, 1.9e-4, 6e-4];
const WAYS: readonly Pair[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-0.7, 1],
  [1, -0.99],
];

describe.each([
  { name: 'polygons', more: corners(37, 55, 1), kinds: ['polygon'] },
  { name: 'discs', more: corners(37, 55, 1), kinds: ['circle'] },
  { name: 'lines', more: [], kinds: ['line'] },
  { name: 'all kinds', more: [], kinds: ['polygon', 'circle', 'line'] },
])('among $name', ({ more, kinds }) => {
  const [x, y, size] = [37.4, 55.3, 0.02];
  const zones = [...more, ...mixed(x, y, size)].filter(({ type }) => kinds.includes(type.key));
  const scan = scanner(zones);
  const index = new ZoneIndex(zones);
  index.learnAll();
  const places = hardPlaces(zones, x, y, size, 9).filter((_, i) => i % 3 === 0);

  test('a locator gives the same list again only where it is the same', () => {
    const locator = index.locator();
    let same = 0;
    for (const [k, [lon, lat]] of places.entries()) {
      for (const [i, step] of STEPS.entries()) {
        const [u, v] = WAYS[(k + i) % WAYS.length]!;
        const first = locator.at([lon, lat]);
        const next: Pair = [lon + u * step, lat + v * step];
        const list = locator.at(next);
        if (list === first) same++;
        expect({ next, list }).toEqual({ next, list: scan(next) });
      }
    }
    expect(same).toBeGreaterThan(places.length);
  });

  test('a step that is said to be still meets no border, and one far from all borders is still', () => {
    const { segments } = index;
    const prepared = zones.map((zone) => prepareZone(zone));
    let still = 0;
    for (const [k, [lon, lat]] of places.entries()) {
      const around = segments.surroundings();
      for (const [i, step] of STEPS.entries()) {
        if (step > 2e-4) continue;
        const [u, v] = WAYS[(k + i) % WAYS.length]!;
        const next: Pair = [lon + u * step * 0.5, lat + v * step * 0.5];
        const isStill = segments.from(lon, lat, ...next).isStill(around);
        const stays = index.crossing([lon, lat], next);
        if (isStill) {
          still++;
          expect({ next, stays }).toEqual({ next, stays: scan(next).map((id) => ({ id, from: 0, to: 1 })) });
        }
        const count = segments.from(lon, lat, ...next).find(around, scan([lon, lat]).length === 0);
        const found = Array.from({ length: count }, (_, n) => ({
          id: index.idOf(segments.zones[n]!),
          from: segments.starts[n],
          to: segments.stops[n],
        }));
        expect({ next, found }).toEqual({ next, found: stays });
        const metres = prepared.map((zone) => zone.signedDistanceMeters(...next));
        if (metres.every((away) => away > 60 || away < -400))
          expect({ next, isStill }).toEqual({ next, isStill: true });
      }
    }
    expect(still).toBeGreaterThan(places.length / 10);
  });
});

test('a step is still beside everything whose border keeps 23 m away east and west and 23 m north and south', () => {
  // Half of 4e-4° each way is looked at: 12.6 m by 22.3 m there.
  const [lon, lat] = [37.4, 55.3];
  const east = (away: number): number => away / 63_400;
  const north = (away: number): number => away / 111_300;
  const isStill = (zone: Geozone): boolean => {
    const index = new ZoneIndex<Geozone>([zone, circle('other', lon + 0.03, lat, 5)]);
    const { segments } = index;
    return segments.from(lon, lat, lon + 1e-6, lat - 1e-6).isStill(segments.surroundings());
  };
  const ring = (away: number): Geozone =>
    polygon('ring', [
      [lon - east(away), lat - north(away)],
      [lon + east(away), lat - north(away)],
      [lon + east(away), lat + north(away)],
      [lon - east(away), lat + north(away)],
    ]);
  expect([23, 22, 14, 10, 1].map((away) => isStill(ring(away)))).toEqual([true, false, false, false, false]);
  expect([27, 25, 20, 1].map((away) => isStill(circle('disc', lon, lat, away)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const sides: readonly Pair[] = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ];
  for (const [u, v] of sides) {
    const beside = (away: number, meters: number): Geozone =>
      circle('disc', lon + east(u * (away + meters)), lat + north(v * (away + meters)), meters);
    expect([23, u === 0 ? 22 : 12].map((away) => isStill(beside(away, 300)))).toEqual([true, false]);
    const along = (away: number, meters: number): Geozone =>
      line(
        'line',
        [-1, 1].map(
          (side): Pair => [
            lon + east(u * (away + meters) + side * v * 900),
            lat + north(v * (away + meters) + side * u * 900),
          ],
        ),
        2 * meters,
      );
    expect([27, 12].map((away) => isStill(along(away, 40)))).toEqual([true, false]);
    expect([27, 12].map((inside) => isStill(along(-inside, 40)))).toEqual([true, false]);
    const wall = (away: number): Geozone =>
      polygon('wall', [
        [lon + east(u * away + v * 900), lat + north(v * away + u * 900)],
        [lon + east(u * away - v * 900), lat + north(v * away - u * 900)],
        [lon + east(u * 999), lat + north(v * 999)],
      ]);
    expect([23, u === 0 ? 22 : 12].map((away) => isStill(wall(away)))).toEqual([true, false]);
  }
  expect(isStill(polygon('star', star(lon, lat, 0.02, 300, 0.01)))).toBe(true);
});
