import { describe, expect, test } from 'vitest';
import { edgeLat, edgeLon, makeEdge } from '../../../src/geodesy/edge.js';
import { LineTree } from '../../../src/geodesy/lineTree.js';
import { prepareRoute } from '../../../src/tracks/index.js';
import { LineRuler } from '../../../src/tracks/route/deviationWalk.js';
import { seeded, volume } from '../../volume.js';

const SAMPLES = 60;

describe('LineRuler', () => {
  test('no place of a step is farther from the line than `farthest`, also of steps of hundreds of kilometres', () => {
    const random = seeded(384);
    let inside = 0;
    for (let i = 0; i < volume(6000); i++) {
      const size = [0.01, 0.3, 3, 10][i % 4]!;
      const lat = [0, 45, -60, 78][Math.floor(random() * 4)]!;
      const near = (): [number, number] => [20 + size * (random() - 0.5), lat + size * (random() - 0.5)];
      const line = Array.from({ length: 2 + Math.floor(random() * 4) }, near);
      const tree = new LineTree(Float64Array.from(line.flat()));
      const ruler = new LineRuler(tree);
      // Many steps lead from end to end of the line, or beside an edge of it.
      const [a, b] = [
        [near(), near()],
        [line[0]!, line.at(-1)!],
        [line[0]!, line[1]!],
      ][Math.floor(3 * random())] as [[number, number], [number, number]];
      const step = makeEdge(a[0], a[1] + 1e-3 * size, b[0], b[1] + 1e-3 * size * random());
      const most = ruler.farthest(step, 0, 1);
      let [seen, at] = [0, 0];
      for (let k = 0; k <= SAMPLES; k++) {
        const meters = tree.nearest(edgeLon(step, k / SAMPLES), edgeLat(step, k / SAMPLES));
        if (meters > seen) [seen, at] = [meters, k];
      }
      expect(seen - most, JSON.stringify([line, step])).toBeLessThan(0.01 + 1e-5 * seen + 1e-6);
      // It is the distance of a place of the step.
      const places = (to: number): number => tree.nearest(edgeLon(step, to), edgeLat(step, to));
      if (at === 0 || at === SAMPLES)
        expect(most).toBeGreaterThanOrEqual(Math.max(places(0), places(1)) - 1e-6);
      expect(ruler.farthest(step, 0, 1, 2 * most)).toBe(2 * most);
      expect(ruler.farthest(step, 0, 1, most + 0.02)).toBe(most + 0.02);
      expect(ruler.farthest(step, 0.25, 0.5)).toBeLessThanOrEqual(most + 0.01 + 1e-5 * most);
      // A step that is judged to be within lies within.
      const probe = (t: number): { t: number; meters: number; edge: number } => ({ t, meters: places(t), edge: tree.edge }); // biome-ignore format: one line
      const [start, end] = [probe(0), probe(1)];
      const highest = Math.max(start.meters, end.meters);
      for (const share of [1.0001, 1 + random(), 0.999]) {
        if (ruler.isWithin(step, start, end, highest * share)) {
          expect(seen, JSON.stringify([line, step, share])).toBeLessThan(highest * share);
          expect(share).toBeGreaterThan(1);
        }
      }
      if (at > 0 && at < SAMPLES) inside++;
    }
    expect(inside).toBeGreaterThan(volume(6000) / 20);
  });

  test('a step between two places of the line is as far from it as between them', () => {
    const tree = new LineTree(Float64Array.from([20, 50, 20.02, 50, 20.02, 50.02]));
    const ruler = new LineRuler(tree);
    const most = ruler.farthest(makeEdge(20, 50, 20.02, 50.02), 0, 1);
    const step = makeEdge(20, 50, 20.02, 50.02);
    const samples = Array.from({ length: 1001 }, (_, k) =>
      tree.nearest(edgeLon(step, k / 1000), edgeLat(step, k / 1000)),
    );
    expect(Math.abs(most - Math.max(...samples))).toBeLessThan(1);
    expect(most).toBeGreaterThan(500);
  });

  test('few distances to the line are measured, and none beside one edge of it', () => {
    const random = seeded(386);
    const calls: number[] = [];
    let beside = 0;
    for (let i = 0; i < volume(6000); i++) {
      const size = [0.002, 0.01, 0.05][i % 3]!;
      const lat = [0, 45, -60, 78][Math.floor(random() * 4)]!;
      const around = (by: number): number => by * (2 * random() - 1);
      const line: [number, number][] = [[20, lat]];
      for (let k = 0; k < 6; k++) line.push([line[k]![0] + size * (1 + random()), lat + around(size / 4)]);
      const tree = new LineTree(Float64Array.from(line.flat()));
      const ruler = new LineRuler(tree);
      const ask = tree.nearest.bind(tree);
      let count = 0;
      tree.nearest = (...args) => {
        count++;
        return ask(...args);
      };
      const from = Math.floor(6 * random());
      const [a, b] = [line[from]!, line[from + 1]!];
      const off = around(size / 10);
      const on = (t: number): [number, number] => [
        a[0] + (b[0] - a[0]) * t + around(size / 100),
        a[1] + (b[1] - a[1]) * t + off,
      ];
      // Beside one edge: the distance to it is convex but for its bend.
      const [p, q] = [on(0.2 + 0.3 * random()), on(0.5 + 0.3 * random())];
      const step = makeEdge(p[0], p[1], q[0], q[1]);
      const probe = (t: number): { t: number; meters: number; edge: number } => {
        const meters = tree.nearest(edgeLon(step, t), edgeLat(step, t));
        return { t, meters, edge: tree.edge };
      };
      const [start, end] = [probe(0), probe(1)];
      const highest = Math.max(start.meters, end.meters);
      if (start.edge === end.edge) {
        count = 0;
        const isSmall = size < 0.05 && Math.abs(lat) < 70;
        if (isSmall)
          expect(ruler.isWithin(step, start, end, highest + 0.2), JSON.stringify([line, step])).toBe(true);
        ruler.farthest(step, start, end, highest + 0.2);
        if (isSmall) expect(count).toBe(0);
        beside++;
      }
      // From one edge to another.
      const far = line[Math.floor(7 * random())]!;
      const long = makeEdge(p[0], p[1], far[0], far[1] + off);
      count = 0;
      ruler.farthest(long, 0, 1);
      calls.push(count);
    }
    expect(beside).toBeGreaterThan(volume(6000) / 4);
    expect(calls.reduce((sum, count) => sum + count, 0) / calls.length).toBeLessThan(18);
  });
});

test('metres along an edge of hundreds and thousands of kilometres are those of the line up to there', () => {
  const random = seeded(385);
  for (let i = 0; i < volume(1200); i++) {
    const from: [number, number] = [170 + 5 * random(), -70 + 140 * random()];
    const size = [1, 12][i % 2]!;
    const lat = Math.max(-85, Math.min(85, from[1] + 6 * size * (random() - 0.5)));
    const to: [number, number] = [((from[0] + 4 * size * random() + 180) % 360) - 180, lat];
    const route = prepareRoute([from, to]);
    const meters = route.lengthMeters * random();
    const { position } = route.positionAt(meters);
    expect(prepareRoute([from, position]).lengthMeters).toBeCloseTo(meters, 3);
    expect(route.nearest(position)!.alongMeters).toBeCloseTo(meters, 3);
    // Beside it, the nearest place is the foot that the same edge has in parts.
    const beside: [number, number] = [position[0], Math.max(-90, Math.min(90, position[1] + 0.3 * random()))];
    const parts = Array.from(
      { length: 201 },
      (_, k) => route.positionAt((route.lengthMeters * k) / 200).position,
    );
    const wanted = prepareRoute(parts).nearest(beside)!;
    const found = route.nearest(beside)!;
    expect(Math.abs(found.offsetMeters - wanted.offsetMeters)).toBeLessThan(0.01);
    expect(Math.abs(found.alongMeters - wanted.alongMeters)).toBeLessThan(1);
  }
});
