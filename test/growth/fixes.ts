/** Tracks of any length, of plain and troubled kinds. */

import type { Fix } from '../../src/tracks/index.js';
import { seeded } from '../volume.js';

const START = Date.parse('2026-03-02T06:00Z');
const at = (x: number, y: number): { lon: number; lat: number } => ({
  lon: 9.5 + x / 76_000,
  lat: 47.1 + y / 111_000,
});

const every = (n: number, seconds: number, place: (i: number) => Omit<Fix, 'time'>): Fix[] =>
  Array.from({ length: n }, (_, i) => ({ time: START + 1000 * seconds * i, ...place(i) }));

/** What is hard for a search of stays: fixes that are near without rest, and rests that do not last. Seconds between two fixes. */
export const RESTS: Readonly<Record<string, (n: number, seconds: number) => Fix[]>> = {
  parked: (n, seconds) => {
    const random = seeded(5);
    return every(n, seconds, () => ({ ...at(8 * random(), 8 * random()), speedKph: 0 }));
  },
  'parked to the bit': (n, seconds) => every(n, seconds, () => ({ ...at(0, 0), speedKph: 0 })),
  'at two places in turn': (n, seconds) => every(n, seconds, (i) => at((i % 2) * 90, 0)),
  'within 200 m': (n, seconds) => {
    const random = seeded(6);
    return every(n, seconds, () => at(200 * random(), 200 * random()));
  },
  creeping: (n, seconds) => every(n, seconds, (i) => at(0.25 * seconds * i, 0)),
  'in a small circle': (n, seconds) =>
    every(n, seconds, (i) => at(45 * Math.cos(i / 9), 45 * Math.sin(i / 9))),
  'with spikes': (n, seconds) => every(n, seconds, (i) => at(i % 9 === 0 ? 700 : i % 3, 0)),
};

export const TRACKS: Readonly<Record<string, (n: number) => Fix[]>> = {
  'a drive': (n) => every(n, 10, (i) => ({ ...at(150 * i, 60 * Math.sin(i / 7)), speedKph: 54 })),
  'a drive in circles': (n) =>
    every(n, 10, (i) => ({ ...at(900 * Math.cos(i / 6), 900 * Math.sin(i / 6)), speedKph: 54 })),
  'a parked unit with jitter': (n) => {
    const random = seeded(8);
    return every(n, 10, () => ({ ...at(60 * random() - 30, 60 * random() - 30), speedKph: 0 }));
  },
  'a jam to the end': (n) =>
    every(n, 10, (i) => (i < 3 ? at(100 * i, 0) : { lon: 30 + (i % 2) * 5, lat: 50 + (i % 3) })),
  'jams of two fixes': (n) =>
    every(n, 10, (i) => (i % 5 < 3 ? at(100 * i, 0) : { lon: 30 + i / 1e4, lat: 50 })),
  'a jump that stays': (n) =>
    every(n, 10, (i) => (i < n / 2 ? at(100 * i, 0) : { lon: 30 + i / 1e4, lat: 50 })),
  'a long frozen place': (n) =>
    every(n, 10, (i) =>
      i < 3 || i > n - 3 ? { ...at(100 * i, 0), speedKph: 50 } : { ...at(300, 0), speedKph: 50 },
    ),
  'equal times': (n) =>
    every(n, 10, (i) => at(100 * (i >> 1), 0)).map((fix, i) => ({ ...fix, time: START + 10_000 * (i >> 1) })),
  'gaps of an hour and a half': (n) => every(n, 5400, (i) => at(3000 * (i % 9), 0)),
  'from the last to the first': (n) => every(n, 10, (i) => at(100 * i, 0)).reverse(),
  'bad fixes among good ones': (n) =>
    every(n, 10, (i) => (i % 3 === 0 ? { lon: 400, lat: 95 } : { ...at(100 * i, 0), valid: i % 7 !== 0 })),
};
