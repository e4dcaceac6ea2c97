/** An options object as a safe lookup by name. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';

/** A lookup of the given options (`undefined` where absent); `option-type` when it is not an object. */
export function readOptions(options: unknown): (name: string) => unknown {
  if (options === undefined) return () => undefined;
  if (typeof options !== 'object' || options === null || isArray(options)) {
    throw new WayzoneError('option-type', 'options', expected('an object of options', options));
  }
  return (name) => guarded(`options.${name}`, () => (options as Record<string, unknown>)[name]);
}
