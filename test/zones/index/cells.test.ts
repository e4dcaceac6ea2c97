import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { exactPointInRing, exactPointInRingHalfOpen } from '../../oracle/exact.js';
import { LONG, seeded } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';
import { plainZone } from '../oracle/plainZones.js';
import { polygon } from './worlds.js';

type Random = () => number;

const buffer = new DataView(new ArrayBuffer(8));

/** The double that is `steps` units in the last place away. */
function ulps(value: number, steps: number): number {
  if (value === 0) return steps * 1e-12;
  buffer.setFloat64(0, value);
  buffer.setBigInt64(0, buffer.getBigInt64(0) + BigInt(value > 0 ? steps : -steps));
  return buffer.getFloat64(0);
}

/** Rings whose vertices often share a coordinate, so that edges are vertical, horizontal, shared or touching. */
function snappedRing(random: Random, centre: Pair, size: number, grid: number): Pair[] {
  const count = 3 + Math.floor(random() * 9);
  return Array.from({ length: count }, (): Pair => {
    const x = centre[0] + (random() - 0.5) * size;
    const y = centre[1] + (random() - 0.5) * size;
    return random() < 0.7 ? [Math.round(x / grid) * grid, Math.round(y / grid) * grid] : [x, y];
  });
}

function isRing(ring: readonly Pair[]): boolean {
  try {
    plainZone(polygon('', ring));
    return true;
  } catch {
    return false;
  }
}

/** Positions on vertices and edges, on their meridians and parallels, one unit in the last place beside them, and anywhere. */
function hardProbes(random: Random, rings: readonly (readonly Pair[])[], count: number): Pair[] {
  return Array.from({ length: count }, (): Pair => {
    const ring = rings[Math.floor(random() * rings.length)]!;
    const i = Math.floor(random() * ring.length);
    const [a, b] = [ring[i]!, ring[(i + 1) % ring.length]!];
    const t = [0, 0.5, 0.25, random()][Math.floor(random() * 4)]!;
    const x = a[0] + (b[0] - a[0]) * t;
    const y = a[1] + (b[1] - a[1]) * t;
    const kind = random();
    if (kind < 0.4) return [x, y];
    if (kind < 0.7) return [ulps(x, Math.floor(random() * 3) - 1), ulps(y, Math.floor(random() * 3) - 1)];
    const other = rings[Math.floor(random() * rings.length)]![0]!;
    return kind < 0.85 ? [a[0], other[1]] : [x + (random() - 0.5) * 1e-3, y + (random() - 0.5) * 1e-3];
  });
}

const wire = (ring: readonly Pair[]): number[] => ring.flatMap((pair) => [...pair]);

test.each(['closed', 'half-open'] as const)('polygons are decided as by exact rationals: %s', (boundary) => {
  const random = seeded(boundary === 'closed' ? 71 : 72);
  let hits = 0;
  for (let round = 0; round < (LONG ? 400 : 12); round++) {
    const centre: Pair = [[37.6, 0, -122.4][round % 3]!, [55.7, 0, 37.7][round % 3]!];
    const grid = [1 / 64, 0.01, 1e-3][round % 3]!;
    const size = [0.5, 0.1, 0.02][Math.floor(random() * 3)]!;
    const rings = Array.from({ length: 40 }, () => snappedRing(random, centre, size, grid)).filter(isRing);
    const index = new ZoneIndex(
      rings.map((ring, i) => polygon(`${i}`, ring)),
      { boundary },
    );
    for (const probe of hardProbes(random, rings, 120)) {
      const ids = rings.flatMap((ring, i) => {
        const inside =
          boundary === 'closed'
            ? exactPointInRing(probe[0], probe[1], wire(ring)) >= 0
            : exactPointInRingHalfOpen(probe[0], probe[1], wire(ring));
        return inside ? [`${i}`] : [];
      });
      hits += ids.length;
      expect({ probe, ids: index.at(probe) }).toEqual({ probe, ids });
    }
  }
  expect(hits).toBeGreaterThan(100);
});

test('answers equal those of prepared zones everywhere on the Earth, with cells, without, and with too little memory', () => {
  const random = seeded(73);
  for (let round = 0; round < (LONG ? 240 : 10); round++) {
    const place = PLACES[round % PLACES.length]!;
    const reach = [0.3, 0.05, 5][Math.floor(round / PLACES.length) % 3]!;
    const options = { boundary: random() < 0.5 ? ('closed' as const) : ('half-open' as const) };
    const zones = Array.from({ length: 90 }, (_, i) =>
      zoneAt(random, `z${i}`, place, reach * (0.1 + random())),
    );
    const prepared = zones.map((zone) => plainZone(zone, options));
    const indexes = [undefined, 0, 2_000, 40_000].map(
      (maxMemoryBytes) =>
        new ZoneIndex(zones, { ...options, ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }) }),
    );
    for (let i = 0; i < 80; i++) {
      const probe = probeAt(random, place, reach);
      const lon = probe[0] === -180 ? 180 : probe[0];
      const ids = zones.flatMap(({ id }, k) => (prepared[k]!.contains(lon, probe[1]) ? [id] : []));
      for (const index of indexes) expect({ probe, ids: index.at(probe) }).toEqual({ probe, ids });
    }
  }
});

test('many small zones in one place equal a scan, also when queried repeatedly', () => {
  const random = seeded(74);
  for (let round = 0; round < (LONG ? 20 : 2); round++) {
    const place = PLACES[round % 3]!;
    const zones = Array.from({ length: 1500 }, (_, i): Geozone => {
      const at: Pair = [place[0] + (random() - 0.5) * 0.1, place[1] + (random() - 0.5) * 0.1];
      return zoneAt(random, `z${i}`, at[0] > 180 ? [at[0] - 360, at[1]] : at, 0.002 + random() * 0.01);
    });
    const prepared = zones.map((zone) => plainZone(zone));
    const index = new ZoneIndex(zones);
    const positions = new Float64Array(4_000);
    for (let i = 0; i < positions.length; i += 2) {
      const lon = place[0] + (random() - 0.5) * 0.12;
      positions[i] = lon > 180 ? lon - 360 : lon;
      positions[i + 1] = place[1] + (random() - 0.5) * 0.12;
    }
    const { offsets, zones: ordinals } = index.atMany(positions);
    expect(index.atMany(positions)).toEqual({ offsets, zones: ordinals });
    for (let i = 0; i < offsets.length - 1; i += LONG ? 1 : 23) {
      const expected = prepared.flatMap((zone, k) =>
        zone.contains(positions[2 * i]!, positions[2 * i + 1]!) ? [k] : [],
      );
      expect([...ordinals.subarray(offsets[i], offsets[i + 1])]).toEqual(expected);
    }
  }
});
