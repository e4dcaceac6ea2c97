/**
 * Small random runs: a driver follows a plan more or less, and the unit reports more or less of it. Zones repeat, overlap and lie within each
 * other; tracks have holes, jams, frozen positions, sleeps, drift at a border, drive-bys and short absences.
 */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import type { SlowOptions } from './oracle/slowModel.js';

export interface RandomRun {
  readonly trip: Trip;
  readonly date: string;
  readonly fixes: readonly Fix[];
  readonly options: SlowOptions;
}

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
interface Spot {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly speed: number;
  readonly off: boolean;
}

export const DATE = '2026-03-02';
const MIDNIGHT = Date.parse(DATE);
const MINUTE = 60_000;
const METERS_PER_DEGREE = 111_195;
const [LON, LAT] = [37.6, 55.75];
const EAST = METERS_PER_DEGREE * Math.cos((LAT * Math.PI) / 180);

export const placeOf = (x: number, y: number): [number, number] => [
  Number((LON + x / EAST).toFixed(6)),
  Number((LAT + y / METERS_PER_DEGREE).toFixed(6)),
];
const clock = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

export function randomRun(random: () => number): RandomRun {
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(...items: readonly Item[]): Item => items[int(items.length)]!;
  const chance = (share: number): boolean => random() < share;

  const zones = randomZones(int, pick, chance);
  const order = Array.from({ length: 1 + int(4) }, () => int(zones.length));
  if (order.length > 2 && chance(0.3)) order[order.length - 1] = order[0]!;

  // The plan: minutes of the day.
  let minute = 480 + 5 * int(4);
  const hasTimes = chance(0.85);
  const planned = order.map((zone) => {
    const arrival = minute;
    const stay = pick(0, 5, 10, 15, 30);
    minute += stay + pick(5, 10, 20, 30, 60);
    const tolerance = pick(undefined, 0, 5, 10, 15, 30);
    const time = (at: number): object => ({
      time: clock(at),
      ...(tolerance === undefined ? {} : { deviation_minutes: tolerance }),
    });
    return { zone, minutes: arrival, stay, time };
  });
  const points = planned.map(({ zone, minutes, stay, time }, index) => {
    const { x, y, radius } = zones[zone]!;
    return {
      name: `${String.fromCharCode(65 + zone)}${index}`,
      type: { key: 'circle' },
      geometry: [placeOf(x, y)],
      width: radius,
      arrival: hasTimes && chance(0.8) ? time(minutes) : null,
      departure: hasTimes && chance(0.3) ? time(minutes + stay) : null,
    };
  });
  const hasFirstTime = points[0]!.arrival !== null || points[0]!.departure !== null;
  const kinds = ['entrance_to_first_point', 'leaving_first_point'];
  const activation = pick(null, ...kinds, ...kinds, hasFirstTime ? 'time_of_first_point' : kinds[0]!);
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: activation && { key: activation },
    passage_order_type: { key: pick('strict', 'strict', 'arbitrary') },
    dates: pick([DATE], [DATE], [DATE, '2026-03-03'], [DATE, '2026-03-09']),
    points,
  } as unknown as Trip;

  const drive = randomDrive(planned, zones, int, pick, chance);
  return {
    trip,
    date: DATE,
    fixes: randomFixes(drive, int, pick, chance),
    options: randomOptions(drive, int, pick, chance),
  };
}

type Int = (count: number) => number;
type Pick = <Item>(...items: readonly Item[]) => Item;
type Chance = (share: number) => boolean;

function randomZones(int: Int, pick: Pick, chance: Chance): Circle[] {
  const zones: Circle[] = [];
  for (let k = 1 + int(3); k > 0; k--) {
    const other = zones.at(-1);
    const radius = pick(100, 100, 150, 300);
    if (other && chance(0.15)) zones.push({ ...other, radius: other.radius + pick(50, 150) });
    else if (other && chance(0.25)) zones.push({ x: other.x + pick(120, 250, 400), y: other.y, radius });
    else zones.push({ x: (other?.x ?? 0) + pick(1500, 3000, 8000), y: pick(0, 0, 60, 500), radius });
  }
  return zones;
}

/** Where the unit truly was, in spots a quarter of a minute to minutes apart. */
function randomDrive(
  planned: readonly { zone: number; minutes: number; stay: number }[],
  zones: readonly Circle[],
  int: Int,
  pick: Pick,
  chance: Chance,
): Spot[] {
  const visits = planned.filter(() => chance(0.92));
  if (visits.length > 1 && chance(0.15)) visits.reverse();
  if (chance(0.3)) visits.splice(int(visits.length + 1), 0, pick(...planned));
  const first = zones[planned[0]!.zone]!;
  const isLate = pick(0, 0, 0, 5, 15, -10, -25);
  let x = first.x + pick(-2500, -800, 0, 0);
  let y = first.y;
  let time = MIDNIGHT + pick(390, 440, 465, 475) * MINUTE;
  const every = pick(15, 30, 60, 60, 120, 300) * 1000;
  const spots: Spot[] = [{ time, x, y, speed: 0, off: true }];
  const stand = (minutes: number, off: boolean, jitter = 0): void => {
    const until = Math.round(time + minutes * MINUTE);
    const step = Math.max(every, (until - time) / 12);
    while (time < until) {
      time = Math.min(until, Math.round(time + step));
      const place = jitter === 0 ? { x, y } : { x: x + (int(2 * jitter) - jitter), y };
      spots.push({ time, ...place, speed: 0, off });
    }
  };
  const drive = (toX: number, toY: number, kph: number): void => {
    const meters = Math.hypot(toX - x, toY - y);
    const seconds = meters / (kph / 3.6);
    const steps = Math.max(1, Math.min(12, Math.round((seconds * 1000) / every)));
    const [fromX, fromY, from] = [x, y, time];
    for (let k = 1; k <= steps; k++) {
      x = fromX + ((toX - fromX) * k) / steps;
      y = fromY + ((toY - fromY) * k) / steps;
      time = Math.round(from + (seconds * 1000 * k) / steps);
      spots.push({ time, x, y, speed: kph, off: false });
    }
  };
  for (const { zone, minutes, stay } of visits) {
    const { x: toX, y: toY, radius } = zones[zone]!;
    const due = MIDNIGHT + (minutes + isLate + pick(0, 0, 0, 3, -3, 12)) * MINUTE;
    const way = (Math.hypot(toX - x, toY - y) / (60 / 3.6)) * 1000;
    if (due - way > time && chance(0.8)) stand(Math.min(180, (due - way - time) / MINUTE), chance(0.5));
    const kph = pick(20, 40, 60, 90);
    switch (pick('stop', 'stop', 'stop', 'pass', 'slow', 'border', 'away')) {
      case 'pass':
        drive(toX + radius + 200, toY + pick(0, 30), kph);
        break;
      case 'slow':
        drive(toX - radius - 80, toY, kph);
        drive(toX + radius + 80, toY, pick(4, 6, 12));
        break;
      case 'border':
        drive(toX - radius + pick(-10, 10), toY, kph);
        stand(Math.max(stay, 5), false, pick(30, 90));
        break;
      case 'away':
        drive(toX, toY, kph);
        stand(Math.max(2, stay / 2), false);
        drive(toX + radius + 70, toY, pick(10, 30));
        drive(toX, toY, pick(10, 30));
        stand(Math.max(2, stay / 2), true);
        break;
      default:
        drive(toX + pick(0, 0, 40), toY, kph);
        stand(Math.max(stay, pick(1, 2, 5)), chance(0.4));
    }
  }
  if (chance(0.7)) drive(x + pick(-3000, 1200, 5000), y, 50);
  if (chance(0.5)) stand(pick(10, 60, 400), true);
  return spots;
}

/** What the unit reports of it. */
function randomFixes(drive: readonly Spot[], int: Int, pick: Pick, chance: Chance): Fix[] {
  const hasSpeed = chance(0.6);
  const hasIgnition = chance(0.3);
  const noise = pick(0, 0, 8);
  let fixes = drive.map(({ time, x, y, speed, off }): Fix => {
    const [lon, lat] = placeOf(x + (noise && int(2 * noise) - noise), y + (noise && int(2 * noise) - noise));
    return {
      time,
      lon,
      lat,
      ...(hasSpeed ? { speedKph: speed === 0 ? pick(0, 0, 0, 2, 4) : speed } : {}),
      ...(hasIgnition ? { ignition: !off } : {}),
    };
  });
  for (let k = pick(0, 0, 1, 1, 2); k > 0; k--) {
    const from = int(fixes.length);
    const count = pick(1, 3, 6, 12, 25);
    fixes = fixes.filter((_, i) => i < from || i >= from + count);
  }
  if (chance(0.2)) {
    // A jam throws some fixes far away.
    const from = 1 + int(fixes.length);
    const count = pick(1, 2, 3, 5);
    fixes = fixes.map((fix, i) =>
      i < from || i >= from + count ? fix : { ...fix, lon: fix.lon + 9, lat: 50.1 },
    );
  }
  if (hasSpeed && chance(0.15) && fixes.length > 4) {
    // A receiver that repeats its last position while the unit drives.
    const from = 1 + int(fixes.length - 2);
    const { lon, lat } = fixes[from - 1]!;
    fixes = fixes.map((fix, i) => (i < from || i >= from + 4 ? fix : { ...fix, lon, lat, speedKph: 60 }));
  }
  return fixes;
}

function randomOptions(drive: readonly Spot[], int: Int, pick: Pick, chance: Chance): SlowOptions {
  const some = drive[int(drive.length)]!;
  const now = some.time + pick(0, 30_000, 5 * MINUTE, 40 * MINUTE);
  return {
    timeZone: 'UTC',
    ...(chance(0.4) ? { now } : {}),
    ...(chance(0.3) ? { policy: pick('skip' as const, 'wait' as const) } : {}),
    ...(chance(0.25) ? { finishOn: 'departure' as const } : {}),
    ...(chance(0.2) ? { minStaySeconds: pick(60, 300) } : {}),
    ...(chance(0.2) ? { maxCrossedMeters: 1000 } : {}),
    ...(chance(0.2) ? { parkedMeters: pick(30, 100, 1000) } : {}),
    ...(chance(0.25) ? { allowSharedVisit: false } : {}),
    ...(chance(0.3) ? { leaveConfirmSeconds: pick(0, 60, 300, 900) } : {}),
    ...(chance(0.15) ? { windowAfterSeconds: pick(600, 1800, 7200) } : {}),
    ...(chance(0.15) ? { windowAfterSeconds: pick(0, 3600) } : {}),
    ...(chance(0.2) ? { defaultDeviationMinutes: 10 } : {}),
    ...(chance(0.4) ? { serviceSeconds: pick(0, 120, 300) } : {}),
    ...(chance(0.15) ? { reachSpeedKph: pick(60, 90) } : {}),
    ...(chance(0.15) ? { holeSeconds: pick(180, 300, 1200) } : {}),
    ...(chance(0.15) ? { exitBufferMeters: pick(0, 20, 100) } : {}),
  };
}
