/** Distances to long borders: from the sixth on they come from a tree, and must be those of each edge. */

import { expect, test } from 'vitest';
import { type Geozone, type Position, signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';

/** The places have borders across the antimeridian, around a pole, along a pole and in a town. */
const CENTRES: readonly Position[] = wkt('37.6 55.7, 179.9995 -17, -70 78, 0 0');

type Ring = [number, number][];

function star([lon, lat]: Position, reach: number, count: number, random: () => number): Ring {
  const wide = Math.max(0.05, Math.cos((lat * Math.PI) / 180));
  const ring = Array.from({ length: count }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i + 0.4 * random())) / count;
    const meters = reach * (0.5 + 0.5 * random());
    const x = lon + (meters * Math.cos(angle)) / wide;
    return [x > 180 ? x - 360 : x < -180 ? x + 360 : x, lat + meters * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

/** A polygon of one part with or without a hole, of several parts, or around a pole. */
function polygonOf(random: () => number): {
  readonly at: Position;
  readonly reach: number;
  readonly zone: Geozone;
} {
  const at = CENTRES[Math.floor(random() * CENTRES.length)]!;
  const reach = [1e-3, 0.1, 3][Math.floor(3 * random())]!;
  const zone = (shape: object): Geozone =>
    ({ id: 'z', name: 'z', type: { key: 'polygon' }, ...shape }) as Geozone;
  const dice = random();
  if (dice < 0.2) {
    const cap = Array.from({ length: 60 }, (_, i): [number, number] => [6 * i - 180, 70 + 15 * random()]);
    return {
      at: [0, 80],
      reach: 8,
      zone: zone({ geometry: [...cap, [180, cap[0]![1]], [180, 90], [-180, 90], cap[0]!] }),
    };
  }
  const outer = star(at, reach, 40 + Math.floor(60 * random()), random);
  if (dice < 0.5) return { at, reach, zone: zone({ geometry: outer }) };
  if (dice < 0.75)
    return { at, reach, zone: zone({ parts: [[outer, star(at, reach / 4, 30, random).reverse()]] }) };
  const beside: Position = [at[0], at[1] - 2.5 * reach];
  return { at, reach, zone: zone({ parts: [[outer], [star(beside, reach, 25, random)]] }) };
}

test('the distance to a long border is that of its edges, before and after a tree is made', () => {
  const random = seeded(641);
  let [inside, outside] = [0, 0];
  for (let n = 0; n < volume(1500); n++) {
    const { at, reach, zone } = polygonOf(random);
    const index = new ZoneIndex([zone]);
    for (let k = 0; k < 12; k++) {
      const spread = reach * 10 ** (1.5 * random() - 0.5);
      const lon = at[0] + spread * (2 * random() - 1);
      const position: Position = [
        lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon,
        Math.max(-90, Math.min(90, at[1] + spread * (2 * random() - 1))),
      ];
      // A shape that is prepared for one question measures edge by edge.
      const meters = signedDistanceMeters(zone, position);
      const [found] = index.nearest(position);
      expect(found, JSON.stringify([zone, position])).toEqual({
        id: 'z',
        distanceMeters: Math.max(0, meters),
      });
      if (meters > 0) outside++;
      else inside++;
    }
  }
  expect(Math.min(inside, outside)).toBeGreaterThan(volume(1500));
});
