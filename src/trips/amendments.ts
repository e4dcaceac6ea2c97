/** The trips of amendments, read once. */

import { WayzoneError } from '../core/errors.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { type PredictionRules, predictionRules } from './predictions.js';
import { tripIndex } from './readObservations.js';
import type { TripAmendment, TripChange } from './tripChange.js';
import type { TripOptions } from './tripReport.js';
import { prepareRun, type TripRun } from './tripRun.js';

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
