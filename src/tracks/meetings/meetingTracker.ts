/** Meetings of pairs of units as their fixes come in. */

import { inputError } from '../../core/errors.js';
import type { Fix, Issue } from '../../core/fix.js';
import { defaultsOf, type OptionTable, valuesOf } from '../../core/options.js';
import type { StreamCounts } from '../fixIntake.js';
import { asCorrupt } from '../stream/sealed.js';
import { type PushOptions, readReceivedAt, UnitStream } from '../stream/unitStream.js';
import type { StreamSnapshot } from '../stream/unitTracker.js';
import { openSnapshot, resumeStream, sealStream, type TrackerHead } from '../stream/unitTracker.js';
import {
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
} from '../streamOptions.js';
import { MEETING_OPTIONS, type MeetingOptions, type MeetingRules, readMeetingRules } from './meeting.js';
import {
  CollectedFixes,
  MeetingAnalysis,
  type MeetingEvent,
  type MeetingState,
  type PairMeeting,
} from './meetingAnalysis.js';
import type { PairFix } from './pairFix.js';
import { drain, judgeOf, openMeeting, type PairJudge } from './pairMachine.js';

export interface MeetingTrackerOptions extends MeetingOptions, StreamOptions {}

const OPTIONS: OptionTable<MeetingTrackerOptions, 'meters'> = { ...MEETING_OPTIONS, ...STREAM_OPTIONS };
const { meters: _, ...OTHER_OPTIONS } = OPTIONS;
const DEFAULTS = defaultsOf(OTHER_OPTIONS);

/**
 * Follows the meetings of watched pairs of units, as `findMeetings(readTrack(fixesA), readTrack(fixesB), options)` finds them.
 *
 * Fixes are read as by `VisitTracker`. An event is emitted when both units have a fix at or after it. With `latenessSeconds` both watermarks
 * must have passed it. Events are final. If a receiver proves frozen later, only later results change. The `apart` events and `current()`
 * together give the meetings of the batch. A pair is followed from the last fix of each unit at the time of `watch`. Memory of a watched pair:
 * the fixes of a unit that are newer than the last fix of its partner.
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
  readonly #head: TrackerHead;
  readonly #analysis: MeetingAnalysis;
  readonly #stream: UnitStream;

  constructor(options: MeetingTrackerOptions) {
    this.#rules = readMeetingRules(options, OPTIONS);
    this.#judge = judgeOf(this.#rules);
    this.#analysis = new MeetingAnalysis(this.#judge, (unitId) => this.#stateOf(unitId));
    const others = optionsToJson(valuesOf(options, OTHER_OPTIONS), DEFAULTS);
    this.#head = { kind: 'meetings', options: { meters: this.#rules.meters, ...others } };
    this.#stream = new UnitStream([this.#analysis], readStreamRules(options));
  }

  /** Restores a tracker with its pairs from a snapshot or its JSON text. */
  static restore(snapshot: StreamSnapshot | string): MeetingTracker {
    const open = openSnapshot(snapshot, 'meetings');
    const options = optionsFromJson(open.options) as unknown as MeetingTrackerOptions;
    const tracker = asCorrupt('snapshot', 'an option of a tracker', () => new MeetingTracker(options));
    resumeStream(tracker.#stream, tracker.#head.options, open);
    for (const { id } of tracker.#stream.units)
      for (const second of Object.keys(tracker.#stateOf(id).pairs)) tracker.#analysis.link(id, second);
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
    if (this.#analysis.isWatched(a, b)) return false;
    this.#analysis.watch(this.#stream.open(a), this.#stream.open(b));
    return true;
  }

  /** Ends the comparison of two units. An open meeting gives no event. `false` if the pair is not watched. */
  unwatch(a: string, b: string): boolean {
    if (!this.#analysis.isWatched(a, b)) return false;
    this.#analysis.unwatch(a, b);
    return true;
  }

  /** Takes a fix and returns the events that became certain, pair by pair, in order of time within a pair. */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly MeetingEvent[] {
    this.#stream.push(unitId, fix, readReceivedAt(options));
    return this.#analysis.take();
  }

  /** Sets the clock to `time` (epoch ms): raises every unit's watermark to `time` − lateness. */
  advance(time: number): readonly MeetingEvent[] {
    this.#stream.advance(time);
    return this.#analysis.take();
  }

  /** The meetings without an `apart` event, as if all tracks ended here. Waiting fixes count. */
  current(): PairMeeting[] {
    const found: PairMeeting[] = [];
    for (const id of this.#analysis.watched) {
      for (const [second, state] of Object.entries(this.#stateOf(id).pairs)) {
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
    return this.#stream.counts(unitId);
  }

  /** Why fixes were rejected, as in `VisitTracker.issues`. */
  issues(unitId?: string): Issue[] {
    return this.#stream.issues(unitId);
  }

  /** Removes a unit with its waiting fixes and its pairs; `false` if it is unknown. */
  forget(unitId: string): boolean {
    this.#analysis.forget(unitId);
    return this.#stream.forget(unitId);
  }

  /** The state of all units and pairs as plain JSON. A restored tracker emits the same further events. */
  snapshot(): StreamSnapshot {
    return sealStream(this.#head, this.#stream, [...this.#stream.units]);
  }

  #stateOf(unitId: string): MeetingState {
    return this.#stream.get(unitId)!.states['meetings'] as MeetingState;
  }

  #waitingOf(unitId: string): readonly PairFix[] {
    const waiting = new CollectedFixes();
    this.#stream.lookAhead(unitId, waiting);
    return waiting.take();
  }
}
