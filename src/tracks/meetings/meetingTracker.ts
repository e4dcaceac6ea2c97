/** Meetings of pairs of units as their fixes come in. */

import { inputError } from '../../core/errors.js';
import type { Fix, Issue } from '../../core/fix.js';
import { defaultsOf, type OptionTable, valuesOf } from '../../core/options.js';
import { type BlindCode, SEEN } from '../blindStep.js';
import { copyOfIntake, emptyIntake, FixIntake, type Intake, type StreamCounts } from '../fixIntake.js';
import type { CleanFix } from '../fixReader.js';
import { intakeFromJson, intakeToJson } from '../intakeToJson.js';
import { asCorrupt, type StateReader } from '../stateReader.js';
import {
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
  type StreamRules,
} from '../streamOptions.js';
import { openSnapshot, type StreamSnapshot } from '../streamSnapshot.js';
import { type PushOptions, StreamUnits } from '../streamUnits.js';
import {
  MEETING_OPTIONS,
  type Meeting,
  type MeetingOptions,
  type MeetingRules,
  readMeetingRules,
} from './meeting.js';
import type { PairFix } from './pairFix.js';
import {
  drain,
  judgeOf,
  type MeetingSink,
  newPair,
  openMeeting,
  type PairJudge,
  type PairState,
} from './pairMachine.js';

export interface MeetingTrackerOptions extends MeetingOptions, StreamOptions {}

/** A meeting of two watched units. */
export interface PairMeeting {
  /** The pair, in the order of `watch`. */
  readonly units: readonly [string, string];
  /** The meeting; its `end` is `track` while it lasts. */
  readonly meeting: Meeting;
}

/** A meeting begins or ends. Never revised after it was emitted. */
export interface MeetingEvent extends PairMeeting {
  /** `together`: a meeting has lasted `minSeconds`. `apart`: it is over. */
  readonly type: 'together' | 'apart';
  /** `from` of the meeting for `together`, its `to` for `apart`. */
  readonly time: number;
}

interface MeetingUnit extends Intake {
  readonly id: string;
  /** The pairs of which this is the first unit, by the second. Plain data. */
  readonly pairs: Record<string, PairState>;
}

const OPTIONS: OptionTable<MeetingTrackerOptions, 'meters'> = { ...MEETING_OPTIONS, ...STREAM_OPTIONS };
const { meters: _, ...OTHER_OPTIONS } = OPTIONS;
const DEFAULTS = defaultsOf(OTHER_OPTIONS);

/**
 * Follows the meetings of watched pairs of units, as `findMeetings(readTrack(fixesA), readTrack(fixesB), options)` finds them.
 *
 * Fixes are read as by `VisitTracker`. An event is emitted when both units have a fix at or after it; with `latenessSeconds`, when both watermarks
 * have passed it. Events are final; a frozen receiver that is noticed
 * late changes only what was not judged so far. The meetings of the `apart` events and of `current()` are those of the batch. A pair is judged from the last fix of
 * each unit at the time of `watch`. Memory: the fixes of a unit that are newer than its partner's last one, for each watched pair.
 *
 * Errors: as `findMeetings` and `VisitTracker`. Cost of a fix: O(1) for each watched pair of the unit.
 *
 * @example
 * ```ts
 * import { MeetingTracker } from 'wayzone/tracks';
 * const tracker = new MeetingTracker({ meters: 50 });
 * tracker.watch('truck', 'trailer'); // true
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * tracker.push('truck', fix(0, 37.6)).length; // 0
 * tracker.push('trailer', fix(0, 37.6)).map(({ type }) => type); // ['together']
 * tracker.push('truck', fix(60, 37.61)).length; // 0
 * tracker.push('trailer', fix(60, 37.6)).map(({ type, meeting }) => [type, meeting.end]); // [['apart', 'apart']]
 * ```
 */
export class MeetingTracker {
  readonly #rules: MeetingRules;
  readonly #judge: PairJudge;
  readonly #streamRules: StreamRules;
  readonly #units: StreamUnits<MeetingUnit>;
  /** The pairs of each unit: its first and its second units. */
  readonly #partners = new Map<string, Set<string>>();
  #events: MeetingEvent[] = [];

  constructor(options: MeetingTrackerOptions) {
    this.#rules = readMeetingRules(options, OPTIONS);
    this.#judge = judgeOf(this.#rules);
    this.#streamRules = readStreamRules(options);
    const kind = {
      kind: 'meetings',
      create: (id: string, watermark: number): MeetingUnit =>
        Object.assign(emptyIntake(watermark), { id, pairs: {} }),
      toJson: (unit: MeetingUnit): object => ({
        id: unit.id,
        ...intakeToJson(unit),
        pairs: structuredClone(unit.pairs),
      }),
      fromJson: (reader: StateReader): MeetingUnit => ({
        id: reader.text('id'),
        ...intakeFromJson(reader),
        pairs: reader.plain('pairs') as Record<string, PairState>,
      }),
      apply: (unit: MeetingUnit, fix: CleanFix, blind: BlindCode): void =>
        this.#apply(unit, pairFix(fix, blind)),
      takeBack: (unit: MeetingUnit): void => this.#takeBack(unit),
    } as const;
    const others = optionsToJson(valuesOf(options, OTHER_OPTIONS), DEFAULTS);
    this.#units = new StreamUnits(kind, this.#streamRules, { meters: this.#rules.meters, ...others });
  }

  /** Restores a tracker with its pairs from a snapshot or its JSON text. */
  static restore(snapshot: StreamSnapshot | string): MeetingTracker {
    const open = openSnapshot(snapshot, 'meetings');
    const options = optionsFromJson(open.options) as unknown as MeetingTrackerOptions;
    const tracker = asCorrupt('snapshot', 'an option of a tracker', () => new MeetingTracker(options));
    tracker.#units.load(open);
    for (const reader of open.units) {
      for (const second of Object.keys(reader.plain('pairs'))) tracker.#link(reader.text('id'), second);
    }
    return tracker;
  }

  /** Begins to compare two units. `false` if the pair is watched already, in either order. */
  watch(a: string, b: string): boolean {
    for (const [id, field] of [
      [a, 'a'],
      [b, 'b'],
    ] as const) {
      if (typeof id !== 'string') throw inputError('unit-id', field, 'a text', id);
    }
    if (this.#partners.get(a)?.has(b) === true) return false;
    const pair = newPair();
    this.#addLast(pair.a, this.#units.open(a));
    this.#addLast(pair.b, this.#units.open(b));
    this.#units.open(a).pairs[b] = pair;
    this.#link(a, b);
    return true;
  }

  /** Ends the comparison of two units, without an event for a meeting that lasts; `false` if the pair is not watched. */
  unwatch(a: string, b: string): boolean {
    if (this.#partners.get(a)?.has(b) !== true) return false;
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      this.#partners.get(first)!.delete(second);
      delete this.#units.get(first)!.pairs[second];
    }
    return true;
  }

  /** Takes a fix and returns the events that became certain, pair by pair, each in order of time. */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly MeetingEvent[] {
    this.#units.push(unitId, fix, options);
    return this.#take();
  }

  /** Sets the clock to `time` (epoch ms): raises every unit's watermark to `time` − lateness. */
  advance(time: number): readonly MeetingEvent[] {
    this.#units.advance(time, () => {});
    return this.#take();
  }

  /** The meetings without an `apart` event, as if all tracks ended here. Waiting fixes count. */
  current(): PairMeeting[] {
    const found: PairMeeting[] = [];
    for (const [id] of this.#partners) {
      for (const [second, state] of Object.entries(this.#units.get(id)!.pairs)) {
        const pair = structuredClone(state);
        pair.a.push(...this.#waitingOf(id));
        pair.b.push(...this.#waitingOf(second));
        const units: [string, string] = [id, second];
        drain(pair, this.#judge, { together: () => {}, apart: (meeting) => found.push({ units, meeting }) });
        const open = openMeeting(pair, this.#rules);
        if (open !== null) found.push({ units, meeting: open });
      }
    }
    return found;
  }

  /** Counts of fixes by outcome, for one unit (zeros for an unknown one) or for all units. */
  counts(unitId?: string): StreamCounts {
    return this.#units.counts(unitId);
  }

  /** Why fixes were rejected, as in `VisitTracker.issues`. */
  issues(unitId?: string): Issue[] {
    return this.#units.issues(unitId);
  }

  /** Removes a unit with its waiting fixes and its pairs; `false` if it is unknown. */
  forget(unitId: string): boolean {
    for (const other of this.#partners.get(unitId) ?? []) this.unwatch(unitId, other);
    this.#partners.delete(unitId);
    return this.#units.forget(unitId);
  }

  /** The state of all units and pairs as plain JSON. A restored tracker emits the same further events. */
  snapshot(): StreamSnapshot {
    return this.#units.snapshot(undefined);
  }

  #link(a: string, b: string): void {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const partners = this.#partners.get(first) ?? new Set();
      this.#partners.set(first, partners.add(second));
    }
  }

  #apply(unit: MeetingUnit, at: PairFix): void {
    for (const other of this.#partners.get(unit.id) ?? []) {
      const own = Object.hasOwn(unit.pairs, other) ? unit.pairs[other] : undefined;
      const first = own === undefined ? other : unit.id;
      const pair = own ?? this.#units.get(other)!.pairs[unit.id]!;
      if (first === unit.id) pair.a.push(at);
      if (first !== unit.id || other === unit.id) pair.b.push(at);
      drain(pair, this.#judge, this.#sinkOf(first, first === unit.id ? other : unit.id));
    }
  }

  /** Drops the frozen fixes that no pair has judged so far. */
  #takeBack({ id, pairs, placeTime }: MeetingUnit): void {
    const isKept = ({ time }: PairFix, i: number): boolean => i === 0 || time <= placeTime;
    for (const other of this.#partners.get(id) ?? []) {
      const own = Object.hasOwn(pairs, other) ? pairs[other] : undefined;
      const pair = own ?? this.#units.get(other)!.pairs[id]!;
      if (own !== undefined) pair.a = pair.a.filter(isKept);
      if (own === undefined || other === id) pair.b = pair.b.filter(isKept);
    }
  }

  #sinkOf(a: string, b: string): MeetingSink {
    const units: readonly [string, string] = [a, b];
    return {
      together: (meeting) => this.#events.push({ type: 'together', units, time: meeting.from, meeting }),
      apart: (meeting) => this.#events.push({ type: 'apart', units, time: meeting.to, meeting }),
    };
  }

  #addLast(fixes: PairFix[], unit: MeetingUnit): void {
    if (unit.applied > 0) fixes.push({ time: unit.time, lon: unit.lon, lat: unit.lat, isBlind: false });
  }

  /** The fixes that a unit would apply if its track ended here. */
  #waitingOf(unitId: string): PairFix[] {
    const unit = this.#units.get(unitId)!;
    const fixes: PairFix[] = [];
    const ahead = new FixIntake<MeetingUnit>(this.#streamRules, {
      apply: (_unit, fix, blind) => fixes.push(pairFix(fix, blind)),
      takeBack: () => {},
    });
    ahead.finish(copyOfIntake(unit));
    return fixes;
  }

  #take(): readonly MeetingEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

function pairFix({ time, lon, lat }: CleanFix, blind: BlindCode): PairFix {
  return { time, lon, lat, isBlind: blind !== SEEN };
}
