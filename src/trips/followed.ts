/** The state of a run under way, and its changes. */

import type { VisitUnit } from '../tracks/visitUnit.js';
import type { Amendments } from './amendments.js';
import type { Predictions } from './predictions.js';
import { excusesOf } from './readChanges.js';
import type { TripChange } from './tripChange.js';
import type { TripJournal } from './tripJournal.js';
import type { TripRun } from './tripRun.js';

/** A unit's state, and what was recorded of it. */
export interface Followed {
  readonly unit: VisitUnit;
  readonly journal: TripJournal;
  predictions: Predictions | null;
}

/** The changes of a run in order, with what the amendments among them need. */
export interface RunChanges {
  readonly changes: readonly TripChange[];
  readonly amendments: Amendments;
}

/** The run of a journal with the excuses among some changes. */
export function excusedRun({ run }: TripJournal, changes: readonly TripChange[]): TripRun {
  // An amendment without excuses before it leaves none.
  return changes.some(({ type }) => type === 'excuse')
    ? { ...run, ...excusesOf(changes, run.basePoints) }
    : run;
}
