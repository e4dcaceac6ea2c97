/** Makes a caller's source iterable by `for await`. */

import { inputError } from '../../core/errors.js';

/** Returns the source. Throws `source-type` for a value that is not iterable. */
export function eachOf<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
  field: string = 'source',
): Iterable<Item> | AsyncIterable<Item> {
  const given: unknown = source;
  if (typeof given === 'object' && given !== null) {
    if (Symbol.iterator in given || Symbol.asyncIterator in given) return source;
  }
  throw inputError('source-type', field, 'an iterable', source);
}
