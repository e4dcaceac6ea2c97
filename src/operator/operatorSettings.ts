/** Checked options of an operator. */

import { pickOptions } from '../core/options.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import type { FixRules } from '../tracks/fixReader.js';
import { readMovement } from '../tracks/movementRules.js';
import { speedingRun } from '../tracks/speeding/speedingTracker.js';
import { readStreamRules } from '../tracks/streamOptions.js';
import { textHash } from '../tracks/textHash.js';
import { readVisitRules } from '../tracks/visitRules.js';
import type { TripOptions } from '../trips/terms/tripReport.js';
import { readTripRules } from '../trips/terms/tripRules.js';
import { OPERATOR_OPTIONS, type OperatorOptions } from './operatorOptions.js';

export interface OperatorSettings {
  readonly options: OperatorOptions;
  readonly latenessMs: number;
  readonly fixRules: FixRules;
  /** A hash of the options. */
  readonly hash: string;
}

/** Errors: `option-type`, `option-unknown`, `option-value`. */
export function operatorSettings(given: OperatorOptions): OperatorSettings {
  checkRunOptions(given, OPERATOR_OPTIONS);
  const options = pickOptions(given, OPERATOR_OPTIONS) as OperatorOptions;
  const { latenessMs, fixRules } = readStreamRules(options);
  readVisitRules(options);
  readTripRules(options as TripOptions);
  readMovement(undefined, options);
  speedingRun(options);
  const entries = Object.entries(options);
  const hash = textHash(
    JSON.stringify(entries, (_, value: unknown) => (value === Infinity ? 'Infinity' : value)),
  );
  return { options, latenessMs, fixRules, hash };
}
