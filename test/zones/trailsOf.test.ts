import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/index.js';
import { corridorRings } from '../../src/zones/corridor/corridor.js';
import { readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { type Trail, trailsOf } from '../../src/zones/corridor/trailsOf.js';
import { LONG, seeded } from '../volume.js';
import { gridWalk, networkWalk, walk } from './lines.js';

/** The edges of a line, each by its two ends in one order, from the definition. */
function edgesOf(coords: Float64Array): string[] {
  const vertices = Array.from(
    { length: coords.length / 2 },
    (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`,
  );
  return vertices.slice(1).map((vertex, i) => [vertices[i]!, vertex].sort().join(' to '));
}

const planned = (line: readonly Position[]): Float64Array => readCorridor(line, 1, {}).coords;

/** What a trail's vertices are: where it ends, where it goes on, and how many edges meet. */
function expectTrails(coords: Float64Array, trails: readonly Trail[]): void {
  const edges = trails.flatMap((trail) => edgesOf(trail.coords));
  expect(edges.toSorted()).toEqual([...new Set(edgesOf(coords))].toSorted());
  const degree = new Map<string, number>();
  for (const edge of edges) for (const end of edge.split(' to ')) degree.set(end, (degree.get(end) ?? 0) + 1);
  const passed = new Set<string>();
  const ends: string[] = [];
  for (const { coords: trail, isJunction } of trails) {
    isJunction.forEach((flag, i) => {
      const vertex = `${trail[2 * i]} ${trail[2 * i + 1]}`;
      expect(flag).toBe(degree.get(vertex)! > 2 ? 1 : 0);
      if (i > 0 && i + 1 < isJunction.length) passed.add(vertex);
      else ends.push(vertex);
    });
  }
  // Without a cap at a junction another trail must go on there.
  for (const end of ends) if (degree.get(end)! > 2) expect(passed).toContain(end);
}

describe('trails of a line that goes along its edges again', () => {
  test('have every edge once, and end at a junction only where another goes on', () => {
    let found = 0;
    for (let seed = 0; seed < (LONG ? 5000 : 300); seed++) {
      const random = seeded(seed);
      const line =
        seed % 2 === 0
          ? gridWalk(random, 2 + Math.floor(random() * 200), [37, 55], 0.001)
          : networkWalk(random, 2 + Math.floor(random() * 20), 3 + Math.floor(random() * 60), [5, 50], 500);
      const coords = planned(line);
      const trails = trailsOf(coords);
      if (trails === null) {
        const edges = edgesOf(coords);
        expect(new Set(edges).size).toBe(edges.length);
        continue;
      }
      found++;
      expectTrails(coords, trails);
    }
    expect(found).toBeGreaterThan(100);
  });

  test('are none where no edge comes twice, also when vertices do', () => {
    expect(trailsOf(planned(walk(seeded(1), 500, [5, 50], 50, 1)))).toBeNull();
    const eight: Position[] = [
      [0, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [1, 1],
      [0, 2],
    ];
    expect(trailsOf(planned(eight))).toBeNull();
  });

  test('of a way there and back are the way, of a thousand spokes and back through the hub are few', () => {
    const there = walk(seeded(2), 300, [5, 50], 50, 0.4);
    expect(trailsOf(planned([...there, ...there.toReversed()]))!.map(({ coords }) => coords)).toEqual([
      planned(there),
    ]);
    const spokes = Array.from({ length: 4000 }, (_, i): Position => {
      return i % 2 === 0 ? [5, 50] : [5 + 0.01 * Math.cos(i), 50 + 0.005 * Math.sin(i)];
    });
    const trails = trailsOf(planned(spokes))!;
    expectTrails(planned(spokes), trails);
    expect(trails.length).toBeLessThan(1010);
  });

  // A walk of k passes through every street needs no more than one of one pass: no split, nothing snapped.
  test('keep a walk of 20,000 vertices along streets one union', () => {
    const line = gridWalk(seeded(5), 20_000, [37.6, 55.7], 0.001);
    expect(corridorRings(readCorridor(line, 30, {})).counts).toMatchObject({
      unions: 1,
      splits: 0,
      snapped: 0,
    });
  });
});
