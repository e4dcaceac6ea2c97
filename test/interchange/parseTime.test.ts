import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTime } from '../../src/interchange/common/parseTime.js';
import { volume } from '../volume.js';

describe('parseTime', () => {
  test.each([
    ['2015-03-07T10:03:34-06:00', '2015-03-07T16:03:34.000Z'],
    ['2015-03-07 10:03:34Z', '2015-03-07T10:03:34.000Z'],
    ['2015-03-07T10:03Z', '2015-03-07T10:03:00.000Z'],
    ['20150307T100334Z', '2015-03-07T10:03:34.000Z'],
    ['2015-03-07T10:03:34.123456789Z', '2015-03-07T10:03:34.123Z'],
    ['2015-03-07T10:03:34,5+0530', '2015-03-07T04:33:34.500Z'],
    ['2015-12-31T24:00:00Z', '2016-01-01T00:00:00.000Z'],
    ['2016-02-29T00:00:00Z', '2016-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2043-01-01T00:00:00Z', '2043-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseTime(text)).toEqual({ time: Date.parse(iso), note: null });
  });

  test.each([
    '',
    'now',
    '0000-03-13T00:00:00Z',
    '2015-02-30T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2015-13-01T00:00:00Z',
    '2015-01-01T25:00:00Z',
    '2015-01-01T24:00:01Z',
    '2015-01-01T10:60:00Z',
    '2015-01-01T10:00:60Z',
    '2015-01-01T10:00:00+19:00',
    '2015-01-01',
    '1e15',
    '1425722614000',
    '٢٠١٥-01-01T00:00:00Z',
    '9999-12-31T24:00:00Z',
    '9999-12-31T23:00:00-02:00',
    '0001-01-01T00:00:00+01:00',
  ])('%s is not a time', (text) => {
    expect(parseTime(text, 0)).toBeNull();
  });

  test('a leap second is clamped to the millisecond before the next day', () => {
    expect(parseTime('2016-12-31T23:59:60Z')).toEqual({
      time: Date.UTC(2017, 0, 1) - 1,
      note: 'leap-second',
    });
    expect(parseTime('2017-01-01T02:59:60+03:00')?.note).toBe('leap-second');
  });

  test('a time without a zone is null, unless the caller gives its offset', () => {
    expect(parseTime('2015-03-07T10:03:34')).toBeNull();
    expect(parseTime('2015-03-07T10:03:34', 180)).toEqual({
      time: Date.UTC(2015, 2, 7, 7, 3, 34),
      note: 'time-zone-missing',
    });
  });

  test('every text of Date.toISOString is read as its instant', () => {
    const earliest = Date.parse('0001-01-01T00:00:00Z');
    const latest = Date.parse('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.integer({ min: earliest, max: latest }), (time) => {
        expect(parseTime(new Date(time).toISOString())?.time).toBe(time);
      }),
      { numRuns: volume(20_000) },
    );
  });
});
