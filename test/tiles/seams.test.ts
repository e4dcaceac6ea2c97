import { expect, test } from 'vitest';
import { type Pair, type Position, ZoneIndex, type ZoneRow } from '../../src/index.js';
import { type TileId, zoneTile } from '../../src/tiles/index.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { PLACES, zoneAt } from '../zones/generators.js';
import { decoded, isInside, type Layers, type Path, type Point, tileAt } from './decoded.js';

const square = (id: string, west: number, south: number, east: number, north: number): ZoneRow => ({
  id,
  type: { key: 'polygon' },
  geometry: [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ],
});

const tilesOf = (zones: readonly ZoneRow[]): ((tile: TileId) => Layers) => {
  const index = new ZoneIndex(zones);
  return (tile) => decoded(zoneTile(index, tile));
};

/** Whether each unit along the common side of a tile and its eastern neighbour is inside an area, from both tiles. */
function sides(layers: Layers, neighbour: Layers, id: number): [boolean[], boolean[]] {
  const ringsOf = ({ zones }: Layers): readonly Path[] => zones.find((zone) => zone.id === id)?.paths ?? [];
  const ys = Array.from({ length: 400 }, (_, i) => i * 10.24 + 0.37);
  return [
    ys.map((y) => isInside([4096 - 0.01, y], ringsOf(layers))),
    ys.map((y) => isInside([-0.01, y], ringsOf(neighbour))),
  ];
}

test('neighbouring tiles agree along their common side, and in the buffer beyond it', () => {
  let compared = 0;
  for (let seed = 0; seed < volume(1000); seed++) {
    const random = seeded(seed);
    const place = PLACES[[0, 1, 2, 5][seed % 4]!]!;
    const z = 1 + Math.floor(random() * 16);
    const reach = Math.min(60, (360 / 2 ** z) * 1.5 * random());
    const zones = Array.from({ length: 4 }, (_, i) => zoneAt(random, `${i}`, place, reach));
    const at = tilesOf(zones);
    const tile = tileAt([place[0] + (random() - 0.5) * reach * 0.2, place[1]] as Position, z);
    const east = { ...tile, x: (tile.x + 1) % 2 ** z };
    const [layers, neighbour] = [at(tile), at(east)];
    for (const id of zones.keys()) {
      const [own, other] = sides(layers, neighbour, id);
      compared += own.filter(Boolean).length;
      // The crossings of clipped edges are rounded to units, so at most one probe at each border may differ.
      const flips = own.filter((inside, i) => inside !== own[i - 1]).length;
      expect(own.filter((inside, i) => inside !== other[i]).length).toBeLessThanOrEqual(Math.ceil(flips / 2));
    }
    expect(commonVertices(layers, 4096)).toEqual(commonVertices(neighbour, 0));
  }
  expect(compared).toBeGreaterThan(1000);
});

/** Vertices of borders within 60 units of the common side, from that side. Those that clipping made lie on the edge of the buffer. */
function commonVertices({ borders }: Layers, side: number): string[] {
  return borders
    .flatMap(({ id, paths }) => paths.flat().map(([x, y]) => ({ id, x: x - side, y })))
    .filter(({ x, y }) => Math.abs(x) < 60 && y > -60 && y < 4156)
    .map(({ id, x, y }) => `${id} ${x} ${y}`)
    .filter((text, i, all) => all.indexOf(text) === i)
    .toSorted();
}

/** Units from a point to the nearest line of the borders of a zone. */
function unitsToBorder({ borders }: Layers, id: number, [x, y]: Point): number {
  let least = Infinity;
  for (const path of borders.find((border) => border.id === id)?.paths ?? []) {
    for (let i = 0; i + 1 < path.length; i++) {
      const [ax, ay] = path[i]!;
      const [dx, dy] = [path[i + 1]![0] - ax, path[i + 1]![1] - ay];
      const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x - ax - t * dx, y - ay - t * dy));
    }
  }
  return least;
}

test('a stroke of 8 pixels is the same on both sides of the edge of a tile', () => {
  /** Half of a stroke, units. */
  const half = 32;
  let covered = 0;
  for (let seed = 0; seed < volume(600); seed++) {
    const random = seeded(seed);
    const place = PLACES[[0, 1, 2, 5][seed % 4]!]!;
    const z = 1 + Math.floor(random() * 16);
    const reach = Math.min(60, (360 / 2 ** z) * random());
    const zones = Array.from({ length: 3 }, (_, i) => zoneAt(random, `${i}`, place, reach));
    const at = tilesOf(zones);
    const tile = tileAt(place, z);
    const [own, south] = [at(tile), at({ ...tile, y: Math.min(2 ** z - 1, tile.y + 1) })];
    const east = at({ ...tile, x: (tile.x + 1) % 2 ** z });
    for (const id of zones.keys()) {
      for (let i = 0; i < 100; i++) {
        const along = random() * 4096;
        const pairs: [Layers, Point][] = [[east, [0, along]]];
        const here: Point[] = [[4096, along]];
        if (tile.y < 2 ** z - 1) {
          pairs.push([south, [along, 0]]);
          here.push([along, 4096]);
        }
        for (const [k, [layers, point]] of pairs.entries()) {
          const [a, b] = [unitsToBorder(own, id, here[k]!), unitsToBorder(layers, id, point)];
          if (Math.min(a, b) > half) continue;
          covered++;
          // An eighth of a pixel: clipped edges are rounded to units.
          expect({ seed, id, differ: Math.abs(a - b) > 1 }).toEqual({ seed, id, differ: false });
        }
      }
    }
  }
  expect(covered).toBeGreaterThan(2 * volume(600));
});

test('zones with a common border have it in common, from whichever vertex and in whichever direction each is given', () => {
  const shared: Pair[] = wkt('37.1 55.2, 37.2031 55.3017, 37.15 55.6, 37.9 56.4');
  const west: Pair[] = [...shared, [36, 56.4], [36, 55.2]];
  const east: Pair[] = [[39, 55.2], [39, 56.4], ...shared.toReversed()];
  const turned = [...east.slice(4), ...east.slice(0, 4)];
  for (const z of [3, 5, 8, 10, 12]) {
    const at = tilesOf([
      { id: 'a', type: { key: 'polygon' }, geometry: west },
      { id: 'b', type: { key: 'polygon' }, geometry: turned },
    ]);
    const tile = tileAt([37.16, 55.5], z);
    const edges = at(tile).zones.map(({ paths }) => new Set(paths.flatMap(edgesOf)));
    const common = [...edges[0]!].filter((edge) => edges[1]!.has(edge));
    expect(common.length).toBeGreaterThan(0);
    // Beside the border every unit belongs to one of the two, so there is neither a gap nor an overlap.
    const [a, b] = at(tile).zones.map(({ paths }) => paths);
    const random = seeded(z);
    for (const edge of common) {
      const [p, q] = edge.split(' ').map((text) => text.split(',').map(Number)) as unknown as [Point, Point];
      const middle = [(p[0] + q[0]) / 2 + random() * 0.4, (p[1] + q[1]) / 2 + random() * 0.4] as const;
      if (middle.some((value) => value < 0 || value > 4096)) continue;
      expect(isInside(middle, a!)).not.toBe(isInside(middle, b!));
    }
  }
});

function edgesOf(path: Path): string[] {
  return path.slice(1).map((b, i) => [path[i]!, b].map(String).toSorted().join(' '));
}

test('a zone across ±180° has no edge there, and fills the buffers on both sides', () => {
  const at = tilesOf([square('fiji', 177, -20, -177, -15)]);
  const [left, right] = [at({ z: 4, x: 15, y: 8 }), at({ z: 4, x: 0, y: 8 })];
  expect(left.zones[0]!.paths.flat().map(([x]) => x)).toContain(4160);
  expect(right.zones[0]!.paths.flat().map(([x]) => x)).toContain(-64);
  for (const { paths } of [...left.borders, ...right.borders])
    for (const edge of paths.flatMap(edgesOf)) expect(edge).not.toMatch(/^(?:4096|0),\S* (?:4096|0),/);
  const world = at({ z: 0, x: 0, y: 0 });
  expect(world.zones[0]!.paths).toHaveLength(2);
});

test('caps and bands around the Earth have no seam', () => {
  const cap = (lat: number, id: string): ZoneRow => ({
    id,
    type: { key: 'polygon' },
    geometry: [
      [-120, lat],
      [0, lat],
      [120, lat],
    ],
  });
  const band: ZoneRow = {
    id: 'band',
    type: { key: 'polygon' },
    geometry: wkt('-180 10, 180 10, 180 20, -180 20'),
  };
  const at = tilesOf([cap(70, 'north'), cap(-70, 'south'), band]);
  for (const z of [0, 1, 2]) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        const { zones, borders } = at({ z, x, y });
        for (const { paths } of zones) expect(paths).toHaveLength(1);
        // Borders are parallels: no line goes north.
        for (const line of borders.flatMap(({ paths }) => paths))
          expect(new Set(line.map(([, lat]) => lat)).size).toBe(1);
      }
    }
  }
  const whole = at({ z: 0, x: 0, y: 0 });
  expect(whole.zones).toHaveLength(3);
  expect(whole.labels).toHaveLength(3);
  expect(isInside([17, 1], whole.zones[0]!.paths)).toBe(true);
  expect(isInside([17, 4095], whole.zones[1]!.paths)).toBe(true);
});

test('the edge of the map clips like any: areas continue beyond it, and no border is there', () => {
  const at = tilesOf([square('arctic', 10, 80, 20, 89)]);
  const { zones, borders } = at({ z: 3, x: 4, y: 0 });
  expect(Math.min(...zones[0]!.paths.flat().map(([, y]) => y))).toBe(-64);
  for (const edge of borders[0]!.paths.flatMap(edgesOf)) expect(edge).not.toMatch(/,0 \S*,0$/);
});

test('every zone of a tile that lies inside it is a whole tile, without a border', () => {
  const at = tilesOf([square('country', 30, 50, 45, 60)]);
  const { zones, borders, labels, points } = at({ z: 12, x: 2475, y: 1281 });
  expect(zones[0]!.paths[0]).toHaveLength(5);
  expect(
    zones[0]!.paths.flat().every((point) => point.every((value) => value === -64 || value === 4160)),
  ).toBe(true);
  expect([borders, labels, points]).toEqual([[], [], []]);
});

test('each drawn zone has one label in a zoom, and each small one is counted once', () => {
  const random = seeded(3);
  const zones = Array.from({ length: 60 }, (_, i) =>
    zoneAt(
      random,
      `${i}`,
      [random() * 360 - 180, random() * 140 - 70],
      random() < 0.3 ? 20 * random() : 0.02,
    ),
  );
  const at = tilesOf(zones);
  for (const z of [0, 2, 4]) {
    const labels: number[] = [];
    const drawn = new Set<number>();
    let count = 0;
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        const layers = at({ z, x, y });
        labels.push(...layers.labels.map(({ id }) => id!));
        for (const { id } of [...layers.zones, ...layers.borders]) drawn.add(id!);
        for (const { properties } of layers.points) count += Number(properties['count']);
      }
    }
    const ascending = (p: number, q: number): number => p - q;
    expect(labels.toSorted(ascending)).toEqual([...drawn].toSorted(ascending));
    expect(count + drawn.size).toBe(zones.length);
  }
});
