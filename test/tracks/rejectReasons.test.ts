import { expect, test } from 'vitest';
import { ZoneIndex } from '../../src/index.js';
import { REJECT_REASONS, readTrack, VisitTracker } from '../../src/tracks/index.js';

const T = Date.UTC(2026, 2, 2);
const fix = (more: object): never => ({ time: T, lon: 10, lat: 50, ...more }) as never;
const BAD = [fix({ valid: false }), fix({ time: 5 }), fix({ lon: 0, lat: 0 }), fix({ accuracyMeters: 900 }), fix({ satellites: 1 })]; // biome-ignore format: one line
const OPTIONS = { maxAccuracyMeters: 100, minSatellites: 3 };

test('every reason that a track counts is in the list', () => {
  const { rejected } = readTrack([...BAD, fix({}), fix({})], OPTIONS);
  expect(Object.keys(rejected).sort()).toEqual(
    ['accuracy', 'duplicate', 'invalid', 'satellites', 'time-implausible', 'zero-island'].sort(),
  );
  expect(
    Object.keys(rejected).filter((reason) => !(REJECT_REASONS as readonly string[]).includes(reason)),
  ).toEqual([]);
  expect(new Set(REJECT_REASONS).size).toBe(REJECT_REASONS.length);
});

test('a snapshot lists the reasons that count any, and keeps their counts', () => {
  const tracker = new VisitTracker(new ZoneIndex([]), { ...OPTIONS, latenessSeconds: 0 });
  for (const one of [...BAD, fix({}), fix({ time: T + 60_000 })]) tracker.push('u', one);
  const snapshot = tracker.snapshot();
  const [, listed] = /"rejected":(\{[^}]*\})/.exec(JSON.stringify(snapshot))!;
  expect(JSON.parse(listed!)).toEqual(tracker.counts().reasons);
  expect(Object.keys(tracker.counts().reasons)).toHaveLength(5);
  const restored = VisitTracker.restore(new ZoneIndex([]), snapshot);
  expect(restored.snapshot()).toEqual(snapshot);
});
