import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { internalsOf } from '../../../src/zones/index/index.js';
import { LONG, seeded } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';

type Random = () => number;

/** The zone elsewhere with as many vertices, so that it is overwritten in place. Near ±180 and the poles it wraps or is clamped. */
function shifted(random: Random, zone: Geozone, reach: number): Geozone {
  const [x, y] = [(random() - 0.5) * reach, (random() - 0.5) * reach];
  const geometry = zone.geometry.map(([lon, lat]): Pair => {
    const moved = lon + x;
    return [
      moved > 180 ? moved - 360 : moved < -180 ? moved + 360 : moved,
      Math.max(-90, Math.min(90, lat + y)),
    ];
  });
  const sized = zone.type.key === 'circle' && random() < 0.3 ? { width: (zone.width ?? 0) * random() } : {};
  return { ...zone, ...sized, geometry };
}

function expectSame(index: ZoneIndex, zones: readonly Geozone[], probes: readonly Pair[]): void {
  const plain = new ZoneIndex(zones.slice());
  expect(index.size).toBe(plain.size);
  for (const [i, probe] of probes.entries()) {
    const other = probes[(i + 1) % probes.length]!;
    expect(index.at(probe)).toEqual(plain.at(probe));
    if (Math.abs(probe[0] - other[0]) !== 180)
      expect(index.crossing(probe, other)).toEqual(plain.crossing(probe, other));
    expect(index.nearest(probe, { count: 4 })).toEqual(plain.nearest(probe, { count: 4 }));
    const [west, south] = [Math.min(probe[0], other[0]), Math.min(probe[1], other[1])];
    const [east, north] = [Math.max(probe[0], other[0]), Math.max(probe[1], other[1])];
    expect(index.intersecting([west, south, east, north])).toEqual(
      plain.intersecting([west, south, east, north]),
    );
  }
  for (const zone of zones) expect(index.get(zone.id)).toEqual(zone);
}

test('the memory for moves in place is counted', () => {
  const circle = (lon: number): Geozone => ({
    id: 'a',
    name: '',
    type: { key: 'circle' },
    geometry: [[lon, 55]],
    width: 50,
  });
  const index = new ZoneIndex([circle(37)]);
  const before = index.stats().bytes;
  index.update(circle(38));
  expect(index.stats().bytes).toBeGreaterThan(before);
});

test('zones that move repeatedly are found where they are, and nowhere else', () => {
  const random = seeded(61);
  for (let round = 0; round < (LONG ? 120 : 6); round++) {
    const place = PLACES[round % PLACES.length]!;
    const reach = [0.01, 0.3, 3][round % 3]!;
    const zones = Array.from({ length: 40 }, (_, i) => zoneAt(random, `z${i}`, place, reach));
    const index = new ZoneIndex(zones.slice());
    for (let step = 0; step < 2; step++) {
      const moves = [1, 20, 200][Math.floor(random() * 3)]!;
      for (let i = 0; i < moves; i++) {
        const k = Math.floor(random() * zones.length);
        const zone = shifted(random, zones[k]!, reach);
        try {
          index.update(zone);
          zones[k] = zone;
        } catch {
          // A shape that is clamped at a pole or wrapped at ±180 may be invalid; then the zone keeps its position.
        }
      }
      expectSame(
        index,
        zones,
        Array.from({ length: 4 }, () => probeAt(random, place, reach)),
      );
    }
  }
});

test('a move does not change earlier results: prepared zones, rows, buffers and their other readers', () => {
  const square = (x: number): Geozone => ({
    id: 'a',
    name: 'a',
    type: { key: 'polygon' },
    geometry: [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
    ],
  });
  const index = new ZoneIndex([square(10)]);
  const [prepared, row] = [internalsOf(index)!.prepared('a')!, index.get('a')];
  const buffer = index.toBuffer();
  const bytes = new Uint8Array(buffer.slice(0));
  const [reader, other] = [ZoneIndex.fromBuffer(buffer), ZoneIndex.fromBuffer(buffer)];
  for (const x of [20, 30, 40]) {
    index.update(square(x));
    reader.update(square(x));
    expect(index.at([x + 0.5, 0.5])).toEqual(['a']);
    expect(reader.at([x + 0.5, 0.5])).toEqual(['a']);
    expect(reader.at([x - 9.5, 0.5])).toEqual([]);
  }
  expect(prepared.contains(10.5, 0.5)).toBe(true);
  expect(prepared.contains(40.5, 0.5)).toBe(false);
  expect(row).toEqual(square(10));
  expect(other.at([10.5, 0.5])).toEqual(['a']);
  expect(new Uint8Array(buffer)).toEqual(bytes);
  expect(ZoneIndex.fromBuffer(index.toBuffer()).at([40.5, 0.5])).toEqual(['a']);
});

test('a refused update does not move the zone', () => {
  const circle = (lon: number, width: number): Geozone => ({
    id: 'c',
    name: 'c',
    type: { key: 'circle' },
    geometry: [[lon, 5]],
    width,
  });
  const index = new ZoneIndex([circle(1, 100)]);
  index.update(circle(2, 100));
  expect(() => index.update(circle(3, -1))).toThrow();
  expect(() => index.update({ ...circle(3, 1), geometry: [[3, 95]] })).toThrow();
  expect(index.at([2, 5])).toEqual(['c']);
  expect(index.at([3, 5])).toEqual([]);
  expect(index.get('c')).toEqual(circle(2, 100));
});
