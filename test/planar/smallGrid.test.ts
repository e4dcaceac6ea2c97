import { describe, expect, test } from 'vitest';
import { orient2d, pointInRing, segmentsCross } from '../../src/planar/orient2d.js';
import { ringEdges, ringGraph } from '../../src/planar/ringEdges.js';
import { ringsMeet } from '../../src/planar/ringsMeet.js';
import { selfIntersections } from '../../src/planar/selfIntersections.js';
import { sweepEdges } from '../../src/planar/sweepEdges.js';
import { seeded } from '../volume.js';
import { crossingFractions } from './crossingFractions.js';
import {
  area,
  edgesOf,
  flat,
  gridMeeting,
  gridPoints,
  gridSelfIntersections,
  isInside,
  isOn,
  type Point,
} from './grid.js';
import { isInHalfOpen } from './halfOpen.js';
import { onEdge } from './onEdge.js';

const GRID = gridPoints(4, 3);
const SMALL = gridPoints(3, 3);

/** All rings of `count` points of the small grid, also with repeated points. */
function* rings(count: number): Generator<Point[]> {
  for (let number = 0; number < 9 ** count; number++) {
    yield Array.from({ length: count }, (_, k) => SMALL[Math.floor(number / 9 ** k) % 9]!);
  }
}

/** A ring around `middle` with whole coordinates; a greater `rough` makes more of them meet themselves. */
function lump(random: () => number, middle: Point, reach: number, count: number, rough: number): Point[] {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * (k + rough * random())) / count;
    const radius = reach * (0.5 + 0.5 * random());
    return [
      Math.round(middle[0] + radius * Math.cos(angle)),
      Math.round(middle[1] + radius * Math.sin(angle)),
    ] as const;
  });
}

describe('all pairs of segments of a grid', () => {
  test('the meeting and its fractions follow the definitions; ends are exact', () => {
    for (const a of GRID) {
      for (const b of GRID) {
        for (const c of GRID) {
          for (const d of SMALL) {
            const wanted = gridMeeting([a, b], [c, d]);
            const meeting = segmentsCross(...a, ...b, ...c, ...d);
            const at = crossingFractions(...a, ...b, ...c, ...d);
            const isRight =
              meeting === wanted.meeting &&
              (at === null || wanted.at === null
                ? at === wanted.at
                : [0, 1].every((end) => {
                    const [got, exact] = [at[end as 0 | 1], wanted.at![end as 0 | 1]];
                    return exact === 0 || exact === 1 ? got === exact : Math.abs(got - exact) < 1e-15;
                  }));
            if (!isRight) expect({ a, b, c, d, meeting, at }).toEqual({ a, b, c, d, ...wanted });
          }
        }
      }
    }
  });

  test('numbers below 1e-12 count as 0, so the segments meet', () => {
    const tiny = 9e-13;
    expect(segmentsCross(-1, tiny, 1, tiny, 0, -tiny, 0, -1)).toBe('touch');
    expect(segmentsCross(-1, -tiny, 1, -tiny, 0, tiny, 0, 1)).toBe('touch');
    expect(segmentsCross(tiny, -1, tiny, 1, -tiny, 0, -1, 0)).toBe('touch');
    expect(segmentsCross(-tiny, -1, -tiny, 1, tiny, 0, 1, 0)).toBe('touch');
    expect(segmentsCross(-1, tiny, 1, -tiny, -1, -tiny, 1, tiny)).toBe('overlap');
    expect(segmentsCross(-1, 2e-12, 1, 2e-12, 0, -tiny, 0, -1)).toBe('none');
    expect(crossingFractions(-1, tiny, 1, -tiny, 0, 0, 0, 1)).toEqual([0.5, 0.5]);
    expect(crossingFractions(tiny, -tiny, -tiny, tiny, 0, 0, 0, 1)).toEqual([0, 1]);
  });

  test('the fraction of nearly collinear segments is inside (0, 1), although the rounded areas are almost 0', () => {
    const off = 2 ** -52;
    const [from, to] = crossingFractions(1, 1, 3, 3 + 2 * off, 1, 1 + off, 3, 3 - off)!;
    expect(from).toBe(to);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThan(1);
  });

  test('turn has the sign of the area of the three points, and onEdge equals its definition', () => {
    for (const a of SMALL) {
      for (const b of SMALL) {
        for (const p of SMALL) {
          expect(Math.sign(orient2d(...a, ...b, ...p))).toBe(Math.sign(area(a, b, p)) + 0);
          expect(onEdge(...p, ...a, ...b)).toBe(isOn([a, b], p));
        }
      }
    }
  });
});

describe('all rings of four points of a grid', () => {
  test('pointInRing on grid points and half steps equals the definition by edges and the even-odd rule', () => {
    let number = 0;
    for (const ring of rings(4)) {
      if (number++ % 3 !== 0) continue;
      const xy = number % 2 === 0 ? flat(ring) : [...flat(ring), ...ring[0]!];
      for (let x = -0.5; x <= 2.5; x += 0.5) {
        for (let y = -0.5; y <= 2.5; y += 0.5) {
          const point = [x, y] as const;
          // The half-open rule is the rule for (x + ε², y + ε); nothing on the grid is this near.
          const beside = [x + 2 ** -20, y + 2 ** -8] as const;
          const isBorder = edgesOf(ring).some((edge) => isOn(edge, point));
          const wanted = isBorder ? 0 : isInside(ring, beside) ? 1 : -1;
          if (pointInRing(x, y, xy) !== wanted)
            expect({ ring, point, in: pointInRing(x, y, xy) }).toBe(wanted);
          if (isInHalfOpen(x, y, xy) !== isInside(ring, beside)) expect({ ring, point }).toBe('half-open');
        }
      }
    }
  });

  test('selfIntersections equals the test of all pairs', () => {
    for (const ring of rings(4)) {
      const wanted = gridSelfIntersections(ring);
      const found = selfIntersections(flat(ring));
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        expect({ ring, found }).toEqual({ ring, found: wanted });
    }
  });

  test('ringsMeet agrees, and also reports edges of zero length', () => {
    for (const ring of rings(4)) {
      const isMet = gridSelfIntersections(ring).length > 0 || hasRepeats(ring);
      if (ringsMeet([flat(ring)]) !== isMet) expect({ ring, isMet: !isMet }).toEqual({ ring, isMet });
    }
  });
});

function hasRepeats(ring: readonly Point[]): boolean {
  return edgesOf(ring).some(([a, b]) => a[0] === b[0] && a[1] === b[1]);
}

describe('rings of many points', () => {
  test.each([
    [5, 20, 160],
    [97, 130, 24],
  ])(
    'of %i to %i points: selfIntersections and the sweep equal the test of all pairs, also on mirror images',
    (least, most, rounds) => {
      const random = seeded(401);
      const seen = { whole: 0, met: 0 };
      for (let round = 0; round < rounds; round++) {
        const count = least + Math.floor(random() * (most - least));
        const ring = lump(random, [0, 0], round % 3 === 0 ? 60 : 4000, count, round % 2 === 0 ? 0.7 : 2.5);
        const wanted = gridSelfIntersections(ring);
        seen[wanted.length === 0 ? 'whole' : 'met']++;
        for (const turned of [
          ring,
          ring.map(([x, y]) => [y, x] as const),
          ring.map(([x, y]) => [-x, y] as const),
        ]) {
          expect(selfIntersections(flat(turned))).toEqual(wanted);
          const edges = ringEdges(flat(turned));
          if (edges.number.length < 4) continue;
          const found = sweepEdges(ringGraph(edges));
          expect(found === null).toBe(wanted.length === 0);
          if (found === null) continue;
          expect(found.kind).toBe('meeting');
          const pair = [edges.number[found.first]!, edges.number[found.second]!].sort((p, q) => p - q);
          expect(wanted).toContainEqual(pair);
        }
        const few = selfIntersections(flat(ring), 2);
        expect(few.length).toBe(Math.min(2, wanted.length));
        for (const pair of few) expect(wanted).toContainEqual(pair);
      }
      expect(seen.whole).toBeGreaterThan(rounds / 4);
      expect(seen.met).toBeGreaterThan(rounds / 5);
    },
  );

  test('ringsMeet of several rings equals the test of all pairs', () => {
    const random = seeded(402);
    const seen = [0, 0];
    for (let round = 0; round < 400; round++) {
      const some = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        lump(
          random,
          [Math.floor(random() * 300), Math.floor(random() * 300)],
          30 + random() * 60,
          3 + Math.floor(random() * 12),
          0.8,
        ),
      );
      const isMet = some.some(
        (ring, i) =>
          hasRepeats(ring) ||
          gridSelfIntersections(ring).length > 0 ||
          some.some((other, j) => j > i && areMet(ring, other)),
      );
      seen[isMet ? 1 : 0]!++;
      expect(ringsMeet(some.map(flat)), JSON.stringify(some)).toBe(isMet);
    }
    expect(Math.min(...seen)).toBeGreaterThan(60);
  });

  test('with cuts, only the edges at those points are tested', () => {
    const random = seeded(403);
    const seen = [0, 0];
    for (let round = 0; round < 500; round++) {
      const some = [0, 1].map((k) => lump(random, [100 * k, 0], 70, 3 + Math.floor(random() * 14), 0.8));
      if (some.some(hasRepeats)) continue;
      const edges = some.flatMap((ring, r) =>
        edgesOf(ring).map((edge, i) => ({ edge, r, i, count: ring.length })),
      );
      const [r, point] = [Math.floor(random() * 2), Math.floor(random() * 3)];
      const before = (point + some[r]!.length - 1) % some[r]!.length;
      const isMet = edges.some(
        (own) =>
          own.r === r &&
          (own.i === point || own.i === before) &&
          edges.some((other) => {
            if (other === own) return false;
            const { meeting } = gridMeeting(own.edge, other.edge);
            const step = (own.i - other.i + own.count) % own.count;
            const areNeighbours = own.r === other.r && (step === 1 || step === own.count - 1);
            return areNeighbours ? meeting === 'overlap' : meeting !== 'none';
          }),
      );
      seen[isMet ? 1 : 0]!++;
      const cuts = r === 0 ? [[point], []] : [[], [point]];
      expect(ringsMeet(some.map(flat), cuts), JSON.stringify({ some, cuts })).toBe(isMet);
    }
    expect(Math.min(...seen)).toBeGreaterThan(60);
    expect(ringsMeet([[0, 0, 1, 1, 1, 0, 0, 1]], [[]])).toBe(false);
  });
});

function areMet(ring: readonly Point[], other: readonly Point[]): boolean {
  return edgesOf(ring).some((p) => edgesOf(other).some((q) => gridMeeting(p, q).meeting !== 'none'));
}
