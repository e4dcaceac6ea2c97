/** Reads a unit's fixes as JSON texts for a process, so that the event loop parses none. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { ownUnit } from './fixes.js';

const PAGE = 5000;
/** Maximum number of fixes of one answer: three weeks with a fix every ten seconds. */
const MOST = 200_000;

/**
 * Yields the fixes from `from` to `to` (epoch milliseconds, both included) in time order, as pages of `[time, lon, lat, accuracy, more]`. Throws
 * `limit-fixes` (422) for more than 200,000.
 */
export async function* fixTexts(
  { db }: Storage,
  companyId: string,
  unitId: string,
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (let [after, pages] = [BigInt(from) - 1n, 0]; ; ) {
    const { rows } = await sql<{ texts: string | null; last: string; count: string }>`
      select string_agg(json_build_array(time, lon, lat, accuracy, more::json)::text, ',' order by time) as texts,
        max(time) as last, count(*) as count
      from (
        select fixes.time, fixes.lon, fixes.lat, fixes.accuracy, fixes.more
        from fixes where fixes.unit_id = ${ownUnit(companyId, unitId)}
          and fixes.time > ${String(after)}::bigint and fixes.time <= ${String(to)}::bigint
        order by fixes.time limit ${PAGE}
      ) as page`.execute(db);
    const { texts, last, count } = rows[0]!;
    if (texts !== null) yield texts;
    if (Number(count) < PAGE) return;
    if (++pages * PAGE > MOST)
      throw new WayzoneError(
        'limit-fixes',
        'from',
        `expected a period with at most ${MOST} fixes, received one with more`,
        {
          status: 422,
          wireCode: 422,
        },
      );
    after = BigInt(last);
  }
}
