/** Marks statements that PostgreSQL parses once for each connection. */

import { type RawBuilder, sql } from 'kysely';

export const PREPARED_MARK = '/* prepared */';

/**
 * The beginning of a statement that runs often, such as sql`${PREPARED} insert …`. Its text must be the same each time, with parameters for all values, and
 * the columns of its result must not depend on those of the tables.
 */
export const PREPARED: RawBuilder<never> = sql.raw(PREPARED_MARK);
