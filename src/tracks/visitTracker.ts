/** Visits of many units as their fixes come in: the stream's driver of the state machine in `visitMachine.ts`. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { inOrder } from './findVisits.js';
import { FixIntake, type StreamCounts } from './fixIntake.js';
import type { CleanFix } from './fixReader.js';
import { readOptions } from './readOptions.js';
import { corrupt } from './stateReader.js';
import {
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_DEFAULTS,
  type StreamOptions,
  type StreamRules,
} from './streamOptions.js';
import { openSnapshot, type StreamSnapshot } from './streamSnapshot.js';
import { type PushOptions, StreamUnits } from './streamUnits.js';
import type { Visit, VisitOptions } from './visit.js';
import { EventBatch, type VisitEvent } from './visitEvent.js';
import { afterZoneChange, atEnd, atZoneChange, type Stay, type VisitSink } from './visitMachine.js';
import { readVisitRules, VISIT_DEFAULTS, type VisitRules } from './visitRules.js';
import { kept, VisitStepper } from './visitStepper.js';
import { copyOfUnit, newUnit, unitFromJson, unitToJson, type VisitUnit } from './visitUnit.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';
import { ZoneShapes } from './zoneShapes.js';

export interface VisitTrackerOptions extends VisitOptions, StreamOptions {}

/**
 * Follows many units and tells their visits to the zones of an index, as `findVisits(readTrack(fixes))` would.
 *
 * Time is the fixes' own. Each unit has a watermark: its greatest time, or the last `advance`, less `latenessSeconds`. Fixes at or
 * after it are sorted, and taken when it has passed them; so every order of arrival within the lateness gives the same events. With
 * a lateness of 0 a fix is taken at once, a second one of its time is a `duplicate`, and an older one is `late`. What `readTrack`
 * leaves out is `rejected` for the same reason; a fix that is too fast from its predecessor waits for its successor, one without
 * `receivedAt` that is more than `maxAheadSeconds` after it for the unit's next fix or `advance`. A unit's first fix is taken as it is.
 *
 * Events are final. They come when they are certain: an entry when it lasted `minInsideSeconds` and a fix inside or the exit showed
 * how the zone was `seen`, an exit when it is confirmed. Those of one step of a unit are in order of time, of one instant exits
 * first, then in the index's order; those of `advance` unit by unit.
 * Every `exit` carries its whole `visit`. The visits told by exits, with those of `openVisits(unitId)`, are those of `findVisits`.
 *
 * - A unit silent for longer than `maxGapSeconds` is `lost` once in each zone that it is in (`advance` tells it), and its next fix
 *   says what the silence was: `found`, or an exit at the last fix before it.
 * - A zone whose shape is changed, or that is removed, ends a visit with `zone-changed` at the unit's last fix, at the next `push` of
 *   the unit or `advance`; a fix inside the changed shape begins a new visit at that same fix. A zone that is added under a unit is
 *   entered at the fix before the unit's next movement. Fixes that wait are judged by the zones at the time when they are taken.
 * - A unit costs 0.3 KiB, 1.1 more until it is silent for `maxGapSeconds` (what was around its last steps), 0.4 for each zone that it is
 *   in, and 0.1 for each fix that waits. `maxUnits` bounds their number: a host that reaches it keeps
 *   `snapshot(unitId)` of a quiet unit, calls `forget(unitId)`, and gives it to `adopt` when the unit is back.
 *
 * Errors: `option-type`, `option-value`, `unit-id`, `limit-units`, `input-unreadable`; of snapshots `state-version`, `state-corrupt`,
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
export class VisitTracker {
  readonly #index: ZoneIndexLike;
  readonly #rules: VisitRules;
  readonly #streamRules: StreamRules;
  readonly #shapes: ZoneShapes;
  readonly #units: StreamUnits<VisitUnit>;
  readonly #events: EventBatch;
  readonly #stepper: VisitStepper;
  /** Tells the ends of the unit in hand. */
  readonly #sink: VisitSink = { end: (visit, stay) => this.#tellEnd(visit, stay) };
  #unitId = '';

  constructor(index: ZoneIndexLike, options?: VisitTrackerOptions) {
    const given = readOptions(options);
    this.#index = index;
    this.#rules = readVisitRules(options);
    this.#streamRules = readStreamRules(given);
    this.#shapes = new ZoneShapes(index);
    this.#events = new EventBatch((zoneId) => index.ordinalOf(zoneId) ?? Number.MAX_SAFE_INTEGER);
    this.#stepper = new VisitStepper(index, this.#rules, this.#sink);
    const kind = {
      kind: 'visits',
      create: newUnit,
      toJson: unitToJson,
      fromJson: unitFromJson,
      apply: (unit: VisitUnit, fix: CleanFix): void => this.#apply(unit, fix),
    } as const;
    this.#units = new StreamUnits(kind, this.#streamRules, optionsToJson(given, DEFAULTS));
  }

  /** Goes on where a snapshot ended, with the options that it had. Takes its JSON text too. */
  static restore(index: ZoneIndexLike, snapshot: StreamSnapshot | string): VisitTracker {
    const open = openSnapshot(snapshot, 'visits');
    const tracker = withOptions(index, optionsFromJson(open.options));
    tracker.#units.load(open);
    return tracker;
  }

  /** Takes a fix and returns what is now certain. `receivedAt` (epoch ms) is what `maxFutureSeconds` is judged by. */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly VisitEvent[] {
    this.#units.push(unitId, fix, options);
    return this.#events.take();
  }

  /**
   * Says that it is `time` (epoch ms): raises every unit's watermark to `time` − lateness and tells who is lost. An earlier time than
   * the last one changes nothing. With a lateness smaller than the delay of the messages, those under way become `late`.
   */
  advance(time: number): readonly VisitEvent[] {
    this.#units.advance(time, (unit) => {
      this.#unitId = unit.id;
      this.#endChanged(unit);
      if (unit.watermark - unit.time <= this.#rules.maxGapMs) return;
      unit.around = null;
      this.#tellLost(unit);
    });
    return this.#events.take();
  }

  /** What became of the messages of one unit (nothing, of an unknown one), or of all that are followed. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /**
   * The visits that no exit told yet, as though the unit's track ended here: open ones, and those that a waiting fix would end.
   * By enter, then by the index's order.
   */
  openVisits(unitId: string): Visit[] {
    const known = this.#units.get(unitId);
    if (known === null) return [];
    const unit = copyOfUnit(known);
    const visits: Visit[] = [];
    const sink: VisitSink = { end: (visit) => visits.push(visit) };
    const stepper = new VisitStepper(this.#index, this.#rules, sink);
    this.#changeZones(unit, sink);
    new FixIntake<VisitUnit>(this.#streamRules, (state, fix) => step(stepper, state, fix)).finish(unit);
    for (const stay of unit.stays?.values() ?? []) {
      const open = atEnd(stay);
      if (open) visits.push(open);
    }
    return inOrder(visits, this.#index);
  }

  /** Lets go of a unit and what waits of it; false when it is unknown. Its next fix is a first one. */
  forget(unitId: string): boolean {
    return this.#units.forget(unitId);
  }

  /** All units, or one (none, if it is unknown), as plain JSON: going on from it gives the same events. */
  snapshot(unitId?: string): StreamSnapshot {
    return this.#units.snapshot(unitId);
  }

  /** Takes in the units of a snapshot, which must have this tracker's options and no unit that is followed here. */
  adopt(snapshot: StreamSnapshot | string): void {
    this.#units.adopt(snapshot);
  }

  #apply(unit: VisitUnit, fix: CleanFix): void {
    this.#unitId = unit.id;
    if (unit.stays !== null) this.#endChanged(unit);
    step(this.#stepper, unit, fix);
    if (unit.stays !== null) {
      for (const stay of unit.stays.values()) {
        if (!stay.lost) continue;
        stay.lost = false;
        if (!stay.exit) this.#events.silence('found', unit.id, stay.zoneId, [unit.time, fix.time]);
      }
      this.#tellEntries(unit);
    }
    this.#events.endStep();
  }

  #endChanged(unit: VisitUnit): void {
    if (unit.stays !== null && this.#changeZones(unit, this.#sink)) {
      this.#tellEntries(unit);
      this.#events.endStep();
    }
  }

  /** Ends the stays in zones that are no longer what they were; whether there was one. */
  #changeZones(unit: VisitUnit, sink: VisitSink): boolean {
    let hasChanged = false;
    const { edits } = this.#shapes;
    if (edits !== undefined && edits === unit.comparedEdits) return false;
    unit.comparedEdits = edits ?? -1;
    for (const stay of unit.stays?.values() ?? []) {
      const shape = this.#shapes.of(stay.zoneId);
      if (shape === stay.zoneShape || ((shape === '' || stay.zoneShape === '') && shape !== null)) continue;
      hasChanged = true;
      atZoneChange(stay, unit.time, sink);
      const isInside = shape !== null && this.#index.at([unit.lon, unit.lat]).includes(stay.zoneId);
      const next = isInside ? afterZoneChange(stay.zoneId, unit.time, this.#rules) : null;
      unit.stays = kept(unit.stays, stay.zoneId, next);
    }
    return hasChanged;
  }

  #tellEnd(visit: Visit, stay: Stay): void {
    if (!stay.told) this.#events.enter(this.#unitId, visit);
    this.#events.exit(this.#unitId, visit);
  }

  #tellEntries(unit: VisitUnit): void {
    for (const stay of unit.stays?.values() ?? []) {
      if (stay.zoneShape === '') stay.zoneShape = this.#shapes.of(stay.zoneId) ?? '';
      if (stay.told || !stay.confirmed || stay.fixCount === 0) continue;
      stay.told = true;
      const { zoneId, enter, enterBounds } = stay;
      this.#events.enter(unit.id, { zoneId, enter, enterBounds, seen: 'inside', exit: null });
    }
  }

  #tellLost(unit: VisitUnit): void {
    for (const stay of unit.stays?.values() ?? []) {
      if (stay.lost || !stay.told || stay.exit) continue;
      stay.lost = true;
      this.#events.silence('lost', unit.id, stay.zoneId, [unit.time, null]);
    }
    this.#events.endStep();
  }
}

const DEFAULTS = { ...VISIT_DEFAULTS, ...STREAM_DEFAULTS };

function step(stepper: VisitStepper, unit: VisitUnit, fix: CleanFix): void {
  if (unit.applied === 0) {
    unit.stays = stepper.start(fix.time, fix.lon, fix.lat);
  } else {
    unit.around ??= stepper.safeRegion();
    stepper.from(unit, unit.around);
    unit.stays = stepper.to(fix, unit.stays);
  }
}

/** Options of a snapshot that no tracker can have were not written by one. */
function withOptions(index: ZoneIndexLike, options: Record<string, unknown>): VisitTracker {
  try {
    return new VisitTracker(index, options as VisitTrackerOptions);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    throw corrupt(`snapshot.${error.field}`, 'an option of a tracker', error.message);
  }
}
