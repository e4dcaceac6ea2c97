/** The state of a run under way, and its changes. */

import { copyOfIntake } from '../../tracks/fixIntake.js';
import { plainCopy } from '../../tracks/stream/plainCopy.js';
import type { Predictions } from '../predict/predictions.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripRun } from '../seen/tripRun.js';
import { handOversOf, type TripHandedOver } from '../terms/handOversOf.js';
import { excusesOf } from '../terms/readChanges.js';
import type { TripChange } from '../terms/tripChange.js';
import type { Amendments } from './amendments.js';

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
