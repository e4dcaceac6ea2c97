import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { lowerFloat, upperFloat } from '../../../src/zones/shapes/shapeColumns.js';
import { exactPointInRing, exactPointInRingHalfOpen } from '../../oracle/exact.js';
import { LONG, seeded, volume } from '../../volume.js';
import { PLACES, zoneAt } from '../generators.js';
import { type PlainZone, plainZone } from '../oracle/plainZones.js';
import { corners, isZone, polygon } from './worlds.js';

/** The reference point of a square, as a share of its width and height; it is not the centre. */
const REFERENCE_X = 0.4879;
const REFERENCE_Y = 0.5233;

type Random = () => number;

/** Zones at the corners of the region, which fix the grid at 8 × 8 cells. */
const SIZE = 64;
const CORNERS = corners(0, 0, SIZE);
const WEST = lowerFloat(0);
const CELL = (upperFloat(SIZE) - WEST) / 8;

/** The reference point or the corner of a cell or of a part of it, or a position very near it. */
function probeNear(random: Random, centre: Pair): Pair {
  const parts = 2 ** Math.floor(random() * 7);
  const size = CELL / parts;
  const column = Math.floor((centre[0] - WEST) / size) + Math.floor(random() * 4) - 1;
  const row = Math.floor((centre[1] - WEST) / size) + Math.floor(random() * 4) - 1;
  const isCorner = random() < 0.2;
  const hair = [0, 0, 1e-9, -1e-9, 1e-12, 1e-6][Math.floor(random() * 6)]! * size;
  const x = WEST + (column + (isCorner ? 0 : REFERENCE_X)) * size + hair;
  const y = WEST + (row + (isCorner ? 0 : REFERENCE_Y)) * size + (random() < 0.5 ? hair : 0);
  return [Math.min(SIZE, Math.max(0, x)), Math.min(SIZE, Math.max(0, y))];
}

/** Rings through the reference points of cells: by vertices, and by horizontal and vertical edges. */
function ringThrough(random: Random, centre: Pair): Pair[] {
  const ring: Pair[] = [];
  let last: Pair = probeNear(random, centre);
  for (let i = 0; i < 3 + Math.floor(random() * 8); i++) {
    const next = probeNear(random, centre);
    const kind = random();
    last = kind < 0.3 ? [last[0], next[1]] : kind < 0.6 ? [next[0], last[1]] : next;
    ring.push(last);
  }
  return ring;
}

test.each(['closed', 'half-open'] as const)('edges through the reference points of cells: %s', (boundary) => {
  const random = seeded(boundary === 'closed' ? 171 : 172);
  let hits = 0;
  for (let round = 0; round < volume(200); round++) {
    const centre: Pair = [random() * SIZE, random() * SIZE];
    const zones = Array.from({ length: 60 }, (_, i) => polygon(`${i}`, ringThrough(random, centre))).filter(
      isZone,
    );
    const index = new ZoneIndex([...CORNERS, ...zones], { boundary });
    index.learnAll();
    for (let k = 0; k < 80; k++) {
      const place = probeNear(random, centre);
      const probe: Pair =
        random() < 0.5 ? place : [place[0] + (random() - 0.5) * 2, place[1] + (random() - 0.5) * 2];
      if (Math.abs(probe[0]) > 180 || Math.abs(probe[1]) > 90) continue;
      const ids = zones.flatMap(({ id, geometry }) => {
        const flat = geometry.flatMap((pair) => [...pair]);
        const inside =
          boundary === 'closed'
            ? exactPointInRing(probe[0], probe[1], flat) >= 0
            : exactPointInRingHalfOpen(probe[0], probe[1], flat);
        return inside ? [id] : [];
      });
      hits += ids.length;
      expect({ probe, ids: index.at(probe).filter((id) => id !== 'sw' && id !== 'ne') }).toEqual({
        probe,
        ids,
      });
    }
  }
  expect(hits).toBeGreaterThan(100);
});

test('an edit changes only the answers that it must, with all cells learnt', () => {
  const random = seeded(173);
  for (let round = 0; round < (LONG ? 60 : 3); round++) {
    const place = PLACES[round % PLACES.length]!;
    const make = (id: string): Geozone => {
      const lon = place[0] + (random() - 0.5) * 0.1;
      const lat = Math.max(-90, Math.min(90, place[1] + (random() - 0.5) * 0.1));
      return zoneAt(
        random,
        id,
        [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat],
        0.003 + random() * 0.02,
      );
    };
    const zones = new Map(
      Array.from({ length: 300 }, (_, i) => [`z${i}`, make(`z${i}`)] as [string, Geozone]),
    );
    const index = new ZoneIndex(zones.values());
    index.learnAll();
    const prepared = new Map([...zones].map(([id, zone]) => [id, plainZone(zone)] as [string, PlainZone]));
    for (let step = 0; step < 60; step++) {
      const id = `z${Math.floor(random() * 320)}`;
      const zone = make(id);
      if (!zones.has(id)) index.add(zone);
      else if (random() < 0.3) index.remove(id);
      else index.update(zone);
      if (!index.has(id)) {
        zones.delete(id);
        prepared.delete(id);
      } else if (zones.has(id) || index.has(id)) {
        zones.set(id, zone);
        prepared.set(id, plainZone(zone));
      }
      for (let k = 0; k < 4; k++) {
        const [lon, lat] = zone.geometry[0]!;
        const probe: Pair =
          k === 0 ? [lon, lat] : [lon + (random() - 0.5) * 0.02, lat + (random() - 0.5) * 0.02];
        if (Math.abs(probe[0]) >= 180 || Math.abs(probe[1]) > 90) continue;
        const ids = [...prepared].flatMap(([name, known]) =>
          known.contains(probe[0], probe[1]) ? [name] : [],
        );
        expect({ probe, ids: index.at(probe).sort() }).toEqual({ probe, ids: ids.sort() });
      }
    }
  }
});

test('edits before the grid is made are in the grid', () => {
  const random = seeded(174);
  const make = (i: number, lon: number): Geozone => ({
    id: `${i}`,
    name: '',
    type: { key: 'circle' },
    geometry: [[lon, random() * 2]],
    width: 300,
  });
  const rows = Array.from({ length: 6000 }, (_, i) => make(i, random() * 2));
  const index = new ZoneIndex(rows.slice());
  expect(index.at([1, 1])).toEqual(new ZoneIndex(rows.slice(), { maxMemoryBytes: 0 }).at([1, 1]));
  for (let i = 0; i < 40; i++) {
    rows[i] = make(i, random() * 2);
    index.update(rows[i]!);
    const more = make(6000 + i, random() * 2);
    rows.push(more);
    index.add(more);
    index.remove(`${i + 100}`);
  }
  const left = rows.filter((_, i) => i < 100 || i >= 140);
  const plain = new ZoneIndex(left, { maxMemoryBytes: 0 });
  const places = [
    ...left.map(({ geometry }) => geometry[0]!),
    ...rows.slice(100, 140).map(({ geometry }) => geometry[0]!),
  ];
  for (let round = 0; round < 2; round++) {
    for (const place of places)
      expect({ place, ids: index.at(place).sort() }).toEqual({ place, ids: plain.at(place).sort() });
  }
});
