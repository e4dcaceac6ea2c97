/** Where a step is near a line, beside exact distances at dense and at random fractions. */

import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { type Edge, edgeBulge, edgeLat, edgeLon, edgePieceBound, makeEdge } from '../../src/geodesy/edge.js';
import { cosLat, meridianRadius, normalRadius } from '../../src/geodesy/ellipsoid.js';
import { edgesNearSegment, fractionsNear } from '../../src/geodesy/fractionsNear.js';
import { LineTree, putInSpace } from '../../src/geodesy/lineTree.js';
import { firstTwins } from '../../src/geodesy/nearEdges.js';
import { capsuleSpan, sublevelFractions, wayAlong } from '../../src/geodesy/sublevelIntervals.js';
import { LONG, seeded, volume } from '../volume.js';

type Pair = [lon: number, lat: number];
const DEGREE = 111_320;
/** Ends and gaps are resolved to a millimetre of way. */
const RESOLUTION = 1.5e-3;

const pick = <Item>(random: () => number, ...items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!;
const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon);

interface Case {
  readonly line: Pair[];
  readonly from: Pair;
  readonly to: Pair;
  readonly limit: number;
}

/** A line of edges of about `size` metres that may repeat and cross itself, and a step along, across or beside it. */
function caseOf(random: () => number): Case {
  const size = pick(random, 5, 60, 60, 500, 4000, 18_000);
  const lat0 = pick(random, 0.1, 47, 55.7, -70, 84);
  const lon0 = pick(random, 20, 179.999);
  const shrink = Math.cos((lat0 * Math.PI) / 180);
  const at = (x: number, y: number): Pair => [wrapped(lon0 + x / DEGREE / shrink), lat0 + y / DEGREE];
  const isGrid = random() < 0.3;
  let [x, y, heading] = [0, 0, 6 * random()];
  const way: [number, number][] = [[0, 0]];
  for (let i = 0; i < 2 + 20 * random(); i++) {
    heading = isGrid ? (Math.PI / 2) * Math.floor(4 * random()) : heading + 0.6 * (random() - 0.5);
    x += size * Math.cos(heading);
    y += size * Math.sin(heading);
    way.push([x, y]);
  }
  const off = (by: number): number => by * (2 * random() - 1);
  const limit = pick(random, 0.02, 0.5, 10, 60, 300);
  const place = (): Pair => {
    const k = Math.floor(random() * (way.length - 1));
    const [a, b] = [way[k]!, way[k + 1]!];
    const t = pick(random, 0, random());
    const aside = pick(random, 0, limit, 3 * limit, size);
    return at(a[0] + (b[0] - a[0]) * t + off(aside), a[1] + (b[1] - a[1]) * t + off(aside));
  };
  if (random() < 0.2) {
    // A step beside an edge, about as far as the limit.
    const k = Math.floor(random() * (way.length - 1));
    const [a, b] = [way[k]!, way[k + 1]!];
    const [dx, dy] = [(b[0] - a[0]) / size, (b[1] - a[1]) / size];
    const beside = (t: number): Pair => {
      const aside = limit + off(pick(random, 1e-3, 0.02, 0.3));
      return at(a[0] + (b[0] - a[0]) * t - dy * aside, a[1] + (b[1] - a[1]) * t + dx * aside);
    };
    return {
      line: way.map(([east, north]) => at(east, north)),
      from: beside(random()),
      to: beside(random()),
      limit,
    };
  }
  const from = place();
  return { line: way.map(([east, north]) => at(east, north)), from, to: place(), limit };
}

/** Fewer samples than the search may take. */
const ENOUGH_CALLS = 390;

type Edge4 = [aLon: number, aLat: number, bLon: number, bLat: number];

/** By samples alone, which prove the sign of what they are near to; `null` where they do not suffice. */
function sampled(metersAt: (t: number) => number, step: Edge, limit: number): number[] | null {
  let calls = 0;
  const excessAt = (t: number): number => {
    calls++;
    return metersAt(t) - limit;
  };
  const found = sublevelFractions(excessAt, wayAlong(step), excessAt(0), excessAt(1));
  return calls < ENOUGH_CALLS ? found : null;
}

/** A step between two ends of bands that dips `depth` into the one, then into the other. */
function grazing(
  at: (x: number, y: number) => Pair,
  x: number,
  turn: number,
  limit: number,
  depth: number,
): [Pair, Pair] {
  const [east, north] = [(limit - depth) * Math.cos(0.03), (limit - depth) * Math.sin(0.03)];
  const [p, q] = [[x + east, -north] as const, [x + turn - east, north] as const];
  const beyond = (k: number): Pair => at(p[0] + k * (q[0] - p[0]), p[1] + k * (q[1] - p[1]));
  return [beyond(-4), beyond(5)];
}

describe('fractionsNear', () => {
  test('has the fractions whose exact distance is at most the limit', () => {
    const random = seeded(3801);
    const counts = { in: 0, out: 0, ends: 0, calls: 0, cases: 0, manyEnds: 0, compared: 0 };
    for (let n = 0; n < volume(12_000); n++) {
      const { line, from, to, limit } = caseOf(random);
      const coords = Float64Array.from(line.flat());
      const twins = firstTwins(coords);
      const skipped = twins === null ? [] : [...twins.keys()].filter((i) => twins[i] !== i);
      const tree = new LineTree(coords, random() < 0.5 ? skipped : []);
      const step = makeEdge(...from, ...to);
      const length = edgePieceBound(step, 0, 1);
      if (length === 0) continue;
      const metersAt = (t: number): number => tree.nearest(edgeLon(step, t), edgeLat(step, t), limit);
      const [start, end] = [metersAt(0), metersAt(1)];
      const ask = tree.nearest.bind(tree);
      let calls = 0;
      tree.nearest = (...args) => {
        calls++;
        return ask(...args);
      };
      const found = fractionsNear(tree, step, limit, start, end);
      tree.nearest = ask;
      const message = JSON.stringify([line, from, to, limit, found]);
      counts.calls += calls;
      counts.cases++;
      if (found.length > 4) counts.manyEnds++;
      expect(found[0] === 0, message).toBe(start <= limit);
      expect(found.at(-1) === 1, message).toBe(end <= limit);
      for (let i = 1; i < found.length; i++) expect(found[i]!, message).toBeGreaterThanOrEqual(found[i - 1]!);
      const isIn = (fractions: readonly number[], t: number): boolean =>
        fractions.some((from, i) => i % 2 === 0 && from <= t && t <= fractions[i + 1]!);
      const bySamples = sampled(metersAt, step, limit);
      if (bySamples !== null) {
        counts.compared++;
        const ends = [0, ...found, ...bySamples, 1].sort((one, other) => one - other);
        for (const [i, t] of ends.entries()) {
          // Shorter intervals and gaps may be missed.
          if (i === 0 || (t - ends[i - 1]!) * length < RESOLUTION) continue;
          const middle = (t + ends[i - 1]!) / 2;
          expect(isIn(found, middle), `${message} at ${middle}: ${metersAt(middle) - limit}`).toBe(isIn(bySamples, middle)); // biome-ignore format: one line
          counts[isIn(found, middle) ? 'in' : 'out']++;
        }
      }
      for (const t of found) {
        if (t === 0 || t === 1) continue;
        counts.ends++;
        expect(Math.abs(metersAt(t) - limit), `${message} end ${t}`).toBeLessThan(1e-6);
      }
    }
    // So few show nothing.
    if (counts.cases < 50) return;
    expect(Math.min(counts.in, counts.out, counts.ends)).toBeGreaterThan(counts.cases / 3);
    expect(counts.compared).toBeGreaterThan(counts.cases / 2);
    expect(counts.manyEnds).toBeGreaterThan(counts.cases / 100);
    // By samples alone it were some 130.
    expect(counts.calls / counts.cases).toBeLessThan(40);
  });

  test('of steps that cross a line at a small angle measures few distances', () => {
    const random = seeded(4011);
    for (const limit of [0.5, 5, 50]) {
      let [calls, crossings] = [0, 0];
      for (let n = 0; n < 100; n++) {
        const tree = new LineTree(Float64Array.from([20, 50, 20.1, 50.001]));
        const ends = [20.02, 50.0004, 20.08, 50.0006].map((value) => value + 5e-5 * random()) as Edge4;
        const ask = tree.nearest.bind(tree);
        tree.nearest = (...args) => {
          calls++;
          return ask(...args);
        };
        const [start, end] = [ask(ends[0], ends[1]), ask(ends[2], ends[3])];
        const found = fractionsNear(tree, makeEdge(...ends), limit, start, end);
        expect(found.length).toBe(2);
        crossings += found.filter((t) => t > 0 && t < 1).length;
      }
      expect(calls).toBeLessThanOrEqual(20 * crossings);
    }
  });

  test('finds gaps of millimetres between the bands of two edges', () => {
    const random = seeded(3806);
    let gaps = 0;
    for (let n = 0; n < volume(4000); n++) {
      const lat = pick(random, 0.5, 47, -70);
      const sin = Math.sin((lat * Math.PI) / 180);
      const perRadian = 180 / Math.PI;
      const at = (x: number, y: number): Pair => [
        20 + (perRadian * x) / (normalRadius(sin) * cosLat(lat)),
        lat + (perRadian * y) / meridianRadius(sin),
      ];
      const limit = pick(random, 0.5, 10);
      const [size, gap] = [pick(random, 60, 1000), 0.004 + 0.02 * random()];
      const turn = 2 * limit + gap;
      // Two edges beside each other, or end to end, joined by a way round.
      const [isBeside, isLong, isGrazed] = [random() < 0.5, random() < 0.3, random() < 0.5];
      const beside = [[0, 0], [5000, 0], [5000, turn], [0, turn]] as const; // biome-ignore format: one line
      const endToEnd = [[0, 0], [size, 0], [size, 500], [size + turn, 500], [size + turn, 0], [2 * size, 0]] as const; // biome-ignore format: one line
      const way = isBeside ? beside : endToEnd;
      const tree = new LineTree(Float64Array.from(way.flatMap(([x, y]) => at(x, y))));
      const [a, b] = isBeside
        ? [at(1000, -limit / 2), at(1000 + (isLong ? 1500 : limit) * random(), turn + limit / 2)]
        : isGrazed
          ? grazing(at, size, turn, limit, 0.001 + 0.003 * random())
          : [at(size - limit, limit * 0.1 * random()), at(size + turn + limit, 0)];
      const step = random() < 0.5 ? makeEdge(...a, ...b) : makeEdge(...b, ...a);
      const metersAt = (t: number): number => tree.nearest(edgeLon(step, t), edgeLat(step, t), limit);
      const found = fractionsNear(tree, step, limit, metersAt(0), metersAt(1));
      const wanted = sampled(metersAt, step, limit);
      const message = JSON.stringify([way, a, b]);
      if (isBeside || isGrazed) expect(found.length, message).toBe(4);
      if (wanted !== null) {
        expect(found.length, message).toBe(wanted.length);
        for (const [i, t] of found.entries()) expect(Math.abs(t - wanted[i]!)).toBeLessThan(1e-6);
      }
      if (found.length === 4) gaps++;
    }
    expect(gaps).toBeGreaterThanOrEqual(Math.floor(volume(4000) / 2));
  });

  test('of a step that turns about a pole has each pass of a line', () => {
    const random = seeded(90);
    let passes = 0;
    for (let n = 0; n < (LONG ? 2000 : 25); n++) {
      const side = pick(random, 1, -1);
      const reach = pick(random, 2e-4, 0.01, 0.1);
      const place = (): Pair => [360 * random() - 180, side * (90 - reach * random())];
      const [from, to] = [place(), place()];
      const turn = pick(random, 10, 50, 120);
      const line = Array.from(
        { length: 3 + Math.floor(15 * random()) },
        (_, i): Pair => [
          ((i * turn + 180) % 360) - 180,
          side * (i % 2 === 0 ? 90 - reach * random() : pick(random, 90, 90 - reach)),
        ],
      );
      const limit = pick(random, 0.25, 5, 40);
      const tree = new LineTree(Float64Array.from(line.flat()));
      const step = makeEdge(...from, ...to);
      const excessAt = (t: number): number => tree.nearest(edgeLon(step, t), edgeLat(step, t)) - limit;
      const found = fractionsNear(tree, step, limit, excessAt(0) + limit, excessAt(1) + limit);
      passes += found.length / 2;
      // By steps that are shorter than the distance to the border: no pass of more than 4 cm of way lies between two of them.
      const length = edgePieceBound(step, 0, 1);
      for (let t = 0; t < 1; ) {
        const excess = excessAt(t);
        const isIn = found.some((begin, i) => i % 2 === 0 && begin <= t && t <= found[i + 1]!);
        if (Math.abs(excess) > 0.01)
          expect(isIn, JSON.stringify({ line, from, to, limit, t, excess })).toBe(excess <= 0);
        t += Math.max(Math.abs(excess), 0.04) / length;
      }
    }
    expect(passes).toBeGreaterThan(10);
  });

  test('of a spiral about a pole has a short pass too', () => {
    const line = Array.from(
      { length: 26 },
      (_, i): Pair => [((-51.183364334093994 * (i + 1) - 180) % 360) + 180, i % 2 === 0 ? 89.99 : 90],
    );
    const tree = new LineTree(Float64Array.from(line.flat()));
    const step = makeEdge(178.3983280279117, 89.99548110211896, -109.1885272221032, 89.98136910128574);
    const metersAt = (t: number): number => tree.nearest(edgeLon(step, t), edgeLat(step, t));
    const found = fractionsNear(tree, step, 0.25, metersAt(0), metersAt(1));
    // 7 ms of 30 s.
    expect(found.map((t) => Math.round(30_000 * t))).toEqual([0, 3477, 11_633, 11_640]);
  });

  test('of a step of thousands of kilometres has what its samples show', () => {
    const tree = new LineTree(Float64Array.from([20, 40, 20, 60]));
    const step = makeEdge(0, 50, 40, 50);
    const found = fractionsNear(
      tree,
      step,
      1000,
      geodesicDistance(0, 50, 20, 50),
      geodesicDistance(40, 50, 20, 50),
    );
    expect(found).toHaveLength(2);
    const inner = makeEdge(0, 50, 20, 50.0001);
    const toLine = fractionsNear(tree, inner, 1000, geodesicDistance(0, 50, 20, 50), 0);
    expect(toLine).toHaveLength(2);
    expect(toLine[1]).toBe(1);
    expect(toLine[0]).toBeCloseTo(2 * found[0]!, 6);
    const outer = makeEdge(20, 50.0001, 0, 50);
    const fromLine = fractionsNear(tree, outer, 1000, 0, geodesicDistance(0, 50, 20, 50));
    expect(fromLine).toHaveLength(2);
    expect(fromLine[0]).toBe(0);
    expect(fromLine[1]).toBeCloseTo(1 - toLine[0]!, 6);
    for (const t of found) expect(tree.nearest(edgeLon(step, t), edgeLat(step, t))).toBeCloseTo(1000, 5);
  });
});

test('the fractions of a step in a capsule are those within its radius', () => {
  const random = seeded(3802);
  let [inside, outside] = [0, 0];
  for (let n = 0; n < volume(20_000); n++) {
    const size = pick(random, 1, 100, 1000);
    const point = (): number[] => [0, 1, 2].map(() => 6e6 + size * random());
    const [a, b, p, q] = [point(), point(), point(), point()];
    const isParallel = random() < 0.2;
    const to = isParallel ? a.map((value, i) => value + (q[i]! - p[i]!) * (random() < 0.5 ? 1 : -1)) : b;
    const step = Float64Array.from([...a, ...(random() < 0.05 ? a : to)]);
    const space = Float64Array.from([7, 7, 7, ...p, ...(random() < 0.1 ? p : q)]);
    const radius = size * random();
    const span = new Float64Array(2);
    const isAny = capsuleSpan(step, space, 3, radius, span);
    for (let k = 0; k <= 20; k++) {
      const t = k / 20;
      const at = [0, 1, 2].map((i) => step[i]! + (step[i + 3]! - step[i]!) * t);
      const axis = [0, 1, 2].map((i) => space[i + 6]! - space[i + 3]!);
      const square = axis.reduce((sum, value) => sum + value * value, 0);
      const along =
        square === 0
          ? 0
          : [0, 1, 2].reduce((sum, i) => sum + (at[i]! - space[i + 3]!) * axis[i]!, 0) / square;
      const u = Math.min(1, Math.max(0, along));
      const meters = Math.hypot(...[0, 1, 2].map((i) => at[i]! - space[i + 3]! - u * axis[i]!));
      if (Math.abs(meters - radius) < 1e-6) continue;
      const isIn = isAny && span[0]! <= t && t <= span[1]!;
      if (isIn !== meters < radius) expect.unreachable(JSON.stringify([[...step], [...space], radius, t]));
      if (isIn) inside++;
      else outside++;
    }
    if (isAny) {
      expect(span[0]).toBeGreaterThanOrEqual(0);
      expect(span[1]).toBeLessThanOrEqual(1);
    }
  }
  expect(Math.min(inside, outside)).toBeGreaterThan(volume(20_000));
});

test('a step at a right angle to a capsule is in it only between its ends', () => {
  const span = new Float64Array(2);
  const of = (y: number): number[] => {
    const step = Float64Array.of(-10, y, 0, 10, y, 0);
    return capsuleSpan(step, Float64Array.of(0, 0, 0, 0, 5, 0), 0, 2, span) ? [...span] : [];
  };
  expect(of(2)).toEqual([0.4, 0.6]);
  expect(of(0)).toEqual([0.4, 0.6]);
  expect(of(5)).toEqual([0.4, 0.6]);
  for (const y of [-3, 8]) expect(of(y)).toEqual([]);
  for (const y of [-1, 6]) expect(of(y)[0]).toBeCloseTo(0.5 - Math.sqrt(3) / 20, 12);
});

test('each place of an edge is within its bulge of the same fraction of its segment in space', () => {
  const random = seeded(3803);
  const [ends, place] = [new Float64Array(6), new Float64Array(3)];
  let most = 0;
  for (let n = 0; n < volume(20_000); n++) {
    const size = pick(random, 1e-3, 0.1, 3, 20);
    const [lon, lat] = [360 * random() - 180, pick(random, 0, 50, 84, -88) * random()];
    const [toLon, toLat] = [wrapped(lon + size * (random() - 0.5)), Math.min(90, Math.max(-90, lat + size * (random() - 0.5)))]; // biome-ignore format: one line
    const edge = makeEdge(lon, lat, toLon, toLat);
    putInSpace(ends, 0, lon, lat);
    putInSpace(ends, 3, toLon, toLat);
    const bulge = edgeBulge(lon, lat, toLon, toLat);
    for (const t of [0.25, 0.5, random()]) {
      putInSpace(place, 0, edgeLon(edge, t), edgeLat(edge, t));
      const off = Math.hypot(...[0, 1, 2].map((i) => place[i]! - ends[i]! - (ends[i + 3]! - ends[i]!) * t));
      expect(off, JSON.stringify([lon, lat, toLon, toLat, t])).toBeLessThanOrEqual(bulge);
      most = Math.max(most, off / bulge);
    }
  }
  expect(most).toBeGreaterThan(0.9);
});

test('the edges near a segment are among those found, ascending', () => {
  const random = seeded(3804);
  let [left, kept] = [0, 0];
  for (let n = 0; n < volume(4000); n++) {
    const { line, from, to, limit } = caseOf(random);
    const coords = Float64Array.from(line.flat());
    const skipped = random() < 0.5 ? [0, 3].filter((i) => i < line.length - 1) : [];
    const tree = new LineTree(coords, skipped);
    const step = makeEdge(...from, ...to);
    const [a, b] = [0.3 * random(), 1 - 0.3 * random()];
    const ends = new Float64Array(6);
    putInSpace(ends, 0, edgeLon(step, a), edgeLat(step, a));
    putInSpace(ends, 3, edgeLon(step, b), edgeLat(step, b));
    const found: number[] = [];
    const count = edgesNearSegment(tree, ends, limit, found);
    const edges = found.slice(0, count);
    expect(edges).toEqual([...new Set(edges)].sort((one, other) => one - other));
    for (const edge of skipped) expect(edges).not.toContain(edge);
    for (let edge = 0; edge < line.length - 1; edge++) {
      if (skipped.includes(edge)) continue;
      const at = 3 * edge;
      const span = new Float64Array(2);
      const isNear = capsuleSpan(ends, tree.space, at, limit, span);
      if (isNear) expect(edges, JSON.stringify([line, from, to, limit])).toContain(edge);
      if (isNear) kept++;
      if (!edges.includes(edge)) left++;
    }
  }
  expect(Math.min(left, kept)).toBeGreaterThanOrEqual(Math.floor(volume(4000) / 2));
});

describe('firstTwins', () => {
  const slow = (coords: Float64Array): number[] => {
    const ends = (i: number): string =>
      [[coords[2 * i], coords[2 * i + 1]], [coords[2 * i + 2], coords[2 * i + 3]]].map(String).sort().join(); // biome-ignore format: one line
    const all = Array.from({ length: coords.length / 2 - 1 }, (_, i) => ends(i));
    return all.map((one) => all.indexOf(one));
  };

  test('are told apart where all have one key', () => {
    const [p, q, other] = [[0, 0], [1, 0], [0, 1e-20]] as const; // biome-ignore format: one line
    expect([...firstTwins(Float64Array.from([p, q, other, q, p].flat()))!]).toEqual([0, 1, 1, 0]);
  });

  test('are the first edges between the same positions', () => {
    const random = seeded(3805);
    let [none, some] = [0, 0];
    for (let n = 0; n < volume(20_000); n++) {
      // Sums of these lose the least of them: different edges have one key.
      const values = pick(random, [1, 2, 3], [0, 1e-20, 2e-20, 1], [37.6, 37.600001]);
      const coords = Float64Array.from({ length: 4 + 2 * Math.floor(8 * random()) }, () =>
        pick(random, ...values),
      );
      const wanted = slow(coords);
      const found = firstTwins(coords);
      if (found === null) none++;
      else some++;
      expect(found === null ? wanted.map((_, i) => i) : [...found], String(coords)).toEqual(wanted);
    }
    expect(Math.min(none, some)).toBeGreaterThan(volume(20_000) / 20);
  });
});
