/** The common part of the trackers of units: fixes in, events out, counts and snapshots. */

import { inputError } from '../../core/errors.js';
import type { Fix, Issue } from '../../core/fix.js';
import type { StreamCounts } from '../fixIntake.js';
import type { JsonOptions, StreamRules } from '../streamOptions.js';
import type { Analysis } from './analysis.js';
import { corrupt, inOrder, openSealed, STATE_VERSION, sealed } from './sealed.js';
import { type PlainUnit, type PushOptions, readReceivedAt, UnitStream } from './unitStream.js';

/** The state of a tracker as plain JSON. Store it as text or in a JSON column of a database. The order of the keys does not matter. */
export interface StreamSnapshot {
  /** Kind of the tracker that wrote the snapshot. */
  readonly kind: 'visits' | 'movement' | 'speeding' | 'route' | 'meetings';
  /** Version of the format. */
  readonly version: number;
  /** Options of the tracker. */
  readonly options: JsonOptions;
  /** Time of the last `advance`, or `null`. */
  readonly clock: number | null;
  /** State of each unit. */
  readonly units: readonly object[];
  /** Checksum of all other fields. */
  readonly checksum: string;
}

/** The kind of a tracker, and its options as snapshots hold them. */
export interface TrackerHead {
  readonly kind: StreamSnapshot['kind'];
  readonly options: JsonOptions;
}

/** A snapshot whose seal was checked. */
export type OpenedSnapshot = Omit<StreamSnapshot, 'checksum'>;

/** A tracker of many units by one analysis. */
export abstract class UnitTracker<Event> {
  /** The units. */
  protected readonly stream: UnitStream;
  readonly #analysis: Analysis<object, Event>;
  readonly #head: TrackerHead;

  constructor(head: TrackerHead, rules: StreamRules, analysis: Analysis<object, Event>) {
    this.#head = { kind: head.kind, options: inOrder(head.options) };
    this.#analysis = analysis;
    this.stream = new UnitStream([analysis], rules);
  }

  /** Takes a fix and returns the events that became certain. `maxFutureSeconds` is compared with `receivedAt` (epoch ms). */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly Event[] {
    this.stream.push(unitId, fix, readReceivedAt(options));
    return this.#analysis.take();
  }

  /**
   * Sets the clock to `time` (epoch ms): raises the watermark of every unit to `time` − lateness, and returns the events that became certain. A
   * time before the last `advance` changes nothing. Messages that are delayed by more than the lateness become `late`.
   */
  advance(time: number): readonly Event[] {
    this.stream.advance(time);
    return this.#analysis.take();
  }

  /** Counts of fixes by outcome, for one unit (zeros for an unknown one) or for all units. */
  counts(unitId?: string): StreamCounts {
    return this.stream.counts(unitId);
  }

  /**
   * Number of pending fixes that are suspects of a jam, for one unit or for all units. Suspects wait for a fix of their own unit, not for the
   * clock.
   */
  suspects(unitId?: string): number {
    return this.stream.suspects(unitId);
  }

  /**
   * Reasons of rejected fixes, for one unit or for all units, sorted by code. Each issue has an example with its field, the received value and
   * advice. Snapshots contain the examples.
   */
  issues(unitId?: string): Issue[] {
    return this.stream.issues(unitId);
  }

  /**
   * Earliest time of an `advance` that may emit an event of the unit, epoch milliseconds, if no fix arrives and no zone is edited. null: no
   * `advance` emits an event. A time before the unit's last fix: any `advance` does. So a host needs no clock for quiet units.
   */
  wakeAt(unitId: string): number | null {
    return this.stream.wakeAt(unitId);
  }

  /** Removes a unit with its settings and waiting fixes; `false` if it is unknown. Its next fix begins a new track. */
  forget(unitId: string): boolean {
    return this.stream.forget(unitId);
  }

  /** The state of all units, or of one (none if it is unknown), as plain JSON. A restored tracker emits the same further events. */
  snapshot(unitId?: string): StreamSnapshot {
    const one = unitId === undefined ? null : this.stream.get(unitId);
    const units = unitId === undefined ? [...this.stream.units] : one === null ? [] : [one];
    return sealStream(this.#head, this.stream, units);
  }

  /** Adds the units of a snapshot. The snapshot must have the options of this tracker, and none of its units. */
  adopt(snapshot: StreamSnapshot | string): void {
    const open = openSnapshot(snapshot, this.#head.kind);
    const { options } = this.#head;
    if (!areSameOptions(options, open.options))
      throw inputError(
        'state-options',
        'snapshot.options',
        `the options ${JSON.stringify(options)}`,
        JSON.stringify(open.options),
      );
    this.stream.adoptAll(open.units as readonly PlainUnit[]);
  }

  /** Takes the clock and the units of a snapshot, by whose options this tracker was made. */
  protected resume(open: OpenedSnapshot): void {
    resumeStream(this.stream, this.#head.options, open);
  }
}

/** A snapshot of some units of a stream. */
export function sealStream(
  { kind, options }: TrackerHead,
  stream: UnitStream,
  units: readonly Parameters<UnitStream['plain']>[0][],
): StreamSnapshot {
  const clock = stream.clock === Number.NEGATIVE_INFINITY ? null : stream.clock;
  const plain = units.map((unit) => stream.plain(unit));
  return sealed({ kind, version: STATE_VERSION, options, clock, units: plain });
}

/** Opens a snapshot of a tracker, or its JSON text. Errors: `state-version`, `state-corrupt`, `input-unreadable`. */
export function openSnapshot(snapshot: unknown, kind: StreamSnapshot['kind']): OpenedSnapshot {
  return openSealed<OpenedSnapshot>(snapshot, kind, 'snapshot');
}

/** Gives a stream the clock and the units of a snapshot. Options that an older snapshot lacks get their defaults. */
export function resumeStream(stream: UnitStream, options: JsonOptions, open: OpenedSnapshot): void {
  const isKnown = Object.entries(open.options).every(([name, value]) => options[name] === value);
  if (!isKnown) throw corrupt('snapshot.options', 'options of a tracker', JSON.stringify(open.options));
  stream.resume(open.clock ?? Number.NEGATIVE_INFINITY, open.units as readonly PlainUnit[]);
}

/** Whether two snapshots are of the same options, in any order of keys. */
export function areSameOptions(own: JsonOptions, options: JsonOptions): boolean {
  const names = Object.keys(own);
  return names.length === Object.keys(options).length && names.every((name) => options[name] === own[name]);
}
