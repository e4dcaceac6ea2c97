/** The zones of a company as the operator takes them. */

import type { OperatorPlaces } from 'wayzone/operator';
import type { RuledZones } from './zoneSource.js';

/** The index and the rules may be edited in place: limits are looked up when they are needed. */
export function placesOf({ index, rules }: RuledZones): OperatorPlaces {
  return {
    zones: index,
    hoursOf: rules.hoursOf,
    thresholdsOf: rules.thresholdsOf,
    get speedLimitOf(): (zoneId: string) => number | null {
      return (rules.hasLimits ? rules.limitOf : undefined)!;
    },
  };
}
