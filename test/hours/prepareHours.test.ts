import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Hours, prepareHours } from '../../src/hours/index.js';
import { volume } from '../volume.js';
import { holidaysOf, hoursArbitrary, ZONES } from './hoursArbitrary.js';
import { slowSpans } from './slowHours.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Around clock changes of the zones, and the date that Apia skipped. */
const NEAR = [
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '2026-10-25',
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
  '2026-04-05',
];
const NEAR_TIMES = NEAR.map((day) => Date.parse(`${day}T00:00:00Z`));

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return [(error as { code: string }).code, (error as { field: string }).field];
  }
};

describe('prepareHours equals Temporal', () => {
  const cases = fc.record({
    hours: hoursArbitrary(NEAR),
    timeZone: fc.constantFrom(...ZONES),
    holidays: fc.subarray(NEAR).map(holidaysOf),
    from: fc.tuple(fc.constantFrom(...NEAR_TIMES), fc.integer({ min: -6 * 24 * 4, max: 6 * 24 * 4 })),
    days: fc.integer({ min: 0, max: 40 }),
  });

  test('in spans, isOpen and nextChange', () => {
    fc.assert(
      fc.property(cases, ({ hours, timeZone, holidays, from: [near, quarters], days }) => {
        const prepared = prepareHours(hours, { timeZone, holidays });
        const from = near + quarters * 15 * 60_000;
        const to = from + days * DAY;
        const slow = slowSpans(hours, timeZone, holidays, from, to);
        expect(prepared.spans(from, to).map((span) => [span.from, span.to])).toEqual(slow);
        for (const time of [from, ...slow.flat().flatMap((edge) => [edge - 1, edge])]) {
          const isOpen = slow.some(([a, b]) => a <= time && time < b);
          if (time >= from && time < to) expect(prepared.isOpen(time)).toBe(isOpen);
        }
        if (days > 0) {
          const change = slow.flat().find((edge) => edge > from && edge < to);
          const next = prepared.nextChange(from);
          if (change === undefined) expect(next === null || next >= to).toBe(true);
          else expect(next).toBe(change);
        }
      }),
      { numRuns: volume(4000), seed: 20_261_125 },
    );
  });

  test('spans of two halves join to the whole', () => {
    fc.assert(
      fc.property(cases, fc.nat(1000), ({ hours, timeZone, holidays, from: [near], days }, share) => {
        const prepared = prepareHours(hours, { timeZone, holidays });
        const [a, c] = [near, near + days * DAY];
        const b = a + Math.round(((c - a) * share) / 1000);
        const [left, right] = [prepared.spans(a, b), prepared.spans(b, c)];
        const joined = [...left];
        for (const span of right) {
          if (joined.at(-1)?.to === span.from) joined.push({ from: joined.pop()!.from, to: span.to });
          else joined.push(span);
        }
        expect(joined).toEqual(prepared.spans(a, c));
      }),
      { numRuns: volume(2000), seed: 20_261_125 },
    );
  });
});

describe('hours', () => {
  const utc = (hours: Hours) => prepareHours(hours, { timeZone: 'UTC' });
  const monday = Date.UTC(2026, 2, 2);

  test('are open always without rules, and never with an empty week', () => {
    expect(utc({}).nextChange(monday)).toBe(null);
    expect(utc({}).isOpen(monday)).toBe(true);
    expect(utc({ weekly: [] }).isOpen(monday)).toBe(false);
    expect(utc({ weekly: [] }).nextChange(monday)).toBe(null);
    expect(utc({ weekly: [] }).spans(monday, monday + 1000 * DAY)).toEqual([]);
  });

  test('run past midnight into a closed date, and equal times mean 24 hours', () => {
    const night = utc({
      weekly: [{ days: [1], from: '22:00', to: '06:00' }],
      dates: [{ date: '2026-03-03', hours: [] }],
    });
    expect(night.spans(monday, monday + 2 * DAY)).toEqual([
      { from: monday + 22 * HOUR, to: monday + 30 * HOUR },
    ]);
    const whole = utc({ weekly: [{ days: [1], from: '08:00', to: '08:00' }] });
    expect(whole.spans(monday, monday + 7 * DAY)).toEqual([
      { from: monday + 8 * HOUR, to: monday + 32 * HOUR },
    ]);
  });

  test('end with validTo at the end of its day, and never change after it', () => {
    const night = utc({ weekly: [{ days: [1], from: '22:00', to: '06:00' }], validTo: '2026-03-02' });
    expect(night.nextChange(monday + 23 * HOUR)).toBe(monday + DAY);
    expect(night.nextChange(monday + DAY)).toBe(null);
  });

  test('of a date far away are found, also across constant years', () => {
    const far = { date: '9999-12-31', hours: [{ from: '10:00', to: '24:00' }] };
    const open = Date.parse('9999-12-31T10:00:00Z');
    expect(utc({ weekly: [], dates: [far] }).nextChange(monday)).toBe(open);
    expect(utc({ weekly: [], dates: [far] }).nextChange(open)).toBe(null);
    expect(utc({ dates: [far] }).nextChange(monday)).toBe(Date.parse('9999-12-31T00:00:00Z'));
    expect(utc({ validFrom: '2500-01-01' }).nextChange(monday)).toBe(Date.UTC(2500, 0, 1));
    expect(utc({ validTo: '2500-01-01' }).nextChange(monday)).toBe(Date.UTC(2500, 0, 2));
    expect(
      utc({ weekly: [{ days: [3], from: '01:00', to: '02:00' }], validFrom: '2500-01-01' }).nextChange(0),
    ).toBe(Date.UTC(2500, 0, 6, 1));
  });

  test('beyond the year 9999 are closed', () => {
    expect(utc({}).isOpen(8.64e15)).toBe(false);
    expect(utc({}).nextChange(8.64e15)).toBe(null);
    expect(utc({}).spans(monday, 8.64e15)).toEqual([{ from: monday, to: Date.UTC(10_000, 0, 1) }]);
  });

  test('of any week have the same sum in every week without clock change, date or holiday', () => {
    fc.assert(
      fc.property(
        hoursArbitrary(NEAR),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 1, max: 9 }),
        (given, timeZone, week) => {
          const { weekly } = given;
          const hours = prepareHours(weekly === undefined ? {} : { weekly }, { timeZone });
          // From June to August 2026 no clock of these zones changes. The weeks begin at any time, as long as it is the same one.
          const first = Date.UTC(2026, 5, 8, 3);
          const sumOf = (from: number): number =>
            hours.spans(from, from + 7 * DAY).reduce((sum, span) => sum + span.to - span.from, 0);
          expect(sumOf(first + week * 7 * DAY)).toBe(sumOf(first));
        },
      ),
      { numRuns: volume(1000), seed: 385 },
    );
  });

  test('of a week have the same sum in every ordinary week', () => {
    const { spans } = { spans: utc({ weekly: [{ days: [1, 3], from: '20:00', to: '05:30' }] }) };
    const sums = [0, 1, 2, 3, 100].map((week) =>
      spans
        .spans(monday + week * 7 * DAY, monday + (week + 1) * 7 * DAY)
        .reduce((sum, { from, to }) => sum + to - from, 0),
    );
    expect(new Set(sums)).toEqual(new Set([19 * HOUR]));
  });

  const day = (from: unknown, to: unknown) => ({ weekly: [{ days: [1], from, to }] });
  test.each([
    [null, 'hours-invalid', 'hours'],
    [{ weekly: {} }, 'hours-invalid', 'weekly'],
    [{ weekly: [{ days: [], from: '08:00', to: '09:00' }] }, 'hours-invalid', 'weekly[0].days'],
    [{ weekly: [{ days: [0], from: '08:00', to: '09:00' }] }, 'hours-invalid', 'weekly[0].days[0]'],
    [{ weekly: [{ days: [1.5], from: '08:00', to: '09:00' }] }, 'hours-invalid', 'weekly[0].days[0]'],
    [day('8:00', '09:00'), 'hours-invalid', 'weekly[0].from'],
    [day('24:00', '09:00'), 'hours-invalid', 'weekly[0].from'],
    [day('08:00', '24:01'), 'hours-invalid', 'weekly[0].to'],
    [day('08:00', 9), 'hours-invalid', 'weekly[0].to'],
    [{ weeekly: [] }, 'hours-invalid', 'weeekly'],
    [{ dates: [{ date: '2026-02-29', hours: [] }] }, 'hours-invalid', 'dates[0].date'],
    [{ dates: [{ date: '2026-02-28' }] }, 'hours-invalid', 'dates[0].hours'],
    [{ dates: ['a', 'b'].map(() => ({ date: '2026-02-28', hours: [] })) }, 'hours-invalid', 'dates[1].date'],
    [{ validFrom: '2026-02-02', validTo: '2026-02-01' }, 'hours-invalid', 'validFrom'],
    [{ holidayHours: [{ from: '08:00' }] }, 'hours-invalid', 'holidayHours[0].to'],
  ])('%j are %s at %s', (hours, code, field) => {
    expect(codeOf(() => prepareHours(hours as Hours, { timeZone: 'UTC' }))).toEqual([code, field]);
  });

  test('need a time zone, real holidays and real times', () => {
    expect(codeOf(() => prepareHours({}, {} as never))).toEqual(['tz-unknown', 'options.timeZone']);
    const holidays = [{ year: 2026, days: ['02.29'] }];
    const options = { timeZone: 'UTC', holidays };
    expect(codeOf(() => prepareHours({}, options))).toEqual(['hours-invalid', 'holidays[0].days[0]']);
    expect(codeOf(() => utc({}).isOpen(Number.NaN))).toEqual(['time-range', 'time']);
    expect(codeOf(() => utc({}).spans(1, 0))).toEqual(['time-range', 'to']);
  });
});
