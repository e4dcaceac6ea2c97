/** The tracker of one part of many units. */

import type { Fix } from '../core/fix.js';
import type { UnitSettings } from '../core/trackSettings.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { UnitEvents } from './unitOutput.js';

/** The parts whose items are of a unit, not of a run. */
export type TrackedPart = 'visits' | 'movement' | 'speeding';

/** What the tracker of a part needs. */
export interface TrackerScope {
  readonly options: OperatorOptions;
  readonly places: OperatorPlaces;
  /** The last time input; -Infinity before the first. */
  readonly clock: number;
}

/** One part of many units. */
export interface PartTracker<Part extends TrackedPart> {
  readonly name: Part;
  push(unitId: string, fix: Fix, receivedAt: number | undefined): readonly UnitEvents[Part][];
  /** Takes a time, for all units. */
  advance(time: number): readonly UnitEvents[Part][];
  /** Takes the unit's settings from its next fix on. */
  configure(unitId: string, settings: UnitSettings | null): void;
  /** The earliest time that may give an event while no fix arrives; `null`: none. */
  wakeAt(unitId: string): number | null;
  /** Plain JSON; `null`: nothing to keep. */
  state(unitId: string): object | null;
  adopt(unitId: string, stored: StateReader): void;
  forget(unitId: string): void;
}
