/**
 * What units did in zones and how fast: each job beside `findVisits` of the same tracks and zones, in the same run. Goals: visits with their
 * measure 1.3 times, speeding 1.5, a track divided among 55 states 1.2. Then places along a route of 4,000 vertices (goal: 2 µs a fix) and
 * meetings of two units (0.3 µs a fix of either).
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import { type Geozone, ZoneIndex } from '../src/index.js';
import { fromGeoJson } from '../src/interchange/index.js';
import {
  findDeviations,
  findMeetings,
  findSpeeding,
  findVisits,
  matchRoute,
  measureVisits,
  meterTrack,
  prepareRoute,
  readTrack,
  splitByZone,
  sumByZone,
  type Track,
} from '../src/tracks/index.js';
import { seeded } from '../test/volume.js';
import { compare, type Timing, table } from './harness.js';
import { starCities } from './zoneWorkloads.js';

const START = Date.UTC(2026, 0, 1);

interface Drive {
  readonly everySeconds: number;
  readonly count: number;
  readonly from: (random: () => number) => readonly [number, number];
  readonly kph: (random: () => number) => number;
}

/** A unit that drives, with speeds, and stands 40 % of the time. */
function trackOf({ everySeconds, count, from, kph }: Drive, seed: number): Track {
  const random = seeded(seed);
  let [lon, lat] = from(random);
  let [speed, heading] = [0, 0];
  const fixes = Array.from({ length: count }, (_, i) => {
    if (random() < 0.05) {
      speed = random() < 0.6 ? kph(random) : 0;
      heading = 2 * Math.PI * random();
    }
    const degrees = speed > 0 ? (speed * everySeconds) / 3.6 / 111_000 : 0.00002 * random();
    heading += (random() - 0.5) * (speed > 0 ? 0.3 : 6);
    lon += (degrees * Math.sin(heading)) / Math.cos((lat * Math.PI) / 180);
    lat += degrees * Math.cos(heading);
    return { time: START + i * everySeconds * 1000, lon, lat, speedKph: speed, ignition: speed > 0 };
  });
  return readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
}

/** Every contender answers with the number of fixes, so that only their times differ. */
function jobs(
  tracks: readonly Track[],
  index: ZoneIndex,
  limits: Record<string, number>,
  rounds: number,
): Timing[] {
  const count = tracks.reduce((sum, { length }) => sum + length, 0);
  const all = (work: (track: Track) => unknown) => (): number => {
    for (const track of tracks) work(track);
    return count;
  };
  for (const track of tracks.slice(0, 20)) {
    const meter = meterTrack(track);
    const total = meter.total().distanceMeters;
    const parts = sumByZone(splitByZone(track, index), meter);
    const sum = parts.reduce((meters, { measure }) => meters + measure.distanceMeters, 0);
    if (Math.abs(sum - total) > 1e-9 * total)
      throw new Error(`expected ${total} m in all runs, received ${sum}`);
  }
  return compare(
    [
      { name: 'findVisits', run: all((track) => findVisits(track, index)) },
      {
        name: 'findVisits, measured: meterTrack, measureVisits',
        run: all((track) => measureVisits(findVisits(track, index), meterTrack(track))),
      },
      { name: 'splitByZone', run: all((track) => splitByZone(track, index)) },
      {
        name: 'findSpeeding, a limit in each zone, 90 km/h outside',
        run: all((track) => findSpeeding(track, { limitKph: 90, index, zoneLimits: limits })),
      },
      {
        name: 'findSpeeding, limits by a function',
        run: all((track) => findSpeeding(track, { limitKph: 90, index, zoneLimits: () => 50 })),
      },
      { name: 'meterTrack alone, its total', run: all((track) => meterTrack(track).total()) },
    ],
    count,
    rounds,
  );
}

function states(): Geozone[] {
  const path = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8'));
  const collection = feature(topology, topology.objects.states);
  return [...fromGeoJson(JSON.stringify(collection)).value.zones];
}

/** Of up to 1,000 zones: the object is read once a track. */
const limitsOf = (zones: readonly Geozone[]): Record<string, number> =>
  Object.fromEntries(zones.slice(0, 1000).map(({ id }, i) => [id, 30 + 10 * (i % 5)]));

/** A route of `vertices` with about 25 m between them, and fixes along it: on it, and `off` metres beside it. */
function routeTimings(vertices: number, count: number, rounds: number): Timing[] {
  const random = seeded(4000);
  let [lon, lat, heading] = [37.6, 55.7, 0.5];
  const line = Array.from({ length: vertices }, (): [number, number] => {
    heading += (random() - 0.5) * 0.4;
    lon += (0.000225 * Math.sin(heading)) / Math.cos((lat * Math.PI) / 180);
    lat += 0.000225 * Math.cos(heading);
    return [lon, lat];
  });
  const route = prepareRoute(line);
  const drive = (offMeters: number, noiseMeters: number): Track =>
    readTrack(
      Array.from({ length: count }, (_, i) => {
        const [x, y] = route.positionAt((route.lengthMeters * i) / count).position;
        const noise = (): number => (noiseMeters * (random() - 0.5)) / 111_000;
        return { time: START + i * 2000, lon: x + noise(), lat: y + offMeters / 111_000 + noise() };
      }),
      { maxSpeedKph: Number.POSITIVE_INFINITY },
    );
  const [on, off] = [drive(0, 15), drive(400, 15)];
  const run = (work: () => unknown) => (): number => {
    work();
    return count;
  };
  return compare(
    [
      { name: 'matchRoute on the route', run: run(() => matchRoute(on, route, { widthMeters: 60 })) },
      { name: 'matchRoute 400 m off it', run: run(() => matchRoute(off, route, { widthMeters: 60 })) },
      { name: 'findDeviations on the route', run: run(() => findDeviations(on, route, 60)) },
      { name: 'findDeviations 400 m off it', run: run(() => findDeviations(off, route, 60)) },
    ],
    count,
    rounds,
  );
}

/** Two units, `count` fixes each; times are by fix of either. */
function meetingTimings(count: number, rounds: number): Timing[] {
  const drive: Omit<Drive, 'from'> = { everySeconds: 10, count, kph: (random) => 20 + 70 * random() };
  const home = (lon: number): Drive => ({ ...drive, from: () => [lon, 55.7] });
  const truck = trackOf(home(37.6), 1);
  /** On the truck's way, at times a share of a step later. */
  const trailer = (meters: number, share: number): Track => {
    const later = (column: Float64Array): Float64Array =>
      column.map((value, i) => value + share * ((column[i + 1] ?? value) - value));
    const { time, lon, lat } = truck;
    return {
      ...truck,
      time: time.map((at) => at + 10_000 * share),
      lon: later(lon),
      lat: later(lat).map((value) => value + meters / 111_000),
    };
  };
  const yard = readTrack(
    Array.from({ length: count }, (_, i) => ({ time: START + i * 10_000, lon: 37.6, lat: 55.7 })),
    { frozenSpeedKph: Number.POSITIVE_INFINITY },
  );
  /** Stands, with the noise of a receiver. */
  const parked = (metersNorth: number, seed: number): Track => {
    const random = seeded(seed);
    const noise = (): number => (10 * (random() - 0.5)) / 111_000;
    return readTrack(
      Array.from({ length: count }, (_, i) => ({
        time: START + i * 10_000,
        lon: 37.6 + noise(),
        lat: 55.7 + metersNorth / 111_000 + noise(),
      })),
    );
  };
  const pairs: readonly (readonly [string, Track, Track])[] = [
    ['in one town, seldom near', truck, trackOf(home(37.61), 2)],
    ['a truck and a trailer that stands', truck, yard],
    ['a truck with its trailer, fixes at the same times', truck, trailer(12, 0)],
    ['a truck with its trailer, fixes at other times', truck, trailer(12, 0.4321)],
    ['two that stand about as far apart as the limit', parked(0, 3), parked(49, 4)],
  ];
  return compare(
    pairs.map(([name, a, b]) => ({
      name,
      run: (): number => {
        findMeetings(a, b, { meters: 50, exitBufferMeters: 50 });
        return 2 * count;
      },
    })),
    2 * count,
    rounds,
  );
}

export function ledgerBench(quick: boolean): string {
  const [zoneCount, units, count] = quick ? [1_000, 20, 1_000] : [100_000, 200, 2_000];
  const cities = starCities(zoneCount, 20261121);
  const home = (random: () => number): readonly [number, number] =>
    cities[Math.floor(random() * cities.length)]!.geometry[0] as [number, number];
  const town = Array.from({ length: units }, (_, i) =>
    trackOf({ everySeconds: 10, count, from: home, kph: (random) => 20 + 70 * random() }, i),
  );
  const map = states();
  const long = Array.from({ length: units }, (_, i) =>
    trackOf(
      {
        everySeconds: 30,
        count,
        from: (random) => [-115 + 35 * random(), 33 + 12 * random()],
        kph: (random) => 60 + 60 * random(),
      },
      i,
    ),
  );
  const rounds = quick ? 3 : 5;
  return [
    table(
      `Ledger of ${units} units in towns: ${zoneCount} zones, a fix each 10 s`,
      jobs(town, new ZoneIndex(cities), limitsOf(cities), rounds),
    ),
    table(
      `Ledger of ${units} units over ${map.length} states and territories (us-atlas), a fix each 30 s`,
      jobs(long, new ZoneIndex(map), limitsOf(map), rounds),
    ),
    table(
      'A route of 4,000 vertices, a fix each 2 s: by fix',
      routeTimings(4000, quick ? 20_000 : 200_000, rounds),
    ),
    table(
      'Meetings of two units within 50 m: by fix of either',
      meetingTimings(quick ? 20_000 : 200_000, rounds),
    ),
  ].join('\n');
}
