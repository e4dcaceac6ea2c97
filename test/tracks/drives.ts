/** Generates days of a vehicle: drives, traffic lights, parkings with drift and blips, gaps, jumps, fixes without speed. */

import type { Fix } from '../../src/core/fix.js';
import type { MovementOptions, TripDetectorFields } from '../../src/tracks/index.js';
import { pick } from './journeys.js';
import type { SlowSettings } from './oracle/slowMovement.js';
import { fixAt } from './planeIndex.js';

/** Numbers as numbers or as text, as in custom fields. */
export function randomSettings(random: () => number): {
  settings: TripDetectorFields;
  options: MovementOptions;
  slow: SlowSettings;
} {
  const slow: SlowSettings = {
    minparktime: pick(random, [0, 60, 120, 300]),
    minmovespeed: pick(random, [0, 3, 10]),
    mintripdist: pick(random, [0, 100, 400]),
    mintriptime: pick(random, [0, 60, 150]),
    maxdistancemsg: pick(random, [300, 1000, Number.POSITIVE_INFINITY]),
    maxintervalmsg: pick(random, [100, 600, 3600]),
    mileagecoeff: pick(random, [1, 1.05, 0.5]),
    ignition: random() < 0.4,
    gpscorrect: random() < 0.4,
    maxJumpSpeedKph: pick(random, [null, 150]),
    mileage: pick(random, [
      'mileage_GPS',
      'mileage_GPS',
      'mileage_GPS_ignition',
      'mileage_mileage_sensor',
      'mileage_relative_mileage',
    ] as const),
  };
  const text = (value: number): number | string =>
    random() < 0.5 || value === Number.POSITIVE_INFINITY ? value : ` ${value} `;
  const settings: TripDetectorFields = {
    tripdetector_minparktime: text(slow.minparktime),
    tripdetector_minmovespeed: text(slow.minmovespeed),
    tripdetector_mintripdist: text(slow.mintripdist),
    tripdetector_mintriptime: text(slow.mintriptime),
    tripdetector_maxdistancemsg: text(slow.maxdistancemsg),
    advanced_maxintervalmsg: text(slow.maxintervalmsg),
    advanced_mileagecoeff: text(slow.mileagecoeff),
    key_tripdetector_movedetect: slow.ignition ? 'ignition' : 'speedkph',
    tripdetector_gpscorrect: slow.gpscorrect ? text(1) : 0,
    ...(slow.mileage !== 'mileage_GPS' && { tripdetector_mileagedetect: slow.mileage }),
  };
  const options: MovementOptions =
    slow.maxJumpSpeedKph === null ? {} : { jump: 'speed', maxJumpSpeedKph: slow.maxJumpSpeedKph };
  return { settings, options, slow };
}

/** In order of time, distinct times. */
export function drive(random: () => number, length: number): Fix[] {
  const fixes: Fix[] = [];
  const sends = { speed: random() < 0.8, ignition: random() < 0.6 };
  const mileages = { odometer: random() < 0.7, growth: random() < 0.7 };
  let odometer = Math.round(1e6 * random());
  let [seconds, x, y, heading] = [0, 0, 0, 0];
  while (fixes.length < length) {
    const mode = pick(random, ['drive', 'drive', 'light', 'park', 'blip', 'gap', 'jump'] as const);
    const steps = { drive: 8, light: 2, park: 8, blip: 1, gap: 1, jump: 1 }[mode];
    heading += random() * 3;
    for (let k = 0; k < 1 + random() * steps; k++) {
      const period = mode === 'gap' ? pick(random, [90, 500, 700, 4000]) : pick(random, [5, 30, 60]);
      const isDriving = mode === 'drive' || mode === 'blip';
      const kph = isDriving ? 5 + 60 * random() : 0;
      const meters = mode === 'jump' ? 3000 * random() : isDriving ? (kph / 3.6) * period : 4 * random();
      seconds += period;
      x += meters * Math.cos(heading);
      y += meters * Math.sin(heading);
      const speedKph = isDriving ? kph : random() * 2.9;
      const growth = Math.round(meters * (0.9 + 0.2 * random())) + (random() < 0.01 ? 1e6 : 0);
      odometer = random() < 0.01 ? 0 : odometer + growth;
      fixes.push(
        fixAt(seconds, x, y, {
          ...(sends.speed && random() < 0.9 && { speedKph }),
          ...(sends.ignition && random() < 0.9 && { ignition: isDriving || random() < 0.3 }),
          ...(mileages.odometer && random() < 0.8 && { mileageMeters: odometer }),
          ...(mileages.growth && random() < 0.8 && { mileageDeltaMeters: growth }),
        }),
      );
    }
  }
  return fixes;
}
