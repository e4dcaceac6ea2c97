/** Measured visits of a stream after each fix, where exits wait, zones are left for a while and receivers freeze. */

import { expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { ZoneIndex } from '../../../src/index.js';
import {
  findRides,
  findVisits,
  type MeasuredVisit,
  measureVisits,
  meterTrack,
  readTrack,
  splitByZone,
  sumByZone,
  type Visit,
  VisitTracker,
} from '../../../src/tracks/index.js';
import { errorOf, errorText } from '../../errorOf.js';
import { wkt } from '../../wkt.js';
import { expectClose } from './closeTo.js';
import { START } from './drivesArbitrary.js';
import { meterByStep } from './meterByStep.js';

type Point = readonly [seconds: number, meters: number, speedKph?: number];

const PER_LON = 111_320 * Math.cos((55.7 * Math.PI) / 180);
/** Fixes on a meridian, or a parallel, through a zone of 100 m to both sides of its middle. */
const fixesOf = (points: readonly Point[], isEast = false): Fix[] =>
  points.map(([seconds, meters, speedKph]) => ({
    time: START + seconds * 1000,
    lon: 37.6 + (isEast ? meters / PER_LON : 0),
    lat: 55.7 + (isEast ? 0 : meters / 111_330),
    ...(speedKph !== undefined && { speedKph }),
  }));
const EDGE = 100 / 111_330;
const EAST = 100 / PER_LON;
const EAST_INDEX = new ZoneIndex([
  { id: 'z', type: { key: 'polygon' }, geometry: [[37.6 - EAST, 55.6], [37.6 + EAST, 55.6], [37.6 + EAST, 55.8], [37.6 - EAST, 55.8]] }, // biome-ignore format: a ring
]);
const INDEX = new ZoneIndex([
  { id: 'z', type: { key: 'polygon' }, geometry: [[37.5, 55.7 - EDGE], [37.7, 55.7 - EDGE], [37.7, 55.7 + EDGE], [37.5, 55.7 + EDGE]] }, // biome-ignore format: a ring
]);

function expectSame(actual: readonly MeasuredVisit[], wanted: readonly MeasuredVisit[], about: string): void {
  const bare = (all: readonly MeasuredVisit[]): unknown => all.map((visit) => ({ ...visit, measure: null }));
  expect(bare(actual), about).toEqual(bare(wanted));
  for (const [i, { measure }] of actual.entries()) expectClose(measure, wanted[i]!.measure);
}

/** The visits of a track with their measures, which a tracker has too after each fix of `final`, restored in between. */
function visitsOf(points: readonly Point[], options: object = {}, final = points.length): MeasuredVisit[] {
  visitsAlong(true, points, options, final);
  return visitsAlong(false, points, options, final);
}

function visitsAlong(
  isEast: boolean,
  points: readonly Point[],
  options: object,
  final: number,
): MeasuredVisit[] {
  const fixes = fixesOf(points, isEast);
  const index = isEast ? EAST_INDEX : INDEX;
  // Fixes without speeds may be frozen; with an unlimited speed they are not.
  const reading = { maxJamSeconds: 60, ...(points.length < 20 && { maxSpeedKph: Number.POSITIVE_INFINITY }) };
  const batch = (count: number): MeasuredVisit[] => {
    const track = readTrack(fixes.slice(0, count), reading);
    return measureVisits(findVisits(track, index, options), meterByStep(track));
  };
  let tracker = new VisitTracker(index, { ...options, ...reading, maxAheadSeconds: Number.POSITIVE_INFINITY, measure: true }); // biome-ignore format: one line
  const ended: MeasuredVisit[] = [];
  for (const [i, fix] of fixes.entries()) {
    for (const { type, visit } of tracker.push('u', fix))
      if (type === 'exit') ended.push(visit as MeasuredVisit);
    const text = JSON.stringify(tracker.snapshot());
    if (i < final || i === fixes.length - 1)
      expectSame([...ended, ...(tracker.openVisits('u') as MeasuredVisit[])], batch(i + 1), `after ${i}`);
    expect(JSON.stringify(tracker.snapshot())).toBe(text);
    tracker = VisitTracker.restore(index, text);
    expect(JSON.stringify(tracker.snapshot())).toBe(text);
  }
  return batch(fixes.length);
}

it('a visit whose exit waits is measured up to it, whatever comes after', () => {
  const options = { minOutsideSeconds: 60 };
  const out: Point[] = [[0, 0, 0], [10, 50, 36], [20, 150, 36], [30, 250, 90], [40, 300, 20]]; // biome-ignore format: one line
  const [left] = visitsOf([...out, [50, 400, 36], [100, 900, 36]], options);
  expect(left!.exit).toBe(START + 15_000);
  expect(left!.measure.distanceMeters).toBeCloseTo(100, 0);
  expect(left!.measure.maxSpeedKph).toBe(36);
  const [back] = visitsOf([...out, [50, 50, 36], [60, 0, 5]], options);
  expect(back!.exit).toBe(null);
  expect(back!.measure.maxSpeedKph).toBe(90);
  // It crossed the zone between two fixes, so that no fix was inside.
  visitsOf([[0, -300, 36], [60, 300, 36], [80, 500, 36], [100, 700, 36], [120, 900, 36], [140, 1100, 36]], options); // biome-ignore format: one line
  visitsOf([[0, -300, 36], [60, 300, 36], [80, 0, 36], [100, -300, 36], [170, -900, 36]], options); // biome-ignore format: one line
  // It stays within the buffer, and is gone after the last fix inside.
  const buffer = { exitBufferMeters: 60 };
  const [beyond] = visitsOf([[0, 0, 10], [10, 90, 20], [20, 120, 30], [30, 150, 40], [40, 300, 50]], buffer); // biome-ignore format: one line
  expect(beyond!.measure.maxSpeedKph).toBeLessThan(50);
  visitsOf([[0, 0], [10, 90], [20, 120], [30, 150], [40, 300], [50, 0], [60, 0], [4000, 9000]], { ...buffer, ...options }); // biome-ignore format: one line
  visitsOf([[0, 0], [10, 120], [5000, 90], [5010, 120], [5020, 500]], { ...buffer, minOutsideSeconds: 10 }); // biome-ignore format: one line
});

it('a visit without duration has the speed at its fix, or of the step to it', () => {
  const speed = (points: readonly Point[], i = 0): number | null | undefined =>
    visitsOf(points)[i]?.measure.maxSpeedKph;
  expect(speed([[0, 0, 50]])).toBe(50);
  expect(speed([[0, 0]])).toBe(null);
  // An open visit that begins at the last fix: it lies on the border.
  const border = EDGE * 111_330;
  expect(speed([[0, 200, 30], [10, border, 50]])).toBe(50); // biome-ignore format: one line
  expect(speed([[0, 200], [10, border]])).toBeCloseTo(36, 1); // biome-ignore format: one line
  expect(speed([[0, 200, 30], [10, border, 50], [20, 200, 70]])).toBe(50); // biome-ignore format: one line
  expect(speed([[0, 200], [10, border], [20, 300]])).toBeCloseTo(36, 1); // biome-ignore format: one line
  expect(speed([[0, border], [10, 300]])).toBeCloseTo(72, 1); // biome-ignore format: one line
  expect(speed([[0, border, 20], [10, 300, 90]])).toBe(20); // biome-ignore format: one line
  // After a gap, and before one.
  expect(speed([[0, 0, 30], [4000, 9000, 40], [8000, 0, 50], [12_000, 9000, 60]], 1)).toBe(50); // biome-ignore format: one line
  expect(speed([[0, 0], [4000, 9000], [8000, 0], [12_000, 9000]], 1)).toBe(null); // biome-ignore format: one line
  expect(visitsOf([[0, 0], [10, 300], [20, 0], [30, 300], [40, 0]]).map(({ secondsSinceLast }) => secondsSinceLast)).toEqual([null, 13.334, 13.334]); // biome-ignore format: one line
});

it('a visit in which the receiver froze has no measure of the frozen fixes', () => {
  const frozen = Array.from({ length: 20 }, (_, i): Point => [30 + 30 * i, 50]);
  const awake = [630, 650, 670, 690, 710].map((second): Point => [second, 20 * second]);
  const visits = visitsOf([[0, 0], [10, 50], ...frozen, ...awake], {}, 2);
  expect(visits.map(({ enter, exit }) => [enter, exit])).toEqual([[START, START + 10_000]]);
  // A visit that began in the freeze.
  visitsOf([[0, 300], [10, 50], ...frozen, ...awake], {}, 1);
  visitsOf([[0, 300], [10, 50], ...frozen, ...awake], { minOutsideSeconds: 1000, exitBufferMeters: 20 }, 1);
  // It repeats its place, and no freeze is noticed.
  visitsOf([[0, 0, 0], [10, 50, 18], [20, 50, 0], [30, 50, 0], [40, 80, 10], [50, 150, 20]]); // biome-ignore format: one line
});

it('sums are sorted by period, then by the first span of a zone', () => {
  const track = readTrack(fixesOf([[0, 0], [200_000, 0]])); // biome-ignore format: one line
  const span = (zoneId: string | null, day: number) => ({ zoneId, from: START + day * 86_400_000, to: START + day * 86_400_000 + 1000 }); // biome-ignore format: one line
  const items = [
    span('b', 0),
    span('a', 1),
    span('b', 1),
    span(null, 0),
    span('a', 0),
    span('b', 2),
    span(null, 1),
  ];
  const rows = (by: 'all' | 'day' | 'month') =>
    sumByZone(items, meterTrack(track), { by }).map(({ period, zoneId, count }) =>
      [period, zoneId, count].join(),
    );
  expect(rows('all')).toEqual([',b,3', ',a,2', ',,2']);
  expect(rows('day')).toEqual(['2026-03-02,b,1', '2026-03-02,a,1', '2026-03-02,,1', '2026-03-03,b,1', '2026-03-03,a,1', '2026-03-03,,1', '2026-03-04,b,1']); // biome-ignore format: one line
  expect(rows('month')).toEqual(['2026-03,b,3', '2026-03,a,2', '2026-03,,2']);
});

it('a touch of a zone cuts nothing, and a border that two zones share opens no hole', () => {
  const box = (id: string, south: number, north: number): never =>
    ({ id, type: { key: 'polygon' }, geometry: [[37, 55.7 + south / 111_330], [38, 55.7 + south / 111_330], [38, 55.7 + north / 111_330], [37, 55.7 + north / 111_330]] }) as never; // biome-ignore format: a ring
  const index = new ZoneIndex([box('a', 0, 100), box('b', 100, 200), box('c', 50, 150)]);
  const runs = (points: readonly Point[]) =>
    splitByZone(readTrack(fixesOf(points), { frozenSpeedKph: Number.POSITIVE_INFINITY }), index).map(({ zoneId, from, to }) => [zoneId, (from - START) / 1000, (to - START) / 1000]); // biome-ignore format: one line
  expect(runs([[0, -100], [40, 300]])).toEqual([[null, 0, 10], ['a', 10, 20], ['b', 20, 30], [null, 30, 40]]); // biome-ignore format: one line
  expect(runs([[0, 20], [10, 80]])).toEqual([['a', 0, 10]]); // biome-ignore format: one line
  expect(runs([[0, 20], [10, 20], [20, 20]])).toEqual([['a', 0, 20]]); // biome-ignore format: one line
  expect(runs([[0, 300], [10, 300], [20, 400]])).toEqual([[null, 0, 20]]); // biome-ignore format: one line
  expect(runs([[0, 80], [10, 120], [20, 120], [30, 160]])).toEqual([['a', 0, 5], ['b', 5, 30]]); // biome-ignore format: one line
  // A zone that is crossed in less than half a millisecond.
  const thin = new ZoneIndex([box('a', 0, 100), box('thin', 100, 100.001)]);
  const brief = splitByZone(readTrack(fixesOf([[0, 50], [10, 150]])), thin).map(({ zoneId, from, to }) => [zoneId, from - START, to - START]); // biome-ignore format: one line
  expect(brief).toEqual([['a', 0, 5000], [null, 5000, 10_000]]); // biome-ignore format: one line
  // After a gap it stands elsewhere, also on the same parallel.
  const [here, there] = [37.6, 39].map((lon) => ({ lon, lat: 55.7 + 20 / 111_330 }));
  const moved = [0, 10, 4000, 4010].map((s, i) => ({ time: START + s * 1000, ...(i < 2 ? here! : there!) }));
  expect(splitByZone(readTrack(moved), index)).toMatchObject([
    { zoneId: 'a', to: START + 10_000 },
    { zoneId: null },
  ]);
  // An index of one's own, that counts its edits.
  const own = { at: index.at.bind(index), crossing: index.crossing.bind(index), ordinalOf: index.ordinalOf.bind(index), edits: 0 }; // biome-ignore format: one line
  for (const points of [
    wkt('0 20, 10 80, 20 120, 30 300'),
    wkt('0 -50, 10 -20, 20 20, 30 20'),
  ] as Point[][]) {
    // biome-ignore format: one line
    const track = readTrack(fixesOf(points));
    expect(splitByZone(track, own)).toEqual(splitByZone(track, index));
  }
  expect(runs([[0, 20], [10, 20], [4000, 9000], [4010, 9000]])).toEqual([['a', 0, 10], [null, 10, 4010]]); // biome-ignore format: one line
  expect(runs([[0, 9000], [10, 9000], [4000, 20], [4010, 20]])).toEqual([[null, 0, 4000], ['a', 4000, 4010]]); // biome-ignore format: one line
  expect(runs([[0, 300], [10, 200], [20, 300]])).toEqual([[null, 0, 20]]); // biome-ignore format: one line
});

it('names what cannot be read', () => {
  const meter = meterTrack(readTrack(fixesOf([[0, 0]])));
  const hostile = { get zoneId(): string { throw new Error('no'); } }; // biome-ignore format: one line
  const visit = {
    zoneId: 'z',
    enter: 0,
    exit: 1,
    enterBounds: [0, 0],
    exitBounds: [1, 1],
  } as unknown as Visit;
  const text = 'expected a visit, or {zoneId, from, to} in epoch milliseconds';
  expect(errorText(() => sumByZone([null as never], meter))).toBe(
    `span-invalid items[0]: ${text}, received null`,
  );
  expect(errorText(() => sumByZone([{ zoneId: 'z', from: 0, to: null } as never], meter))).toMatch(
    /^span-invalid items\[0\]: /,
  );
  expect(errorText(() => sumByZone([visit, hostile as never], meter))).toMatch(
    /^input-unreadable items\[1\]: /,
  );
  expect(errorText(() => measureVisits([visit, hostile as never], meter))).toMatch(
    /^input-unreadable visits\[1\]: /,
  );
  const between = { get between(): never { throw new Error('no'); } }; // biome-ignore format: one line
  expect(errorText(() => sumByZone([], between as never))).toMatch(/^input-unreadable meter/);
  for (const minStaySeconds of [-1, Number.NaN, '5'])
    expect(errorOf(() => findRides([], { minStaySeconds } as never))).toMatchObject({
      code: 'option-value',
      field: 'options.minStaySeconds',
    });
  expect(errorOf(() => findRides([], { allowCircle: 1 } as never))).toMatchObject({ code: 'option-value' });
});
