/** Generates drives for the meter, the ledger and speeding: rests, gaps, sleeps, missing fields, odometers with resets, the antimeridian. */

import fc from 'fast-check';
import type { Fix } from '../../../src/core/fix.js';
import type { Filled } from '../../../src/core/options.js';
import type { TripDetectorFields } from '../../../src/core/trackSettings.js';
import { type GapOptions, readTrack, type TrackOptions } from '../../../src/tracks/index.js';

export const START = 1_772_438_400_000;
export const INFINITY: number = Number.POSITIVE_INFINITY;
export const ANY_FIX: TrackOptions = {
  maxSpeedKph: INFINITY,
  frozenSpeedKph: INFINITY,
  parkedMeters: INFINITY,
  keepZeroIsland: true,
};

const seconds = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }).map((s) => s * 1000) },
  { weight: 1, arbitrary: fc.constantFrom(3_600_000, 3_600_001, 8_000_000) },
);
const move = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: -60, max: 60 }).map((n) => n * 1e-4) },
  { weight: 2, arbitrary: fc.double({ min: -0.003, max: 0.003, noNaN: true }) },
);
const step = fc.record({
  milliseconds: seconds,
  lon: move,
  lat: move,
  speedKph: fc.oneof(
    fc.constantFrom(undefined, 0, 3, 50, 90),
    fc.integer({ min: 0, max: 1400 }).map((n) => n / 10),
  ),
  ignition: fc.constantFrom(undefined, true, true, false),
  growth: fc.constantFrom<number | null | 'reset'>(null, 0, 10, 250, 1000, 40_000, 'reset'),
});

/** Distinct times in order. */
export function drives(minLength: number, maxLength: number): fc.Arbitrary<Fix[]> {
  return fc
    .record({
      steps: fc.array(step, { minLength, maxLength }),
      lon: fc.constantFrom(37.6, 179.999, -0.001),
      lat: fc.constantFrom(55.7, 0, -71.3),
      hasSpeeds: fc.boolean(),
      hasMileage: fc.boolean(),
    })
    .map(({ steps, lon, lat, hasSpeeds, hasMileage }) => {
      let [time, x, y, mileage] = [START, lon, lat, 50_000];
      return steps.map((one): Fix => {
        time += one.milliseconds;
        x = ((((x + one.lon + 540) % 360) + 360) % 360) - 180;
        y += one.lat;
        if (typeof one.growth === 'number') mileage += one.growth;
        else if (one.growth === 'reset') mileage = 5;
        return {
          time,
          lon: x,
          lat: y,
          ...(hasSpeeds && one.speedKph !== undefined && { speedKph: one.speedKph }),
          ...(one.ignition !== undefined && { ignition: one.ignition }),
          ...(hasMileage && one.growth !== null && { mileageMeters: mileage }),
          ...(hasMileage && typeof one.growth === 'number' && { mileageDeltaMeters: one.growth }),
        };
      });
    });
}

export const trackOf = (fixes: readonly Fix[]): ReturnType<typeof readTrack> => readTrack(fixes, ANY_FIX);

export const settingsArbitrary: fc.Arbitrary<TripDetectorFields> = fc.record({
  tripdetector_mileagedetect: fc.constantFrom(
    'mileage_GPS',
    'mileage_GPS_ignition',
    'mileage_mileage_sensor',
    'mileage_relative_mileage',
  ),
  advanced_mileagecoeff: fc.constantFrom(1, '1', 2.5, 0),
  tripdetector_minmovespeed: fc.constantFrom(3, '10', 0),
  key_tripdetector_movedetect: fc.constantFrom('speedkph', 'ignition'),
  tripdetector_gpscorrect: fc.constantFrom(0, 1),
});

export const gapArbitrary: fc.Arbitrary<Filled<GapOptions>> = fc.record({
  maxGapSeconds: fc.constantFrom(3600, 3600, 20, Number.POSITIVE_INFINITY),
  maxGapMeters: fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 300),
  parkedMeters: fc.constantFrom(200, 0, 20),
});
