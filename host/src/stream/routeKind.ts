/** The way of a run along the route of its trip: the emitted events are those of `RouteTracker` over all fixes so far. */

import { type Route, WayzoneError } from 'wayzone';
import { followRun, type RunTracker, type TripRoute } from 'wayzone/operator';
import { prepareRoute } from 'wayzone/tracks';
import { readRow, type WireRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import type { RunKind } from './runEvaluation.js';
import type { RunEvent } from './streamEvent.js';
import { lineOfRoute, routeOf } from './tripRoute.js';
import { runOptions } from './tripRuns.js';

/** Reads the line of a company's route, `[lon, lat]`; null for a route that is unknown, deleted or has no line. */
export type RouteSource = (
  companyId: string,
  routeId: string,
) => Promise<readonly (readonly [number, number])[] | null>;

export function routeSource({ db }: Pick<Storage, 'db'>): RouteSource {
  return async (companyId, routeId) => {
    const stored = await readRow<Route & WireRow>(db, 'routes', companyId, routeId);
    if (stored === null || stored.row.is_delete === true) return null;
    const line = lineOfRoute(stored.row);
    return 'line' in line ? line.line : null;
  };
}

export function routeKind(routes: RouteSource, latenessSeconds: number): RunKind {
  return {
    follows: (trip) => routeOf(trip) !== null,
    owns: (event) => 'kind' in event,
    async tracker(companyId, run, timeZone) {
      const { id, width } = routeOf(run.trip)!;
      const line = await routes(companyId, id);
      const route = line === null ? null : corridor(line, width);
      if (route === null) return null;
      const places = { timeZone, routeOf: () => route };
      return followRun('routes', run, places, runOptions(latenessSeconds)) as RunTracker<RunEvent> | null;
    },
  };
}

/** null if the line has no length, for example if all its points are one position. */
function corridor(line: readonly (readonly [number, number])[], widthMeters: number): TripRoute | null {
  try {
    return { route: prepareRoute(line), widthMeters };
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return null;
  }
}
