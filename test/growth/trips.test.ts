/**
 * The steps of `evaluateTrip` grow with the visits, and with the points: O(points × visits) (TRIPS.md T54). `push` costs what `pushAll` costs,
 * by a small factor.
 */

import { expect, test } from 'vitest';
import type { Fix, Visit } from '../../src/tracks/index.js';
import { evaluateTrip, type TripInput, type TripOptions, TripTracker } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { type Growth, testGrowth } from './growth.js';
import { stepsOf } from './steps.js'; // before any module of src/

const DATE = '2026-03-02';
const START = Date.parse(`${DATE}T06:00Z`);
const clock = (minutes: number): string =>
  `${String(6 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

type Plan = 'all planned' | 'none planned';

/** A trip of `count` points on a row of `zones` zones; point i is planned i minutes after 06:00, at most at 22:00. */
function tripOf(count: number, zones: number, order: 'strict' | 'arbitrary', plan: Plan): TripInput {
  const span = Math.max(1, Math.floor(960 / count));
  return {
    name: 'Trip',
    unit: { id: 'u' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: order },
    dates: [DATE],
    points: Array.from({ length: count }, (_, i) => ({
      name: `P${i}`,
      type: { key: 'circle' },
      width: 200,
      geometry: [[9.5 + 0.005 * (i % zones), 47.1]],
      ...(plan === 'all planned' && {
        arrival: { time: clock(Math.min(959, i * span)), deviation_minutes: 10 },
      }),
    })),
  } as unknown as TripInput;
}

/** `count` visits over 16 hours to the zones in turn or at random; every fifth is short, and visits may overlap. */
function visitsOf(count: number, zones: number, random: (() => number) | null): Visit[] {
  const step = (16 * 3_600_000) / count;
  return Array.from({ length: count }, (_, i) => {
    const zone = random === null ? i % zones : Math.floor(random() * zones);
    const enter = Math.round(START + i * step);
    const exit = Math.round(enter + step * (i % 5 === 0 ? 0.05 : 1.4));
    return {
      zoneId: String(zone),
      seen: 'inside',
      end: 'left',
      enter,
      exit,
      enterBounds: [enter - 1000, enter],
      exitBounds: [exit, exit + 1000],
      fixCount: 3,
    };
  });
}

const gapsOf = (count: number): { from: number; to: number }[] =>
  Array.from({ length: count }, (_, i) => {
    const from = Math.round(START + ((i + 0.5) * 16 * 3_600_000) / count);
    return { from, to: from + 1_200_000 };
  });

const SETTINGS: Readonly<Record<string, TripOptions>> = {
  plain: { timeZone: 'UTC' },
  wait: { timeZone: 'UTC', policy: 'wait' },
  'shared visits': { timeZone: 'UTC', allowSharedVisit: true },
};

const byVisits: Growth[] = [];
for (const order of ['strict', 'arbitrary'] as const)
  for (const plan of ['all planned', 'none planned'] as const)
    for (const [name, options] of Object.entries(SETTINGS))
      for (const gaps of [0, 2]) {
        // Of a few zones, more points have each visit in common, and more of its assignments are compared.
        const most = order === 'strict' ? 4 : 2.6;
        const of = `${order}, ${plan}, ${name}, ${gaps} holes`;
        const run = (points: number, zones: number, visits: number) => (): (() => unknown) => {
          const trip = tripOf(points, zones, order, plan);
          const given = {
            // Each point of a shared zone has the visits of its zone.
            visits: visitsOf(visits, zones, seeded(4)),
            ...(gaps > 0 && { gaps: gapsOf(gaps) }),
          };
          return () => evaluateTrip(trip, DATE, given, options);
        };
        byVisits.push(
          { name: `twice the visits: ${of}`, size: 150, most, work: (n) => run(16, 16, n)() },
          { name: `twice the visits to a few zones: ${of}`, size: 150, most, work: (n) => run(16, 4, n)() },
          { name: `twice the points: ${of}`, size: 16, most, work: (n) => run(n, 8, 200)() },
        );
      }

testGrowth(byVisits);

test.each(['strict', 'arbitrary'] as const)(
  'push costs at most 4 times the steps of pushAll: %s',
  async (order) => {
    const trip = tripOf(20, 20, order, 'all planned');
    const random = seeded(6);
    const fixes = Array.from(
      { length: 3000 },
      (_, i): Fix => ({
        time: START + 15_000 * i,
        lon: 9.5 + 0.005 * ((i / 150) | 0) + 0.0005 * random(),
        lat: 47.1 + 0.0005 * random(),
        speedKph: i % 150 < 100 ? 0 : 40,
      }),
    );
    const options = { timeZone: 'UTC' };
    const together = await stepsOf(() => new TripTracker(trip, DATE, options).pushAll(fixes));
    const single = await stepsOf(() => {
      const tracker = new TripTracker(trip, DATE, options);
      for (const fix of fixes) tracker.push(fix);
    });
    expect(single / together).toBeLessThanOrEqual(4);
  },
);
