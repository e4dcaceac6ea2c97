import { expect, test } from 'vitest';
import { evaluateTrip } from '../../src/trips/index.js';
import { volume } from '../volume.js';
import { COST_DATE } from './costRuns.js';
import { type JoinedRun, joinedRun } from './joinedRuns.js';

/** Visits may be joined or left apart; each way has its own search. */

const START = Date.parse(`${COST_DATE}T06:00Z`);
const MINUTE = 60_000;

const reportOf = ({ trip, given, options }: JoinedRun): ReturnType<typeof evaluateTrip> =>
  evaluateTrip(trip, COST_DATE, given, options);

test.each([
  [6328, [null, 76, 70, 75, 125, null, 187, null, 236]],
  [8995, [null, 55, 61, 91, 80, null, 101, 101, 136]],
  [21406, [null, 78, 86, 105, 70, null, 94, 107, 135]],
])(
  'T13, T17a: visits of two zones that begin at one time are not taken for each other, seed %i',
  (seed, arrivals) => {
    const { activation, points } = reportOf(joinedRun(seed));
    expect(activation).toBe('assumed');
    expect(points.map(({ arrival }) => arrival && (arrival - START) / MINUTE)).toEqual(arrivals);
  },
);

test('T36: no stop serves a point and is out of turn', () => {
  const seen = { assumed: 0, outOfTurn: 0 };
  const runs = volume(8000);
  for (let seed = 0; seed < runs; seed++) {
    const run = joinedRun(seed);
    const { activation, points, events } = reportOf(run);
    const places = run.trip.points.map(({ geometry }) => String(geometry));
    const served = new Set(points.map(({ arrival }, i) => `${places[i]} ${arrival}`));
    for (const { type, time, pointIndex } of events) {
      if (type !== 'point_out_of_order') continue;
      seen.outOfTurn++;
      expect({ seed, isServed: served.has(`${places[pointIndex!]} ${time}`) }).toEqual({
        seed,
        isServed: false,
      });
    }
    if (activation === 'assumed') seen.assumed++;
  }
  expect(Math.min(seen.assumed, seen.outOfTurn)).toBeGreaterThan(runs / 40);
});
