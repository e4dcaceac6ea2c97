/** The span of fixes that evaluate a run. */

import { DAY_MS, HOUR_MS } from '../durations.js';

/** From a day before the window of a run, for a visit that is under way, to an hour after it, for a sleep. As the stream's `runWindows`. */
export function spanOf({ from, to }: { readonly from: number; readonly to: number }): {
  readonly from: number;
  readonly to: number;
} {
  return { from: from - DAY_MS, to: to + HOUR_MS };
}
