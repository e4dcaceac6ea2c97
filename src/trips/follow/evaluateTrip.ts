/** Evaluates one run of a trip: plan against visits. */

import { inputError } from '../../core/errors.js';
import type { Track } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import { checkRunOptions } from '../../tracks/checkRunOptions.js';
import { evaluateRun } from '../judge/evaluateRun.js';
import { Predictions, predictionRules } from '../predict/predictions.js';
import {
  hasTracks,
  hasVisits,
  journalRules,
  readObservations,
  readSource,
  readTracks,
  tripIndex,
} from '../seen/readObservations.js';
import { newRunUnit } from '../seen/runUnit.js';
import { TripJournal } from '../seen/tripJournal.js';
import { prepareRun, type TripRun } from '../seen/tripRun.js';
import { handOversOf } from '../terms/handOversOf.js';
import { excusesOf, type GivenChange, readChanges } from '../terms/readChanges.js';
import type { TripOptions, TripReport, TripTracks, TripVisits } from '../terms/tripReport.js';
import { TRIP_OPTIONS } from '../terms/tripRules.js';
import { Amendments, lastTimeOf, windowEndOf } from './amendments.js';
import { applyChanges, applyFix, reportOf } from './applyFix.js';
import { countedFixes } from './countedFixes.js';
import type { Followed } from './followed.js';

/**
 * Evaluates a trip on one of its `dates` from what is known at `now` (default: the window's end): its status, the visit of each point
 * and its deviation from the plan, totals, violations and events. The plan and the window are those of `planTrip`.
 *
 * `source` is the unit's `Track` (or `{tracks}` of several units by id, where the run is handed over), whose visits to the points (widths as `tripZones`) are found with the `VisitOptions` and
 * `ZoneOptions`; or `{visits, gaps?}` found elsewhere, with a point's index as `zoneId`. Fixes after `now` are ignored, except that
 * the first one shows whether the unit slept until then. Given visits whose `enterBounds` end after `now` are ignored, and so are exits
 * whose `exitBounds` do. Points with equal type, geometry and width are one zone.
 *
 * A violation needs evidence: a time in which the unit was unseen never causes one.
 *
 * - **Holes.** The unit was not seen on a step between fixes that is a gap, lasts over `holeSeconds` (600), is too long to count as a
 *   crossing, or is blind (jammed, frozen); before the first fix in the window; after the last one. Two fixes within `parkedMeters` are a sleep,
 *   unless the step is blind or their mileage grew by more. It could have been at a zone in a hole if the way there, `minStaySeconds` and the
 *   way on are possible at `reachSpeedKph` (130). Given gaps are the holes. The report has those of the window as `holes`.
 * - **Stays.** Visits at both ends of a gap are one stay (`hasGap`), and so are visits between which the unit was away for less than
 *   `leaveConfirmSeconds` (120), unless as two they serve more points: then as few as possible stay apart. An exit by drift near the
 *   zone is undone where that gives fewer violations. Stays count from `minStaySeconds` (0; by the longest that their bounds allow).
 *   A *stop* is a stay in which the unit stood for `serviceSeconds` (60): within 50 m of one
 *   place without moving, or within `parkedMeters` with the ignition off; or may have stood unseen. Any other is a *drive-by*, which
 *   serves only if no stop can, and before the window's end no point past an unserved one.
 * - **Activation.** `time_of_first_point`: its planned arrival, else departure (`planned`). `entrance_to_first_point`: the first entry by
 *   a stop, else by a drive-by; a unit inside when the window opens enters then. `leaving_first_point`: the first exit likewise, after
 *   which it stays away for `leaveConfirmSeconds` (120; ≥). A run may have begun
 *   before its window, from `leadFrom` of the plan on, by the last exit from the first point, if more points are served so. `assumed`: it could have been at the first point on
 *   time in a hole, and more other points are served so; before the end of the hole visits that are certainly on time count. Without an `activation_type`: by time if the first point has one, else by entrance.
 * - **Which serves.** `strict`: in list order of *turns* (the later of the entry and the predecessor's turn, before which a visit must
 *   not be over); `arbitrary`: in any order. Policy `skip`: the most points, then the most by stops, then the fewest certain violations,
 *   then the fewest visits entered before their turn, then the least sum of |deviation|, then the earliest entries. `wait`: each point the first stop that may serve it, else the first drive-by.
 *   Two orders at one address: one stay serves neighbours of the list that are one zone, if their plans are no farther apart than it is long, plus both tolerances;
 *   while it is open, each further one from its plan − tolerance on; with `wait` only the last stay there. The first point has its arrival and the last its departure,
 *   between them only the whole stay is known; so it is for visits of two zones that overlap and begin within a minute. `allowSharedVisit: false`: a stay serves one.
 * - **Bounds.** An unseen time is known between its bounds. Its status is `uncertain` unless all times between them have the same status.
 *   The way from the fix before narrows the bounds, but never beyond the interpolated time.
 * - **`no_data`**: an unserved point that could have been visited on time (with both of its times; without a plan: ever) in a hole
 *   between its neighbours' visits.
 * - **Predictions** (option `predict`): `predictedArrival` of pending points, as of the last fix. It is never before `now`. In a strict trip it is never
 *   before that of an earlier pending point. It is `null` if the last fix is more than `maxGapSeconds` before `now`. Events: `late_expected` when at one fix after the
 *   other the forecast has been beyond plan + tolerance for `predictionHoldSeconds` (120), `late_averted` when it has been back within
 *   it for as long. Each fix in the window is evaluated with what was known then. Predictions are never violations.
 * - **Overdue**: `arrival_overdue` when the tolerance is over, also of a point that is skipped by then.
 * - **Changes** (option `changes`): `{type: 'excuse', pointIndex, at, reason?, by?}` makes a point free of violations, never overdue, and nothing waits for it;
 *   `{type: 'cancel', at}` ends the run (`cancelled`), unless it is over; `{type: 'amend', at, trip, from?}` (tracks only): from `at` on the points,
 *   plans, zones and window of `trip` hold. `from` has for each new point the index of the old one, or `null`; without it they are the same ones.
 *   A point served by a visit that was over keeps visit, plan and statuses, and the run keeps its start. A visit of another point, open at
 *   `at`, goes on if the last fix is in the new zone, else it ends (`zone-changed`). `{type: 'handOver', at, unitId}` (tracks only): before `at` the fixes
 *   of the unit in charge count, from `at` on those of `unitId`; give the units' tracks as `{tracks}`. The step over `at` is no motion, and a hole
 *   if longer than `holeSeconds`; an open visit ends at `at` (`handed-over`), unless the first fix of the new unit is in the zone. To the unit in
 *   charge it changes nothing. The report lists `handOvers`. A change says nothing about reports before its `at`.
 *
 * `distanceMeters` follows the straight lon/lat way between fixes; null without activation, and for given visits. `lastFixAt` is
 * null for given visits too.
 *
 * The result depends only on the arguments, and not on the order of the visits. Inputs are not changed.
 *
 * Errors: those of `planTrip`, `tripZones` and `findVisits` (the latter two for a track, or for gaps with positions); `dictionary-key`
 * (`passage_order_type.key`, `activation_type.key`), `activation-time` (`points[0].arrival`), `visits-type`, `visit-invalid`,
 * `visit-zone`, `gaps-type`, `gap-invalid`, `changes-type`, `change-invalid`, `amend-points`, `limit-points` (visits that overlap too much).
 * Cost: O(points · visits) for `strict`, O(points² · visits) a zone for `arbitrary`. To share visits in any order is NP-hard: of more than 12 points of
 * one zone with too few visits each visit is made to serve its neighbours one after the other, which may not be the best way.
 * Reference: Kuhn 1955, doi:10.1002/nav.3800020109 (`arbitrary`).
 *
 * @example
 * import { readTrack } from 'wayzone/tracks';
 * import { evaluateTrip } from 'wayzone/trips';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const fixes = [0, 1, 2, 3].map((i) => ({ time: Date.UTC(2026, 2, 2, 7, 2 * i), lon: 13.38 + 0.01 * i, lat: 52.5 }));
 * const report = evaluateTrip(trip, '2026-03-02', readTrack(fixes), { timeZone: 'Europe/Berlin' });
 * [report.status, report.points[0].arrivalStatus, report.violations[0].type]; // ['finished_with_violations', 'late', 'late']
 */
export function evaluateTrip(
  trip: TripInput,
  date: string,
  source: Track | TripTracks | TripVisits,
  options: TripOptions,
): TripReport {
  checkRunOptions(options, TRIP_OPTIONS);
  const run = prepareRun(trip, date, options);
  const now = run.rules.now ?? run.plan.window.to;
  const changes = readChanges(
    guarded('options.changes', () => options.changes),
    run.zones.length,
  );
  return hasVisits(source)
    ? ofVisits(trip, source, run, now, options, changes)
    : ofTrack(trip, date, source, run, options, changes);
}

function ofVisits(
  trip: TripInput,
  source: TripVisits,
  run: TripRun,
  now: number,
  options: TripOptions,
  given: readonly GivenChange[],
): TripReport {
  const changes = given.map(({ change, field }) => {
    if (change.type === 'excuse' || change.type === 'cancel') return change;
    throw inputError(
      'change-invalid',
      `${field}.type`,
      'excuse or cancel where visits are given',
      change.type,
    );
  });
  const at = (time: number, isCancelled: boolean): TripReport => {
    const excused = {
      ...run,
      ...excusesOf(
        changes.filter((change) => change.at <= time),
        run.zones.length,
      ),
    };
    const own = isCancelled ? { ...excused, cancelledAt: time } : excused;
    const predictions = own.rules.predict && new Predictions(predictionRules(trip, own, options));
    const report = evaluateRun(own, readObservations(trip, source, own, time, options), time);
    return predictions?.addTo(report, time) ?? report;
  };
  for (const change of changes) {
    if (change.type !== 'cancel' || change.at > now) continue;
    const cancelled = at(change.at, true);
    if (cancelled.status === 'cancelled') return cancelled;
  }
  return at(now, false);
}

function ofTrack(
  trip: TripInput,
  date: string,
  source: Track | TripTracks,
  run: TripRun,
  options: TripOptions,
  given: readonly GivenChange[],
): TripReport {
  const trackOf = hasTracks(source) ? readTracks(source) : allOf(readSource(source));
  const amendments = new Amendments(date, options);
  for (const { change, field } of given) amendments.read(change, field);
  const changes = given.map(({ change }) => change);
  const now = run.rules.now ?? windowEndOf(run, { changes, amendments });
  // A change says nothing about earlier reports: the fix after `now` may be one that it would not count.
  const handOvers = handOversOf(
    changes.filter(({ at }) => at <= now),
    run.unitId,
  );
  const by = { changes, amendments, handOvers };
  const followed: Followed = {
    unit: newRunUnit(0),
    journal: new TripJournal(journalRules(run, tripIndex(trip, run.zones, options)), run),
    predictions: run.rules.predict && new Predictions(predictionRules(trip, run, options)),
  };
  const { unit } = followed;
  const last = lastTimeOf(run, by);
  const { fixes, next } = countedFixes(trackOf, run.unitId, handOvers, now, last);
  for (const { fix, blind } of fixes) {
    applyFix(followed, fix, blind, by);
    unit.time = fix.time;
    unit.lon = fix.lon;
    unit.lat = fix.lat;
  }
  applyChanges(followed, now, next, by);
  const report = reportOf(followed, now, next, by);
  followed.predictions?.check();
  return followed.predictions?.addTo(report, now) ?? report;
}

/** A track of fixes that do not name their unit is of the unit in charge. */
function allOf(track: Track): () => Track {
  return () => track;
}
