import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dirtyUnits } from '../src/stream/dirtyUnits.js';

const step = fc.record({
  unit: fc.integer({ min: 0, max: 6 }),
  /** Messages nearly always come in the order of the log. */
  ahead: fc.integer({ min: -1, max: 2 }),
  isStored: fc.boolean(),
});

test('the units behind a message and the first message of a restart are those of a search of all units', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(40), (steps, asked) => {
      const dirty = dirtyUnits();
      const known: { unitId: string; companyId: string; since: number; clock: number }[] = [];
      let seq = 1;
      for (const { unit, ahead, isStored } of steps) {
        const unitId = `u${unit}`;
        const companyId = unit % 2 === 0 ? 'even' : 'odd';
        const place = known.findIndex((one) => one.unitId === unitId);
        if (isStored) {
          expect(dirty.take(unitId) === null).toBe(place < 0);
          if (place >= 0) known.splice(place, 1);
          continue;
        }
        seq = Math.max(1, seq + ahead);
        dirty.touch({ unitId, companyId, seq, clock: 10 * seq });
        if (place < 0) known.push({ unitId, companyId, since: seq, clock: 10 * seq });
      }
      const sorted = [...known].sort((a, b) => a.since - b.since);
      const idsOf = (companyId?: string): string[] =>
        sorted
          .filter((one) => one.since <= asked && (companyId ?? one.companyId) === one.companyId)
          .map(({ unitId }) => unitId);
      expect([...dirty.behind(asked)]).toEqual(idsOf());
      expect([...dirty.behind(asked, 'odd')]).toEqual(idsOf('odd'));
      expect(dirty.first(99, 5)).toEqual(
        sorted[0] === undefined ? { from: 100, clock: 5 } : { from: sorted[0].since, clock: sorted[0].clock },
      );
    }),
  );
});
