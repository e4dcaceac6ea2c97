/** Validates 10,000 geozones of 40 vertices with `validateGeozone`, and with each of its parts. */

import { Compile } from 'typebox/compile';
import { GeozoneInputSchema, validateGeozone } from '../src/schemas/index.js';
import { shapeProblems } from '../src/zones/shapeProblems.js';
import { compare, table } from './harness.js';

const ID = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';

/** Seeded star-shaped rings. */
function zones(count: number, vertices: number): object[] {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return Array.from({ length: count }, (_, zone) => {
    const [lon, lat] = [37 + random(), 55 + random()];
    return {
      id: ID,
      name: `Zone ${zone}`,
      type: { key: 'polygon' },
      geometry: Array.from({ length: vertices }, (_, i) => {
        const radius = 0.005 * (0.5 + random());
        const angle = (2 * Math.PI * i) / vertices;
        return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
      }),
      color: { key: '#1585D8' },
      icon: { key: 'school' },
      is_show_on_map: true,
      companies: [{ id: ID }],
      created: '2026-11-21T08:00:00Z',
    };
  });
}

export function schemasBench(quick: boolean): string {
  const count = quick ? 1000 : 10_000;
  const all = zones(count, 40);
  const compiled = Compile(GeozoneInputSchema);
  const counted = (isValid: (zone: object) => boolean) => (): number =>
    all.reduce((sum, zone) => sum + (isValid(zone) ? 1 : 0), 0);
  const timings = compare(
    [
      { name: 'validateGeozone', run: counted((zone) => validateGeozone(zone) !== zone) },
      {
        name: 'its geometry alone (shapeProblems)',
        run: counted((zone) => shapeProblems(zone as never).length === 0),
      },
      {
        name: 'TypeBox Compile().Check alone: no rings, no copy',
        run: counted((zone) => compiled.Check(zone)),
      },
      { name: 'structuredClone, for comparison', run: counted((zone) => structuredClone(zone) !== zone) },
    ],
    count,
    quick ? 3 : 9,
  );
  return table(`Validation, ${count} geozones of 40 vertices (per geozone)`, timings);
}
