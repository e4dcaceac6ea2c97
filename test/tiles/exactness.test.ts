import { expect, test } from 'vitest';
import { type Geozone, type Position, signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { type TileId, zoneTile } from '../../src/tiles/index.js';
import { jstsProblem } from '../oracle/jstsValidity.js';
import { seeded, volume } from '../volume.js';
import { PLACES, probeAt, zoneAt } from '../zones/generators.js';
import {
  decoded,
  isInside,
  type Layers,
  type Path,
  type Point,
  positionOf,
  tileAt,
  unitMeters,
  windingOf,
} from './decoded.js';

/** Half a pixel, and one unit. */
const UNITS = 5;
/** Most of the map's lat for tiles. */
const MAP_LAT = 85.05;

interface Case {
  readonly zones: readonly Geozone[];
  readonly tile: TileId;
  readonly layers: Layers;
}

function caseOf(seed: number): Case {
  const random = seeded(seed);
  const place = PLACES[seed % PLACES.length]!;
  const z = Math.floor(random() * 18);
  const reach = Math.min(80, (360 / 2 ** z) * 3 * random() ** 2);
  const zones = Array.from({ length: 6 }, (_, i) => zoneAt(random, `${i}`, place, Math.max(1e-4, reach)));
  const [lon, lat] = probeAt(random, place, reach);
  const tile = tileAt([lon, Math.max(-MAP_LAT, Math.min(MAP_LAT, lat))], z);
  return { zones, tile, layers: decoded(zoneTile(new ZoneIndex(zones), tile)) };
}

/** The greatest error of a position near a zone's border, in units; negative inside. */
function unitsFrom(zone: Geozone, position: Position, z: number): number {
  return signedDistanceMeters(zone, position) / unitMeters(z, position[1], 2 * UNITS);
}

const isBare = ({ type, width }: Geozone): boolean => type.key === 'point' && width === undefined;

test('areas have the positions of the exact geometry, but for half a pixel and one unit along the border', () => {
  let judged = 0;
  for (let seed = 0; seed < volume(3000); seed++) judged += judgeAreas(caseOf(seed), seed);
  expect(judged).toBeGreaterThan(0);
});

test('so has the area of a line that crosses itself everywhere', () => {
  let judged = 0;
  for (let seed = 0; seed < volume(400); seed++) {
    const scribbled = scribbleOf(seed);
    judged += judgeAreas(scribbled, seed);
    for (const { paths } of scribbled.layers.zones) expect(ogcProblem(paths), `seed ${seed}`).toBeNull();
  }
  expect(judged).toBeGreaterThan(0);
});

/** A line of up to 200 vertices in a place that is a tile wide or less: at random, or laps of a circuit. */
function scribbleOf(seed: number): Case {
  const random = seeded(seed + 31);
  const z = 4 + Math.floor(random() * 13);
  const reach = (360 / 2 ** z) * random() ** 2;
  const geometry = Array.from({ length: 20 + Math.floor(180 * random()) }, (_, i): [number, number] => {
    const [x, y] =
      seed % 2 === 0
        ? [random() - 0.5, random() - 0.5]
        : [0.4 * Math.cos(0.37 * i) + 0.02 * random(), 0.4 * Math.sin(0.37 * i) + 0.02 * random()];
    return [44 + reach * x, 56.3 + reach * y * 0.55];
  });
  const width = 1 + 111_000 * reach * 0.1 * random() ** 2;
  const zones: Geozone[] = [{ id: '0', name: '', type: { key: 'line' }, geometry, width }];
  const tile = tileAt(geometry[0]!, z);
  return { zones, tile, layers: decoded(zoneTile(new ZoneIndex(zones), tile)) };
}

/** Compares areas with the exact geometry near their borders and elsewhere. Returns the number of positions on another side of a border. */
function judgeAreas({ zones, tile, layers }: Case, seed: number): number {
  let judged = 0;
  const random = seeded(seed + 7);
  for (const [ordinal, zone] of zones.entries()) {
    if (isBare(zone)) continue;
    const rings = layers.zones.find(({ id }) => id === ordinal)?.paths ?? [];
    const near = rings.flat();
    for (let i = 0; i < 16; i++) {
      const [x, y] = i < 12 && near.length > 0 ? near[Math.floor(random() * near.length)]! : [0, 0];
      const reach = i < 12 && near.length > 0 ? 10 : 4096;
      const point: Point = [x + reach * (random() - random()), y + reach * (random() - random())];
      if (point.some((value) => value < 0 || value > 4096)) continue;
      const units = unitsFrom(zone, positionOf(tile, point), tile.z);
      if (isInside(point, rings) === units < 0) continue;
      judged++;
      if (Math.abs(units) > UNITS) expect({ seed, ordinal, tile, point, units }).toBeNull();
    }
  }
  return judged;
}

test('borders and labels are where the exact geometry has them', () => {
  let [borders, labels] = [0, 0];
  for (let seed = 0; seed < volume(3000); seed++) {
    const { zones, tile, layers } = caseOf(seed);
    for (const { id, paths } of layers.borders) {
      for (const point of paths.flatMap(alongInside)) {
        borders++;
        const units = unitsFrom(zones[id!]!, positionOf(tile, point), tile.z);
        if (!(Math.abs(units) <= UNITS)) expect({ seed, id, tile, point, units }).toBeNull();
      }
    }
    for (const { id, paths } of layers.labels) {
      labels++;
      const [x, y] = paths[0]![0]!;
      const units = unitsFrom(zones[id!]!, positionOf(tile, [x + 0.5, y + 0.5]), tile.z);
      if (!(units <= 1)) expect({ seed, id, tile, units }).toBeNull();
    }
  }
  expect(borders).toBeGreaterThan(3 * volume(3000));
  expect(labels).toBeGreaterThan(volume(3000) / 8);
});

/** Vertices and positions along a path that are in the tile itself. */
function alongInside(path: Path): Point[] {
  return path
    .flatMap((a, i): Point[] => {
      const b = path[i + 1];
      if (b === undefined) return [a];
      return [0, 0.3, 0.6].map((t): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
    })
    .filter(([x, y]) => x >= 0 && x <= 4096 && y >= 0 && y <= 4096);
}

test('polygons are valid by OGC, shells are wound before their holes, and borders are their edges', () => {
  let checked = 0;
  for (let seed = 0; seed < volume(6000, 75); seed++) {
    const { layers, tile } = caseOf(seed);
    for (const { id, paths } of layers.zones) {
      checked++;
      const problem = ogcProblem(paths);
      if (problem !== null) expect({ seed, tile, id, problem }).toBeNull();
      const edges = new Set(paths.flatMap(edgesOf));
      const lines = layers.borders.filter((border) => border.id === id).flatMap((border) => border.paths);
      expect(lines.flatMap(edgesOf).filter((edge) => !edges.has(edge))).toEqual([]);
    }
  }
  expect(checked).toBeGreaterThan(100);
});

/** What is wrong with the polygons of a feature; null if nothing is. */
function ogcProblem(paths: readonly Path[]): string | null {
  const polygons: Path[][] = [];
  for (const ring of paths) {
    expect(ring[0]).toEqual(ring.at(-1));
    if (windingOf(ring) > 0) polygons.push([ring]);
    else polygons.at(-1)!.push(ring);
  }
  const open = polygons.map((rings) => rings.map((ring) => ring.slice(1)));
  return jstsProblem(open as [number, number][][][]);
}

function edgesOf(path: Path): string[] {
  return path.slice(1).map((b, i) => [path[i]!, b].map(String).toSorted().join(' '));
}
