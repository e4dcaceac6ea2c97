/** Makes a caller's source iterable by `for await`. */

import { inputError } from '../../core/errors.js';

/** The source as something that `for await` takes; throws `source-type` for anything that cannot be iterated. */
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
