/** Finds connections that fell silent: the client waits for an answer, while the server waits for a statement or is not there. */

import pg from 'pg';
import { every } from '../every.js';

/** A connection whose statement is not answered. */
interface Waiting {
  /** When the statement was sent, milliseconds of the process. */
  readonly since: number;
  readonly fail: () => void;
  /** Looks in a row that found it silent. */
  looks: number;
}

export interface SilentConnections {
  /** The answer, or `null` when the connection is found silent. */
  answer<Answer>(client: pg.PoolClient, answer: Promise<Answer>): Promise<Answer | null>;
  close(): void;
}

const LOOK_MS = 1000;
/** A statement that waits for less is not looked at. */
const SILENT_MS = 1500;
/** An answer may be on its way at the first look. */
const MOST_LOOKS = 2;

export function silentConnections(url: string, connectMs: number): SilentConnections {
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
