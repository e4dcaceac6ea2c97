/** Times the validation of polygons beside JTS's IsValidOp: long rings of hard kinds, and ten thousand small zones. */

import { selfIntersections } from '../src/planar/selfIntersections.js';
import { shapeProblems } from '../src/zones/shapeProblems.js';
import { jstsProblem } from '../test/oracle/jstsValidity.js';
import { LONG_RINGS, round } from '../test/planar/longRings.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';

type Ring = [number, number][];

/** Scales a ring into 100° × 80°, so that its pairs are valid positions. */
function positions(ring: readonly number[]): Ring {
  const x = ring.filter((_, i) => i % 2 === 0);
  const y = ring.filter((_, i) => i % 2 === 1);
  const scale = (values: readonly number[], size: number): number[] => {
    const low = values.reduce((a, b) => Math.min(a, b));
    const high = values.reduce((a, b) => Math.max(a, b));
    return values.map((value) => ((value - low) / (high - low) - 0.5) * size);
  };
  const lats = scale(y, 80);
  return scale(x, 100).map((lon, i): [number, number] => [lon, lats[i]!]);
}

const isValid = (geometry: Ring): boolean =>
  shapeProblems({ type: { key: 'polygon' }, geometry }).length === 0;

/** JTS takes time quadratic in the spikes of a star, so both validate a fiftieth of the vertices. */
function longRings(count: number): string {
  return Object.entries(LONG_RINGS)
    .map(([name, make]) => {
      const long = Float64Array.from(make(count, seeded(1)));
      const ring = positions(make(count / 50, seeded(1)));
      return [
        table(
          `Self-intersection: ${name}, ${count} vertices (ns for the whole ring)`,
          compare([{ name: 'wayzone selfIntersections', run: () => selfIntersections(long, 1).length }], 1),
        ),
        table(
          `Validity: ${name}, ${count / 50} vertices (ns for the whole ring)`,
          compare(
            [
              { name: 'wayzone shapeProblems', run: () => (isValid(ring) ? 1 : 0) },
              { name: 'jsts IsValidOp', run: () => (jstsProblem([[ring]]) === null ? 1 : 0) },
            ],
            1,
            1,
          ),
        ),
      ].join('\n');
    })
    .join('\n');
}

/** Stars. Every other one has a bay, so that it is not star-shaped around the middle of its box. */
function smallZones(count: number): string {
  const random = seeded(2);
  const zones = Array.from({ length: count }, (_, k): Ring => {
    const [lon, lat] = [random() * 300 - 150, random() * 100 - 50];
    const ring = [...round(40, (i) => [(2 * Math.PI * i) / 40, 0.005 + 0.005 * random()])];
    const pairs = ring.flatMap((x, i): Ring => (i % 2 === 0 ? [[lon + x, lat + ring[i + 1]!]] : []));
    if (k % 2 === 0) pairs[10] = [lon + 0.0001, lat - 0.003];
    return pairs;
  });
  return table(
    `Validity: ${count} zones of 40 vertices`,
    compare(
      [
        { name: 'wayzone shapeProblems', run: () => zones.filter(isValid).length },
        { name: 'jsts IsValidOp', run: () => zones.filter((ring) => jstsProblem([[ring]]) === null).length },
      ],
      count,
      3,
    ),
  );
}

export function validityBench(quick: boolean): string {
  return [longRings(quick ? 10_000 : 100_000), smallZones(quick ? 1_000 : 10_000)].join('\n');
}
