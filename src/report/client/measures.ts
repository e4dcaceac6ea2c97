/** Converts amounts to the page's units. */

import { MEASURE_SYSTEMS, type MeasureSystem } from '../measureSystem.js';

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
  const { wayMeters, lengthMeters } = MEASURE_SYSTEMS[system];
  const by =
    (divisor: number): Convert =>
    (value) =>
      (value === null ? null : value / divisor) as typeof value;
  return {
    system,
    way: by(wayMeters),
    speed: by(wayMeters / 1000),
    length: by(lengthMeters),
    area: by(lengthMeters ** 2),
  };
}
