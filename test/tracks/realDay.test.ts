import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import { fromCsv } from '../../src/interchange/index.js';
import {
  detectTrips,
  findVisits,
  type MovementEvent,
  MovementTracker,
  readTrack,
  type VisitEvent,
  VisitTracker,
} from '../../src/tracks/index.js';
import { dataPath, hasData } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { LONG, seeded } from '../volume.js';

const DAY = 'tracks/austin-bus/2015-03-07.csv.gz';
/** The file is not in order of time. */
const LATENESS = { latenessSeconds: 86_400 };

/** Some buses of the day, each fix with its unit, in an order that mixes the units and keeps that of each. */
function buses(): { units: Map<string, readonly Fix[]>; mixed: { unitId: string; fix: Fix }[] } {
  const text = gunzipSync(readFileSync(dataPath(DAY)));
  const { tracks } = fromCsv(text, { speedUnit: 'mph' }).value;
  const units = new Map(
    tracks.slice(0, LONG ? tracks.length : 15).map(({ unitId, fixes }) => [unitId, fixes]),
  );
  const mixed: { unitId: string; fix: Fix }[] = [];
  for (let i = 0, found = true; found; i++) {
    found = false;
    for (const [unitId, fixes] of units) {
      const fix = fixes[i];
      if (fix === undefined) continue;
      found = true;
      mixed.push({ unitId, fix });
    }
  }
  return { units, mixed };
}

needs(sharedData(DAY)).describe('a day of buses in Austin (needs ../shared/data)', () => {
  const { units, mixed } = hasData(DAY) ? buses() : { units: new Map<string, readonly Fix[]>(), mixed: [] };
  const random = seeded(1);
  const zones = Array.from({ length: 60 }, (_, i) => {
    const { fix } = mixed[Math.floor(random() * mixed.length)] ?? { fix: { lon: 0, lat: 0 } };
    const geometry: [number, number][] = [[fix.lon, fix.lat]];
    return { id: `stop ${i}`, type: { key: 'circle' as const }, geometry, width: 50 + 250 * random() };
  });
  const index = new ZoneIndex(zones);
  const end = Math.max(...mixed.map(({ fix }) => fix.time)) + 86_400_001;

  it('gives the same visits in a stream as unit by unit', () => {
    const options = { exitBufferMeters: 20, minOutsideSeconds: 30, maxGapSeconds: 600 };
    const tracker = new VisitTracker(index, { ...options, ...LATENESS });
    const events: VisitEvent[] = mixed.flatMap(({ unitId, fix }) => [...tracker.push(unitId, fix)]);
    events.push(...tracker.advance(end));
    let count = 0;
    for (const [unitId, fixes] of units) {
      const emitted = events.flatMap((event) =>
        event.unitId === unitId && event.visit ? [event.visit] : [],
      );
      const all = [...emitted, ...tracker.openVisits(unitId)];
      const batch = findVisits(readTrack(fixes), index, options);
      const ordinal = (id: string): number => index.ordinalOf(id) ?? -1;
      expect(all.sort((a, b) => a.enter - b.enter || ordinal(a.zoneId) - ordinal(b.zoneId))).toEqual(batch);
      count += batch.length;
    }
    expect(count).toBeGreaterThan(100);
    const counts = tracker.counts();
    expect(counts.in).toBe(mixed.length);
    expect(counts.applied + counts.duplicate + counts.rejected + counts.late + counts.pending).toBe(
      counts.in,
    );
  });

  it('gives the same trips in a stream as unit by unit', () => {
    const settings = { tripdetector_maxdistancemsg: 5000 };
    const tracker = new MovementTracker(settings, LATENESS);
    const events: MovementEvent[] = mixed.flatMap(({ unitId, fix }) => [...tracker.push(unitId, fix)]);
    events.push(...tracker.advance(end));
    let count = 0;
    for (const [unitId, fixes] of units) {
      const ended = (kind: MovementEvent['kind']): object[] =>
        events.flatMap((event) =>
          event.unitId === unitId && event.kind === kind && event.item ? [event.item] : [],
        );
      const now = tracker.current(unitId);
      const batch = detectTrips(readTrack(fixes), settings);
      expect([...ended('trip'), ...now.trips]).toEqual(batch.trips);
      expect([...ended('parking'), ...now.parkings]).toEqual(batch.parkings);
      expect([...ended('stop'), ...now.stops]).toEqual(batch.stops);
      count += batch.trips.length;
    }
    expect(count).toBeGreaterThan(20);
  });
});
