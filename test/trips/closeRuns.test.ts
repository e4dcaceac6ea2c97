/** Visits close to each other at few zones: the fast assignment against the slow model, and the events fix by fix against those of the report. */

import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, TripTracker, type TripTrackerOptions } from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { closeRun } from './closeRuns.js';
import { apartIn } from './manyRuns.js';
import { DATE, placeOf, type RandomRun } from './randomRuns.js';
import { literalOf } from './shrinkRun.js';

test('runs of up to 5 points: the report of the slow model', () => {
  for (let seed = 0; seed < volume(3200); seed++) {
    const run = closeRun(seeded(seed), 5);
    const found = apartIn(run);
    if (found.length > 0) expect.fail(`seed ${seed}\n${literalOf(run)}\n${found.join('\n')}`);
  }
});

test('runs of up to 10 points: the events that push emitted are those of the report, at each fix', () => {
  for (let seed = 0; seed < volume(640, 4); seed++) expectEventsOfReport(closeRun(seeded(seed), 10));
});

test('equal ways to pass points do not push out the one that serves both visits', () => {
  const trip = tripOf(Array.from({ length: 9 }, () => null));
  const fixes = fixesOf(12, (i) => i < 2 || (i > 6 && i < 9));
  const options = { timeZone: 'UTC', allowSharedVisit: false, now: fixes[11]!.time };
  const run = { trip, date: DATE, fixes, options };
  expect(evaluateTrip(trip, DATE, readTrack(fixes), options).totals.passed).toBe(2);
  expect(apartIn(run)).toEqual([]);
});

test('a shared arrival deviates the less the longer its stay is, so that another stay may become the worse one', () => {
  const times = ['06:00', '06:04', null, null, '06:16', '06:20', '06:26'];
  const trip = tripOf(times);
  const fixes = fixesOf(60, (i) => i < 9 || i > 23);
  const tracker = expectEventsOfReport({ trip, date: DATE, fixes, options: { timeZone: 'UTC' } });
  // The second stay came to serve more of the points.
  expect(tracker.report().points.map(({ visit }) => visit?.fixCount)).toEqual([9, 9, 9, 36, 36, 36, 36]);
});

/** A strict trip with points of one zone, planned at some times ± 20 min. */
function tripOf(times: readonly (string | null)[]): RandomRun['trip'] {
  const points = times.map((time, i) => ({
    name: `P${i}`,
    type: { key: 'circle' },
    width: 200,
    geometry: [placeOf(0, 0)],
    ...(time && { arrival: { time, deviation_minutes: 20 } }),
  }));
  return {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: { key: times[0] ? 'time_of_first_point' : 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points,
  } as unknown as RandomRun['trip'];
}

/** Fixes 20 s apart, in the zone or 450 m beside it. */
function fixesOf(count: number, isInside: (i: number) => boolean): Fix[] {
  return Array.from({ length: count }, (_, i) => {
    const [lon, lat] = placeOf(isInside(i) ? 0 : 450, 0);
    return { time: Date.parse(`${DATE}T06:00Z`) - 36_000 + 20_000 * i, lon, lat };
  });
}

/** Pushes the fixes, and compares the events emitted so far with those of the report after each. */
function expectEventsOfReport({ trip, date, fixes, options }: RandomRun): TripTracker {
  const { now: _, ...own } = options;
  const tracker = new TripTracker(trip, date, own as TripTrackerOptions);
  for (const fix of fixes) {
    tracker.push(fix);
    expect(tracker.snapshot().emitted, String(fix.time)).toEqual(
      tracker.report().events.map(({ type, time: at, pointIndex }) => [type, at, pointIndex]),
    );
  }
  return tracker;
}
