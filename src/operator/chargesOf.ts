/** Units in charge of a run over time, by the hand-overs among its changes. */

import type { Fix } from '../core/fix.js';
import type { TripFix } from '../trips/seen/runUnit.js';
import type { TripChange } from '../trips/terms/tripChange.js';
import { type RunWindow, rowChanges } from './runWindows.js';

/** A unit in charge of a run: from `from` up to, but not including, `to`, epoch milliseconds. */
export interface Charge {
  /** Id of the unit. */
  readonly unitId: string;
  /** -Infinity: from the beginning. */
  readonly from: number;
  /** Infinity: to the end. */
  readonly to: number;
}

/**
 * The units in charge of a run, in order of time. The first is `unitId`, the unit of the trip, until the first hand-over among `changes` (of
 * `rowChanges`). A processor sends the fixes of a unit that took over also to the key of the trip's unit, with their `unitId`.
 *
 * Cost: O(changes).
 *
 * @example
 * ```ts
 * import { chargesOf } from 'wayzone/operator';
 * const changes = [{ type: 'handOver', at: 1772438400000, unitId: 'spare' }];
 * chargesOf('van', changes).map(({ unitId, from }) => [unitId, from]); // [['van', -Infinity], ['spare', 1772438400000]]
 * ```
 */
export function chargesOf(unitId: string, changes: readonly TripChange[]): Charge[] {
  const charges: Charge[] = [{ unitId, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  for (const change of changes) {
    const last = charges.at(-1)!;
    if (change.type !== 'handOver' || change.unitId === last.unitId) continue;
    charges.splice(-1, 1, { ...last, to: change.at });
    charges.push({ unitId: change.unitId, from: change.at, to: Number.POSITIVE_INFINITY });
  }
  return charges;
}

/** Id of the unit that a fix names; `null` if it names `unitId` or no unit. */
export function otherUnitOf(fix: Fix, unitId: string): string | null {
  const { unitId: own } = fix as TripFix;
  return typeof own === 'string' && own !== unitId ? own : null;
}

/** Whether the unit that a fix names took over the run and is in charge at the fix's time. */
export function isOfTaker({ trip, date }: Pick<RunWindow, 'trip' | 'date'>, fix: Fix): boolean {
  const { time } = fix;
  const own = otherUnitOf(fix, trip.unit.id);
  if (own === null || (trip.changes ?? []).length === 0) return false;
  const at = Math.round(time);
  return chargesOf(trip.unit.id, rowChanges(trip, date)).some(
    ({ unitId, from, to }) => unitId === own && at >= from && at < to,
  );
}
