import { describe, expect, test } from 'vitest';
import type { Track } from '../../src/core/fix.js';
import type { Pair } from '../../src/core/wire.js';
import { evaluateTrip, TripTracker, tripZones } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { DATE, MINUTE, START, trip } from './journeys.js';

const OPTIONS = { timeZone: 'UTC' };

describe('a snapshot of a TripTracker', () => {
  const ring: Pair[] = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1], [0, 0]]; // biome-ignore format: pairs
  const hole: Pair[] = [[0.02, 0.02], [0.02, 0.06], [0.06, 0.06], [0.06, 0.02], [0.02, 0.02]]; // biome-ignore format: pairs
  const withParts = (parts?: readonly (readonly Pair[])[][]) => {
    const point = { name: 'A', type: { key: 'polygon' }, geometry: ring, ...(parts && { parts }) };
    return trip('', { points: [point] });
  };

  test('is rejected for a trip with changed parts and the same geometry', () => {
    const snapshot = new TripTracker(withParts([[ring]]), DATE, OPTIONS).snapshot();
    expect(TripTracker.restore(withParts([[ring]]), snapshot).snapshot()).toEqual(snapshot);
    for (const other of [withParts([[ring, hole]]), withParts()]) {
      expect(errorOf(() => TripTracker.restore(other, snapshot))).toMatchObject({ code: 'state-trip' });
    }
  });

  test('may have more gaps than a function can take arguments', () => {
    const tracker = new TripTracker(trip('AB'), DATE, { ...OPTIONS, latenessSeconds: 0, maxGapSeconds: 1 });
    const snapshot = tracker.snapshot() as unknown as { journal: { holes: object[] } };
    const holes = Array.from({ length: 300_000 }, (_, i) => ({
      from: START + i,
      to: START + i + 1,
      start: null,
      end: null,
      reason: 'gap',
    }));
    const long = { ...snapshot, journal: { ...snapshot.journal, holes } };
    // The whole snapshot is read: only the checksum differs, which belongs to the snapshot without the gaps.
    expect(errorOf(() => TripTracker.restore(trip('AB'), long as never))).toMatchObject({
      code: 'state-corrupt',
      field: 'snapshot.checksum',
    });
  });
});

describe('the steps of a track', () => {
  test('equal those of the whole track, also if it is cut at `now`', () => {
    const times = { length: 2, time: new Float64Array([START, START + MINUTE]) } as Track;
    for (const now of [START, START + MINUTE]) {
      const error = errorOf(() => evaluateTrip(trip('AB'), DATE, times, { ...OPTIONS, now }));
      expect(error).toMatchObject({ code: 'track-invalid', field: 'track' });
    }
  });
});

test('a throwing getter in the options of zones is an error with its path', () => {
  const options = {
    get axisOrder(): never {
      throw new Error('no');
    },
  };
  const error = errorOf(() => tripZones(trip('A'), options));
  expect(error).toMatchObject({ code: 'input-unreadable', field: 'options.axisOrder' });
});
