import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareHours, splitByHours } from '../../src/hours/index.js';
import { volume } from '../volume.js';
import { hoursArbitrary } from './hoursArbitrary.js';
import { slowSpans } from './slowHours.js';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 2, 2);
const day = prepareHours({ weekly: [{ days: [1], from: '08:00', to: '17:00' }] }, { timeZone: 'UTC' });
const at = (hours: number): number => MONDAY + hours * HOUR;
const split = (enter: number, exit: number | null, options?: { until: number }) =>
  splitByHours([{ zoneId: 'yard', enter, exit }], () => day, options).map(({ from, to, open }) => [
    (from - MONDAY) / HOUR,
    (to - MONDAY) / HOUR,
    open,
  ]);

describe('splitByHours', () => {
  test('covers each visit once, by Temporal', () => {
    const visits = fc.array(
      fc.tuple(fc.integer({ min: -200, max: 200 }), fc.nat(120)).map(([enter, length]) => ({
        zoneId: 'yard',
        enter: MONDAY + enter * HOUR,
        exit: MONDAY + (enter + length) * HOUR,
      })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(hoursArbitrary(['2026-03-02', '2026-03-08']), visits, (hours, list) => {
        const timeZone = 'America/New_York';
        const prepared = prepareHours(hours, { timeZone });
        const parts = splitByHours(list, () => prepared);
        for (const [i, { enter, exit }] of list.entries()) {
          const own = parts.filter((part) => part.visit === i);
          expect(own[0]!.from).toBe(enter);
          expect(own.at(-1)!.to).toBe(exit);
          for (let k = 1; k < own.length; k++) {
            expect(own[k]!.from).toBe(own[k - 1]!.to);
            expect(own[k]!.open).toBe(!own[k - 1]!.open);
          }
          const open = own
            .filter((part) => part.open && part.to > part.from)
            .map(({ from, to }) => [from, to]);
          expect(open).toEqual(slowSpans(hours, timeZone, [], enter, exit));
        }
        expect(parts.map(({ visit }) => visit)).toEqual(
          parts.map(({ visit }) => visit).sort((a, b) => a - b),
        );
      }),
      { numRuns: volume(1000), seed: 20_261_125 },
    );
  });

  test('cuts at opening and closing, half-open', () => {
    expect(split(at(7), at(18))).toEqual([
      [7, 8, false],
      [8, 17, true],
      [17, 18, false],
    ]);
    expect(split(at(8), at(17))).toEqual([[8, 17, true]]);
    expect(split(at(17), at(17))).toEqual([[17, 17, false]]);
    expect(split(at(8), at(8))).toEqual([[8, 8, true]]);
  });

  test('ends an open visit at until, and needs it', () => {
    expect(split(at(16), null, { until: at(17) })).toEqual([[16, 17, true]]);
    expect(() => split(at(16), null)).toThrow('visits[0]');
    expect(() => split(at(16), null, { until: at(15) })).toThrow('visits[0]');
  });

  test('takes a zone without hours as open', () => {
    const visit = { zoneId: 'a', enter: 0, exit: 1e12 };
    expect(splitByHours([visit], () => null)).toEqual([
      { zoneId: 'a', visit: 0, from: 0, to: 1e12, open: true },
    ]);
    expect(splitByHours([], () => null)).toEqual([]);
  });

  test('refuses what is not a visit, a function or hours', () => {
    const visit = { zoneId: 'a', enter: 5, exit: 1 };
    expect(() => splitByHours([visit], () => null)).toThrow('at or after enter');
    expect(() => splitByHours([{ ...visit, enter: Number.NaN }], () => null)).toThrow('epoch milliseconds');
    expect(() => splitByHours({} as never, () => null)).toThrow('an array of visits');
    expect(() => splitByHours([], {} as never)).toThrow('a function');
    expect(() => splitByHours([{ ...visit, exit: 9 }], () => ({}) as never)).toThrow('prepareHours');
  });
});
