/**
 * Times a trip's local times beside Temporal's, the evaluation of a trip too long to try all assignments, movement, a day of buses from
 * file to visits, and an archive on one thread and on two. Measures the memory of an idle unit.
 */

import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { Temporal } from 'temporal-polyfill';
import { makeClock } from '../src/core/localClock.js';
import type { Trip } from '../src/core/trip.js';
import { type Fix, type Geozone, ZoneIndex } from '../src/index.js';
import { fromCsv } from '../src/interchange/index.js';
import { replay } from '../src/parallel/index.js';
import {
  detectTrips,
  findVisits,
  MovementTracker,
  readTrack,
  type Visit,
  VisitTracker,
} from '../src/tracks/index.js';
import { evaluateTrip, planTrip, type TripOptions } from '../src/trips/index.js';
import { drive } from '../test/tracks/drives.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';
import { cpuMs } from './zoneTime.js';

const DAY = new URL('../../shared/data/tracks/austin-bus/2015-03-07.csv.gz', import.meta.url);
const MIDNIGHT = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;

/** A trip of 20 planned points in the given number of zones, and 200 visits on its day. */
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

/** Plans of 1,000 points with one planned time each. */
function plans(count: number): string {
  const points = Array.from({ length: 1000 }, (_, i) => ({
    name: '',
    type: { key: 'point' as const },
    arrival: { time: `${String(i % 24).padStart(2, '0')}:30`, after_days: i % 30 },
  }));
  const options = { timeZone: 'Europe/Berlin' };
  const run = (): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const plan = planTrip({ dates: ['2026-03-02'], points }, '2026-03-02', options);
      sum += plan.points.reduce((total, point) => total + (point.plannedArrival ?? 0) / 1e9, 0);
    }
    return sum;
  };
  return table(
    'planTrip, of 1000 points (per planned time)',
    compare([{ name: 'wayzone', run }], 1000 * count),
  );
}

/** A vehicle that drives most of the time, and one whose days contain every difficult case. */
function movement(count: number): string {
  const steady: Fix[] = Array.from({ length: count }, (_, i) => {
    const isMoving = i % 2000 > 300;
    const k = isMoving ? i : i - (i % 2000);
    const place = { lon: 37 + 0.2 * Math.sin(k / 900), lat: 55.7 + 0.1 * Math.cos(k / 700) };
    return { time: MIDNIGHT + i * 10_000, ...place, speedKph: isMoving ? 40 + (i % 20) : 0 };
  });
  const days = { steady, 'every trap': drive(seeded(3), count) };
  const timings = Object.entries(days).map(([name, fixes]) => {
    const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
    const run = (): number => {
      const { trips, parkings, stops } = detectTrips(track);
      return trips.length + 1000 * parkings.length + 1e6 * stops.length;
    };
    return compare([{ name, run }], track.length)[0]!;
  });
  const first = timings[0]!.nsPerOperation;
  return table(
    `detectTrips, ${count} fixes`,
    timings.map((timing) => ({ ...timing, ratio: timing.nsPerOperation / first })),
  );
}

/** Circles, corridors and polygons around a place. */
function zonesAround(lon: number, lat: number, count: number, seed: number): Geozone[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [lon + 0.4 * (random() - 0.5), lat + 0.4 * (random() - 0.5)];
    const key = (['circle', 'line', 'polygon', 'polygon'] as const)[i % 4]!;
    const sides = key === 'line' ? 12 : 8 + Math.floor(40 * random());
    const geometry = Array.from({ length: key === 'circle' ? 1 : sides }, (_, j): [number, number] => {
      if (key === 'circle') return [x, y];
      if (key === 'line') return [x + 0.003 * j, y + 0.004 * Math.sin(j + i)];
      const reach = 0.003 + 0.006 * random();
      const turn = (2 * Math.PI * j) / sides;
      return [x + reach * Math.cos(turn), y + reach * Math.sin(turn)];
    });
    return { id: `zone ${i}`, name: '', type: { key }, geometry, width: 50 + 300 * random() };
  });
}

function busDay(): string {
  if (!existsSync(DAY)) return 'Skipped: no ../shared/data.\n';
  const bytes = readFileSync(DAY);
  const zones = zonesAround(-97.75, 30.3, 1000, 9);
  let tracks: ReturnType<typeof fromCsv>['value']['tracks'] = [];
  const reading = cpuMs(() => {
    ({ tracks } = fromCsv(gunzipSync(bytes), { speedUnit: 'mph' }).value);
  });
  let [fixes, visits] = [0, 0];
  const finding = cpuMs(() => {
    const index = new ZoneIndex(zones);
    for (const unit of tracks) {
      const track = readTrack(unit.fixes);
      fixes += track.length;
      visits += findVisits(track, index).length;
    }
  });
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  return [
    '### Austin, 2015-03-07, from gz to visits with 1,000 zones (once, cold)',
    '',
    `${fixes} fixes of ${tracks.length} vehicles, ${visits} visits: ${seconds(reading + finding)} s in all, of which ${seconds(reading)} s to inflate and read the file.`,
    '',
  ].join('\n');
}

/** Heap per unit after its last fix: outside all zones, in one zone, and in a movement tracker. */
function idleUnits(count: number): string {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const disc = {
    id: 'z',
    name: '',
    type: { key: 'circle' as const },
    geometry: [[0, 0]] as [number, number][],
    width: 1000,
  };
  const visits = (lon: number) => (): object => {
    const tracker = new VisitTracker(new ZoneIndex([disc]));
    for (let i = 0; i < count; i++) tracker.push(`unit ${i}`, { time: MIDNIGHT + i, lon, lat: 0.001 });
    return tracker;
  };
  const rows: [string, () => object][] = [
    ['VisitTracker, in no zone', visits(1)],
    ['VisitTracker, in one zone', visits(0)],
    [
      'MovementTracker, at rest',
      (): object => {
        const tracker = new MovementTracker();
        for (let i = 0; i < count; i++)
          tracker.push(`unit ${i}`, { time: MIDNIGHT + i, lon: 1, lat: 1, speedKph: 0 });
        return tracker;
      },
    ],
  ];
  const bytes = rows.map(([name, make]) => {
    gc();
    const before = process.memoryUsage().heapUsed;
    const tracker = make();
    gc();
    const used = (process.memoryUsage().heapUsed - before) / count;
    return `| ${name} | ${(used / 1024).toFixed(2)} |${tracker ? '' : ' '}`;
  });
  return [`### An idle unit, of ${count}`, '', '| | KiB |', '|---|---|', ...bytes, ''].join('\n');
}

/** Units that drive around 1,000 zones: one archive with different numbers of threads. */
async function archive(units: number, fixes: number, rounds: number): Promise<string> {
  const index = new ZoneIndex(zonesAround(37.3, 55.7, 1000, 4));
  const lists = Array.from({ length: Math.min(units, 16) }, (_, u) => roam(seeded(100 + u), fixes));
  const fleet = Array.from({ length: units }, (_, u) => ({ unitId: `unit ${u}`, fixes: lists[u % 16]! }));
  const run = async (workers: number): Promise<{ seconds: number; sum: number }> => {
    const start = process.hrtime.bigint();
    let sum = 0;
    for await (const { visits, movement: own } of replay(fleet, { index, movement: true, workers })) {
      sum += visits.length + 1000 * own!.trips.length;
    }
    return { seconds: Number(process.hrtime.bigint() - start) / 1e9, sum };
  };
  const counts = [1, 2, 0];
  const times = counts.map((): number[] => []);
  const expected = (await run(0)).sum;
  for (let round = 0; round < rounds; round++) {
    for (const [i, workers] of counts.entries()) {
      const { seconds, sum } = await run(workers);
      if (sum !== expected)
        throw new Error(`expected the sum ${expected} of one thread, received ${sum} of ${workers}`);
      times[i]!.push(seconds);
    }
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!);
  const names = ['replay, 1 worker', '2 workers', "the caller's own thread"];
  const timings = names.map((name, i) => ({
    name,
    nsPerOperation: (medians[i]! * 1e9) / (units * fixes),
    ratio: medians[i]! / medians[0]!,
  }));
  return table(
    `An archive of ${units} units, ${fixes} fixes each: visits to 1,000 zones and movement (per fix)`,
    timings,
  );
}

function roam(random: () => number, count: number): Fix[] {
  let [lon, lat, heading, kph] = [37.3, 55.7, 0, 0];
  return Array.from({ length: count }, (_, i) => {
    if (random() < 0.1) {
      kph = random() < 0.6 ? 20 + 70 * random() : 0;
      heading = 2 * Math.PI * random();
    }
    if (Math.abs(lon - 37.3) > 0.2 || Math.abs(lat - 55.7) > 0.2) heading += Math.PI;
    const degrees = kph > 0 ? (kph * 10) / 3.6 / 111_000 : 0.00002 * random();
    lon += (degrees * Math.sin(heading)) / 0.56;
    lat += degrees * Math.cos(heading);
    return { time: MIDNIGHT + i * 10_000, lon, lat, speedKph: kph };
  });
}

export async function tripsBench(quick: boolean): Promise<string> {
  return [
    busDay(),
    evaluations(quick ? 50 : 500),
    localTimes(quick ? 20_000 : 200_000),
    plans(quick ? 50 : 500),
    movement(quick ? 50_000 : 300_000),
    idleUnits(quick ? 10_000 : 100_000),
    await archive(quick ? 8 : 128, 20_000, quick ? 1 : 3),
  ].join('\n');
}
