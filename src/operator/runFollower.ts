/** What follows the runs of one part of a unit. */

import type { Fix } from '../core/fix.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { TrackedPart } from './partTracker.js';
import type { RunWindows } from './runWindows.js';
import type { RebuildDemand } from './unitMessage.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** The parts whose items are of runs. */
export type RunPart = Exclude<UnitPart, TrackedPart>;

/** What a run needs. */
export interface RunScope {
  readonly unitId: string;
  readonly options: OperatorOptions;
  readonly places: Pick<OperatorPlaces, 'routeOf' | 'timeZone'>;
}

/** What a row of runs needs to follow a unit. */
export interface UnitScope extends RunScope {
  readonly latenessMs: number;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
  /** The time that the unit has reached: the greater of its last fix and the clock; -Infinity before both. */
  readonly reached: number;
}

/** A moment of a unit's stream: the time that it had reached before a fix or a time, and the time that it has reached after it. */
export interface Moment {
  readonly before: number;
  readonly reached: number;
}

/** The runs of one part of a unit while a message is applied. */
export interface RunFollower<Part extends RunPart> {
  /** Takes a fix that is not late. */
  push(fix: Fix, receivedAt: number | undefined, moment: Moment): readonly UnitEvents[Part][];
  /** Takes a fix of another unit, which may have taken over runs. `reached`: the time that the unit of the key has reached. */
  take(fix: Fix, receivedAt: number | undefined, reached: number): readonly UnitEvents[Part][];
  /** Takes a time. */
  advance(moment: Moment): readonly UnitEvents[Part][];
  /** The history that the part needs, as far as it knows. */
  readonly demand: RebuildDemand | null;
  /** Where the fixes begin that a fix at `time` changes; Infinity: none. */
  spanFrom(time: number): number;
  /** The earliest time input that may give an event while no fix arrives; `null`: none. */
  wakeAt(reached: number): number | null;
  /** Plain JSON; `null`: nothing to keep. */
  state(): object | null;
  /** A follower after the history, and what turns the emitted events into those of the history. */
  rebuild(scope: UnitScope, history: RunHistory<Part>): RebuiltRuns<Part>;
}

/** What runs are rebuilt from. */
export interface RunHistory<Part extends RunPart> {
  /** In order of time, with those of units that took over runs, which name their unit. */
  readonly fixes: readonly Fix[];
  /** The events that the part emitted, in order of their numbers. */
  readonly events: readonly UnitEvents[Part][];
  /** The runs that a fix from this time on can change; `null`: only those that wait. */
  readonly lateFrom: number | null;
  readonly receivedAt: number | undefined;
}

export interface RebuiltRuns<Part extends RunPart> {
  readonly follower: RunFollower<Part>;
  readonly events: readonly UnitEvents[Part][];
}

/** A row of the table of runs. */
export interface RunRow<Part extends RunPart> {
  readonly name: Part;
  /** `stored`: the state of an earlier follower; `null`: none. */
  open(scope: UnitScope, stored: StateReader | null): RunFollower<Part>;
}
