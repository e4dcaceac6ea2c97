import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/index.js';
import { corridorRings } from '../../src/zones/corridor/corridor.js';
import { readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { type Trail, trailsOf } from '../../src/zones/corridor/trailsOf.js';
import { LONG, seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { gridWalk, networkWalk, walk } from './lines.js';

/** The edges of a line; each is its two ends in sorted order. */
function edgesOf(coords: Float64Array): string[] {
  const vertices = Array.from(
    { length: coords.length / 2 },
    (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`,
  );
  return vertices.slice(1).map((vertex, i) => [vertices[i]!, vertex].sort().join(' to '));
}

const planned = (line: readonly Position[]): Float64Array => readCorridor(line, 1, {}).coords;

/** Checks the edges of the trails, the flags of junctions, and that another trail passes each junction at which a trail ends. */
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
  // There is no cap at a junction, so another trail must pass it.
  for (const end of ends) if (degree.get(end)! > 2) expect(passed).toContain(end);
}

describe('trails of a line that repeats edges', () => {
  test('contain each edge once, and end at a junction only if another one passes it', () => {
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

  test('are null if no edge repeats, even if vertices do', () => {
    expect(trailsOf(planned(walk(seeded(1), 500, [5, 50], 50, 1)))).toBeNull();
    const eight: Position[] = wkt('0 0, 1 1, 2 0, 2 1, 1 1, 0 2');
    expect(trailsOf(planned(eight))).toBeNull();
  });

  test('of a way forth and back are the way once; a thousand spokes through the hub give few', () => {
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

  // A walk that repeats each street many times needs no more than one that does so once: no split, nothing snapped.
  test('make one union of a walk of 20,000 vertices along streets', () => {
    const line = gridWalk(seeded(5), 20_000, [37.6, 55.7], 0.001);
    expect(corridorRings(readCorridor(line, 30, {})).counts).toMatchObject({
      unions: 1,
      splits: 0,
      snapped: 0,
    });
  });
});
