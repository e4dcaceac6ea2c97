/** Generates zones around the beginning of a drive. */

import fc from 'fast-check';
import type { Fix } from '../../../src/core/fix.js';
import type { ZoneShape } from '../../../src/core/wire.js';
import { ZoneIndex } from '../../../src/index.js';

type Row = ZoneShape & { readonly id: string };

/** Around 0, 0, in degrees. */
export const PLACES: readonly ZoneShape[] = [
  { type: { key: 'circle' }, geometry: [[0.003, 0.001]], width: 400 },
  { type: { key: 'circle' }, geometry: [[0, 0]], width: 150 },
  { type: { key: 'polygon' }, geometry: [[-0.01, -0.004], [0.002, -0.004], [0.002, 0.006], [-0.01, 0.006]] }, // biome-ignore format: a ring
  { type: { key: 'polygon' }, geometry: [[0.002, -0.004], [0.012, -0.004], [0.012, 0.006], [0.002, 0.006]] }, // biome-ignore format: a ring
  { type: { key: 'line' }, geometry: [[-0.01, 0.003], [0.004, 0.002], [0.006, -0.008]], width: 300 }, // biome-ignore format: a line
  { type: { key: 'point' }, geometry: [[0.001, -0.001]], width: 60 },
];

export const zonesArbitrary: fc.Arbitrary<number[]> = fc.shuffledSubarray([...PLACES.keys()]);

/** The zones in order, moved to where the drive begins, with the rows of the index. */
export function indexOf(
  numbers: readonly number[],
  fixes: readonly Fix[],
  boundary: 'closed' | 'half-open' = 'closed',
): ZoneIndex & { readonly rows: readonly Row[] } {
  const { lon = 37.6, lat = 55.7 } = fixes[0] ?? {};
  const rows = numbers.map((number): Row => {
    const { geometry, ...shape } = PLACES[number]!;
    const moved = (geometry as [number, number][]).map(([x, y]) => [lon + x, lat + y] as const);
    return { ...shape, id: `z${number}`, geometry: moved };
  });
  return Object.assign(new ZoneIndex(rows as never, { boundary }), { rows });
}
