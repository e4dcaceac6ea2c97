import { describe, expect, test } from 'vitest';
import { edgeDistance } from '../../src/geodesy/edgeDistance.js';
import { LineTree } from '../../src/geodesy/lineTree.js';
import { edgeAtMost, NearEdges, nearestFrom } from '../../src/geodesy/nearEdges.js';
import { seeded, volume } from '../volume.js';

const COUNT = volume(400);

/** A line that turns, goes back over itself, repeats corners, crosses the antimeridian and nears a pole. */
function lineOf(random: () => number): Float64Array {
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const size = pick(1e-6, 1e-4, 1e-3, 1e-3, 0.1, 2);
  const isGrid = random() < 0.3;
  let [lon, lat, heading] = [pick(37.6, 179.999, -179.999), pick(0, 30, 55.7, -70, 89.9), 6 * random()];
  const coords: number[] = [];
  for (let i = 0; i < 2 + 60 * random(); i++) {
    coords.push(lon, lat);
    heading = isGrid ? (Math.PI / 2) * Math.floor(4 * random()) : heading + random() - 0.5;
    lon += size * Math.sin(heading);
    lat = Math.max(-90, Math.min(90, lat + size * Math.cos(heading)));
    lon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
  }
  return Float64Array.from(random() < 0.3 ? [...coords, coords[0]!, coords[1]!] : coords);
}

/** Positions in turn: near the line and far from it, several of them the same. */
function positionsOf(random: () => number, coords: Float64Array): [number, number][] {
  return Array.from({ length: 12 }, () => {
    const at = 2 * Math.floor((random() * coords.length) / 2);
    const off = 10 ** (-7 + 8 * random());
    const isVertex = random() < 0.2;
    const around = (value: number): number => (isVertex ? value : value + off * (random() - 0.5));
    const lon = around(coords[at]!);
    return [
      lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon,
      Math.max(-90, Math.min(90, around(coords[at + 1]!))),
    ];
  });
}

function toEdge({ coords }: LineTree, i: number, lon: number, lat: number): number {
  const [aLon, aLat, bLon, bLat] = [...coords.subarray(2 * i, 2 * i + 4)] as [number, number, number, number];
  return edgeDistance(lon, lat, aLon, aLat, bLon, bLat);
}

describe('LineTree', () => {
  test('nearest is the least distance of all edges, from wherever the search begins', () => {
    const random = seeded(391);
    let far = 0;
    for (let n = 0; n < COUNT; n++) {
      const coords = lineOf(random);
      const tree = new LineTree(coords);
      for (const [lon, lat] of positionsOf(random, coords)) {
        const all = Array.from({ length: tree.edgeCount }, (_, i) => toEdge(tree, i, lon, lat));
        const least = Math.min(...all);
        const message = JSON.stringify([[...coords], lon, lat]);
        expect(tree.nearest(lon, lat), message).toBe(least);
        const { edge } = tree;
        expect(all[edge], message).toBe(least);
        for (const start of [0, tree.edgeCount - 1, Math.floor(random() * tree.edgeCount), edge]) {
          expect([nearestFrom(tree, start, lon, lat, Number.NEGATIVE_INFINITY), tree.edge], message).toEqual([
            least,
            edge,
          ]);
        }
        if (least > 1000) far++;
      }
    }
    expect(far).toBeGreaterThan(COUNT / 4);
  });

  test('within finds all edges within reach, ascending, and few others, wherever the last search was', () => {
    const random = seeded(393);
    let [inside, beside, ends] = [0, 0, 0];
    const [found, sides]: [number[], number[]] = [[], []];
    for (let n = 0; n < COUNT; n++) {
      const coords = lineOf(random);
      const tree = new LineTree(coords);
      const near = new NearEdges(tree);
      const reaches = [1, 30, 30, 5000].map((most) => most * random());
      let [lon, lat] = positionsOf(random, coords)[0]!;
      for (let step = 0; step < 30; step++) {
        // Steps of millimetres to kilometres, and jumps.
        const size = 10 ** (-8 + 7 * random());
        if (random() < 0.1) [lon, lat] = positionsOf(random, coords)[0]!;
        lon += size * (random() - 0.5);
        lon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        lat = Math.max(-90, Math.min(90, lat + size * (random() - 0.5)));
        const reach = reaches[Math.floor(random() * reaches.length)]!;
        const count = near.within(lon, lat, reach, found, sides);
        const message = JSON.stringify([[...coords], lon, lat, reach]);
        const edges = found.slice(0, count);
        expect(edges, message).toEqual([...new Set(edges)].sort((a, b) => a - b));
        for (let i = 0; i < tree.edgeCount; i++) {
          const meters = toEdge(tree, i, lon, lat);
          const at = edges.indexOf(i);
          if (meters <= reach) expect(at, message).toBeGreaterThanOrEqual(0);
          if (at < 0) continue;
          if (meters <= reach) inside++;
          else beside++;
          const end = sides[at]!;
          if (end < 0) continue;
          ends++;
          const toEnd = toEdge(
            new LineTree(tree.coords.slice(2 * (i + end), 2 * (i + end) + 2)),
            0,
            lon,
            lat,
          );
          expect(Math.abs(toEnd - meters), message).toBeLessThan(1e-6);
        }
      }
    }
    expect(inside).toBeGreaterThan(10 * COUNT);
    expect(ends).toBeGreaterThan(COUNT);
    expect(beside).toBeLessThan(inside / 2);
  });

  test('edgeAtMost is above the distance to the edge, and near it', () => {
    const random = seeded(392);
    let [near, unknown] = [0, 0];
    for (let n = 0; n < COUNT; n++) {
      const coords = lineOf(random);
      const tree = new LineTree(coords);
      for (const [lon, lat] of positionsOf(random, coords)) {
        const i = Math.floor(random() * tree.edgeCount);
        const meters = toEdge(tree, i, lon, lat);
        const atMost = edgeAtMost(tree, i, lon, lat);
        const message = JSON.stringify([[...coords], i, lon, lat]);
        expect(atMost, message).toBeGreaterThan(meters);
        if (atMost === Number.POSITIVE_INFINITY) {
          unknown++;
          expect(meters + 2 * tree.bulges[i]!, message).toBeGreaterThan(90_000);
        } else if (Math.max(...tree.coords) < 40 && tree.coords.every((x, k) => k % 2 === 0 || x < 60)) {
          // The bulge of an edge is a share of the square of its length.
          const length = toEdge(new LineTree(tree.coords.slice(2 * i, 2 * i + 2)), 0, tree.coords[2 * i + 2]!, tree.coords[2 * i + 3]!); // biome-ignore format: one line
          expect(atMost - meters, message).toBeLessThan(2e-6 + 1e-4 * meters + (2 * length * length) / 6.3e6);
          near++;
        }
      }
    }
    expect(near).toBeGreaterThan(COUNT / 4);
    expect(unknown).toBeGreaterThan(COUNT / 20);
  });
});
