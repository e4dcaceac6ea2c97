import { describe, expect, test } from 'vitest';
import { ZoneIndex } from '../../src/index.js';
import { internalsOf } from '../../src/zones/index/index.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { shapeProblems } from '../../src/zones/shapeProblems.js';
import { lonBoxes } from '../../src/zones/unrolledRing.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const problems = (shape: unknown, options: object = {}): string[] =>
  shapeProblems(shape as never, options).map(
    ({ reason, field, message }) => `${reason} ${field}: ${message}`,
  );
const SQUARE = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
] as const;
const square = (west: number, south: number, size: number): [number, number][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
];
const polygon = (...parts: unknown[]): object => ({ type: { key: 'polygon' }, geometry: SQUARE, parts });

describe('the messages of shapeProblems', () => {
  test('a point or circle has no edge errors; a line has', () => {
    const far = wkt('0 0, 180 0');
    for (const key of ['point', 'circle'])
      expect(problems({ type: { key }, geometry: far, width: 5 })).toEqual([
        `geometry-count geometry: expected one pair for a ${key}, received "2 pairs"`,
      ]);
    expect(
      problems({ type: { key: 'line' }, geometry: far, width: 5 }).map((text) => text.split(' ')[0]),
    ).toEqual(['edge-ambiguous']);
  });

  test('edges at an invalid position are not checked', () => {
    const line = { type: { key: 'line' }, geometry: [[180, 0], ['x', 0], [0, 0]], width: 5 }; // biome-ignore format: short
    expect(problems(line).map((text) => text.split(':')[0])).toEqual(['coord-type geometry[1][0]']);
  });

  test('a position with two invalid numbers has two errors, one for each axis', () => {
    const bad = (axisOrder: string, pair: unknown[]): string[] =>
      problems({ type: { key: 'circle' }, geometry: [pair], width: 5 }, { axisOrder }).map(
        (text) => text.split(':')[0]!,
      );
    expect(bad('lonlat', [541, 91])).toEqual(['lat-range geometry[0][1]', 'lon-range geometry[0][0]']);
    expect(bad('latlon', [91, 541])).toEqual(['lat-range geometry[0][0]', 'lon-range geometry[0][1]']);
    expect(bad('latlon', [100, 120])).toEqual(['lat-range geometry[0][0]']);
    expect(bad('lonlat', [120, 100])).toEqual(['lat-range geometry[0][1]']);
    expect(bad('latlon', ['x', 'y'])).toEqual(['coord-type geometry[0][1]', 'coord-type geometry[0][0]']);
  });

  test('reports a zone without parts, and a part without rings', () => {
    expect(problems(polygon())).toEqual([
      'ring-too-short parts: expected at least one part, received "none"',
    ]);
    expect(problems(polygon([SQUARE], []))).toEqual([
      'ring-too-short parts[1]: expected at least one ring, received "none"',
    ]);
  });

  test('reports holes and parts in wrong positions', () => {
    expect(problems(polygon([SQUARE, square(20, 20, 1)]))).toEqual([
      'hole-outside parts[0][1]: expected a hole inside its shell, received one that leaves it',
    ]);
    // It lies in another part, but it is outside its own shell.
    expect(problems(polygon([SQUARE, square(21, 21, 1)], [square(20, 20, 5)]))[0]).toMatch(
      /^hole-outside parts\[0\]\[1\]:/,
    );
    expect(problems(polygon([SQUARE, square(2, 2, 4), square(3, 3, 1)]))[0]).toMatch(
      /^hole-overlap parts\[0\]\[[12]\]: expected holes that share points at most, received one that overlaps /,
    );
    expect(problems(polygon([SQUARE], [square(2, 2, 1)]))[0]).toMatch(
      /^part-overlap parts\[[01]\]: expected parts that share points at most, received one that overlaps parts\[[01]\]/,
    );
  });

  test('a value that throws when it is read is an error with its path', () => {
    const list: unknown[] = [[0, 0]];
    Object.defineProperty(list, 0, { get: () => { throw new Error('no'); } }); // biome-ignore format: short
    for (const key of ['point', 'circle'])
      expect(
        errorOf(() => prepareZone({ type: { key }, geometry: list, width: 5 } as never, {})),
      ).toMatchObject({
        code: 'input-unreadable',
        field: 'geometry[0]',
      });
  });
});

describe('an index', () => {
  const index = new ZoneIndex([{ id: 'z', type: { key: 'circle' }, geometry: [[1, 1]], width: 5 } as never]);

  test('has no shape for an unknown ordinal', () => {
    expect(internalsOf(index)!.plainShape(1)).toBeNull();
    expect(internalsOf(index)!.plainShape(index.ordinalOf('z')!)).toMatchObject({
      key: 'circle',
      sizes: [5],
    });
  });

  test('refuses an invalid box with the field `bbox`', () => {
    expect(errorOf(() => index.intersecting([1, 2, 3] as never))).toMatchObject({
      code: 'bbox-invalid',
      field: 'bbox',
    });
  });
});

test('a box that begins within rounding of -180 is also found at 180', () => {
  const at180 = lonBoxes(-180 + 5e-12, -179, 0, 1).filter(([west, , east]) => west <= 180 && east >= 180);
  expect(at180).toHaveLength(1);
  expect(lonBoxes(-179, -178, 0, 1)).toHaveLength(1);
  expect(lonBoxes(179, 180, 0, 1).some(([west]) => west === -180)).toBe(true);
});

test('a line whose corridor goes nearly half around the Earth tests all near edges', () => {
  const zone = prepareZone(
    {
      type: { key: 'line' },
      geometry: wkt('-89 0, 89 0'),
      width: 400_000,
    } as never,
    {},
  );
  for (const lon of [-90, -45, 0, 45, 90]) expect(zone.contains(lon, 1)).toBe(true);
  expect(zone.contains(91.5, 0)).toBe(false);
  expect(zone.contains(0, 2)).toBe(false);
  expect(zone.intervals(-91.5, 0, 91.5, 0).length).toBe(0);
});
