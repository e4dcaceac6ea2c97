import { describe, expect, test } from 'vitest';
import { extendIntervals, settleEnds } from '../../src/zones/intervalsBetweenCuts.js';

const NUDGE = 2 ** -52;

describe('extendIntervals', () => {
  test('a stay after the last one is its own; one that touches or overlaps it is joined, and none shrinks', () => {
    const stays: number[] = [];
    extendIntervals(stays, 0.1, 0.2);
    expect(stays).toEqual([0.1, 0.2]);
    extendIntervals(stays, 0.3, 0.5);
    expect(stays).toEqual([0.1, 0.2, 0.3, 0.5]);
    extendIntervals(stays, 0.5, 0.6);
    expect(stays).toEqual([0.1, 0.2, 0.3, 0.6]);
    extendIntervals(stays, 0.4, 0.45);
    expect(stays).toEqual([0.1, 0.2, 0.3, 0.6]);
  });
});

describe('settleEnds: a stay begins at 0 exactly when the start is inside, and ends at 1 exactly when the end is', () => {
  test.each([
    ['both agree', [0, 0.5, 0.7, 1], true, true, [0, 0.5, 0.7, 1]],
    ['neither end, none said', [0.2, 0.5], false, false, [0.2, 0.5]],
    ['no stay at all, the start is inside', [], true, false, [0, 0]],
    ['no stay at all, the end is inside', [], false, true, [1, 1]],
    ['no stay at all, both are', [], true, true, [0, 0, 1, 1]],
    ['a start that was missed by rounding is met', [1e-13, 0.5], true, false, [0, 0.5]],
    ['a start by itself, well before the first stay', [0.25, 0.5], true, false, [0, 0, 0.25, 0.5]],
    ['the limit of what is rounding: 1e-12 is not', [1e-12, 0.5], true, false, [0, 0, 1e-12, 0.5]],
    ['an end that was missed by rounding is met', [0.5, 1 - 1e-13], false, true, [0.5, 1]],
    ['an end by itself, well after the last stay', [0.25, 0.5], false, true, [0.25, 0.5, 1, 1]],
    ['a stay from 0 whose start is outside begins after it', [0, 0.5], false, false, [NUDGE, 0.5]],
    ['a touch at 0 alone is none', [0, 0], false, false, []],
    ['nor is one a step long', [0, NUDGE], false, false, []],
    ['but two steps are one', [0, 2 * NUDGE], false, false, [NUDGE, 2 * NUDGE]],
    ['a touch at 0 goes, the stay after it remains', [0, 0, 0.5, 0.75], false, false, [0.5, 0.75]],
    ['a stay to 1 whose end is outside ends before it', [0.5, 1], false, false, [0.5, 1 - NUDGE]],
    ['a touch at 1 alone is none', [1, 1], false, false, []],
    ['a step before 1 neither', [1 - NUDGE, 1], false, false, []],
    ['but two steps are one', [1 - 2 * NUDGE, 1], false, false, [1 - 2 * NUDGE, 1 - NUDGE]],
    ['the stay before a touch at 1 remains', [0.25, 0.5, 1, 1], false, false, [0.25, 0.5]],
    ['the whole way with both ends outside', [0, 1], false, false, [NUDGE, 1 - NUDGE]],
  ] as const)('%s', (_, stays, startInside, endInside, expected) => {
    expect(settleEnds([...stays], startInside, endInside)).toEqual(expected);
  });
});
