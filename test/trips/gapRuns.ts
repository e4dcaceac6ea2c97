/**
 * Generates runs of trips. A truck drives between zones that lie apart, overlap or repeat; it may be early, late, in another order, pass a point or
 * omit it. Gaps are then cut at borders, at planned times and at neighbours.
 */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import type { SlowOptions } from './oracle/slowModel.js';

export interface GapRun {
  readonly trip: Trip;
  readonly date: string;
  /** Fixes in order of time, without those in the gaps. */
  readonly whole: readonly Fix[];
  readonly fixes: readonly Fix[];
  readonly options: SlowOptions;
}

export interface GapRunKind {
  /** `[lon, lat]` of the centre. Default 37.6, 55.75. */
  readonly middle?: readonly [number, number];
  readonly timeZone?: string;
  readonly date?: string;
  /** The instant at which the driver's clock shows 00:00. */
  readonly midnight?: number;
  /** Planned time of the first point, in minutes of the day. Default 480. */
  readonly firstMinutes?: number;
  /** Only drivers who follow the plan, with one stay per zone, and default options. Default false. */
  readonly isBlameless?: boolean;
}

interface Zone {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const MINUTE = 60_000;
/** Position in metres on a plane, which only serves to write positions. */
const METERS_PER_DEGREE = 111_195;

export function gapRun(random: () => number, kind: GapRunKind = {}): GapRun {
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(...items: readonly Item[]): Item => items[int(items.length)]!;
  const chance = (share: number): boolean => random() < share;
  const { isBlameless = false, date = '2026-03-02', timeZone = 'UTC', firstMinutes = 480 } = kind;
  const midnight = kind.midnight ?? Date.parse(date);
  const [lon0, lat0] = kind.middle ?? [37.6, 55.75];
  const scale = Math.cos((lat0 * Math.PI) / 180);
  const position = (x: number, y: number): [number, number] => {
    let lon = lon0 + x / (METERS_PER_DEGREE * scale);
    if (lon > 180) lon -= 360;
    if (lon < -180) lon += 360;
    return [Number(lon.toFixed(6)), Number((lat0 + y / METERS_PER_DEGREE).toFixed(6))];
  };

  // Zones: some in a row, some within or across another.
  const zones: Zone[] = [];
  const zoneCount = 1 + int(isBlameless ? 5 : 4);
  for (let i = 0; i < zoneCount; i++) {
    const base = zones.at(-1);
    const isNear = base !== undefined && chance(isBlameless ? 0.3 : 0.25);
    zones.push(
      isNear
        ? { x: base.x + pick(0, 0, 150, 500), y: base.y, width: pick(100, 300, 900, 2500) }
        : {
            x: 3000 * int(6) + int(1000),
            y: 2000 * int(3) + int(500),
            width: pick(100, 200, 300, 300, 500, 1500),
          },
    );
  }

  const shapes = zones.map(({ x, y, width }): object => {
    const [west, east, south, north] = [x - width, x + width, y - width, y + width];
    const corners = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ].map(([a, b]) => position(a!, b!));
    const kind = isBlameless || chance(0.8) ? 'circle' : pick('polygon', 'line', 'point');
    if (kind === 'polygon') return { type: { key: kind }, geometry: corners };
    if (kind === 'line') return { type: { key: kind }, geometry: corners.slice(1, 3), width: 2 * width };
    if (kind === 'point') return { type: { key: kind }, geometry: [position(x, y)] };
    return { type: { key: kind }, geometry: [position(x, y)], width };
  });

  // Points: zones in turn, repeated now and then.
  const pointCount = isBlameless ? zoneCount : 1 + int(5);
  const zoneOfPoint: number[] = [];
  for (let i = 0; i < pointCount; i++) {
    zoneOfPoint.push(isBlameless ? i : chance(0.65) ? i % zoneCount : int(zoneCount));
  }
  const planned = isBlameless ? 0.8 : pick(0, 0.5, 0.9, 1);
  const step = pick(20, 30, 45, 60);
  const tolerance = (): object => {
    if (isBlameless) return { deviation_minutes: pick(5, 10, 15) };
    return chance(0.8) ? { deviation_minutes: pick(0, 5, 10, 10, 15) } : {};
  };
  const clockTime = (minutes: number): object => {
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    return { time, ...tolerance() };
  };
  const planAt = zoneOfPoint.map((_, i) => firstMinutes + step * i + (chance(0.1) ? int(20) : 0));
  const points = zoneOfPoint.map((zone, i) => {
    return {
      name: `p${i}`,
      ...shapes[zone]!,
      arrival: chance(planned) ? clockTime(planAt[i]!) : null,
      departure: chance(planned * 0.4) ? clockTime(planAt[i]! + pick(5, 10, 15)) : null,
    };
  });
  const isTimed = points[0]!.arrival !== null || points[0]!.departure !== null;
  const activation =
    isTimed && chance(0.3)
      ? 'time_of_first_point'
      : pick('entrance_to_first_point', 'leaving_first_point', undefined);
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    ...(activation === undefined ? {} : { activation_type: { key: activation } }),
    passage_order_type: { key: pick('strict', 'strict', 'strict', 'arbitrary') },
    dates: chance(0.1) ? [date, nextDay(date)] : [date],
    points,
  } as unknown as Trip;

  // The route: stops and drives. Each stop is at a zone or beside one.
  const way: { time: number; x: number; y: number }[] = [];
  let time = midnight + (firstMinutes - pick(180, 80, 50, 20)) * MINUTE + int(60) * 1000;
  let [x, y] = [-1000 - int(4000), int(3000)];
  const isSleeper = chance(0.3);
  const say = (): void => void way.push({ time, x, y });
  const stand = (until: number): void => {
    say();
    const every = pick(60, 120, 300, 600) * 1000;
    if (!(isSleeper && chance(0.6))) {
      while (time + every < until) {
        time += every;
        x += chance(0.3) ? int(20) - 10 : 0;
        say();
      }
    }
    time = Math.max(time, until);
    say();
  };
  const drive = (toX: number, toY: number, metersPerSecond: number): void => {
    const meters = Math.hypot(toX - x, toY - y);
    const every = pick(30, 60, 120, 180);
    const count = Math.max(1, Math.ceil(meters / (metersPerSecond * every)));
    const [fromX, fromY, from] = [x, y, time];
    const seconds = Math.max(1, Math.round(meters / metersPerSecond));
    for (let k = 1; k <= count; k++) {
      time = from + Math.round((k * seconds) / count) * 1000;
      x = fromX + (k / count) * (toX - fromX);
      y = fromY + (k / count) * (toY - fromY);
      say();
    }
  };
  const gaps: [number, number][] = [];
  const order = zoneOfPoint.map((_, i) => i);
  if (!isBlameless && chance(0.2) && order.length > 1) {
    const k = int(order.length - 1);
    [order[k], order[k + 1]] = [order[k + 1]!, order[k]!];
  }
  say();
  for (const i of order) {
    if (!isBlameless && chance(0.15)) continue;
    const zone = zones[zoneOfPoint[i]!]!;
    const speed = pick(8, 14, 20, 25);
    const reach = Math.hypot(zone.x - x, zone.y - y) / speed;
    // The truck waits at its place, to arrive about on time.
    const delay = isBlameless ? -int(3) : pick(0, 0, 0, -3, 3, 12, -15, 40);
    const leaveAt = midnight + (planAt[i]! + delay) * MINUTE - reach * 1000;
    if (leaveAt > time + 1000) stand(Math.round(leaveAt / 1000) * 1000);
    const off = chance(0.5) ? 0 : 0.7 * zone.width;
    if (!isBlameless && chance(0.1)) {
      // The truck waits outside the zone, and the next fix is inside.
      drive(zone.x - zone.width - 40, zone.y, speed);
      time += pick(5, 11, 25, 70) * MINUTE;
      x += 80;
      say();
    }
    drive(zone.x + off, zone.y, speed);
    if (!isBlameless && chance(0.1)) {
      // A drive-by.
      drive(zone.x + 2 * zone.width + 500, zone.y, speed);
      continue;
    }
    const stay = isBlameless ? pick(2, 6, 10) : pick(0, 0.5, 1, 2, 5, 10, 30, 100);
    const entered = time;
    if (stay > 0) stand(time + stay * MINUTE);
    if (!isBlameless && zone.width > 400 && chance(0.5)) {
      // The truck moves within the zone, possibly during a gap.
      drive(zone.x - 0.5 * zone.width, zone.y, 3);
      stand(time + pick(1, 20, 80) * MINUTE);
      if (chance(0.5)) gaps.push([entered, time - 1]);
    }
    if (chance(0.2)) {
      drive(zone.x + zone.width * pick(1.05, 1.3, 3), zone.y, 10);
      stand(time + pick(0.5, 1, 3, 10) * MINUTE);
      if (!isBlameless && chance(0.5)) drive(zone.x, zone.y, 10);
    }
    if (!isBlameless && chance(0.2)) {
      const other = pick(...zones);
      drive(other.x, other.y, 20);
      stand(time + pick(0, 1, 5) * MINUTE);
    }
  }
  drive(-3000 - int(3000), -2000, 20);
  stand(time + pick(5, 30, 120) * MINUTE);
  if (chance(0.5)) {
    // The truck stays there until the next day.
    time = midnight + pick(30, 40, 50) * 60 * MINUTE;
    say();
  }
  // Some odometers give the total, others the metres of each step. Some also count metres that no fix shows.
  const odometer = isBlameless ? 'none' : pick('none', 'none', 'total', 'steps');
  let driven = 0;
  const whole = way
    .filter((point, k) => k === 0 || point.time > way[k - 1]!.time)
    .map((point, k, all): Fix => {
      const before = all[k - 1] ?? point;
      const meters = Math.hypot(point.x - before.x, point.y - before.y) + (chance(0.05) ? 1500 : 0);
      driven += meters;
      const [lon, lat] = position(point.x, point.y);
      return {
        time: point.time,
        lon,
        lat,
        ...(odometer === 'total' ? { mileageMeters: driven } : {}),
        ...(odometer === 'steps' ? { mileageDeltaMeters: meters } : {}),
      };
    });

  // Gaps begin or end at borders, planned times, neighbours and the window's start.
  const anchors = [
    ...planAt.map((minutes) => midnight + minutes * MINUTE),
    ...way.map((point) => point.time),
    midnight + (firstMinutes - 70) * MINUTE,
  ];
  for (let k = pick(0, 1, 1, 2, 3); k > 0; k--) {
    const at = pick(...anchors) + pick(0, -60, 60, -300, 300) * 1000;
    const length = pick(3, 11, 15, 30, 61, 90, 150) * MINUTE;
    const from = at - pick(0, 0.3, 0.5, 0.9, 1) * length;
    gaps.push([from, from + length]);
  }
  if (chance(0.1)) gaps.push([0, pick(...anchors)]);
  if (chance(0.1)) gaps.push([pick(...anchors), Number.POSITIVE_INFINITY]);
  const fixes = whole.filter((one) => !gaps.some(([from, to]) => one.time > from && one.time < to));

  const now = pick(...anchors) + pick(0, -60, 60, 130, 700) * 1000;
  const options: SlowOptions = isBlameless
    ? {
        timeZone,
        ...(chance(0.3) ? { now } : {}),
        ...(chance(0.3) ? { policy: 'wait' as const } : {}),
        ...(chance(0.2) ? { finishOn: 'departure' as const } : {}),
        ...(chance(0.2) ? { serviceSeconds: 0 } : {}),
      }
    : {
        timeZone,
        ...(chance(0.4) ? { now } : {}),
        ...(chance(0.4) ? { policy: pick('skip' as const, 'wait' as const, 'wait' as const) } : {}),
        ...(chance(0.3) ? { finishOn: pick('entry' as const, 'departure' as const) } : {}),
        ...(chance(0.3) ? { minStaySeconds: pick(30, 60, 300, 1800) } : {}),
        ...(chance(0.3) ? { serviceSeconds: pick(0, 20, 300) } : {}),
        ...(chance(0.2) ? { maxCrossedMeters: 1000 } : {}),
        ...(chance(0.3) ? { parkedMeters: pick(30, 100, 500) } : {}),
        ...(chance(0.3) ? { allowSharedVisit: false } : {}),
        ...(chance(0.2) ? { leaveConfirmSeconds: pick(0, 30, 300, 1200) } : {}),
        ...(chance(0.2) ? { holeSeconds: pick(200, 1200, 3600) } : {}),
        ...(chance(0.2) ? { reachSpeedKph: pick(60, 90, 300) } : {}),
        ...(chance(0.3) ? { maxGapSeconds: pick(500, 1800, 20_000) } : {}),
        ...(chance(0.1) ? { parkedMeters: pick(0, 30, 1000) } : {}),
        ...(chance(0.1) ? { maxCrossedMeters: pick(300, 100_000) } : {}),
        ...(chance(0.1) ? { maxCrossedMeters: 3000 } : {}),
        ...(chance(0.1) ? { exitBufferMeters: 0 } : {}),
        ...(chance(0.1) ? { exitBufferMeters: 20 } : {}),
        ...(chance(0.1) ? { exitBufferMeters: 150 } : {}),
        ...(chance(0.2) ? { windowAfterSeconds: pick(600, 1800, 7200) } : {}),
        ...(chance(0.2) ? { windowAfterSeconds: pick(0, 3600) } : {}),
        ...(chance(0.2) ? { defaultDeviationMinutes: 10 } : {}),
      };
  return { trip, date, whole, fixes, options };
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}
