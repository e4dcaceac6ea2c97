import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import {
  type TripEvent,
  TripTracker,
  type TripTrackerEvent,
  type TripTrackerOptions,
} from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import { gapRun } from './gapRuns.js';
import { nightRound } from './nightRounds.js';
import { DATE, placeOf } from './randomRuns.js';

const MINUTE = 60_000;
const START = Date.parse(`${DATE}T06:00Z`);

interface Round {
  readonly trip: Trip;
  readonly fixes: readonly Fix[];
  readonly options: TripTrackerOptions;
}

/** A round of 5 to 12 points along a road, some of one zone or within a larger one; the driver comes back, passes by, swaps, leaves out. */
function randomRound(random: () => number): Round {
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(...items: readonly Item[]): Item => items[int(items.length)]!;
  const chance = (share: number): boolean => random() < share;
  const zones = Array.from({ length: 5 + int(8) }, (_, i) => ({
    x: 1500 * i + int(400),
    radius: chance(0.1) ? 900 : pick(100, 150, 300),
  }));
  const order = zones.map((_, i) => i);
  if (chance(0.2)) order.push(0);
  if (chance(0.15)) order.splice(1 + int(order.length), 0, int(zones.length));
  const pace = pick(5, 12);
  const clock = (minutes: number): string =>
    `${String(6 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const points = order.map((zone, i) => ({
    name: `P${i}`,
    type: { key: 'circle' },
    geometry: [placeOf(zones[zone]!.x, 0)],
    width: zones[zone]!.radius,
    arrival: chance(0.8) ? { time: clock(10 + pace * i + int(8)), deviation_minutes: pick(0, 5, 10) } : null,
    departure: chance(0.2) ? { time: clock(16 + pace * i), deviation_minutes: 5 } : null,
  }));
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: {
      key: pick(
        'entrance_to_first_point',
        'leaving_first_point',
        points[0]!.arrival ? 'time_of_first_point' : 'entrance_to_first_point',
      ),
    },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points,
  } as unknown as Trip;
  const driven = [...order];
  for (let k = pick(0, 0, 0, 1, 1, 2); k > 0; k--) {
    const at = int(driven.length);
    if (chance(0.4)) driven.splice(at, 1);
    else if (chance(0.5)) driven.splice(at, 0, int(zones.length));
    else [driven[at], driven[at - 1]] = [driven[at - 1] ?? driven[at]!, driven[at]!];
  }
  const fixes: Fix[] = [];
  let [time, x] = [START + int(15) * MINUTE, zones[0]!.x - 700];
  const every = pick(20, 40, 60) * 1000;
  const report = (speedKph: number, y = 0): void => {
    const [lon, lat] = placeOf(x, y);
    fixes.push({ time, lon, lat, speedKph });
  };
  report(0);
  for (const zone of driven) {
    const to = zones[zone]!.x + int(60);
    const metres = (every / 3_600_000) * 40_000 * (to < x ? -1 : 1);
    while (Math.abs(to - x) > Math.abs(metres)) {
      time += every;
      x += metres;
      report(40);
    }
    if (chance(0.15)) continue;
    x = to;
    const until = time + pick(2, 3, 5, 8) * MINUTE;
    for (time += every; time < until; time += every) report(0, chance(0.05) ? pick(300, 600) : int(10));
  }
  const lost = chance(0.4) ? int(fixes.length) : -1;
  const kept = fixes.filter((_, i) => lost < 0 || i < lost || i >= lost + 40);
  return {
    trip,
    fixes: kept,
    options: {
      timeZone: 'UTC',
      ...(chance(0.2) && { leaveConfirmSeconds: pick(0, 300) }),
      ...(chance(0.2) && { serviceSeconds: pick(0, 180) }),
      ...(chance(0.2) && { finishOn: 'departure' as const }),
      ...(chance(0.2) && { minStaySeconds: 120 }),
      ...(chance(0.2) && { latenessSeconds: 90 }),
    },
  };
}

const keyOf = ({ type, time, pointIndex }: TripEvent): string => `${time} ${type} ${pointIndex}`;

/** The emitted events with their revisions. */
function folded(told: ReadonlySet<string>, news: readonly TripTrackerEvent[]): Set<string> {
  const events = new Set(told);
  for (const event of news) {
    if (event.type !== 'revised') events.add(keyOf(event));
    else {
      if (event.was) events.delete(keyOf(event.was));
      if (event.is) events.add(keyOf(event.is));
    }
  }
  return events;
}

const COUNT = LONG ? 3000 : 25;

/** Expects at each fix the events of the report, which is that of the whole run. */
function expectWhole({ trip, fixes, options }: Round, date: string, name: string): void {
  const tracker = new TripTracker(trip, date, options);
  let told: ReadonlySet<string> = new Set();
  for (const fix of fixes) {
    told = folded(told, tracker.push(fix));
    expect([...told].sort(), `${name} at ${new Date(fix.time).toISOString()}`).toEqual(
      tracker.report().events.map(keyOf).sort(),
    );
  }
}

test(`push of ${COUNT} rounds gives at each fix the events of the whole run, though it evaluates the last points alone`, () => {
  for (let seed = 0; seed < COUNT; seed++) expectWhole(randomRound(seeded(seed)), DATE, `seed ${seed}`);
});

// 5000093: the first stay begins at the end of a hole, in which the second may have been. 5000369: a later point of the first zone was due there.
const [GAPS, NIGHTS] = [5_000_093, 5_000_369];
const FEW = LONG ? 500 : 4;

test(`push of ${2 * FEW} runs with gaps and rounds of nights gives at each fix the events of the whole run`, () => {
  for (let i = 0; i < FEW; i++) {
    for (const [name, { trip, date, fixes, options }] of [
      [`gap run ${GAPS + i}`, gapRun(seeded(GAPS + i))],
      [`night round ${NIGHTS + i}`, nightRound(seeded(NIGHTS + i))],
    ] as const) {
      const { now: _, ...own } = options;
      expectWhole({ trip, fixes, options: { timeZone: 'UTC', ...own } }, date, name);
    }
  }
});
