/** One unit of a tracker without the options and the seal of a snapshot, which all parts of an operator's state share. */

import type { StateReader } from '../tracks/stateReader.js';
import { type StreamSnapshot, snapshotOfUnit } from '../tracks/streamSnapshot.js';

interface Tracker {
  snapshot(unitId: string): StreamSnapshot;
  adopt(snapshot: StreamSnapshot): void;
}

/** The state of the tracker's unit; `null` if the tracker does not know it. */
export function unitState(tracker: Tracker, unitId: string): object | null {
  const { version, units } = tracker.snapshot(unitId);
  return units.length === 0 ? null : { version, unit: units[0] };
}

/** Gives the tracker the unit of a state. Errors: those of `adopt`. */
export function adoptUnit(tracker: Tracker, stored: StateReader | null): void {
  if (stored === null) return;
  const version = stored.count('version');
  tracker.adopt(snapshotOfUnit(tracker.snapshot(''), version, stored.plain('unit')));
}
