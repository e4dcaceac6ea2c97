/** Number fields of a fix, in the order of `Fix`. */

import type { FixNumberName } from '../../core/fix.js';

export interface FixNumber {
  readonly name: FixNumberName;
  /** Name of the quantity in tables. */
  readonly quantity: 'speed' | 'course' | 'altitude' | 'accuracy' | 'satellites' | 'mileage' | 'mileageDelta';
  /** Least valid value. */
  readonly least: number;
  /** Whether digits may be grouped. */
  readonly hasGroups: boolean;
}

const NO_LEAST = Number.NEGATIVE_INFINITY;

export const FIX_NUMBERS: readonly FixNumber[] = [
  { name: 'speedKph', quantity: 'speed', least: 0, hasGroups: false },
  { name: 'courseDegrees', quantity: 'course', least: NO_LEAST, hasGroups: false },
  { name: 'altitudeMeters', quantity: 'altitude', least: NO_LEAST, hasGroups: true },
  { name: 'accuracyMeters', quantity: 'accuracy', least: 0, hasGroups: false },
  { name: 'satellites', quantity: 'satellites', least: 0, hasGroups: false },
  { name: 'mileageMeters', quantity: 'mileage', least: 0, hasGroups: true },
  { name: 'mileageDeltaMeters', quantity: 'mileageDelta', least: 0, hasGroups: true },
];
