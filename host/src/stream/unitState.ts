/** A unit's state as it is stored: the snapshots of its trackers, with a format version. */

import { WayzoneError } from 'wayzone';
import type { StreamSnapshot } from 'wayzone/tracks';

/**
 * Version 1 was the bare snapshot of the visits, version 2 had only the visits, version 3 had no speeding. A worker reads all four, and
 * writes version 3 for a unit whose speeding is not followed.
 */
const VERSION = 4;

export interface UnitState {
  readonly visits: StreamSnapshot;
  /** null in states of earlier versions: movement then begins with the next fix. */
  readonly movement: StreamSnapshot | null;
  /** null if the unit's speeding is not followed; undefined in states of earlier versions, which tell nothing of the unit's limit. */
  readonly speeding?: StreamSnapshot | null | undefined;
}

export function writeState({ visits, movement, speeding }: UnitState): string {
  return JSON.stringify({ v: (speeding ?? null) === null ? 3 : VERSION, visits, movement, speeding });
}

/** Throws `state-version` for an unknown version, which a newer worker wrote. */
export function readState(text: string): UnitState {
  const state = JSON.parse(text) as { v?: unknown; kind?: unknown } & Partial<UnitState>;
  if (state.kind === 'visits') return { visits: state as unknown as StreamSnapshot, movement: null };
  if (state.v === 2 || state.v === 3 || state.v === VERSION)
    return {
      visits: state.visits as StreamSnapshot,
      movement: state.movement ?? null,
      ...(state.speeding !== undefined && { speeding: state.speeding }),
    };
  throw new WayzoneError(
    'state-version',
    'state.v',
    `expected version 1 to ${VERSION}, received ${String(state.v)}`,
  );
}
