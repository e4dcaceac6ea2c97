/** Times in two columns, as databases, workbooks and loggers split them: none is read as its day alone. */

import { describe, expect, test } from 'vitest';
import { fromCsv, type TableHints } from '../../src/interchange/index.js';

const DAYS = [25, 25, 26];
const TRUTH = DAYS.map((day, i) => Date.UTC(2026, 7, day, 22, i, 7));
const two = (value: number): string => String(value).padStart(2, '0');

/** A table of three fixes with the halves of their times. */
function table(
  day: (day: number) => string,
  clock: (minute: number) => string,
  header = 'Date,Time',
): string {
  const rows = DAYS.map((own, i) => `A,"${day(own)}","${clock(i)}",55.${i},37`);
  return `Vehicle,${header},Latitude,Longitude\n${rows.join('\n')}\n`;
}

function times(text: string, hints: TableHints): number[] | string[] {
  const { value, issues } = fromCsv(text, { table: { timeZone: 'UTC', ...hints } });
  const fixes = value.tracks[0]?.fixes.map(({ time }) => time);
  return fixes ?? issues.map(({ code }) => code);
}

const CLOCK = (minute: number): string => `22:${two(minute)}:07`;
const DAY = (day: number): string => `2026-08-${day}`;

describe('a day as its midnight, beside a column of times of day', () => {
  test.each<[string, (day: number) => string]>([
    ['ISO', (day) => `2026-08-${day} 00:00:00`],
    ['with a T and a zone', (day) => `2026-08-${day}T00:00:00Z`],
    ['of a zone east of UTC, where it is another day', (day) => `2026-08-${day}T00:00:00.000+03:00`],
    ['with points', (day) => `${day}.08.2026 0:00`],
    ['in hours of twelve', (day) => `8/${day}/2026 12:00:00 AM`],
  ])('%s', (_, day) => {
    expect(times(table(day, CLOCK), {})).toEqual(TRUTH);
  });

  test('midnights alone stay times', () => {
    const text =
      'Vehicle,Time,Latitude,Longitude\nA,2026-08-25 00:00:00,55,37\nA,2026-08-26 00:00:00,55,38\n';
    expect(times(text, {})).toEqual([Date.UTC(2026, 7, 25), Date.UTC(2026, 7, 26)]);
  });

  test('whole times are read before the halves', () => {
    const rows = DAYS.map(
      (day, i) => `A,2026-08-${day} 00:00:00,${CLOCK(i)},2026-08-${day}T22:0${i}:07Z,55,37`,
    );
    const text = `Vehicle,Date,Hour,GPS time,Latitude,Longitude\n${rows.join('\n')}\n`;
    expect(times(text, {})).toEqual(TRUTH);
  });
});

describe('a time of day after a day that stands for none', () => {
  test.each<[string, (minute: number) => string]>([
    ['of Access and OLE', (minute) => `1899-12-30 ${CLOCK(minute)}`],
    ['of SQL Server', (minute) => `1900-01-01 ${CLOCK(minute)}.000`],
    ['of Rails', (minute) => `2000-01-01T${CLOCK(minute)}Z`],
    ['of Unix', (minute) => `01.01.1970 ${CLOCK(minute)}`],
    ['of workbooks from 1904', (minute) => `1904-01-01 ${CLOCK(minute)}`],
    ['in hours of twelve', (minute) => `12/30/1899 10:${two(minute)}:07 PM`],
  ])('%s', (_, clock) => {
    expect(times(table(DAY, clock), {})).toEqual(TRUTH);
    expect(
      times(
        table((day) => `2026-08-${day} 00:00:00`, clock),
        {},
      ),
    ).toEqual(TRUTH);
  });
});

describe('six digits', () => {
  const clock = (minute: number): string => `22${two(minute)}07`;

  test('of Columbus: year first, if the table is not clear the order is asked', () => {
    const text = table((day) => `2608${day}`, clock, 'DATE,TIME');
    expect(times(text, {})).toEqual(TRUTH);
    const one = text.replaceAll('260826', '260825');
    expect(times(one, { dateOrder: 'ymd' })).toEqual([...TRUTH.slice(0, 2), TRUTH[2]! - 86_400_000]);
    const [first] = fromCsv(text.split('\n').slice(0, 2).join('\n')).issues;
    expect(first?.code).toBe('date-order-unknown');
  });

  test('of NMEA: day first', () => {
    expect(
      times(
        table(
          (day) => `${day}0826`,
          (minute) => `${clock(minute)}.00`,
        ),
        { dateOrder: 'dmy' },
      ),
    ).toEqual(TRUTH);
  });

  test('other numbers are no times of day', () => {
    expect(
      times(
        table(DAY, (minute) => `99${two(minute)}07`),
        {},
      ),
    ).toContain('time-invalid');
  });
});

test('epoch nanoseconds by the header', () => {
  const text = 'vehicle,timestamp_ns,lat,lon\nA,1756116000123456789,55,37\nA,1756116010123456789,55,38\n';
  expect(times(text, {})).toEqual([1_756_116_000_123, 1_756_116_010_123]);
});

test('times in no known form are named, not the header', () => {
  const text = 'vehicle,time,lat,lon\nA,2026-08-25 10:00:00 EDT,55,37\n';
  expect(fromCsv(text).issues).toMatchObject([
    { code: 'time-format-unknown', message: expect.stringContaining('EDT') as string },
  ]);
});
