import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { formatPlatformTime, parsePlatformTime } from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';

const BERLIN = { timeZone: 'Europe/Berlin' };

describe('platform times', () => {
  test('a time in a daylight-saving gap moves forward by the gap; a repeated time means its first occurrence', () => {
    expect(parsePlatformTime('2026-03-29 02:30:00', BERLIN)).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(parsePlatformTime('2026-10-25 02:30:00', BERLIN)).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(formatPlatformTime(Date.UTC(2026, 9, 25, 0, 30), BERLIN)).toBe('2026-10-25 02:30:00');
    expect(formatPlatformTime(Date.UTC(2026, 9, 25, 1, 30), BERLIN)).toBe('2026-10-25 02:30:00');
  });

  test('all forms of a date are read; fractions of a second are dropped', () => {
    const midnight = Date.UTC(2028, 1, 28, 23);
    for (const text of ['2028-02-29', '2028-02-29 00:00', '2028-02-29 00:00:00'])
      expect(parsePlatformTime(text, BERLIN)).toBe(midnight);
    expect(formatPlatformTime(midnight + 999.9, BERLIN)).toBe('2028-02-29 00:00:00');
    expect(formatPlatformTime(-1, { timeZone: 'UTC' })).toBe('1969-12-31 23:59:59');
    expect(formatPlatformTime(Date.parse('0099-01-01T00:00:00Z'), { timeZone: 'UTC' })).toBe(
      '0099-01-01 00:00:00',
    );
  });

  test('parsing and formatting equal Temporal in random zones at random times', () => {
    const zones = [
      'Europe/Moscow',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'UTC',
    ];
    const random = seeded(7);
    for (let i = 0; i < volume(1000); i++) {
      const timeZone = zones[i % zones.length]!;
      const time = Math.floor(random() * 2e9) * 1000;
      const local = Temporal.Instant.fromEpochMilliseconds(time)
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime();
      const text = local.toString({ smallestUnit: 'second' }).replace('T', ' ');
      expect(formatPlatformTime(time, { timeZone })).toBe(text);
      expect(parsePlatformTime(text, { timeZone })).toBe(local.toZonedDateTime(timeZone).epochMilliseconds);
    }
  });

  test.each([
    '',
    '2026-02-30 00:00:00',
    '2026-13-01',
    '2026-01-00',
    '0000-01-01',
    '2026-01-01 24:00:00',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    7,
    null,
  ])('%j is not a platform time', (text) => {
    expect(errorOf(() => parsePlatformTime(text as string, BERLIN))).toMatchObject({
      code: 'time',
      field: 'text',
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, -1e14, '0', null])(
    '%s is not an instant',
    (time) => {
      expect(errorOf(() => formatPlatformTime(time as number, BERLIN))).toMatchObject({
        code: 'time-range',
        field: 'time',
      });
    },
  );

  test('a named time zone is required', () => {
    for (const timeZone of ['+03:00', 'Moscow', undefined])
      for (const run of [
        () => formatPlatformTime(0, { timeZone: timeZone as string }),
        () => parsePlatformTime('2026-01-01', { timeZone: timeZone as string }),
      ])
        expect(errorOf(run)).toMatchObject({ code: 'tz-unknown', field: 'options.timeZone' });
    expect(errorOf(() => formatPlatformTime(0, 'UTC' as never))).toMatchObject({ code: 'option-type' });
  });
});
