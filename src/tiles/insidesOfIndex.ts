/** Takes an index that a caller passes. */

import { inputError } from '../core/errors.js';
import { type Insides, insidesOf } from '../zones/index/index.js';

/** What tiles read of an index. Error: `index-type` for everything else than a `ZoneIndex`. */
export function insidesOfIndex(index: unknown): Insides {
  const insides = typeof index === 'object' && index !== null ? insidesOf(index) : null;
  if (insides === null) throw inputError('index-type', 'index', 'a ZoneIndex', index);
  return insides;
}
