/** The zone index against Turf: in a loop over all zones, as most backends begin, and behind rbush. */

import { booleanPointInPolygon, bbox as turfBbox } from '@turf/turf';
import RBush from 'rbush';
import type { Geozone, Position } from '../src/index.js';
import { ZoneIndex } from '../src/index.js';
import { seeded } from '../test/volume.js';
import { compare, type Timing, table } from './harness.js';

/** Star polygons of 4 to 64 vertices, 100 m to 1 km across, around 50 cities; 70 % of the positions fall near a zone. */
export function cities(count: number, seed: number): { zones: Geozone[]; positions: Float64Array } {
  const random = seeded(seed);
  const centres = Array.from({ length: 50 }, (): Position => [random() * 300 - 150, random() * 120 - 60]);
  const zones: Geozone[] = [];
  const near: Position[] = [];
  for (let i = 0; i < count; i++) {
    const [cityLon, cityLat] = centres[i % centres.length]!;
    const lon = cityLon + (random() + random() - 1) * 0.5;
    const lat = cityLat + (random() + random() - 1) * 0.4;
    const vertices = 4 + Math.floor(random() * 61);
    const radius = (100 + random() * 900) / 111_000;
    const geometry = Array.from({ length: vertices }, (_, k): [number, number] => {
      const angle = (2 * Math.PI * k) / vertices;
      const reach = radius * (0.5 + random() / 2);
      return [
        lon + (reach * Math.cos(angle)) / Math.cos((lat * Math.PI) / 180),
        lat + reach * Math.sin(angle),
      ];
    });
    zones.push({ id: `z${i}`, name: `zone ${i}`, type: { key: 'polygon' }, geometry });
    near.push([lon, lat]);
  }
  const positions = new Float64Array(2 * 20_000);
  for (let i = 0; i < positions.length; i += 2) {
    const [lon, lat] = near[Math.floor(random() * near.length)]!;
    const anywhere = random() < 0.3;
    positions[i] = anywhere ? random() * 360 - 180 : lon + (random() - 0.5) * 0.02;
    positions[i + 1] = anywhere ? random() * 150 - 75 : lat + (random() - 0.5) * 0.02;
  }
  return { zones, positions };
}

function bench(count: number, probes: number): Timing[] {
  const { zones, positions } = cities(count, 20261121);
  const lonLat = positions.subarray(0, 2 * probes);
  const index = new ZoneIndex(zones);
  const features = zones.map((zone, i) => ({
    type: 'Feature' as const,
    properties: { i },
    geometry: {
      type: 'Polygon' as const,
      coordinates: [[...zone.geometry, zone.geometry[0]!].map(([x, y]) => [x, y])],
    },
  }));
  const tree = new RBush<{ minX: number; minY: number; maxX: number; maxY: number; i: number }>();
  tree.load(
    features.map((feature, i) => {
      const [minX, minY, maxX, maxY] = turfBbox(feature) as [number, number, number, number];
      return { minX, minY, maxX, maxY, i };
    }),
  );
  const overPositions = (visit: (lon: number, lat: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < lonLat.length; i += 2) sum += visit(lonLat[i]!, lonLat[i + 1]!);
    return sum;
  };
  return compare(
    [
      {
        name: 'wayzone ZoneIndex.atMany',
        run: () => index.atMany(lonLat).zones.reduce((sum, ordinal) => sum + ordinal + 1, 0),
      },
      {
        name: 'rbush + Turf',
        run: () =>
          overPositions((lon, lat) => {
            let sum = 0;
            for (const { i } of tree.search({ minX: lon, minY: lat, maxX: lon, maxY: lat })) {
              if (booleanPointInPolygon([lon, lat], features[i]!)) sum += i + 1;
            }
            return sum;
          }),
      },
      {
        name: 'Turf in a loop',
        run: () =>
          overPositions((lon, lat) => {
            let sum = 0;
            features.forEach((feature, i) => {
              if (booleanPointInPolygon([lon, lat], feature)) sum += i + 1;
            });
            return sum;
          }),
      },
    ],
    probes,
    count > 5_000 ? 3 : 5,
  );
}

export function zoneIndexBench(quick: boolean): string {
  const sizes = quick
    ? ([
        [100, 2_000],
        [1_000, 500],
      ] as const)
    : ([
        [100, 10_000],
        [1_000, 2_000],
        [10_000, 200],
      ] as const);
  return sizes
    .map(([count, probes]) =>
      table(`Zones of a position: ${count} zones, ${probes} positions`, bench(count, probes)),
    )
    .join('\n');
}
