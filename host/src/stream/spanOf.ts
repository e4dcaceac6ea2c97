/** The span of fixes that evaluate a run. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** From a day before the window of a run, for a visit that is under way, to an hour after it, for a sleep. As the stream's `runWindows`. */
export function spanOf({ from, to }: { readonly from: number; readonly to: number }): {
  readonly from: number;
  readonly to: number;
} {
  return { from: from - DAY_MS, to: to + HOUR_MS };
}
