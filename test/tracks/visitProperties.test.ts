import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { findVisits, readTrack, type Visit, type VisitOptions } from '../../src/tracks/index.js';
import { volume } from '../volume.js';
import { fixAt, type PlaneZone, planeIndex } from './planeIndex.js';

const ZONES: readonly PlaneZone[] = [
  { id: 'box', parts: [{ box: [0, -100, 200, 100] }] },
  { id: 'two', parts: [{ disc: [-50, 0, 40] }, { disc: [250, 0, 80] }] },
];

const fix: fc.Arbitrary<Fix> = fc
  .record({
    seconds: fc.integer({ min: 0, max: 900 }),
    x: fc.integer({ min: -300, max: 500 }),
    y: fc.integer({ min: -150, max: 150 }),
    accuracyMeters: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    speedKph: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    ignition: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ seconds, x, y, accuracyMeters, speedKph, ignition }) =>
    fixAt(seconds, x, y, {
      ...(accuracyMeters === undefined ? {} : { accuracyMeters }),
      ...(speedKph === undefined ? {} : { speedKph }),
      ...(ignition === undefined ? {} : { ignition }),
    }),
  );
const fixes = fc.array(fix, { maxLength: 30 });
const someSeconds = fc.constantFrom(0, 10, 60);
const options: fc.Arbitrary<VisitOptions> = fc.record({
  exitBufferMeters: fc.constantFrom(0, 20),
  accuracyCapMeters: fc.constantFrom(0, 30),
  minInsideSeconds: someSeconds,
  minOutsideSeconds: someSeconds,
  maxGapSeconds: fc.constantFrom(60, 3600),
  maxGapMeters: fc.constantFrom(300, Number.POSITIVE_INFINITY),
});
const runs = { numRuns: volume(4000) };

function visitsOf(list: readonly Fix[], rules: VisitOptions, zones = ZONES): Visit[] {
  return findVisits(readTrack(list), planeIndex(zones), rules);
}

function shifted(visit: Visit, by: number): Visit {
  const move = <Time extends number | null>(time: Time): Time => (time === null ? null : time + by) as Time;
  const { enter, exit, enterBounds, exitBounds } = visit;
  return {
    ...visit,
    enter: move(enter),
    exit: move(exit),
    enterBounds: [move(enterBounds[0]), move(enterBounds[1])],
    exitBounds: exitBounds && [move(exitBounds[0]), move(exitBounds[1])],
  };
}

describe('tracks and visits', () => {
  it('do not depend on the order of the fixes', () => {
    const permuted = fixes.chain((list) => fc.tuple(fc.constant(list), shuffled(list)));
    fc.assert(
      fc.property(permuted, ([list, other]) => {
        expect(readTrack(other)).toEqual(readTrack(list));
      }),
      runs,
    );
  });

  it('count every fix once', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fix, fc.constant({ ...fixAt(1, 1), valid: false }))), (list) => {
        const { length, rejected } = readTrack(list, { maxSpeedKph: 60 });
        expect(Object.values(rejected).reduce((sum, count) => sum + count, length)).toBe(list.length);
      }),
      runs,
    );
  });

  it('do not change by duplicates, except for the counts', () => {
    fc.assert(
      fc.property(fixes, options, (list, rules) => {
        const once = readTrack(list);
        const twice = readTrack([...list, ...list]);
        const duplicate = (once.rejected['duplicate'] ?? 0) + list.length;
        expect(twice).toEqual({
          ...once,
          rejected: { ...once.rejected, ...(duplicate > 0 && { duplicate }) },
        });
        expect(visitsOf([...list, ...list], rules)).toEqual(visitsOf(list, rules));
      }),
      runs,
    );
  });

  it('do not change by another zone, elsewhere or overlapping', () => {
    const other: PlaneZone = { id: 'other', parts: [{ box: [100, -500, 120, 500] }] };
    fc.assert(
      fc.property(fixes, options, (list, rules) => {
        const more = visitsOf(list, rules, [other, ...ZONES]);
        expect(more.filter((visit) => visit.zoneId !== 'other')).toEqual(visitsOf(list, rules));
      }),
      runs,
    );
  });

  it('shift with all times', () => {
    fc.assert(
      fc.property(fixes, options, fc.integer({ min: -1e11, max: 1e12 }), (list, rules, by) => {
        const later = list.map((one) => ({ ...one, time: one.time + by }));
        expect(visitsOf(later, rules)).toEqual(visitsOf(list, rules).map((visit) => shifted(visit, by)));
      }),
      runs,
    );
  });

  it('have integer times within their bounds, do not overlap, and last at least `minInsideSeconds`', () => {
    fc.assert(
      fc.property(fixes, options, (list, rules) => {
        const last = new Map<string, number | null>();
        let enterBefore = Number.NEGATIVE_INFINITY;
        for (const visit of visitsOf(list, rules)) {
          const { zoneId, enter, exit, enterBounds, exitBounds, end } = visit;
          expect(enter).toBeGreaterThanOrEqual(enterBefore);
          enterBefore = enter;
          const until = last.get(zoneId);
          expect(until).not.toBeNull();
          if (until !== undefined) expect(enter).toBeGreaterThanOrEqual(until as number);
          last.set(zoneId, exit);
          expect(Number.isInteger(enter)).toBe(true);
          expect(enter).toBeLessThanOrEqual(enterBounds[1]);
          expect(enter).toBeGreaterThanOrEqual(enterBounds[0] ?? enter);
          expect([exit === null, exitBounds === null]).toEqual([end === 'open', end === 'open']);
          if (exit === null || exitBounds === null) continue;
          expect(Number.isInteger(exit)).toBe(true);
          // A visit that ends at a gap ends at its last fix inside.
          if (end === 'left')
            expect(exit - enter).toBeGreaterThanOrEqual((rules.minInsideSeconds ?? 0) * 1000);
          expect(exit).toBeGreaterThanOrEqual(exitBounds[0]);
          expect(exit).toBeLessThanOrEqual(exitBounds[1] as number);
        }
      }),
      runs,
    );
  });
});

function shuffled<Item>(list: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
}
