import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Fix, Track } from '../../../src/core/fix.js';
import { detectTrips, findStays, readTrack } from '../../../src/tracks/index.js';
import { needs } from '../../needs.js';

const FOLDER = new URL('../../../../shared/data/tracks/stays/', import.meta.url).pathname;
const { test } = needs({ name: 'tracks with stay points', isThere: existsSync(FOLDER) });

/** The track of a unit of a file, by the names of its columns. */
function trackOf(file: string, unit: string): Track {
  const [head, ...rows] = readFileSync(FOLDER + file, 'utf8')
    .trim()
    .split('\n');
  const names = head!.trim().split(';');
  const isLogger = names.includes('tracker');
  const cell = (cells: readonly string[], name: string): string => cells[names.indexOf(name)]!;
  const fixes = rows.flatMap((row): Fix[] => {
    const cells = row.trim().split(';');
    if (cell(cells, isLogger ? 'tracker' : 'user_id') !== unit) return [];
    const time = isLogger ? `${cell(cells, 't').slice(0, 19).replace(' ', 'T')}Z` : cell(cells, 'tracked_at');
    const [lon, lat] = isLogger ? ['X', 'Y'] : ['longitude', 'latitude'];
    return [{ time: Date.parse(time), lon: Number(cell(cells, lon!)), lat: Number(cell(cells, lat!)) }];
  });
  return readTrack(fixes);
}

/** Minutes of stay points, and how many of them are in stays. */
function coverage(
  staysOf: (track: Track) => readonly { from: number; to: number }[],
): Record<string, [points: number, found: number, stays: number]> {
  const points = JSON.parse(readFileSync(`${FOLDER}stays.json`, 'utf8')) as Record<
    string,
    [number, number][]
  >;
  return Object.fromEntries(
    Object.entries(points).map(([name, spans]) => {
      const [file, unit] = name.split(':');
      const stays = staysOf(trackOf(file!, unit!));
      let [all, found] = [0, 0];
      for (const [from, to] of spans) {
        all += to - from;
        for (const stay of stays)
          found += Math.max(0, Math.min(to, stay.to / 1000) - Math.max(from, stay.from / 1000));
      }
      return [name, [Math.round(all / 60), Math.round(found / 60), stays.length]];
    }),
  );
}

/** The share of the minutes of all stay points. */
function share(staysOf: Parameters<typeof coverage>[0]): number {
  const rows = Object.values(coverage(staysOf));
  const sum = (k: 0 | 1): number => rows.reduce((total, row) => total + row[k], 0);
  return sum(1) / sum(0);
}

test('holds the stay points of phones and loggers, with places as large as those', () => {
  // docs/accuracy.md says what the others are: mostly walks.
  expect(share((track) => findStays(track, { stayMeters: 100 }))).toBeGreaterThan(0.964);
  expect(share((track) => detectTrips(track, {}, { stayMeters: 100 }).parkings)).toBeGreaterThan(0.964);
  // Phones by Wi-Fi wander by more than 50 m.
  expect(share(findStays)).toBeGreaterThan(0.855);
  expect(coverage(findStays)['gpsies_trajectory.csv:1']).toEqual([248, 247, 1]);
});
