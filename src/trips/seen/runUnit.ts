/** The unit of a run of a trip: its fixes, and its dwells in the zones of the points. */

import { emptyIntake, type Intake } from '../../tracks/fixIntake.js';
import type { Dwell } from '../../tracks/visitMachine.js';

export interface RunUnit extends Intake {
  /** At most one for each zone, in the order in which they began. */
  dwells: Dwell[];
}

export function newRunUnit(watermark: number): RunUnit {
  return Object.assign(emptyIntake(watermark), { dwells: [] });
}
