/** What the runs of one part of a unit are followed with. */

import type { Fix } from '../core/fix.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { RunWindows } from './runWindows.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** The parts whose items are of runs. */
export type RunPart = Extract<UnitPart, 'trips' | 'routes'>;

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
