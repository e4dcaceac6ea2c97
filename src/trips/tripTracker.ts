/** Follows a run of a trip fix by fix. */

import { inputError, WayzoneError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import { guarded } from '../core/input.js';
import { pickOptions, readOptions } from '../core/options.js';
import type { TripInput } from '../core/trip.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import { countsOf, FixIntake, issuesOfUnits, type StreamCounts } from '../tracks/fixIntake.js';
import { blindAfter } from '../tracks/reading.js';
import { otherUnitFault } from '../tracks/rejection.js';
import { corrupt } from '../tracks/stateReader.js';
import { optionsFromJson, readStreamRules, type StreamRules } from '../tracks/streamOptions.js';
import { type PushOptions, readReceivedAt, readTime } from '../tracks/streamUnits.js';
import { textHash } from '../tracks/textHash.js';
import { copyOfUnit, newUnit, takeBackFixes, type VisitUnit } from '../tracks/visitUnit.js';
import { resumeAmended } from './amendJournal.js';
import { Amendments } from './amendments.js';
import { applyChanges, applyFix, hasChanges, noNext, reportOf } from './applyFix.js';
import type { Followed, RunChanges } from './followed.js';
import { handedOn, handOversOf, inChargeAt, type TripHandedOver } from './handOversOf.js';
import type { JournalRules } from './journalRules.js';
import type { Predict } from './predict.js';
import { type PredictionRules, Predictions, predictionRules } from './predictions.js';
import { quietUntil } from './quietUntil.js';
import { checkPoints, type GivenChange, readChange, tooLate } from './readChanges.js';
import { journalRules, tripIndex } from './readObservations.js';
import { reviseEvents, type TripRevision } from './reviseEvents.js';
import type { Settlement } from './settlement.js';
import type { AmendNote, ChangeNote, TripChange } from './tripChange.js';
import type { TripFix } from './tripFix.js';
import { TripJournal } from './tripJournal.js';
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
 * Cost of a fix: that of a `VisitTracker`, and one evaluation of the visits so far, about 0.1 ms, only where the fix
 * or the time may change events; `pushAll` evaluates once. Memory: that of the visits and the fixes that wait.
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
  readonly #amendments: Amendments;
  /** The rules of forecasts before all amendments. */
  readonly #baseRules: () => PredictionRules;
  readonly #streamRules: StreamRules;
  readonly #intake: FixIntake<VisitUnit>;
  /** Reads the fixes that wait ahead of time. */
  readonly #aheadIntake: FixIntake<VisitUnit>;
  /** The state after the fixes that wait for the lateness; `null`: none wait, or it is to be made anew. */
  #ahead: Followed | null = null;
  /** The hand-overs among the changes. */
  #handOvers: readonly TripHandedOver[] = [];
  /** When events may change at the latest without new evidence. */
  #quiet: Quiet | null = null;
  #state: TripState;

  constructor(trip: TripInput, date: string, given: TripTrackerOptions) {
    checkRunOptions(given, TRIP_TRACKER_OPTIONS);
    // Without `now` and `maxUnits`, which a tracker has not.
    const options = pickOptions(given, TRIP_TRACKER_OPTIONS) as TripTrackerOptions;
    this.#run = prepareRun(trip, date, options);
    this.#streamRules = readStreamRules(options);
    this.#rules = journalRules(this.#run, tripIndex(trip, this.#run.zones, options));
    this.#amendments = new Amendments(date, options);
    this.#baseRules = () => predictionRules(trip, this.#run, options);
    const { plan, zones, unitId, passageOrder, activationKind } = this.#run;
    const shapes = guarded('points', () =>
      zonesOf(trip, options).map(({ id: _id, name: _name, type, geometry, width, ...others }) => [
        type.key,
        geometry,
        width,
        // An absent field has no entry, so that the hashes of trips without it do not change.
        ...Object.values(others),
      ]),
    );
    this.#head = {
      date: plan.date,
      trip: textHash(JSON.stringify([plan, zones, unitId, passageOrder, activationKind, shapes])),
      options: trackerOptionsToJson(options),
    };
    this.#intake = this.#intakeOf(this.#streamRules, () => this.#state);
    this.#aheadIntake = this.#intakeOf({ ...this.#streamRules, latenessMs: 0 }, () => this.#ahead!);
    this.#state = {
      clock: Number.NEGATIVE_INFINITY,
      unit: newUnit('', Number.NEGATIVE_INFINITY),
      journal: new TripJournal(this.#rules, this.#run),
      predictions: this.#run.rules.predict && new Predictions(this.#baseRules()),
      changes: [],
      emitted: [],
    };
  }

  #intakeOf(rules: StreamRules, viewOf: () => Followed): FixIntake<VisitUnit> {
    return new FixIntake<VisitUnit>(rules, {
      apply: (_, fix, blind) => applyFix(viewOf(), fix, blind, this.#by()),
      takeBack: (unit) => {
        takeBackFixes(unit, this.#rules.visitRules);
        viewOf().journal.takeBack();
      },
      faultOf: (message, time) => {
        const { unitId } = message as { readonly unitId?: unknown };
        if (unitId === undefined || unitId === null) return null;
        const inCharge = inChargeAt(this.#handOvers, time, this.#run.unitId);
        return unitId === inCharge ? null : otherUnitFault(time, unitId, inCharge);
      },
      changesUnit: (released, time) =>
        handedOn(this.#handOvers, Number.isFinite(released) ? released : undefined, time) !== null,
    });
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
    const { predictions } = tracker.#state;
    const state = readTripState(
      open,
      (given, settlements) => tracker.#resumed(given, settlements),
      (changes, journal) => tracker.#predictionRules(changes, journal),
      tracker.#run.zones.length,
    );
    tracker.#state = state.predictions === null ? { ...state, predictions } : state;
    tracker.#handOvers = handOversOf(state.changes, tracker.#run.unitId);
    return tracker;
  }

  /**
   * Processes a fix and returns the new events. `maxFutureSeconds` is measured from `receivedAt` (epoch ms). A fix with the `unitId` of another
   * unit than the one in charge at its time is rejected (`other-unit`); one without is of the unit in charge.
   */
  push(fix: TripFix, options?: PushOptions): TripTrackerEvent[] {
    this.#take(fix, readReceivedAt(options) ?? Number.NEGATIVE_INFINITY);
    this.#state.predictions?.check();
    return this.#emit();
  }

  /** Passes a message to the unit, and to the state ahead if the message is the latest. */
  #take(fix: TripFix, receivedAt: number): void {
    const { unit } = this.#state;
    const latest = unit.pending?.latest ?? Number.NEGATIVE_INFINITY;
    const { rejected, late, duplicate } = unit;
    const refused = (counts: typeof rejected): number =>
      counts === null ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0);
    const before = refused(rejected) + late;
    const wasAhead = unit.ahead !== null;
    this.#intake.push(unit, fix, receivedAt);
    if (this.#ahead === null) return;
    const isNewest = unit.pending !== null && unit.pending.latest > latest && unit.duplicate === duplicate;
    if (isNewest && !wasAhead && unit.ahead === null) {
      this.#aheadIntake.push(this.#ahead.unit, fix, receivedAt);
    } else if (isNewest || wasAhead || refused(unit.rejected) + unit.late === before) {
      // A fix between waiting ones, or instead of one.
      this.#ahead = null;
    }
  }

  /**
   * Processes fixes in their order and returns the new events, with one evaluation after the last fix: many times cheaper than `push`
   * for each, to restore a run from stored fixes. State and report are those after one `push` per fix. Events that a later fix of the
   * list changes are not emitted. When an error is thrown, the fixes before it are processed; the next call emits their events.
   *
   * Errors: `fixes-type` if `fixes` is not iterable; those of `push`.
   */
  pushAll(fixes: Iterable<TripFix>, options?: PushOptions): TripTrackerEvent[] {
    if (typeof (fixes as Partial<Iterable<TripFix>> | null | undefined)?.[Symbol.iterator] !== 'function')
      throw inputError('fixes-type', 'fixes', 'an iterable of fixes', fixes);
    const receivedAt = readReceivedAt(options) ?? Number.NEGATIVE_INFINITY;
    guarded('fixes', () => {
      for (const fix of fixes) this.#take(fix, receivedAt);
    });
    this.#state.predictions?.check();
    return this.#emit();
  }

  /** Advances the clock to `time` (epoch ms) and returns the new events. A time before the last one changes nothing. */
  advance(time: number): TripTrackerEvent[] {
    this.#state.clock = Math.max(this.#state.clock, readTime(time, 'time'));
    const waited = this.#state.unit.ahead;
    this.#intake.advance(this.#state.unit, this.#state.clock);
    if (waited !== null) this.#ahead = null;
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

  /**
   * Excuses a point from a time on (T47): it makes no violation, is never overdue and holds nothing back. Returns the new events.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before an amendment).
   */
  excuse(pointIndex: number, note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'excuse', pointIndex });
  }

  /**
   * Cancels the run at a time (T48). What was served by then stays, with its violations; the other points are excused. A run that is over
   * then stays as it is. Returns the new events.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before the last fix or an amendment).
   */
  cancel(note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'cancel' });
  }

  /**
   * From a time on the points, plans, zones and window of another trip hold (T49). `from` has for each new point the index of the old one, or
   * `null` for an added one; without it the points are the same ones in their order. A point that was served by a visit that is over keeps
   * its visit, plan and statuses, and takes the new name; dropped, it leaves the report. The run keeps its start, unit and id. Returns
   * the new events; those of points have the new indices. With `at` after the last fix they come with the next fix or `advance`.
   *
   * Errors: `change-invalid`, `change-late` (`at` is before the last fix or an amendment), `amend-points` (`from` is missing for another
   * number of points, or names a point twice or one that is not there); those of `evaluateTrip` for a trip, at `change.trip`.
   */
  amend(trip: TripInput, note: AmendNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'amend', trip });
  }

  /**
   * Hands the run over to another unit (T50): before `at` the fixes of the old unit count, from `at` on those of the new one. The step over
   * `at` is no motion: it gives no visit and no distance, and is a hole if it is longer than `holeSeconds`. A visit that is open at `at` ends there
   * (`handed-over`), unless the first fix of the new unit is in the zone. To the unit in charge it changes nothing but the log. Returns the
   * new events. The run keeps the id of its unit; the report lists its `handOvers`.
   *
   * Errors: `change-invalid`, `change-late` (`at` is not after the last fix, or before an amendment).
   */
  handOver(unitId: string, note: ChangeNote): TripTrackerEvent[] {
    return this.#change(note, { type: 'handOver', unitId });
  }

  /** The changes of the run, in order of `at`: who, when and why. */
  changes(): TripChange[] {
    return structuredClone([...this.#state.changes]);
  }

  #change(note: ChangeNote, what: object): TripTrackerEvent[] {
    const given = guarded('change', () =>
      typeof note === 'object' && note !== null ? { ...note, ...what } : note,
    );
    const change = readChange(given, 'change');
    const { changes } = this.#state;
    const { released, ahead } = this.#view().unit;
    if (change.type === 'handOver') checkHandOver(change.at, Math.max(released, ahead?.time ?? released));
    else if (change.type !== 'excuse' && change.at < released) throw tooLate(change.at, released, 'fix');
    const amended = changes.findLast(({ type }) => type === 'amend')?.at ?? change.at;
    if (change.at < amended) throw tooLate(change.at, amended, 'amendment');
    const sorted = [...changes, change].sort((a, b) => a.at - b.at);
    checkPoints(
      sorted.map((own) => ({ change: own, field: own === change ? 'change' : 'changes' })),
      this.#run.zones.length,
    );
    this.#amendments.read(change, 'change');
    this.#state.changes = sorted;
    this.#handOvers = handOversOf(sorted, this.#run.unitId);
    this.#quiet = null;
    return this.#emit();
  }

  #emit(): TripTrackerEvent[] {
    const view = this.#view();
    if (this.#isQuiet(view)) return [];
    const { events } = this.#evaluate();
    const news = reviseEvents(this.#state.emitted, events);
    this.#state.emitted = events;
    this.#quiet = this.#quietFrom(view);
    return news;
  }

  /** Whether the events are those of the last evaluation. */
  #isQuiet({ journal, unit, predictions }: Followed): boolean {
    const quiet = this.#quiet;
    if (quiet === null || predictions !== null || blindAfter(unit) !== null) return false;
    const now = this.#nowOf(unit);
    return (
      now === journal.last?.time &&
      now < quiet.until &&
      quiet.journal === journal &&
      quiet.version === journal.version
    );
  }

  #quietFrom({ journal, unit, predictions }: Followed): Quiet | null {
    const now = this.#nowOf(unit);
    // Without a hole up to `now` the time alone changes events only when a planned time or a limit passes.
    if (predictions !== null || blindAfter(unit) !== null || now !== journal.last?.time) return null;
    return {
      journal,
      version: journal.version,
      until: quietUntil(journal.run, journal, unit, this.#state.changes, now),
    };
  }

  #nowOf({ released }: VisitUnit): number {
    // Suspect and frozen fixes are evidence of the time, not of a place.
    return Math.max(this.#state.clock, released);
  }

  /** The state with the fixes that wait, as if the unit's track ended here. */
  #view(): Followed {
    const { unit } = this.#state;
    if (unit.pending === null) {
      this.#ahead = null;
      return this.#state;
    }
    if (this.#ahead === null) {
      this.#ahead = copyOf(this.#state);
      this.#aheadIntake.raise(this.#ahead.unit, Number.POSITIVE_INFINITY);
      // Only the clock of the unit itself decides what is late.
      this.#ahead.unit.watermark = this.#ahead.unit.released;
      this.#ahead.predictions?.check();
    }
    return this.#ahead;
  }

  #by(): RunChanges {
    return { changes: this.#state.changes, amendments: this.#amendments, handOvers: this.#handOvers };
  }

  #evaluate(): TripReport {
    let view = this.#view();
    const by = this.#by();
    const now = this.#nowOf(view.unit);
    const next = noNext(blindAfter(view.unit));
    if (hasChanges(view, now, by)) {
      // The next fix decides how the changes apply for good.
      view = copyOf(view);
      applyChanges(view, now, next, by);
    }
    const report = reportOf(view, now, next, by);
    return view.predictions?.addTo(report, now) ?? report;
  }
}

/** The fixes so far were those of the unit in charge until then. */
function checkHandOver(at: number, last: number): void {
  if (at > last) return;
  throw inputError('change-late', 'change.at', `a time after the last fix, ${last}`, at);
}

/** An independent copy of a state. */
function copyOf({ unit, journal, predictions }: Followed): Followed {
  return { unit: copyOfUnit(unit), journal: journal.copy(), predictions: predictions?.fork() ?? null };
}

/** Until when the events of a journal of some version stay. */
interface Quiet {
  readonly journal: TripJournal;
  readonly version: number;
  readonly until: number;
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
