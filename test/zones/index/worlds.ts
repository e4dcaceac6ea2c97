/** Small worlds of few zones for the index, and positions with difficult answers. All queries of one world take milliseconds. */

import { wrapLon } from '../../../src/core/angles.js';
import { readPosition } from '../../../src/core/input.js';
import type { Geozone, Pair, ZoneOptions } from '../../../src/index.js';
import { wkt } from '../../wkt.js';
import { plainZone } from '../oracle/plainZones.js';

export const polygon = (id: string, geometry: readonly Pair[], holes: readonly Pair[][] = []): Geozone =>
  holes.length === 0
    ? { id, name: id, type: { key: 'polygon' }, geometry }
    : { id, name: id, type: { key: 'polygon' }, geometry, parts: [[geometry, ...holes]] };

export const parts = (id: string, ...rings: readonly Pair[][]): Geozone => ({
  id,
  name: id,
  type: { key: 'polygon' },
  geometry: rings[0]!,
  parts: rings.map((ring) => [ring]),
});

export const circle = (id: string, lon: number, lat: number, width: number): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[wrapLon(lon), lat]],
  width,
});

export const isZone = (zone: Geozone): boolean => {
  try {
    plainZone(zone);
    return true;
  } catch {
    return false;
  }
};

export const line = (id: string, geometry: readonly Pair[], width: number): Geozone => ({
  id,
  name: id,
  type: { key: 'line' },
  geometry,
  width,
});

export const box = (west: number, south: number, east: number, north: number): Pair[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];

/** Two small zones at the corners of a region, which fix its grid at 8 × 8 cells. */
export const corners = (west: number, south: number, size: number): Geozone[] => [
  polygon('sw', [
    [west, south],
    [west + size / 640, south],
    [west, south + size / 640],
  ]),
  polygon('ne', [
    [west + size, south + size],
    [west + size - size / 640, south + size],
    [west + size, south + size - size / 640],
  ]),
];

/** A comb with teeth to the north or to the east: edges are horizontal, vertical or slanting, and many cross the borders of cells. */
export function comb(x: number, y: number, size: number, teeth: number, turned = false): Pair[] {
  const ring: Pair[] = [];
  const step = size / teeth;
  for (let i = 0; i < teeth; i++) {
    const lean = (i % 3) * 0.2 * step;
    ring.push([i * step, 0.3 * size], [i * step + lean, size * (1 - 0.05 * (i % 4))]);
    ring.push([(i + 0.5) * step + lean, size * (1 - 0.05 * (i % 4))], [(i + 0.5) * step, 0.3 * size]);
  }
  ring.push([size, 0], [0, 0]);
  return ring.map(([u, v]) => (turned ? [x + v, y + u] : [x + u, y + v]));
}

/** A ring of `count` vertices around a centre, alternately inner and outer. */
export function star(lon: number, lat: number, reach: number, count: number, depth = 0.5): Pair[] {
  return Array.from({ length: count }, (_, i): Pair => {
    const angle = (2 * Math.PI * (i + 0.13)) / count;
    const radius = reach * (i % 2 === 0 ? 1 : 1 - depth);
    return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
  });
}

/**
 * All kinds of zones within `size` degrees of (x, y): a comb, a hole, parts that share zones, discs, lines of one and of several runs.
 */
export function mixed(x: number, y: number, size: number): Geozone[] {
  const at = (u: number, v: number): Pair => [wrapLon(x + u * size), y + v * size];
  const meters = size * 111_000;
  const ring = (flat: readonly Pair[]): Pair[] => flat.map(([u, v]) => at(u, v));
  const zigzag = Array.from({ length: 40 }, (_, i) => at(i / 40, 0.5 + 0.1 * ((i % 4) - 1.5)));
  return [
    polygon('comb', ring(comb(0.05, 0.05, 0.6, 9))),
    polygon('turned', ring(comb(0.3, 0.2, 0.6, 7, true)).reverse()),
    polygon('hole', ring(box(0, 0, 1, 1)), [ring(box(0.25, 0.25, 0.75, 0.75)).reverse()]),
    parts(
      'parts',
      ring(box(0.1, 0.6, 0.4, 0.9)),
      ring(box(0.5, 0.6, 0.9, 0.9)),
      ring(star(0.7, 0.3, 0.2, 20)),
    ),
    polygon('star', ring(star(0.5, 0.5, 0.45, 60))),
    polygon('slanting', ring(wkt('0.02 0.03, 0.97 0.11, 0.5 0.93'))),
    circle('disc', ...at(0.4, 0.4), 0.3 * meters),
    circle('small', ...at(0.8, 0.75), 0.02 * meters),
    line('line', [at(0.1, 0.1), at(0.5, 0.3), at(0.9, 0.2)], 0.1 * meters),
    line('runs', zigzag, 0.01 * meters),
    line('wide', [at(0.2, 0.8), at(0.6, 0.85)], Math.min(0.5 * meters, 1_500_000)),
    polygon('last', ring(box(0.05, 0.55, 0.95, 0.6))),
  ];
}

/** The result of a scan with the exact predicates. */
export function scanner(zones: readonly Geozone[], options: ZoneOptions = {}): (position: Pair) => string[] {
  const prepared = zones.map((zone) => ({ id: zone.id, zone: plainZone(zone, options) }));
  return (position) => {
    const [lon, lat] = readPosition(position, 'position');
    return prepared.flatMap(({ id, zone }) => (zone.contains(lon, lat) ? [id] : []));
  };
}

/** Distances from a vertex, an edge or its meridian, as shares of the size: from far below the resolution of a cell to far above it. */
const BESIDE = [0, 1e-9, 1e-6, 1.5e-5, 6e-5, 2e-4, 1e-3, 7e-3];

/** A lattice over the world, and positions on and beside its vertices and edges. */
export function hardPlaces(
  zones: readonly Geozone[],
  x: number,
  y: number,
  size: number,
  side: number,
): Pair[] {
  const places: Pair[] = [];
  for (let i = 0; i <= side; i++)
    for (let k = 0; k <= side; k++)
      places.push([x + size * (1.2 * (i / side) - 0.1), y + size * (1.2 * (k / side) - 0.1)]);
  let turn = 0;
  for (const zone of zones) {
    for (const ring of zone.parts ? zone.parts.flat() : [zone.geometry]) {
      for (let i = 0; i < ring.length; i++) {
        const [a, b] = [ring[i]!, ring[(i + 1) % ring.length]!];
        const t = [0, 0.5, 0.3, 0.9][turn % 4]!;
        if (Math.abs(b[0] - a[0]) > 180) continue;
        for (let k = 0; k < 4; k++, turn++) {
          const beside = size * BESIDE[(turn + Math.floor(turn / 8)) % BESIDE.length]!;
          const [sx, sy] = wkt('1 0, 0 1, -1 0, 0 -1')[(turn + Math.floor(turn / 5)) % 4]!;
          places.push([a[0] + (b[0] - a[0]) * t + sx! * beside, a[1] + (b[1] - a[1]) * t + sy! * beside]);
        }
      }
    }
  }
  return places
    .map(([lon, lat]): Pair => [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat])
    .filter(([, lat]) => Math.abs(lat) <= 90);
}
