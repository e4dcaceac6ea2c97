import { expect, test } from 'vitest';
import type { Track } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { trip as driven, fix, journey, START, timed } from './journeys.js';
import { DATE, evaluate, events, MIDNIGHT, trip, UTC, visits } from './shortTrips.js';

const END = MIDNIGHT + 86_400_000;

test('events of one instant are sorted by type, then by point', () => {
  const given = trip(['A 07:00±30 09:00', 'B 12:00', 'C 09:00'], {
    activation_type: { key: 'leaving_first_point' },
  });
  expect(events(evaluate(given, visits('0 07:00 08:00', '2 08:00 08:10')))).toEqual([
    '07:00 point_entered 0',
    '08:00 point_left 0',
    '08:00 departure_early 0',
    '08:00 trip_activated',
    '08:00 point_skipped 1',
    '08:00 point_entered 2',
    '08:00 arrival_early 2',
    '08:00 trip_finished',
    '08:10 point_left 2',
  ]);
  const late = trip(['A', 'B 08:00 08:10', 'C 08:00 08:10']);
  const both = visits('0 07:30 07:40', '1 09:00 09:10', '2 09:00 09:10');
  expect(events(evaluate(late, both)).slice(3)).toEqual([
    '08:01 arrival_overdue 1',
    '08:01 arrival_overdue 2',
    '09:00 point_entered 1',
    '09:00 point_entered 2',
    '09:00 arrival_late 1',
    '09:00 arrival_late 2',
    '09:00 trip_finished',
    '09:10 point_left 1',
    '09:10 point_left 2',
    '09:10 departure_late 1',
    '09:10 departure_late 2',
  ]);
});

test('two visits out of turn that begin at the same instant are sorted by point', () => {
  const seen = visits('0 08:00 08:10', '2 09:00 09:10', '3 09:00 09:10', '1 10:00 10:10');
  const report = evaluate(trip(['A', 'D', 'B', 'C']), seen, { policy: 'wait' });
  expect(events(report).filter((text) => text.includes('out_of_order'))).toEqual([
    '09:00 point_out_of_order 2',
    '09:00 point_out_of_order 3',
  ]);
});

test('a point that is left at the end of the window is left before the trip is aborted', () => {
  const [visit] = visits('0 23:00 23:30');
  const seen = [{ ...visit!, exit: END, exitBounds: [END, END] as const }];
  expect(evaluate(trip(['A', 'B']), seen, { now: END + 1 }).events.slice(-2)).toEqual([
    { type: 'point_left', time: END, pointIndex: 0 },
    { type: 'trip_aborted', time: END, pointIndex: null },
  ]);
});

test('`now` null means no `now`; a fix at `now` is used', () => {
  const track: Track = readTrack([fix(0, 'A'), fix(5, 0.05), fix(10, 'B')]);
  const run = (options: object): ReturnType<typeof evaluateTrip> =>
    evaluateTrip(driven('AB'), DATE, track, { ...UTC, ...options });
  expect(run({ now: null })).toEqual(run({}));
  expect(run({ now: fix(5, 'A').time }).lastFixAt).toBe(fix(5, 'A').time);
  expect(run({ now: fix(5, 'A').time - 1 }).lastFixAt).toBe(START);
});

test('a snapshot contains ended visits with their ends', () => {
  const given = driven('AB');
  const tracker = new TripTracker(given, DATE, UTC);
  tracker.push(fix(-10, -0.05));
  for (const [
    minutes,
    place,
  ] of [[0, 'A'], [10, 'A'], [20, 0.05], [90, 'B'], [170, 0.1001], [175, 0.05]] as const) // biome-ignore format: short
    tracker.push(fix(minutes, place));
  const snapshot = tracker.snapshot();
  const { journal, emitted } = snapshot as unknown as {
    journal: {
      visits: unknown[];
      holes: unknown[];
      first: { time: number };
    };
    emitted: unknown[];
  };
  const at = (minutes: number): number => START + minutes * 60_000;
  expect(journal.first.time).toBe(at(-10));
  const [some, ends] = [expect.any(Number) as number, ['inside', 'left']];
  expect(journal.visits).toEqual([
    ['0', ...ends, some, some, [at(-10), at(0)], [at(10), at(20)], 2, true, null],
    ['1', ...ends, at(90), some, [at(20), at(90)], [at(170), at(175)], 2, true, null],
  ]);
  // Gaps from 20 to 90 and from 90 to 170, in which the unit was asleep; steps of more than 5 km.
  const steps = [[-10, 0], [10, 20], [20, 90], [90, 170], [170, 175]] as const; // biome-ignore format: steps
  expect(journal.holes).toMatchObject(
    steps.map(([from, to]) => ({ from: at(from), to: at(to), reason: from === 90 ? null : 'gap' })),
  );
  expect(emitted).toEqual(
    tracker.report().events.map(({ type, time, pointIndex }) => [type, time, pointIndex]),
  );
  const restored = TripTracker.restore(given, JSON.stringify(snapshot));
  expect(restored.report()).toEqual(tracker.report());
  expect(restored.snapshot()).toEqual(snapshot);
});

test('a tracker’s report equals the batch, with gaps and distance', () => {
  for (let seed = 0; seed < 6; seed++) {
    const fixes = journey(seeded(seed));
    const given = timed(driven('ABC'));
    const options = { ...UTC, maxGapSeconds: 400, maxCrossedMeters: 2000 };
    const tracker = new TripTracker(given, DATE, options);
    for (const next of fixes) tracker.push(next);
    const now = fixes.at(-1)!.time;
    expect(tracker.report()).toEqual(evaluateTrip(given, DATE, readTrack(fixes), { ...options, now }));
  }
});
