/** The trips of amendments, read once. */

import { DAY_MS } from '../../core/durations.js';
import { WayzoneError } from '../../core/errors.js';
import { copyOfIntake } from '../../tracks/fixIntake.js';
import { plainCopy } from '../../tracks/stream/sealed.js';
import type { ZoneIndex } from '../../zones/zoneIndex.js';
import { type PredictionRules, type Predictions, predictionRules } from '../predict/predictions.js';
import { tripIndex } from '../seen/readObservations.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import { prepareRun, type TripRun } from '../seen/tripRun.js';
import { excusesOf, handOversOf, type TripHandedOver } from '../terms/readChanges.js';
import type { TripAmendment, TripChange } from '../terms/tripChange.js';
import type { TripOptions } from '../terms/tripReport.js';

/** A run by the trip of an amendment alone. */
export interface Amended {
  readonly run: TripRun;
  readonly index: ZoneIndex;
  /** The rules of forecasts for a run of that trip. */
  predictionRules(run: TripRun): PredictionRules;
}

export class Amendments {
  readonly #date: string;
  readonly #options: TripOptions;
  readonly #known = new Map<TripAmendment, Amended>();

  constructor(date: string, options: TripOptions) {
    this.#date = date;
    this.#options = options;
  }

  /** Reads the trip of a change, if it has one. Errors: those of `evaluateTrip` for a trip, at the path of the change. */
  read(change: TripChange, field: string): void {
    if (change.type !== 'amend') return;
    const { trip } = change;
    const options = this.#options;
    try {
      const run = prepareRun(trip, this.#date, options);
      this.#known.set(change, {
        run,
        index: tripIndex(trip, run.zones, options),
        predictionRules: (amended) => predictionRules(trip, amended, options),
      });
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const own = error.field === 'date' ? 'dates' : error.field;
      throw new WayzoneError(
        error.code,
        own === 'trip' ? `${field}.trip` : `${field}.trip.${own}`,
        error.message,
      );
    }
  }

  of(change: TripAmendment): Amended {
    return this.#known.get(change)!;
  }
}

/** The end of the window, which amendments move. */
export function windowEndOf(
  { plan }: TripRun,
  { changes, amendments }: { readonly changes: readonly TripChange[]; readonly amendments: Amendments },
): number {
  let end = plan.window.to;
  for (const change of changes)
    if (change.type === 'amend' && change.at <= end)
      end = Math.max(amendments.of(change).run.plan.window.to, change.at);
  return end;
}

/** The last time of a fix that a run looks at (T46): a day after its window. */
export function lastTimeOf(run: TripRun, by: Parameters<typeof windowEndOf>[1]): number {
  return windowEndOf(run, by) + DAY_MS;
}

/** A unit's state, and what was recorded of it. */
export interface Followed {
  readonly unit: RunUnit;
  readonly journal: TripJournal;
  predictions: Predictions | null;
}

/** An independent copy of a state, without the fixes that wait in its unit. */
export function copyOfFollowed({ unit, journal, predictions }: Followed): Followed {
  return {
    unit: { ...copyOfIntake({ ...unit, pending: null }), dwells: plainCopy(unit.dwells) },
    journal: journal.copy(),
    predictions: predictions?.fork() ?? null,
  };
}

/** The changes of a run in order, with what the amendments among them need. */
export interface RunChanges {
  readonly changes: readonly TripChange[];
  readonly amendments: Amendments;
  /** The hand-overs among the changes. */
  readonly handOvers: readonly TripHandedOver[];
}

/** The run of a journal with the excuses and the hand-overs among some changes. */
export function changedRun({ run }: TripJournal, changes: readonly TripChange[]): TripRun {
  // An amendment without excuses before it leaves none.
  const isExcused = changes.some(({ type }) => type === 'excuse');
  const handOvers = handOversOf(changes, run.unitId);
  if (!isExcused && handOvers.length === 0) return run;
  return { ...run, ...(isExcused && excusesOf(changes, run.basePoints)), handOvers };
}
