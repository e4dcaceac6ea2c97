/** Units that stand or hardly move near borders: what a locator and a tracker keep from their last step never crosses a border. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { insidesOf } from '../../../src/zones/index/index.js';
import { wkt } from '../../wkt.js';
import { plainZone } from '../oracle/plainZones.js';
import { circle, corners, hardPlaces, line, mixed, polygon, scanner, star } from './worlds.js';

const STEPS = [0, 1e-9, 1e-7, 3e-6, 4e-5, 1.9e-4, 6e-4];
const WAYS: readonly Pair[] = wkt('1 0, -1 0, 0 1, 0 -1, 1 1, -0.7 1, 1 -0.99');

describe.each([
  { name: 'polygons', more: corners(37, 55, 1), kinds: ['polygon'] },
  { name: 'discs', more: corners(37, 55, 1), kinds: ['circle'] },
  { name: 'lines', more: [], kinds: ['line'] },
  { name: 'all kinds', more: [], kinds: ['polygon', 'circle', 'line'] },
  {
    name: 'a crowd',
    more: Array.from({ length: 150 }, (_, i) =>
      polygon(
        `crowd ${i}`,
        star(37.4 + (i % 15) * 0.0012, 55.3 + Math.floor(i / 15) * 0.002, 0.0003, 5 + (i % 4)),
      ),
    ),
    kinds: ['polygon'],
  },
])('among $name', ({ more, kinds }) => {
  const [x, y, size] = [37.4, 55.3, 0.02];
  const zones = [...more, ...mixed(x, y, size)].filter(({ type }) => kinds.includes(type.key));
  const scan = scanner(zones);
  const index = new ZoneIndex(zones);
  index.learnAll();
  const places = hardPlaces(zones, x, y, size, 9).filter(
    (_, i, all) => i % Math.ceil(all.length / (zones.length > 100 ? 40 : 400)) === 0,
  );

  test('a locator returns the same array only if the result is the same', () => {
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

  test('a step in the safe region meets no border, and a step far from all borders is in it', () => {
    const { segments } = insidesOf(index)!;
    const prepared = zones.map((zone) => plainZone(zone));
    // Inside a line, no single edge need be near enough to the whole box.
    const inside = kinds.includes('line') ? -400 : -60;
    let safe = 0;
    for (const [k, [lon, lat]] of places.entries()) {
      const around = segments.safeRegion();
      for (const [i, step] of STEPS.entries()) {
        if (step > 2e-4) continue;
        const [u, v] = WAYS[(k + i) % WAYS.length]!;
        const next: Pair = [lon + u * step * 0.5, lat + v * step * 0.5];
        const isSafe = segments.from(lon, lat, ...next).liesInSafeRegion(around);
        const intervals = index.crossing([lon, lat], next);
        if (isSafe) {
          safe++;
          expect({ next, intervals }).toEqual({
            next,
            intervals: scan(next).map((id) => ({ id, from: 0, to: 1 })),
          });
        }
        // Every second step starts from the zones of its first position.
        const known = segments.safeRegion();
        if (i % 2 === 0) segments.from(lon, lat, lon, lat).find(known);
        const count = segments.from(lon, lat, ...next).find(known);
        const found = Array.from({ length: count }, (_, n) => ({
          id: index.idOf(segments.zones[n]!),
          from: segments.starts[n],
          to: segments.stops[n],
        }));
        expect({ next, found }).toEqual({ next, found: intervals });
        const metres = prepared.map((zone) => zone.signedDistanceMeters(...next));
        if (metres.every((away) => away > 60 || away < inside))
          expect({ next, isSafe }).toEqual({ next, isSafe: true });
      }
    }
    expect(safe).toBeGreaterThan(places.length / 20);
  });
});

test('a step is in the safe region if all borders are 23 m away to the east, west, north and south', () => {
  // The box is 4e-4° wide and high: 12.6 m by 22.3 m to each side here.
  const [lon, lat] = [37.4, 55.3];
  const east = (away: number): number => away / 63_400;
  const north = (away: number): number => away / 111_300;
  const isSafe = (zone: Geozone): boolean => {
    const far = [1, 2, 3, 4].map((i) => polygon(`far ${i}`, star(lon + i / 10, lat, 0.01, 5)));
    const index = new ZoneIndex<Geozone>([...far, zone, circle('other', lon + 0.03, lat, 5)]);
    const { segments } = insidesOf(index)!;
    return segments.from(lon, lat, lon + 1e-6, lat - 1e-6).liesInSafeRegion(segments.safeRegion());
  };
  const ring = (away: number): Geozone =>
    polygon('ring', [
      [lon - east(away), lat - north(away)],
      [lon + east(away), lat - north(away)],
      [lon + east(away), lat + north(away)],
      [lon - east(away), lat + north(away)],
    ]);
  expect([23, 22, 14, 10, 1].map((away) => isSafe(ring(away)))).toEqual([true, false, false, false, false]);
  expect([27, 25, 20, 1].map((away) => isSafe(circle('disc', lon, lat, away)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const sides: readonly Pair[] = wkt('1 0, -1 0, 0 1, 0 -1');
  for (const [u, v] of sides) {
    const beside = (away: number, meters: number): Geozone =>
      circle('disc', lon + east(u * (away + meters)), lat + north(v * (away + meters)), meters);
    expect([23, u === 0 ? 22 : 12].map((away) => isSafe(beside(away, 300)))).toEqual([true, false]);
    const within = (away: number): Geozone =>
      circle('disc', lon + east(u * (300 - away)), lat + north(v * (300 - away)), 300);
    expect([23, u === 0 ? 12 : 9].map((away) => isSafe(within(away)))).toEqual([true, false]);
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
    expect([27, 12].map((away) => isSafe(along(away, 40)))).toEqual([true, false]);
    expect([27, 12].map((inside) => isSafe(along(-inside, 40)))).toEqual([true, false]);
    const wall = (away: number): Geozone =>
      polygon('wall', [
        [lon + east(u * away + v * 900), lat + north(v * away + u * 900)],
        [lon + east(u * away - v * 900), lat + north(v * away - u * 900)],
        [lon + east(u * 999), lat + north(v * 999)],
      ]);
    expect([23, u === 0 ? 22 : 12].map((away) => isSafe(wall(away)))).toEqual([true, false]);
  }
  // On the extension of an edge that ends far away, to each side: inside the arm of an L.
  for (const [u, v] of sides) {
    for (const turned of [false, true]) {
      const arm = wkt('-1 -2, 3 -2, 3 0, 1 0, 1 2, -1 2').map(([x, y]): Pair => {
        const [p, q] = turned ? [y! * 0.01, x! * 0.01] : [x! * 0.01, y! * 0.01];
        return [lon + (u === 0 ? q * v : p * u), lat + (u === 0 ? p * v : q * u)];
      });
      expect(isSafe(polygon('arm', arm))).toBe(true);
    }
  }
  expect(isSafe(polygon('star', star(lon, lat, 0.02, 300, 0.01)))).toBe(true);
});

test('zones across the antimeridian, and the ends of the map, have no safe region near them', () => {
  const over = polygon('over', wkt('170 -10, -170 -10, -170 10, 170 10'));
  const index = new ZoneIndex<Geozone>([
    over,
    circle('fiji', 179, 0, 50_000),
    line('seam', wkt('178 5, -178 5'), 900),
  ]);
  const { segments } = insidesOf(index)!;
  const isSafe = (lon: number, lat: number): boolean =>
    segments.from(lon, lat, lon + 1e-6, lat).liesInSafeRegion(segments.safeRegion());
  for (const [lon, lat] of [
    [175, 10],
    [175, -10],
    [170, 3],
    [178.5, 5.00404],
    [178.999, 0],
    [-175, 10],
  ] as const)
    expect([lon, lat, isSafe(lon, lat)]).toEqual([lon, lat, false]);
  expect(isSafe(100, 10)).toBe(true);
  for (const [lon, lat] of [
    [179.9, 50],
    [-179.5, 50],
    [5, 89.5],
    [5, -89.2],
  ] as const)
    expect([lon, lat, isSafe(lon, lat)]).toEqual([lon, lat, false]);
  // Near a far but wide line, and near a disc close to a pole, nothing is certain.
  const wide = new ZoneIndex<Geozone>([
    line('wide', wkt('0 80, 9 80'), 1_990_000),
    circle('disc', 50, 84, 900_000),
  ]);
  const isSafeBeside = (lon: number, lat: number): boolean =>
    insidesOf(wide)!
      .segments.from(lon, lat, lon, lat - 1e-6)
      .liesInSafeRegion(insidesOf(wide)!.segments.safeRegion());
  expect([isSafeBeside(4, 85), isSafeBeside(50, 84), isSafeBeside(50, 20)]).toEqual([false, false, true]);
});
