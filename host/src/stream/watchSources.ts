/** Tells failures of the database and the log from failures of the work on a unit. */

import type { CellStore } from './cellStore.js';
import type { PairSource } from './pairSource.js';
import type { RouteSource } from './routeKind.js';
import type { TripSource } from './tripSource.js';
import type { ZoneSource } from './zoneSource.js';

/** The functions of each source that the work on a cell calls. */
const ASKED = {
  store: [
    'head',
    'fixesOf',
    'fixCount',
    'firstFixOf',
    'firstFixesOf',
    'fixesOfUnits',
    'eventsOfUnits',
    'eventsOf',
    'settingsOf',
    'tripEventsOf',
    'tripDatesOf',
    'meetingEventsOf',
    'nextOrdinal',
    'asideOf',
    'forgetFixes',
  ],
  zones: ['current', 'at'],
  trips: ['at'],
  routes: ['of'],
  pairs: ['of', 'dateOf'],
} as const;

/** Sources that the work on a cell reads. */
export interface Sources {
  readonly store: Pick<CellStore, (typeof ASKED.store)[number]>;
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  readonly routes: RouteSource;
  readonly pairs: PairSource;
}

export interface WatchedSources extends Sources {
  /** Whether one of the sources threw the error. */
  readonly isTheirs: (error: unknown) => boolean;
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
