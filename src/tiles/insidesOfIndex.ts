/** Reads an index passed by a caller. */

import { inputError } from '../core/errors.js';
import { type Insides, insidesOf } from '../zones/index/index.js';

/** The private members of an index that tiles use. Error: `index-type` for any value but a `ZoneIndex`. */
export function insidesOfIndex(index: unknown): Insides {
  const insides = typeof index === 'object' && index !== null ? insidesOf(index) : null;
  if (insides === null) throw inputError('index-type', 'index', 'a ZoneIndex', index);
  return insides;
}
