/** A unit's state as a row holds it: its tracker's snapshot, with the version of this form. */

import { WayzoneError } from 'wayzone';
import type { StreamSnapshot, VisitTracker } from 'wayzone/tracks';

/** Version 1 was the bare snapshot of the visits. A worker reads its own version and the one before. */
const VERSION = 2;

export function writeState(tracker: VisitTracker, unitId: string): string {
  return JSON.stringify({ v: VERSION, visits: tracker.snapshot(unitId) });
}

/** Throws `state-version` for a state of another version: a newer worker wrote it. */
export function readState(text: string): StreamSnapshot {
  const state = JSON.parse(text) as { readonly v?: unknown; readonly visits?: unknown; kind?: unknown };
  if (state.kind === 'visits') return state as unknown as StreamSnapshot;
  if (state.v === VERSION) return state.visits as StreamSnapshot;
  throw new WayzoneError(
    'state-version',
    'state.v',
    `expected version 1 or ${VERSION}, received ${String(state.v)}`,
  );
}
