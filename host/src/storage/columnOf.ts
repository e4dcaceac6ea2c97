/** Values for `unnest`, as one parameter. */

import { type RawBuilder, sql } from 'kysely';

/**
 * An array of texts for a cast, such as `${columnOf(times)}::bigint[]`, of values without line ends: numbers, flags, JSON texts. `null` and an empty text
 * are NULL. The database parts the text; `pg` escapes each value of an array by itself, which takes ten times as long for JSON.
 */
export function columnOf(values: readonly (string | number | boolean | null)[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${values.join('\n')}::text, chr(10), '')`;
}
