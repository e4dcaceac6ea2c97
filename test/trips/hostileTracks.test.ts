import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack, type TrackOptions } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type TripReport,
  TripTracker,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { DATE, fix, MINUTE, START, timed, trip } from './journeys.js';

/** Tracks that are wrong or strange, at the level of a trip's report. */

const TRIP = timed(trip('ABC', { dates: [DATE] }));
const OPTIONS: TripTrackerOptions = { timeZone: 'UTC' };
const END = Date.parse('2026-03-03T00:00Z');
const DAYS = 86_400_000;

/** A fix a minute: 5 minutes to A, 10 there, 20 to B, 10 there, 20 to C, 10 there. */
const FIXES: readonly Fix[] = Array.from({ length: 76 }, (_, i) => {
  const driven = Math.min(i, 5) + Math.max(0, Math.min(i - 15, 20)) + Math.max(0, Math.min(i - 45, 20));
  return fix(i, (driven - 5) * 0.005, { accuracyMeters: 5 });
});

function batch(
  fixes: readonly Fix[],
  options: TripTrackerOptions & TrackOptions = OPTIONS,
  now = END,
): TripReport {
  return evaluateTrip(TRIP, DATE, readTrack(fixes, options), { ...OPTIONS, ...options, now });
}

function stream(
  fixes: readonly Fix[],
  options: Partial<TripTrackerOptions> = {},
): { report: TripReport; tracker: TripTracker } {
  const tracker = new TripTracker(TRIP, DATE, { ...OPTIONS, ...options });
  for (const next of fixes) tracker.push(next);
  const { in: all, applied, duplicate, rejected, late, pending } = tracker.counts();
  expect(applied + duplicate + rejected + late + pending).toBe(all);
  expect(all).toBe(fixes.length);
  tracker.advance(END);
  return { report: tracker.report(), tracker };
}

const CLEAN = batch(FIXES);
const withMore = (at: number, ...more: readonly Fix[]): Fix[] => FIXES.toSpliced(at, 0, ...more);

function sane(report: TripReport): void {
  expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  for (const { arrival, departure, visit } of report.points) {
    if (arrival !== null && departure !== null) expect(departure).toBeGreaterThanOrEqual(arrival);
    if (visit?.exit != null) expect(visit.exit).toBeGreaterThanOrEqual(visit.enter);
  }
  expect(report.events.map(({ time }) => time)).toEqual(
    report.events.map(({ time }) => time).sort((a, b) => a - b),
  );
}

test('the clean journey passes all points, in the stream too', () => {
  expect(CLEAN.points.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
  expect(CLEAN.status).toBe('finished');
  expect(stream(FIXES).report).toEqual(CLEAN);
});

describe('few fixes', () => {
  test.each([
    ['no fix', []],
    ['one fix', [fix(5, 'A')]],
    ['all at one time', [fix(5, 'A'), fix(5, 'B'), fix(5, 'C')]],
    ['all at one place', Array.from({ length: 9 }, (_, i) => fix(i, 'B'))],
  ])('%s', (_, fixes) => {
    const report = batch(fixes);
    sane(report);
    expect(['not_started', 'aborted', 'no_data']).toContain(report.status);
    expect(stream(fixes).report.status).toBe(report.status);
  });
});

test.each([2, 1000])('messages up to %i times, and again seven days later', (times) => {
  const again = FIXES.flatMap((next, i) => Array.from({ length: i % 25 === 7 ? times : 2 }, () => next));
  expect(batch([...again, ...FIXES])).toEqual(CLEAN);
  const { report, tracker } = stream(again);
  expect(report).toEqual(CLEAN);
  expect(tracker.counts().duplicate).toBe(again.length - FIXES.length);
  tracker.advance(START + 7 * DAYS);
  for (const next of FIXES) tracker.push(next);
  expect(tracker.counts()).toMatchObject({ applied: FIXES.length, late: FIXES.length });
  expect({ ...tracker.report(), events: [] }).toEqual({ ...CLEAN, events: [] });
});

test('of two fixes with the same time the more accurate one counts, in any order', () => {
  const vague = FIXES.map((next) => ({ ...next, lon: next.lon + 0.02, accuracyMeters: 80 }));
  const pairs = FIXES.flatMap((next, i) => (i % 2 === 0 ? [next, vague[i]!] : [vague[i]!, next]));
  expect(batch(pairs)).toEqual(CLEAN);
  expect(stream(pairs, { latenessSeconds: 60 }).report).toEqual(CLEAN);
});

describe('order of arrival', () => {
  test('reversed, shuffled, one fix a day late, a batch after a tunnel', () => {
    const random = seeded(64);
    const shuffled = FIXES.map((next) => ({ next, at: random() })).sort((a, b) => a.at - b.at);
    const orders = [
      FIXES.toReversed(),
      shuffled.map(({ next }) => next),
      [...FIXES.toSpliced(20, 1), FIXES[20]!],
      [...FIXES.slice(0, 12), ...FIXES.slice(40), ...FIXES.slice(12, 40)],
    ];
    for (const order of orders) {
      expect(batch(order)).toEqual(CLEAN);
      expect(stream(order, { latenessSeconds: 86_400 }).report).toEqual(CLEAN);
    }
  });

  test('late fixes are counted and change nothing', () => {
    const without = FIXES.toSpliced(25, 1);
    const { report, tracker } = stream([...without, FIXES[25]!]);
    expect(tracker.counts().late).toBe(1);
    expect(report).toEqual(stream(without).report);
  });
});

test.each([
  ['0', 0],
  ['1970', 1_000_000],
  ['seconds instead of milliseconds', START / 1000],
  ['negative', -START],
  ['2094', Date.UTC(2094, 0, 1)],
  ['a day ahead', START + 26 * 60 * MINUTE],
  ['text', '2026-03-02T08:20:00Z' as unknown as number],
  ['no number', Number.NaN],
])('an impossible time, %s, does not block the unit', (_, time) => {
  const wrong = { ...FIXES[40]!, time, lon: 0.3 };
  expect(batch(withMore(20, wrong))).toEqual(CLEAN);
  const tracker = new TripTracker(TRIP, DATE, OPTIONS);
  for (const [i, next] of withMore(20, wrong).entries()) {
    tracker.push(next, { receivedAt: FIXES[Math.min(i, FIXES.length - 1)]!.time });
  }
  tracker.advance(END);
  expect(tracker.report()).toEqual(CLEAN);
  expect(tracker.counts()).toMatchObject({ in: FIXES.length + 1, applied: FIXES.length });
});

test('a receiver with the rollover of 1024 weeks', () => {
  const early = FIXES.map((next) => ({ ...next, time: next.time - 7168 * DAYS }));
  const rolloverWindow = [START - DAYS, START + DAYS] as const;
  expect(evaluateTrip(TRIP, DATE, readTrack(early, { rolloverWindow }), { ...OPTIONS, now: END })).toEqual(
    CLEAN,
  );
  expect(batch(early)).toMatchObject({ status: 'no_data', violations: [] });
});

test('clocks that jump give no negative duration', () => {
  for (const shift of [-60, -18 / 60, 10, 60]) {
    const jumped = FIXES.map((next, i) => (i < 38 ? next : { ...next, time: next.time + shift * MINUTE }));
    sane(batch(jumped));
    sane(stream(jumped).report);
    sane(stream(jumped, { latenessSeconds: 7200 }).report);
  }
});

describe('wild positions', () => {
  test('a sign flip, a fix at 0, 0 and a teleport change nothing', () => {
    const flipped = { ...FIXES[40]!, time: FIXES[40]!.time + 1000, lon: -FIXES[40]!.lon };
    const island = { ...FIXES[41]!, time: FIXES[41]!.time + 1000, lon: 0, lat: 0 };
    const far = { ...FIXES[42]!, time: FIXES[42]!.time + 1000, lon: 90 };
    const all = [...FIXES.slice(0, 41), flipped, FIXES[41]!, island, FIXES[42]!, far, ...FIXES.slice(43)];
    expect(batch(all)).toEqual(CLEAN);
    const { report, tracker } = stream(all);
    expect(report).toEqual(CLEAN);
    expect(tracker.counts().reasons).toEqual({ speed: 2, 'zero-island': 1 });
  });
});

test('jitter across the edge of a point is one visit with an exit buffer', () => {
  const edge = 0.1 + 500 / 111_319.49;
  const jitter = Array.from({ length: 1000 }, (_, i) =>
    fix(40 + i / 300, edge + (i % 2 === 0 ? 1e-5 : -1e-5)),
  );
  const all = [...FIXES.slice(0, 41), ...jitter, ...FIXES.slice(45)];
  const options = { ...OPTIONS, exitBufferMeters: 20 };
  for (const report of [batch(all, options), stream(all, options).report]) {
    expect(report.points.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    expect(report.events.length).toBe(batch(FIXES, options).events.length);
  }
});

test('a point between two fixes is passed', () => {
  const fixes = [
    fix(0, 'A'),
    ...[0.03, 0.06, 0.09, 0.11, 0.14, 0.17].map((lon, i) => fix(6 * i + 6, lon)),
    fix(42, 'C'),
  ];
  expect(batch(fixes).points.map(({ status, visit }) => [status, visit?.seen])).toEqual([
    ['passed', 'inside'],
    ['passed', 'crossed'],
    ['passed', 'inside'],
  ]);
  expect(stream(fixes).report).toEqual(batch(fixes));
});

test('one instant, left before entered', () => {
  const square = (west: number): object => ({
    name: '',
    type: { key: 'polygon' },
    geometry: [
      [west, -0.01],
      [west + 0.02, -0.01],
      [west + 0.02, 0.01],
      [west, 0.01],
    ],
  });
  const touching = trip('A', { points: [square(0), square(0.02)] });
  const fixes = [-0.005, 0.01, 0.03, 0.035].map((lon, i) => fix(5 * i, lon));
  const { events } = evaluateTrip(touching, DATE, readTrack(fixes), OPTIONS);
  const types = events.map(({ type, pointIndex }) => `${type} ${pointIndex ?? ''}`.trim());
  expect(types).toEqual([
    'trip_activated',
    'point_entered 0',
    'point_left 0',
    'point_entered 1',
    'trip_finished',
  ]);
  expect(events[2]!.time).toBe(events[3]!.time);
  const tracker = new TripTracker(touching, DATE, OPTIONS);
  const emitted = fixes.flatMap((next) => tracker.push(next));
  expect(emitted.map(({ type }) => type)).toEqual(types.map((type) => type.split(' ')[0]));
});

test('a trip with edited points cannot continue from a snapshot', () => {
  const { tracker } = stream(FIXES.slice(0, 20));
  const points = TRIP.points.map((point, i) => (i === 1 ? { ...point, width: 600 } : point));
  const error = errorOf(() => TripTracker.restore({ ...TRIP, points }, tracker.snapshot()));
  expect(error).toMatchObject({ code: 'state-trip', field: 'snapshot.trip' });
});
