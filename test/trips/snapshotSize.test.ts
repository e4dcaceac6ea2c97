import { expect, test } from 'vitest';
import { TripTracker } from '../../src/trips/index.js';
import { LONG } from '../volume.js';
import { borderFixes, COST_DATE, type CostTrip, costTrip, dayFixes } from './costRuns.js';

const DAY: CostTrip = { points: 30, zones: 30 };
const OPTIONS = { timeZone: 'UTC' };

const sizeOf = (tracker: TripTracker): number => JSON.stringify(tracker.snapshot()).length;

test('V23: the snapshot of a day at 1 Hz and 30 visits has at most 14 kB at each hour', () => {
  const fixes = dayFixes(LONG ? 86_400 : 43_200, LONG ? 1 : 2, DAY);
  const tracker = new TripTracker(costTrip(DAY), COST_DATE, OPTIONS);
  for (let from = 0; from < fixes.length; from += fixes.length / 24) {
    tracker.pushAll(fixes.slice(from, from + fixes.length / 24));
    expect(sizeOf(tracker)).toBeLessThanOrEqual(14_000);
  }
  // The last two are visited after the end of the window.
  expect(tracker.report().totals.passed).toBe(28);
});

test('V23: it grows with visits, not with fixes', () => {
  const [few, many] = [4, 1].map((every) => {
    const tracker = new TripTracker(costTrip(DAY), COST_DATE, OPTIONS);
    tracker.pushAll(dayFixes(40_000 / every, 2 * every, DAY));
    return sizeOf(tracker);
  });
  expect(many! / few!).toBeLessThan(1.05);
});

test('V23: of a unit that drifts over a border it grows with the visits', () => {
  const kind: CostTrip = { points: 20, zones: 20 };
  const sizes = [6, 12].map((hours) => {
    const tracker = new TripTracker(costTrip(kind), COST_DATE, OPTIONS);
    tracker.pushAll(borderFixes(hours, kind, false));
    const { journal } = tracker.snapshot() as unknown as { journal: { visits: object[] } };
    return [sizeOf(tracker), journal.visits.length] as const;
  });
  for (const [bytes, visits] of sizes) expect(bytes).toBeLessThan(8000 + 250 * visits);
  expect(sizes[1]![1]).toBeGreaterThan(sizes[0]![1]);
});
