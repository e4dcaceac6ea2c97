import { describe, expect, test } from 'vitest';
import type { Fix, Track } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { distanceMeters } from '../../src/index.js';
import { findVisits, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport, tripZones } from '../../src/trips/index.js';
import { ZoneIndex } from '../../src/zones/zoneIndex.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { DATE, fix, journey, MINUTE, timed, trip } from './journeys.js';
import { slowEvaluate } from './oracle/slowEvaluate.js';

const MIDNIGHT = Date.parse(DATE);
const UTC: TripOptions = { timeZone: 'UTC' };
/** About 1.11 km on the equator. */
const STEP = 0.01;

const track = (...fixes: readonly [number, string | number][]): Track =>
  readTrack(fixes.map(([minutes, place]) => fix(minutes, place)));
const statuses = (report: TripReport): string => report.points.map(({ status }) => status).join(' ');

describe('a trip from a track', () => {
  const day = track([0, -5 * STEP], [5, 'A'], [10, 5 * STEP], [15, 'B'], [20, 'B'], [25, 0.15]);

  test('finds the visits itself, and measures the way', () => {
    const report = evaluateTrip(trip('AB'), DATE, day, UTC);
    expect(report).toMatchObject({ status: 'finished', lastFixAt: MIDNIGHT + 505 * MINUTE });
    expect(report.totals.distanceMeters).toBeCloseTo(distanceMeters([0, 0], [0.1, 0]), 0);
    expect(report.points[1]!.visit).toMatchObject({ zoneId: '1', seen: 'inside', end: 'left', fixCount: 2 });
  });

  test('ignores the fixes after `now`', () => {
    const now = MIDNIGHT + 492 * MINUTE;
    const report = evaluateTrip(trip('AB'), DATE, day, { ...UTC, now });
    expect(report).toEqual(
      evaluateTrip(trip('AB'), DATE, track([0, -5 * STEP], [5, 'A'], [10, 5 * STEP]), { ...UTC, now }),
    );
    expect(report).toMatchObject({ status: 'active', lastFixAt: MIDNIGHT + 490 * MINUTE });
    expect(report.totals.distanceMeters).toBeCloseTo(distanceMeters([0, 0], [0.05, 0]) + 500, 0);
  });

  test('row 61: is no data before the first fix, after the last one and on steps too long to cross', () => {
    const due = trip('ABC', { passage_order_type: { key: 'strict' } });
    expect(statuses(evaluateTrip(due, DATE, track([0, 'A'], [5, 'A'], [10, 'C']), UTC))).toBe(
      'passed no_data passed',
    );
    const near = track([0, 'A'], [5, 0.04], [10, 0.08], [15, 0.08], [20, 0.12], [25, 0.16], [30, 'C']);
    expect(statuses(evaluateTrip(due, DATE, near, { ...UTC, acceptCrossed: false }))).toBe(
      'passed skipped passed',
    );
    const empty = evaluateTrip(due, DATE, track(), UTC);
    expect(empty).toMatchObject({
      status: 'not_started',
      lastFixAt: null,
      totals: { noData: 3, distanceMeters: null },
    });
    const one = evaluateTrip(due, DATE, track([0, 'A']), UTC);
    expect(statuses(one)).toBe('passed no_data no_data');
    expect(one.totals).toMatchObject({ share: 1 / 3, distanceMeters: 0 });
  });

  test('measures no gap', () => {
    const silent = track([0, 'A'], [5, 0.01], [65.1, 0.09], [70, 'B']);
    const report = evaluateTrip(trip('AB'), DATE, silent, UTC);
    expect(report.status).toBe('finished');
    const way = 2 * distanceMeters([0, 0], [0.01, 0]);
    expect(report.totals.distanceMeters).toBeLessThan(way);
    expect(report.totals.distanceMeters).toBeGreaterThan(way - 501);
  });

  test('does not leave a point in which it is after a gap, though no visit begins there', () => {
    const back = track([0, 'A'], [5, 0.002], [70, -0.002], [71, 0.01], [80, 'B'], [85, 'B']);
    const leaving = trip('AB', { activation_type: { key: 'leaving_first_point' } });
    const options = { ...UTC, parkedMeters: 0 };
    const visits = evaluateTrip(leaving, DATE, back, options);
    expect(visits.points[0]!.visit).toMatchObject({ enter: MIDNIGHT + 550 * MINUTE });
    const unconfirmed = evaluateTrip(leaving, DATE, back, { ...options, minInsideSeconds: 120 });
    expect(unconfirmed.status).toBe('not_started');
  });

  test('counts points of one zone once, whatever their number', () => {
    const report = evaluateTrip(
      trip('ABA'),
      DATE,
      track([0, 'A'], [5, 0.05], [10, 'B'], [15, 0.05], [20, 'A']),
      UTC,
    );
    expect(statuses(report)).toBe('passed passed passed');
    expect(report.points[2]!.visit!.zoneId).toBe('2');
  });

  test('takes the options of zones and visits', () => {
    const swapped = trip('A');
    const turned = {
      ...swapped,
      points: swapped.points.map((point) => ({ ...point, geometry: [[0, 0.1]] })),
    } as unknown as Trip;
    const at = track([0, 0], [5, 0.1], [10, 0.2]);
    expect(evaluateTrip(turned, DATE, at, { ...UTC, axisOrder: 'latlon' }).status).toBe('finished');
    expect(evaluateTrip(turned, DATE, at, UTC).status).toBe('not_started');
    const narrow = { ...UTC, defaultWidthMeters: 5 };
    const bare = {
      ...trip('A'),
      points: [{ name: 'A', type: { key: 'point' }, geometry: [[0.1, 0]] }],
    } as unknown as Trip;
    expect(evaluateTrip(bare, DATE, at, narrow)).toMatchObject({
      status: 'not_started',
      defaultWidthMeters: 5,
    });
    expect(evaluateTrip(bare, DATE, at, UTC)).toMatchObject({ status: 'finished', defaultWidthMeters: 100 });
  });

  test('refuses what is no track, and shapes that are none', () => {
    expect(errorOf(() => evaluateTrip(trip('A'), DATE, { length: 1 } as Track, UTC)).code).toBe(
      'track-invalid',
    );
    const bad = {
      ...trip('A'),
      points: [{ name: 'A', type: { key: 'polygon' }, geometry: [[0, 0]] }],
    } as unknown as Trip;
    expect(errorOf(() => evaluateTrip(bad, DATE, track(), UTC)).field).toBe('points[0].geometry');
  });
});

test('equals the slow reading of DESIGN §5 on the visits and gaps of generated tracks', () => {
  for (let seed = 0; seed < volume(3000); seed++) {
    const random = seeded(seed);
    const fixes = journey(random);
    const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    const kinds = ['entrance_to_first_point', 'leaving_first_point'];
    const plain = trip(pick('ABC', 'ABA', 'AABC', 'CBA', 'BACAB'), {
      activation_type: { key: pick(...kinds) },
      passage_order_type: { key: pick('strict', 'arbitrary') },
    });
    const given = random() < 0.5 ? timed(plain) : plain;
    const now = MIDNIGHT + pick(1440, 500, 540, 600) * MINUTE;
    const options: TripOptions = {
      ...UTC,
      now,
      minStaySeconds: pick(0, 300),
      maxCrossedMeters: pick(5000, 2000),
      maxGapSeconds: pick(3600, 400),
      finishOn: pick('arrival', 'departure'),
      allowSharedVisit: random() < 0.3,
    };
    // A cleaned track knows by its next fix whether one is plausible; here all are.
    const clean = (list: Fix[]): Track => readTrack(list, { maxSpeedKph: Number.POSITIVE_INFINITY });
    const report = evaluateTrip(given, DATE, clean(fixes), options);
    const known = clean(fixes.filter(({ time }) => time <= now));
    const rows = tripZones(given).filter(
      ({ name }, i) => given.points.findIndex((point) => point.name === name) === i,
    );
    const gaps = [
      { from: 0, to: known.time[0] ?? now },
      { from: known.time.at(-1) ?? 0, to: now },
    ];
    let meters = 0;
    for (let i = 1; i < known.length; i++) {
      const [from, to] = [known.time[i - 1]!, known.time[i]!];
      const ends = [i - 1, i].map((k) => [known.lon[k]!, known.lat[k]!] as const);
      const isGap = to - from > options.maxGapSeconds! * 1000;
      if (isGap || distanceMeters(ends[0]!, ends[1]!) >= options.maxCrossedMeters!) gaps.push({ from, to });
      const [start, end] = [report.activatedAt ?? Infinity, report.finishedAt ?? report.window.to];
      const share = Math.max(0, Math.min(to, end) - Math.max(from, start)) / (to - from);
      if (!isGap) meters += share * distanceMeters(ends[0]!, ends[1]!);
    }
    const visits = findVisits(known, new ZoneIndex(rows), options);
    const slow = slowEvaluate(given, DATE, { visits, gaps }, options);
    const { distanceMeters: way, ...totals } = report.totals;
    expect({ seed, ...report, totals }).toEqual({
      seed,
      ...slow,
      totals: { ...slow.totals, distanceMeters: undefined },
      lastFixAt: known.time.at(-1) ?? null,
    });
    if (report.activatedAt === null) expect(way).toBeNull();
    else expect(way).toBeCloseTo(meters, 3);
  }
});
