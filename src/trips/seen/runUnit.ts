/** The unit of a run of a trip: its fixes, and its dwells in the zones of the points. */

import type { Fix } from '../../core/fix.js';
import { emptyIntake, type Intake } from '../../tracks/fixIntake.js';
import type { Dwell } from '../../tracks/visitMachine.js';

export interface RunUnit extends Intake {
  /** At most one for each zone, in the order in which they began. */
  dwells: Dwell[];
}

export function newRunUnit(watermark: number): RunUnit {
  return Object.assign(emptyIntake(watermark), { dwells: [] });
}

/** A fix of the unit in charge of a run, or of any unit by its id. */
export interface TripFix extends Fix {
  /** Id of the unit. Default: the unit in charge. */
  readonly unitId?: string | null | undefined;
}
