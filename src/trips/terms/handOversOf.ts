/** The unit in charge of a run, and the times at which another took over (T50). */

import type { TripChange } from './tripChange.js';

/** Another unit took over. */
export interface TripHandedOver {
  /** Time of the hand-over, epoch milliseconds. Fixes of the old unit count before it, fixes of the new unit from it on. */
  readonly at: number;
  /** Id of the unit that was in charge; `null` if the trip has none. */
  readonly from: string | null;
  /** Id of the unit that took over. */
  readonly to: string;
}

/**
 * The hand-overs among changes in order of `at`. A hand-over to the unit in charge is left out. Of several at one time the last one counts.
 * `unitId`: the unit of the trip.
 */
export function handOversOf(changes: readonly TripChange[], unitId: string | null): TripHandedOver[] {
  const lastAt = new Map<number, string>();
  for (const change of changes) if (change.type === 'handOver') lastAt.set(change.at, change.unitId);
  const found: TripHandedOver[] = [];
  let inCharge = unitId;
  for (const [at, to] of lastAt) {
    if (to === inCharge) continue;
    found.push({ at, from: inCharge, to });
    inCharge = to;
  }
  return found;
}

/** The first and the last hand-over on a step that ends at a time; `null` if it has none. `last`: the time of the fix before it. */
export function handedOn(
  handOvers: readonly TripHandedOver[],
  last: number | undefined,
  time: number,
): readonly [first: number, last: number] | null {
  if (last === undefined || handOvers.length === 0) return null;
  const on = handOvers.filter(({ at }) => at > last && at <= time);
  return on.length === 0 ? null : [on[0]!.at, on.at(-1)!.at];
}

/** The unit in charge at a time. */
export function inChargeAt(
  handOvers: readonly TripHandedOver[],
  time: number,
  unitId: string | null,
): string | null {
  return handOvers.findLast(({ at }) => at <= time)?.to ?? unitId;
}
