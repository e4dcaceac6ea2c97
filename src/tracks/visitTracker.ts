/** Visits of many units as their fixes come in: the stream's driver of the state machine in `visitMachine.ts`. */

import type { Fix, Issue } from '../core/fix.js';
import { guarded } from '../core/input.js';
import { readOptions, valuesOf } from '../core/options.js';
import type { HoursOf } from '../core/zoneHours.js';
import type { BlindCode } from './blindStep.js';
import { checkIndex } from './checkIndex.js';
import { checkRunOptions } from './checkRunOptions.js';
import { visitsInOrder } from './findVisits.js';
import { advanceFor, earliest, FixIntake, releaseAt, type StreamCounts } from './fixIntake.js';
import type { CleanFix } from './fixReader.js';
import type { UnitLedger } from './ledger/unitLedger.js';
import { VisitLedger } from './ledger/visitLedger.js';
import { meterRules, readMeterSettings } from './meter/meterSettings.js';
import { asCorrupt } from './stateReader.js';
import { stepVisits } from './stepVisits.js';
import { optionsFromJson, optionsToJson, readStreamRules, type StreamRules } from './streamOptions.js';
import { openSnapshot, type StreamSnapshot } from './streamSnapshot.js';
import { type PushOptions, StreamUnits, shareUnits } from './streamUnits.js';
import type { Visit } from './visit.js';
import { EventBatch, type HoursEvent, type VisitEvent } from './visitEvent.js';
import { type VisitHours, visitHours } from './visitHours.js';
import { afterZoneChange, atEnd, atZoneChange, type Dwell, type VisitSink } from './visitMachine.js';
import { readVisitRules, type VisitRules } from './visitRules.js';
import { kept, VisitStepper } from './visitStepper.js';
import { DEFAULTS, MEASURE_OPTIONS, MEASURED_DEFAULTS, OPTIONS_WITH_HOURS, optionsOfSnapshot, PLAIN_OPTIONS, VISIT_RESTORE_OPTIONS, type VisitRestoreOptions, type VisitTrackerOptions } from './visitTrackerOptions.js'; // biome-ignore format: one line
import { copyOfUnit, newUnit, takeBackFixes, unitFromJson, unitToJson, type VisitUnit } from './visitUnit.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';
import { ZoneShapes } from './zoneShapes.js';

/**
 * Follows many units and emits the events of their visits to the zones of an index. The visits equal `findVisits(readTrack(fixes))`.
 *
 * Times are those of the fixes. Each unit has a watermark: its greatest fix time or the last `advance`, less `latenessSeconds`. Fixes at or
 * after the watermark are sorted and applied when it passes them, so that every order of arrival within the lateness gives the same
 * events. With a lateness of 0 a fix is applied at once, a second fix of the same time is a `duplicate`, and an older one is `late`. Fixes
 * that `readTrack` leaves out are `rejected` for the same reason. The first fix of a unit is applied as it is.
 *
 * - Suspects of a jam are `pending` until a fix returns or the jump is believed; they delay no other unit. Fixes that are found to be frozen only
 *   then move from `applied` to `rejected`, and what they did to open visits is taken back. Events that they caused stand.
 * - A fix later than its `receivedAt` + `maxFutureSeconds` is `time-implausible`. One without `receivedAt` that is more than `maxAheadSeconds` after its
 *   predecessor waits for the next fix of the unit or `advance`.
 *
 * Events are final: an `enter` is emitted after `minInsideSeconds`, when a fix inside or the exit has shown how the zone was `seen`, an
 * `exit` when it is confirmed. Events of one step of a unit are in order of time, at one instant exits first, then in the order of the
 * index; events of `advance` unit by unit. Every `exit` carries the whole `visit`. The visits of all `exit` events and
 * `openVisits(unitId)` together are those of `findVisits`.
 *
 * - If no fix of a unit comes for longer than `maxGapSeconds`, `advance` emits `lost` once for each zone that the unit is in. The next fix
 *   emits `found` if the unit was parked there during the gap, or an `exit` at the last fix before the gap.
 * - With `hoursOf` (`new VisitTracker<VisitEvent | HoursEvent>(…)`), an `enter` has `open`, and a zone that opens or closes during a visit is an `hours` event, once a fix has shown that the unit
 *   was still in (or its `found`, or its `exit`); `advance` emits none. Enters, changes and exits together are `splitByHours`.
 * - A zone whose shape is changed, or that is removed, ends a visit with `zone-changed` at the unit's last fix, at the next `push` of
 *   the unit or `advance`; a fix inside the changed shape begins a new visit at that same fix. A zone that is added under a unit is
 *   entered at the fix before the unit's next movement. Waiting fixes meet the zones of the moment at which they are applied.
 * - With `measure` the visit of every `exit` event is a `MeasuredVisit`, and so are `openVisits`: what `measureVisits` gives for the batch.
 *   Such a unit also keeps the last exit of each zone that it visited.
 * - Memory of a unit: 0.3 KiB, 1.1 KiB for its safe region until it sends nothing for `maxGapSeconds`, 0.4 KiB for each zone that it is in,
 *   and 0.1 KiB for each waiting fix. `maxUnits` bounds the number of units: a host that reaches it keeps `snapshot(unitId)` of a quiet
 *   unit, calls `forget(unitId)`, and passes the snapshot to `adopt` when the unit is back.
 *
 * Errors: `index-type`, `option-type`, `option-unknown`, `option-value`, `settings-type`, `setting-value`, `unit-id`, `limit-units`, `input-unreadable`; of snapshots `state-version`, `state-corrupt`,
 * `state-options`, `unit-known`. Cost of a fix: one `crossing` query, and O(1) for each zone that the unit is in.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { VisitTracker } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const tracker = new VisitTracker(index);
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * tracker.push('truck', fix(0, 37.58)).length; // 0
 * tracker.push('truck', fix(60, 37.6)).map(({ type, zoneId, reason }) => [type, zoneId, reason]); // [['enter', 'depot', 'inside']]
 * tracker.push('truck', fix(120, 37.62)).map(({ type, visit }) => [type, visit.end]); // [['exit', 'left']]
 * ```
 */
export class VisitTracker<Event extends VisitEvent | HoursEvent = VisitEvent> {
  readonly #index: ZoneIndexLike;
  readonly #rules: VisitRules;
  readonly #streamRules: StreamRules;
  readonly #shapes: ZoneShapes;
  readonly #units: StreamUnits<VisitUnit>;
  readonly #events: EventBatch;
  readonly #stepper: VisitStepper;
  readonly #hours: VisitHours | null;
  /** Emits the events of visits that end, for the unit `#unitId`. */
  readonly #sink: VisitSink = { end: (visit, dwell) => this.#emitExit(visit, dwell) };
  #unitId = '';
  /** Measures visits; null without `measure`. */
  readonly #ledger: VisitLedger | null;
  #unitLedger: UnitLedger | null = null;

  constructor(index: ZoneIndexLike, options: VisitTrackerOptions = {}) {
    checkRunOptions(options, OPTIONS_WITH_HOURS);
    checkIndex(index);
    this.#index = index;
    this.#rules = readVisitRules(options);
    this.#streamRules = readStreamRules(options);
    this.#shapes = new ZoneShapes(index);
    this.#events = new EventBatch((zoneId) => index.ordinalOf(zoneId) ?? Number.MAX_SAFE_INTEGER);
    this.#hours = visitHours(
      guarded('options.hoursOf', () => options.hoursOf),
      this.#events,
    );
    this.#stepper = new VisitStepper(index, this.#rules, this.#sink);
    const { measure, settings } = valuesOf(options, MEASURE_OPTIONS);
    const fields = readMeterSettings(settings);
    const values = { ...valuesOf(options, PLAIN_OPTIONS), measure, ...(measure && fields) };
    this.#ledger = measure ? new VisitLedger(meterRules(fields, this.#rules)) : null;
    const kind = {
      kind: 'visits',
      create: (id: string, watermark: number): VisitUnit => newUnit(id, watermark, measure),
      toJson: unitToJson,
      fromJson: unitFromJson,
      apply: (unit: VisitUnit, fix: CleanFix, blind: BlindCode): void => this.#apply(unit, fix, blind),
      takeBack: (unit: VisitUnit): void => takeBackFixes(unit, this.#rules),
    } as const;
    this.#units = new StreamUnits(
      kind,
      this.#streamRules,
      optionsToJson(values, measure ? MEASURED_DEFAULTS : DEFAULTS),
    );
    shareUnits(this, this.#units);
  }

  /** The tracker of a snapshot, with the options stored in it. `snapshot` may be JSON text. */
  static restore<Event extends VisitEvent | HoursEvent = VisitEvent>(
    index: ZoneIndexLike,
    snapshot: StreamSnapshot | string,
    options?: VisitRestoreOptions,
  ): VisitTracker<Event> {
    checkIndex(index);
    const { hoursOf } = readOptions(options, VISIT_RESTORE_OPTIONS);
    const open = openSnapshot(snapshot, 'visits');
    const hours = hoursOf === undefined ? {} : { hoursOf: hoursOf as HoursOf };
    const stored = optionsOfSnapshot(optionsFromJson(open.options));
    const tracker = asCorrupt(
      'snapshot',
      'an option of a tracker',
      () => new VisitTracker<Event>(index, { ...stored, ...hours }),
    );
    tracker.#units.load(open);
    return tracker;
  }

  /** Takes a fix and returns the events that became certain. `maxFutureSeconds` is compared with `receivedAt` (epoch ms). */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly Event[] {
    this.#units.push(unitId, fix, options);
    return this.#events.take() as readonly Event[];
  }

  /**
   * Sets the clock to `time` (epoch ms): raises the watermark of every unit to `time` − lateness and emits `lost`. A time before the
   * last one changes nothing. If messages are delayed by more than the lateness, those on their way become `late`.
   */
  advance(time: number): readonly Event[] {
    this.#units.advance(time, (unit) => {
      this.#unitId = unit.id;
      this.#unitLedger = unit.ledger;
      this.#endChanged(unit);
      if (unit.watermark - unit.time <= this.#rules.maxGapMs) return;
      this.#emitLost(unit);
    });
    return this.#events.take() as readonly Event[];
  }

  /** Ends the unit's visits in zones that were changed or removed, as its next `push` or `advance` would. Returns the events. */
  applyEdits(unitId: string): readonly Event[] {
    const unit = this.#units.get(unitId);
    if (unit === null) return [];
    this.#unitId = unitId;
    this.#unitLedger = unit.ledger;
    this.#endChanged(unit);
    return this.#events.take() as readonly Event[];
  }

  /** Counts of fixes by outcome, for one unit (zeros for an unknown one) or for all units. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /**
   * How many of the pending fixes are suspects of a jam, for one unit or for all units. They wait for a fix of their own unit, and the
   * clock does not change them.
   */
  suspects(unitId?: string): number {
    return this.#units.suspects(unitId);
  }

  /**
   * Why fixes were rejected, for one unit or for all units: for each reason an example with its field, the received value and what to do, sorted
   * by code. The examples are part of snapshots.
   */
  issues(unitId?: string): Issue[] {
    return this.#units.issues(unitId);
  }

  /**
   * The visits without an `exit` event so far, as if the track of the unit ended here: open visits, and visits that a waiting fix would
   * end. Sorted by `enter`, then by the order of the index.
   */
  openVisits(unitId: string): Visit[] {
    const known = this.#units.get(unitId);
    if (known === null) return [];
    const unit = copyOfUnit(known);
    const visits: Visit[] = [];
    const ledger = this.#ledger;
    const { ledger: state } = unit;
    const measured = (visit: Visit, dwell: Dwell): Visit => ledger?.measured(state!, visit, dwell) ?? visit;
    const sink: VisitSink = { end: (visit, dwell) => visits.push(measured(visit, dwell)) };
    const stepper = new VisitStepper(this.#index, this.#rules, sink);
    this.#changeZones(unit, sink);
    const ahead = new FixIntake<VisitUnit>(this.#streamRules, {
      apply: (next, fix, blind) => stepVisits(stepper, ledger, next, fix, blind),
      takeBack: (next) => takeBackFixes(next, this.#rules),
    });
    ahead.finish(unit);
    if (state) ledger?.pause(state);
    for (const dwell of unit.dwells?.values() ?? []) {
      const open = atEnd(dwell);
      if (open) visits.push(measured(open, dwell));
    }
    return visitsInOrder(visits, this.#index);
  }

  /** The unit's watermark, epoch milliseconds: fixes before it are late. Null before its first fix. */
  watermark(unitId: string): number | null {
    const watermark = this.#units.get(unitId)?.watermark ?? Number.NEGATIVE_INFINITY;
    return Number.isFinite(watermark) ? watermark : null;
  }

  /**
   * The earliest `advance` that may emit an event of the unit while no fix arrives and no zone is edited, epoch milliseconds; null if none does.
   * A time before the unit's last fix means that any `advance` does. With it a host needs no clock for quiet units.
   */
  wakeAt(unitId: string): number | null {
    const unit = this.#units.get(unitId);
    if (unit === null) return null;
    const { latenessMs } = this.#streamRules;
    const isAwaited = [...(unit.dwells?.values() ?? [])].some(
      ({ lost, isEnterEmitted, exit }) => isEnterEmitted && !lost && !exit,
    );
    const lostAt = isAwaited ? unit.time + this.#rules.maxGapMs + 1 : Number.POSITIVE_INFINITY;
    return earliest(advanceFor(unit, lostAt, latenessMs), releaseAt(unit, latenessMs));
  }

  /** Removes a unit and its waiting fixes; false if it is unknown. The next fix of the unit is a first one. */
  forget(unitId: string): boolean {
    return this.#units.forget(unitId);
  }

  /** All units, or one (none if it is unknown), as plain JSON. A tracker restored from it emits the same events. */
  snapshot(unitId?: string): StreamSnapshot {
    return this.#units.snapshot(unitId);
  }

  /** Adds the units of a snapshot. It must have the options of this tracker, and none of the units that the tracker follows. */
  adopt(snapshot: StreamSnapshot | string): void {
    this.#units.adopt(snapshot);
  }

  #apply(unit: VisitUnit, fix: CleanFix, blind: BlindCode): void {
    this.#unitId = unit.id;
    this.#unitLedger = unit.ledger;
    if (unit.dwells !== null) this.#endChanged(unit);
    stepVisits(this.#stepper, this.#ledger, unit, fix, blind);
    if (unit.dwells !== null) {
      for (const dwell of unit.dwells.values()) {
        if (!dwell.lost) continue;
        dwell.lost = false;
        if (!dwell.exit) this.#events.gap('found', unit.id, dwell.zoneId, [unit.time, fix.time]);
      }
      this.#emitEnters(unit);
    }
    this.#events.endStep();
  }

  #endChanged(unit: VisitUnit): void {
    if (unit.dwells !== null && this.#changeZones(unit, this.#sink)) {
      this.#emitEnters(unit);
      this.#events.endStep();
    }
  }

  /** Ends the dwells in zones that were changed or removed. Returns whether there was one. */
  #changeZones(unit: VisitUnit, sink: VisitSink): boolean {
    let hasChanged = false;
    const { edits } = this.#shapes;
    if (edits !== undefined && edits === unit.comparedEdits) return false;
    unit.comparedEdits = edits ?? -1;
    let inside: ReadonlySet<string> | null = null;
    for (const dwell of unit.dwells?.values() ?? []) {
      const shape = this.#shapes.of(dwell.zoneId);
      if (shape === dwell.zoneShape || ((shape === '' || dwell.zoneShape === '') && shape !== null)) continue;
      hasChanged = true;
      if (unit.ledger) this.#ledger?.pause(unit.ledger);
      atZoneChange(dwell, unit.time, sink);
      inside ??= new Set(this.#index.at([unit.lon, unit.lat]));
      const isInside = shape !== null && inside.has(dwell.zoneId);
      const next = isInside ? afterZoneChange(dwell.zoneId, unit.time, this.#rules) : null;
      unit.dwells = kept(unit.dwells, dwell.zoneId, next);
    }
    return hasChanged;
  }

  #emitExit(visit: Visit, dwell: Dwell): void {
    if (!dwell.isEnterEmitted) this.#events.enter(this.#unitId, visit, this.#openAt(visit));
    this.#hours?.until(this.#unitId, dwell, visit.exit as number);
    this.#events.exit(this.#unitId, this.#ledger?.measured(this.#unitLedger!, visit, dwell) ?? visit);
  }

  #emitEnters(unit: VisitUnit): void {
    for (const dwell of unit.dwells?.values() ?? []) {
      if (dwell.zoneShape === '') dwell.zoneShape = this.#shapes.of(dwell.zoneId) ?? '';
      if (!dwell.isEnterEmitted && dwell.confirmed && dwell.fixCount > 0) {
        dwell.isEnterEmitted = true;
        const { zoneId, enter, enterBounds } = dwell;
        const visit = { zoneId, enter, enterBounds, seen: 'inside', exit: null } as const;
        this.#events.enter(unit.id, visit, this.#openAt(visit));
      }
      this.#hours?.follow(unit.id, dwell);
    }
  }

  #openAt({ zoneId, enter }: Pick<Visit, 'zoneId' | 'enter'>): boolean | null {
    return this.#hours?.isOpen(zoneId, enter) ?? null;
  }

  #emitLost(unit: VisitUnit): void {
    for (const dwell of unit.dwells?.values() ?? []) {
      if (dwell.lost || !dwell.isEnterEmitted || dwell.exit) continue;
      dwell.lost = true;
      this.#events.gap('lost', unit.id, dwell.zoneId, [unit.time, null]);
    }
    this.#events.endStep();
  }
}
