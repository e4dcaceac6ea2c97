import { expect, test } from 'vitest';
import type { Pair } from '../../src/core/wire.js';
import { wireTextsBeside, wireTextsBesideRing } from '../../src/interchange/common/reservedFields.js';
import { plainRing, zoneGeometry } from '../../src/interchange/common/zoneGeometry.js';
import { CoordinateText } from '../../src/interchange/kml/zonePlacemarks.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';

const inJson = (positions: readonly Pair[]): string => positions.map((pair) => pair.join(',')).join(' ');

test('positions are written as String writes their numbers', () => {
  const random = seeded(7);
  const text = new CoordinateText();
  const kinds: readonly (() => number)[] = [
    () => Number((random() * 1080 - 540).toFixed(Math.floor(random() * 10))),
    () => Number((random() * 360 - 180).toFixed(9)),
    () => Number((random() * 2e-5).toFixed(Math.floor(random() * 10))),
    () => Math.round(random() * 1e3) / 1e3,
    () => random() * 180,
    () => (random() < 0.5 ? -0 : 0),
  ];
  for (let i = 0; i < volume(60_000); i++) {
    // Most rings have numbers of one kind.
    const number = kinds[i % kinds.length]!;
    const odd = random() < 0.1 ? kinds[4]! : number;
    const ring = Array.from({ length: 1 + (i % 7) }, (): Pair => [number(), odd()]);
    const [first, last] = [ring[0]!, ring.at(-1)!];
    const turned = [...ring].reverse();
    expect(text.of(ring, ring.length, false, false)).toBe(inJson(ring));
    expect(text.of(ring, ring.length, false, true)).toBe(inJson([...ring, first]));
    expect(text.of(ring, ring.length, true, true)).toBe(inJson([...turned, last]));
  }
  const edges = [1e-6, 9.99e-7, 1e-9, -1e-6, 0.000001001, 999.999999999, -180, 1000, 1e21, 99.5, 100.25];
  for (const value of edges) expect(text.of([[value, 10]], 1, false, false)).toBe(`${value},10`);
  const long = Array.from({ length: 5000 }, (_, i): Pair => [i / 30, -i / 70]);
  expect(text.of(long, long.length, false, false)).toBe(inJson(long));
});

test('the fields beside a plain ring equal those that the general comparison finds', () => {
  const square: readonly Pair[] = wkt('1 1, 2 1, 2 2, 1 2');
  const reversed = [...square].reverse();
  for (const ring of [square, reversed, [...square, square[0]!], [...reversed, reversed[0]!]]) {
    for (const parts of [undefined, null]) {
      const zone = {
        id: 'a',
        name: 'A',
        type: { key: 'polygon' },
        geometry: ring,
        width: 3,
        ...(parts === null ? { parts } : {}),
        polygon_geometry: square,
      } as const;
      const given = zone as unknown as Parameters<typeof zoneGeometry>[0];
      const plain = plainRing(given, {})!;
      expect(plain).not.toBeNull();
      expect(wireTextsBesideRing(given, plain, {})).toEqual(
        wireTextsBeside(given, zoneGeometry(given, {}), {}),
      );
    }
  }
});
