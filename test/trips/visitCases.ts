/** Generates runs of trips with few zones and coarse times, so that ties, overlaps and equal instants are common. */

import type { Trip } from '../../src/core/trip.js';
import type { Visit } from '../../src/tracks/index.js';
import type { TripOptions, TripVisits } from '../../src/trips/terms/tripReport.js';
import type { SlowOptions } from './oracle/slowModel.js';

export interface TripCase {
  readonly trip: Trip;
  readonly date: string;
  readonly source: TripVisits;
  readonly options: TripOptions & SlowOptions;
}

const MIDNIGHT = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;
const ZONES: readonly object[] = [
  { type: { key: 'circle' }, geometry: [[13.1, 52.1]], width: 100 },
  { type: { key: 'circle' }, geometry: [[13.2, 52.2]], width: 100 },
  { type: { key: 'point' }, geometry: [[13.2, 52.2]] },
  { type: { key: 'circle' }, geometry: [[13.2, 52.2]], width: 90 },
];

export function randomCase(random: () => number): TripCase {
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(...items: readonly Item[]): Item => items[int(items.length)]!;
  const chance = (share: number): boolean => random() < share;

  const zoneCount = 1 + int(ZONES.length);
  const pointCount = 1 + int(7);
  const planned = pick(0, 0.3, 0.8, 1);
  const zoneOfPoint: number[] = [];
  for (let i = 0; i < pointCount; i++) {
    zoneOfPoint.push(i > 0 && chance(0.3) ? zoneOfPoint[i - 1]! : int(zoneCount));
  }
  const clockTime = (i: number): object | null => {
    if (!chance(planned)) return null;
    const minutes = Math.min(1439, 480 + (chance(0.8) ? 60 * i : 60 * int(pointCount)) + 10 * int(7));
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    return {
      time,
      ...(chance(0.1) ? { after_days: int(2) } : {}),
      ...(chance(0.6) ? { deviation_minutes: pick(0, 5, 15, 0.5) } : {}),
    };
  };
  const points = zoneOfPoint.map((zone, i) => ({
    name: `p${i}`,
    ...ZONES[zone]!,
    arrival: clockTime(i),
    departure: chance(0.5) ? clockTime(i) : null,
  }));
  const isTimed = points[0]!.arrival !== null || points[0]!.departure !== null;
  const kinds = ['entrance_to_first_point', 'leaving_first_point', undefined];
  const kind = isTimed && chance(0.3) ? 'time_of_first_point' : pick(...kinds);
  const trip = {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    ...(kind === undefined ? {} : { activation_type: { key: kind } }),
    passage_order_type: { key: pick('strict', 'strict', 'arbitrary') },
    dates: chance(0.15) ? ['2026-03-02', '2026-03-03 00:00'] : ['2026-03-02'],
    points,
  } as unknown as Trip;

  const visits: Visit[] = [];
  for (let zone = 0; zone < zoneCount; zone++) {
    const index = zoneOfPoint.indexOf(zone);
    if (index < 0) continue;
    const count = zoneCount === 1 ? int(6) : int(4);
    let time = MIDNIGHT + (chance(0.2) ? -120 : 400 + int(24) * 10) * MINUTE;
    for (let k = 0; k < count; k++) {
      const enter = time;
      const stays = pick(0, 1, 2, 5, 10, 30, 60) * MINUTE + (chance(0.1) ? int(60_000) : 0);
      const isOpen = k === count - 1 && chance(0.3);
      const isGap = !isOpen && chance(0.15);
      const away = isGap && chance(0.5) ? 10 * MINUTE : pick(0.5, 1, 2, 5, 10, 20, 60) * MINUTE;
      const slack = chance(0.2) ? pick(30_000, 600_000) : 0;
      const exit = isOpen ? null : enter + stays;
      const next = isGap ? (chance(0.1) ? null : exit! + 10 * MINUTE) : (exit ?? 0) + slack;
      visits.push({
        zoneId: String(chance(0.2) ? zoneOfPoint.lastIndexOf(zone) : index),
        seen: chance(0.15) ? 'crossed' : 'inside',
        end: isOpen ? 'open' : isGap ? 'gap' : 'left',
        enter,
        exit,
        enterBounds: [chance(0.1) ? null : enter - slack, enter + (chance(0.1) ? slack : 0)],
        exitBounds: exit === null ? null : [exit, next],
        fixCount: int(5),
      });
      time = enter + stays + away;
    }
  }
  // Only the first visits have no fix before them, and they begin at their first fix.
  const first = Math.min(...visits.map(({ enter }) => enter));
  visits.forEach((visit, i) => {
    const { enter, enterBounds } = visit;
    if (enterBounds[0] !== null) return;
    visits[i] = { ...visit, enterBounds: [enter === first ? null : enter, enter] };
  });
  visits.sort(() => random() - 0.5);
  const gaps: { from: number; to: number; start?: [number, number]; end?: [number, number] }[] = [];
  // Within minutes of the zones, which lie 13 km apart, or half an hour from them.
  const place = (): [number, number] => [pick(13.1, 13.12, 13.2, 13.5), pick(52.1, 52.15, 52.2)];
  // Gaps lie apart, and no fix of a visit lies in one.
  const known = visits.flatMap(({ enterBounds, exitBounds }) => [...enterBounds, ...(exitBounds ?? [])]);
  const gap = (from: number, to: number): void => {
    if (gaps.some((other) => other.from < to && other.to > from)) return;
    if (known.some((time) => time !== null && time > from && time < to)) return;
    const ends = { ...(chance(0.4) ? { start: place() } : {}), ...(chance(0.4) ? { end: place() } : {}) };
    gaps.push({ from, to, ...ends });
  };
  // Gaps where the bounds of a visit allow one, and at random times.
  for (const { enterBounds, exitBounds } of visits) {
    if (chance(0.5) && enterBounds[0] !== null && enterBounds[0] < enterBounds[1])
      gap(enterBounds[0], enterBounds[1]);
    const [from, to] = exitBounds ?? [0, 0];
    if (chance(0.7) && to !== null && from < to) gap(from, to);
  }
  if (chance(0.5)) {
    for (let k = int(5); k > 0; k--) {
      const from = MIDNIGHT + (360 + 10 * int(60)) * MINUTE;
      gap(from, from + 10 * int(50) * MINUTE);
    }
    if (chance(0.3)) gap(MIDNIGHT + 720 * MINUTE, MIDNIGHT + 5000 * MINUTE);
  }
  const soon = (pick(...visits)?.enter ?? MIDNIGHT) + pick(0, 0.5, 2, 4, 25) * MINUTE;
  const now = chance(0.3) ? soon : MIDNIGHT + (360 + int(144) * 10) * MINUTE;
  const options: TripOptions & SlowOptions = {
    timeZone: 'UTC',
    ...(chance(0.5) ? { now } : {}),
    ...(chance(0.4) ? { policy: pick('skip' as const, 'wait' as const) } : {}),
    ...(chance(0.4) ? { finishOn: pick('entry' as const, 'departure' as const) } : {}),
    ...(chance(0.4) ? { minStaySeconds: pick(0, 60, 300, 1800) } : {}),
    ...(chance(0.3) ? { holeSeconds: chance(0.3) ? 300 : 900 } : {}),
    ...(chance(0.3) ? { parkedMeters: pick(0, 50, 300, 1000) } : {}),
    ...(chance(0.4) ? { allowSharedVisit: chance(0.8) } : {}),
    ...(chance(0.3) ? { leaveConfirmSeconds: pick(0, 60, 300, 1200) } : {}),
    ...(chance(0.2) ? { windowAfterSeconds: pick(600, 1800, 7200) } : {}),
    ...(chance(0.2) ? { windowAfterSeconds: pick(0, 3600, 86_400) } : {}),
    ...(chance(0.3) ? { defaultDeviationMinutes: pick(0, 10) } : {}),
    ...(chance(0.1) ? { defaultWidthMeters: pick(90, 100, 250) } : {}),
    ...(chance(0.5) ? { serviceSeconds: pick(0, 60, 300, 600) } : {}),
    ...(chance(0.2) ? { reachSpeedKph: pick(30, 90) } : {}),
  };
  const source = gaps.length > 0 || chance(0.2) ? { visits, gaps } : { visits };
  return { trip, date: '2026-03-02', source, options };
}
