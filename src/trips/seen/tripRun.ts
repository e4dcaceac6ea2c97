/** One run of a trip: the inputs that are read once, before fixes or visits. */

import { guarded } from '../../core/input.js';
import type { ActivationTypeKey, PassageOrderTypeKey, TripInput } from '../../core/trip.js';
import { planOf, type TripPlan } from '../plan/planTrip.js';
import { zoneKeys, zoneNumbers } from '../plan/tripZones.js';
import type { TripHandedOver } from '../terms/readChanges.js';
import type { TripOptions } from '../terms/tripReport.js';
import { readActivation, readPassageOrder, readTripRules, type TripRules } from '../terms/tripRules.js';
import type { Begun, Settled } from './settlement.js';
import { NO_ERAS, type ZoneEras } from './zoneEras.js';

export interface TripRun {
  readonly unitId: string | null;
  readonly plan: TripPlan;
  readonly rules: TripRules;
  readonly passageOrder: PassageOrderTypeKey;
  readonly activationKind: ActivationTypeKey;
  /** The zone of each point. */
  readonly zones: readonly number[];
  /** By point: the key of its zone; points with equal keys are one zone (T5). */
  readonly zoneKeys: readonly string[];
  /** The zones that an amendment changed. */
  readonly eras: ZoneEras;
  /** By point: what an amendment left as it was (T49a). */
  readonly settled: readonly (Settled | null)[];
  /** The start, if it was before an amendment (T49c). */
  readonly begun: Begun | null;
  /** Number of points before all amendments. */
  readonly basePoints: number;
  /** By point: whether it is excused (T47). */
  readonly excused: readonly boolean[];
  /** When the last point was excused. */
  readonly excusedAt: number;
  /** The hand-overs so far (T50). */
  readonly handOvers: readonly TripHandedOver[];
  /** When the run was cancelled (T48): then `now`. */
  readonly cancelledAt: number | null;
}

/** Reads a run. Errors as `evaluateTrip`, except those of shapes and visits. */
export function prepareRun(trip: TripInput, date: string, options: TripOptions): TripRun {
  const rules = readTripRules(options);
  const plan = planOf(trip, date, options);
  const unitId: unknown = guarded('unit', () => trip.unit?.id);
  const keys = zoneKeys(trip, rules.defaultWidthMeters);
  const zones = zoneNumbers(keys);
  return {
    unitId: typeof unitId === 'string' ? unitId : null,
    plan,
    rules,
    passageOrder: readPassageOrder(trip),
    activationKind: readActivation(trip, plan),
    zones,
    zoneKeys: keys,
    eras: NO_ERAS,
    settled: zones.map(() => null),
    begun: null,
    basePoints: zones.length,
    excused: zones.map(() => false),
    excusedAt: Number.NEGATIVE_INFINITY,
    handOvers: [],
    cancelledAt: null,
  };
}
