/** What unusual runs cost beside usual ones, in steps: the goals of the rows of bench/cliffs/trips.ts. */

import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, TripTracker } from '../../src/trips/index.js';
import {
  borderFixes,
  COST_DATE,
  type CostTrip,
  costTrip,
  costVisits,
  dayFixes,
  frequentFixes,
  frequentVisits,
  overlapFixes,
  shuttleVisits,
} from '../trips/costRuns.js';
import { stepsOf } from './steps.js'; // before any module of src/

const OPTIONS: TripOptions = { timeZone: 'UTC' };

/** The steps of one call, after a call that fills caches. */
async function steps(work: () => unknown): Promise<number> {
  await work();
  return stepsOf(work);
}

const ofVisits = (kind: CostTrip, holes: number, options: object): Promise<number> => {
  const [trip, given] = [costTrip(kind), costVisits(600, kind, holes)];
  return steps(() => evaluateTrip(trip, COST_DATE, given, { ...OPTIONS, ...options }));
};

const MANY: CostTrip = { points: 60, zones: 60 };
const FEW: CostTrip = { points: 60, zones: 8 };
const ALIKE: CostTrip = { points: 60, zones: 12, alike: 5 };

describe.each([true, false])('60 points and 600 visits, planned: %s', (isPlanned) => {
  test.each([
    ['60 zones', MANY, {}],
    ['8 zones', FEW, {}],
    ['60 zones, wait', MANY, { policy: 'wait' }],
    ['8 zones, wait', FEW, { policy: 'wait' }],
    ['neighbours of one zone, shared', ALIKE, { allowSharedVisit: true }],
    ['neighbours of one zone, shared, wait', ALIKE, { allowSharedVisit: true, policy: 'wait' }],
  ] as const)('two holes cost at most 4 times none: %s', async (_name, kind, options) => {
    const own = { ...kind, isPlanned };
    expect((await ofVisits(own, 2, options)) / (await ofVisits(own, 0, options))).toBeLessThanOrEqual(4);
  });

  test.each([
    ['no hole', 0, {}],
    ['two holes', 2, {}],
    ['wait', 0, { policy: 'wait' }],
  ] as const)('shared visits cost at most 6 times those that are not: %s', async (_name, holes, options) => {
    const own = { ...ALIKE, isPlanned };
    const shared = await ofVisits(own, holes, { ...options, allowSharedVisit: true });
    expect(shared / (await ofVisits(own, holes, options))).toBeLessThanOrEqual(6);
  });
});

const OF_TRACK: CostTrip = { points: 20, zones: 20 };

test.each(['skip', 'wait'] as const)(
  '12 h of drift at a border cost at most 12 times 12 h within: %s',
  async (policy) => {
    const trip = costTrip(OF_TRACK);
    const [within, drift] = [true, false].map((inside) => readTrack(borderFixes(12, OF_TRACK, inside)));
    const of = (track: typeof within): Promise<number> =>
      steps(() => evaluateTrip(trip, COST_DATE, track!, { ...OPTIONS, policy }));
    expect((await of(drift)) / (await of(within))).toBeLessThanOrEqual(12);
  },
);

// Where zones repeat too, a turn has up to 32 labels; the time is within 25 times (bench/cliffs/trips.ts).
test.each([
  ['each of its own zone', 1, 25],
  ['two of each zone', 2, 40],
] as const)(
  '80 points that overlap beside 20 points, %s: at most %i each, %i times the steps',
  async (_name, each, most) => {
    const of = (points: number): Promise<number> => {
      const kind: CostTrip = { points, zones: points / each, apart: 60, radius: 6000 };
      const [trip, track] = [costTrip(kind), readTrack(overlapFixes({ ...kind, points: points / each }))];
      return steps(() => evaluateTrip(trip, COST_DATE, track, OPTIONS));
    };
    expect((await of(80)) / (await of(20))).toBeLessThanOrEqual(most);
  },
);

const DAY: CostTrip = { points: 40, zones: 40 };

test('push of 41,000 fixes costs at most 3 times pushAll, and with 60 s of lateness at most 1.3 times that', async () => {
  const [trip, fixes] = [costTrip(DAY), dayFixes(41_000, 2, DAY)];
  const single = (options: object): Promise<number> =>
    stepsOf(() => {
      const tracker = new TripTracker(trip, COST_DATE, { ...OPTIONS, ...options });
      for (const fix of fixes) tracker.push(fix);
    });
  const together = await stepsOf(() => new TripTracker(trip, COST_DATE, OPTIONS).pushAll(fixes));
  const alone = await single({});
  expect(alone / together).toBeLessThanOrEqual(3);
  const late = await single({ latenessSeconds: 60 });
  expect(late / alone).toBeLessThanOrEqual(1.3);
});

test('push of a strict trip with a fix each 10 s: at most 3.5 times pushAll, and for twice the points 2.5 times', async () => {
  const of = async (points: number): Promise<readonly [push: number, pushAll: number]> => {
    const kind: CostTrip = { points, zones: points };
    const [trip, fixes] = [costTrip(kind), dayFixes(5760, 10, kind)];
    const pushAll = await steps(() => new TripTracker(trip, COST_DATE, OPTIONS).pushAll(fixes));
    const push = await stepsOf(() => {
      const tracker = new TripTracker(trip, COST_DATE, OPTIONS);
      for (const fix of fixes) tracker.push(fix);
    });
    return [push, pushAll];
  };
  const [few, all] = await of(80);
  const [many, allMany] = await of(160);
  const [most, allMost] = await of(320);
  const ratios = [few / all, many / allMany, most / allMost, many / few, most / many];
  expect(ratios.map((ratio, i) => (ratio <= [3.5, 3.5, 3.5, 2.5, 2.5][i]! ? 'in' : ratio))).toEqual(
    ratios.map(() => 'in'),
  );
});

test('push of visits to one zone 90 s apart: at most 40 times pushAll for 12 points', async () => {
  const [{ trip }, fixes] = [frequentVisits(12), frequentFixes(12)];
  const pushAll = await steps(() => new TripTracker(trip, COST_DATE, OPTIONS).pushAll(fixes));
  const push = await stepsOf(() => {
    const tracker = new TripTracker(trip, COST_DATE, OPTIONS);
    for (const fix of fixes) tracker.push(fix);
  });
  expect(push / pushAll).toBeLessThanOrEqual(40);
});

test.each([
  ['strict', 'one zone', frequentVisits, 4.5],
  ['strict', 'two zones in turn', (count: number) => shuttleVisits(count, 20), 3],
  ['arbitrary', 'one zone', frequentVisits, 24],
] as const)('twice the points and visits, %s: %s', async (key, _zones, make, most) => {
  const of = (count: number): Promise<number> => {
    const { trip, given } = make(count);
    const own = { ...trip, passage_order_type: { key } };
    return steps(() => evaluateTrip(own, COST_DATE, given, OPTIONS));
  };
  expect((await of(40)) / (await of(20))).toBeLessThanOrEqual(most);
});

test('20 visits to one zone 90 s apart, for 20 points: at most 200,000 steps', async () => {
  const { trip, given } = frequentVisits(20);
  expect(await steps(() => evaluateTrip(trip, COST_DATE, given, OPTIONS))).toBeLessThanOrEqual(200_000);
});
