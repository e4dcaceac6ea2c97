import { expect, test } from 'vitest';
import { CircleEdges } from '../../src/geodesy/circleEdges.js';
import { discRing } from '../../src/geodesy/disc.js';
import { inverseMeters } from '../../src/geodesy/karney.js';
import { seeded, volume } from '../volume.js';

const shortStep = (from: number, to: number): number => ((to - from + 540) % 360) - 180;

/** The farthest that points along the edges of a ring are from the circle, metres. */
function farthestOff(
  ring: readonly (readonly [number, number])[],
  lon: number,
  lat: number,
  radius: number,
): number {
  let worst = 0;
  ring.forEach((from, i) => {
    const to = ring[(i + 1) % ring.length]!;
    for (let k = 0; k < 16; k++) {
      const t = k / 16;
      const meters = inverseMeters(
        lon,
        lat,
        from[0] + t * shortStep(from[0], to[0]),
        from[1] + t * (to[1] - from[1]),
      );
      worst = Math.max(worst, Math.abs(meters - radius));
    }
  });
  return worst;
}

test('circles from 1 cm to 19,900 km are within their tolerance everywhere on the Earth', () => {
  const random = seeded(90);
  for (let i = 0; i < volume(20_000); i++) {
    const kind = random();
    const side = random() < 0.5 ? 1 : -1;
    const radius = 10 ** (-2 + 9.3 * random()) * (kind < 0.02 ? 0 : 1) || 19_900_000;
    if (radius > 19_900_000) continue;
    // Some centres are at a pole, about a radius from it, or next to it.
    const toPole = radius / 111_000;
    const lat =
      kind < 0.1
        ? side * 90
        : kind < 0.3 && toPole < 80
          ? side * (90 - toPole * (0.9 + 0.2 * random()))
          : kind < 0.4
            ? side * (90 - 10 ** (1 - 9 * random()))
            : random() * 180 - 90;
    const lon = random() < 0.2 ? 180 : random() * 360 - 180;
    const tolerance = Math.max(1e-4, radius * 10 ** (-4 + 3.4 * random()));
    const off = farthestOff(discRing(lon, lat, radius, tolerance), lon, lat, radius);
    const most = Math.min(tolerance, radius / 2) + 1e-7;
    if (!(off <= most)) throw new Error(`off by ${off} of ${most} at ${lon}, ${lat}, ${radius}`);
  }
});

test('the points of a circle are symmetric about the meridian of its centre', () => {
  for (const [lat, radius] of [
    [55, 500],
    [89.99, 3000],
    [-90, 100_000],
    [20, 5_000_000],
  ] as const) {
    const ring = discRing(0, lat, radius, radius / 1000);
    expect(ring.length % 2).toBe(0);
    for (let i = 1; i < ring.length / 2; i++)
      expect(ring.at(-i)).toEqual([ring[i]![0] === 180 ? 180 : -ring[i]![0], ring[i]![1]]);
  }
});

test('a circle of 0.1 % has at most 80 vertices at every latitude up to 80° and every radius up to 50 km', () => {
  for (const lat of [0, 30, 60, 80]) {
    for (const radius of [0.1, 100, 10_000, 50_000]) {
      const { length } = discRing(10, lat, radius, radius / 1000);
      expect([lat, radius, length <= 80]).toEqual([lat, radius, true]);
    }
  }
});

test('an edge that leaves the tolerance does not fit, and one over half the Earth never does', () => {
  const edges = new CircleEdges(55, 1000, 1);
  expect(edges.fits(edges.at(0), edges.at(5))).toBe(true);
  expect(edges.fits(edges.at(0), edges.at(5.2))).toBe(false);
  const polar = new CircleEdges(90, 1000, 500);
  expect(polar.fits(polar.at(0), polar.at(179.95))).toBe(false);
  expect(polar.fits(polar.at(0), polar.at(45))).toBe(true);
});
