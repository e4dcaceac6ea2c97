import { expect, test } from 'vitest';
import { LONG } from '../volume.js';
import { growth, soak } from './soakRun.js';

// The whole of it, 20 million fixes of 20,000 units (trips: 2 million of 2,000), is `npm run soak`.
test.each([
  ['visits', 500],
  ['movement', 500],
  ['trips', 20],
] as const)('memory of %s is flat over laps of units with hostile ids', (kind, few) => {
  const units = LONG ? 10 * few : few;
  const { points, events, followed } = soak(kind, units, LONG ? 26 : 16, 6, 5);
  expect(followed).toBe(1);
  expect(events).toBeGreaterThan(units);
  expect(points).toHaveLength(6);
  // The runner itself holds about as much as the trackers: its own comings and goings are within this.
  expect(growth(points)).toBeLessThan(0.02);
});
