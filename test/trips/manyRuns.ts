/**
 * Compares the slow model with `evaluateTrip` on many random runs, and prints each that differs as the smallest run that shows it.
 * `tsx test/trips/manyRuns.ts FROM TO`: the seeds from FROM up to TO, without TO.
 */

import { pathToFileURL } from 'node:url';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { differences } from './oracle/differences.js';
import type { SlowReport } from './oracle/slowModel.js';
import { countJoints, MAX_JOINTS, reportOf } from './oracle/slowReport.js';
import { slowRun } from './oracle/slowRun.js';
import { type RandomRun, randomRun } from './randomRuns.js';
import { literalOf, shrinkRun } from './shrinkRun.js';

/** The report of the slow model, or null if it would have to try too many sets of joints. */
export function slowReportOf({ trip, date, fixes, options }: RandomRun): SlowReport | null {
  const run = slowRun(trip, date, readTrack(fixes), options);
  return countJoints(run) > MAX_JOINTS - 2 ? null : reportOf(run);
}

/** The fields in which the two reports of a run differ. */
export function apartIn(run: RandomRun): string[] {
  return apartFrom(slowReportOf(run), run);
}

/** The same, for the report of the slow model that `slowReportOf` gave. */
export function apartFrom(expected: SlowReport | null, run: RandomRun): string[] {
  if (expected === null) return [];
  const { trip, date, fixes, options } = run;
  return differences(expected, evaluateTrip(trip, date, readTrack(fixes), options as TripOptions));
}

function main([from = 0, to = 0]: readonly number[]): void {
  let [compared, apart] = [0, 0];
  for (let seed = from; seed < to; seed++) {
    const run = randomRun(seeded(seed));
    const expected = slowReportOf(run);
    if (expected === null) continue;
    compared++;
    if (apartFrom(expected, run).length > 0) {
      apart++;
      const least = shrinkRun(run, (other) => apartIn(other).length > 0);
      console.log(`seed ${seed}\n${literalOf(least)}\n${apartIn(least).join('\n')}\n`);
    }
    if ((seed + 1 - from) % 1000 === 0)
      console.log(`${seed + 1 - from} seeds, ${compared} compared, ${apart} apart`);
  }
  console.log(`${to - from} seeds, ${compared} compared, ${apart} apart`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2).map(Number));
