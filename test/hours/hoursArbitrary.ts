/** Random opening hours. */

import fc from 'fast-check';
import type { Hours, YearHolidays } from '../../src/hours/index.js';

const two = (value: number): string => String(value).padStart(2, '0');
const minute = fc.constantFrom(0, 0, 15, 30, 59);
const clock = fc.tuple(fc.nat(23), minute).map(([h, m]) => `${two(h)}:${two(m)}`);
const range = fc.record({ from: clock, to: fc.oneof(clock, fc.constant('24:00')) });
const ranges = fc.array(range, { maxLength: 3 });
const date = fc
  .integer({ min: Date.UTC(2011, 11, 20) / 86_400_000, max: Date.UTC(2026, 11, 31) / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

export const ZONES: readonly string[] = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'Africa/Casablanca',
];

export function hoursArbitrary(near: readonly string[]): fc.Arbitrary<Hours> {
  const day = fc.oneof(fc.constantFrom(...near), date);
  return fc
    .record(
      {
        weekly: fc.array(
          fc
            .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), range)
            .map(([days, { from, to }]) => ({ days, from, to })),
          { maxLength: 5 },
        ),
        holidayHours: ranges,
        dates: fc.uniqueArray(fc.record({ date: day, hours: ranges }), {
          maxLength: 4,
          selector: (entry) => entry.date,
        }),
        valid: fc.tuple(day, day).map((pair) => pair.sort()),
      },
      { requiredKeys: [] },
    )
    .map(({ valid, ...hours }) => ({ ...hours, ...(valid && { validFrom: valid[0]!, validTo: valid[1]! }) }));
}

export function holidaysOf(days: readonly string[]): YearHolidays[] {
  const years = [...new Set(days.map((day) => Number(day.slice(0, 4))))];
  return years.map((year) => ({
    year,
    days: days.filter((day) => Number(day.slice(0, 4)) === year).map((day) => day.slice(5).replace('-', '.')),
  }));
}
