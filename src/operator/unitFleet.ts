/** Many units in memory, each followed as `unitOperator` follows it between two states. */

import { inputError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { guarded } from '../core/input.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { type PushOptions, readReceivedAt, readTime } from '../tracks/stream/unitStream.js';
import type { Visit } from '../tracks/visit.js';
import {
  type OperatorOptions,
  type OperatorPlaces,
  type OperatorSettings,
  operatorSettings,
} from './operatorOptions.js';
import type { TrackedEvent } from './unitAnalyses.js';
import type { UnitOutput } from './unitOutput.js';
import { TRACKED_PARTS } from './unitParts.js';
import {
  checkStateOptions,
  readUnitState,
  type UnitState,
  unitFields,
  unitOfState,
  unitStateText,
  writeUnitState,
} from './unitState.js';
import { UnitTrackers } from './unitTrackers.js';

/** The history of a unit from a time on. */
export interface UnitHistory {
  /** Start of the history, epoch milliseconds; `null`: the unit's first fix. */
  readonly from: number | null;
  /** The events whose `lastTimeOf` is at least `from`, in the order of their numbers. */
  readonly events: readonly UnitOutput['event'][];
}

/**
 * Follows many units of one company in memory: visits, hours of zones, movement and speeding. For a worker that keeps its units in memory and
 * stores their states now and then. Rules of late fixes and states: docs/rules/operator.md.
 *
 * Outputs and states equal `unitOperator` without trips. `places` must have no trips and routes. The results of its functions may change only at
 * an `exchange`. Push the fixes of a unit in the order of its log. `advance` sets the clock of one or all units: set a timer to `wakeAt` after
 * each fix.
 *
 * Errors: `option-type`, `option-unknown`, `option-value`, `unit-id`, `unit-known`, `settings-type`, `setting-value`, `state-version`,
 * `state-corrupt`, `state-options`, `input-unreadable`, and as `VisitTracker`. Cost of a fix and memory of a unit: as the trackers.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { UnitFleet } from 'wayzone/operator';
 * const depot = { id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };
 * const fleet = new UnitFleet({ zones: new ZoneIndex([depot]) }, { latenessSeconds: 30 });
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * fleet.push('truck', fix(0, 37.58)).length; // 0
 * fleet.push('truck', fix(60, 37.6)).length; // 0
 * fleet.push('truck', fix(120, 37.601)).map(({ number, event }) => [number, event.type]); // [[1, 'enter']]
 * const other = new UnitFleet({ zones: new ZoneIndex([depot]) }, { latenessSeconds: 30 });
 * other.adopt(fleet.stateText('truck')); // 'truck'
 * other.push('truck', fix(180, 37.63)).length; // 0
 * other.push('truck', fix(240, 37.63)).map(({ number, event }) => [number, event.type]); // [[2, 'exit']]
 * ```
 */
export class UnitFleet {
  readonly #settings: OperatorSettings;
  readonly #trackers: UnitTrackers;
  /** By unit: number of outputs so far, and the version of places in the adopted state. */
  readonly #counts = new Map<string, { outputs: number; readonly zonesVersion: number }>();

  constructor(places: OperatorPlaces, options: OperatorOptions = {}) {
    if (typeof places !== 'object' || places === null)
      throw inputError('option-type', 'places', 'an object', places);
    this.#settings = operatorSettings(options);
    this.#trackers = guarded(
      'places',
      () => new UnitTrackers(places, this.#settings.options, Number.NEGATIVE_INFINITY),
    );
  }

  /** Whether the unit is followed. */
  has(unitId: string): boolean {
    return this.#trackers.has(unitId);
  }

  /** Gives a unit its own settings from its next fix on. `null`: the defaults. */
  configure(unitId: string, settings: UnitSettings | null): void {
    this.#trackers.configure(unitId, settings);
  }

  /** Takes a fix and returns the outputs that became certain. `maxFutureSeconds` is compared with `receivedAt` (epoch ms). */
  push(unitId: string, fix: Fix, options?: PushOptions): readonly UnitOutput[] {
    return this.#numbered(this.#trackers.push(unitId, fix, readReceivedAt(options) ?? undefined));
  }

  /** Sets the clock to `time` (epoch ms), for all units or for one unit. An earlier time than before, and an unknown unit, change nothing. */
  advance(time: number, unitId?: string): readonly UnitOutput[] {
    const read = readTime(time, 'time');
    return this.#numbered(
      unitId === undefined ? this.#trackers.advance(read) : this.#trackers.advanceUnit(unitId, read),
    );
  }

  /**
   * Earliest time of an `advance` that may give an output of the unit, epoch milliseconds, if no fix arrives and no place changes. `null`: no
   * `advance` gives an output. A time up to the unit's clock: the next `advance` does.
   */
  wakeAt(unitId: string): number | null {
    return this.#trackers.wakeAt(unitId);
  }

  /** Replaces the places. Visits in zones that changed end with the next fix or time of their unit. */
  exchange(places: OperatorPlaces): void {
    this.#trackers.exchange(places);
  }

  /** The unit's visits under way, whether emitted or not. */
  openVisits(unitId: string): Visit[] {
    return this.#trackers.openVisits(unitId);
  }

  /** Whether no fix of the unit waits for the lateness. If `true`, time changes nothing of its state but the clock. */
  isSettled(unitId: string): boolean {
    return this.#trackers.isSettled(unitId);
  }

  /** Time of the earliest late fix that no rebuild of the unit has included, epoch milliseconds; `null`: no such fix. */
  lateFrom(unitId: string): number | null {
    return this.#trackers.lateFrom(unitId);
  }

  /** Demands a rebuild of the fixes from `time` on (epoch milliseconds), as a late fix does. */
  invalidate(unitId: string, time: number): void {
    this.#trackers.demand(unitId, readTime(time, 'time'));
  }

  /**
   * Start of the history that a rebuild needs: `from`, epoch milliseconds, or `null` for the unit's first fix. Returns `null` if `known` is
   * enough, or if the unit needs no rebuild.
   */
  demand(unitId: string, known?: UnitHistory): { readonly from: number | null } | null {
    if (this.#trackers.lateFrom(unitId) === null) return null;
    if (known === undefined) return { from: this.#trackers.demandFrom(unitId) };
    const span = this.#trackers.span(unitId, known);
    return 'demand' in span ? { from: span.demand } : null;
  }

  /**
   * Computes the unit again from a history for which `demand` returns `null`. `fixes` are all fixes of the history, sorted by time; at one time,
   * the preferred fix comes first. The generator yields after each 32 fixes, about a millisecond, so that other work can run. At its end the
   * unit changes, and the generator returns the outputs. Push no fix of the unit meanwhile.
   */
  *rebuild(
    unitId: string,
    known: UnitHistory & { readonly fixes: readonly Fix[]; readonly receivedAt?: number | undefined },
  ): Generator<void, readonly UnitOutput[], void> {
    const { fixes, receivedAt } = known;
    const span = this.#trackers.span(unitId, known);
    if ('demand' in span)
      throw inputError(
        'option-value',
        'known.from',
        `a history from ${span.demand ?? 'the first fix'} on`,
        known.from,
      );
    const steps = this.#trackers.rebuild(unitId, span, { ...known, fixes, receivedAt });
    return this.#numbered(yield* steps);
  }

  /** The unit's state, equal to the state of `unitOperator`. */
  state(unitId: string): UnitState {
    return writeUnitState(this.#fields(unitId));
  }

  /** `JSON.stringify(state(unitId))`, but faster: the text is made only once, because the checksum needs it too. */
  stateText(unitId: string): string {
    return unitStateText(this.#fields(unitId));
  }

  #fields(unitId: string): Parameters<typeof writeUnitState>[0] {
    const { outputs = 0, zonesVersion = 0 } = this.#counts.get(unitId) ?? {};
    const clock = this.#trackers.clockOf(unitId);
    return {
      unitId,
      zonesVersion,
      options: this.#settings.hash,
      clock: Number.isFinite(clock) ? clock : null,
      outputs,
      lateFrom: this.#trackers.lateFrom(unitId),
      ...unitFields(this.#trackers.state(unitId)),
    };
  }

  /**
   * Takes over a unit from its state or the JSON text of the state. Returns the id of the unit. Error: `unit-known` if the fleet already follows
   * the unit.
   */
  adopt(state: UnitState | string): string {
    const known = readUnitState(state, TRACKED_PARTS);
    checkStateOptions(known, this.#settings.hash);
    const { unitId, outputs, zonesVersion, lateFrom, clock } = known;
    if (this.has(unitId)) throw inputError('unit-known', 'state.unitId', 'a unit not followed yet', unitId);
    const unit = unitOfState(known, TRACKED_PARTS);
    if (unit !== null) this.#trackers.adopt(unit, lateFrom, clock);
    this.#counts.set(unitId, { outputs, zonesVersion });
    return unitId;
  }

  /** Removes a unit; its next fix begins a new track. */
  forget(unitId: string): void {
    this.#trackers.forget(unitId);
    this.#counts.delete(unitId);
  }

  #numbered(events: readonly TrackedEvent[]): readonly UnitOutput[] {
    return events.map(({ of, event }) => {
      const { unitId } = event;
      let counts = this.#counts.get(unitId);
      if (counts === undefined) {
        counts = { outputs: 0, zonesVersion: 0 };
        this.#counts.set(unitId, counts);
      }
      counts.outputs++;
      return { unitId, number: counts.outputs, of, event } as UnitOutput;
    });
  }
}
