/** Reads tiles with `@mapbox/vector-tile`, and places them on the Earth by formulas of their own. */

import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Position } from '../../src/index.js';
import type { TileId } from '../../src/tiles/index.js';

export type Point = readonly [x: number, y: number];
export type Path = readonly Point[];

export interface Feature {
  readonly id: number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly type: 1 | 2 | 3;
  readonly paths: readonly Path[];
}

export type Layers = Readonly<Record<'zones' | 'borders' | 'labels' | 'points', readonly Feature[]>>;

const NAMES = ['zones', 'borders', 'labels', 'points'] as const;

/** The features of each layer of a tile; none for a tile without bytes. */
export function decoded(bytes: Uint8Array): Layers {
  const { layers } = new VectorTile(new PbfReader(bytes));
  const unknown = Object.keys(layers).filter((name) => !NAMES.includes(name as 'zones'));
  if (unknown.length > 0)
    throw new Error(`expected the layers ${NAMES.join(', ')}, received ${unknown.join(', ')}`);
  const featuresOf = (name: string): Feature[] => {
    const layer = layers[name];
    if (layer === undefined) return [];
    if (layer.version !== 2 || layer.extent !== 4096) throw new Error('expected version 2 and 4096 units');
    return Array.from({ length: layer.length }, (_, i) => readFeature(layer.feature(i)));
  };
  return {
    zones: featuresOf('zones'),
    borders: featuresOf('borders'),
    labels: featuresOf('labels'),
    points: featuresOf('points'),
  };
}

function readFeature(feature: VectorTileFeature): Feature {
  const paths = feature.loadGeometry().map((path) => path.map(({ x, y }): Point => [x, y]));
  return { id: feature.id, properties: feature.properties, type: feature.type as 1 | 2 | 3, paths };
}

/** The position of a unit of a tile. */
export function positionOf({ z, x, y }: TileId, [unitX, unitY]: Point): Position {
  const tiles = 2 ** z;
  const lon = ((x + unitX / 4096) / tiles) * 360 - 180;
  const share = (y + unitY / 4096) / tiles;
  return [lon, (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI];
}

/** The tile of a zoom that contains a position, which is on the map. */
export function tileAt([lon, lat]: Position, z: number): TileId {
  const tiles = 2 ** z;
  const share = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  const inside = (at: number): number => Math.max(0, Math.min(tiles - 1, Math.floor(at * tiles)));
  return { z, x: inside((lon + 180) / 360), y: inside(share) };
}

/** Metres of a unit at the latitude within `units` of `lat` where it has most. */
export function unitMeters(z: number, lat: number, units: number): number {
  const atEquator = (2 * Math.PI * 6_378_137) / (4096 * 2 ** z);
  const near = Math.max(0, Math.abs(lat) - (units * atEquator) / 110_000);
  return atEquator * Math.cos((near * Math.PI) / 180);
}

/** Whether a point is inside by the even-odd rule. */
export function isInside([x, y]: Point, rings: readonly Path[]): boolean {
  let isIn = false;
  for (const ring of rings) {
    for (let i = 0; i + 1 < ring.length; i++) {
      const [ax, ay] = ring[i]!;
      const [bx, by] = ring[i + 1]!;
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) isIn = !isIn;
    }
  }
  return isIn;
}

/** Twice the area of a ring; positive for shells. */
export function windingOf(ring: Path): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++)
    sum += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return sum;
}
