/** Peers of bench/zoneIndex.ts: JavaScript packages in this process, and GEOS C++ in another. */

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { booleanPointInPolygon } from '@turf/turf';
import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import RBush from 'rbush';
import whichPolygon from 'which-polygon';
import type { Geozone, Position } from '../src/index.js';
import { polygonsOf } from './zoneWorkloads.js';

/** Calls `hit` with the index of each zone at a position. */
export interface Peer {
  readonly name: string;
  at(lon: number, lat: number, hit: (zone: number) => void): void;
}

type Box = readonly [west: number, south: number, east: number, north: number];

export interface Shapes {
  /** Index of each polygon's zone. */
  readonly zones: number[];
  /** Rings of each polygon. */
  readonly polygons: Position[][][];
}

export function shapesOf(zones: Iterable<Geozone>): Shapes {
  const shapes: Shapes = { zones: [], polygons: [] };
  let number = 0;
  for (const zone of zones) {
    for (const polygon of polygonsOf(zone)) {
      shapes.zones.push(number);
      shapes.polygons.push(polygon);
    }
    number++;
  }
  return shapes;
}

function boxOf([shell]: readonly Position[][]): Box {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon, lat] of shell!) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}

/** A flatbush tree over the polygons' boxes, as a backend would build it. Its time includes computing the boxes. */
export function flatbushOf({ polygons }: Shapes): Flatbush {
  const tree = new Flatbush(polygons.length);
  for (const polygon of polygons) tree.add(...boxOf(polygon));
  tree.finish();
  return tree;
}

export function flatbushPeer(shapes: Shapes): Peer {
  const tree = flatbushOf(shapes);
  return {
    name: 'flatbush + point-in-polygon-hao',
    at: (lon, lat, hit) => {
      for (const i of tree.search(lon, lat, lon, lat)) {
        if (pointInPolygon([lon, lat], shapes.polygons[i] as unknown as number[][][]) !== false)
          hit(shapes.zones[i]!);
      }
    },
  };
}

export function rbushPeer(shapes: Shapes): Peer {
  const tree = new RBush<{ minX: number; minY: number; maxX: number; maxY: number; i: number }>();
  tree.load(
    shapes.polygons.map((polygon, i) => {
      const [minX, minY, maxX, maxY] = boxOf(polygon);
      return { minX, minY, maxX, maxY, i };
    }),
  );
  const geometries = shapes.polygons.map((polygon) => ({
    type: 'Polygon' as const,
    coordinates: polygon as unknown as number[][][],
  }));
  return {
    name: 'rbush + Turf',
    at: (lon, lat, hit) => {
      for (const { i } of tree.search({ minX: lon, minY: lat, maxX: lon, maxY: lat })) {
        if (booleanPointInPolygon([lon, lat], geometries[i]!)) hit(shapes.zones[i]!);
      }
    },
  };
}

export function whichPolygonPeer(shapes: Shapes): Peer {
  const query = whichPolygon<{ zone: number }>({
    type: 'FeatureCollection',
    features: shapes.polygons.map((polygon, i) => ({
      type: 'Feature',
      properties: { zone: shapes.zones[i]! },
      geometry: { type: 'Polygon', coordinates: polygon as unknown as number[][][] },
    })),
  });
  return {
    name: 'which-polygon',
    at: (lon, lat, hit) => {
      for (const { zone } of query([lon, lat], true) ?? []) hit(zone);
    },
  };
}

export interface GeosAnswer {
  readonly buildMs: number;
  readonly bytes: number;
  readonly sets: readonly { readonly ns: number; readonly hits: number; readonly sum: number }[];
}

/** Runs bench/peers/geosIndex.cpp. Null without a compiler or GEOS. */
export function geos(
  zones: Iterable<Geozone>,
  sets: readonly Float64Array[],
  passes: number,
): GeosAnswer | null {
  return runGeos(zones, sets, [passes]) as GeosAnswer | null;
}

/** GEOS from nothing: milliseconds of processor time up to each step, and the total number of hits. */
export function geosCold(
  zones: Iterable<Geozone>,
  lonLat: Float64Array,
  steps: readonly number[],
): { readonly curve: readonly number[]; readonly hits: number } | null {
  return runGeos(zones, [lonLat], [0, ...steps]) as ReturnType<typeof geosCold>;
}

function runGeos(
  zones: Iterable<Geozone>,
  sets: readonly Float64Array[],
  numbers: readonly number[],
): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-geos-'));
  try {
    const program = join(folder, 'geosIndex');
    const source = new URL('peers/geosIndex.cpp', import.meta.url).pathname;
    try {
      execFileSync('g++', ['-O3', '-march=native', source, '-lgeos', '-o', program], { stdio: 'ignore' });
    } catch {
      return null;
    }
    const data = join(folder, 'data');
    writeData(data, zones, sets);
    return JSON.parse(execFileSync(program, [data, ...numbers.map(String)], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeData(path: string, zones: Iterable<Geozone>, sets: readonly Float64Array[]): void {
  const file = openSync(path, 'w');
  const write = (data: Uint32Array | Float64Array): void => {
    writeSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  };
  write(Uint32Array.of(0, sets.length));
  let polygons = 0;
  let number = 0;
  for (const zone of zones) {
    for (const rings of polygonsOf(zone)) {
      polygons++;
      write(Uint32Array.of(number, rings.length));
      for (const ring of rings) {
        write(Uint32Array.of(ring.length));
        write(Float64Array.from(ring.flat()));
      }
    }
    number++;
  }
  for (const set of sets) {
    write(Uint32Array.of(set.length / 2));
    for (let from = 0; from < set.length; from += 2 ** 20) write(set.subarray(from, from + 2 ** 20));
  }
  writeSync(file, new Uint8Array(Uint32Array.of(polygons).buffer), 0, 4, 0);
  closeSync(file);
}
