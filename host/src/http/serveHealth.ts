/** `GET /health`: the process. `GET /ready`: what requests need, and why it is missing. */

import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';

/** Milliseconds within which the database answers. */
const ANSWER_MS = 5000;

export function serveHealth(app: FastifyInstance, { storage, live }: Context): void {
  app.get('/health', { schema: { hide: true } }, () => ({
    status: 'ok',
    uptimeSeconds: Math.round(process.uptime()),
  }));

  /** 503 without the database. `degraded` (200) while the stream leaves partitions unread: requests are answered, events are late. */
  app.get('/ready', { schema: { hide: true } }, async (_, reply) => {
    const database = await databaseState();
    const unread = live.unread();
    const isReady = database === 'ok';
    const status = isReady ? (unread.length === 0 ? 'ok' : 'degraded') : 'unavailable';
    return reply.code(isReady ? 200 : 503).send({ status, database, unread });
  });

  async function databaseState(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no answer within ${ANSWER_MS / 1000} s`), ANSWER_MS);
    });
    // The zones come from the same table as the versions that are read here.
    const read = storage.db
      .selectFrom('companies')
      .select('zones_version')
      .limit(1)
      .execute()
      .then(
        () => 'ok',
        (error: Error & { readonly code?: string }) => error.code ?? 'no answer',
      );
    return Promise.race([read, late]).finally(() => clearTimeout(timer));
  }
}
