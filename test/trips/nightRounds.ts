/**
 * Random rounds of a van at night: a grid of streets with polygons, lines and circles along them, some round others; a depot at both ends; plans over midnight and over the
 * hours in which the clock changes; tunnels that hide the same stretch each time; a receiver that reports each 20 s under way and seldom when parked. Written apart from
 * the other generators: the van follows streets, and what is hidden depends on where it is.
 */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import type { RandomRun } from './randomRuns.js';

const BLOCK = 220;
const [LON, LAT] = [-73.98, 40.75];
const DEGREE = 111_195;
const EAST = DEGREE * Math.cos((LAT * Math.PI) / 180);
type Spot = readonly [x: number, y: number];
const lonLat = ([x, y]: Spot): [number, number] => [
  Number((LON + x / EAST).toFixed(7)),
  Number((LAT + y / DEGREE).toFixed(7)),
];

/** Nights with their time zone, and the instant of 18:00 there. */
const NIGHTS: readonly (readonly [date: string, next: string, timeZone: string, six: number])[] = [
  ['2026-03-07', '2026-03-08', 'America/New_York', Date.UTC(2026, 2, 7, 23)],
  ['2026-10-31', '2026-11-01', 'America/New_York', Date.UTC(2026, 9, 31, 22)],
  ['2026-06-10', '2026-06-11', 'UTC', Date.UTC(2026, 5, 10, 18)],
  ['2026-02-28', '2026-03-01', 'UTC', Date.UTC(2026, 1, 28, 18)],
];

export function nightRound(random: () => number): RandomRun {
  const below = (count: number): number => Math.floor(random() * count);
  const some = <Item>(...items: readonly Item[]): Item => items[below(items.length)]!;
  const [date, next, timeZone, six] = some(...NIGHTS);

  // Places at crossings, the depot first; a yard may lie round a place.
  const crossing = (): Spot => [BLOCK * (below(9) - 4), BLOCK * (below(9) - 4)];
  const places = Array.from({ length: 2 + below(4) }, crossing);
  const shapes = places.map(([x, y]) => {
    const size = some(60, 90, 130, 320);
    switch (below(4)) {
      case 0: {
        const corners: Spot[] = [[x - size, y - size], [x + size, y - size], [x + size, y + size], [x - size, y + size]]; // biome-ignore format: a square
        return { type: { key: 'polygon' }, geometry: corners.map(lonLat) };
      }
      case 1:
        return {
          type: { key: 'line' },
          geometry: [lonLat([x - size, y]), lonLat([x + size, y])],
          width: size,
        };
      default:
        return { type: { key: 'circle' }, geometry: [lonLat([x, y])], width: size };
    }
  });
  const order = [
    0,
    ...Array.from({ length: 1 + below(4) }, () => below(places.length)),
    ...(random() < 0.6 ? [0] : []),
  ];

  // The plan in minutes after 18:00, and how the driver keeps it.
  let minute = 60 + 10 * below(24);
  const rows = order.map((place) => {
    const row = { place, arrive: minute, stay: some(0, 4, 8, 20) };
    minute += row.stay + some(6, 12, 25, 45);
    return row;
  });
  const isTimed = random() < 0.85;
  const clock = (after: number): object => {
    // By the clock of the first hours; where it changes the driver is an hour off, which is his luck.
    const at = 18 * 60 + after;
    const text = [Math.floor(at / 60) % 24, at % 60].map((part) => String(part).padStart(2, '0')).join(':');
    return { time: text, ...(at >= 1440 ? { after_days: 1 } : {}), deviation_minutes: some(0, 5, 10, 20) };
  };
  const points = rows.map(({ place, arrive, stay }, i) => ({
    name: `${i}`,
    ...shapes[place]!,
    arrival: isTimed && random() < 0.8 ? clock(arrive) : null,
    departure: isTimed && random() < 0.25 ? clock(arrive + stay) : null,
  }));
  const key = some(
    'entrance_to_first_point',
    'leaving_first_point',
    points[0]!.arrival ? 'time_of_first_point' : 'leaving_first_point',
  );
  const trip = {
    id: 'round',
    name: 'Round',
    unit: { id: 'van' },
    activation_type: { key },
    passage_order_type: { key: random() < 0.75 ? 'strict' : 'arbitrary' },
    dates: random() < 0.3 ? [date, next] : [date],
    points,
  } as unknown as Trip;

  // The way, second by second in corners: first along x, then along y.
  const corners: { readonly time: number; readonly at: Spot; readonly parked: boolean }[] = [];
  let time = six + some(0, 20, 45) * 60_000;
  let at: Spot = random() < 0.5 ? places[0]! : [BLOCK * 6, BLOCK * (below(5) - 2)];
  const go = (to: Spot): void => {
    for (const corner of [[to[0], at[1]], to] as Spot[]) {
      const meters = Math.abs(corner[0] - at[0]) + Math.abs(corner[1] - at[1]);
      if (meters === 0) continue;
      time += Math.round((meters / (some(18, 30, 42) / 3.6)) * 1000);
      at = corner;
      corners.push({ time, at, parked: false });
    }
  };
  const wait = (until: number, parked: boolean): void => {
    if (until <= time) return;
    time = Math.round(until);
    corners.push({ time, at, parked });
  };
  corners.push({ time, at, parked: false });
  const mood = some(0, 0, 0, 6, -6, 25);
  for (const { place, arrive, stay } of random() < 0.15 ? [...rows].sort(() => random() - 0.5) : rows) {
    if (random() < 0.08) continue;
    const target = places[place]!;
    const way = ((Math.abs(target[0] - at[0]) + Math.abs(target[1] - at[1])) / 8) * 1000;
    if (random() < 0.8) wait(six + (arrive + mood + below(5) - 2) * 60_000 - way, random() < 0.5);
    go(target);
    if (random() < 0.85) wait(time + Math.max(1.5, stay + below(3) - 1) * 60_000, random() < 0.7);
    // Round the block and back for a forgotten parcel.
    if (random() < 0.12) {
      go([target[0] + BLOCK, target[1]]);
      go(target);
      wait(time + 90_000, false);
    }
  }
  go([BLOCK * 6, BLOCK * 2]);
  wait(time + some(5, 60, 240) * 60_000, true);

  return {
    trip,
    date,
    fixes: reported(corners, below, some),
    options: optionsOf(timeZone, time, below, some),
  };
}

type Below = (count: number) => number;
type Some = <Item>(...items: readonly Item[]) => Item;

/** What the receiver tells: nothing from the tunnel. */
function reported(
  corners: readonly { readonly time: number; readonly at: Spot; readonly parked: boolean }[],
  below: Below,
  some: Some,
): Fix[] {
  const [every, seldom, hasSpeed] = [some(10, 20, 45) * 1000, some(60, 300, 900) * 1000, below(2) === 0];
  const tunnel = below(3) === 0 ? BLOCK * (below(7) - 3) : Number.NaN;
  const width = some(150, 500);
  const dark =
    below(4) === 0 ? ([corners[below(corners.length)]!.time, some(12, 25, 70) * 60_000] as const) : null;
  const fixes: Fix[] = [];
  let last = Number.NEGATIVE_INFINITY;
  corners.forEach(({ time, at, parked }, i) => {
    const before = corners[i - 1];
    if (before === undefined) return;
    const isStill = before.at[0] === at[0] && before.at[1] === at[1];
    const step = isStill ? (parked ? seldom : every * 3) : every;
    for (let t = Math.max(before.time, last + step); t <= time; t += step) {
      const share = time === before.time ? 1 : (t - before.time) / (time - before.time);
      const x = before.at[0] + share * (at[0] - before.at[0]);
      const y = before.at[1] + share * (at[1] - before.at[1]);
      last = t;
      if (Math.abs(x - tunnel) < width || (dark !== null && t > dark[0] && t < dark[0] + dark[1])) continue;
      const [lon, lat] = lonLat([x + below(9) - 4, y + below(9) - 4]);
      fixes.push({ time: t, lon, lat, ...(hasSpeed ? { speedKph: isStill ? some(0, 0, 1, 4) : 30 } : {}) });
    }
  });
  return fixes;
}

function optionsOf(timeZone: string, end: number, below: Below, some: Some): RandomRun['options'] {
  const is = (share: number): boolean => below(100) < 100 * share;
  return {
    timeZone,
    ...(is(0.35) ? { now: end - below(200) * 60_000 } : {}),
    ...(is(0.3) ? { policy: 'wait' as const } : {}),
    ...(is(0.2) ? { finishOn: 'departure' as const } : {}),
    ...(is(0.25) ? { allowSharedVisit: false } : {}),
    ...(is(0.3) ? { serviceSeconds: some(0, 30, 240) } : {}),
    ...(is(0.15) ? { minStaySeconds: 120 } : {}),
    ...(is(0.15) ? { parkedMeters: some(50, 500) } : {}),
    ...(is(0.25) ? { leaveConfirmSeconds: some(0, 300) } : {}),
    ...(is(0.2) ? { holeSeconds: some(120, 300) } : {}),
    ...(is(0.15) ? { maxCrossedMeters: 1000 } : {}),
    ...(is(0.15) ? { exitBufferMeters: some(0, 20) } : {}),
  };
}
