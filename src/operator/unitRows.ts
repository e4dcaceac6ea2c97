/** The parts of an operator, in the order of their events at one moment. Visits are first: they decide which fixes are late. */

import { MOVEMENT_ROW } from './movementRow.js';
import { TRIP_ROW } from './tripRow.js';
import type { UnitPart } from './unitOutput.js';
import type { UnitRow } from './unitRow.js';
import { VISIT_ROW } from './visitRow.js';

/** The rows after that of visits. */
export const LATER_ROWS: readonly UnitRow<UnitPart>[] = [
  MOVEMENT_ROW,
  TRIP_ROW,
] as unknown as readonly UnitRow<UnitPart>[];

/** The names of all parts. */
export const UNIT_PARTS: readonly UnitPart[] = [VISIT_ROW.name, ...LATER_ROWS.map(({ name }) => name)];
