import { describe, expect, test } from 'vitest';
import type { Track } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { distanceMeters } from '../../src/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { DATE, fix, MINUTE, trip } from './journeys.js';

const MIDNIGHT = Date.parse(DATE);
const UTC: TripOptions = { timeZone: 'UTC' };
/** About 1.11 km on the equator. */
const STEP = 0.01;

const track = (...fixes: readonly [number, string | number][]): Track =>
  readTrack(fixes.map(([minutes, place]) => fix(minutes, place)));
const statuses = (report: TripReport): string => report.points.map(({ status }) => status).join(' ');

describe('a trip from a track', () => {
  const day = track([0, -5 * STEP], [5, 'A'], [10, 5 * STEP], [15, 'B'], [20, 'B'], [25, 0.15]);

  test('finds the visits, and measures the distance', () => {
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

  test('has no data before the first fix, after the last one and on steps too long for a crossing', () => {
    const due = trip('ABC', { passage_order_type: { key: 'strict' } });
    expect(statuses(evaluateTrip(due, DATE, track([0, 'A'], [5, 'A'], [10, 'C']), UTC))).toBe(
      'passed no_data passed',
    );
    const empty = evaluateTrip(due, DATE, track(), UTC);
    expect(empty).toMatchObject({
      status: 'no_data',
      lastFixAt: null,
      totals: { noData: 3, distanceMeters: null },
    });
    const one = evaluateTrip(due, DATE, track([0, 'A']), UTC);
    expect(statuses(one)).toBe('passed no_data no_data');
    expect(one.totals).toMatchObject({ passed: 1, distanceMeters: 0 });
  });

  test('measures no gap', () => {
    const silent = track([0, 'A'], [5, 0.01], [65.1, 0.09], [70, 'B']);
    const report = evaluateTrip(trip('AB'), DATE, silent, UTC);
    expect(report.status).toBe('finished');
    const way = 2 * distanceMeters([0, 0], [0.01, 0]);
    expect(report.totals.distanceMeters).toBeLessThan(way);
    expect(report.totals.distanceMeters).toBeGreaterThan(way - 501);
  });

  test('does not leave a point in which the unit is after a gap, as one stay', () => {
    const back = track([0, 'A'], [5, 0.002], [70, -0.002], [71, 0.01], [80, 'B'], [85, 'B']);
    const leaving = trip('AB', { activation_type: { key: 'leaving_first_point' } });
    const options = { ...UTC, parkedMeters: 0 };
    const visits = evaluateTrip(leaving, DATE, back, options);
    expect(visits.points[0]!.visit).toMatchObject({ enter: MIDNIGHT + 480 * MINUTE, hasGap: true });
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

  test('uses the options of zones and visits', () => {
    const swapped = trip('A');
    const turned = {
      ...swapped,
      points: swapped.points.map((point) => ({ ...point, geometry: [[0, 0.1]] })),
    } as unknown as Trip;
    const at = track([0, 0], [5, 0.1], [10, 0.2]);
    expect(evaluateTrip(turned, DATE, at, { ...UTC, axisOrder: 'latlon' }).status).toBe('finished');
    expect(evaluateTrip(turned, DATE, at, UTC).status).toBe('no_data');
    const narrow = { ...UTC, defaultWidthMeters: 5 };
    const bare = {
      ...trip('A'),
      points: [{ name: 'A', type: { key: 'point' }, geometry: [[0.1, 0]] }],
    } as unknown as Trip;
    expect(evaluateTrip(bare, DATE, at, narrow)).toMatchObject({
      status: 'no_data',
      defaultWidthMeters: 5,
    });
    expect(evaluateTrip(bare, DATE, at, UTC)).toMatchObject({ status: 'finished', defaultWidthMeters: 100 });
  });

  test('rejects values that are not tracks, and invalid shapes', () => {
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
