/**
 * Compares the slow model with `evaluateTrip` on random runs with changes. `tsx test/trips/changedRuns.ts FROM TO`: the seeds from FROM up to TO,
 * without TO.
 */

import { pathToFileURL } from 'node:url';
import type { Track } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripChange, type TripOptions } from '../../src/trips/index.js';
import { seeded } from '../volume.js';
import { differences } from './oracle/differences.js';
import { slowChanged } from './oracle/slowChanges.js';
import { DEFAULTS, type Run, type SlowReport } from './oracle/slowModel.js';
import { windowOf } from './oracle/slowPlan.js';
import { countJoints, MAX_JOINTS } from './oracle/slowReport.js';
import { changesWithHandOvers, otherFixes, randomChanges, UNITS } from './randomChanges.js';
import { type RandomRun, randomRun } from './randomRuns.js';

export interface ChangedCase {
  readonly run: RandomRun;
  readonly tracks: Readonly<Record<string, Track>>;
  readonly changes: readonly TripChange[];
}

/** The tracks of all units of a seed, and the changes of the run: with hand-overs, or without. */
export function changedCase(seed: number, withHandOvers: boolean): ChangedCase {
  const run = randomRun(seeded(seed));
  const random = seeded(seed + 3_000_000);
  const tracks = Object.fromEntries(
    UNITS.map((unitId, k) => [unitId, readTrack(k === 0 ? run.fixes : otherFixes(run, random))]),
  );
  return { run, tracks, changes: (withHandOvers ? changesWithHandOvers : randomChanges)(run, random) };
}

/** The slow model's run, and where the two reports differ; null where the slow model does not say. */
export function apartWithChanges({ run: { trip, date, options }, tracks, changes }: ChangedCase): {
  readonly run: Run;
  readonly report: SlowReport;
  readonly found: readonly string[];
} | null {
  const slow = slowChanged({ trip, date, trackOf: (unitId) => tracks[unitId]!, options, changes });
  if (slow === null || countJoints(slow.run) > MAX_JOINTS - 2) return null;
  const report = evaluateTrip(trip, date, { tracks }, { ...(options as TripOptions), changes });
  // The way is not measured from a start that an amendment plans in the past, nor from a window that it opens earlier, nor up to the time at which the last point was excused.
  const isPlannedBefore = changes.some(({ type }) => type === 'amend') && slow.run.begun === null;
  const isWider = slow.run.window.from < windowOf(trip, date, { ...DEFAULTS, ...options }).from;
  const isUnmeasured = isPlannedBefore || isWider || slow.run.excused.every(Boolean);
  const found = differences(slow.report, report).filter(
    (line) => !isUnmeasured || !line.startsWith('totals.distanceMeters'),
  );
  return { ...slow, found };
}

function main([from = 0, to = 0]: readonly number[]): void {
  let [compared, apart] = [0, 0];
  for (let seed = from; seed < to; seed++) {
    const own = changedCase(seed, seed % 4 !== 0);
    const result = apartWithChanges(own);
    if (result === null) continue;
    compared++;
    if (result.found.length === 0) continue;
    apart++;
    const kinds = own.changes.map(({ type, at }) => `${type} ${new Date(at).toISOString().slice(11, 19)}`);
    console.log(
      `seed ${seed} ${own.run.options.policy ?? 'skip'} ${own.run.trip.passage_order_type.key}: ${kinds.join(', ')}\n  ${result.found.slice(0, 6).join('\n  ')}`,
    );
  }
  console.log(`${to - from} seeds, ${compared} compared, ${apart} apart`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2).map(Number));
