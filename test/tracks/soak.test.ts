import { expect, test } from 'vitest';
import { LONG } from '../volume.js';
import { growth, soak } from './soakRun.js';

// The memory of the process, over 20 million fixes of 20,000 units, is measured by `npm run soak`.
test.each([
  ['visits', 100, 0.01],
  // Each of its last fixes has the totals so far.
  ['movement', 100, 0.03],
  ['trips', 20, 0.01],
] as const)('the state of %s does not grow over laps of units with hostile ids', (kind, few, most) => {
  const units = LONG ? 50 * few : few;
  const { points, events, followed } = soak(kind, units, LONG ? 27 : 12, 2, 5, (follower) =>
    follower.stateSize(),
  );
  expect(followed).toBe(1);
  expect(events).toBeGreaterThan(units);
  expect(points).toHaveLength(6);
  // Counts gain a digit.
  expect(growth(points)).toBeLessThan(most);
});
