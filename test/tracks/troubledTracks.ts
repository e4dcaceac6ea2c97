/** Generates tracks with jams, spoofed places, frozen receivers, false first fixes, duplicates, gaps, sleeps and drift at borders. */

import type { Fix } from '../../src/core/fix.js';
import type { VisitTrackerOptions } from '../../src/tracks/index.js';
import { pick, randomOptions } from './journeys.js';
import { fixAt } from './planeIndex.js';

type Mode =
  | 'drive'
  | 'park'
  | 'drift'
  | 'gap'
  | 'sleep'
  | 'wild'
  | 'spoof'
  | 'far'
  | 'frozen'
  | 'repeat'
  | 'ship'
  | 'thaw';

const MODES: readonly Mode[] = [
  'drive',
  'drive',
  'park',
  'drift',
  'gap',
  'sleep',
  'wild',
  'spoof',
  'far',
  'frozen',
  'repeat',
  'ship',
  'thaw',
  'thaw',
];

export type RunOptions = VisitTrackerOptions;

/** Options of readTrack, visits and streams in one. */
export function troubledOptions(random: () => number, latenessSeconds = 0): RunOptions {
  return {
    ...randomOptions(random, latenessSeconds),
    maxSpeedKph: pick(random, [100, 300, 300, Number.POSITIVE_INFINITY]),
    maxJamSeconds: pick(random, [0, 60, 600, 3600, Number.POSITIVE_INFINITY]),
    frozenSpeedKph: pick(random, [0, 10, 10, Number.POSITIVE_INFINITY]),
    parkedMeters: pick(random, [0, 15, 200, 200]),
    maxCrossedMeters: pick(random, [5000, 5000, 150]),
    ...(random() < 0.2 && { maxAccuracyMeters: 50 }),
    ...(random() < 0.2 && { minSatellites: 4 }),
  };
}

/** Fixes in order of time, near the zones of `journeys.ts`. */
export function troubledTrack(random: () => number, isMessy: boolean): Fix[] {
  const fixes: Fix[] = [];
  const sends = {
    speed: random() < 0.6,
    mileage: random() < 0.4,
    delta: random() < 0.2,
    accuracy: random() < 0.5,
  };
  let [seconds, x, y, odometer] = [0, 600 * (random() - 0.5), 500 * (random() - 0.5), 1e5];
  const add = (atX: number, atY: number, speedKph: number, driven: number): void => {
    odometer += Math.round(driven);
    const fix = fixAt(seconds, atX, atY, {
      ...(sends.speed && random() < 0.9 && { speedKph }),
      ...(sends.mileage && random() < 0.9 && { mileageMeters: odometer }),
      ...(sends.delta && random() < 0.9 && { mileageDeltaMeters: Math.round(driven) }),
      ...(sends.accuracy && random() < 0.8 && { accuracyMeters: Math.round(random() * 90) }),
      ...(random() < 0.3 && { satellites: Math.floor(random() * 12) }),
    });
    fixes.push(fix);
    if (!isMessy) return;
    if (random() < 0.05) fixes.push({ ...fix, valid: false });
    if (random() < 0.05) fixes.push({ ...fix, lat: Number.NaN });
    if (random() < 0.08) fixes.push({ ...fixAt(seconds, atX + 10 * random(), atY), accuracyMeters: 20 });
  };
  const wait = (): void => {
    seconds += pick(random, [1, 5, 20, 60]);
  };
  // A false first fix.
  if (random() < 0.3) {
    add(x + 40_000, y, 0, 0);
    wait();
  }
  const count = 2 + Math.floor(random() * 5);
  for (let part = 0; part < count; part++) {
    const mode = pick(random, MODES);
    const [farX, farY] = [x + pick(random, [-1, 1]) * pick(random, [3000, 20_000, 4e5]), y + 2000 * random()];
    const length = 1 + Math.floor(random() * 5);
    // Long jams, so that V4b believes jumps.
    const step = pick(random, [1, 10, 60, 400]);
    if (mode === 'thaw') {
      // The receiver repeats a place while the unit drives, and wakes up far away. The speed since the first of them is 100 to 250 km/h.
      const from = seconds;
      const repeats = 2 + Math.floor(random() * 3);
      for (let k = 0; k < repeats; k++) {
        seconds += pick(random, [20, 300, 900]);
        add(x, y, pick(random, [0, 5, 5, 40]), 0);
      }
      seconds += 1;
      [x, y] = [x + ((seconds - from) * (100 + 150 * random())) / 3.6, y + 10];
      for (let k = 0; k < 3 + random() * 3; k++) {
        add(x + 30 * k, y, 40, 30);
        seconds += pick(random, [30, 400, 1500]);
      }
      [x, y] = [clamp(x), clamp(y)];
      continue;
    }
    for (let k = 0; k < length; k++) {
      const before = seconds;
      if (mode === 'wild' || mode === 'spoof' || mode === 'far' || mode === 'frozen') seconds += step;
      else wait();
      if (mode === 'drive') {
        [x, y] = [clamp(x + 600 * (random() - 0.5)), clamp(y + 500 * (random() - 0.5))];
        add(x, y, 20 + 40 * random(), 300);
      } else if (mode === 'park') add(x + random(), y + random(), 0, 0);
      else if (mode === 'drift') add(x + 60 * (random() - 0.5), y + 60 * (random() - 0.5), 2 * random(), 0);
      else if (mode === 'gap' || mode === 'sleep') {
        seconds += pick(random, [100, 700, 4000]);
        if (mode === 'gap') [x, y] = [clamp(x + 900 * (random() - 0.5)), clamp(y + 500 * (random() - 0.5))];
        add(x + 30 * random(), y, 0, mode === 'gap' ? 500 : 0);
        break;
      } else if (mode === 'wild') add(x + 2e5 * (random() - 0.5), y + 2e5 * (random() - 0.5), 30, 50);
      else if (mode === 'spoof') add(farX, farY, pick(random, [0, 40]), 100);
      else if (mode === 'far') add(farX + 300 * k, farY, 40, 300);
      else if (mode === 'frozen') add(x, y, pick(random, [0, 40, 40]), pick(random, [0, 300]));
      else if (mode === 'repeat') add(x, y, 0, 0);
      else if (k === 0) {
        // The unit is carried away, and comes back much later by itself.
        [x, y] = [farX, farY];
        add(x, y, 0, 0);
      } else {
        seconds = before + pick(random, [60, 900]);
        add(x + 20 * k, y, 10, 20);
      }
    }
    if (mode === 'ship' || random() < 0.1) [x, y] = [clamp(0), clamp(100 * random())];
  }
  return fixes;
}

function clamp(value: number): number {
  return Math.round(Math.max(-450, Math.min(450, value)) * 100) / 100;
}
