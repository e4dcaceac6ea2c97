/** The walks of ARCHITECTURE.md, driven: each file that a walk names runs on it. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TripOptions } from '../../src/trips/index.js';
import { filesOf } from '../growth/steps.js';

const ROOT = resolve(import.meta.dirname, '../..');
const TEXT = readFileSync(resolve(ROOT, 'ARCHITECTURE.md'), 'utf8');
const FILES = readdirSync(resolve(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`);

/** The files that a walk names; those without a folder are looked up by their names. */
function filesNamed(walk: number): string[] {
  const [, text = ''] = new RegExp(`\n## Walk ${walk}:([^]*?)\n## `).exec(TEXT) ?? [];
  const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!);
  return named.map((name) => {
    const found = FILES.filter((file) => file === name || (!name.includes('/') && basename(file) === name));
    expect([name, found.length]).toEqual([name, 1]);
    return found[0]!;
  });
}

const DAY = 1_772_438_400_000;
const zone = (id: string, x: number, y: number): object => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[x, y]],
  width: 100,
});

/** Walk 1: tracks with a jam, and runs of every kind, whole and as streams. */
async function fromPositionsToTrips(): Promise<void> {
  const { ZoneIndex } = await import('../../src/index.js');
  const { findVisits, readTrack, VisitTracker } = await import('../../src/tracks/index.js');
  const { evaluateTrip, TripTracker } = await import('../../src/trips/index.js');
  const { randomRun } = await import('../trips/randomRuns.js');
  const { seeded } = await import('../volume.js');
  const index = new ZoneIndex([
    zone('a', 10, 50),
    { id: 'b', name: 'b', type: { key: 'polygon' }, geometry: [[10.01, 49.99], [10.02, 49.99], [10.02, 50.01]] } as never, // biome-ignore format: one zone a line
    { id: 'c', name: 'c', type: { key: 'line' }, geometry: [[10, 50.02], [10.02, 50.02]], width: 50 } as never, // biome-ignore format: one zone a line
  ] as never);
  const fixes = Array.from({ length: 60 }, (_, i) => ({
    time: DAY + i * 10_000,
    // Twice a place far away: a jam.
    lon: i === 20 || i === 21 ? 40 : 10 + (i % 30) / 1500,
    lat: 50,
    speedKph: 30,
  }));
  expect(findVisits(readTrack(fixes), index).length).toBeGreaterThan(0);
  const visits = new VisitTracker(index);
  for (const fix of fixes) visits.push('van', fix);
  for (let seed = 0; seed < 30; seed++) {
    const { trip, date, fixes: reports, options: given } = randomRun(seeded(seed));
    const options = given as TripOptions;
    evaluateTrip(trip, date, readTrack(reports), options);
    const tracker = new TripTracker(trip, date, options);
    for (const fix of reports) tracker.push(fix);
  }
}

/** Walk 2: corridors of lines of every kind, at every latitude. */
async function fromLinesToCorridors(): Promise<void> {
  const { corridor, lineToPolygon, WayzoneError } = await import('../../src/index.js');
  const { attack } = await import('../zones/attacks.js');
  const { seeded } = await import('../volume.js');
  for (let seed = 0; seed < 100; seed++) {
    const { line, width } = attack(seed, seeded(seed));
    try {
      corridor(line as never, width);
      lineToPolygon({ type: { key: 'line' }, width, geometry: line } as never);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
    }
  }
}

const KML = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
  <Placemark><name>Yard</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
    10,50 10.1,50 10.1,50.1 10,50</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
  <Placemark><name>Way</name><gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2">
    <when>2026-03-02T08:00:00Z</when><gx:coord>10 50 0</gx:coord></gx:Track></Placemark>
  <Placemark><name>Broken</name><Point><coordinates>1000,50</coordinates></Point></Placemark>
</Document></kml>`;

describe('every file that a walk of ARCHITECTURE.md names runs on it', () => {
  test('Walk 1: from a position to a trip', async () => {
    const named = filesNamed(1);
    expect(named.length).toBeGreaterThan(15);
    const entered = await filesOf(fromPositionsToTrips);
    expect(named.filter((file) => !entered.has(file))).toEqual([]);
  });

  test('Walk 2: from a line to its corridor', async () => {
    const named = filesNamed(2);
    expect(named.length).toBeGreaterThan(12);
    const entered = await filesOf(fromLinesToCorridors);
    expect(named.filter((file) => !entered.has(file))).toEqual([]);
  });

  test('Walk 3: from a file to a file', async () => {
    const { testFolder, wayzone } = await import('../cli/wayzone.js');
    const named = filesNamed(3).filter((file) => file !== 'src/cli/main.ts');
    expect(named.length).toBeGreaterThan(10);
    const { put, at } = testFolder('walks');
    const source = put('a.kml', KML);
    const entered = await filesOf(async () => {
      const { code, err } = await wayzone('convert', source, at('b.geojson'));
      expect([code, err.includes('a.kml')]).toEqual([1, true]);
    });
    expect(named.filter((file) => !entered.has(file))).toEqual([]);
  });
});
