/** Generates journeys around zones on a plane: with rests, jitter, gaps, jumps, invalid and repeated fixes. */

import type { Fix } from '../../src/core/fix.js';
import type { VisitTrackerOptions } from '../../src/tracks/index.js';
import { LONG } from '../volume.js';
import { fixAt, type PlaneZone } from './planeIndex.js';

export const JOURNEYS: number = LONG ? 5000 : 100;
export const SHORT_JOURNEYS: number = LONG ? 200 : 20;

export const ZONES: readonly PlaneZone[] = [
  { id: 'box', parts: [{ box: [-200, -150, 100, 150] }] },
  { id: 'disc', parts: [{ disc: [120, 40, 130] }] },
  { id: 'comb', parts: [0, 1, 2, 3].map((i) => ({ box: [i * 90 - 150, -300, i * 90 - 100, 300] })) },
  { id: 'next', parts: [{ box: [100, -150, 300, 150] }] },
];

export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

export function randomOptions(random: () => number, latenessSeconds: number): VisitTrackerOptions {
  return {
    exitBufferMeters: pick(random, [0, 0, 10, 60]),
    accuracyCapMeters: pick(random, [0, 0, 25, 100]),
    minInsideSeconds: pick(random, [0, 0, 5, 20, 60]),
    minOutsideSeconds: pick(random, [0, 0, 5, 20, 60]),
    maxGapSeconds: pick(random, [60, 120, 3600]),
    maxGapMeters: pick(random, [500, Number.POSITIVE_INFINITY]),
    parkedMeters: pick(random, [0, 15, 200]),
    maxCrossedMeters: pick(random, [5000, 150]),
    maxSpeedKph: pick(random, [60, 150, Number.POSITIVE_INFINITY]),
    latenessSeconds,
  };
}

/** Fixes in order of time. With `isMessy` some times repeat and some fixes are invalid. */
export function journey(random: () => number, length: number, isMessy: boolean): Fix[] {
  const fixes: Fix[] = [];
  let [seconds, x, y] = [0, 400 * (random() - 0.5), 300 * (random() - 0.5)];
  while (fixes.length < length) {
    const accuracyMeters = random() < 0.6 ? Math.round(random() * 60) : undefined;
    const more: Partial<Fix> = {
      ...(accuracyMeters !== undefined && { accuracyMeters }),
      ...(random() < 0.3 && { speedKph: Math.round(random() * 40), ignition: random() < 0.5 }),
    };
    const jump = random() < 0.05 ? 9000 : 0;
    fixes.push(fixAt(seconds, x + jump, y, more));
    if (isMessy && random() < 0.1) fixes.push({ ...fixAt(seconds, x, y), valid: false });
    if (isMessy && random() < 0.05) fixes.push({ ...fixAt(seconds, x, y), lat: Number.NaN });
    const isSame = isMessy && random() < 0.1;
    if (!isSame) seconds += random() < 0.1 ? 61 + Math.round(random() * 200) : 1 + Math.round(random() * 40);
    const reach = pick(random, [0, 0, 20, 300, 900]);
    x = clamp(x + reach * (random() - 0.5));
    y = clamp(y + reach * (random() - 0.5));
  }
  return fixes;
}

/** The fixes in an order in which each arrives at most `latenessSeconds` after a later one. */
export function delayed(random: () => number, fixes: readonly Fix[], latenessSeconds: number): Fix[] {
  return fixes
    .map((fix) => ({ fix, arrival: fix.time + random() * latenessSeconds * 1000 }))
    .sort((a, b) => a.arrival - b.arrival)
    .map(({ fix }) => fix);
}

/** The fixes with some repeated: within the lateness, or directly without one. */
export function repeated(random: () => number, fixes: readonly Fix[], latenessSeconds: number): Fix[] {
  const twice = fixes.flatMap((fix) => (random() < 0.5 ? [fix, fix, fix] : [fix]));
  return latenessSeconds > 0 ? delayed(random, twice, latenessSeconds) : twice;
}

function clamp(value: number): number {
  return Math.round(Math.max(-450, Math.min(450, value)) * 100) / 100;
}
