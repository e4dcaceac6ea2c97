import fc from 'fast-check';
import { expect, it } from 'vitest';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { StepDistances } from '../../src/geodesy/stepDistances.js';
import { volume } from '../volume.js';

/** Of many tracks: what it keeps changes no distance. */
const distances = new StepDistances();
const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
/** From a fraction of a millimetre to the globe. */
const step = fc
  .tuple(degrees(1), fc.integer({ min: 0, max: 9 }))
  .map(([value, power]) => (90 * value) / 10 ** power);

it('gives what geodesicDistance gives, to a trillionth and 1e-12 m, anywhere on the Earth', () => {
  fc.assert(
    fc.property(
      degrees(180),
      degrees(90),
      fc.array(fc.tuple(step, step), { minLength: 1, maxLength: 8 }),
      (lon, lat, steps) => {
        const [lons, lats] = [[lon], [lat]];
        for (const [east, north] of steps) {
          const next = lons.at(-1)! + east;
          lons.push(next > 180 ? next - 360 : next < -180 ? next + 360 : next);
          lats.push(Math.max(-90, Math.min(90, lats.at(-1)! + north)));
        }
        const meters = new Float64Array(steps.length);
        distances.measure(Float64Array.from(lons), Float64Array.from(lats), 1, lons.length, meters);
        for (const [k, found] of meters.entries()) {
          const exact = geodesicDistance(lons[k]!, lats[k]!, lons[k + 1]!, lats[k + 1]!);
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(1e-12 * exact + 1e-12);
        }
      },
    ),
    { numRuns: volume(20_000) },
  );
});

it('gives exactly 0 for a step to the same place, and for one too short for its digits', () => {
  const meters = new Float64Array(2);
  distances.measure(Float64Array.of(10, 10, 10), Float64Array.of(50, 50, 50 + 1e-200), 1, 3, meters);
  expect([...meters]).toEqual([0, 0]);
});
