/** Sums of a trip between its first and its last fix: M17, M18. */

import type { MovementRules } from '../movementRules.js';
import {
  CHANGED_AT,
  FINE,
  FIXES,
  KNOWN,
  MICROMETERS,
  OFF_MS,
  OFF_STEPS,
  REST_STEPS,
  STRAIGHT,
  UNMEASURED,
} from '../stays/stayState.js';
import type { Mark, Piece } from './piece.js';

export interface TripSums {
  /** As the settings measure, without the coefficient, and by position. */
  micrometers: number;
  straight: number;
  /** Mileage divided by the distance by position. */
  quotient: number;
  unmeasured: number;
  /** `null` without an ignition. */
  offSeconds: number | null;
  /** Steps outside stops. */
  fixes: number;
  restSteps: number;
  offSteps: number;
}

/** Trips of this length, micrometres, are compared with the mileage. */
const COMPARED = 1e9;
const [LEAST, MOST] = [0.5, 2];
/** By so many micrometres the readings of a coarse odometer may be off. */
const COARSE = 1e9;

/** Whether the mileage of a trip contradicts its positions. */
export function isContradicted({ quotient }: Pick<TripSums, 'quotient'>): boolean {
  return quotient < LEAST || quotient > MOST;
}

/** `stopped`: the sums of its stops. */
export function tripSums(
  from: Mark,
  to: Mark,
  changed: Piece['changed'],
  stopped: Pick<TripSums, 'micrometers' | 'straight' | 'fixes' | 'restSteps' | 'offSteps'>,
  rules: MovementRules,
): TripSums {
  const sum = (column: number): number => to[column]! - from[column]!;
  // A run of claims is counted where it ends, with steps of before the trip, or of a stop.
  const fixes = sum(FIXES) - stopped.fixes;
  const straight = sum(STRAIGHT);
  const counted = sum(MICROMETERS);
  const isReading = rules.mileage === 'mileage_mileage_sensor';
  const isCoarse = isReading && sum(FINE) === 0;
  const quotient =
    (isReading || rules.mileage === 'mileage_relative_mileage') && straight >= COMPARED
      ? quotientOf(counted, straight, isCoarse ? COARSE : 0)
      : 1;
  let micrometers = counted;
  let still = stopped.micrometers;
  if (isContradicted({ quotient }) || (isCoarse && changed === null)) {
    micrometers = straight;
    still = stopped.straight;
  } else if (isCoarse && changed !== null) {
    // From the first change to the last by the readings, before and after by position.
    const [first, at] = changed;
    micrometers = at - from[STRAIGHT]! + (to[MICROMETERS]! - first) + (to[STRAIGHT]! - to[CHANGED_AT]!);
  }
  return {
    micrometers: rules.pinsParked ? Math.max(0, micrometers - still) : micrometers,
    straight,
    quotient,
    unmeasured: sum(UNMEASURED),
    offSeconds: sum(KNOWN) === 0 ? null : sum(OFF_MS) / 1000,
    fixes,
    restSteps: between(0, sum(REST_STEPS) - stopped.restSteps, fixes),
    offSteps: between(0, sum(OFF_STEPS) - stopped.offSteps, fixes),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/** The quotient of the mileage, with the doubt in its favour. */
function quotientOf(counted: number, straight: number, doubt: number): number {
  const quotient = counted / straight;
  if (quotient < LEAST && counted + doubt >= LEAST * straight) return LEAST;
  if (quotient > MOST && counted - doubt <= MOST * straight) return MOST;
  return quotient;
}
