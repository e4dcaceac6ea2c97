/** `replay` for commands: over the units of files, with a progress bar; errors become issues. */

import type { ReplayOptions, ReplayResult } from '../../parallel/index.js';
import { replayUnedited } from '../../parallel/replay.js';
import type { FileIssue } from '../../report/index.js';
import { type Io, startProgress } from '../io/io.js';
import type { Collected } from './collect.js';
import { FixCounts } from './unitTracks.js';

export interface ReplayCommand extends Omit<ReplayOptions, 'workers' | 'onProgress'> {
  /** Number of threads; 1 means only this thread. */
  readonly workers: number;
}

/**
 * Yields one result per unit, in order of unit id, last the units that only trips name. Then closes the fixes, and reports the left-out
 * fixes on stderr.
 */
export async function* replayUnits(
  { units, close }: Pick<Collected, 'units' | 'close'>,
  { workers, ...options }: ReplayCommand,
  issues: FileIssue[],
  io: Io,
): AsyncGenerator<ReplayResult> {
  const progress = await startProgress(io.stderr, units.length, 'units {bar} {value}/{total}');
  let done = 0;
  const counts = new FixCounts();
  const onProgress = ({ units: count }: { readonly units: number }): void => {
    for (; done < count && done < units.length; done++) progress.step();
  };
  try {
    const settings = { ...options, workers: workers === 1 ? 0 : workers, onProgress };
    for await (const result of replayUnedited(units, settings)) {
      for (const { code, field, message, tripId, date } of result.errors) {
        const of = [`unit ${JSON.stringify(result.unitId)}`];
        if (date !== null) of.push(`trip ${JSON.stringify(tripId)}`, date);
        if (field !== '') of.push(field);
        issues.push({ code, severity: 'error', field: of.join(' '), message, file: '' });
      }
      const { read, used, rejected } = result.fixes;
      counts.add(read, used, rejected);
      yield result;
    }
    counts.report(io.stderr);
  } finally {
    progress.stop();
    close();
  }
}
