/** What became of one run of a trip. */

import type { Track } from '../core/fix.js';
import type { Trip } from '../core/trip.js';
import { evaluateRun, prepareRun } from './evaluateRun.js';
import { readSightings } from './sightings.js';
import type { TripOptions, TripReport, TripVisits } from './tripReport.js';

/**
 * What became of a trip on one of its `dates`, as far as it is known at `now` (default: the window's end): its status, what each
 * point's visit was and how far off the plan, totals, violations and events. The plan and the window are those of `planTrip`.
 *
 * `source` is the unit's `Track`, whose visits to the points (widths as `tripZones`) are found with the `VisitOptions` and
 * `ZoneOptions`; or `{visits, gaps?}` found elsewhere, with a point's index as `zoneId`. Fixes after `now` are ignored; of given
 * visits, those whose `enterBounds` end after it, and exits whose `exitBounds` do. Points with equal type, geometry and width are one
 * zone; of visits to it that begin at one instant the longest counts.
 *
 * - **Activation.** `time_of_first_point`: its planned arrival, else departure. `entrance_to_first_point`: the first entry in the
 *   window, or the window's start when the unit is inside then. `leaving_first_point`: the first exit in the window after which the
 *   unit stays away for `leaveConfirmSeconds` (120; ≥). Shorter absences join the stays in that zone, throughout. Without an
 *   `activation_type`: by time if the first point has one, else by entrance.
 * - **Which visits count**: those of `minStaySeconds` (0; ≥) or more, joined ones measured whole; not those only `crossed` where
 *   `acceptCrossed` is false. An open visit that is younger counts until the window ends, but finishes no trip.
 * - **Which may serve a point**: the first point the visit that activates the trip, or with an activation by time any that overlaps
 *   the window; the others those that begin before the window ends and are left after the activation, or not yet. None whose arrival
 *   or departure is off by more than `maxDeviationSeconds`.
 * - **Which serves**: one visit a point. `strict` with `policy: 'skip'`: in list order by entry, `arbitrary`: in any order; of all
 *   ways the one that serves the most points, then has the least sum of |deviation|, then the earliest entries in list order.
 *   `strict` with `policy: 'wait'`: each point the first that may serve it after its predecessor's; a point without one keeps all
 *   later ones waiting. `allowSharedVisit`: one closed visit may serve neighbours of the list that are one zone, in equal parts cut
 *   at whole milliseconds (`wait`: as many as it can).
 * - **Departure**: null while the visit is open, and where the unit is still inside at the fix after a gap.
 * - **Out of turn** (`strict`): a visit that counts, serves no point, begins from the activation to the finish, and is to a point
 *   that is unserved while a later one is served, or begins before a predecessor is served (`wait`: also while one is unserved). In a
 *   zone of several points it is held against the first that this is true of.
 * - **Finish.** `strict`: entering the last point, with `finishOn: 'departure'` leaving it before the window ends; `arbitrary`:
 *   entering the last of all points (`finishOn` then decides only when the last of the list is `passed`). Never before the activation.
 * - **`no_data`**: an unserved point whose own window lies wholly in gaps. Without a plan that window is from the departure (else
 *   arrival) of the served point before to the arrival at the one after (`arbitrary`: the trip's); an end without such a point is the
 *   trip's. A point that was visited out of turn is `skipped` instead.
 * - `startedInside`: the unit was in the first point when the window opened and that activated the trip, or a visit under way then
 *   serves a point; such an arrival has no deviation.
 * - `distanceMeters` follows the straight lon/lat way between fixes; null without activation, and for given visits. `lastFixAt` is
 *   null for given visits too.
 *
 * The result depends on nothing but the arguments, and not on the order of the visits. Inputs are not changed.
 *
 * Errors: those of `planTrip`, `tripZones` and `findVisits` (the latter two for a track); `dictionary-key` (`passage_order_type.key`,
 * `activation_type.key`), `activation-time` (`points[0].arrival`), `visits-type`, `visit-invalid`, `visit-zone`, `gaps-type`,
 * `gap-invalid`, `limit-points` (shared visits in any order: more than 12 points of one zone).
 * Cost: O(points · visits) for `strict`, O(points² · visits) a zone for `arbitrary`. Accuracy: equal to a search of all assignments
 * on 20,000 generated runs (`tripOracle.test.ts`).
 * Reference: Kuhn 1955, doi:10.1002/nav.3800020109 (`arbitrary`).
 *
 * @example
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const fixes = [0, 1, 2, 3].map((i) => ({ time: Date.UTC(2026, 2, 2, 7, 2 * i), lon: 13.38 + 0.01 * i, lat: 52.5 }));
 * const report = evaluateTrip(trip, '2026-03-02', readTrack(fixes), { timeZone: 'Europe/Berlin' });
 * [report.status, report.points[0].arrivalStatus, report.violations[0].type]; // ['finished_with_violations', 'late', 'late']
 */
export function evaluateTrip(
  trip: Trip,
  date: string,
  source: Track | TripVisits,
  options: TripOptions,
): TripReport {
  const run = prepareRun(trip, date, options);
  const now = run.rules.now ?? run.plan.window.to;
  return evaluateRun(run, readSightings(trip, source, run.zones, now, options), now);
}
