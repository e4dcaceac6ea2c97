/** Messages for mistakes that people make with their first zone or fix. */

import { describe, expect, test } from 'vitest';
import type { WayzoneError } from '../../src/core/errors.js';
import { measureZone, ZoneIndex } from '../../src/index.js';
import { fromCsv, toKml } from '../../src/interchange/index.js';
import { validateFix, validateGeozone } from '../../src/schemas/index.js';

const DISC = { name: 'A', type: { key: 'circle' }, geometry: [[37, 55]] };
const RING = [
  [37, 55],
  [38, 55],
  [38, 56],
  [37, 55],
];
const MISTAKES: readonly (readonly [what: string, zone: object, field: string, said: string])[] = [
  ['a type as text', { ...DISC, type: 'circle', width: 100 }, 'type', '{key: '],
  ['a radius', { ...DISC, radius: 100 }, 'width', 'a width in metres, the radius of the circle'],
  [
    'a nested ring',
    { name: 'A', type: { key: 'polygon' }, geometry: [RING] },
    'geometry[0][0]',
    'lists of rings go into parts',
  ],
];

function errorsOf(work: () => unknown): { readonly field: string; readonly message: string }[] {
  try {
    work();
    return [];
  } catch (error) {
    return [...(error as WayzoneError).errors];
  }
}

describe.each(MISTAKES)('%s', (_, zone, field, said) => {
  test.each([
    ['measureZone', '', () => measureZone(zone as never)],
    ['ZoneIndex', 'zones[0].', () => new ZoneIndex([{ id: 'a', ...zone } as never])],
    ['validateGeozone', '', () => validateGeozone(zone)],
  ])('%s says what to write', (_, prefix, work) => {
    expect(errorsOf(work)).toContainEqual(
      expect.objectContaining({ field: prefix + field, message: expect.stringContaining(said) as string }),
    );
  });
});

test('a time in seconds', () => {
  const fix = { time: Date.UTC(2026, 0, 1) / 1000, lon: 37, lat: 55 };
  expect(errorsOf(() => validateFix(fix))).toMatchObject([
    { field: 'time', message: 'expected epoch milliseconds, received 1767225600; seconds? multiply by 1000' },
  ]);
  for (const time of [0, 1e12, -1e12, 5e11]) expect(validateFix({ ...fix, time }).time).toBe(time);
});

test('the value of a reader is written as it is', () => {
  const { value } = fromCsv('name;lat;lon;radius_m\nA;55;37;100\n');
  expect(toKml(value)).toContain('<name>A</name>');
});
