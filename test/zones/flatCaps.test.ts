import { describe, expect, test } from 'vitest';
import { corridor, measureZone, type Position, zoneContains } from '../../src/index.js';
import { wkt } from '../wkt.js';
import { partsOf } from './corridorChecker.js';

/** A line given in metres east and north of a place on the equator. */
const onEquator = (line: readonly (readonly [number, number])[]): Position[] =>
  line.map(([east, north]): Position => [20 + east / 111_319.4908, north / 110_574.2758]);

const areaOf = (line: readonly Position[], cap: 'flat' | 'round'): number =>
  measureZone({
    type: { key: 'polygon' },
    geometry: [],
    parts: partsOf(corridor(line, 50, { cap, toleranceMeters: 0.02 })),
  }).area!;

describe('flat caps', () => {
  // Areas of GEOS 3.11: buffer(25, quad_segs 64, flat caps, round joins).
  test.each([
    ['a closed square', 39_463.3, wkt('0 0, 200 0, 200 200, 0 200, 0 0')],
    ['a closed triangle', 26_717.91, wkt('0 0, 200 0, 100 150, 0 0')],
    ['there and back along one edge', 10_981.65, wkt('0 0, 200 0, 0 0')],
    ['there and back along two edges', 16_829.12, wkt('0 0, 200 0, 200 100, 200 0, 0 0')],
    ['a U-turn', 15_847.47, wkt('0 0, 200 0, 200 100, 200 0')],
    ['a first edge of 1 m at a right angle', 5235.18, wkt('0 0, 1 0, 1 100')],
    ['a first edge of 10 m at a right angle', 5632.91, wkt('0 0, 10 0, 10 100')],
    ['a first edge of 20 m at a right angle', 5979.82, wkt('0 0, 20 0, 20 100')],
    ['a first edge of 10 m and a gentle bend', 6268.77, wkt('0 0, 10 0, 110 57.7')],
    ['a first edge of 10 m and half a right angle', 7577.13, wkt('0 0, 10 0, 110 100')],
    ['a first edge of 5 m and a sharp bend', 5604.03, wkt('0 0, 5 0, -80 40')],
    ['a short edge at both ends', 5752.52, wkt('0 0, 5 0, 5 100, 8 100')],
    ['one edge shorter than the half-width', 150, wkt('0 0, 3 0')],
  ] as [string, number, [number, number][]][])('%s: the area is that of GEOS', (_name, area, line) => {
    for (const way of [line, line.toReversed()])
      expect(Math.abs(areaOf(onEquator(way), 'flat') / area - 1)).toBeLessThan(0.003);
  });

  test('on a closed line both caps give the same polygon', () => {
    const square = onEquator(wkt('0 0, 200 0, 200 200, 0 200, 0 0'));
    expect(corridor(square, 50, { cap: 'flat' })).toEqual(corridor(square, 50));
    const aroundTheEarth: Position[] = wkt('0 10, 120 10, -120 10, 0 10');
    expect(corridor(aroundTheEarth, 50_000, { cap: 'flat' })).toEqual(corridor(aroundTheEarth, 50_000));
  });

  test('the line itself stays inside where a corner is cut off', () => {
    const line = onEquator(wkt('0 0, 3 0, 3 60, 0 62'));
    const shape = {
      type: { key: 'polygon' as const },
      geometry: [],
      parts: partsOf(corridor(line, 50, { cap: 'flat' })),
    };
    for (let k = 1; k < line.length; k++) {
      for (const share of [0.01, 0.3, 0.5, 0.9]) {
        const at = (axis: 0 | 1): number =>
          line[k - 1]![axis] + share * (line[k]![axis] - line[k - 1]![axis]);
        expect(zoneContains(shape, [at(0), at(1)])).toBe(true);
      }
    }
  });
});
