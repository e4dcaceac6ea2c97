/** An options object as a safe lookup by name. */

import { checkOptions, guarded, readNumber } from '../core/input.js';

/** A lookup of the given options (`undefined` where absent); `option-type` when it is not an object. */
export function readOptions(options: unknown): (name: string) => unknown {
  if (options === undefined) return () => undefined;
  checkOptions(options);
  return (name) => guarded(`options.${name}`, () => (options as Record<string, unknown>)[name]);
}

/** An option that is a number from 0 to `max`, `fallback` where it is absent; `option-value`. */
export function readNumberOption(
  given: (name: string) => unknown,
  name: string,
  fallback: number,
  max: number = Number.POSITIVE_INFINITY,
): number {
  return readNumber(given(name) ?? fallback, `options.${name}`, 'option-value', 0, max);
}
