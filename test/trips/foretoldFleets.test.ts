import { expect, test } from 'vitest';
import { scoreFleet } from '../../bench/foretold.js';
import { LONG } from '../volume.js';

/** Two of a hundred points, since the counts of a small fleet jump by about one. */
const SLACK = 0.02;

test.each(['city', 'buses', 'long haul'] as const)('%s: no worse than the better baseline', (fleet) => {
  const [routes, days] = LONG ? [20, 6] : [fleet === 'buses' ? 4 : 6, 3];
  const scores = scoreFleet(fleet, routes, days, 3, true);
  const own = scores.get('wayzone')!;
  const bases = (['plan + delay', 'engine alone'] as const).map((name) => scores.get(name)!);
  expect(own.late).toBeGreaterThan(5);
  const worth = ({ recall, precision }: typeof own): number =>
    recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
  expect(worth(own)).toBeGreaterThanOrEqual(Math.max(...bases.map(worth)) - SLACK);
  expect(own.meanErrorSeconds).toBeLessThanOrEqual(
    1.05 * Math.min(...bases.map((base) => base.meanErrorSeconds)),
  );
  expect(own.changes / own.points).toBeLessThanOrEqual(0.5);
});
