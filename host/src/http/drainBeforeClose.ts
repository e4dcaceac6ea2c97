/** Shutdown: finishes the answers under way, then closes every connection. */

import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Below the 10 s that Fastify allows a hook. */
const MOST_MS = 5000;
const STEP_MS = 10;

/**
 * Delays `app.close()` until all answers are sent, at most `MOST_MS`. Build the application with
 * `forceCloseConnections: true`: Fastify alone either waits for connections that clients keep alive, 72 s, or cuts answers off.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  let open = 0;
  const close = (): void => void open--;
  app.addHook('onRequest', ({ headers }, reply, done) => {
    // @fastify/websocket closes its own; their answers never end.
    if (headers.upgrade === undefined) {
      open++;
      reply.raw.once('close', close);
    }
    done();
  });
  app.addHook('preClose', async () => {
    for (let waited = 0; open > 0 && waited < MOST_MS; waited += STEP_MS) await setTimeout(STEP_MS);
  });
}
