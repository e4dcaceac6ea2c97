/** The changes of a trip's runs under way: what the stream, the report and the operations of trips read of them. */

import { WayzoneError } from 'wayzone';
import { changesOfRun, planTrip, type TripChange, type TripInput, type TripPlan } from 'wayzone/trips';

/** The changes of a run, in order of `at`; none if the row has invalid ones, which no operation stores. */
export function runChanges(trip: TripInput, date: string): readonly TripChange[] {
  try {
    return changesOfRun(trip, date);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return [];
  }
}

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

/** The window of a run with those of its amendments. Errors: those of `planTrip`. */
export function windowOf(trip: TripInput, date: string, timeZone: string): TripPlan['window'] {
  const plans = runChanges(trip, date).flatMap((change) =>
    change.type === 'amend' ? [planTrip(change.trip, date, { timeZone })] : [],
  );
  const windows = [planTrip(trip, date, { timeZone }), ...plans].map(({ window }) => window);
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  };
}
