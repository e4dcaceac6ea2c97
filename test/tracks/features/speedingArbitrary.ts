import fc from 'fast-check';
import type { Fix } from '../../../src/core/fix.js';
import { START } from './drivesArbitrary.js';
import { PLACES } from './zonesArbitrary.js';

/** A drive whose speeds mostly fit its positions: some are missing, some contradicted, some gaps. */
export const fastDrives: fc.Arbitrary<Fix[]> = fc
  .record({
    steps: fc.array(
      fc.record({
        seconds: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 1, max: 25 }) },
          { weight: 1, arbitrary: fc.constantFrom(3600, 4000) },
        ),
        kph: fc.constantFrom(0, 20, 45, 50, 60, 80, 80, 95, 110, 130),
        turn: fc.integer({ min: -2, max: 2 }),
        report: fc.constantFrom<'true' | 'none' | 'wrong' | 'round'>(
          'true',
          'true',
          'true',
          'none',
          'wrong',
          'round',
        ),
        isStill: fc.boolean(),
      }),
      { minLength: 0, maxLength: 16 },
    ),
    lon: fc.constantFrom(37.6, 179.998),
    lat: fc.constantFrom(55.7, 0.001),
  })
  .map(({ steps, lon, lat }) => {
    let [time, x, y, course] = [START, lon, lat, 0.3];
    return steps.map(({ seconds, kph, turn, report, isStill }): Fix => {
      const meters = report === 'wrong' && isStill ? 0 : Math.min(1500, (kph / 3.6) * seconds);
      time += seconds * 1000;
      course += turn * 0.7;
      x += (meters * Math.sin(course)) / 111_320 / Math.cos((lat * Math.PI) / 180);
      y += (meters * Math.cos(course)) / 111_320;
      const speedKph =
        report === 'wrong' ? 140 - kph : report === 'round' ? 10 * Math.round(kph / 10) + 5 : kph;
      return { time, lon: x > 180 ? x - 360 : x, lat: y, ...(report !== 'none' && { speedKph }) };
    });
  });

export const limitsArbitrary: fc.Arbitrary<{
  limitKph: number | undefined;
  zoneLimits: Record<string, number>;
  overlap: 'lowest' | 'highest';
  combine: 'zone' | 'lowest';
  toleranceKph: number;
  minSeconds: number;
  trustSpeeds: boolean;
}> = fc.record({
  limitKph: fc.constantFrom(undefined, 50, 90, 80),
  zoneLimits: fc
    .array(fc.constantFrom(null, 30, 50, 80, 100), { minLength: PLACES.length, maxLength: PLACES.length })
    .map((limits) => Object.fromEntries(limits.flatMap((kph, i) => (kph === null ? [] : [[`z${i}`, kph]])))),
  overlap: fc.constantFrom('lowest', 'highest'),
  combine: fc.constantFrom('zone', 'lowest'),
  toleranceKph: fc.constantFrom(0, 0, 5, 15),
  minSeconds: fc.constantFrom(0, 0, 4, 20),
  trustSpeeds: fc.boolean(),
});
