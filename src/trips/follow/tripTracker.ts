/** Follows a run of a trip fix by fix. */

import { inputError, WayzoneError } from '../../core/errors.js';
import type { Issue } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { pickOptions, readOptions } from '../../core/options.js';
import type { TripInput } from '../../core/trip.js';
import { checkRunOptions } from '../../tracks/checkRunOptions.js';
import { BEFORE_ALL, countsOf, issuesOfUnits, type StreamCounts } from '../../tracks/fixIntake.js';
import { corrupt } from '../../tracks/stream/sealed.js';
import { type PushOptions, readReceivedAt, readTime } from '../../tracks/stream/unitStream.js';
import { optionsFromJson, readStreamRules, type StreamRules } from '../../tracks/streamOptions.js';
import { type PredictionRules, Predictions, predictionRules } from '../predict/predictions.js';
import type { JournalRules } from '../seen/journalRules.js';
import { resumeJournal } from '../seen/journalState.js';
import { journalRules, tripIndex } from '../seen/readObservations.js';
import { newRunUnit, type TripFix } from '../seen/runUnit.js';
import type { Settlement } from '../seen/settlement.js';
import { TripJournal } from '../seen/tripJournal.js';
import { prepareRun, type TripRun } from '../seen/tripRun.js';
import type { Predict } from '../terms/predict.js';
import { addChange, type GivenChange, handOversOf } from '../terms/readChanges.js';
import type { AmendNote, ChangeNote, TripChange } from '../terms/tripChange.js';
import type { TripReport } from '../terms/tripReport.js';
import { readPredict } from '../terms/tripRules.js';
import { resumeAmended } from './amendJournal.js';
import { Amendments, type Followed, type RunChanges } from './amendments.js';
import { reportAhead, TripEvents, type TripTrackerEvent } from './tripEvents.js';
import {
  changesOf,
  type OpenTripSnapshot,
  openTripSnapshot,
  type SnapshotHead,
  sealTripSnapshot,
  snapshotHead,
  TRIP_RESTORE_OPTIONS,
  TRIP_TRACKER_OPTIONS,
  type TripSnapshot,
  type TripTrackerOptions,
  unitOf,
} from './tripSnapshot.js';
import { TripStream } from './tripStream.js';

/**
 * Follows one run of a trip fix by fix. `report()` equals `evaluateTrip(trip, date, readTrack(fixes), {...options, now})` for all fixes so far
 * that are not `late`. `now` is the time of the last fix or `advance`. Call `advance` with the window's end to close the run.
 *
 * `push`, `pushAll` and `advance` return the changes of the report's events: `{type: 'revised', was, is}`, then new events. Rules:
 * docs/rules/trips.md.
 *
 * Errors: as `evaluateTrip` for trip, date, options and shapes; `option-type`, `option-value`, `input-unreadable`; of snapshots `state-version`,
 * `state-corrupt`, `state-trip` (another trip, or a changed trip). Cost of a fix: as `VisitTracker`, plus an evaluation if events may change.
 * For `strict` with `skip` this evaluation covers only the points that may still change. Memory: the visits, and the fixes of twice the
 * lateness.
 *
 * @example
 * import { TripTracker } from 'wayzone/trips';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const tracker = new TripTracker(trip, '2026-03-02', { timeZone: 'Europe/Berlin' });
 * const fix = (minutes, lon) => ({ time: Date.UTC(2026, 2, 2, 7, minutes), lon, lat: 52.5 });
 * tracker.push(fix(0, 13.38)).map(({ type }) => type); // ['trip_activated']
 * tracker.push(fix(2, 13.4)).map(({ type }) => type); // ['arrival_overdue', 'point_entered', 'arrival_late', 'trip_finished']
 * tracker.report().status; // 'finished_with_violations'
 */
export class TripTracker {
  readonly #first: TripInput;
  readonly #run: TripRun;
  readonly #head: SnapshotHead;
  readonly #rules: JournalRules;
  readonly #amendments: Amendments;
  /** The rules of forecasts before all amendments. */
  readonly #baseRules: () => PredictionRules;
  readonly #streamRules: StreamRules;
  #stream: TripStream;
  #events: TripEvents = new TripEvents();
  #changes: RunChanges;
  /** Time of the last `advance`. */
  #clock = Number.NEGATIVE_INFINITY;

  constructor(trip: TripInput, date: string, given: TripTrackerOptions) {
    checkRunOptions(given, TRIP_TRACKER_OPTIONS);
    // Without `now` and `maxUnits`, which a tracker has not.
    const options = pickOptions(given, TRIP_TRACKER_OPTIONS) as TripTrackerOptions;
    this.#first = trip;
    this.#run = prepareRun(trip, date, options);
    this.#streamRules = readStreamRules(options);
    this.#rules = journalRules(this.#run, tripIndex(trip, this.#run.zones, options));
    this.#amendments = new Amendments(date, options);
    this.#baseRules = () => predictionRules(trip, this.#run, options);
    this.#head = snapshotHead(trip, this.#run, options);
    this.#changes = this.#changedBy([]);
    this.#stream = this.#streamOf({
      unit: newRunUnit(BEFORE_ALL),
      journal: new TripJournal(this.#rules, this.#run),
      predictions: this.#run.rules.predict && new Predictions(this.#baseRules()),
    });
  }

  #changedBy(changes: readonly TripChange[]): RunChanges {
    return { changes, amendments: this.#amendments, handOvers: handOversOf(changes, this.#run.unitId) };
  }

  #streamOf(state: Followed): TripStream {
    return new TripStream(state, this.#streamRules, this.#rules, this.#run, () => this.#changes);
  }

  /** A journal to which the first amendments were applied, as a snapshot has them. */
  #resumed(changed: readonly GivenChange[], settlements: readonly Settlement[]): TripJournal {
    const journal = new TripJournal(this.#rules, this.#run);
    for (const { change, field } of changed) this.#amendments.read(change, field);
    const changes = changed.map(({ change }) => change);
    resumeAmended(journal, changes, settlements, this.#amendments);
    return journal;
  }

  #predictionRules(changes: readonly TripChange[], { run, settlements }: TripJournal): PredictionRules {
    const applied = changes.filter((change) => change.type === 'amend')[settlements.length - 1];
    return applied === undefined ? this.#baseRules() : this.#amendments.of(applied).predictionRules(run);
  }

  /**
   * Restores a tracker from a snapshot or its JSON text, with its date and options. `trip` is the same trip, or the trip of the last amendment.
   * JSON contains no functions, so pass `predict` again: without it there are no more forecasts.
   */
  static restore(
    trip: TripInput,
    snapshot: TripSnapshot | string,
    options: Pick<TripTrackerOptions, 'predict'> = {},
  ): TripTracker {
    const open = openTripSnapshot(snapshot);
    const predict = readPredict(readOptions(options, TRIP_RESTORE_OPTIONS).predict);
    const tracker = ofFirstTrip(trip, open, predict);
    const given = changesOf(open, tracker.#run.zones.length);
    const changes = given.map(({ change }) => change);
    const journal = tracker.#resumed(given, open.journal.settlements);
    resumeJournal(journal, open.journal);
    const { predictions } = tracker.#stream.settled();
    const forecasts = open.predictions;
    tracker.#clock = open.clock ?? Number.NEGATIVE_INFINITY;
    tracker.#events = new TripEvents(
      open.emitted.map(([type, time, pointIndex]) => ({ type, time, pointIndex })),
    );
    tracker.#changes = tracker.#changedBy(changes);
    tracker.#stream = tracker.#streamOf({
      unit: unitOf(open),
      journal,
      predictions:
        forecasts === null
          ? predictions
          : new Predictions(
              tracker.#predictionRules(changes, journal),
              forecasts.forecasts,
              forecasts.events,
            ),
    });
    return tracker;
  }

  /**
   * Processes a fix and returns the new events. `maxFutureSeconds` is measured from `receivedAt` (epoch ms). A fix without `unitId` belongs to
   * the unit in charge. A fix of any other unit is rejected (`other-unit`).
   */
  push(fix: TripFix, options?: PushOptions): TripTrackerEvent[] {
    this.#stream.push(fix, readReceivedAt(options) ?? Number.NEGATIVE_INFINITY);
    return this.#emit();
  }

  /**
   * Processes fixes in their order and returns the new events, with one evaluation after the last fix. Use it to restore a run from stored
   * fixes: it is many times cheaper than `push` for each fix. State and report are the same as after one `push` per fix. Events that a later fix
   * of the list changes are not emitted. If a fix throws an error, the fixes before it are processed, and the next call emits their events.
   *
   * Errors: `fixes-type` if `fixes` is not iterable; as `push`.
   */
  pushAll(fixes: Iterable<TripFix>, options?: PushOptions): TripTrackerEvent[] {
    if (typeof (fixes as Partial<Iterable<TripFix>> | null | undefined)?.[Symbol.iterator] !== 'function')
      throw inputError('fixes-type', 'fixes', 'an iterable of fixes', fixes);
    const receivedAt = readReceivedAt(options) ?? Number.NEGATIVE_INFINITY;
    guarded('fixes', () => {
      for (const fix of fixes) this.#stream.push(fix, receivedAt);
    });
    return this.#emit();
  }

  /** Advances the clock to `time` (epoch ms) and returns the new events. A time before the last `advance` changes nothing. */
  advance(time: number): TripTrackerEvent[] {
    this.#clock = Math.max(this.#clock, readTime(time, 'time'));
    this.#stream.advance(this.#clock);
    return this.#emit();
  }

  /** The report as of the last fix or `advance`. */
  report(): TripReport {
    return reportAhead(this.#stream.latest(), this.#clock, this.#changes);
  }

  /** Counts of the messages by outcome. */
  counts(): StreamCounts {
    return countsOf(this.#stream.settled().unit);
  }

  /** Reasons of rejected fixes, sorted by code. Each issue has an example with its field, the received value and advice. */
  issues(): Issue[] {
    return issuesOfUnits([this.#stream.settled().unit]);
  }

  /** The state as plain JSON. */
  snapshot(): TripSnapshot {
    const { changes } = this.#changes;
    const { emitted } = this.#events;
    const settled = this.#stream.settled();
    return sealTripSnapshot(this.#head, {
      ...settled,
      clock: this.#clock,
      changes,
      first: this.#first,
      emitted,
    });
  }

  /**
   * Excuses a point from a time on. The point has no violations and is never overdue, and no other point waits for it. Returns the new events.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before an amendment).
   */
  excuse(pointIndex: number, note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'excuse', pointIndex });
  }

  /**
   * Cancels the run at a time. Points served by then keep their visits and violations. The other points are excused. A finished run does not
   * change. Returns the new events.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before the last fix or an amendment).
   */
  cancel(note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'cancel' });
  }

  /**
   * Replaces points, plans, zones and window by those of another trip, from a time on. `from` has for each new point the index of the old point,
   * or `null` for an added point. Without `from` each point keeps its index. If the visit that served a point is over, the point keeps visit,
   * plan and statuses, and takes the new name. A dropped point leaves the report. The run keeps its start, unit and id. Returns the new events,
   * with the new indices of points. If `at` is after the last fix, the events come with the next fix or `advance`.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before the last fix or an amendment), `amend-points` (`from` is missing although the number
   * of points changes, or names a point twice, or names a missing point); as `evaluateTrip` for a trip, at `change.trip`.
   */
  amend(trip: TripInput, note: AmendNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'amend', trip });
  }

  /**
   * Hands the run over to another unit. Before `at` the fixes of the old unit count, from `at` on the fixes of the new unit. The step over `at`
   * gives no visit and no distance, and is a hole if it is longer than `holeSeconds`. A visit open at `at` ends there (`handed-over`), unless
   * the first fix of the new unit is in the zone. A hand-over to the unit in charge only adds an entry to `handOvers`. The run keeps the id of
   * its unit. Returns the new events.
   *
   * Errors: `change-invalid`, `change-late` (`at` is not after the last fix, or before an amendment).
   */
  handOver(unitId: string, note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'handOver', unitId });
  }

  /** The changes of the run, in order of `at`: who, when and why. */
  changes(): TripChange[] {
    return structuredClone([...this.#changes.changes]);
  }

  #change(note: ChangeNote, what: object): TripTrackerEvent[] {
    const last = {
      released: this.#stream.latest().unit.released,
      ahead: this.#stream.received.ahead?.time ?? null,
    };
    const { change, changes } = addChange(this.#changes.changes, note, what, last, this.#run.zones.length);
    this.#amendments.read(change, 'change');
    this.#stream.beforeChange();
    this.#changes = this.#changedBy(changes);
    this.#events.wake();
    return this.#emit();
  }

  #emit(): TripTrackerEvent[] {
    this.#stream.check();
    return this.#events.next(this.#stream.latest(), this.#clock, this.#changes);
  }
}

/** A new tracker of the trip before all amendments. `trip`: that one, or the one of the last amendment (T49). */
function ofFirstTrip(trip: TripInput, open: OpenTripSnapshot, predict: Predict | null): TripTracker {
  const tracker = trackerOf(trip, open, predict);
  const own = tracker.snapshot().trip;
  if (own === open.trip) return tracker;
  const amended = open.changes.findLast(({ type }) => type === 'amend')?.trip;
  if (open.first && amended && trackerOf(amended, open, null).snapshot().trip === own)
    return trackerOf(open.first, open, predict);
  throw inputError('state-trip', 'snapshot.trip', `the trip of this tracker, ${own}`, open.trip);
}

/** A snapshot with a date or options that a tracker of this trip would refuse is `state-corrupt`. */
function trackerOf(trip: TripInput, { date, options }: SnapshotHead, predict: Predict | null): TripTracker {
  try {
    const given = { ...optionsFromJson(options), ...(predict && { predict }) };
    return new TripTracker(trip, date, given as unknown as TripTrackerOptions);
  } catch (error) {
    if (!(error instanceof WayzoneError) || !/^(options\b|date$)/.test(error.field)) throw error;
    throw corrupt(`snapshot.${error.field}`, 'what a tracker of this trip can have', error.message);
  }
}
