/** Seeded workloads of bench/zoneIndex.ts: zones around cities (A), real counties (B), 30 zones over each position (C). */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Geozone, Pair, Position } from '../src/index.js';
import { seeded } from '../test/volume.js';

const METERS_PER_DEGREE = 111_200;

export interface Workload {
  readonly name: string;
  /** Number of zones that `zones()` yields. */
  readonly count: number;
  /** Yields the same zones at each call. */
  zones(): Iterable<Geozone>;
  random(count: number): Float64Array;
  tracks(count: number): Float64Array;
}

const shrinkOf = (lat: number): number => Math.cos((lat * Math.PI) / 180);

/** 60 % star polygons of 4 to 64 vertices, 30 % circles, 10 % corridors of 2 to 8 vertices; radius or step 100 m to 1 km. */
function zoneAt(random: () => number, i: number, lon: number, lat: number): Geozone {
  const meters = 100 + 900 * random();
  const shrink = shrinkOf(lat);
  const kind = random();
  const zone = { id: `z${i}`, name: `zone ${i}` };
  if (kind < 0.6) {
    const vertices = 4 + Math.floor(random() * 61);
    const geometry = Array.from({ length: vertices }, (_, k): [number, number] => {
      const angle = (2 * Math.PI * k) / vertices;
      const reach = (meters / METERS_PER_DEGREE) * (0.5 + random() / 2);
      return [lon + (reach * Math.cos(angle)) / shrink, lat + reach * Math.sin(angle)];
    });
    return { ...zone, type: { key: 'polygon' }, geometry };
  }
  if (kind < 0.9) return { ...zone, type: { key: 'circle' }, geometry: [[lon, lat]], width: meters };
  let heading = random() * 2 * Math.PI;
  let at: Pair = [lon, lat];
  const geometry = Array.from({ length: 2 + Math.floor(random() * 7) }, (): Pair => {
    const here = at;
    heading += (random() - 0.5) * 0.5;
    const step = meters / METERS_PER_DEGREE;
    at = [at[0] + (step * Math.cos(heading)) / shrink, at[1] + step * Math.sin(heading)];
    return here;
  });
  return { ...zone, type: { key: 'line' }, geometry, width: 50 + 150 * random() };
}

const SEED = 20_261_121;

/** A: `count` zones around 50 cities. 70 % of the random positions are within 1 km of a zone's middle. */
export function cities(count: number): Workload {
  const random = seeded(SEED);
  const centres = Array.from({ length: 50 }, (): Position => [random() * 300 - 150, random() * 120 - 60]);
  const middles = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const [lon, lat] = centres[i % centres.length]!;
    middles[2 * i] = lon + (random() + random() - 1) * 0.5;
    middles[2 * i + 1] = lat + (random() + random() - 1) * 0.4;
  }
  const near = (next: () => number): Position => {
    const i = Math.floor(next() * count);
    return [middles[2 * i]! + (next() - 0.5) * 0.018, middles[2 * i + 1]! + (next() - 0.5) * 0.018];
  };
  return {
    name: `A${count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}k`}`,
    count,
    *zones() {
      const next = seeded(SEED + 1);
      for (let i = 0; i < count; i++) yield zoneAt(next, i, middles[2 * i]!, middles[2 * i + 1]!);
    },
    random: (positions) =>
      fill(positions, seeded(SEED + 2), (next) =>
        next() < 0.3 ? [next() * 360 - 180, next() * 150 - 75] : near(next),
      ),
    tracks: (positions) => drives(positions, seeded(SEED + 3), near),
  };
}

/** C: 10,000 zones in a square of 16 km, so that about 30 cover each position. */
export function crowded(count: number): Workload {
  const size = 0.145 * Math.sqrt(count / 10_000);
  const place = (random: () => number): Position => [
    10 + ((random() - 0.5) * size) / shrinkOf(50),
    50 + (random() - 0.5) * size,
  ];
  return {
    name: 'C',
    count,
    *zones() {
      const random = seeded(SEED + 4);
      for (let i = 0; i < count; i++) yield zoneAt(random, i, ...place(random));
    },
    random: (positions) => fill(positions, seeded(SEED + 5), place),
    tracks: (positions) => drives(positions, seeded(SEED + 6), place),
  };
}

function fill(
  count: number,
  random: () => number,
  position: (random: () => number) => Position,
): Float64Array {
  const lonLat = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) lonLat.set(position(random), 2 * i);
  return lonLat;
}

/** Positions of 1,000 vehicles in turns, a fix every 10 s at 5 to 25 m/s. */
function drives(
  count: number,
  random: () => number,
  start: (random: () => number) => Position,
): Float64Array {
  const units = Array.from({ length: 1000 }, () => {
    const [lon, lat] = start(random);
    return { lon, lat, heading: random() * 2 * Math.PI, speed: 5 + 20 * random() };
  });
  const lonLat = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const unit = units[i % units.length]!;
    unit.heading += (random() - 0.5) * 0.5;
    const step = (unit.speed * 10) / METERS_PER_DEGREE;
    unit.lon += (step * Math.cos(unit.heading)) / shrinkOf(unit.lat);
    unit.lat += step * Math.sin(unit.heading);
    if (Math.abs(unit.lon) > 179 || Math.abs(unit.lat) > 80) [unit.lon, unit.lat] = start(random);
    lonLat.set([unit.lon, unit.lat], 2 * i);
  }
  return lonLat;
}

interface Topology {
  readonly transform: { readonly scale: Pair; readonly translate: Pair };
  readonly arcs: readonly (readonly Pair[])[];
  readonly objects: Readonly<
    Record<string, { readonly geometries: readonly { type: string; arcs: unknown; id?: string | number }[] }>
  >;
}

/** B: counties and states of us-atlas (10m). Null if the package is not installed. */
export function counties(): Workload | null {
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  } catch {
    return null;
  }
  if (!existsSync(path)) return null;
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology;
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): Position => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  const ringOf = (indexes: readonly number[]): Position[] => {
    const ring = indexes.flatMap((index, i) => {
      const arc = index < 0 ? [...arcs[~index]!].reverse() : arcs[index]!;
      return i === 0 ? arc : arc.slice(1);
    });
    const [first, last] = [ring[0]!, ring.at(-1)!];
    // One ring of the file is not closed.
    return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
  };
  const zones = ['counties', 'states'].flatMap((name) =>
    topology.objects[name]!.geometries.flatMap((shape, i): Geozone[] => {
      const parts = (shape.type === 'Polygon' ? [shape.arcs] : shape.arcs) as number[][][];
      // Quantisation has shrunk some islets to a point or a line.
      const rings = parts.map((part) => part.map(ringOf).filter(hasArea)).filter((part) => part.length > 0);
      const zone: Geozone = {
        id: `${name} ${i}`,
        name: `${shape.id ?? i}`,
        type: { key: 'polygon' },
        geometry: (rings[0]?.[0] ?? []).map(([x, y]): Pair => [x, y]),
        parts: rings,
      };
      return rings.length === 0 ? [] : [zone];
    }),
  );
  const place = (random: () => number): Position => [-124 + random() * 57, 25 + random() * 24];
  return {
    name: 'B',
    count: zones.length,
    zones: () => zones,
    random: (positions) => fill(positions, seeded(SEED + 7), place),
    tracks: (positions) => drives(positions, seeded(SEED + 8), place),
  };
}

function hasArea(ring: readonly Position[]): boolean {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) sum += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  return Math.abs(sum) > 1e-9;
}

/** Closed polygons for peers without circles and corridors: circles of 64 vertices, corridors with flat ends. */
export function polygonsOf(zone: Geozone): Position[][][] {
  if (zone.parts) return zone.parts.map((part) => part.map((ring) => [...ring]));
  const [first] = zone.geometry as readonly [Pair];
  const shrink = shrinkOf(first[1]);
  const degrees = (zone.width ?? 0) / METERS_PER_DEGREE;
  if (zone.type.key === 'polygon') return [[[...zone.geometry, first].map(([x, y]): Position => [x, y])]];
  if (zone.type.key === 'circle') {
    const ring = Array.from({ length: 65 }, (_, k): Position => {
      const angle = (2 * Math.PI * (k % 64)) / 64;
      return [first[0] + (degrees * Math.cos(angle)) / shrink, first[1] + degrees * Math.sin(angle)];
    });
    return [[ring]];
  }
  const line = zone.geometry;
  const side = (sign: 1 | -1): Position[] =>
    line.map(([x, y], i): Position => {
      const before = line[Math.max(0, i - 1)]!;
      const after = line[Math.min(line.length - 1, i + 1)]!;
      const dx = (after[0] - before[0]) * shrink;
      const dy = after[1] - before[1];
      const share = (sign * degrees) / 2 / Math.hypot(dx, dy);
      return [x - (dy * share) / shrink, y + dx * share];
    });
  const left = side(1);
  return [[[...left, ...side(-1).reverse(), left[0]!]]];
}

/** Star polygons around 50 cities, 100 m to 1 km across. */
export function starCities(count: number, seed: number): Geozone[] {
  const random = seeded(seed);
  const centres = Array.from({ length: 50 }, (): Position => [random() * 300 - 150, random() * 120 - 60]);
  const zones: Geozone[] = [];
  for (let i = 0; i < count; i++) {
    const [cityLon, cityLat] = centres[i % centres.length]!;
    const lon = cityLon + (random() + random() - 1) * 0.5;
    const lat = cityLat + (random() + random() - 1) * 0.4;
    const vertices = 4 + Math.floor(random() * 61);
    const radius = (100 + random() * 900) / 111_000;
    const geometry = Array.from({ length: vertices }, (_, k): [number, number] => {
      const angle = (2 * Math.PI * k) / vertices;
      const reach = radius * (0.5 + random() / 2);
      return [
        lon + (reach * Math.cos(angle)) / Math.cos((lat * Math.PI) / 180),
        lat + reach * Math.sin(angle),
      ];
    });
    zones.push({ id: `z${i}`, name: `zone ${i}`, type: { key: 'polygon' }, geometry });
  }
  return zones;
}
