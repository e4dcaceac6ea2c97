/** A unit's state as a row holds it: its trackers' snapshots, with the version of this form. */

import { WayzoneError } from 'wayzone';
import type { StreamSnapshot } from 'wayzone/tracks';

/** Version 1 was the bare snapshot of the visits, version 2 had the visits alone. A worker reads all of them. */
const VERSION = 3;

export interface UnitState {
  readonly visits: StreamSnapshot;
  /** null in states of earlier versions: the movement begins with the next fix. */
  readonly movement: StreamSnapshot | null;
}

export function writeState({ visits, movement }: UnitState): string {
  return JSON.stringify({ v: VERSION, visits, movement });
}

/** Throws `state-version` for a state of another version: a newer worker wrote it. */
export function readState(text: string): UnitState {
  const state = JSON.parse(text) as { v?: unknown; kind?: unknown } & Partial<UnitState>;
  if (state.kind === 'visits') return { visits: state as unknown as StreamSnapshot, movement: null };
  if (state.v === 2 || state.v === VERSION)
    return { visits: state.visits as StreamSnapshot, movement: state.movement ?? null };
  throw new WayzoneError(
    'state-version',
    'state.v',
    `expected version 1 to ${VERSION}, received ${String(state.v)}`,
  );
}
