/** Arguments for following the runs of a unit. */

import type { Fix } from '../core/fix.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { RunWindows } from './runWindows.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** The parts whose items belong to runs. */
export type RunPart = Extract<UnitPart, 'trips' | 'routes'>;

/** Arguments for following one run. */
export interface RunScope {
  readonly unitId: string;
  readonly options: OperatorOptions;
  readonly places: Pick<OperatorPlaces, 'routeOf' | 'timeZone'>;
}

/** Arguments for following all runs of a unit. */
export interface UnitScope extends RunScope {
  readonly latenessMs: number;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
  /** Time that the unit has reached, epoch milliseconds: the greater of its last fix and the clock; -Infinity before both. */
  readonly reached: number;
}

/** Times that the unit had reached `before` a fix or a time input, and has `reached` after it, epoch milliseconds. */
export interface Moment {
  readonly before: number;
  readonly reached: number;
}

/** The history from which runs are rebuilt. */
export interface RunHistory<Part extends RunPart> {
  /** Fixes by time, including fixes of units that took over runs; these name their unit. */
  readonly fixes: readonly Fix[];
  /** The events that the part emitted, in order of their numbers. */
  readonly events: readonly UnitEvents[Part][];
  /** Runs that a fix from this time on can change are rebuilt, epoch milliseconds; `null`: only the waiting runs. */
  readonly lateFrom: number | null;
  readonly receivedAt: number | undefined;
}
