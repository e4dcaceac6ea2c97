import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fix, Geozone } from '../../src/index.js';
import { toFixCsv, toZoneCsv } from '../../src/interchange/index.js';
import { wkt } from '../wkt.js';

/** A yard with a shed in it, a road, and two vans. One drives east through the yard, the other north across the road. */

const START = Date.UTC(2026, 2, 2, 5);
const MINUTE = 60_000;

const box = (west: number, south: number, east: number, north: number): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** The shed comes first, so that drawing in file order would cover it with the yard. */
export const ZONES: readonly Geozone[] = [
  {
    id: 'shed',
    name: 'Shed <b>',
    type: { key: 'polygon' },
    geometry: box(24.02, 56.91, 24.03, 56.92),
  },
  { id: 'yard', name: 'Yard', type: { key: 'polygon' }, geometry: box(24, 56.9, 24.1, 56.95) },
  {
    id: 'road',
    name: 'Road',
    type: { key: 'line' },
    geometry: wkt('24.12 56.9, 24.2 56.95'),
    width: 400,
  },
];

/** Positions `[lat, lon]` at which the pointer touches exactly one thing. */
export const PLACES = {
  yard: [56.905, 24.05],
  shed: [56.915, 24.025],
  /** Beside the road's middle line. */
  road: [56.946, 24.192],
  /** On the track of the eastbound van, in the yard. */
  east: [56.935, 24.06],
  /** On the track of the northbound van, north of the road. */
  north: [56.943, 24.17],
  /** Where the eastbound van enters the yard. */
  visit: [56.935, 24],
  nothing: [56.96, 24.14],
} as const;

const line = (from: readonly [number, number], to: readonly [number, number]): Fix[] =>
  Array.from({ length: 21 }, (_, i) => ({
    time: START + i * MINUTE,
    lon: from[0] + (i / 20) * (to[0] - from[0]),
    lat: from[1] + (i / 20) * (to[1] - from[1]),
  }));

/** Writes the files and returns the flags of `wayzone report` that read them. */
export function crossingFlags(folder: string, zones: readonly Geozone[] = ZONES): string[] {
  mkdirSync(folder, { recursive: true });
  const [zoneFile, trackFile] = [join(folder, 'zones.csv'), join(folder, 'tracks.csv')];
  writeFileSync(zoneFile, toZoneCsv([...zones]));
  const tracks = [
    { name: '', unitId: 'van east', fixes: line([23.95, 56.935], [24.15, 56.935]) },
    { name: '', unitId: 'van north', fixes: line([24.17, 56.9], [24.17, 56.955]) },
  ];
  writeFileSync(trackFile, toFixCsv(tracks));
  return ['--zones', zoneFile, '--tracks', trackFile];
}
