/** Finds the owned partitions on which a worker makes no progress although work waits, so that another worker can take them. */

import type { HeldPartitions } from './heldPartitions.js';

/** A partition is stalled after this time without progress, milliseconds. The limits of network calls are shorter. */
const STALLED_MS = 10_000;
const LOOK_MS = 1000;

export interface ProgressOptions {
  readonly partitions: Pick<HeldPartitions, 'held' | 'failing' | 'trying'>;
  readonly owned: () => ReadonlySet<number>;
  readonly onStalled: (partition: number) => Promise<void>;
  /** Default 10,000. */
  readonly stalledMs?: number;
  /** The time in milliseconds. Default: that of the system. */
  readonly now?: () => number;
}

/** How far the partition had come when it last made progress. Kept while the partition is dropped and taken over again. */
interface Seen {
  readonly committed: number;
  readonly position: number;
  /** Units and runs that were computed since the last commit. */
  readonly computed: number;
  readonly since: number;
}

/** Calls `onStalled` once for each time that a partition stalls. */
export function watchProgress(options: ProgressOptions): { look(): void; stop(): void } {
  const { partitions, owned, onStalled, stalledMs = STALLED_MS, now = Date.now } = options;
  const seen = new Map<number, Seen>();

  /** How far the partition is; null if nothing waits, or if something else than this worker holds it up. */
  const placeOf = (partition: number): Omit<Seen, 'since'> | null => {
    if (partitions.trying.has(partition)) return null;
    const one = partitions.held.get(partition);
    if (one !== undefined) {
      const { run, queue, from } = one;
      if (queue.length === 0 && !run.hasPending) {
        partitions.failing.delete(partition);
        return null;
      }
      // Without a commit only a replay is progress, and more of the work of a message than before.
      const { committed, computed } = run;
      return { committed, position: Math.min(run.position, from.position), computed };
    }
    // A halted partition waits for an operator, and one that is taken over for the first time makes progress.
    return partitions.failing.has(partition)
      ? (seen.get(partition) ?? { committed: -1, position: 0, computed: 0 })
      : null;
  };
  const look = (): void => {
    const own = owned();
    for (const partition of seen.keys()) if (!own.has(partition)) seen.delete(partition);
    for (const partition of own) {
      const place = placeOf(partition);
      const known = seen.get(partition);
      if (place === null) seen.delete(partition);
      else if (known === undefined || place.committed > known.committed)
        seen.set(partition, {
          ...place,
          position: Math.max(place.position, known?.position ?? 0),
          since: now(),
        });
      else if (place.position > known.position || place.computed > known.computed)
        seen.set(partition, {
          committed: place.committed,
          position: Math.max(place.position, known.position),
          computed: Math.max(place.computed, known.computed),
          since: now(),
        });
      else if (now() - known.since >= stalledMs) {
        seen.delete(partition);
        void onStalled(partition).catch(() => {});
      }
    }
  };
  const timer = setInterval(look, Math.min(LOOK_MS, stalledMs / 2));
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
