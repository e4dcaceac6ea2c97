import { describe, expect, test } from 'vitest';
import { segmentsCross } from '../../src/planar/segmentsCross.js';
import { exactDeterminant, exactMeeting } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { ringCase } from './adversarial.js';
import { crossingFractions } from './crossingFractions.js';

describe('segmentsCross', () => {
  test('returns each kind of meeting', () => {
    expect(segmentsCross(0, 0, 2, 2, 0, 2, 2, 0)).toBe('cross');
    expect(segmentsCross(0, 0, 2, 2, 1, 1, 2, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 2, 2, 2, 3, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 0, 2, 0, 3, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 0, 1, 0, 3, 0)).toBe('overlap');
    expect(segmentsCross(0, 0, 0, 3, 0, 2, 0, 1)).toBe('overlap');
    expect(segmentsCross(0, 0, 2, 0, 3, 0, 4, 0)).toBe('none');
    expect(segmentsCross(0, 0, 2, 0, 0, 1, 2, 1)).toBe('none');
    expect(segmentsCross(0, 0, 1, 1, 3, 0, 2, 5)).toBe('none');
  });

  test('a segment of zero length is treated as one point', () => {
    expect(segmentsCross(1, 1, 1, 1, 0, 0, 2, 2)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 2, 1, 1, 1, 1)).toBe('touch');
    expect(segmentsCross(1, 0, 1, 0, 0, 0, 2, 2)).toBe('none');
    expect(segmentsCross(1, 1, 1, 1, 1, 1, 1, 1)).toBe('touch');
    expect(segmentsCross(1, 1, 1, 1, 1, 2, 1, 2)).toBe('none');
    expect(segmentsCross(3, 3, 3, 3, 0, 0, 2, 2)).toBe('none');
  });
});

describe('crossingFractions', () => {
  test('returns the positions along a→b', () => {
    expect(crossingFractions(0, 0, 4, 0, 1, -1, 1, 1)).toEqual([0.25, 0.25]);
    expect(crossingFractions(0, 0, 4, 0, 3, 0, 1, 0)).toEqual([0.25, 0.75]);
    expect(crossingFractions(0, 0, 4, 0, 3, 0, 9, 0)).toEqual([0.75, 1]);
    expect(crossingFractions(4, 0, 0, 0, 3, 0, 9, 0)).toEqual([0, 0.25]);
    expect(crossingFractions(0, 0, 4, 0, -1, 0, 9, 0)).toEqual([0, 1]);
    expect(crossingFractions(0, 0, 0, 4, 0, 4, 5, 4)).toEqual([1, 1]);
    expect(crossingFractions(0, 0, 0, 4, -1, 1, 0, 1)).toEqual([0.25, 0.25]);
    expect(crossingFractions(0, 0, 0, 4, 1, 1, 2, 1)).toBeNull();
    expect(crossingFractions(1, 1, 1, 1, 0, 0, 2, 2)).toEqual([0, 1]);
    expect(crossingFractions(1, 0, 1, 0, 0, 0, 2, 2)).toBeNull();
  });

  test('is 0 or 1 only at the ends themselves', () => {
    expect(crossingFractions(1, 0, 1e-12, 0, 2e-12, -1, 2e-12, 1)?.[0]).toBeLessThan(1);
    expect(
      crossingFractions(1e-12, 0, 180, 0, 1.0000000000000002e-12, -1, 1.0000000000000002e-12, 1)?.[0],
    ).toBeGreaterThan(0);
    // The fraction differs from 1 by 1e-22, which rounds to 1.
    const nearEnd = 1 - 2 ** -53;
    expect(crossingFractions(-1e6, 0, 1, 0, nearEnd, -1, nearEnd, 1)).toEqual([nearEnd, nearEnd]);
    expect(crossingFractions(0, 1, 0, -1e6, -1, nearEnd, 1, nearEnd)?.[0]).toBeGreaterThan(0);
  });
});

test.each([
  [0.5000000000000002, 0.5000000000000001, 24, 24, 12, 12, 1.5000000000000002, 1.4999999999999998],
  [0.4999999999999999, 0.5, 24, 24, 12, 12, 1.5, 1.5000000000000002],
  [0.5, 0.4999999999999998, 24, 24, 12, 12, 2, 1.9999999999999998],
] as const)(
  'the fraction is right where plain areas round to 0: %d %d, %d %d',
  (ax, ay, bx, by, cx, cy, dx, dy) => {
    const [a, b] = [exactDeterminant(cx, cy, dx, dy, ax, ay), exactDeterminant(cx, cy, dx, dy, bx, by)].map(
      (area) => (area < 0n ? -area : area),
    ) as [bigint, bigint];
    const [from, to] = crossingFractions(ax, ay, bx, by, cx, cy, dx, dy)!;
    expect(from).toBe(to);
    expect(from).toBeCloseTo(Number((a << 64n) / (a + b)) / 2 ** 64, 14);
  },
);

test('meeting and fractions equal exact rational arithmetic on adversarial segments', () => {
  const random = seeded(31);
  const seen = { none: 0, touch: 0, cross: 0, overlap: 0 };
  const cases = volume(200_000);
  for (let number = 0; number < cases; number++) {
    const { x, y, ring } = ringCase(number, random);
    const [ax, ay, bx, by, ex, ey] = ring as [number, number, number, number, number, number];
    // The near-collinear point starts the second segment; every fifth of these segments continues along the first one.
    const alongFirst = number % 5 === 0;
    const [dx, dy] = alongFirst ? [2 * x - ax, 2 * y - ay] : [ex, ey];
    const segments = [ax, ay, bx, by, x, y, dx, dy] as const;
    const exact = exactMeeting(...segments);
    seen[exact.meeting]++;
    const where = `${segments.join(', ')} of case ${number}`;
    expect(segmentsCross(...segments), where).toBe(exact.meeting);
    expect(segmentsCross(x, y, dx, dy, bx, by, ax, ay), where).toBe(exact.meeting);
    checkFractions(segments, exact, where);
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(cases / 1000);
});

type Segments = readonly [number, number, number, number, number, number, number, number];

/** The ends are exact; at a fraction between them the point is as near to the other segment's line as rounding allows. */
function checkFractions(segments: Segments, exact: ReturnType<typeof exactMeeting>, where: string): void {
  const fractions = crossingFractions(...segments);
  if (exact.meeting === 'none') {
    expect(fractions, where).toBeNull();
    return;
  }
  const [ax, ay, bx, by, cx, cy, dx, dy] = segments.map((v) =>
    Math.abs(v) < 1e-12 ? 0 : v,
  ) as unknown as Segments;
  const [from, to] = fractions as [number, number];
  if (ax === bx && ay === by) {
    expect([from, to], where).toEqual([0, 1]);
    return;
  }
  expect([from === 0, from === 1, to === 0, to === 1], where).toEqual([
    exact.from === 0n,
    exact.from === exact.length,
    exact.to === 0n,
    exact.to === exact.length,
  ]);
  expect(from === to || exact.meeting === 'overlap', where).toBe(true);
  expect(from <= to, where).toBe(true);
  const toLine = Number(exactDeterminant(cx, cy, dx, dy, ax, ay)) * 2 ** -184;
  const toLineAtB = Number(exactDeterminant(cx, cy, dx, dy, bx, by)) * 2 ** -184;
  const extent =
    Math.max(ax, bx, cx, dx) - Math.min(ax, bx, cx, dx) + Math.max(ay, by, cy, dy) - Math.min(ay, by, cy, dy);
  const allowed = 2e-15 * extent * Math.hypot(dx - cx, dy - cy);
  for (const fraction of [from, to]) {
    expect(Math.abs((1 - fraction) * toLine + fraction * toLineAtB), where).toBeLessThanOrEqual(allowed);
  }
  if (exact.meeting === 'overlap') {
    const asNumber = (part: bigint): number => Number((part << 64n) / exact.length) / 2 ** 64;
    expect(Math.abs(from - asNumber(exact.from)), where).toBeLessThan(1e-15);
    expect(Math.abs(to - asNumber(exact.to)), where).toBeLessThan(1e-15);
  }
}
