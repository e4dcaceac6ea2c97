/** A PostgreSQL server as the host's storage. */

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CHANNEL, migrate, readHint, type Storage, type VersionHint } from './storage.js';
import type { Tables } from './tables.js';

const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 500;

export async function postgresStorage(url: string): Promise<Storage> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // A connection that breaks while it is idle is replaced by the next request.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  let stopListening = (): Promise<void> => Promise.resolve();
  return {
    db,
    async listen(onHint) {
      stopListening = await listenTo(url, onHint);
    },
    async close() {
      await stopListening();
      await db.destroy();
    },
  };
}

/** `LISTEN` on a connection of its own, with a heartbeat; a lost connection is opened again. */
async function listenTo(url: string, onHint: (hint: VersionHint) => void): Promise<() => Promise<void>> {
  let client: pg.Client | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async (): Promise<void> => {
    const opened = new pg.Client({ connectionString: url, keepAlive: true });
    opened.on('notification', ({ payload }) => {
      const hint = readHint(payload);
      if (hint !== null) onHint(hint);
    });
    opened.on('error', () => {});
    opened.on('end', () => {
      client = null;
      if (!isClosed) retry = setTimeout(() => void open().catch(reopen), RECONNECT_MS);
    });
    await opened.connect();
    await opened.query(`listen ${CHANNEL}`);
    client = opened;
  };
  const reopen = (): void => {
    if (!isClosed) retry = setTimeout(() => void open().catch(reopen), RECONNECT_MS);
  };
  const heartbeat = setInterval(() => {
    const beating = client;
    if (beating === null) return;
    const late = setTimeout(() => void beating.end().catch(() => {}), HEARTBEAT_MS / 2);
    beating.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }, HEARTBEAT_MS);
  heartbeat.unref();
  await open();
  return async () => {
    isClosed = true;
    clearInterval(heartbeat);
    clearTimeout(retry);
    await client?.end();
  };
}
