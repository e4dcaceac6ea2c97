/** A unit's state as it is stored: the text of the operator's state, with a version of the host. */

import { WayzoneError } from 'wayzone';

/** Versions 1 to 5 held states of earlier formats. */
const VERSION = 6;

/**
 * Form of the stored state while a unit is set aside: this text, the state, and a brace. A worker that knows no such units gives the cell back
 * (`state-version`).
 */
export const ASIDE = '{"v":"aside","state":';

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

/** The text of the `UnitState`, for `UnitFleet.adopt`. Throws `state-version` for another version. */
export function readState(text: string): string {
  if (text.startsWith(HEAD)) return text.slice(HEAD.length, -1);
  const { v } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  throw new WayzoneError(
    'state-version',
    'state.v',
    `expected version ${VERSION}, received ${String(v)}; a newer worker reads newer ones`,
  );
}
