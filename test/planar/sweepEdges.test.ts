import { describe, expect, test } from 'vitest';
import {
  type EdgeGraph,
  type EdgeSides,
  type Finding,
  ringEdges,
  ringGraph,
} from '../../src/planar/ringEdges.js';
import { sweepEdges } from '../../src/planar/sweepEdges.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import {
  area,
  edgesOf,
  flat,
  gridMeeting,
  gridPoints,
  gridSelfIntersections,
  isOn,
  type Point,
} from './grid.js';
import { graphOf, type Ring, sidesOf, twiceArea } from './sweepGraphs.js';

/** Disjoint triangles that cover a ring of three or four points. */
function triangles(ring: Ring): Ring[] {
  if (ring.length === 3) return [ring];
  const [a, b, c, d] = ring as [Point, Point, Point, Point];
  const turned = Math.sign(twiceArea(ring));
  const isCut = (p: Point, q: Point, r: Point): boolean => area(p, q, r) * turned >= 0;
  return isCut(a, b, c) && isCut(a, c, d)
    ? [
        [a, b, c],
        [a, c, d],
      ]
    : [
        [b, c, d],
        [b, d, a],
      ];
}

/** Whether two triangles overlap: no edge of either separates them. */
function overlap(one: Ring, other: Ring): boolean {
  const parts = ([p, q]: readonly [Ring, Ring]): boolean =>
    edgesOf(p).some(([a, b]) => q.every((point) => area(a, b, point) * twiceArea(p) <= 0));
  return twiceArea(one) !== 0 && twiceArea(other) !== 0 && !parts([one, other]) && !parts([other, one]);
}

const crossOrOverlap = (one: Ring, other: Ring): boolean =>
  edgesOf(one).some((p) =>
    edgesOf(other).some((q) => ['cross', 'overlap'].includes(gridMeeting(p, q).meeting)),
  );

describe('one ring', () => {
  const SMALL = gridPoints(3, 3);

  test.each(wkt('4 3, 5 29, 6 211, 7 2003'))(
    'of %i points of a grid meets itself if a pair of its edges meets (every %i-th ring)',
    (count, share) => {
      const seen = { whole: 0, met: 0 };
      for (let number = 0; number < 9 ** count; number += share) {
        const ring = Array.from({ length: count }, (_, k) => SMALL[Math.floor(number / 9 ** k) % 9]!);
        const edges = ringEdges(flat(ring));
        if (edges.number.length < 3) continue;
        const wanted = gridSelfIntersections(ring);
        const finding = sweepEdges(ringGraph(edges));
        seen[wanted.length === 0 ? 'whole' : 'met']++;
        if (finding === null) {
          if (wanted.length > 0) expect({ ring, finding }).toEqual({ ring, wanted });
          continue;
        }
        const pair = [edges.number[finding.first]!, edges.number[finding.second]!].sort((p, q) => p - q);
        if (finding.kind !== 'meeting' || !wanted.some((one) => String(one) === String(pair)))
          expect({ ring, finding }).toEqual({ ring, wanted });
      }
      expect(Math.min(seen.whole, seen.met)).toBeGreaterThan(10);
    },
  );
});

describe('several rings', () => {
  const random = seeded(91);

  /** Simple rings of three or four points; few of them meet. */
  function draw(side: number): Ring[] {
    const count = 2 + Math.floor(random() * 3);
    const rings: Ring[] = [];
    while (rings.length < count) {
      const [x, y] = [Math.floor(random() * side), Math.floor(random() * side)];
      const ring = Array.from(
        { length: 3 + Math.floor(random() * 2) },
        () => [x + Math.floor(random() * 4), y + Math.floor(random() * 4)] as const,
      );
      const isSimple =
        gridSelfIntersections(ring).length === 0 && edgesOf(ring).every(([a, b]) => String(a) !== String(b));
      if (isSimple && twiceArea(ring) !== 0) rings.push(ring);
    }
    return rings;
  }

  /** For each vertex on two or more rings: the numbers of these rings. */
  function joints(rings: readonly Ring[]): string[] {
    const points = new Map(rings.flat().map((point) => [String(point), point]));
    return [...points.values()]
      .map((point) =>
        rings.flatMap((ring, r) => (edgesOf(ring).some((edge) => isOn(edge, point)) ? [r] : [])),
      )
      .filter((through) => through.length > 1)
      .map(String)
      .sort();
  }

  test('are apart, touch or meet as their triangles and all pairs of edges do; every touch is reported', () => {
    const seen = { sides: 0, meeting: 0, apart: 0, touching: 0 };
    for (let round = 0; round < 600; round++) {
      const rings = draw(3 + (round % 5));
      const graph = graphOf(rings);
      const reported: string[] = [];
      const sides = sidesOf(graph, rings, (numbers) => {
        reported.push(String([...numbers].sort((p, q) => p - q)));
        return false;
      });
      const finding = sweepEdges(graph, sides);
      const pairs = rings.flatMap((one, i) => rings.slice(i + 1).map((other) => [one, other] as const));
      const isMet = pairs.some(([one, other]) => crossOrOverlap(one, other));
      const isOver = pairs.some(([one, other]) =>
        triangles(one).some((p) => triangles(other).some((q) => overlap(p, q))),
      );
      if ((finding !== null) !== (isMet || isOver))
        expect({ rings, finding }).toEqual({ rings, isMet, isOver });
      if (finding !== null) {
        seen[finding.kind as 'sides' | 'meeting']++;
        expectTrue(finding, rings, graph, sides);
        continue;
      }
      const wanted = joints(rings);
      seen[wanted.length > 0 ? 'touching' : 'apart']++;
      if (reported.sort().join(';') !== wanted.join(';'))
        expect({ rings, reported }).toEqual({ rings, reported: wanted });
      const ended = sweepEdges(graph, { ...sides, touch: () => true });
      expect(ended?.kind ?? null).toBe(wanted.length > 0 ? 'touch' : null);
      if (ended === null) continue;
      const through = [graph.ring[ended.first]!, graph.ring[ended.second]!].sort((p, q) => p - q);
      expect(wanted.some((numbers) => through.every((r) => numbers.split(',').map(Number).includes(r)))).toBe(
        true,
      );
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  /** Checks that the two edges of a meeting meet, and that the sides of a `sides` finding differ. */
  function expectTrue(
    { kind, first, second }: Finding,
    rings: readonly Ring[],
    graph: EdgeGraph,
    { above, below, bottom }: EdgeSides,
  ): void {
    if (kind === 'sides') {
      expect(first < 0 ? bottom : above[first]).not.toBe(below[second]);
      return;
    }
    const edge = (e: number): readonly [Point, Point] => {
      const at = (vertex: number): Point => [graph.x[vertex]!, graph.y[vertex]!];
      return [at(graph.from[e]!), at(graph.to[e]!)];
    };
    expect(kind).toBe('meeting');
    const { meeting } = gridMeeting(edge(first), edge(second));
    if (meeting !== 'cross' && meeting !== 'overlap') expect({ rings, first, second }).toBe(meeting);
  }

  const outer: Ring = [[-10, -10], [10, -10], [10, 10], [-10, 10]]; // biome-ignore format: one ring
  const inner: Ring = [[-8, -8], [8, -8], [8, 8], [-8, 8]]; // biome-ignore format: one ring

  test.each([
    ['around everything', -Infinity, Infinity, true],
    ['right of all starts', 0, Infinity, true],
    ['just before an end', 7, 8, true],
    ['left of the inner end', -8.5, 0, true],
    ['the inner start is at the upper limit, which is inclusive', -8.5, -8, true],
    ['the inner start is at the lower limit, which is exclusive', -8, -7, false],
    ['right of both rings', 10, 99, false],
    ['left of both rings', -99, -11, false],
  ])('a ring in another, with limits %s (%d to %d), is found: %s', (_, low, high, isFound) => {
    const rings = [outer, inner];
    const graph = graphOf(rings);
    const finding = sweepEdges(graph, { ...sidesOf(graph, rings, () => false), low, high });
    expect(finding?.kind ?? null).toBe(isFound ? 'sides' : null);
  });

  test('a ring in another is found at the only vertex between the limits', () => {
    const rings: Ring[] = [outer, [[-8, -8], [8, 0], [-8, 8]]]; // biome-ignore format: two rings
    const graph = graphOf(rings);
    const sides = sidesOf(graph, rings, () => false);
    expect(sweepEdges(graph, { ...sides, low: 7, high: 9 })?.kind).toBe('sides');
    expect(sweepEdges(graph, { ...sides, low: 8, high: 9 })).toBeNull();
  });

  test('at the lower limit the lowest edge is compared with the bottom', () => {
    for (const ring of [
      [[10, 5], [0, 0], [20, 0]],
      [[0, 0], [20, 0], [10, 5]],
      [[20, 0], [10, 5], [0, 0]],
    ] as const) {
      const graph = graphOf([ring]);
      const sides = { ...sidesOf(graph, [ring], () => false), low: 5, high: 30 };
      expect(sweepEdges(graph, sides)).toBeNull();
      expect(sweepEdges(graph, { ...sides, bottom: 0 })?.kind).toBe('sides');
    } // biome-ignore format: rings
  });

  test.each([
    [-Infinity, Infinity, ['0,1', '0,1']],
    [10, 20, ['0,1']],
    [9, 10, ['0,1']],
    [10, 19, []],
    [20, 30, []],
  ])('touches are reported from %d (exclusive) to %d (inclusive)', (low, high, wanted) => {
    const rings: Ring[] = [
      [[0, 0], [10, 5], [20, 0]],
      [[10, 5], [15, 4], [20, 0], [30, 9]],
    ]; // biome-ignore format: two rings
    const graph = graphOf(rings);
    const reported: string[] = [];
    const sides = sidesOf(graph, rings, (numbers) => {
      reported.push(String([...numbers].sort((p, q) => p - q)));
      return false;
    });
    expect(sweepEdges(graph, { ...sides, low, high })).toBeNull();
    expect(reported).toEqual(wanted);
  });
});

describe('open lines', () => {
  const lines = (...pieces: Ring[]): EdgeGraph => graphOf(pieces, false);

  test('do not meet, or only at permitted ends', () => {
    expect(sweepEdges(lines([[0, 0], [5, 1], [9, 0]], [[0, 3], [5, 2], [9, 3]]))).toBeNull();
    expect(sweepEdges(lines([[0, 0], [5, 2], [9, 0]], [[0, 3], [5, 2], [9, 3]]))).toBeNull();
    expect(sweepEdges(lines([[0, 0], [9, 0]], [[0, 0], [9, 3]], [[4, 0], [9, 1]]))).toBeNull();
  }); // biome-ignore format: points

  test('touch at their first and last points', () => {
    const graph = graphOf([[[0, 0], [9, 1]], [[0, 0], [9, 3]], [[4, 5], [9, 3]]], false); // biome-ignore format: lines
    const reported: string[] = [];
    const everywhere = new Int32Array(graph.from.length);
    const touch = (numbers: readonly number[]): boolean => {
      reported.push(String([...numbers].sort((p, q) => p - q)));
      return false;
    };
    const sides = { above: everywhere, below: everywhere, bottom: 0, low: -9, high: 99, touch };
    expect(sweepEdges(graph, sides)).toBeNull();
    expect(reported).toEqual(['0,1', '1,2']);
  });

  test('meet if one of two with a common start crosses the line above', () => {
    const [low, high]: [Ring, Ring] = [[[0, 0], [20, 0]], [[0, 9], [20, 7]]]; // biome-ignore format: lines
    const both: Ring[] = [[[5, 5], [15, 6]], [[5, 5], [15, 8]]]; // biome-ignore format: lines
    for (const pieces of [
      [low, high, ...both],
      [high, ...both, low],
    ]) {
      const finding = sweepEdges(graphOf(pieces, false));
      const pair = [pieces.indexOf(high), pieces.indexOf(both[1]!)].sort((p, q) => p - q);
      expect(finding?.kind).toBe('meeting');
      expect([finding!.first, finding!.second].sort((p, q) => p - q)).toEqual(pair);
    }
    expect(sweepEdges(graphOf([low, ...both, wkt('0 9, 20 8.5')], false))).toBeNull();
  });

  test('meet if they cross or overlap', () => {
    expect(sweepEdges(lines([[0, 0], [9, 9]], [[0, 9], [9, 0]]))).toEqual({ kind: 'meeting', first: 0, second: 1 });
    expect(sweepEdges(lines([[0, 0], [9, 9]], [[3, 3], [5, 5]]))?.kind).toBe('meeting');
    expect(sweepEdges(lines([[0, 0], [9, 9]], [[0, 0], [5, 5]]))?.kind).toBe('meeting');
    expect(sweepEdges(lines([[0, 0], [9, 9]], [[9, 9], [5, 5]]))?.kind).toBe('meeting');
  }); // biome-ignore format: points
});
