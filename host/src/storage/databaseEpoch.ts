/**
 * Identifies the history of the database. A promoted replica, a restored backup and a server that lost its last writes continue from an earlier version
 * under a new epoch, so that equal versions of different epochs are different states.
 */

import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.js';

/**
 * The epoch: the cluster, its timeline (raised by a promotion and by a recovery to a point in time), the identity of the table of
 * companies (changed by a restored dump), and the start of the server: it may lack writes of before (a power cut with `synchronous_commit = off`).
 */
export async function databaseEpoch(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`
    select concat_ws('-', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8),
      'companies'::regclass::oid, (1000000 * extract(epoch from pg_postmaster_start_time()))::bigint) as epoch`.execute(
    db,
  );
  return rows[0]!.epoch;
}
