/** Trips along the equator, and the fixes of units that drive there. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { strictTrip } from './strictTrip.js';

export const DATE = '2026-03-02';
export const START: number = Date.parse(`${DATE}T08:00Z`);
export const MINUTE = 60_000;

/** Circles of 500 m on the equator, 0.1° apart by letter. */
export function trip(letters: string, more: object = {}): Trip {
  return strictTrip(
    DATE,
    Array.from(letters, (letter) => ({
      name: letter,
      type: { key: 'circle' },
      geometry: [[(letter.charCodeAt(0) - 65) / 10, 0]],
      width: 500,
    })),
    more,
  );
}

/** The trip with every other point due at 09:00, half an hour either way. */
export function timed(given: Trip): Trip {
  const arrival = { time: '09:00', deviation_minutes: 30 };
  return { ...given, points: given.points.map((point, i) => (i % 2 === 1 ? { ...point, arrival } : point)) };
}

/** A fix a number of minutes after 08:00 at a point's letter, or at degrees on the equator. */
export function fix(minutes: number, place: string | number, more: Partial<Fix> = {}): Fix {
  const lon = typeof place === 'number' ? place : (place.charCodeAt(0) - 65) / 10;
  return { time: START + minutes * MINUTE, lon, lat: 0.0001, ...more };
}

/** Rests at A, drives to B, rests there and drives on. */
export const DRIVE: readonly Fix[] = [
  fix(-5, 'A'),
  fix(0, 'A'),
  fix(10, 0.05),
  fix(55, 'B'),
  fix(80, 'B'),
  fix(90, 0.15),
  fix(100, 0.2),
];

/** A day along the points: drives from zone to zone, rests, jitter across a boundary, gaps, and some outliers. */
export function journey(random: () => number): Fix[] {
  const fixes: Fix[] = [];
  const count = 10 + Math.floor(random() * 40);
  const place = (): number => Math.floor(random() * 3) / 10 + (random() < 0.3 ? 0.0045 : 0);
  let [minutes, lon, target] = [-90, place() - 0.02, place()];
  while (fixes.length < count) {
    const accuracy = random() < 0.3 ? { accuracyMeters: Math.round(random() * 300) } : {};
    fixes.push(fix(minutes, random() < 0.03 ? lon + 20 : lon, accuracy));
    if (random() < 0.05) {
      minutes += 70;
    } else {
      minutes += [1, 2, 3, 10][Math.floor(random() * 4)]!;
      const reach = [0.01, 0.03, 0.06][Math.floor(random() * 3)]!;
      lon += Math.max(-reach, Math.min(reach, target - lon)) + (random() - 0.5) * 0.002;
      if (Math.abs(target - lon) < 0.002 && random() < 0.5) target = place();
    }
  }
  return fixes;
}
