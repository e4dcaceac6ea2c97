/** Reads one unit of a tracker without the options and the seal of a snapshot, which all parts of an operator's state share: `unitStateOf` writes it. */

import { corrupt, type StateReader } from '../tracks/stateReader.js';
import { type StreamSnapshot, snapshotOfUnit } from '../tracks/streamSnapshot.js';

interface Tracker {
  snapshot(unitId: string): StreamSnapshot;
  adopt(snapshot: StreamSnapshot): void;
}

/** An empty snapshot of each tracker, which has its options. */
const EMPTY = new WeakMap<Tracker, StreamSnapshot>();

/** Gives the tracker the unit of a state, which nobody else holds. Errors: those of `adopt`. */
export function adoptUnit(tracker: Tracker, unitId: string, stored: StateReader): void {
  const unit = stored.child('unit');
  if (unit.text('id') !== unitId) throw corrupt(`${unit.path}.id`, unitId, unit.text('id'));
  const empty = EMPTY.get(tracker) ?? tracker.snapshot('');
  EMPTY.set(tracker, empty);
  tracker.adopt(snapshotOfUnit(empty, stored.count('version'), stored.owned('unit')));
}
