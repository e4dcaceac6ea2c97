/** A PostgreSQL server as the host's storage. */

import { Kysely, type Logger, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { every } from '../every.js';
import { PREPARED_MARK } from './prepared.js';
import { type Channel, migrate, readHint, type Storage, type VersionHint } from './storage.js';
import type { Tables } from './tables.js';

const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 500;
/** Limit for the answer to a statement. After it the connection counts as lost. */
const ANSWER_MS = 60_000;
const CONNECT_MS = 5000;
/** Limit for an idle transaction, so that a stopped process does not lock its company for ever. */
const IDLE_TRANSACTION_MS = 30_000;
const LOOK_MS = 1000;
/** A statement that waits for less is not looked at. */
const SILENT_MS = 1500;
/** An answer may be on its way at the first look. */
const MOST_LOOKS = 2;

interface PostgresOptions {
  /** Milliseconds between heartbeats of the listening connection. Default 10,000. */
  readonly heartbeatMs?: number;
  /** Milliseconds after which a statement without an answer fails. Default 60,000. */
  readonly answerMs?: number;
  /** Called after each statement. */
  readonly log?: Logger;
}

export async function postgresStorage(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const { heartbeatMs = HEARTBEAT_MS, answerMs = ANSWER_MS, log } = options;
  await migrateSlowly(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // Ignored: the pool replaces a connection that breaks while idle.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // Ignored: an error while in use also rejects the query. Without this listener it would end the process.
    client.on('error', () => {});
  });
  const silent = silentConnections(url, CONNECT_MS);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: answeringPool(pool, silent) }),
    ...(log === undefined ? {} : { log }),
  });
  const listener = listenerAt(url, heartbeatMs);
  return {
    db,
    url,
    listen: (channel, onHint) => listener.listen(channel, onHint),
    async close() {
      await listener.close();
      await db.destroy();
      silent.close();
    },
  };
}

/** On a connection of its own, without a limit for an answer: a migration may rewrite a table of a million rows. */
async function migrateSlowly(url: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Message of `pg` after `query_timeout`. The connection still waits for the answer, so it must be closed. */
const UNANSWERED = 'Query read timeout';

/** The pool as Kysely uses it. A connection that did not answer sends nothing more and is closed when it is released. */
function answeringPool(pool: pg.Pool, silent: SilentConnections): PostgresPool {
  const nameOf = statementNames();
  return {
    connect: async () => answering(await pool.connect(), nameOf, silent, () => closeIdle(pool)),
    end: () => pool.end(),
  };
}

/** The idle connections went the same way as a silent one: each would cost another time limit. */
function closeIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left--)
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
}

/** Names the statements that begin with `PREPARED`. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!text.startsWith(PREPARED_MARK)) return undefined;
    const name = names.get(text) ?? `prepared_${names.size}`;
    names.set(text, name);
    return name;
  };
}

function answering(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  silent: SilentConnections,
  onLost: () => void,
): PostgresPoolClient {
  let lost: Error | null = null;
  const query = async (text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    // A rollback would wait behind the statement that is not answered.
    if (lost !== null) throw lost;
    try {
      const name = nameOf(text);
      const answer = await silent.answer(
        client,
        client.query({ text, values: [...parameters], ...(name === undefined ? {} : { name }) }),
      );
      if (answer === null) throw new Error(UNANSWERED);
      return answer;
    } catch (error) {
      if ((error as Error).message === UNANSWERED) {
        lost = error as Error;
        onLost();
      }
      throw error;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(lost ?? undefined),
  };
}

interface Listener {
  listen(channel: Channel, onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** Runs `LISTEN` on a separate connection with a heartbeat. Opens a lost connection again. */
function listenerAt(url: string, heartbeatMs: number): Listener {
  const handlers = new Map<string, ((hint: VersionHint) => void)[]>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let opening: Promise<unknown> | null = null;

  const open = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    opened.on('notification', ({ channel, payload }) => {
      const hint = readHint(payload);
      if (hint !== null) for (const onHint of handlers.get(channel) ?? []) onHint(hint);
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
  };
  const reopen = (): void => {
    if (!isClosed) retry = setTimeout(() => void begin(), RECONNECT_MS);
  };
  /** Opens the connection. A failure is retried: hints may be lost, because callers also poll each second. */
  const begin = async (): Promise<void> => {
    opening ??= open()
      .catch(reopen)
      .finally(() => {
        opening = null;
      });
    await opening;
  };
  const heartbeat = setInterval(() => {
    const beating = client;
    if (beating === null) return;
    // Detects a silently dropped connection, which emits no event, not even `end`.
    // `end` closes the socket at once while a query is under way.
    const late = setTimeout(() => void beating.end().catch(() => {}), heartbeatMs / 2);
    beating.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }, heartbeatMs);
  heartbeat.unref();

  return {
    async listen(channel, onHint) {
      const others = handlers.get(channel);
      handlers.set(channel, [...(others ?? []), onHint]);
      if (others !== undefined) return;
      if (client === null) await begin();
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

/** A connection whose statement is not answered. */
interface Waiting {
  /** When the statement was sent, milliseconds of the process. */
  readonly since: number;
  readonly fail: () => void;
  /** Looks in a row that found it silent. */
  looks: number;
}

interface SilentConnections {
  /** The answer, or `null` when the connection is found silent. */
  answer<Answer>(client: pg.PoolClient, answer: Promise<Answer>): Promise<Answer | null>;
  close(): void;
}

function silentConnections(url: string, connectMs: number): SilentConnections {
  const waiting = new Map<pg.PoolClient, Waiting>();
  /** Connections whose servers' processes have waited for a second; all, if no connection can be opened. An error of the server is an answer: none. */
  const silent = async (pids: readonly number[]): Promise<ReadonlySet<number>> => {
    const asking = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
    asking.on('error', () => {});
    try {
      await asking.connect();
      const { rows } = await asking.query<{ pid: number }>(
        `select pid from pg_stat_activity
        where pid = any($1) and state <> 'active' and state_change < clock_timestamp() - interval '1 second'`,
        [pids],
      );
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      return error instanceof pg.DatabaseError ? new Set() : new Set(pids);
    } finally {
      void asking.end().catch(() => {});
    }
  };
  const timer = every(LOOK_MS, async () => {
    const before = performance.now() - SILENT_MS;
    const late = [...waiting].filter(([, { since }]) => since < before);
    if (late.length === 0) return;
    const pidOf = (client: pg.PoolClient): number =>
      (client as unknown as { readonly processID: number }).processID;
    const found = await silent(late.map(([client]) => pidOf(client)));
    for (const [client, one] of late) {
      one.looks = found.has(pidOf(client)) ? one.looks + 1 : 0;
      if (one.looks >= MOST_LOOKS && waiting.get(client) === one) one.fail();
    }
  });
  timer.unref();
  return {
    answer: (client, answer) =>
      new Promise((resolve, reject) => {
        const end = (): void => void waiting.delete(client);
        const fail = (): void => {
          end();
          resolve(null);
        };
        waiting.set(client, { since: performance.now(), looks: 0, fail });
        answer.finally(end).then(resolve, reject);
      }),
    close: () => clearInterval(timer),
  };
}
