/** A fix of a run, which may name its unit. */

import type { Fix } from '../../core/fix.js';

/** A fix of the unit in charge of a run, or of any unit by its id. */
export interface TripFix extends Fix {
  /** Id of the unit. Default: the unit in charge. */
  readonly unitId?: string | null | undefined;
}
