import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, type Position, ZoneIndex } from '../../src/index.js';
import { FRACTION_ERROR } from '../../src/planar/sideOf.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { sortFractions } from '../../src/zones/shapes/intervalUnion.js';
import { exactMeeting, exactPointInRing } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { exactIntervals } from './oracle/exactIntervals.js';

type Random = () => number;
type Parts = Pair[][][];

/** Rounding may join intervals over such a gap, and drop half-open intervals as short. */
const LEAST_GAP = 4 * FRACTION_ERROR;

const pick = (random: Random, count: number): number => Math.floor(random() * count);

/** Polygons whose vertices lie on a grid and are used again and again: repeated, collinear, crossing and shared edges, holes outside their shell. */
function tangle(random: Random): { readonly parts: Parts; readonly vertex: () => Pair } {
  const side = [4, 6, 10, 30, 1000][pick(random, 5)]!;
  const step = [1 / 64, 0.01, 0.007][pick(random, 3)]!;
  const origins: Pair[] = [[0, 0], [38, 56], [-122.4, 37.7], [-side * step * 0.5, -1]]; // biome-ignore format: origins
  const [x, y] = origins[pick(random, 4)]!;
  const point = (): Pair => [x + pick(random, side + 1) * step, y + pick(random, side + 1) * step];
  const pool = Array.from({ length: 6 + pick(random, 10) }, point);
  const vertex = (): Pair => (random() < 0.5 ? pool[pick(random, pool.length)]! : point());
  const parts = Array.from({ length: random() < 0.5 ? 1 : 1 + pick(random, 4) }, () =>
    Array.from({ length: random() < 0.6 ? 1 : 2 + pick(random, 2) }, () =>
      Array.from({ length: 3 + pick(random, 10) }, vertex),
    ),
  );
  return { parts, vertex };
}

const zoneOf = (parts: Parts): Geozone => ({
  id: 'zone',
  name: '',
  type: { key: 'polygon' },
  geometry: parts[0]![0]!,
  parts,
});

function isReadable(zone: Geozone): boolean {
  try {
    prepareZone(zone);
    return true;
  } catch {
    return false;
  }
}

const flat = (parts: Parts): number[][][] =>
  parts.map((part) => part.map((ring) => ring.flatMap((p) => [...p])));

function withoutSlivers(intervals: readonly number[], halfOpen: boolean): number[] {
  const joined: number[] = [];
  for (let i = 0; i < intervals.length; i += 2) {
    if (joined.length > 0 && intervals[i]! - joined.at(-1)! <= LEAST_GAP) joined.pop();
    else joined.push(intervals[i]!);
    joined.push(intervals[i + 1]!);
  }
  const isSliver = (i: number): boolean => joined[i | 1]! - joined[i & ~1]! <= LEAST_GAP;
  return halfOpen ? joined.filter((_, i) => !isSliver(i)) : joined;
}

function areEqual(found: readonly number[], wanted: readonly number[], halfOpen: boolean): boolean {
  const [p, q] = [withoutSlivers(found, halfOpen), withoutSlivers(wanted, halfOpen)];
  return p.length === q.length && p.every((fraction, i) => Math.abs(fraction - q[i]!) <= LEAST_GAP);
}

test.each([
  ['closed', false],
  ['half-open', true],
] as const)('intervals in tangled polygons equal those of rational numbers: %s', (boundary, halfOpen) => {
  const random = seeded(halfOpen ? 92 : 91);
  let found = 0;
  for (let round = 0; round < volume(1500); round++) {
    const { parts, vertex } = tangle(random);
    const zone = zoneOf(parts);
    if (!isReadable(zone)) continue;
    const prepared = prepareZone(zone, { boundary });
    const index = new ZoneIndex([zone], { boundary });
    for (let i = 0; i < 12; i++) {
      const a = vertex();
      const b = random() < 0.1 ? a : vertex();
      const wanted = exactIntervals(flat(parts), halfOpen, [...a, ...b]);
      const whole = index.crossing(a, b).flatMap(({ from, to }) => [from, to]);
      found += whole.length;
      for (const own of [prepared.intervals(...a, ...b), whole]) {
        if (!areEqual(own, wanted, halfOpen))
          expect({ parts, a, b, own }).toEqual({ parts, a, b, own: wanted });
        expect([own[0] === 0, own.at(-1) === 1]).toEqual([prepared.contains(...a), prepared.contains(...b)]);
      }
    }
  }
  expect(found).toBeGreaterThan(volume(1500));
});

/** Whether a polygon and a box share a position, by rational numbers: an edge meets a side, or one contains a vertex of the other. */
function exactlyMeets(
  parts: Parts,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  const corners: Pair[] = [[west, south], [east, south], [east, north], [west, north]]; // biome-ignore format: a box
  const isIn = ([x, y]: Pair): boolean => x >= west && x <= east && y >= south && y <= north;
  return flat(parts).some((part, k) => {
    if (parts[k]!.flat().some(isIn)) return true;
    const sides = part.map((ring) => exactPointInRing(west, south, ring));
    if (sides.includes(0) || sides.filter((side) => side > 0).length % 2 === 1) return true;
    return parts[k]!.some((ring) =>
      ring.some((p, i) => {
        const q = ring[(i + 1) % ring.length]!;
        return corners.some(
          (c, j) => exactMeeting(...p, ...q, ...c, ...corners[(j + 1) % 4]!).meeting !== 'none',
        );
      }),
    );
  });
}

test('tangled polygons meet the boxes that they meet by rational numbers', () => {
  const random = seeded(93);
  let [met, missed] = [0, 0];
  for (let round = 0; round < volume(1500); round++) {
    const { parts, vertex } = tangle(random);
    const zone = zoneOf(parts);
    if (!isReadable(zone)) continue;
    const index = new ZoneIndex([zone]);
    for (let i = 0; i < 12; i++) {
      const [p, q] = [vertex(), random() < 0.3 ? [vertex()[0], vertex()[1]] : vertex()] as [Pair, Pair];
      const shrink = [0, 0, 0.3, 0.499][pick(random, 4)]!;
      const [dx, dy] = [(q[0] - p[0]) * shrink, (q[1] - p[1]) * shrink];
      const [x, y] = [
        [p[0] + dx, q[0] - dx],
        [p[1] + dy, q[1] - dy],
      ] as const;
      const box = [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)] as const;
      const wanted = exactlyMeets(parts, box);
      if (wanted) met++;
      else missed++;
      expect({ parts, box, meets: index.intersecting(box).length }).toEqual({
        parts,
        box,
        meets: wanted ? 1 : 0,
      });
    }
  }
  expect(Math.min(met, missed)).toBeGreaterThan(volume(1500) / 2);
});

const RINGS: Readonly<Record<string, (count: number) => Pair[]>> = {
  'a star': (count) =>
    Array.from({ length: count }, (_, i): Pair => {
      const [turn, radius] = [(2 * Math.PI * i) / count, i % 2 === 0 ? 1 : 0.02];
      return [radius * Math.cos(turn), radius * Math.sin(turn)];
    }),
  'a comb of upright teeth, its tops on one line': (count) => [
    ...Array.from({ length: count - 2 }, (_, i): Pair => [i / count, [0, 1, 1, 0][i % 4]!]),
    [1, -1],
    [0, -1],
  ],
  'a comb of lying teeth': (count) => [
    ...Array.from({ length: count - 2 }, (_, i): Pair => [[0, 1, 1, 0][i % 4]!, i / count]),
    [-1, 1],
    [-1, 0],
  ],
  'a spiral': (count) =>
    Array.from({ length: count }, (_, i): Pair => {
      const along = (i < count / 2 ? i : count - 1 - i) / count;
      const radius = 0.1 + along + (i < count / 2 ? 0 : 0.01);
      return [radius * Math.cos(60 * along), radius * Math.sin(60 * along)];
    }),
  'chords through one point': (count) =>
    Array.from(
      { length: count },
      (_, i): Pair => [Math.cos(i * (Math.PI + 0.01)), Math.sin(i * (Math.PI + 0.01))],
    ),
  'one vertex again and again': (count) =>
    Array.from({ length: count }, (_, i): Pair => (i % 3 === 0 ? [0.25, 0.25] : [Math.cos(i), Math.sin(i)])),
};

describe('long rings, with and without slabs', () => {
  test.each(Object.keys(RINGS))('%s', (name) => {
    const ring = RINGS[name]!(400);
    const zone = { ...zoneOf([[ring]]), geometry: ring };
    const index = new ZoneIndex([zone]);
    const random = seeded(94);
    const at = (): Position => [2.4 * random() - 1.2, 2.4 * random() - 1.2];
    for (let i = 0; i < volume(120); i++) {
      const k = pick(random, ring.length);
      const a: Position = i % 3 === 0 ? ring[k]! : at();
      const b: Position = i % 4 === 0 ? ring[(k + 1 + pick(random, 3)) % ring.length]! : i % 7 === 0 ? [a[0], at()[1]] : i % 5 === 0 ? [at()[0], a[1]] : at(); // biome-ignore format: kinds
      const own = index.crossing([...a], [...b]).flatMap(({ from, to }) => [from, to]);
      const wanted = exactIntervals([[ring.flatMap((p) => [...p])]], false, [...a, ...b]);
      if (!areEqual(own, wanted, false)) expect({ a, b, own }).toEqual({ a, b, own: wanted });
      const box = [
        Math.min(a[0], b[0]),
        Math.min(a[1], b[1]),
        Math.max(a[0], b[0]),
        Math.max(a[1], b[1]),
      ] as const;
      expect(index.intersecting(box).length).toBe(exactlyMeets([[ring]], box) ? 1 : 0);
    }
  });
});

test('fractions of any distribution are sorted', () => {
  const random = seeded(95);
  const kinds: readonly ((i: number, count: number) => number)[] = [
    () => random(),
    () => random() ** 20,
    (i, count) => 1 - i / count,
    (i) => (i % 7) / 7,
    () => 0.5,
    (i) => (i === 3 ? 1 : 1e-300 * i),
    (i, count) => (i % 2 === 0 ? i : count - i) / count,
  ];
  for (const count of [0, 1, 2, 24, 25, 26, 300, 5000])
    for (const kind of kinds) {
      const values = Float64Array.from({ length: count + 3 }, (_, i) => (i < count ? kind(i, count) : -1));
      const sorted = Array.from(values.slice(0, count)).sort((p, q) => p - q);
      sortFractions(values, count);
      expect([...values]).toEqual([...sorted, -1, -1, -1]);
    }
});
