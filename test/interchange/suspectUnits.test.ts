import { expect, test } from 'vitest';
import { FAR_UNIT_METERS, suspectUnits } from '../../src/interchange/common/suspectUnits.js';
import { seeded, volume } from '../volume.js';
import { trueMeters } from '../zones/corridorChecker.js';

interface Point {
  readonly unit: string;
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
}

/** By the definition, with every distance measured, of points that are each of a unit of its own. */
function twin(points: readonly Point[]): string[] {
  const isFar = (a: Point, b: Point): boolean => trueMeters([a.lon, a.lat], [b.lon, b.lat]) > FAR_UNIT_METERS;
  const isMirror = (a: Point, b: Point): boolean =>
    Math.abs(a.lon) <= 90 &&
    Math.abs(a.lon - b.lat) <= 1 &&
    Math.abs(a.lat - b.lon) <= 2 &&
    isFar(a, b) &&
    trueMeters([a.lat, a.lon], [b.lon, b.lat]) <= 50_000;
  const near = points.map((a) => points.filter((b) => !isFar(a, b)).length);
  return points.flatMap((a, i) => {
    const mirrored = points.flatMap((b, k) => (isMirror(a, b) ? [k] : []));
    const around = Math.max(0, ...mirrored.map((k) => near[k]!));
    const isMost = near[i]! + around >= 0.8 * points.length;
    const isFewer = mirrored.every((k) => near[i]! < near[k]! || (near[i] === near[k] && i > k));
    return mirrored.length > 0 && isMost && isFewer ? [a.unit] : [];
  });
}

/** A fleet around a place, as wide as a yard or as a continent, some of it with exchanged coordinates. */
function fleet(random: () => number): Point[] {
  const [x, y] = [20 + random() * 60, 10 + random() * 75];
  const [share, spread] = [random() * 0.6, [0.5, 8, 60][Math.floor(random() * 3)]!];
  return Array.from({ length: 2 + Math.floor(random() * 14) }, (_, i) => {
    const lon = x + (random() - 0.5) * spread;
    const lat = Math.max(-90, Math.min(90, y + (random() - 0.5) * spread));
    const isExchanged = random() < share;
    return {
      unit: `unit ${i}`,
      time: i,
      lon: isExchanged ? lat : lon,
      lat: isExchanged ? Math.min(90, lon) : lat,
    };
  });
}

test('the same units are suspect as by measuring every distance', () => {
  let found = 0;
  const count = volume(20_000);
  for (let seed = 0; seed < count; seed++) {
    const points = fleet(seeded(seed));
    const expected = twin(points);
    expect([seed, ...suspectUnits(points)]).toEqual([seed, ...expected]);
    if (expected.length > 0) found++;
  }
  expect(found).toBeGreaterThan(count / 10);
});
