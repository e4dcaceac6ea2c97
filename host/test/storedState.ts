import type { UnitState } from 'wayzone/operator';
import { readState } from '../src/stream/storedUnit.js';

/** The state of a unit in a stored text. */
export function storedState(text: string): UnitState {
  const { state } = readState(text);
  return typeof state === 'string' ? (JSON.parse(state) as UnitState) : state;
}
