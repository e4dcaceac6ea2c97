/** Tells failures of the database and the log from failures of the work on a unit. */

import type { RunOptions } from './partitionRun.js';
import { ASKED } from './trialMessages.js';

export type Sources = Pick<RunOptions, 'store' | 'zones' | 'trips' | 'routes' | 'pairs'>;

export interface WatchedSources extends Sources {
  /** Whether one of the sources threw the error. */
  isTheirs(error: unknown): boolean;
}

type Named = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;

export function watchSources({ store, zones, trips, routes, pairs }: Sources): WatchedSources {
  const thrown = new WeakSet<object>();
  const watched = <Source>(source: Source, names: readonly string[]): Source =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...values: readonly unknown[]) => {
          try {
            return await (source as Named)[name]!(...values);
          } catch (error) {
            if (typeof error === 'object' && error !== null) thrown.add(error);
            throw error;
          }
        },
      ]),
    ) as Source;
  return {
    store: watched(store, ASKED.store),
    zones: watched(zones, ASKED.zones),
    trips: watched(trips, ASKED.trips),
    routes: watched({ of: routes }, ASKED.routes).of,
    pairs: watched(pairs, ASKED.pairs),
    isTheirs: (error) => typeof error === 'object' && error !== null && thrown.has(error),
  };
}
