/** The options of all functions that evaluate the fixes of a unit: `readTrack`, visits, movement, trips, and their trackers. */

import { checkOptions, type OptionRow, OWN } from '../core/options.js';
import { TRIP_RULE_OPTIONS } from '../core/tripRuleOptions.js';
import { MOVEMENT_OPTIONS } from './movementRules.js';
import { SPEEDING_OPTIONS } from './speeding/speedingOptions.js';
import { STREAM_OPTIONS } from './streamOptions.js';
import { VISIT_OPTIONS } from './visitRules.js';

/** The options of trips that are neither rules nor plain values. `test/contract/options.test.ts` compares the names. */
const TRIP_NAMES = {
  timeZone: OWN,
  windowAfterSeconds: OWN,
  defaultDeviationMinutes: OWN,
  now: OWN,
  changes: OWN,
  predict: OWN,
};

const RUN_OPTIONS: Readonly<Record<string, OptionRow>> = {
  ...VISIT_OPTIONS,
  ...STREAM_OPTIONS,
  near: OWN,
  rolloverWindow: OWN,
  readAt: OWN,
  maxLoneDays: OWN,
  measure: OWN,
  ...SPEEDING_OPTIONS,
  ...MOVEMENT_OPTIONS,
  ...TRIP_RULE_OPTIONS,
  ...TRIP_NAMES,
};

/**
 * Checks the options of one of these functions. One object of options may serve them all, so the names of the others are accepted and
 * have no effect. Options of zones belong to zones and are accepted only where shapes are read. Errors: `option-type`, `option-unknown`.
 */
export function checkRunOptions(options: unknown, table: Readonly<Record<string, OptionRow>>): void {
  if (options !== undefined) checkOptions(options, table, 'options', RUN_OPTIONS);
}
