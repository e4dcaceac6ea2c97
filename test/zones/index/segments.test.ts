import { expect, test } from 'vitest';
import { readPosition } from '../../../src/core/input.js';
import { type Geozone, type Pair, type Position, ZoneIndex } from '../../../src/index.js';
import { FRACTION_ERROR } from '../../../src/planar/sideOf.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { LONG, seeded, volume } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';
import { exactIntervals } from '../oracle/exactIntervals.js';
import { plainZone } from '../oracle/plainZones.js';

type Random = () => number;

/** Gaps up to this may be joined, and by the half-open rule shorter intervals dropped: four times the error of a fraction. */
const LEAST_GAP = 4 * FRACTION_ERROR;

/** Copies of a ring a turn away, with unrolled longitudes. Null for a ring around a pole. */
function copiesOf(ring: readonly Pair[]): number[][] | null {
  const turns: number[] = [0];
  const open = ring.map((pair) => readPosition(pair, 'ring'));
  open.forEach(([lon], i) => {
    const next = open[(i + 1) % open.length]![0];
    turns.push(turns[i]! + (Math.abs(next - lon) <= 180 ? 0 : lon > 0 ? 360 : -360));
  });
  if (turns.at(-1) !== 0) return null;
  return [-360, 0, 360].map((shift) => open.flatMap(([lon, lat], i) => [lon + (turns[i]! + shift), lat]));
}

/** Intervals in a zone by rational numbers, or for shapes and segments at the poles by a test of rounded middles. */
function expectedIntervals(
  zone: Geozone,
  boundary: 'closed' | 'half-open',
  a: Position,
  b: Position,
): number[] {
  const parts = (zone.parts ?? [[zone.geometry]]).map((part) => part.map(copiesOf));
  const isPlane = parts.every((part) => part.every((copies) => copies !== null));
  if (zone.type.key !== 'polygon' || !isPlane || Math.abs(a[1]) === 90 || Math.abs(b[1]) === 90)
    return plainZone(zone, { boundary }).intervals(a[0], a[1], b[0], b[1]);
  const step = Math.abs(b[0] - a[0]) <= 180 ? 0 : a[0] > 0 ? 360 : -360;
  const rings = parts.map((part) => part.flatMap((copies) => copies!));
  return exactIntervals(rings, boundary === 'half-open', [a[0], a[1], b[0] + step, b[1]]);
}

/** Intervals without gaps, and by the half-open rule without intervals, that rounding may hide. */
function withoutSlivers(intervals: readonly number[], boundary: 'closed' | 'half-open'): number[] {
  const joined: number[] = [];
  for (let i = 0; i < intervals.length; i += 2) {
    if (joined.length > 0 && intervals[i]! - joined.at(-1)! <= LEAST_GAP) joined.pop();
    else joined.push(intervals[i]!);
    joined.push(intervals[i + 1]!);
  }
  const isSliver = (i: number): boolean => joined[i | 1]! - joined[i & ~1]! <= LEAST_GAP;
  return boundary === 'closed' ? joined : joined.filter((_, i) => !isSliver(i));
}

function areEqual(
  found: readonly number[],
  wanted: readonly number[],
  boundary: 'closed' | 'half-open',
): boolean {
  const [p, q] = [withoutSlivers(found, boundary), withoutSlivers(wanted, boundary)];
  return p.length === q.length && p.every((fraction, i) => Math.abs(fraction - q[i]!) <= LEAST_GAP);
}

/** A square with a hole and a second part, on a coarse grid so that vertices and edges are met exactly. */
function blockAt(random: Random, id: string, [lon, lat]: Position, grid: number): Geozone {
  const x = Math.round(lon / grid) * grid + grid * Math.floor(4 * random());
  const south = Math.max(-88, Math.min(88 - 9 * grid, lat));
  const y = Math.round(south / grid) * grid + grid * Math.floor(4 * random());
  const box = (west: number, south: number, size: number): Position[] => [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ];
  const parts = [
    [box(x, y, 4 * grid), box(x + grid, y + grid, grid).reverse()],
    [box(x + 6 * grid, y, grid)],
  ];
  const geometry = parts[0]![0]!;
  return random() < 0.5
    ? { id, name: id, type: { key: 'polygon' }, geometry }
    : { id, name: id, type: { key: 'polygon' }, geometry, parts };
}

/** Segments between vertices, along edges, of zero length, across the whole place, across the antimeridian, and to the poles. */
function segmentAt(
  random: Random,
  zones: readonly Geozone[],
  place: Position,
  reach: number,
): [Position, Position] {
  const vertex = (): Position => {
    const zone = zones[Math.floor(random() * zones.length)]!;
    const list = zone.parts?.flat(2) ?? zone.geometry;
    const [lon, lat] = list[Math.floor(random() * list.length)]!;
    return readPosition([lon, lat], 'vertex');
  };
  const kind = random();
  const probe = (): Position => readPosition(probeAt(random, place, reach), 'probe');
  if (kind < 0.15) return [vertex(), vertex()];
  if (kind < 0.3) {
    const zone = zones[Math.floor(random() * zones.length)]!;
    const ring = zone.geometry;
    const i = Math.floor(random() * ring.length);
    const [p, q] = [readPosition(ring[i], 'p'), readPosition(ring[(i + 1) % ring.length], 'q')];
    const at = (t: number): Position =>
      readPosition([p[0] + (q[0] - p[0]) * t, Math.max(-90, Math.min(90, p[1] + (q[1] - p[1]) * t))], 'at');
    if (Math.abs(q[0] - p[0]) < 170) return [at(random() * 0.5), at(0.5 + random() * 0.7)];
  }
  if (kind < 0.36) {
    const here = random() < 0.5 ? vertex() : probe();
    return [here, here];
  }
  if (kind < 0.5) return [vertex(), probe()];
  if (kind < 0.6) {
    const [lon, lat] = probe();
    return [
      [lon, lat],
      readPosition([lon + 1e-5 * (random() - 0.5), Math.max(-90, Math.min(90, lat + 1e-5))], 'b'),
    ];
  }
  return [probe(), probe()];
}

const ROUNDS = LONG ? 240 : 10;
for (const boundary of ['closed', 'half-open'] as const) {
  test(`crossing equals rational numbers for every zone and all kinds of segments (${boundary})`, () => {
    const random = seeded(boundary === 'closed' ? 41 : 42);
    let intervals = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const place = PLACES[round % PLACES.length]!;
      const reach = random() < 0.05 ? 20 : [0.004, 0.05, 0.6][Math.floor(random() * 3)]!;
      const zones = Array.from({ length: 12 }, (_, i) =>
        random() < 0.3 ? blockAt(random, `z${i}`, place, reach / 4) : zoneAt(random, `z${i}`, place, reach),
      );
      const index = new ZoneIndex(zones, { boundary });
      const ordered = [...zones];
      for (let i = 0; i < 24; i++) {
        if (i % 8 === 7) {
          const id = Math.floor(random() * zones.length);
          ordered[id] = zoneAt(random, `z${id}`, place, reach);
          index.update(ordered[id]!);
        }
        const [a, b] = segmentAt(random, ordered, place, reach);
        if (Math.abs(b[0] - a[0]) === 180) continue;
        const found = index.crossing(a as Pair, b as Pair);
        intervals += found.length;
        const rank = ({ id }: { id: string }): number => Number(id.slice(1));
        expect(found).toEqual(found.toSorted((p, q) => p.from - q.from || rank(p) - rank(q)));
        for (const zone of ordered) {
          const own = found.filter(({ id }) => id === zone.id).flatMap(({ from, to }) => [from, to]);
          const wanted = expectedIntervals(zone, boundary, a, b);
          if (!areEqual(own, wanted, boundary))
            expect({ zone, a, b, own }).toEqual({ zone, a, b, own: wanted });
          const prepared = plainZone(zone, { boundary });
          expect([own[0] === 0, own.at(-1) === 1]).toEqual([
            prepared.contains(...a),
            prepared.contains(...b),
          ]);
        }
      }
    }
    expect(intervals).toBeGreaterThan(10 * ROUNDS);
  });
}

test('the intervals along any path, from step to step, are those of the index, also after edits', () => {
  const random = seeded(43);
  let moved = 0;
  for (let round = 0; round < volume(300); round++) {
    const place = PLACES[round % PLACES.length]!;
    const reach = [0.003, 0.02, 0.3][round % 3]!;
    const count = round % 5 === 4 ? 120 : 12;
    const zones = Array.from({ length: count }, (_, i) => zoneAt(random, `z${i}`, place, reach));
    const index = new ZoneIndex(zones);
    const { segments } = internalsOf(index)!;
    let [lon, lat] = readPosition(probeAt(random, place, reach), 'start');
    let [step, course] = [0, 0];
    for (let i = 0; i < 60; i++) {
      if (random() < 0.15) {
        step = [0, 2e-6, 2e-5, 9e-5, reach / 20, reach][Math.floor(random() * 6)]!;
        course = 2 * Math.PI * random();
      }
      if (random() < 0.05) {
        const id = `z${Math.floor(random() * count)}`;
        if (random() < 0.3) index.remove(id);
        else if (index.has(id)) index.update(zoneAt(random, id, place, reach));
        else index.add(zoneAt(random, id, place, reach));
      }
      const a: Position = [lon, lat];
      const x = lon + step * Math.cos(course) + step * (random() - 0.5);
      const y = Math.max(-90, Math.min(90, lat + step * Math.sin(course)));
      [lon, lat] = readPosition([x, y], 'b');
      if (Math.abs(lon - a[0]) === 180) continue;
      const plain = index.crossing(a, [lon, lat]);
      const here = index.crossing(a, a).filter(({ from }) => from === 0);
      expect(here.map(({ id }) => id)).toEqual(index.at(a));
      segments.from(...a, lon, lat);
      const found = segments.find();
      moved += found;
      expect(
        Array.from({ length: found }, (_, k) => ({
          id: index.idOf(segments.zones[k]!),
          from: segments.starts[k],
          to: segments.stops[k],
        })),
      ).toEqual(plain);
    }
  }
  expect(moved).toBeGreaterThan(volume(300));
});

test('intervals in very many zones are ordered along the segment, equals in order of insertion', () => {
  const at = (i: number): number => ((i * 37) % 250) / 100;
  const zones = Array.from({ length: 500 }, (_, i): Geozone => {
    const x = at(i);
    const geometry: Pair[] = [[x, -1], [x + 0.001, -1], [x + 0.001, 1], [x, 1]]; // biome-ignore format: a square
    return { id: `${i}`, name: '', type: { key: 'polygon' }, geometry };
  });
  const wanted = zones.map((_, i) => i).sort((p, q) => at(p) - at(q) || p - q);
  const found = new ZoneIndex(zones).crossing([-1, 0.5], [3, 0.5]);
  expect(found.map(({ id }) => Number(id))).toEqual(wanted);
  for (const { id, from, to } of found) {
    expect(from).toBeCloseTo((at(Number(id)) + 1) / 4, 9);
    expect(to).toBeCloseTo((at(Number(id)) + 1.001) / 4, 9);
  }
});
