/** `GET /health`: the process. `GET /ready`: what requests need, and why it is missing. */

import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';
import { clockOffset, MOST_OFFSET_SECONDS } from '../storage/databaseClock.js';

/** Milliseconds within which the database answers. */
const ANSWER_MS = 5000;

export function serveHealth(app: FastifyInstance, { storage, live, log }: Context): void {
  app.get('/health', { schema: { hide: true } }, () => ({
    status: 'ok',
    uptimeSeconds: Math.round(process.uptime()),
  }));

  /**
   * 503 without the database. `degraded` (200) while the stream leaves cells unread, or the clock differs from the database's: requests
   * are answered, events are late.
   */
  app.get('/ready', { schema: { hide: true } }, async (_, reply) => {
    const { database, offset } = await databaseState();
    const unread = live.unread();
    const isReady = database === 'ok';
    const isWrong = Math.abs(offset) > MOST_OFFSET_SECONDS;
    if (isWrong) log.warn({ clockOffsetSeconds: offset }, 'the clock differs from that of the database');
    const status = isReady ? (unread.length === 0 && !isWrong ? 'ok' : 'degraded') : 'unavailable';
    return reply
      .code(isReady ? 200 : 503)
      .send({ status, database, unread, ...(isWrong ? { clockOffsetSeconds: offset } : {}) });
  });

  async function databaseState(): Promise<{ readonly database: string; readonly offset: number }> {
    let timer: NodeJS.Timeout | undefined;
    const away = (database: string): { database: string; offset: number } => ({ database, offset: 0 });
    const late = new Promise<ReturnType<typeof away>>((resolve) => {
      timer = setTimeout(() => resolve(away(`no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
    });
    // The zones come from the same table as the versions that are read here.
    const read = storage.db
      .selectFrom('companies')
      .select('zones_version')
      .limit(1)
      .execute()
      .then(() => clockOffset(storage))
      .then(
        (offset) => ({ database: 'ok', offset }),
        (error: Error & { readonly code?: string }) => away(error.code ?? 'no answer'),
      );
    return Promise.race([read, late]).finally(() => clearTimeout(timer));
  }
}
