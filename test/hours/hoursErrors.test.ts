/** What bad hours, holidays, visits and times are answered: the code, the path of the value, and what was expected. */

import { describe, expect, test } from 'vitest';
import { fromOpeningHours, type Hours, prepareHours, splitByHours } from '../../src/hours/index.js';

interface CodedError {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

function errorOf(run: () => unknown): CodedError {
  try {
    run();
  } catch (error) {
    return error as CodedError;
  }
  return expect.unreachable('expected an error');
}

function expectError(run: () => unknown, code: string, field: string, expected: string): void {
  const error = errorOf(run);
  expect([error.code, error.field]).toEqual([code, field]);
  expect(error.message).toContain(`expected ${expected}, received`);
}

const EIGHT = { from: '08:00', to: '09:00' };
const DAY = 86_400_000;
const TIME = 'a time HH:mm';
const DATE = 'a date yyyy-MM-dd that exists';
const DAY_OF_WEEK = 'a day from 1 (Monday) to 7 (Sunday)';
const HOLIDAY = 'a day MM.dd of its year';

describe('hours', () => {
  const bad: readonly (readonly [hours: unknown, field: string, expected: string])[] = [
    [null, 'hours', 'an object'],
    ['08:00', 'hours', 'an object'],
    [[], 'hours', 'an object'],
    [{ weeekly: [] }, 'weeekly', 'one of the fields weekly, holidayHours, dates, validFrom, validTo'],
    [{ weekly: 1 }, 'weekly', 'an array'],
    [{ weekly: [7] }, 'weekly[0]', 'an object'],
    [{ weekly: [{ ...EIGHT, days: [1], day: 1 }] }, 'weekly[0].day', 'one of the fields days, from, to'],
    [{ weekly: [{ ...EIGHT }] }, 'weekly[0].days', 'an array'],
    [{ weekly: [{ ...EIGHT, days: [] }] }, 'weekly[0].days', 'at least one day'],
    ...[0, 8, 1.5, '1', null].map(
      (day) =>
        [{ weekly: [{ ...EIGHT, days: [1, day] }] }, 'weekly[0].days[1]', DAY_OF_WEEK] as [
          unknown,
          string,
          string,
        ],
    ),
    ...['8:00', '24:00', '08:60', '108:00', '08:00 ', 8, undefined, ['08:00']].map(
      (from) =>
        [{ weekly: [{ days: [1], from, to: '09:00' }] }, 'weekly[0].from', TIME] as [unknown, string, string],
    ),
    ...['24:01', '9:00', '109:00', '09:000', 9, ['09:00']].map(
      (to) =>
        [{ holidayHours: [{ from: '08:00', to }] }, 'holidayHours[0].to', `${TIME} up to 24:00`] as [
          unknown,
          string,
          string,
        ],
    ),
    [{ holidayHours: [EIGHT, 'x'] }, 'holidayHours[1]', 'an object'],
    [{ holidayHours: [{ ...EIGHT, days: [1] }] }, 'holidayHours[0].days', 'one of the fields from, to'],
    [{ dates: {} }, 'dates', 'an array'],
    [{ dates: [{ date: '2026-03-01', hour: [] }] }, 'dates[0].hour', 'one of the fields date, hours'],
    [{ dates: [{ date: '2026-03-01' }] }, 'dates[0].hours', 'an array'],
    [{ dates: [{ date: '2026-03-01', hours: [3] }] }, 'dates[0].hours[0]', 'an object'],
    ...['2026-02-29', '2026-3-1', '2026-03-01T00:00', '0000-01-01', 20260301, ['2026-03-01']].map(
      (date) => [{ dates: [{ date, hours: [] }] }, 'dates[0].date', DATE] as [unknown, string, string],
    ),
    [{ dates: [1, 2].map(() => ({ date: '2026-02-28', hours: [] })) }, 'dates[1].date', 'each date once'],
    [{ validFrom: 'today' }, 'validFrom', DATE],
    [{ validTo: '2026-13-01' }, 'validTo', DATE],
    [{ validFrom: '2026-02-02', validTo: '2026-02-01' }, 'validFrom', 'a date at or before validTo'],
  ];

  test.each(bad)('%j', (hours, field, expected) => {
    expectError(() => prepareHours(hours as Hours, { timeZone: 'UTC' }), 'hours-invalid', field, expected);
  });

  test('what was received is shown', () => {
    const messageOf = (hours: unknown): string =>
      errorOf(() => prepareHours(hours as Hours, { timeZone: 'UTC' })).message;
    const date = '2026-02-28';
    expect(messageOf({ dates: [1, 2].map(() => ({ date, hours: [] })) })).toContain(`received "${date}"`);
    expect(messageOf({ validFrom: '2026-02-02', validTo: '2026-02-01' })).toContain('received "2026-02-02"');
    expect(messageOf({ weekly: [{ ...EIGHT, days: [] }] })).toContain('received an array');
  });

  test('a date has no time', () => {
    for (const date of ['2026-03-01 00:00', '2026-03-01 12:00:00']) {
      const hours: Hours = { dates: [{ date, hours: [] }] };
      expectError(() => prepareHours(hours, { timeZone: 'UTC' }), 'hours-invalid', 'dates[0].date', DATE);
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'a week of which day %d is open changes at its ends, week after week',
    (day) => {
      const schedule = prepareHours(
        { weekly: [{ days: [day], from: '00:00', to: '24:00' }] },
        { timeZone: 'UTC' },
      );
      // 2024-01-01 was a Monday.
      const monday = Date.UTC(2024, 0, 1);
      for (let week = -30; week < 30; week++) {
        const from = monday + (7 * week + day - 1) * DAY;
        expect(schedule.nextChange(from - 1)).toBe(from);
        expect(schedule.nextChange(from)).toBe(from + DAY);
        expect(schedule.nextChange(from + DAY)).toBe(from + 7 * DAY);
        expect(schedule.spans(from - DAY, from + 3 * DAY)).toEqual([{ from, to: from + DAY }]);
      }
    },
  );

  test('the last change is before the year 10000', () => {
    const end = Date.UTC(10_000, 0, 1);
    const schedule = prepareHours(
      { weekly: [{ days: [5], from: '00:00', to: '24:00' }] },
      { timeZone: 'UTC' },
    );
    // 9999-12-31 is a Friday.
    expect(schedule.nextChange(end - 2 * DAY)).toBe(end - DAY);
    expect(schedule.nextChange(end - DAY)).toBeNull();
    expect(schedule.nextChange(end + 100 * DAY)).toBeNull();
    expect(schedule.isOpen(end)).toBe(false);
    expect(schedule.spans(end - 10 * DAY, end + 10 * DAY)).toEqual(
      [end - 8 * DAY, end - DAY].map((from) => ({ from, to: from + DAY })),
    );
  });

  test('absent fields are those that were left out, `null` too', () => {
    const hours = { weekly: null, holidayHours: null, dates: null, validFrom: null, validTo: null };
    const schedule = prepareHours(hours as unknown as Hours, { timeZone: 'UTC', holidays: null } as never);
    expect(schedule.isOpen(Date.UTC(2026, 0, 1))).toBe(true);
  });

  test('one day of validity is a day', () => {
    const day = { validFrom: '2026-02-02', validTo: '2026-02-02' };
    const schedule = prepareHours(day, { timeZone: 'UTC' });
    const from = Date.UTC(2026, 1, 2);
    const to = Date.UTC(2026, 1, 3);
    expect(schedule.spans(from - 1e9, to + 1e9)).toEqual([{ from, to }]);
    expect([schedule.nextChange(from - 1), schedule.nextChange(from), schedule.nextChange(to)]).toEqual([
      from,
      to,
      null,
    ]);
  });
});

describe('holidays', () => {
  const closed: Hours = { holidayHours: [] };
  const bad: readonly (readonly [holidays: unknown, field: string, expected: string])[] = [
    [{}, 'holidays', 'an array'],
    [[1], 'holidays[0]', 'an object'],
    ...[0, 10_000, 2026.5, '2026', null].map(
      (year) =>
        [[{ year, days: [] }], 'holidays[0].year', 'a year from 1 to 9999'] as [unknown, string, string],
    ),
    [[{ year: 2026 }], 'holidays[0].days', 'an array'],
    ...['02.29', '00.10', '13.01', '01.00', '01.32', '1.1', '101.01', '01.011', 101, null, ['01.01']].map(
      (day) =>
        [[{ year: 2026, days: ['01.01', day] }], 'holidays[0].days[1]', HOLIDAY] as [unknown, string, string],
    ),
  ];

  test.each(bad)('%j', (holidays, field, expected) => {
    const options = { timeZone: 'UTC', holidays } as never;
    expectError(() => prepareHours(closed, options), 'hours-invalid', field, expected);
  });

  test.each([
    [1, '01.01'],
    [999, '02.28'],
    [2024, '02.29'],
    [9999, '12.31'],
    [2026, '04.30'],
  ])('%d %s is a holiday, and only it', (year, day) => {
    const schedule = prepareHours(closed, { timeZone: 'UTC', holidays: [{ year, days: [day] }] });
    const [month, date] = day.split('.');
    const noon = Date.parse(`${String(year).padStart(4, '0')}-${month}-${date}T12:00:00Z`);
    expect([-1, 0, 1].map((days) => schedule.isOpen(noon + days * 86_400_000))).toEqual([
      !(year === 1),
      false,
      !(year === 9999),
    ]);
  });

  test('without hours of holidays a holiday is a day as others', () => {
    const hours: Hours = { weekly: [{ days: [4], ...EIGHT }] };
    const options = { timeZone: 'UTC', holidays: [{ year: 2026, days: ['01.01'] }] };
    expect(prepareHours(hours, options).isOpen(Date.UTC(2026, 0, 1, 8))).toBe(true);
  });
});

describe('times', () => {
  const schedule = prepareHours({}, { timeZone: 'UTC' });
  test.each([
    [() => schedule.isOpen('now' as never), 'time'],
    [() => schedule.isOpen([0] as never), 'time'],
    [() => schedule.nextChange(Number.NaN), 'time'],
    [() => schedule.nextChange(8.64e15 + 1), 'time'],
    [() => schedule.spans(null as never, 0), 'from'],
    [() => schedule.spans(0, Number.POSITIVE_INFINITY), 'to'],
  ])('%# is not epoch ms', (run, field) => {
    expectError(run, 'time-range', field, 'epoch milliseconds');
  });

  test('a span ends at or after it begins', () => {
    expectError(() => schedule.spans(1, 0), 'time-range', 'to', 'a time at or after from');
    expect(schedule.spans(1, 1)).toEqual([]);
  });
});

describe('visits', () => {
  const always = (): null => null;
  const visit = { zoneId: 'z', enter: 1000, exit: 2000 };
  const bad: readonly (readonly [visits: unknown, code: string, field: string, expected: string])[] = [
    [{}, 'visits-type', 'visits', 'an array of visits'],
    [[visit, null], 'visits-type', 'visits[1]', 'a visit'],
    [['v'], 'visits-type', 'visits[0]', 'a visit'],
    [[undefined], 'visits-type', 'visits[0]', 'a visit'],
    [[{ ...visit, zoneId: 5 }], 'visits-type', 'visits[0].zoneId', 'a text'],
    [[{ ...visit, enter: 'x' }], 'time-range', 'visits[0].enter', 'epoch milliseconds'],
    [[visit, { ...visit, exit: 'x' }], 'time-range', 'visits[1].exit', 'epoch milliseconds'],
    [[{ ...visit, exit: 999 }], 'time-range', 'visits[0].exit', 'a time at or after enter'],
    [
      [{ ...visit, enter: -5, exit: null }],
      'option-value',
      'options.until',
      'a time at or after the enter of visits[0], which is open',
    ],
    [
      [{ ...visit, exit: null }],
      'option-value',
      'options.until',
      'a time at or after the enter of visits[0], which is open',
    ],
  ];

  test.each(bad)('%j', (visits, code, field, expected) => {
    expectError(() => splitByHours(visits as never, always), code, field, expected);
  });

  test('`until` is a time, not before an open visit', () => {
    const open = [{ ...visit, exit: null }];
    const split = (until: unknown): unknown => splitByHours(open, always, { until } as never);
    const which = 'a time at or after the enter of visits[0], which is open';
    expectError(() => split('x'), 'time-range', 'options.until', 'epoch milliseconds');
    expectError(() => split(999), 'option-value', 'options.until', which);
    expect(errorOf(() => split(999)).message).toContain('received 999');
    expect(errorOf(() => splitByHours(open, always)).message).toContain('received undefined');
    expect(split(1000)).toEqual([{ zoneId: 'z', visit: 0, from: 1000, to: 1000, open: true }]);
    const { exit: _, ...absent } = visit;
    expect(splitByHours([absent] as never, always, { until: 3000 })).toMatchObject([
      { from: 1000, to: 3000 },
    ]);
  });

  test('`hoursOf` is a function', () => {
    expectError(() => splitByHours([], {} as never), 'option-type', 'hoursOf', 'a function');
  });
});

describe('fromOpeningHours', () => {
  test('takes a text', () => {
    expectError(() => fromOpeningHours(5 as never), 'hours-invalid', 'text', 'a text');
  });

  test.each([
    ['08:00-24:00', [{ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '24:00' }]],
    ['Mo 02:00-26:00', [{ days: [1], from: '02:00', to: '02:00' }]],
    ['Mo 22:00-24:30', [{ days: [1], from: '22:00', to: '00:30' }]],
    ['Mo 00:00-00:00', [{ days: [1], from: '00:00', to: '00:00' }]],
    ['Mo,Mo 08:00-09:00', [{ days: [1], from: '08:00', to: '09:00' }]],
    ['Mo 08:00-09:00,08:00-09:00', [{ days: [1], from: '08:00', to: '09:00' }]],
    ['Mo 08:00-09:00;', [{ days: [1], from: '08:00', to: '09:00' }]],
  ])('%s', (text, weekly) => {
    expect(fromOpeningHours(text)).toEqual({ value: { weekly }, issues: [] });
  });

  test.each([
    ['Mo 08:00-09:00; ;', 1, ''],
    [' ; Mo 08:00-09:00', 0, ''],
    ['', 0, ''],
    ['Mo 01:59-26:00', 0, 'Mo 01:59-26:00'],
    ['Mo 08:00-26:01', 0, 'Mo 08:00-26:01'],
    ['Mo 24:00-25:00', 0, 'Mo 24:00-25:00'],
    ['  PH-Mo off ', 0, 'PH-Mo off'],
    ['Mo-PH off', 0, 'Mo-PH off'],
    ['Mo- off', 0, 'Mo- off'],
    ['Mo, off', 0, 'Mo, off'],
    ['Mo,', 0, 'Mo,'],
    ['Mo-', 0, 'Mo-'],
    ['Mo', 0, 'Mo'],
    ['Mo 24/7', 0, 'Mo 24/7'],
    ['24/7 off', 0, '24/7 off'],
    ['Mo 08:00,09:00', 0, 'Mo 08:00,09:00'],
    ['Mo 08:00-09:00-10:00-11:00', 0, 'Mo 08:00-09:00-10:00-11:00'],
    ['Mo 08:00-', 0, 'Mo 08:00-'],
    ['Mo off,closed', 0, 'Mo off,closed'],
  ])('nothing of %j is read', (text, rule, received) => {
    const { value, issues } = fromOpeningHours(text);
    expect(value).toBeNull();
    expect(issues).toEqual([
      {
        code: 'hours-unsupported',
        severity: 'error',
        field: `rules[${rule}]`,
        message: `expected days and times such as "Mo-Fr 08:00-17:00", received the rule ${JSON.stringify(received)}`,
      },
    ]);
  });
});
