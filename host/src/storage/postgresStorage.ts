/** A PostgreSQL server as the host's storage. */

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Channel, migrate, readHint, type Storage, type VersionHint } from './storage.js';
import type { Tables } from './tables.js';

const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 500;

export async function postgresStorage(url: string): Promise<Storage> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // A connection that breaks while it is idle is replaced by the next request.
  pool.on('error', () => {});
  // One that breaks in use tells its query; unheard, the same error would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  const listener = listenerAt(url);
  return {
    db,
    listen: (channel, onHint) => listener.listen(channel, onHint),
    async close() {
      await listener.close();
      await db.destroy();
    },
  };
}

interface Listener {
  listen(channel: Channel, onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** `LISTEN` on a connection of its own, with a heartbeat; a lost connection is opened again. */
function listenerAt(url: string): Listener {
  const handlers = new Map<string, (hint: VersionHint) => void>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async (): Promise<pg.Client> => {
    const opened = new pg.Client({ connectionString: url, keepAlive: true });
    opened.on('notification', ({ channel, payload }) => {
      const hint = readHint(payload);
      if (hint !== null) handlers.get(channel)?.(hint);
    });
    opened.on('error', () => {});
    opened.on('end', () => {
      if (client !== opened) return;
      client = null;
      reopen();
    });
    await opened.connect();
    for (const channel of handlers.keys()) await opened.query(`listen ${channel}`);
    client = opened;
    return opened;
  };
  const reopen = (): void => {
    if (!isClosed) retry = setTimeout(() => void open().catch(reopen), RECONNECT_MS);
  };
  const heartbeat = setInterval(() => {
    const beating = client;
    if (beating === null) return;
    // A connection that was dropped without a word answers nothing, not even its end.
    const late = setTimeout(() => destroy(beating), HEARTBEAT_MS / 2);
    beating.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    async listen(channel, onHint) {
      handlers.set(channel, onHint);
      if (client === null) await open();
      else await client.query(`listen ${channel}`);
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
