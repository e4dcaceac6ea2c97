import { expect, test } from 'vitest';
import { signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { findVisits, readTrack, type VisitOptions } from '../../src/tracks/index.js';
import { tripZones } from '../../src/trips/index.js';
import { gapRun } from '../trips/gapRuns.js';
import { LONG, seeded } from '../volume.js';
import { slowZoneVisits } from './oracle/slowZoneVisits.js';

/** Keeps every fix: what is left out has tests of its own. */
const PLAIN = {
  maxSpeedKph: Number.POSITIVE_INFINITY,
  frozenSpeedKph: Number.POSITIVE_INFINITY,
  parkedMeters: Number.POSITIVE_INFINITY,
};

test('findVisits V7 to V16: equals the slow implementation, with bounds and with gaps at borders', () => {
  let count = 0;
  for (let seed = 0; seed < (LONG ? 10_000 : 120); seed++) {
    const random = seeded(seed);
    const { trip, fixes: plain } = gapRun(random);
    const chance = (share: number): boolean => random() < share;
    const pick = (...numbers: readonly number[]): number => numbers[Math.floor(random() * numbers.length)]!;
    const fixes = plain.map((fix) =>
      chance(0.3) ? { ...fix, accuracyMeters: Math.round(random() * 300) } : fix,
    );
    const options: VisitOptions = {
      ...(chance(0.3) ? { exitBufferMeters: pick(20, 100, 500) } : {}),
      ...(chance(0.3) ? { accuracyCapMeters: pick(50, 300) } : {}),
      ...(chance(0.3) ? { minInsideSeconds: pick(30, 120, 600) } : {}),
      ...(chance(0.3) ? { minOutsideSeconds: pick(30, 120, 600) } : {}),
      ...(chance(0.3) ? { maxGapSeconds: pick(500, 1800, 20_000) } : {}),
      ...(chance(0.2) ? { maxGapMeters: pick(1000, 3000) } : {}),
      ...(chance(0.2) ? { parkedMeters: pick(0, 30, 1000) } : {}),
      ...(chance(0.2) ? { maxCrossedMeters: pick(300, 100_000) } : {}),
    };
    for (const row of tripZones(trip)) {
      const index = new ZoneIndex([row]);
      const zone = {
        id: row.id,
        distanceMeters: (place: readonly [number, number]) => signedDistanceMeters(row, place),
        crossing: (a: readonly [number, number], b: readonly [number, number]) => index.crossing(a, b),
      };
      const found = findVisits(readTrack(fixes, PLAIN), index, options);
      const expected = slowZoneVisits(fixes, zone, options);
      expect({ seed, zone: row.id, visits: found }).toEqual({ seed, zone: row.id, visits: expected });
      count += found.length;
    }
  }
  expect(count).toBeGreaterThan(400);
});
