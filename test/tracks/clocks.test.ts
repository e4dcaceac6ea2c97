/** Fixes of wrong clocks: after the reading of the file, or far from all others of their track. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { volume } from '../volume.js';

const DAY = 86_400_000;
const T0 = Date.UTC(2026, 2, 2, 8);
const at = (time: number): Fix => ({ time, lon: 10, lat: 50 });
const minutes = (count: number, from = T0): Fix[] =>
  Array.from({ length: count }, (_, i) => at(from + i * 60_000));

test('a fix more than a day after the reading is left out', () => {
  const fixes = [...minutes(3), at(T0 + DAY), at(T0 + DAY + 1)];
  const track = readTrack(fixes, { readAt: T0 });
  expect([track.length, track.rejected]).toEqual([4, { 'time-implausible': 1 }]);
  expect(readTrack(fixes).length).toBe(5);
  expect(() => readTrack(fixes, { readAt: Number.NaN })).toThrow('NaN');
});

test.each([
  ['before its first satellite', Date.UTC(2000, 0, 1, 0, 0, 5)],
  ['1024 weeks ago', T0 - 7168 * DAY],
  ['of 2041', Date.UTC(2041, 10, 7)],
])('a lone clock %s', (_, time) => {
  const track = readTrack([...minutes(60), at(time)]);
  expect([track.length, track.rejected]).toEqual([60, { 'time-implausible': 1 }]);
  expect(track.issues[0]?.message).toContain(new Date(time).toISOString());
});

test('parts that are alike stay: a fix a month, two tours a year apart', () => {
  const monthly = Array.from({ length: 30 }, (_, i) => at(T0 + i * 31 * DAY));
  expect(readTrack(monthly).length).toBe(30);
  expect(readTrack([...minutes(60), ...minutes(4, T0 + 400 * DAY)]).length).toBe(64);
  expect(readTrack([...minutes(59), ...minutes(3, T0 + 400 * DAY)]).length).toBe(62);
  expect(readTrack([...minutes(60), ...minutes(3, T0 + 400 * DAY)]).length).toBe(60);
});

test('`maxLoneDays` sets the days, and Infinity keeps all', () => {
  const fixes = [...minutes(60), at(T0 + 20 * DAY)];
  expect(readTrack(fixes).length).toBe(61);
  expect(readTrack(fixes, { maxLoneDays: 10 }).length).toBe(60);
  const far = [...minutes(60), at(T0 + 4000 * DAY)];
  expect(readTrack(far, { maxLoneDays: Number.POSITIVE_INFINITY }).length).toBe(61);
});

test('a rollover is repaired before it could be lone', () => {
  const fixes = [...minutes(60), at(T0 + 3_600_000 - 7168 * DAY)];
  const track = readTrack(fixes, { rolloverWindow: [T0, T0 + DAY] });
  expect([track.length, track.rolledOver, track.rejected]).toEqual([61, 1, {}]);
});

test('an accuracy of 0 is unknown: it is no better than another', () => {
  const track = readTrack([
    { ...at(T0), accuracyMeters: 0 },
    { ...at(T0), lon: 11, accuracyMeters: 20 },
  ]);
  expect([track.lon[0], track.accuracyMeters?.[0]]).toEqual([11, 20]);
});

test('the parts that stay are those of the rule, in any order of the fixes', () => {
  const part = fc.record({ days: fc.integer({ min: 1, max: 90 }), size: fc.integer({ min: 1, max: 70 }) });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), (parts, isReversed) => {
      const fixes: Fix[] = [];
      const groups: number[] = [];
      let time = T0;
      for (const [i, { days, size }] of parts.entries()) {
        time += days * DAY;
        if (i === 0 || days > 30) groups.push(0);
        groups[groups.length - 1]! += size;
        for (let k = 1; k <= size; k++) fixes.push(at(time + k * 1000));
        time += size * 1000;
      }
      const greatest = Math.max(...groups);
      const kept = groups.filter((size) => size > 3 || size * 20 > greatest);
      const track = readTrack(isReversed ? fixes.reverse() : fixes);
      expect(track.length).toBe(kept.reduce((sum, size) => sum + size, 0));
    }),
    { numRuns: volume(2000) },
  );
});
