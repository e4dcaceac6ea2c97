/**
 * Routes, meetings and hours, each beside `findVisits` of the same tracks and the loop that most backends begin with. Goals: `matchRoute` 2 µs a
 * fix on a route of 4,000 vertices, meetings of a pair 0.3 µs a fix.
 */

import { lineString, nearestPointOnLine } from '@turf/turf';
import { prepareHours, splitByHours } from '../src/hours/index.js';
import { type Position, ZoneIndex } from '../src/index.js';
import {
  findDeviations,
  findMeetings,
  findVisits,
  matchRoute,
  prepareRoute,
  readTrack,
  type Track,
  type Visit,
} from '../src/tracks/index.js';
import { seeded } from '../test/volume.js';
import { compare, type Timing, table } from './harness.js';

const START = Date.UTC(2026, 0, 5);
const METERS_OF_DEGREE = 111_320;
const WIDTH = 60;
const NEAR = 50;
/** The loop by Turf reads only this many fixes: it takes a millisecond each. */
const TURF_FIXES = 200;

/** A road of `count` vertices about 50 m apart that winds east. */
function road(count: number, random: () => number): Position[] {
  let [lon, lat, heading] = [13, 52, 0];
  return Array.from({ length: count }, (): Position => {
    heading = 0.9 * heading + (random() - 0.5) * 0.5;
    lon += (50 * Math.cos(heading)) / (METERS_OF_DEGREE * Math.cos((lat * Math.PI) / 180));
    lat += (50 * Math.sin(heading)) / METERS_OF_DEGREE;
    return [lon, lat];
  });
}

/** A drive there and back with 10 m of noise, `aside` metres beside the road. */
function drive(line: readonly Position[], count: number, aside: number, random: () => number): Track {
  const route = prepareRoute(line);
  const step = (2 * route.lengthMeters) / count;
  return readTrack(
    Array.from({ length: count }, (_, i) => {
      const way = i * step;
      const along = way <= route.lengthMeters ? way : 2 * route.lengthMeters - way;
      const [lon, lat] = route.positionAt(along).position;
      const noise = (): number => (10 * (random() - 0.5)) / METERS_OF_DEGREE;
      return { time: START + i * 5000, lon: lon + noise(), lat: lat + noise() + aside / METERS_OF_DEGREE };
    }),
    { maxSpeedKph: Number.POSITIVE_INFINITY },
  );
}

function routeTimings(vertices: number, count: number, aside: number, rounds: number): Timing[] {
  const random = seeded(20261125);
  const line = road(vertices, random);
  const route = prepareRoute(line);
  const track = drive(line, count, aside, random);
  const zone = { id: 'road', type: { key: 'line' as const }, geometry: line, width: WIDTH };
  const index = new ZoneIndex([zone]);
  const along = matchRoute(track, route, { widthMeters: WIDTH }).along;
  const turfLine = lineString(line.map(([lon, lat]) => [lon, lat]));
  const few = Math.min(count, TURF_FIXES);
  const turf = (): number => {
    let on = 0;
    for (let i = 0; i < few; i++) {
      const { properties } = nearestPointOnLine(turfLine, [track.lon[i]!, track.lat[i]!], {
        units: 'meters',
      });
      // Their sphere differs by up to half a percent.
      if (properties.dist <= WIDTH / 2 !== along[i]! >= 0 && Math.abs(properties.dist - WIDTH / 2) > 1)
        throw new Error(`expected the same place of fix ${i}, received ${properties.dist} m`);
      on++;
    }
    return on;
  };
  const all = (work: () => unknown) => (): number => {
    work();
    return count;
  };
  return [
    ...compare(
      [
        { name: 'findVisits to the corridor', run: all(() => findVisits(track, index)) },
        { name: 'matchRoute', run: all(() => matchRoute(track, route, { widthMeters: WIDTH })) },
        { name: 'findDeviations', run: all(() => findDeviations(track, route, WIDTH)) },
      ],
      count,
      rounds,
    ),
    ...compare([{ name: 'Turf nearestPointOnLine of each fix', run: turf }], few, 1),
  ];
}

function meetingTimings(count: number, rounds: number): Timing[] {
  const random = seeded(20261126);
  const line = road(2000, random);
  // The second unit drives the same road, 20 m aside, and is near all the time but at the noise of the ends.
  const [a, b] = [drive(line, count, 0, random), drive(line, count, 20, random)];
  const [lon, lat] = line[1000]!;
  const circle = {
    id: 'circle',
    type: { key: 'circle' as const },
    geometry: [[lon, lat] as Position],
    width: NEAR,
  };
  const index = new ZoneIndex([circle]);
  const total = a.length + b.length;
  /** Both places each second, and the distance on a sphere. */
  const bySeconds = (): number => {
    let [i, k, near] = [0, 0, 0];
    const last = Math.min(a.time[a.length - 1]!, b.time[b.length - 1]!);
    for (let time = START; time < last; time += 1000) {
      while (a.time[i + 1]! <= time) i++;
      while (b.time[k + 1]! <= time) k++;
      const [p, q] = [placeAt(a, i, time), placeAt(b, k, time)];
      const x = (p[0] - q[0]) * Math.cos((p[1] * Math.PI) / 180);
      if (Math.hypot(x, p[1] - q[1]) * METERS_OF_DEGREE <= NEAR) near++;
    }
    return near >= 0 ? total : 0;
  };
  const all = (work: () => unknown) => (): number => {
    work();
    return total;
  };
  return compare(
    [
      {
        name: 'findVisits of both to one circle',
        run: all(() => [findVisits(a, index), findVisits(b, index)]),
      },
      { name: 'findMeetings of the pair', run: all(() => findMeetings(a, b, { meters: NEAR })) },
      { name: 'a loop over seconds, flat distances', run: bySeconds },
    ],
    total,
    rounds,
  );
}

function placeAt(track: Track, i: number, time: number): [number, number] {
  const t = (time - track.time[i]!) / (track.time[i + 1]! - track.time[i]!);
  const between = (values: Float64Array): number => values[i]! + (values[i + 1]! - values[i]!) * t;
  return [between(track.lon), between(track.lat)];
}

function hoursTimings(count: number, rounds: number): Timing[] {
  const random = seeded(20261127);
  const visits: Visit[] = Array.from({ length: count }, (_, i) => {
    const enter = START + Math.floor(i * 600_000 + 600_000 * random());
    const exit = enter + Math.floor(6 * 3_600_000 * random());
    return {
      zoneId: `z${i % 50}`,
      enter,
      exit,
      seen: 'inside',
      end: 'left',
      enterBounds: [enter, enter],
      exitBounds: [exit, exit],
      fixCount: 10,
    };
  });
  const timeZone = 'Europe/Berlin';
  const weekly = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }];
  const hours = prepareHours({ weekly }, { timeZone });
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const few = Math.min(count, 50);
  /** The clock of each minute of a visit. */
  const byMinutes = (): number => {
    let open = 0;
    for (const { enter, exit } of visits.slice(0, few)) {
      for (let time = enter; time < exit!; time += 60_000) {
        const [day = '', hour = ''] = clock.format(time).split(/[ ,:]+/);
        if (day !== 'Sat' && day !== 'Sun' && Number(hour) >= 8 && Number(hour) < 17) open++;
      }
    }
    return open >= 0 ? few : 0;
  };
  const prepared = (): number => {
    splitByHours(visits, () => hours);
    return count;
  };
  return [
    ...compare([{ name: 'splitByHours', run: prepared }], count, rounds),
    ...compare([{ name: 'a loop over minutes, Intl.DateTimeFormat', run: byMinutes }], few, 1),
  ];
}

export function progressBench(quick: boolean): string {
  const [fixes, visits, rounds] = quick ? [10_000, 2_000, 3] : [200_000, 100_000, 5];
  return [
    table(
      'A drive there and back on a route of 4,000 vertices, by fix',
      routeTimings(4000, fixes, 0, rounds),
    ),
    table('The same drive 200 m beside the route, by fix', routeTimings(4000, fixes, 200, rounds)),
    table('Two units on one road, by fix', meetingTimings(fixes, rounds)),
    table('Visits cut by opening hours, by visit', hoursTimings(visits, rounds)),
  ].join('\n');
}
