import { expect, test } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { fromOpeningHours } from '../../../src/hours/index.js';
import { distanceMeters, ZoneIndex } from '../../../src/index.js';
import {
  findMeetings,
  findRides,
  findVisits,
  matchRoute,
  meterTrack,
  prepareRoute,
  RouteTracker,
  readTrack,
  SpeedingTracker,
  sumByZone,
  type Track,
} from '../../../src/tracks/index.js';
import { errorOf } from '../../errorOf.js';
import { START, trackOf } from './drivesArbitrary.js';

/** Rules of one sentence in FEATURES.md that random cases seldom reach, each with the answer worked out by hand. */

const at = (seconds: number, meters: number, more: Partial<Fix> = {}): Fix => ({
  time: START + seconds * 1000,
  lon: 37.6,
  lat: 55.7 + meters / 111_320,
  ...more,
});

test('a ride from a zone to itself needs allowCircle', () => {
  const index = new ZoneIndex([
    { id: 'yard', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 },
  ]);
  const visits = findVisits(trackOf([at(0, 0), at(60, 500), at(120, 0)]), index);
  expect(findRides(visits)).toEqual([]);
  expect(findRides(visits, { allowCircle: true })).toHaveLength(1);
});

test('the greatest speed of several spans is that of those with a speed', () => {
  const track = trackOf([at(0, 0, { speedKph: 50 }), at(10, 100, { speedKph: 30 })]);
  const meter = meterTrack(track);
  const sum = (spans: readonly (readonly [number, number])[]): number | null =>
    sumByZone(
      spans.map(([from, to]) => ({ zoneId: 'a', from: START + from * 1000, to: START + to * 1000 })),
      meter,
    )[0]!.measure.maxSpeedKph;
  expect(sum([[20, 30], [0, 10]])).toBe(50); // biome-ignore format: spans
  expect(sum([[0, 10], [20, 30]])).toBe(50); // biome-ignore format: spans
  expect(sum([[5, 10], [0, 10]])).toBe(50); // biome-ignore format: spans
  expect(sum([[20, 30], [40, 50]])).toBe(null); // biome-ignore format: spans
});

test('an hour before midnight that comes again belongs to the day that has begun', () => {
  // In St. John's clocks were set back at 00:01 on 2010-11-07, to 23:01 of the day before.
  const from = Date.UTC(2010, 10, 7, 2, 45);
  const meter = meterTrack(readTrack([]));
  const rows = sumByZone([{ zoneId: 'a', from, to: from + 3_600_000 }], meter, {
    by: 'day',
    timeZone: 'America/St_Johns',
  });
  expect(rows.map(({ period, measure }) => [period, measure.durationSeconds])).toEqual([
    ['2010-11-07', 3600],
  ]);
});

test('closed and off mean the same', () => {
  const weekly = [{ days: [1, 2, 3, 4, 5, 6], from: '08:00', to: '17:00' }];
  for (const word of ['off', 'closed'])
    expect(fromOpeningHours(`Mo-Su 08:00-17:00; Su ${word}`)).toEqual({ value: { weekly }, issues: [] });
});

test('a step over more than maxGapMeters ends a meeting, unless its fixes are near', () => {
  const still = trackOf([at(0, 0), at(100, 0)]);
  const away = trackOf([at(0, 10), at(10, 160), at(20, 10)]);
  const spans = (options: object): unknown =>
    findMeetings(still, away, { meters: 200, ...options }).map(({ from, to, end }) => [
      (from - START) / 1000,
      (to - START) / 1000,
      end,
    ]);
  expect(spans({})).toEqual([[0, 20, 'track']]);
  expect(spans({ maxGapMeters: 100 })).toEqual([[0, 20, 'track']]);
  expect(spans({ maxGapMeters: 100, parkedMeters: 50 })).toEqual([
    [0, 0, 'gap'],
    [10, 10, 'gap'],
    [20, 20, 'track'],
  ]);
  expect(spans({ maxGapMeters: 151, parkedMeters: 50 })).toEqual([[0, 20, 'track']]);
});

test('two units are nearest in mid step, and a fix at the distance itself is together', () => {
  const east = (seconds: number, lon: number): Fix => ({ time: START + seconds * 1000, lon, lat: 0 });
  const [one, other] = [trackOf([east(0, 0), east(60, 0.01)]), trackOf([east(0, 0.01), east(60, 0)])];
  expect(findMeetings(one, other, { meters: 100 })).toMatchObject([
    { minTime: START + 30_000, end: 'apart' },
  ]);
  const meters = distanceMeters([0, 0], [0.001, 0]);
  const still = trackOf([east(0, 0), east(20, 0)]);
  const touching = trackOf([east(0, 0.003), east(10, 0.001), east(20, 0.003)]);
  expect(findMeetings(still, touching, { meters })).toMatchObject([
    { from: START + 10_000, to: START + 10_000, end: 'apart' },
  ]);
});

test('the direction of a route is that of the ground', () => {
  const course = (line: readonly (readonly [number, number])[]): number =>
    prepareRoute(line as never).positionAt(0).courseDegrees;
  // At 60° a degree of longitude is half as long.
  expect(course([[0, 60], [0.002, 60.001]])).toBeCloseTo(45, 0); // biome-ignore format: a line
  expect(course([[0, 0], [0.001, 0.001]])).toBeCloseTo(45.2, 1); // biome-ignore format: a line
  expect(errorOf(() => prepareRoute([[1, 1], [1, 1]]))).toMatchObject({ code: 'line-too-short' }); // biome-ignore format: a line
});

test('a long edge has its places where they are', () => {
  const route = prepareRoute([[10, 60], [12, 60]]); // biome-ignore format: a line
  const half = route.positionAt(route.lengthMeters / 2);
  expect(half.position[0]).toBeCloseTo(11, 9);
  const near = route.nearest([11, 60.01])!;
  expect(near.alongMeters).toBeCloseTo(route.lengthMeters / 2, 3);
  expect(near.offsetMeters).toBeCloseTo(distanceMeters([11, 60], [11, 60.01]), 6);
});

test('a way over a blind step may have been driven unseen', () => {
  const route = prepareRoute([[37.6, 55.7], [37.6, 55.72]]); // biome-ignore format: a line
  // 1,600 m in a minute, off the route in between: no hole unless the step is blind.
  const plain = trackOf([at(0, 0), at(10, 100), { ...at(40, 900), lon: 37.65 }, at(70, 1700), at(80, 1800)]);
  const statuses = (track: Track): string[] =>
    matchRoute(track, route, { widthMeters: 60 }).parts.map(({ status }) => status);
  expect(statuses(plain)).toEqual(['covered', 'missed', 'covered', 'ahead']);
  const blind = Uint8Array.of(0, 0, 1, 1, 0);
  expect(statuses({ ...plain, blind })).toEqual(['covered', 'no_data', 'covered', 'ahead']);
});

test('more than 64 fixes with two places each are decided as the batch decides them', () => {
  const route = prepareRoute([[37.6, 55.7], [37.6, 55.71], [37.6, 55.7], [37.61, 55.7]]); // biome-ignore format: a line
  const drive = (seconds: number, meters: number): Fix => at(seconds, meters);
  const out = Array.from({ length: 90 }, (_, i) => drive(10 * i, 300 + 5 * i));
  const back = Array.from({ length: 90 }, (_, i) => drive(900 + 10 * i, 745 - 5 * i));
  // The end of the route has one place, which decides all before.
  const fixes = [...out, ...back, drive(1900, 0), { ...drive(1930, 0), lon: 37.605 }];
  const tracker = new RouteTracker(route, { widthMeters: 60, frozenSpeedKph: Number.POSITIVE_INFINITY });
  const turns = new Map<string, number>();
  for (const fix of fixes) {
    for (const { type, time, alongMeters } of tracker.push(fix)) {
      if (type !== 'turned' && type !== 'revised') continue;
      const key = `${time} ${alongMeters}`;
      turns.set(key, (turns.get(key) ?? 0) + (type === 'turned' ? 1 : -1));
    }
  }
  const { along: _, ...batch } = matchRoute(readTrack(fixes), route, { widthMeters: 60 });
  expect(tracker.report()).toEqual(batch);
  const left = [...turns].filter(([, count]) => count !== 0);
  const backward = batch.legs.filter(({ direction }) => direction === 'backward');
  expect(left).toEqual(backward.map(({ from, fromMeters }) => [`${from} ${fromMeters}`, 1]));
});

test('of two limits that come with one time the lower counts', () => {
  const limited = (first: number | null, second: number | null): number[] => {
    const tracker = new SpeedingTracker({ latenessSeconds: 60 });
    tracker.push('u', at(0, 0, { speedKph: 90 }), { limitKph: first });
    tracker.push('u', at(0, 1, { speedKph: 90 }), { limitKph: second });
    tracker.push('u', at(10, 250, { speedKph: 90 }), { limitKph: null });
    tracker.push('u', at(20, 500, { speedKph: 90 }));
    return tracker.current('u').flatMap(({ parts }) => parts.map(({ limitKph }) => limitKph));
  };
  expect(limited(60, 80)).toEqual([60]);
  expect(limited(80, 60)).toEqual([60]);
  expect(limited(60, null)).toEqual([60]);
  expect(limited(null, 60)).toEqual([60]);
});

test('an unlimited limit travels in a snapshot', () => {
  const tracker = new SpeedingTracker({ limitKph: 50 });
  tracker.push('u', at(0, 0, { speedKph: 90 }), { limitKph: Number.POSITIVE_INFINITY });
  const restored = SpeedingTracker.restore(JSON.stringify(tracker.snapshot()));
  restored.push('u', at(10, 250, { speedKph: 90 }));
  expect(restored.current('u')).toEqual([]);
});

test('a speed that only the fixes after support is believed once they come', () => {
  const tracker = new SpeedingTracker({ limitKph: 90 });
  // From rest to 120 km/h between two fixes: the fixes before tell of no way.
  const fixes = [at(0, 0, { speedKph: 0 }), at(10, 0.1, { speedKph: 0 }), at(20, 0.2, { speedKph: 120 })];
  for (const fix of fixes) expect(tracker.push('u', fix)).toEqual([]);
  const [begin] = tracker.push('u', at(30, 340, { speedKph: 120 }));
  expect(begin).toMatchObject({ type: 'begin', time: START + 17_500, speeding: { maxKph: 120 } });
});

test('a step as long as maxGapMeters is not longer', () => {
  const track = trackOf([at(0, 0), at(10, 300), at(20, 600)]);
  const meters = distanceMeters([37.6, track.lat[0]!], [37.6, track.lat[1]!]);
  const rest = distanceMeters([37.6, track.lat[1]!], [37.6, track.lat[2]!]);
  const least = Math.max(meters, rest);
  const unmeasured = (maxGapMeters: number): number =>
    meterTrack(track, {}, { maxGapMeters, parkedMeters: 0 }).total().unmeasuredSeconds;
  expect([least, 1.0005 * least, 0.9995 * least].map(unmeasured)).toEqual([0, 0, 20]);
  const still = trackOf([at(0, 0), at(20, 0)]);
  const ends = (maxGapMeters: number): string[] =>
    findMeetings(still, track, { meters: 1000, maxGapMeters, parkedMeters: 0 }).map(({ end }) => end);
  expect(ends(least)).toEqual(['track']);
  expect(ends(0.9995 * least)).toEqual(['gap', 'gap', 'track']);
});
