/** Reads an index passed by a caller. */

import { inputError } from '../core/errors.js';
import { type IndexInternals, internalsOf } from '../zones/index/index.js';

/** The private members of an index that tiles use. Error: `index-type` for any value but a `ZoneIndex`. */
export function checkedInternals(index: unknown): IndexInternals {
  const internals = typeof index === 'object' && index !== null ? internalsOf(index) : null;
  if (internals === null) throw inputError('index-type', 'index', 'a ZoneIndex', index);
  return internals;
}
