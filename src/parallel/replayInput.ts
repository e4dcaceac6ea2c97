/** The input of `replay`: the units of an archive and their fixes. */

import type { Fix, FixTable } from '../core/fix.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';

/** A fix, or several fixes of one unit: as objects, or in columns (several times faster). */
export type ReplayFixes = Fix | readonly Fix[] | FixTable;

/** One unit of the archive. */
export interface ReplayInput {
  /** Id of the unit. */
  readonly unitId: string;
  /** Fixes, or lists or tables of fixes, in any order, as a list, a generator or a stream. They are read once, when the unit is processed. */
  readonly fixes: Iterable<ReplayFixes> | AsyncIterable<ReplayFixes>;
  /** The unit's own settings of the trip detector; they apply if `movement` is given. */
  readonly settings?: TripDetectorSettings | undefined;
}
