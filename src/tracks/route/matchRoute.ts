/** How far along a route a unit was, and which parts of the route it drove. */

import type { Track } from '../../core/fix.js';
import { blindStep } from '../blindStep.js';
import { checkTrack } from '../checkTrack.js';
import { type PreparedRoute, readRoute } from './prepareRoute.js';
import { MATCH_OPTIONS, type MatchOptions, readMatchOptions, routeRulesOf } from './routeRules.js';
import { newRun, type RouteReport, RouteRun, type RunSink } from './routeRun.js';

/** Result of `matchRoute`. */
export interface RouteMatch extends RouteReport {
  /** Metres along the route at each fix; -1 off the route. */
  readonly along: Float64Array;
}

/**
 * Matches a track to a route. Returns the place of each fix, the driven legs, the parts of the route (`covered`, `no_data`, `missed`, `ahead`)
 * and the deviations of `findDeviations`. Crossings of a figure eight, ways back over the same road and second laps are told apart. Rules:
 * docs/rules/routes.md.
 *
 * Errors: `track-invalid`, `route-type`, `option-type`, `option-unknown`, `option-value`. Cost per fix: O(log n + edges within reach) for n
 * edges, about 2 µs on a route of 4,000 vertices. A step that leaves the corridor also costs O(log n + edges near it), some 50 µs.
 *
 * @example
 * ```ts
 * import { matchRoute, prepareRoute, readTrack } from 'wayzone/tracks';
 * const route = prepareRoute([[37.6, 55.7], [37.7, 55.7]]);
 * const track = readTrack([0, 1, 2, 3].map((i) => ({ time: 1772438400000 + i * 60000, lon: 37.6 + 0.01 * i, lat: 55.7 })));
 * const match = matchRoute(track, route, { widthMeters: 60 });
 * match.parts.map(({ status, toMeters }) => [status, Math.round(toMeters)]); // [['covered', 1886], ['ahead', 6288]]
 * match.legs[0].direction; // 'forward'
 * ```
 */
export function matchRoute(track: Track, route: PreparedRoute, options: MatchOptions): RouteMatch {
  const rules = routeRulesOf(readMatchOptions(options, MATCH_OPTIONS));
  checkTrack(track);
  const run = new RouteRun(readRoute(route), rules);
  const state = newRun();
  const along = new Float64Array(track.length).fill(-1);
  let next = 0;
  const { time, lon, lat } = track;
  const decided = (at: number, alongMeters: number): void => {
    while (time[next] !== at) next++;
    along[next] = alongMeters;
  };
  const sink: RunSink = {
    decided,
    turned: () => {},
    deviation: (deviation) => state.deviations.push(deviation),
  };
  for (let i = 0; i < track.length; i++)
    run.add(state, time[i]!, lon[i]!, lat[i]!, blindStep(track, i), sink);
  return { along, ...run.report(state, decided) };
}
