/** Generated days of three fleets for the judgement of forecasts: city deliveries, buses and long haul. */

import type { Fix, Position } from '../src/index.js';
import type { PredictionLeg } from '../src/trips/index.js';
import { seeded } from '../test/volume.js';

/** What distinguishes a fleet. Times in seconds, speeds in m/s. */
interface Fleet {
  readonly points: readonly [number, number];
  readonly legMeters: readonly [number, number];
  readonly speed: readonly [number, number];
  readonly service: readonly [number, number];
  /** Spread (of the logarithm) of a day, of a leg, and of a stay. */
  readonly spread: readonly [day: number, leg: number, stay: number];
  /** How strongly the rush hours slow the unit. */
  readonly rush: number;
  /** How strongly the delay of a leg follows that of the leg before. */
  readonly memory: number;
  /** The engine's durations, as a share of those on an average day. */
  readonly engine: number;
  /** Planned time of a leg, as a share of that on an average day. */
  readonly padding: number;
  /** A planned wait every so many points, and its seconds. */
  readonly wait: readonly [every: number, seconds: number];
  readonly toleranceMinutes: number;
  readonly everySeconds: number;
  /** Whether a driver rests 45 min after 4.5 h at the wheel, as the plan does. */
  readonly rests: boolean;
}

export const FLEETS: Readonly<Record<'city' | 'buses' | 'long haul', Fleet>> = {
  city: {
    points: [10, 16],
    legMeters: [1500, 9000],
    speed: [6, 10],
    service: [240, 900],
    spread: [0.08, 0.2, 0.45],
    rush: 0.35,
    memory: 0.5,
    engine: 0.95,
    padding: 1.08,
    wait: [6, 900],
    toleranceMinutes: 15,
    everySeconds: 120,
    rests: false,
  },
  buses: {
    points: [16, 24],
    legMeters: [800, 2500],
    speed: [6, 9],
    service: [20, 60],
    spread: [0.06, 0.18, 0.6],
    rush: 0.35,
    memory: 0.6,
    engine: 0.92,
    padding: 1.05,
    wait: [5, 120],
    toleranceMinutes: 5,
    everySeconds: 60,
    rests: false,
  },
  'long haul': {
    points: [3, 5],
    legMeters: [120_000, 380_000],
    speed: [17, 21],
    service: [1800, 4500],
    spread: [0.04, 0.09, 0.4],
    rush: 0.1,
    memory: 0.3,
    engine: 0.97,
    padding: 1.04,
    wait: [2, 1800],
    toleranceMinutes: 30,
    everySeconds: 300,
    rests: true,
  },
};

/** A point as planned, seconds after the start of the run. */
interface FleetPoint {
  readonly position: Position;
  readonly arrival: number;
  /** `null` where the unit leaves when it is done. */
  readonly departure: number | null;
  readonly service: number;
}

export interface FleetRoute {
  readonly fleet: Fleet;
  readonly points: readonly FleetPoint[];
  readonly legs: readonly PredictionLeg[];
  /** Seconds of each leg on an average day without rush hours. */
  readonly usual: readonly number[];
  readonly startHour: number;
}

const REST_AFTER = 16_200;
const REST = 2700;

const between = ([from, to]: readonly [number, number], share: number): number => from + share * (to - from);

/** 1 without traffic; the rush is around 8:00 and 17:30. */
const trafficAt = (hour: number, rush: number): number =>
  1 + rush * (Math.exp(-(((hour - 8) / 1.2) ** 2)) + Math.exp(-(((hour - 17.5) / 1.5) ** 2)));

/** A route with its plan. The planner knows the mean traffic of the day, and not that of the hour. */
export function makeRoute(fleet: Fleet, seed: number): FleetRoute {
  const random = seeded(seed);
  const count = Math.round(between(fleet.points, random()));
  const startHour = fleet.rests ? 4 + 3 * random() : 6 + 8 * random();
  let [lon, lat, heading] = [15 + random(), 50 + random(), 2 * Math.PI * random()];
  const legs: PredictionLeg[] = [];
  const usual: number[] = [];
  for (let i = 1; i < count; i++) {
    const meters = between(fleet.legMeters, random());
    const geometry: Position[] = [[lon, lat]];
    for (let k = 0; k < 8; k++) {
      heading += 0.7 * (random() - 0.5);
      lat += ((meters / 8) * Math.cos(heading)) / 111_200;
      lon += ((meters / 8) * Math.sin(heading)) / (111_200 * Math.cos((lat * Math.PI) / 180));
      geometry.push([lon, lat]);
    }
    usual.push(meters / between(fleet.speed, random()));
    legs.push({ durationSeconds: fleet.engine * (1 + 0.3 * fleet.rush) * usual.at(-1)!, geometry });
  }
  let [time, wheel] = [0, 0];
  const points = [legs[0]!.geometry[0]!, ...legs.map(({ geometry }) => geometry.at(-1)!)].map(
    (position, i): FleetPoint => {
      if (i > 0) {
        const seconds = usual[i - 1]! * (1 + 0.3 * fleet.rush) * fleet.padding;
        time += seconds;
        wheel += seconds;
        for (; fleet.rests && wheel > REST_AFTER; wheel -= REST_AFTER) time += REST;
      }
      const arrival = time;
      const service = i === 0 ? 0 : 30 * Math.round(between(fleet.service, random()) / 30);
      const isWait = i > 0 && i % fleet.wait[0] === 0;
      if (i > 0) time += service + (isWait ? fleet.wait[1] : 0);
      return { position, arrival, departure: isWait || i === 0 ? time : null, service };
    },
  );
  return { fleet, points, legs, usual, startHour };
}

/** The fixes of one day; `start` is the planned start in epoch milliseconds. */
export function driveRoute(route: FleetRoute, seed: number, start: number): Fix[] {
  const { fleet, points, legs, usual, startHour } = route;
  const random = seeded(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const fixes: Fix[] = [];
  const step = fleet.everySeconds;
  const put = (seconds: number, [lon, lat]: Position): void => {
    fixes.push({
      time: Math.round(start + 1000 * seconds),
      lon: lon + 4e-5 * normal(),
      lat: lat + 3e-5 * normal(),
    });
  };
  const day = fleet.spread[0] * normal();
  let [clock, wheel, mood] = [-600, 0, normal()];
  points.forEach((point, i) => {
    const done =
      i === 0
        ? Math.max(0, 0.03 * fleet.toleranceMinutes * 60 * normal() + (random() < 0.2 ? 600 * random() : 0))
        : clock + point.service * Math.exp(fleet.spread[2] * normal() - fleet.spread[2] ** 2 / 2);
    const leave = Math.max(done, point.departure ?? Number.NEGATIVE_INFINITY);
    for (; clock < leave; clock += step) put(clock, point.position);
    clock = leave;
    const leg = legs[i];
    if (leg === undefined) return;
    mood = fleet.memory * mood + Math.sqrt(1 - fleet.memory ** 2) * normal();
    // A jam now and then.
    const jam = random() < 0.04 ? 1 + random() : 1;
    const slow = Math.exp(day + fleet.spread[1] * mood) * jam;
    for (let share = 0; share < 1; ) {
      const hour = (startHour + clock / 3600) % 24;
      put(clock, placeAt(leg.geometry, share));
      share += step / (usual[i]! * slow * trafficAt(hour, fleet.rush) * Math.exp(0.3 * normal() - 0.045));
      clock += step;
      wheel += step;
      if (!fleet.rests || wheel < REST_AFTER || share >= 1) continue;
      const until = clock + REST + 300 * Math.abs(normal());
      for (; clock < until; clock += step) put(clock, placeAt(leg.geometry, share));
      wheel = 0;
    }
  });
  for (const until = clock + 900; clock < until; clock += step) put(clock, points.at(-1)!.position);
  return fixes;
}

/** The position at a share of a line with edges of equal length. */
function placeAt(line: readonly Position[], share: number): Position {
  const at = Math.min(share, 1) * (line.length - 1);
  const k = Math.min(Math.floor(at), line.length - 2);
  const [[aLon, aLat], [bLon, bLat]] = [line[k]!, line[k + 1]!];
  return [aLon + (at - k) * (bLon - aLon), aLat + (at - k) * (bLat - aLat)];
}
