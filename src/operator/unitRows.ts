/** The parts of an operator. */

import { ROUTE_ROW } from './routeRow.js';
import type { RunPart, RunRow } from './runFollower.js';
import { TRIP_ROW } from './tripRow.js';
import type { UnitPart } from './unitOutput.js';

/** The rows of runs, in the order of their events at one moment. */
export const RUN_ROWS: readonly RunRow<RunPart>[] = [
  TRIP_ROW,
  ROUTE_ROW,
] as unknown as readonly RunRow<RunPart>[];

/** The names of all parts, in the order of their events at one moment. */
export const UNIT_PARTS: readonly UnitPart[] = ['visits', 'movement', 'speeding', 'trips', 'routes'];
