/** Sorts the fixes of a history so that a stream keeps those that `readTrack` keeps. */

import type { Fix } from '../core/fix.js';
import {
  type CleanFix,
  comparePreference,
  copyOfClean,
  FixReader,
  type FixRules,
} from '../tracks/fixReader.js';

/** By time; of one time, the fixes that are rejected anyway first, then the preferred one: without a lateness a stream keeps the first. */
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
