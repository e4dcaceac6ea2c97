import fc from 'fast-check';
import OpeningHours from 'opening_hours';
import { describe, expect, test } from 'vitest';
import { fromOpeningHours, prepareHours } from '../../src/hours/index.js';
import { volume } from '../volume.js';

const HOUR = 3_600_000;
/** A Monday, without a clock change within two weeks in any zone in which the tests may run. */
const MONDAY = Date.UTC(2026, 0, 12);

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const two = (value: number): string => String(value).padStart(2, '0');
const day = fc.constantFrom(...DAYS);
const days = fc
  .array(
    fc.oneof(
      day,
      fc
        .tuple(day, day)
        .filter(([a, b]) => a !== b)
        .map((pair) => pair.join('-')),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((list) => list.join(','));
/** Ranges of one rule that do not overlap, and only the last of which may pass midnight. */
const times = fc
  .uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 2, maxLength: 6 })
  .map((list) => list.slice(0, list.length - (list.length % 2)).sort((a, b) => a - b))
  .chain((list) => fc.tuple(fc.constant(list), fc.boolean(), fc.integer({ min: 1, max: 4 })))
  .map(([list, isLate, late]) => {
    const texts = list.map((half) => `${two(Math.floor(half / 2))}:${half % 2 ? '30' : '00'}`);
    if (isLate) texts[texts.length - 1] = `${two(24 + Math.floor(late / 2))}:${late % 2 ? '30' : '00'}`;
    return texts
      .flatMap((from, i) => (i % 2 === 0 ? [`${from}-${texts[i + 1]}`] : []))
      .filter((range) => !isLate || Number(range.slice(0, 2)) > 2)
      .join(',');
  })
  .filter((text) => text !== '');
const rule = fc.oneof(
  fc
    .tuple(days, fc.oneof({ weight: 4, arbitrary: times }, fc.constantFrom('off', 'closed')))
    .map((parts) => parts.join(' ')),
  times,
  fc.constant('24/7'),
);

/** The package adds a rule without days to earlier ones; by FEATURES.md it replaces them on every day. */
function withDays(text: string): string {
  return text
    .split('; ')
    .map((one) => (one === '24/7' ? 'Mo-Su 00:00-24:00' : /^[A-Z]/.test(one) ? one : `Mo-Su ${one}`))
    .join('; ');
}

/** The open spans by the package `opening_hours`, which reckons on the clock of the process. */
function twin(text: string, from: number, to: number): [number, number][] {
  const local = (time: number): Date => {
    const date = new Date(time);
    return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours());
  };
  const wall = (date: Date): number =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes());
  const spans: [number, number][] = [];
  for (const [a, b] of new OpeningHours(text, null).getOpenIntervals(local(from), local(to))) {
    if (spans.at(-1)?.[1] === wall(a)) spans.at(-1)![1] = wall(b);
    else spans.push([wall(a), wall(b)]);
  }
  return spans;
}

describe('fromOpeningHours', () => {
  test('equals the package opening_hours', () => {
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), (rules) => {
        // The package lets a later rule cut what runs into its day from the day before.
        const text = rules.some((one) => /-2[4-9]:[03]/.test(one.replace('24:00', '')))
          ? rules[0]!
          : rules.join('; ');
        const { value, issues } = fromOpeningHours(text);
        expect(issues).toEqual([]);
        const hours = prepareHours(value!, { timeZone: 'UTC' });
        const [from, to] = [MONDAY, MONDAY + 14 * 24 * HOUR];
        expect(hours.spans(from, to).map((span) => [span.from, span.to])).toEqual(
          twin(withDays(text), from, to),
        );
      }),
      { numRuns: volume(2000), seed: 20_261_125 },
    );
  });

  test.each([
    ['24/7', { weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }] }],
    [
      ' Mo - Fr 08:00 - 12:00 , 13:00-17:00 ; ',
      {
        weekly: [
          { days: [1, 2, 3, 4, 5], from: '08:00', to: '12:00' },
          { days: [1, 2, 3, 4, 5], from: '13:00', to: '17:00' },
        ],
      },
    ],
    ['Sa-Mo 10:00-26:00', { weekly: [{ days: [1, 6, 7], from: '10:00', to: '02:00' }] }],
    [
      'Mo-Su,PH 10:00-12:00; We off',
      {
        weekly: [{ days: [1, 2, 4, 5, 6, 7], from: '10:00', to: '12:00' }],
        holidayHours: [{ from: '10:00', to: '12:00' }],
      },
    ],
    ['PH off', { weekly: [], holidayHours: [] }],
    ['PH off; 08:00-09:00', { weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '09:00' }] }],
  ])('reads %j', (text, value) => {
    expect(fromOpeningHours(text)).toEqual({ value, issues: [] });
  });

  test.each([
    '',
    ';',
    'Mo',
    'Mo-Fr',
    'mo 08:00-09:00',
    'SH off',
    'Jan 08:00-09:00',
    'week 1 Mo off',
    'sunrise-sunset',
    'Mo 08:00+',
    'Mo 08:00-09:00 || Tu off',
    'Mo 08:00-09:00 "by appointment"',
    'Mo[1] 08:00-09:00',
    '2026 Dec 25 off',
    'Mo 8:00-9:00',
    'Mo 08:00-27:00',
    'Mo 01:00-26:00',
    'Mo 24:00-25:00',
    'PH-Mo off',
    'Mo-PH off',
    'Mo, 08:00-09:00',
    'Mo 08:00-09:00,',
    'Mo-Fr 08:00-09:00, Sa 10:00-11:00',
    'Mo 24/7',
    'open',
    'Mo off off',
    'Mo 08:61-09:00',
    'Easter off',
    'Mo 08:00',
  ])('does not read %j', (text) => {
    const { value, issues } = fromOpeningHours(text === '' ? text : `${text}; Tu 10:00-11:00`);
    expect(value).toBe(null);
    expect(issues).toMatchObject([{ code: 'hours-unsupported', severity: 'error', field: 'rules[0]' }]);
  });

  test('refuses a value that is not a text', () => {
    expect(() => fromOpeningHours(null as never)).toThrow('expected a text, received null');
  });
});
