/** Many fixes of many units with ids that mean harm, and the memory that the trackers hold meanwhile. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Geozone, ZoneIndex } from '../../src/index.js';
import { MovementTracker, VisitTracker } from '../../src/tracks/index.js';
import { seeded } from '../volume.js';

export interface SoakPoint {
  readonly fixes: number;
  /** Bytes in use on the heap and outside it, after a collection. */
  readonly heap: number;
  readonly external: number;
}

export interface SoakResult {
  readonly points: readonly SoakPoint[];
  readonly events: number;
  readonly units: number;
  readonly followed: number;
}

export type SoakTracker = 'visits' | 'movement';

/** What an id can be, as often as there are units. */
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

/** Rounds of a lap: memory is compared where every unit is where it was. */
const LAP = 40;
const METERS = 900;

/**
 * Every unit drives laps of its own over the zones, a fix in forty seconds and a stand in each lap; after `warmUp` laps memory is taken
 * `checkpoints` times at equal distances.
 */
export function soak(
  kind: SoakTracker,
  unitCount: number,
  laps: number,
  warmUp: number,
  checkpoints: number,
  onPoint: (point: SoakPoint) => void = () => {},
): SoakResult {
  const units = hostileIds(unitCount);
  const index = new ZoneIndex(zones());
  const tracker = kind === 'visits' ? new VisitTracker(index) : new MovementTracker();
  const random = seeded(8);
  const places = Float64Array.from({ length: 2 * unitCount }, (_, i) =>
    i % 2 === 0 ? 37.4 + 0.4 * random() : 55.6 + 0.25 * random(),
  );
  const every = Math.floor((laps - warmUp) / checkpoints);
  const points: SoakPoint[] = [];
  let events = 0;
  let fixes = 0;
  for (let lap = 0; lap < laps; lap++) {
    for (let round = 0; round < LAP; round++) {
      // A stand of a quarter of the lap, longer than a parking.
      const angle = (2 * Math.PI * Math.min(round, 30)) / 30;
      const time = 1_772_438_400_000 + (lap * LAP + round) * 40_000;
      for (let unit = 0; unit < unitCount; unit++) {
        // A receiver's noise of a tenth of a metre, other in each lap.
        const noise = 1e-6 * ((unit * 7 + lap * 13 + round) % 11);
        const fix = {
          time,
          lon: places[2 * unit]! + (METERS / 62_700) * Math.cos(angle) + noise,
          lat: places[2 * unit + 1]! + (METERS / 111_300) * Math.sin(angle) + noise,
          speedKph: round < 30 ? 17 : 0,
        };
        events += tracker.push(units[unit]!, fix).length;
      }
      fixes += unitCount;
    }
    const done = lap + 1 - warmUp;
    if (done >= 0 && done % every === 0) {
      const point = { fixes, ...memory() };
      points.push(point);
      onPoint(point);
    }
  }
  const { in: taken } = tracker.counts();
  if (taken !== fixes) throw new Error(`${taken} of ${fixes} fixes are counted`);
  return { points, events, units: unitCount, followed: tracker.snapshot(units[0]!).units.length };
}

/** By how much memory grows from the first point to the greatest one after it, as a share. */
export function growth(points: readonly SoakPoint[]): number {
  const totals = points.map(({ heap, external }) => heap + external);
  return Math.max(...totals.slice(1)) / totals[0]! - 1;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): { heap: number; external: number } {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, external };
}
