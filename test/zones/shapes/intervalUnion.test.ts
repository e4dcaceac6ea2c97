import { describe, expect, test } from 'vitest';
import { settleEnds } from '../../../src/zones/shapes/intervalUnion.js';
import { extendIntervals } from '../oracle/intervalsBetweenCuts.js';

const NUDGE = 2 ** -52;

describe('extendIntervals', () => {
  test('adds a separate interval, joins one that touches or overlaps the last, and never shrinks it', () => {
    const intervals: number[] = [];
    extendIntervals(intervals, 0.1, 0.2);
    expect(intervals).toEqual([0.1, 0.2]);
    extendIntervals(intervals, 0.3, 0.5);
    expect(intervals).toEqual([0.1, 0.2, 0.3, 0.5]);
    extendIntervals(intervals, 0.5, 0.6);
    expect(intervals).toEqual([0.1, 0.2, 0.3, 0.6]);
    extendIntervals(intervals, 0.4, 0.45);
    expect(intervals).toEqual([0.1, 0.2, 0.3, 0.6]);
  });
});

describe('settleEnds: an interval begins at 0 only if the start is inside, and ends at 1 only if the end is inside', () => {
  test.each([
    ['both ends agree', [0, 0.5, 0.7, 1], true, true, [0, 0.5, 0.7, 1]],
    ['both ends are outside', [0.2, 0.5], false, false, [0.2, 0.5]],
    ['no interval, but the start is inside', [], true, false, [0, 0]],
    ['no interval, but the end is inside', [], false, true, [1, 1]],
    ['no interval, but both ends are inside', [], true, true, [0, 0, 1, 1]],
    ['an interval that rounding starts after 0 starts at 0', [1e-13, 0.5], true, false, [0, 0.5]],
    ['the start alone, well before the first interval', [0.25, 0.5], true, false, [0, 0, 0.25, 0.5]],
    ['1e-12 is more than rounding', [1e-12, 0.5], true, false, [0, 0, 1e-12, 0.5]],
    ['an interval that rounding ends before 1 ends at 1', [0.5, 1 - 1e-13], false, true, [0.5, 1]],
    ['the end alone, well after the last interval', [0.25, 0.5], false, true, [0.25, 0.5, 1, 1]],
    ['an interval from 0 starts later if the start is outside', [0, 0.5], false, false, [NUDGE, 0.5]],
    ['a touch at 0 is dropped', [0, 0], false, false, []],
    ['so is an interval of one step', [0, NUDGE], false, false, []],
    ['an interval of two steps is kept', [0, 2 * NUDGE], false, false, [NUDGE, 2 * NUDGE]],
    ['a touch at 0 is dropped, the next interval is kept', [0, 0, 0.5, 0.75], false, false, [0.5, 0.75]],
    ['an interval to 1 ends earlier if the end is outside', [0.5, 1], false, false, [0.5, 1 - NUDGE]],
    ['a touch at 1 is dropped', [1, 1], false, false, []],
    ['so is an interval of the last step', [1 - NUDGE, 1], false, false, []],
    [
      'an interval of the last two steps is kept',
      [1 - 2 * NUDGE, 1],
      false,
      false,
      [1 - 2 * NUDGE, 1 - NUDGE],
    ],
    ['the interval before a touch at 1 is kept', [0.25, 0.5, 1, 1], false, false, [0.25, 0.5]],
    ['the whole segment with both ends outside', [0, 1], false, false, [NUDGE, 1 - NUDGE]],
  ] as const)('%s', (_, intervals, startInside, endInside, expected) => {
    expect(settleEnds([...intervals], startInside, endInside)).toEqual(expected);
  });
});
