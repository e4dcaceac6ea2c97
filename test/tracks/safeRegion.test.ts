import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import {
  findVisits,
  readTrack,
  type VisitOptions,
  VisitTracker,
  type VisitTrackerOptions,
  type ZoneIndexLike,
} from '../../src/tracks/index.js';
import { insidesOf } from '../../src/zones/index/index.js';
import { seeded, volume } from '../volume.js';
import { PLACES, zoneAt } from '../zones/generators.js';
import { START } from './planeIndex.js';

type Random = () => number;

/** The same index without `segments`: every step calls `crossing`. */
function plainly(index: ZoneIndex): ZoneIndexLike {
  return {
    at: (position) => index.at(position),
    crossing: (a, b) => index.crossing(a, b),
    prepared: (id) => insidesOf(index)!.prepared(id),
    ordinalOf: (id) => index.ordinalOf(id),
    get: (id) => index.get(id),
    get edits() {
      return insidesOf(index)!.edits;
    },
  };
}

/** A unit that stands with jitter, drives, sleeps, and sometimes jumps. */
function* wander(
  random: Random,
  place: readonly [number, number],
  reach: number,
  count: number,
): Generator<Fix> {
  let [lon, lat] = [place[0] + (random() - 0.5) * reach, place[1] + (random() - 0.5) * reach];
  let [time, step] = [START, 0];
  for (let i = 0; i < count; i++) {
    if (random() < 0.1) step = [0, 1e-6, 2e-5, 6e-5, reach / 30, reach / 4][Math.floor(random() * 6)]!;
    time += random() < 0.03 ? 5_000_000 : 30_000;
    lon += step * (random() - 0.5) * 2;
    lat = Math.max(-90, Math.min(90, lat + step * (random() - 0.5) * 2));
    if (random() < 0.1) [lon, lat] = [lon + 0.3 * (place[0] - lon), lat + 0.3 * (place[1] - lat)];
    yield { time, lon, lat, accuracyMeters: 5 + 20 * random() };
  }
}

const BATCH: readonly VisitOptions[] = [
  {},
  { minInsideSeconds: 60, minOutsideSeconds: 90 },
  { exitBufferMeters: 20, accuracyCapMeters: 10 },
];

const STREAM: readonly VisitTrackerOptions[] = [...BATCH, { latenessSeconds: 65, maxSpeedKph: 5000 }];

test('visits are the same with and without safe regions, through edits and snapshots', () => {
  const random = seeded(71);
  let events = 0;
  for (let round = 0; round < volume(400); round++) {
    const place = PLACES[round % PLACES.length]!;
    const reach = [0.002, 0.02, 0.2][round % 3]!;
    const zones = Array.from({ length: 10 }, (_, i) => zoneAt(random, `z${i}`, place, reach));
    const index = new ZoneIndex(zones);
    const options = { maxSpeedKph: Number.POSITIVE_INFINITY, ...STREAM[round % STREAM.length]! };
    let fast = new VisitTracker(index, options);
    const plain = new VisitTracker(plainly(index), options);
    for (const fix of wander(random, place, reach, 80)) {
      const emitted = fast.push('unit', fix);
      events += emitted.length;
      expect(emitted).toEqual(plain.push('unit', fix));
      if (random() < 0.15) {
        const id = `z${Math.floor(random() * 12)}`;
        const zone = zoneAt(random, id, place, reach);
        if (random() < 0.3) index.remove(id);
        else if (!index.update(zone)) index.add(zone);
      }
      if (random() < 0.1) expect(fast.openVisits('unit')).toEqual(plain.openVisits('unit'));
      if (random() < 0.05) fast = VisitTracker.restore(index, fast.snapshot());
      if (random() < 0.03) expect(fast.advance(fix.time)).toEqual(plain.advance(fix.time));
    }
    expect(fast.counts()).toEqual(plain.counts());
  }
  expect(events).toBeGreaterThan(100);
});

test('visits of a whole track are the same with and without safe regions', () => {
  const random = seeded(72);
  for (let round = 0; round < volume(200); round++) {
    const place = PLACES[round % PLACES.length]!;
    const reach = [0.002, 0.02, 0.2][round % 3]!;
    const index = new ZoneIndex(Array.from({ length: 12 }, (_, i) => zoneAt(random, `z${i}`, place, reach)));
    const track = readTrack([...wander(random, place, reach, 150)], {
      maxSpeedKph: Number.POSITIVE_INFINITY,
    });
    const options = BATCH[round % BATCH.length]!;
    expect(findVisits(track, index, options)).toEqual(findVisits(track, plainly(index), options));
  }
});

test('a query of open visits while fixes wait does not hide a zone that was added under the unit', () => {
  const index = new ZoneIndex([
    { id: 'far', type: { key: 'circle' as const }, geometry: [[10.1, 0]] as [number, number][], width: 100 },
  ]);
  const trackers = [index, plainly(index)].map(
    (like) => new VisitTracker(like, { latenessSeconds: 60, maxSpeedKph: Number.POSITIVE_INFINITY }),
  );
  const at = (seconds: number): Fix => ({ time: START + seconds * 1000, lon: 10 + seconds * 1e-6, lat: 0 });
  const [fast, plain] = trackers.map((tracker) => {
    for (const seconds of [0, 30, 60, 90, 120, 150, 180]) tracker.push('unit', at(seconds));
    return tracker;
  });
  index.add({ id: 'new', type: { key: 'circle' }, geometry: [[10, 0]], width: 5000 });
  expect(fast!.openVisits('unit')).toEqual(plain!.openVisits('unit'));
  const emitted = [210, 240, 400, 600].flatMap((seconds) => fast!.push('unit', at(seconds)));
  expect(emitted).toEqual([210, 240, 400, 600].flatMap((seconds) => plain!.push('unit', at(seconds))));
  expect(emitted).toHaveLength(1);
});
