/** Sorts the fixes of a history so that a stream keeps the same fixes as `readTrack`. */

import type { Fix } from '../core/fix.js';
import {
  type CleanFix,
  comparePreference,
  copyOfClean,
  FixReader,
  type FixRules,
} from '../tracks/fixReader.js';

/** Rejected fixes first, then by time; at one time the preferred fix first, because a stream without lateness keeps the first one. */
export function inTrackOrder(fixes: readonly Fix[], rules: FixRules): Fix[] {
  const reader = new FixReader(rules);
  const read = fixes.map((fix) => ({ fix, clean: reader.read(fix) === null ? copyOfClean(reader) : null }));
  return read
    .sort((a, b) => timeOf(a.clean) - timeOf(b.clean) || preference(a.clean, b.clean))
    .map(({ fix }) => fix);
}

function timeOf(clean: CleanFix | null): number {
  return clean?.time ?? -Number.MAX_VALUE;
}

function preference(a: CleanFix | null, b: CleanFix | null): number {
  return a === null || b === null ? 0 : comparePreference(a, b);
}
