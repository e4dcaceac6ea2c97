/** A unit's state as it is stored: that of the operator, with a version of the host. */

import { WayzoneError } from 'wayzone';
import type { UnitState } from 'wayzone/operator';

/**
 * Version 1 was the bare snapshot of the visits, version 2 had only the visits, version 3 had no speeding, and version 4 was the snapshots of the trackers.
 * A worker reads all of them.
 */
const VERSION = 5;

/**
 * What is stored while a unit is set aside: this text, the state, and a brace. A worker that knows no such units gives the partition back
 * (`state-version`).
 */
export const ASIDE = '{"v":"aside","state":';

export interface StoredUnit {
  /** For `UnitFleet.adopt`: the text of the state if it is one of this version. */
  readonly state: UnitState | string;
  /** Whether it holds the unit's settings: those of the first versions lack the trip detector's, or the speed limit. */
  readonly hasSettings: boolean;
}

const HEAD = `{"v":${VERSION},"unit":`;

/** `unit`: the JSON text of a `UnitState`. */
export function writeState(unit: string): string {
  return `${HEAD}${unit}}`;
}

/** The state of a unit that is set aside; null if it had none. */
export function stateOfAside(text: string): string | null {
  const state = text.startsWith(ASIDE) ? text.slice(ASIDE.length, -1) : text;
  return state === 'null' ? null : state;
}

/** Throws `state-version` for an unknown version, which a newer worker wrote. */
export function readState(text: string): StoredUnit {
  if (text.startsWith(HEAD)) return { state: text.slice(HEAD.length, -1), hasSettings: true };
  const state = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { kind, v, movement = null, speeding } = state;
  if (kind === 'visits')
    return { state: { v: 2, visits: state } as unknown as UnitState, hasSettings: false };
  if (typeof v !== 'number' || v < 2 || v > 4)
    throw new WayzoneError(
      'state-version',
      'state.v',
      `expected version 1 to ${VERSION}, received ${String(v)}`,
    );
  return {
    state: state as unknown as UnitState,
    hasSettings: movement !== null && speeding !== undefined,
  };
}
