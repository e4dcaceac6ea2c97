import { expect, test } from 'vitest';
import { evaluate, points, trip, visits } from './shortTrips.js';

test('a visit under way serves its point even if an earlier stay in the first zone, also a later point, continues', () => {
  // C was entered before B, and A, which is also the last point, is under way all the time.
  const given = trip(['A', 'B', 'C', 'A']);
  const seen = visits('0 08:00 09:00', '2 08:10 09:10', '1 08:20 08:50');
  expect(points(evaluate(given, seen)).slice(0, 3)).toEqual([
    'passed 08:00 09:00',
    'passed 08:20 08:50',
    'passed 08:10 09:10',
  ]);
});
