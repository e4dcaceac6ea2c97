import { expect, test } from 'vitest';
import { sequencePoints } from '../../src/routing/index.js';
import { needs, sharedData } from '../needs.js';
import { priceOf } from './bruteForce.js';
import { OPTIMA, readTsplib } from './tsplib.js';

needs(sharedData('reference/tsplib')).describe('TSPLIB (needs ../shared/data)', () => {
  test.each(OPTIMA)(
    '%s: a tour of the proven optimum %i; few moves give the same tour every time',
    (file, optimum) => {
      const matrix = readTsplib(file);
      const found = sequencePoints(matrix, { roundTrip: true });
      expect(found.order.toSorted((a, b) => a - b)).toEqual(matrix.map((_, i) => i));
      expect(found.cost).toBe(priceOf(matrix, [...found.order, found.order[0]!]).cost);
      expect(found).toMatchObject({ cost: optimum, optimal: false, unreachable: [] });
      const few = { roundTrip: true, maxMoves: 1000 };
      expect(sequencePoints(matrix, few)).toEqual(sequencePoints(matrix, few));
    },
  );
});
