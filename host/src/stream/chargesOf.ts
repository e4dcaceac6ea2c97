/** Who is in charge of a run and when, by the hand-overs among its changes. */

import type { TripChange } from 'wayzone/trips';

/** A unit that is in charge of a run, and when: from `from` up to `to`, without it, epoch milliseconds. */
export interface Charge {
  readonly unitId: string;
  readonly from: number;
  readonly to: number;
}

/** Who is in charge of a run, in order of time. */
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
