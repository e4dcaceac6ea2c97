/** A PostgreSQL server as the host's storage. */

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Channel, migrate, readHint, type Storage, type VersionHint } from './storage.js';
import type { Tables } from './tables.js';

const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 500;
/** A statement without an answer for so long: its connection was dropped without a word. */
const ANSWER_MS = 60_000;
const CONNECT_MS = 10_000;
/** A transaction of a process that was stopped holds its company for no longer. */
const IDLE_TRANSACTION_MS = 30_000;

export interface PostgresOptions {
  /** Milliseconds between two beats of the connection that listens. */
  readonly heartbeatMs?: number;
  /** Milliseconds after which a statement without an answer fails. */
  readonly answerMs?: number;
}

export async function postgresStorage(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const { heartbeatMs = HEARTBEAT_MS, answerMs = ANSWER_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // A connection that breaks while it is idle is replaced by the next request.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // One that breaks in use tells its query; without a listener the same error would end the process.
    client.on('error', () => {});
    destroyUnanswered(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  const listener = listenerAt(url, heartbeatMs);
  return {
    db,
    url,
    listen: (channel, onHint) => listener.listen(channel, onHint),
    async close() {
      await listener.close();
      await db.destroy();
    },
  };
}

/** What `pg` says of a statement beyond `query_timeout`. The connection still waits for the answer, so it must not be used again. */
const UNANSWERED = 'Query read timeout';

function destroyUnanswered(client: pg.PoolClient): void {
  const own = client as unknown as { query: (...given: unknown[]) => unknown };
  const query = own.query.bind(client);
  own.query = (...given) => {
    const answer = query(...given);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if ((error as Error).message === UNANSWERED) destroy(client);
      });
    return answer;
  };
}

interface Listener {
  listen(channel: Channel, onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** `LISTEN` on a connection of its own, with a heartbeat; a lost connection is opened again. */
function listenerAt(url: string, heartbeatMs: number): Listener {
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
    const late = setTimeout(() => destroy(beating), heartbeatMs / 2);
    beating.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }, heartbeatMs);
  heartbeat.unref();

  return {
    async listen(channel, onHint) {
      handlers.set(channel, onHint);
      if (client === null) await open();
      // If the connection breaks meanwhile, the next one listens to all channels.
      else await client.query(`listen ${channel}`).catch(() => {});
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function destroy(client: object): void {
  (client as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
