import { expect, it } from 'vitest';
import { orderByTime } from '../../src/tracks/fixColumns.js';
import { seeded } from '../volume.js';

it('sorts by time, then by the order of ties, for few times and for many', () => {
  const random = seeded(11);
  for (const count of [0, 1, 2, 100, 2047, 2048, 5000]) {
    for (const span of [1, 50, 1e5, 3e10, 1.7e16]) {
      const times = Float64Array.from({ length: count }, () => Math.floor((random() - 0.5) * span));
      // Of equal times the greater number first.
      const naive = Array.from(times.keys()).sort((i, j) => times[i]! - times[j]! || j - i);
      expect(Array.from(orderByTime(times, (i, j) => j - i))).toEqual(naive);
    }
  }
});
