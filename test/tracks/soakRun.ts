/** Feeds many fixes of many units with hostile ids to trackers and measures their memory. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { type Geozone, ZoneIndex } from '../../src/index.js';
import { MovementTracker, VisitTracker } from '../../src/tracks/index.js';
import { TripTracker } from '../../src/trips/index.js';
import { seeded } from '../volume.js';

export interface SoakPoint {
  readonly fixes: number;
  /** The results of `sizeOf`. */
  readonly size: number;
}

export interface SoakResult {
  readonly points: readonly SoakPoint[];
  readonly events: number;
  readonly units: number;
  readonly followed: number;
}

export type SoakTracker = 'visits' | 'movement' | 'trips';

/** Hostile ids, one per unit. */
const HOSTILE: readonly ((i: number) => string)[] = [
  (i) =>
    ['__proto__', 'constructor', 'toString', '', '\u0000', 'hasOwnProperty', '*', '..', '-0', 'NaN'][i] ??
    `__proto__${i}`,
  (i) => `${i}`,
  (i) => `\ud800${i}`,
  (i) => `${i}\udfff`,
  (i) => `😀${i}`,
  (i) => `${'k'.repeat(1000)}${i}`,
  (i) => `constructor.prototype.${i}`,
  (i) => `=cmd|'/c calc'!A${i}`,
  (i) => `<script>alert(${i})</script>`,
  (i) => `e\u0301\u202e${i}`,
];

function hostileIds(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    HOSTILE[i % HOSTILE.length]!(Math.floor(i / HOSTILE.length)),
  );
}

function zones(): Geozone[] {
  const random = seeded(7);
  return hostileIds(500).map((id) => ({
    id,
    name: id,
    type: { key: 'circle' },
    geometry: [[37.4 + 0.4 * random(), 55.6 + 0.25 * random()]],
    width: 100 + 400 * random(),
  }));
}

/** Fixes per lap. Memory is compared after whole laps, when every unit has the same position again. */
const LAP = 40;
const METERS = 900;
const SECONDS = 40;
const START = 1_772_438_400_000;
const DAY = 86_400_000;

/** The position of a unit at a share of its lap. */
function placeOf([lon, lat]: readonly [number, number], share: number): [number, number] {
  const angle = 2 * Math.PI * share;
  return [lon + (METERS / 62_700) * Math.cos(angle), lat + (METERS / 111_300) * Math.sin(angle)];
}

export interface Follower {
  /** Pushes a unit's next fix, and returns the number of events. */
  push(unit: number, fix: Fix): number;
  endLap(): void;
  /** How many fixes were counted in all. */
  taken(): number;
  followed(): number;
  /** Characters of the state of all units, as JSON. */
  stateSize(): number;
}

function streamOf(kind: 'visits' | 'movement', units: readonly string[]): Follower {
  const tracker = kind === 'visits' ? new VisitTracker(new ZoneIndex(zones())) : new MovementTracker();
  return {
    push: (unit, fix) => tracker.push(units[unit]!, fix).length,
    endLap: () => {},
    taken: () => tracker.counts().in,
    followed: () => tracker.snapshot(units[0]!).units.length,
    stateSize: () => JSON.stringify(tracker.snapshot()).length,
  };
}

/** Each lap is one run of each unit's trip. In the middle its tracker is restored from a snapshot. */
function runsOf(units: readonly string[], places: readonly (readonly [number, number])[]): Follower {
  const trips = units.map(
    (id, unit): Trip => ({
      id,
      name: id,
      unit: { id },
      passage_order_type: { key: 'strict' },
      dates: [0, 1, 2, 3].map((day) => new Date(START + day * DAY).toISOString().slice(0, 10)),
      points: [0, 1 / 3, 2 / 3].map((share) => ({
        name: id,
        type: { key: 'circle' },
        geometry: [placeOf(places[unit]!, share)],
        width: 200,
      })),
    }),
  );
  const runs: TripTracker[] = [];
  let lap = 0;
  let taken = 0;
  const runOf = (unit: number, time: number): TripTracker => {
    const run = runs[unit];
    const done = run?.counts().in;
    if (run === undefined || done === LAP) {
      return new TripTracker(trips[unit]!, new Date(time).toISOString().slice(0, 10), { timeZone: 'UTC' });
    }
    return done === LAP / 2 ? TripTracker.restore(trips[unit]!, run.snapshot()) : run;
  };
  return {
    push: (unit, fix) => {
      const run = runOf(unit, fix.time);
      runs[unit] = run;
      taken++;
      return run.push(fix).length;
    },
    endLap: () => {
      lap++;
      for (const run of runs) {
        const { status, totals } = run.report();
        if (status !== 'finished' || totals.passed !== 3) throw new Error(`a run of lap ${lap} is ${status}`);
        if (run.counts().applied !== LAP) throw new Error(`a run of lap ${lap} took ${run.counts().applied}`);
      }
    },
    taken: () => taken,
    followed: () => runs.length / units.length,
    stateSize: () => runs.reduce((sum, run) => sum + JSON.stringify(run.snapshot()).length, 0),
  };
}

/**
 * Every unit drives laps over the zones, with a fix every forty seconds and a stop in each lap. After `warmUp` laps `sizeOf` is called `checkpoints`
 * times at equal intervals.
 */
export function soak(
  kind: SoakTracker,
  unitCount: number,
  laps: number,
  warmUp: number,
  checkpoints: number,
  sizeOf: (follower: Follower) => number,
  onPoint: (point: SoakPoint) => void = () => {},
): SoakResult {
  const units = hostileIds(unitCount);
  const random = seeded(8);
  const places = units.map(() => [37.4 + 0.4 * random(), 55.6 + 0.25 * random()] as const);
  const follower = kind === 'trips' ? runsOf(units, places) : streamOf(kind, units);
  const every = Math.floor((laps - warmUp) / checkpoints);
  const points: SoakPoint[] = [];
  let events = 0;
  let fixes = 0;
  for (let lap = 0; lap < laps; lap++) {
    for (let round = 0; round < LAP; round++) {
      // A stop of a quarter of the lap, longer than a parking.
      const share = Math.min(round, 30) / 30;
      const time = START + (lap * LAP + round) * SECONDS * 1000;
      for (let unit = 0; unit < unitCount; unit++) {
        // Noise of a receiver, a tenth of a metre, different in each lap.
        const noise = 1e-6 * ((unit * 7 + lap * 13 + round) % 11);
        const [lon, lat] = placeOf(places[unit]!, share);
        const fix = { time, lon: lon + noise, lat: lat + noise, speedKph: round < 30 ? 17 : 0 };
        events += follower.push(unit, fix);
      }
      fixes += unitCount;
    }
    follower.endLap();
    const done = lap + 1 - warmUp;
    if (done >= 0 && done % every === 0) {
      const point = { fixes, size: sizeOf(follower) };
      points.push(point);
      onPoint(point);
    }
  }
  const taken = follower.taken();
  if (taken !== fixes) throw new Error(`${taken} of ${fixes} fixes are counted`);
  return { points, events, units: unitCount, followed: follower.followed() };
}

/** Relative growth of the size from the first checkpoint to the largest later one. */
export function growth(points: readonly SoakPoint[]): number {
  const sizes = points.map(({ size }) => size);
  return Math.max(...sizes.slice(1)) / sizes[0]! - 1;
}
