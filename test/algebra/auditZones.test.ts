import { describe, expect, test } from 'vitest';
import { auditZones } from '../../src/algebra/index.js';
import { measureZone, ZoneIndex, type ZoneShape } from '../../src/index.js';

type Pair = [number, number];

const box = (id: string, west: number, south: number, east: number, north: number) => ({
  id,
  type: { key: 'polygon' as const },
  geometry: [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as Pair[],
});
const audit = (...zones: (ZoneShape & { id: string })[]) => auditZones(new ZoneIndex(zones));
const kinds = (...zones: (ZoneShape & { id: string })[]) =>
  audit(...zones).map(({ kind, ids }) => [kind, ...ids]);

describe('auditZones', () => {
  test('tells duplicates, containers, overlaps and slivers, and nothing of neighbours', () => {
    expect(
      kinds(
        box('a', 10, 10, 11, 11),
        box('same', 10, 10, 11, 11),
        box('inner', 10.2, 10.2, 10.4, 10.4),
        box('neighbour', 11, 10, 12, 11),
        box('corner', 12, 11, 13, 12),
        box('over', 11.5, 10.5, 12.5, 10.9),
        box('strip', 9, 10, 10.00002, 11),
      ),
    ).toEqual([
      ['duplicate', 'a', 'same'],
      ['contains', 'a', 'inner'],
      ['sliver', 'a', 'strip'],
      ['contains', 'same', 'inner'],
      ['sliver', 'same', 'strip'],
      ['overlap', 'neighbour', 'over'],
    ]);
    expect(kinds(box('inner', 10.2, 10.2, 10.4, 10.4), box('a', 10, 10, 11, 11))).toEqual([
      ['contains', 'a', 'inner'],
    ]);
  });

  test('measures the shared area', () => {
    const [found] = audit(box('a', 10, 10, 11, 11), box('b', 10.5, 10.5, 12, 12));
    const shared = measureZone(box('', 10.5, 10.5, 11, 11)).area;
    expect(Math.abs(found!.areaSquareMeters / shared - 1)).toBeLessThan(1e-9);
  });

  test('works across the antimeridian, with holes, circles and zones without an area', () => {
    const circle = { id: 'c', type: { key: 'circle' as const }, geometry: [[180, 0] as Pair], width: 1000 };
    const ring = (west: number, south: number, east: number, north: number): Pair[] => [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const frame = {
      id: 'frame',
      type: { key: 'polygon' as const },
      geometry: ring(1, 1, 4, 4).slice(0, 4),
      parts: [[ring(1, 1, 4, 4), ring(2, 2, 3, 3)]],
    };
    expect(
      kinds(box('w', 179.9, -0.1, -179.9, 0.1), circle, {
        id: 'p',
        type: { key: 'point' },
        geometry: [[180, 0]],
      }),
    ).toEqual([['contains', 'w', 'c']]);
    expect(kinds(frame, box('in hole', 2, 2, 3, 3))).toEqual([]);
    expect(kinds(frame, box('over hole', 1.5, 1.5, 3, 3))).toEqual([['overlap', 'frame', 'over hole']]);
  });

  test('of no zones is empty; refuses what is not an index', () => {
    expect(audit()).toEqual([]);
    expect(() => auditZones([] as never)).toThrow('a ZoneIndex');
    expect(() => auditZones(new ZoneIndex([]), { sliverMeters: -1 })).toThrow('a number from 0');
  });
});
