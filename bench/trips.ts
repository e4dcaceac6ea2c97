/** Trips: local times of a zone, against Temporal's; and the evaluation of a long trip, which is too long to try all assignments. */

import { Temporal } from 'temporal-polyfill';
import type { Trip } from '../src/core/trip.js';
import type { Visit } from '../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../src/trips/index.js';
import { makeClock } from '../src/trips/localTime.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';

const MIDNIGHT = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;

/** A trip of 20 points in so many zones, each with a plan, and 200 visits on its day. */
function longTrip(order: 'strict' | 'arbitrary', zones: number): { trip: Trip; visits: Visit[] } {
  const random = seeded(zones);
  const clock = (minutes: number): object => ({
    time: new Date(MIDNIGHT + minutes * MINUTE).toISOString().slice(11, 16),
    deviation_minutes: 10,
  });
  const points = Array.from({ length: 20 }, (_, i) => ({
    name: `Point ${i}`,
    type: { key: 'circle' },
    geometry: [[13 + (i % zones) / 10, 52]],
    width: 200,
    arrival: clock(480 + 30 * i),
    departure: clock(490 + 30 * i),
  }));
  const times = Array.from({ length: 200 }, (_, i) => MIDNIGHT + (420 + 4 * i) * MINUTE);
  const visits = times.map((time): Visit => {
    const enter = time + Math.floor(random() * 2 * MINUTE);
    const exit = enter + Math.floor(random() * 90_000);
    return {
      zoneId: String(Math.floor(random() * zones)),
      seen: 'inside',
      end: 'left',
      enter,
      exit,
      enterBounds: [enter - 1000, enter],
      exitBounds: [exit, exit + 1000],
      fixCount: 3,
    };
  });
  const trip = { id: 'trip', name: 'Trip', unit: { id: 'unit' }, dates: ['2026-03-02'], points };
  return {
    trip: { ...trip, passage_order_type: { key: order } } as unknown as Trip,
    visits,
  };
}

function evaluations(rounds: number): string {
  const cases = (['strict', 'arbitrary'] as const).flatMap((order) =>
    [20, 3].map((zones) => ({ order, zones, ...longTrip(order, zones) })),
  );
  const options: TripOptions = { timeZone: 'Europe/Berlin' };
  const timings = cases.map(({ order, zones, trip, visits }) => {
    const run = (): number => {
      let sum = 0;
      for (let i = 0; i < rounds; i++)
        sum += evaluateTrip(trip, '2026-03-02', { visits }, options).totals.passed;
      return sum;
    };
    return compare([{ name: `${order}, ${zones} zones`, run }], rounds)[0]!;
  });
  const first = timings[0]!.nsPerOperation;
  return table(
    'evaluateTrip: 20 points, 200 visits',
    timings.map((timing) => ({ ...timing, ratio: timing.nsPerOperation / first })),
  );
}

function localTimes(count: number): string {
  const clock = makeClock('Europe/Berlin');
  const timeOf = (i: number): number => MIDNIGHT + ((i * 7919) % 525_600) * MINUTE;
  const ours = (): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += clock.epochOf(timeOf(i)) % 1e9;
    return sum;
  };
  const temporal = (): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const wall = new Temporal.PlainDateTime(1970, 1, 1).add({ minutes: timeOf(i) / MINUTE });
      sum += wall.toZonedDateTime('Europe/Berlin').epochMilliseconds % 1e9;
    }
    return sum;
  };
  return table(
    `Local times of a year in Europe/Berlin (${count})`,
    compare(
      [
        { name: 'wayzone', run: ours },
        { name: 'temporal-polyfill', run: temporal },
      ],
      count,
    ),
  );
}

export function tripsBench(quick: boolean): string {
  return ['## Trips', '', evaluations(quick ? 20 : 500), localTimes(quick ? 10_000 : 200_000)].join('\n');
}
