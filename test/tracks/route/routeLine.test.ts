/** Local minima and places of a line, beside dense samples of each edge. */

import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import type { Position } from '../../../src/index.js';
import { RouteLine } from '../../../src/tracks/route/routeLine.js';
import { seeded, volume } from '../../volume.js';
import { wkt } from '../../wkt.js';

const SAMPLES = 24;

const distanceMeters = (a: Position, b: Position): number => geodesicDistance(a[0], a[1], b[0], b[1]);

interface Place {
  readonly along: number;
  readonly offset: number;
}

interface Grid {
  readonly line: readonly Position[];
  readonly at: (x: number, y: number) => Position;
}

/** A line over grid positions about 100 m apart, that may cross and repeat itself. */
function gridOf(random: () => number, latitudes: readonly number[]): Grid {
  const lat = latitudes[Math.floor(random() * latitudes.length)]!;
  const origin = random() < 0.3 ? 179.999 : 37.6;
  const at = (x: number, y: number): Position => {
    const lon = origin + (0.0009 * x) / Math.cos((lat * Math.PI) / 180);
    return [lon > 180 ? lon - 360 : lon, lat + 0.0009 * y];
  };
  const cells = Array.from({ length: 2 + Math.floor(random() * 6) }, () => [Math.floor(4 * random()), Math.floor(4 * random())] as const); // biome-ignore format: one line
  const line = cells
    .filter(([x, y], i) => i === 0 || x !== cells[i - 1]![0] || y !== cells[i - 1]![1])
    .map(([x, y]) => at(x, y));
  return line.length > 1 ? { line, at } : gridOf(random, latitudes);
}

function along(from: Position, to: Position, t: number): Position {
  const span = ((to[0] - from[0] + 540) % 360) - 180;
  const lon = from[0] + span * t;
  return [lon > 180 ? lon - 360 : lon, from[1] + (to[1] - from[1]) * t];
}

/** Local minima of the distance over the whole line, by samples of each edge that are refined by thirds. */
function minimaOf(line: readonly Position[], position: Position): Place[] {
  const samples: Place[] = [];
  let start = 0;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!];
    const length = distanceMeters(a, b);
    const offset = (t: number): number => distanceMeters(position, along(a, b, t));
    let nearest = { t: 0, meters: Number.POSITIVE_INFINITY };
    const ends = [0, 1].map((t) => ({ t, meters: offset(t) }));
    for (let k = 1; k < SAMPLES; k++) {
      const meters = offset(k / SAMPLES);
      if (meters < nearest.meters) nearest = { t: k / SAMPLES, meters };
    }
    let [low, high] = [nearest.t - 1 / SAMPLES, nearest.t + 1 / SAMPLES];
    while (high - low > 1e-6) {
      const third = (high - low) / 3;
      if (offset(low + third) < offset(high - third)) high -= third;
      else low += third;
    }
    const t = (low + high) / 2;
    if (i === 1) samples.push({ along: 0, offset: ends[0]!.meters });
    if (t > 1e-4 && t < 1 - 1e-4) samples.push({ along: start + t * length, offset: offset(t) });
    samples.push({ along: start + length, offset: ends[1]!.meters });
    start += length;
  }
  return samples.filter(({ offset }, i) => {
    const [before, after] = [samples[i - 1]?.offset ?? Number.POSITIVE_INFINITY, samples[i + 1]?.offset ?? Number.POSITIVE_INFINITY]; // biome-ignore format: one line
    return offset < before && offset < after;
  });
}

function placesOf(line: RouteLine, [lon, lat]: Position, reach: number): Place[] {
  const count = line.placesWithin(lon, lat, reach);
  return line.along.slice(0, count).map((meters, i) => ({ along: meters, offset: line.offsets[i]! }));
}

/** The distance of the nearest place, as exact as the comparison with a reach. */
function limitOf({ tree }: RouteLine, [lon, lat]: Position): number {
  return tree.nearest(lon, lat, tree.nearest(lon, lat));
}

const lineOf = (positions: readonly Position[]): RouteLine =>
  new RouteLine(Float64Array.from(positions.flat()));

describe('the places of a line', () => {
  test('are the local minima of the distance within reach, and exactly those', () => {
    const random = seeded(401);
    let [several, none] = [0, 0];
    for (let n = 0; n < volume(3000); n++) {
      const { line, at } = gridOf(random, [0, 55.7, -70]);
      const route = lineOf(line);
      const position = at(5 * random() - 1, 5 * random() - 1);
      const reach = 400 * random();
      const minima = minimaOf(line, position);
      const wanted = minima.filter(({ offset }) => offset <= reach);
      const found = placesOf(route, position, reach);
      const message = JSON.stringify([line, position, reach, found, wanted]);
      expect(found.length, message).toBe(wanted.length);
      for (const [i, one] of found.entries()) {
        if (Math.abs(one.offset - wanted[i]!.offset) > 1e-3) expect.unreachable(message);
        // Where the line bends round the position, the distance hardly changes along it.
        if (one.offset > 1 && Math.abs(one.along - wanted[i]!.along) > 0.05) expect.unreachable(message);
      }
      if (found.length > 1) several++;
      if (found.length === 0) {
        none++;
        continue;
      }
      const nearest = Math.min(...found.map(({ offset }) => offset));
      expect(route.nearestMeters).toBe(nearest);
      const edge = route.nearestEdge;
      const [lon, lat] = position;
      expect(route.tree.nearest(lon, lat)).toBeCloseTo(nearest, 8);
      expect(edgeMeters(line, edge, position)).toBeCloseTo(nearest, 2);
      const limit = limitOf(route, position);
      expect(placesOf(route, position, limit)[0]?.offset, message).toBe(limit);
      expect(placesOf(route, position, limit - 1e-8), message).toEqual([]);
    }
    expect(several).toBeGreaterThan(volume(3000) / 10);
    expect(none).toBeGreaterThan(volume(3000) / 20);
  });

  test('of a line that is reached at a vertex only are that vertex, whatever rounding says of its two edges', () => {
    const random = seeded(402);
    for (let n = 0; n < volume(2000); n++) {
      const lat = n % 2 === 0 ? 0 : 55 + random();
      const middle: Position = [37.6 + random(), lat];
      const angle = n % 2 === 0 ? 0 : 2 * Math.PI * random();
      const turned = (turn: number, size: number): Position => [
        middle[0] + (size * Math.sin(angle + turn)) / Math.cos((lat * Math.PI) / 180),
        lat + size * Math.cos(angle + turn),
      ];
      // The position is square to one edge at the vertex, and the other leads away from it.
      const position = turned(Math.PI / 2, 10 ** (-2 - 3 * random()));
      const line = [turned(Math.PI, 0.01), middle, turned(-1.2, 0.01)];
      if (random() < 0.5) line.reverse();
      const route = lineOf(line);
      const nearest = limitOf(route, position);
      const found = placesOf(route, position, nearest);
      const message = JSON.stringify([line, position, found]);
      if (found.length !== 1 || found[0]!.offset !== nearest) expect.unreachable(message);
      expect(Math.abs(found[0]!.along - distanceMeters(line[0]!, middle))).toBeLessThan(2);
      expect(route.nearestMeters).toBe(nearest);
      expect([0, 1]).toContain(route.nearestEdge);
      expect(edgeMeters(line, route.nearestEdge, position)).toBeCloseTo(nearest, 2);
      expect(placesOf(route, position, nearest - 1e-9 * nearest), message).toEqual([]);
    }
    // Of 400,000 such lines, one in which the feet on both edges are beside the vertex, and neither is a minimum.
    const line: Position[] = wkt(`
      -119.29510564415742 0.03225770068314941, -119.2331881436985 0,
      -119.24081729512952 -0.06939835851723472
    `);
    const hidden = lineOf(line);
    const ask = hidden.tree.nearest.bind(hidden.tree);
    let calls = 0;
    hidden.tree.nearest = (...args) => {
      calls++;
      return ask(...args);
    };
    const reach = 6.00612627044796;
    const position: Position = [-119.23316308318348, 0.00004810276048201446];
    const [place, ...others] = placesOf(hidden, position, reach);
    expect(calls).toBe(1);
    expect(others).toEqual([]);
    expect(place!.offset).toBe(reach);
    expect(hidden.nearestMeters).toBe(reach);
    expect(edgeMeters(line, hidden.nearestEdge, position)).toBeCloseTo(reach, 6);
    expect(place!.along).toBeCloseTo(distanceMeters(line[0]!, line[1]!), 3);
    // The tree knows that it is farther than a little less, although it proposes edges for it.
    expect(placesOf(hidden, position, reach - 1e-12)).toEqual([]);
    expect(hidden.nearestMeters).toBe(Number.POSITIVE_INFINITY);
  });

  test('are found again by their metres along, on long edges too', () => {
    const random = seeded(403);
    for (let n = 0; n < volume(2000); n++) {
      const { line } = gridOf(random, [0, 55.7, -70]);
      const far = random() < 0.2;
      const positions = far ? [line[0]!, [line[0]![0] - 1 - random(), line[0]![1] + random()] as Position] : line; // biome-ignore format: one line
      const route = lineOf(positions);
      const { coords, edgeCount } = route.tree;
      const vertex = (i: number): Position => [coords[2 * i]!, coords[2 * i + 1]!];
      let start = 0;
      const meters = route.lengthMeters * random();
      const { edge, t } = route.placeAt(meters);
      for (let i = 0; i < edgeCount; i++) {
        const length = distanceMeters(vertex(i), vertex(i + 1));
        // Long edges are cut.
        expect(length).toBeLessThan(21_000);
        start += length;
        if (far) continue;
        const after = route.placeAt(start - length + 1e-5);
        expect(after.edge, `vertex ${i}`).toBe(i);
        expect(after.t).toBeLessThan(1e-5);
        const own = placesOf(route, vertex(i), 1e-3);
        if (own.length === 1 && own[0]!.offset === 0) {
          const place = route.placeAt(own[0]!.along);
          expect(place.edge + place.t).toBeCloseTo(i, 12);
        }
      }
      expect(start / route.lengthMeters).toBeCloseTo(1, 4);
      expect(route.placeAt(-1)).toEqual({ edge: 0, t: 0 });
      expect(route.placeAt(route.lengthMeters)).toEqual({ edge: edgeCount - 1, t: 1 });
      expect(route.placeAt(2 * route.lengthMeters)).toEqual({ edge: edgeCount - 1, t: 1 });
      const position = along(vertex(edge), vertex(edge + 1), t);
      const up = lineOf([
        ...Array.from({ length: edge + 1 }, (_, i) => vertex(i)),
        ...(t > 0 ? [position] : []),
      ]);
      if (edge > 0 || t > 0) expect(up.lengthMeters).toBeCloseTo(meters, 5);
    }
  });
});

function edgeMeters(line: readonly Position[], edge: number, position: Position): number {
  return Math.min(...minimaOf(line.slice(edge, edge + 2), position).map(({ offset }) => offset));
}
