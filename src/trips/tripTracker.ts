/** Follows a run of a trip fix by fix. */

import { inputError, WayzoneError } from '../core/errors.js';
import type { Fix, Issue } from '../core/fix.js';
import { guarded } from '../core/input.js';
import { pickOptions, readOptions } from '../core/options.js';
import type { TripInput } from '../core/trip.js';
import type { BlindCode } from '../tracks/blindStep.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import { countsOf, FixIntake, issuesOfUnits, type StreamCounts } from '../tracks/fixIntake.js';
import type { CleanFix } from '../tracks/fixReader.js';
import { blindAfter } from '../tracks/readingFixes.js';
import { corrupt } from '../tracks/stateReader.js';
import { optionsFromJson, readStreamRules, type StreamRules } from '../tracks/streamOptions.js';
import { type PushOptions, readReceivedAt, readTime } from '../tracks/streamUnits.js';
import { textHash } from '../tracks/textHash.js';
import { copyOfUnit, newUnit, takeBackFixes, type VisitUnit } from '../tracks/visitUnit.js';
import { evaluateRun } from './evaluateRun.js';
import type { MetersTo } from './holes.js';
import type { Predict } from './predict.js';
import { type PredictionRules, Predictions, predictionRules } from './predictions.js';
import { journalRules, knownBy, metersTo, tripIndex } from './readObservations.js';
import { reviseEvents, type TripRevision } from './reviseEvents.js';
import { type JournalRules, TripJournal } from './tripJournal.js';
import type { TripEvent, TripReport } from './tripReport.js';
import { readPredict } from './tripRules.js';
import { prepareRun, type TripRun } from './tripRun.js';
import {
  openTripSnapshot,
  readTripState,
  type SnapshotHead,
  sealTripSnapshot,
  type TripSnapshot,
  type TripState,
} from './tripSnapshot.js';
import {
  RESTORE_OPTIONS,
  TRIP_TRACKER_OPTIONS,
  type TripTrackerOptions,
  trackerOptionsToJson,
} from './tripTrackerOptions.js';
import { zonesOf } from './tripZones.js';

/** An event of the best assignment so far, or the revision of an emitted one. */
export type TripTrackerEvent = TripEvent | TripRevision;

/**
 * Follows one run of a trip: evaluates it at every fix. The unit's messages are those of one unit of a
 * `VisitTracker`, with the same `latenessSeconds`, `maxFutureSeconds` and plausibility.
 *
 * `now` is the time of the unit's last fix or the last `advance`, whichever is later. `report()` is
 * `evaluateTrip(trip, date, readTrack(fixes), {...options, now})` of all fixes so far that are not `late`; so any order of arrival
 * within the lateness gives the same report. Call `advance` with the window's end to close the run.
 *
 * `push`, `pushAll` and `advance` return the changes of the report's events, which are those of the best assignment so far: first
 * `{type: 'revised', was, is}` for each emitted event that changed (`is` null: removed), and for each new event before a remaining one
 * (`was` null); then the other new events in the report's order. The emitted events with their revisions always equal the report's
 * events. Fixes that wait for the lateness count.
 *
 * `snapshot()` is plain JSON with the options; restoring it for the same trip and going on gives the same events.
 *
 * Errors: those of `evaluateTrip` for the trip, the date, the options and the shapes; `option-type`, `option-value`,
 * `input-unreadable`; of snapshots `state-version`, `state-corrupt`, `state-trip` (of another trip, or one changed since).
 * Cost of a fix: that of a `VisitTracker`, and one evaluation of the visits so far, about 0.1 ms; `pushAll` evaluates once. Memory: about 110 bytes for each fix in
 * the window, for the distance, and the visits.
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
  readonly #run: TripRun;
  readonly #head: SnapshotHead;
  readonly #rules: JournalRules;
  readonly #metersTo: MetersTo;
  readonly #streamRules: StreamRules;
  readonly #intake: FixIntake<VisitUnit>;
  #state: TripState;

  constructor(trip: TripInput, date: string, given: TripTrackerOptions) {
    checkRunOptions(given, TRIP_TRACKER_OPTIONS);
    // Without `now` and `maxUnits`, which a tracker has not.
    const options = pickOptions(given, TRIP_TRACKER_OPTIONS) as TripTrackerOptions;
    this.#run = prepareRun(trip, date, options);
    this.#streamRules = readStreamRules(options);
    this.#rules = journalRules(this.#run, tripIndex(trip, this.#run.zones, options));
    this.#metersTo = metersTo(this.#rules.index);
    const { plan, zones, unitId, passageOrder, activationKind } = this.#run;
    const shapes = guarded('points', () =>
      zonesOf(trip, options).map(({ type, geometry, width, parts }) => [
        type.key,
        geometry,
        width,
        // Without parts there is no fourth entry, so that hashes of trips without parts do not change.
        ...(parts === undefined ? [] : [parts]),
      ]),
    );
    this.#head = {
      date: plan.date,
      trip: textHash(JSON.stringify([plan, zones, unitId, passageOrder, activationKind, shapes])),
      options: trackerOptionsToJson(options),
    };
    this.#intake = new FixIntake<VisitUnit>(this.#streamRules, {
      apply: (unit, fix, blind) =>
        this.#apply([this.#state.journal], this.#state.predictions, unit, fix, blind),
      takeBack: (unit) => this.#takeBack(this.#state.journal, unit),
    });
    this.#state = {
      clock: Number.NEGATIVE_INFINITY,
      unit: newUnit('', Number.NEGATIVE_INFINITY),
      journal: new TripJournal(this.#rules),
      predictions: this.#run.rules.predict && new Predictions(predictionRules(trip, this.#run, options)),
      emitted: [],
    };
  }

  /**
   * Restores a tracker from a snapshot of the same trip or its JSON text, with its date and options. JSON cannot hold a function: pass
   * `predict` again; without it there are no more forecasts.
   */
  static restore(
    trip: TripInput,
    snapshot: TripSnapshot | string,
    options: Pick<TripTrackerOptions, 'predict'> = {},
  ): TripTracker {
    const open = openTripSnapshot(snapshot);
    const tracker = trackerOf(trip, open.head, readPredict(readOptions(options, RESTORE_OPTIONS).predict));
    if (tracker.#head.trip !== open.head.trip) {
      throw inputError(
        'state-trip',
        'snapshot.trip',
        `the trip of this tracker, ${tracker.#head.trip}`,
        open.head.trip,
      );
    }
    const predictionsOf = (): PredictionRules =>
      predictionRules(trip, tracker.#run, tracker.#head.options as Partial<TripTrackerOptions>);
    const { predictions } = tracker.#state;
    const state = readTripState(open, new TripJournal(tracker.#rules), predictionsOf);
    tracker.#state = state.predictions === null ? { ...state, predictions } : state;
    return tracker;
  }

  /** Processes a fix and returns the new events. `maxFutureSeconds` is measured from `receivedAt` (epoch ms). */
  push(fix: Fix, options?: PushOptions): TripTrackerEvent[] {
    this.#intake.push(this.#state.unit, fix, readReceivedAt(options) ?? Number.NEGATIVE_INFINITY);
    this.#state.predictions?.check();
    return this.#emit();
  }

  /**
   * Processes fixes in their order and returns the new events, with one evaluation after the last fix: many times cheaper than `push`
   * for each, to restore a run from stored fixes. State and report are those after one `push` per fix. Events that a later fix of the
   * list changes are not emitted. When an error is thrown, the fixes before it are processed; the next call emits their events.
   *
   * Errors: `fixes-type` if `fixes` is not iterable; those of `push`.
   */
  pushAll(fixes: Iterable<Fix>, options?: PushOptions): TripTrackerEvent[] {
    if (typeof (fixes as Partial<Iterable<Fix>> | null | undefined)?.[Symbol.iterator] !== 'function')
      throw inputError('fixes-type', 'fixes', 'an iterable of fixes', fixes);
    const receivedAt = readReceivedAt(options) ?? Number.NEGATIVE_INFINITY;
    guarded('fixes', () => {
      for (const fix of fixes) this.#intake.push(this.#state.unit, fix, receivedAt);
    });
    this.#state.predictions?.check();
    return this.#emit();
  }

  /** Advances the clock to `time` (epoch ms) and returns the new events. A time before the last one changes nothing. */
  advance(time: number): TripTrackerEvent[] {
    this.#state.clock = Math.max(this.#state.clock, readTime(time, 'time'));
    this.#intake.advance(this.#state.unit, this.#state.clock);
    this.#state.predictions?.check();
    return this.#emit();
  }

  /** The report as of the last fix or `advance`. */
  report(): TripReport {
    return this.#evaluate();
  }

  /** Counts of the messages by outcome. */
  counts(): StreamCounts {
    return countsOf(this.#state.unit);
  }

  /** Why fixes were rejected: for each reason an example with its field, the received value and what to do, sorted by code. */
  issues(): Issue[] {
    return issuesOfUnits([this.#state.unit]);
  }

  /** The state as plain JSON. */
  snapshot(): TripSnapshot {
    return sealTripSnapshot(this.#head, this.#state);
  }

  #emit(): TripTrackerEvent[] {
    const { events } = this.#evaluate();
    const news = reviseEvents(this.#state.emitted, events);
    this.#state.emitted = events;
    return news;
  }

  /** Adds the next fix of the unit to the last journal. */
  #apply(
    journals: readonly [...TripJournal[], TripJournal],
    predictions: Predictions | null,
    unit: VisitUnit,
    fix: CleanFix,
    blind: BlindCode,
  ): void {
    journals[journals.length - 1]!.apply(unit, fix, blind);
    predictions?.note(knownBy(journals, unit, this.#run, null, fix.time, this.#metersTo), fix);
  }

  #takeBack(journal: TripJournal, unit: VisitUnit): void {
    takeBackFixes(unit, this.#rules.visitRules);
    journal.takeBack();
  }

  /** The report by all fixes, as if the unit's track ended here. The events alone need no distance. */
  #evaluate(): TripReport {
    const { clock, unit, journal, predictions } = this.#state;
    // Waiting fixes are applied to copies.
    const waits = unit.pending !== null;
    const end = waits ? copyOfUnit(unit) : unit;
    const journals = waits ? ([journal, journal.fork()] as const) : ([journal] as const);
    const forecast = waits ? (predictions?.fork() ?? null) : predictions;
    if (waits) {
      new FixIntake<VisitUnit>(this.#streamRules, {
        apply: (state, fix, blind) => this.#apply(journals, forecast, state, fix, blind),
        takeBack: (state) => this.#takeBack(journals[journals.length - 1]!, state),
      }).raise(end, Number.POSITIVE_INFINITY);
      forecast?.check();
    }
    // Suspect and frozen fixes are no evidence of a place, but of the time.
    const now = Math.max(clock, end.released);
    const next = { fix: null, blind: blindAfter(end) };
    const seen = knownBy(journals, end, this.#run, next, now, this.#metersTo);
    const report = evaluateRun(this.#run, seen, now);
    return forecast?.addTo(report, now) ?? report;
  }
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
