/** What one part of the operator is: a row of the table in `unitRows.ts`. Another tracker of units becomes another row. */

import type { Fix } from '../core/fix.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { RunWindows } from './runWindows.js';
import type { RebuildDemand } from './unitMessage.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** What a row needs to follow a unit. */
export interface UnitScope {
  readonly unitId: string;
  readonly options: OperatorOptions;
  readonly latenessMs: number;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
  /** The unit's settings of the trip detector; `null`: the defaults. */
  readonly settings: TripDetectorSettings | null;
  /** The last time input; -Infinity before the first. */
  readonly clock: number;
  /** The time that the unit has reached: the greater of its last fix and the clock; -Infinity before both. */
  readonly reached: number;
}

/** A moment of a unit's stream: the time that it had reached before a fix or a time, and the time that it has reached after it. */
export interface Moment {
  readonly before: number;
  readonly reached: number;
}

/** One part of a unit while a message is applied. */
export interface UnitFollower<Part extends UnitPart> {
  /** Takes a fix that is not late. */
  push(fix: Fix, receivedAt: number | undefined, moment: Moment): readonly UnitEvents[Part][];
  /** Takes a time. */
  advance(time: number, moment: Moment): readonly UnitEvents[Part][];
  /** Takes the unit's settings, if it uses them. */
  configure?(settings: TripDetectorSettings | null): void;
  /** The history that the part needs, as far as it knows. */
  readonly demand: RebuildDemand | null;
  /** The earliest time input that may give an event while no fix arrives; `null`: none. */
  wakeAt(reached: number): number | null;
  /** Plain JSON; `null`: nothing to keep. */
  state(): object | null;
}

/** What a rebuild starts from. */
export interface History {
  /** In order of time. */
  readonly fixes: readonly Fix[];
  /** The events that a part emitted, in order of their numbers. */
  readonly events: readonly unknown[];
  readonly of: RebuildDemand['of'];
}

export interface Rebuilt<Part extends UnitPart> {
  readonly follower: UnitFollower<Part>;
  /** What turns the emitted events into those of the history. */
  readonly events: readonly UnitEvents[Part][];
}

export interface UnitRow<Part extends UnitPart> {
  readonly name: Part;
  /** `stored`: the state of an earlier follower; `null`: none. */
  open(scope: UnitScope, stored: StateReader | null): UnitFollower<Part>;
  /** A follower after the history. `known` is the follower before it. */
  rebuild(scope: UnitScope, known: UnitFollower<Part>, history: History): Rebuilt<Part>;
}
