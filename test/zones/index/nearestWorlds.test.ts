import { expect, test } from 'vitest';
import { type Geozone, type Position, ZoneIndex } from '../../../src/index.js';
import { LONG, seeded } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';
import { plainZone } from '../oracle/plainZones.js';
import { box, circle, polygon } from './worlds.js';

type Random = () => number;

/** Zones by true distance; the sort is stable, so equals stay in order of insertion. */
function scan(zones: readonly Geozone[], [lon, lat]: Position): { id: string; distanceMeters: number }[] {
  return zones
    .map((zone) => ({
      id: zone.id,
      distanceMeters: Math.max(0, plainZone(zone).signedDistanceMeters(lon === -180 ? 180 : lon, lat)),
    }))
    .sort((p, q) => p.distanceMeters - q.distanceMeters);
}

const anywhere = (random: Random): Position => [random() * 360 - 180, random() * 180 - 90];

/** Worlds of very unequal spread: the grids have few cells in use, many parts in a cell, or one part for all. */
const WORLDS: Readonly<Record<string, (random: Random) => Geozone[]>> = {
  'in one city and one far from it': (random) => [
    ...Array.from({ length: 150 }, (_, i) => zoneAt(random, `c${i}`, [37.6, 55.7], 0.1)),
    zoneAt(random, 'far', [-120, -40], 0.1),
  ],
  'at hard places': (random) =>
    Array.from({ length: 120 }, (_, i) => zoneAt(random, `p${i}`, PLACES[i % PLACES.length]!, 0.3)),
  'all at one place': (random) => {
    const zone = zoneAt(random, '', [10, 10], 0.2);
    return Array.from({ length: 60 }, (_, i) => ({ ...zone, id: `s${i}` }));
  },
  'stacked with different radii': (random) =>
    Array.from({ length: 80 }, (_, i) => circle(`r${i}`, 10, 50, 1 + Math.floor(random() * 40) * 100)),
  'as wide as the world, over small ones': (random) => [
    ...Array.from({ length: 30 }, (_, i) =>
      polygon(`w${i}`, box(-170 + random() * 40, -85 + random() * 30, 60, 40 + random() * 45)),
    ),
    ...Array.from({ length: 80 }, (_, i) =>
      zoneAt(random, `n${i}`, [random() * 340 - 170, random() * 160 - 80], 0.2),
    ),
  ],
  'all over the map': (random) =>
    Array.from({ length: 200 }, (_, i) => zoneAt(random, `m${i}`, anywhere(random), 0.5)),
  'at one latitude': (random) =>
    Array.from({ length: 90 }, (_, i) => circle(`l${i}`, random() * 360 - 180, 0, 0)),
};

test.each(Object.entries(WORLDS))('nearest equals a sorted scan for zones %s', (_, worldOf) => {
  const random = seeded(4711);
  for (let round = 0; round < (LONG ? 6 : 2); round++) {
    const zones = worldOf(random);
    const index = new ZoneIndex(zones);
    const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer(), { verify: false });
    const probes = [
      anywhere(random),
      anywhere(random),
      probeAt(random, PLACES[round % PLACES.length]!, 1),
      zones[round % zones.length]!.geometry[0]!,
      [180, 90] as const,
      [0, -90] as const,
    ];
    for (const probe of probes) {
      const all = scan(zones, probe);
      const count = 1 + Math.floor(random() * zones.length);
      expect(index.nearest(probe)).toEqual(all.slice(0, 1));
      expect(opened.nearest(probe, { count })).toEqual(all.slice(0, count));
      const maxMeters = all[Math.floor(random() * all.length)]!.distanceMeters;
      expect(opened.nearest(probe, { count: 999, maxMeters })).toEqual(
        all.filter(({ distanceMeters }) => distanceMeters <= maxMeters),
      );
    }
    // The edited zones are in the tree, the others in the lists, some of them removed.
    const edited = new Map(zones.map((zone) => [zone.id, zone]));
    for (let i = 0; i < 12; i++) {
      const id = zones[Math.floor(random() * zones.length)]!.id;
      if (i % 3 === 0) {
        edited.delete(id);
        opened.remove(id);
        continue;
      }
      const zone = zoneAt(random, i % 3 === 1 ? id : `new ${i}`, PLACES[i % PLACES.length]!, 0.4);
      if (edited.has(zone.id)) opened.update(zone);
      else opened.add(zone);
      edited.set(zone.id, zone);
    }
    for (const probe of probes)
      expect(opened.nearest(probe, { count: 20 })).toEqual(scan([...edited.values()], probe).slice(0, 20));
  }
});

test('nearest treats a repeated removal of nearly all zones as a small index', () => {
  const random = seeded(99);
  const zones = Array.from({ length: 1200 }, (_, i) => circle(`z${i}`, random() * 40, random() * 40, 10 + i));
  const index = new ZoneIndex(zones);
  for (const { id } of zones.slice(0, 1190)) index.remove(id);
  const rest = zones.slice(1190);
  for (let i = 0; i < 20; i++) {
    const probe: Position = [random() * 60 - 10, random() * 60 - 10];
    expect(index.nearest(probe, { count: 4 })).toEqual(scan(rest, probe).slice(0, 4));
  }
});
