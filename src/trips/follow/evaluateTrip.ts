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
import { excusesOf, type GivenChange, handOversOf, readChanges } from '../terms/readChanges.js';
import type { TripOptions, TripReport, TripTracks, TripVisits } from '../terms/tripReport.js';
import { TRIP_OPTIONS } from '../terms/tripRules.js';
import { Amendments, type Followed, lastTimeOf, windowEndOf } from './amendments.js';
import { applyChanges, applyFix, countedFixes, reportOf } from './applyFix.js';

/**
 * Evaluates a trip on one of its `dates` with the data known at `now` (default: the window's end). Returns its status, the visit of each point
 * with its deviation from the plan, totals, violations and events. A time in which the unit was not seen never causes a violation.
 *
 * `source` has three forms: the unit's `Track`; `{tracks}` of several units by id for a run with hand-overs; `{visits, gaps?}` of your own, with
 * the index of a point as `zoneId`. `lastFixAt` and `distanceMeters` are null for given visits. Rules: docs/rules/trips.md.
 *
 * Errors: as `planTrip`, `tripZones` and `findVisits`; `dictionary-key`, `activation-time`, `visits-type`, `visit-invalid`, `visit-zone`,
 * `gaps-type`, `gap-invalid`, `changes-type`, `change-invalid`, `amend-points`, `limit-points` (visits that overlap too much). Cost: O(points ·
 * visits) for `strict`, O(points² · visits) a zone for `arbitrary` (Kuhn 1955, doi:10.1002/nav.3800020109).
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
    return predictions?.addTo(report, time, excused.excusedSince) ?? report;
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
    unit.mileageMeters = fix.mileageMeters;
  }
  applyChanges(followed, now, next, by);
  const report = reportOf(followed, now, next, by);
  followed.predictions?.check();
  return report;
}

/** A track of fixes that do not name their unit is of the unit in charge. */
function allOf(track: Track): () => Track {
  return () => track;
}
