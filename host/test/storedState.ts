import type { UnitState } from 'wayzone/operator';
import { readState } from '../src/stream/readState.js';

/** The state of a unit in a stored text. */
export function storedState(text: string): UnitState {
  return JSON.parse(readState(text)) as UnitState;
}
