/** Amounts in the page's units: kilometres or miles. */

import { METERS_PER_MILE, type MeasureSystem } from '../measureSystem.js';

const METERS_PER_FOOT = 0.3048;
/** Speeds are in km/h everywhere. */
const KM_PER_MILE = METERS_PER_MILE / 1000;

type Convert = <T extends number | null>(value: T) => T;

export interface Measures {
  readonly system: MeasureSystem;
  /** Metres to kilometres or miles. */
  readonly way: Convert;
  /** km/h to km/h or mph. */
  readonly speed: Convert;
  /** Metres to metres or feet. */
  readonly length: Convert;
  /** Square metres to square metres or square feet. */
  readonly area: Convert;
}

export function createMeasures(system: MeasureSystem): Measures {
  const isKm = system === 'km';
  const by =
    (divisor: number): Convert =>
    (value) =>
      (value === null ? null : value / divisor) as typeof value;
  return {
    system,
    way: by(isKm ? 1000 : METERS_PER_MILE),
    speed: by(isKm ? 1 : KM_PER_MILE),
    length: by(isKm ? 1 : METERS_PER_FOOT),
    area: by(isKm ? 1 : METERS_PER_FOOT ** 2),
  };
}
