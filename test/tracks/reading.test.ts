import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { blindReason } from '../../src/tracks/blindStep.js';
import { findVisits, readTrack } from '../../src/tracks/index.js';
import { seeded, volume } from '../volume.js';
import { ZONES } from './journeys.js';
import { slowReading } from './oracle/slowReading.js';
import { slowZoneVisits } from './oracle/slowZoneVisits.js';
import { distanceTo, metersOf, planeIndex } from './planeIndex.js';
import { type RunOptions, troubledOptions, troubledTrack } from './troubledTracks.js';

const INDEX = planeIndex(ZONES);

function eachTrack(
  count: number,
  body: (fixes: readonly Fix[], options: RunOptions, seed: number, random: () => number) => void,
): void {
  for (let seed = 0; seed < count; seed++) {
    const random = seeded(seed);
    const options = troubledOptions(random);
    body(troubledTrack(random, true), options, seed, random);
  }
}

test('V1 to V6: readTrack keeps, counts and blinds what the slow reading does', () => {
  const seen = {
    jammed: 0,
    frozen: 0,
    jammedSteps: 0,
    frozenSteps: 0,
    foundLate: 0,
    jammedAfter: 0,
    frozenAfter: 0,
  };
  eachTrack(volume(20_000, 250), (fixes, options, seed, random) => {
    const slow = slowReading(fixes, options);
    const track = readTrack(random() < 0.5 ? fixes : [...fixes].reverse(), options);
    const kept = Array.from(track.time, (time, i) => [time, track.lon[i], track.lat[i]]);
    const blind = kept.map((_, i) => blindReason(track, i));
    expect({ seed, kept, blind, after: track.blindAfter, counts: track.rejected }).toEqual({
      seed,
      kept: slow.fixes.map(({ time, lon, lat }) => [time, lon + 0, lat + 0]),
      blind: slow.blind,
      after: slow.blindAfter,
      counts: slow.counts,
    });
    expect(track.blind === null).toBe(slow.blind.every((reason) => reason === null));
    seen.jammed += slow.counts['jammed'] ?? 0;
    seen.frozen += slow.counts['frozen'] ?? 0;
    seen.jammedSteps += slow.blind.filter((reason) => reason === 'jammed').length;
    seen.frozenSteps += slow.blind.filter((reason) => reason === 'frozen').length;
    seen.foundLate += Number(slow.foundLate);
    seen.jammedAfter += Number(slow.blindAfter === 'jammed');
    seen.frozenAfter += Number(slow.blindAfter === 'frozen');
  });
  expect(Object.values(seen).every((times) => times > 10)).toBe(true);
});

test('V7 to V16: findVisits on troubled tracks equals the slow implementation', () => {
  let count = 0;
  eachTrack(volume(8000), (fixes, options, seed) => {
    const slow = slowReading(fixes, options);
    const found = findVisits(readTrack(fixes, options), INDEX, options);
    for (const zone of ZONES) {
      const own = {
        id: zone.id,
        distanceMeters: (place: readonly [number, number]) => distanceTo(zone, ...metersOf(place)),
        crossing: (a: readonly [number, number], b: readonly [number, number]) =>
          INDEX.crossing(a, b).filter(({ id }) => id === zone.id),
      };
      const visits = found.filter(({ zoneId }) => zoneId === zone.id);
      expect({ seed, visits }).toEqual({
        seed,
        visits: slowZoneVisits(slow.fixes, own, options, slow.blind),
      });
      count += visits.length;
    }
    // V16.
    const order = (id: string): number => INDEX.ordinalOf(id)!;
    found.slice(1).forEach(({ enter, zoneId }, i) => {
      const before = found[i]!;
      expect(enter > before.enter || order(zoneId) >= order(before.zoneId)).toBe(true);
    });
  });
  expect(count).toBeGreaterThan(0.7 * volume(8000));
});
