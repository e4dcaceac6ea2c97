/** Area and perimeter of rings of 1,000 vertices, from 10 m to 1,000 km, against geographiclib-geodesic, Turf and cheap-ruler. */

import type { Position } from '../src/index.js';
import { tanhSinhRing } from '../test/geodesy/oracle.js';
import { seeded } from '../test/volume.js';
import { compare } from './harness.js';
import {
  cheapRulerRing,
  geographiclibRing,
  type Measurer,
  ringAround,
  turfRing,
  wayzoneRing,
} from './rings.js';

const VERTICES = 1000;

const RINGS: readonly (readonly [name: string, centre: Position, acrossMeters: number])[] = [
  ['10 m', [37.6, 55.7], 10],
  ['10 km (a city)', [37.6, 55.7], 10_000],
  ['200 km', [37.6, 55.7], 200_000],
  ['1,000 km', [37.6, 55.7], 1_000_000],
  ['1,000 km across the antimeridian', [179.9, -17], 1_000_000],
  ['10 km at 85° N', [20, 85], 10_000],
  ['10 m round the pole', [0, 90], 10],
  ['1,000 km round the pole', [0, 90], 1_000_000],
];

const PEERS: readonly (readonly [name: string, measure: Measurer])[] = [
  ['wayzone measureZone', wayzoneRing],
  ['geographiclib-geodesic Polygon', geographiclibRing],
  ['Turf area + length', turfRing],
  ['cheap-ruler area + lineDistance', cheapRulerRing],
];

/**
 * The table of all sizes. Before timing, wayzone must be within 1e-12 of the oracle. geographiclib must be within 1e-3: its edges are
 * geodesics, and the area of a small ring round a pole is a small difference of large numbers. `precision.ts` shows the errors of Turf and
 * cheap-ruler.
 */
export function measureBench(quick: boolean): string {
  const repeats = quick ? 5 : 30;
  const cases = RINGS.map(([name, centre, across], i) => ({
    name,
    ring: ringAround(centre, across, VERTICES, seeded(i + 1)),
  }));
  for (const { name, ring } of cases) {
    const exact = tanhSinhRing(ring.flat());
    for (const [peer, measure, tolerance] of [
      ['wayzone', wayzoneRing, 1e-12],
      ['geographiclib', geographiclibRing, 1e-3],
    ] as const) {
      const error = Math.abs(measure(ring).area / exact.area - 1);
      if (!(error < tolerance)) throw new Error(`${peer} is off by ${error} on ${name}`);
    }
  }
  const runs = (ring: readonly Position[]): { name: string; run(): number }[] =>
    PEERS.map(([name, measure]) => ({
      name,
      run: (): number => {
        let rings = 0;
        for (let i = 0; i < repeats; i++) if (measure(ring).perimeter > 0) rings++;
        return rings;
      },
    }));
  // Run every ring before timing any, so that all are timed with the same compiled code.
  for (let i = 0; i < 3; i++)
    for (const { ring } of cases) for (const contender of runs(ring)) contender.run();
  const rows = cases.map(({ name, ring }) => {
    const timings = compare(runs(ring), repeats * VERTICES, quick ? 3 : 9);
    const ratios = timings.slice(1).map(({ ratio }) => ratio.toFixed(1));
    return `| ${name} | ${timings[0]!.nsPerOperation.toFixed(0)} | ${ratios.join(' | ')} |`;
  });
  return [
    `### Area and perimeter of a ring of ${VERTICES} vertices, the gate included`,
    '',
    `| Ring | ${PEERS[0]![0]}, ns per vertex | ${PEERS.slice(1)
      .map(([name]) => `${name}, times`)
      .join(' | ')} |`,
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
