/** An options object as a safe lookup by name. */

import { checkOptions, guarded } from '../core/gate.js';

/** A lookup of the given options (`undefined` where absent); `option-type` when it is not an object. */
export function readOptions(options: unknown): (name: string) => unknown {
  if (options === undefined) return () => undefined;
  checkOptions(options);
  return (name) => guarded(`options.${name}`, () => (options as Record<string, unknown>)[name]);
}
