/**
 * Random days in a dense city: shops some hundred metres apart, loops that begin and end at one depot, nights whose clock changes, windows over
 * midnight, stops told by ignition, odometers, poor receivers, and streets that pass other shops on the way. Written apart from `randomRuns.ts`
 * and `gapRuns.ts`: the driver is at a true place at every second, and the receiver shows some of it.
 */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import type { RandomRun } from './randomRuns.js';

/** A night or day with its time zone; `midnight` is the instant of its 00:00. */
interface Night {
  readonly date: string;
  readonly timeZone: string;
  readonly midnight: number;
  readonly next: string;
}

const NIGHTS: readonly Night[] = [
  { date: '2026-03-28', next: '2026-03-29', timeZone: 'Europe/Berlin', midnight: Date.UTC(2026, 2, 27, 23) },
  { date: '2026-10-24', next: '2026-10-25', timeZone: 'Europe/Berlin', midnight: Date.UTC(2026, 9, 23, 22) },
  { date: '2026-03-07', next: '2026-03-08', timeZone: 'America/New_York', midnight: Date.UTC(2026, 2, 7, 5) },
  {
    date: '2026-06-10',
    next: '2026-06-11',
    timeZone: 'Asia/Kolkata',
    midnight: Date.UTC(2026, 5, 9, 18, 30),
  },
];
const MINUTE = 60;
const LAT = 48.2;
const DEGREE = 111_195;
const EAST = DEGREE * Math.cos((LAT * Math.PI) / 180);

interface Place {
  readonly x: number;
  readonly y: number;
}
interface Shop extends Place {
  readonly radius: number;
  readonly shape: 'circle' | 'polygon' | 'line';
}
/** The true course: a place, the speed and the ignition from a second on. */
interface Leg {
  readonly from: number;
  readonly to: number;
  readonly a: Place;
  readonly b: Place;
  readonly isOff: boolean;
}

const lonLat = ({ x, y }: Place): [number, number] => [
  Number((16.37 + x / EAST).toFixed(6)),
  Number((LAT + y / DEGREE).toFixed(6)),
];

export function cityDay(random: () => number): RandomRun {
  const upTo = (count: number): number => Math.floor(random() * count);
  const one = <Item>(items: readonly Item[]): Item => items[upTo(items.length)]!;
  const is = (share: number): boolean => random() < share;

  const night = one(NIGHTS);
  const isNight = is(0.6);
  /** Seconds after midnight at which the run is planned. */
  const begin = (isNight ? 22 * 60 + upTo(180) : 9 * 60 + upTo(120)) * MINUTE;

  // Shops along two streets that cross at the depot.
  const block = one([180, 260, 400]);
  const depot: Shop = { x: 0, y: 0, radius: one([60, 150]), shape: 'circle' };
  const shops: Shop[] = Array.from({ length: 1 + upTo(3) }, (_, k) => ({
    x: is(0.7) ? block * (k + 1) : upTo(3) * block,
    y: is(0.7) ? upTo(2) * 30 : block,
    radius: one([40, 70, 110]),
    shape: one(['circle', 'circle', 'polygon', 'line'] as const),
  }));
  const isLoop = is(0.5);
  const visits = [depot, ...shops];
  if (is(0.3)) visits.push(one(shops));
  if (isLoop) visits.push(depot);
  const listed = visits.slice(0, 5);

  // The plan.
  const isTimed = is(0.9);
  let second = begin;
  const tolerance = one([undefined, 0, 3, 10, 10, 25]);
  const stays = listed.map(() => one([0, 90, 240, 600]));
  const planned = listed.map((_, k) => {
    const arrival = second;
    second += Math.ceil((stays[k]! + one([120, 240, 900])) / MINUTE) * MINUTE;
    return arrival;
  });
  const time = (at: number): object => {
    const minutes = Math.floor(at / MINUTE);
    const clock = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0'));
    const days = Math.floor(minutes / 1440);
    return {
      time: clock.join(':'),
      ...(days > 0 ? { after_days: days } : {}),
      ...(tolerance === undefined ? {} : { deviation_minutes: tolerance }),
    };
  };
  const points = listed.map((shop, k) => ({
    name: `${k}`,
    ...shapeOf(shop),
    arrival: isTimed && is(0.85) ? time(planned[k]!) : null,
    departure: isTimed && is(0.25) ? time(planned[k]! + Math.ceil(stays[k]! / MINUTE) * MINUTE) : null,
  }));
  const isFirstTimed = points[0]!.arrival !== null || points[0]!.departure !== null;
  const kinds = ['entrance_to_first_point', 'leaving_first_point', 'leaving_first_point', null];
  const kind = is(0.25) && isFirstTimed ? 'time_of_first_point' : one(kinds);
  const trip = {
    id: 'city',
    name: 'City',
    unit: { id: 'van' },
    activation_type: kind === null ? null : { key: kind },
    passage_order_type: { key: is(0.8) ? 'strict' : 'arbitrary' },
    dates: is(0.7) ? [night.date] : [night.date, night.next],
    points,
  } as unknown as Trip;

  // The true course.
  const legs: Leg[] = [];
  let [now, at]: [number, Place] = [begin - one([300, 900, 2400]), is(0.7) ? depot : { x: -900, y: 40 }];
  const stand = (seconds: number, isOff: boolean): void => {
    if (seconds <= 0) return;
    legs.push({ from: now, to: now + seconds, a: at, b: at, isOff });
    now += seconds;
  };
  const drive = (to: Place, kph: number): void => {
    const seconds = Math.max(1, Math.round(Math.hypot(to.x - at.x, to.y - at.y) / (kph / 3.6)));
    legs.push({ from: now, to: now + seconds, a: at, b: to, isOff: false });
    [now, at] = [now + seconds, to];
  };
  const order = listed.map((_, k) => k).filter((k) => k === 0 || is(0.93));
  if (order.length > 2 && is(0.12)) order.splice(1, 2, order[2]!, order[1]!);
  const shift = one([0, 0, 0, 240, 900, -420]);
  for (const k of order) {
    const shop = listed[k]!;
    const target = { x: shop.x + upTo(30) - 15, y: shop.y + upTo(20) - 10 };
    const due = planned[k]! + shift + one([0, 0, 60, -60, 300]);
    const way = Math.hypot(target.x - at.x, target.y - at.y) / 8;
    if (due - way > now && is(0.75)) stand(due - way - now, is(0.5));
    if (is(0.2)) drive({ x: target.x + one([-1, 1]) * block, y: target.y }, one([20, 45]));
    drive(target, one([12, 25, 45]));
    if (is(0.12)) {
      // Looks for a place to park.
      drive({ x: target.x + shop.radius + one([20, 80]), y: target.y }, 12);
      stand(one([20, 100, 200]), false);
      drive(target, 12);
    }
    stand(Math.max(stays[k]!, one([0, 30, 70, 150])), is(0.5));
    if (is(0.1)) {
      // Moves its van within the shop's yard.
      drive({ x: target.x + 25, y: target.y }, 5);
      stand(one([40, 120]), false);
    }
  }
  drive(is(0.5) ? depot : { x: 1500, y: -300 }, one([25, 45]));
  stand(one([0, 200, 1500]), is(0.5));

  // What the receiver shows.
  const every = one([15, 30, 30, 60]);
  const noise = one([0, 4, 15]);
  const hasSpeed = is(0.6);
  const hasIgnition = is(0.5);
  const odometer = one(['none', 'none', 'total'] as const);
  const isSleeper = is(0.4);
  let driven = 5000;
  let fixes: Fix[] = [];
  for (const { from, to, a, b, isOff } of legs) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const step = length === 0 ? (isOff && isSleeper ? to - from : Math.max(every, (to - from) / 8)) : every;
    for (let t = from; t < to; t += step) {
      const share = (t - from) / (to - from);
      const place = {
        x: a.x + share * (b.x - a.x) + (noise === 0 ? 0 : (random() - 0.5) * 2 * noise),
        y: a.y + share * (b.y - a.y) + (noise === 0 ? 0 : (random() - 0.5) * 2 * noise),
      };
      const kph = (length / (to - from)) * 3.6;
      const [lon, lat] = lonLat(place);
      fixes.push({
        time: night.midnight + Math.round(t * 1000),
        lon,
        lat,
        ...(hasSpeed ? { speedKph: Math.round(kph) } : {}),
        ...(hasIgnition ? { ignition: !isOff } : {}),
        ...(odometer === 'total' ? { mileageMeters: driven + share * length } : {}),
      });
    }
    driven += length;
  }
  fixes = fixes.filter(({ time }, k) => k === 0 || time > fixes[k - 1]!.time);
  for (let k = one([0, 0, 1, 2]); k > 0; k--) {
    const from = fixes[upTo(fixes.length)]?.time ?? 0;
    const until = from + one([90, 400, 700, 1500]) * 1000;
    fixes = fixes.filter((fix) => fix.time <= from || fix.time >= until);
  }
  if (is(0.1) && fixes.length > 6) {
    const k = 3 + upTo(fixes.length - 3);
    const count = one([1, 2, 4]);
    fixes = fixes.map((fix, i) => (i < k || i >= k + count ? fix : { ...fix, lon: fix.lon + 4 }));
  }
  const some = fixes[upTo(fixes.length)]?.time ?? night.midnight;
  return {
    trip,
    date: night.date,
    fixes,
    options: {
      timeZone: night.timeZone,
      ...(is(0.4) ? { now: some + one([0, 1, 45_000, 600_000]) } : {}),
      ...(is(0.3) ? { policy: 'wait' as const } : {}),
      ...(is(0.3) ? { allowSharedVisit: false } : {}),
      ...(is(0.25) ? { finishOn: 'departure' as const } : {}),
      ...(is(0.2) ? { leaveConfirmSeconds: one([0, 45, 400]) } : {}),
      ...(is(0.2) ? { serviceSeconds: one([0, 30, 180]) } : {}),
      ...(is(0.2) ? { exitBufferMeters: one([0, 120]) } : {}),
      ...(is(0.15) ? { minStaySeconds: one([45, 200]) } : {}),
      ...(is(0.15) ? { holeSeconds: one([120, 300]) } : {}),
      ...(is(0.15) ? { reachSpeedKph: one([40, 90]) } : {}),
      ...(is(0.15) ? { maxCrossedMeters: 1000 } : {}),
      ...(is(0.15) ? { parkedMeters: one([50, 500]) } : {}),
      ...(is(0.15) ? { windowAfterSeconds: one([0, 900]) } : {}),
    },
  };
}

function shapeOf({ x, y, radius, shape }: Shop): object {
  const [west, east, south, north] = [x - radius, x + radius, y - radius, y + radius];
  const corners = (
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ] as const
  ).map(([a, b]) => lonLat({ x: a, y: b }));
  if (shape === 'polygon') return { type: { key: 'polygon' }, geometry: corners };
  if (shape === 'line')
    return {
      type: { key: 'line' },
      geometry: [lonLat({ x: west, y }), lonLat({ x: east, y })],
      width: radius,
    };
  return { type: { key: 'circle' }, geometry: [lonLat({ x, y })], width: radius };
}
