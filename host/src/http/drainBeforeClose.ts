/** Shutdown: finishes the answers under way, then closes every connection. */

import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';

/** Less than the 10 s that Fastify allows a hook. */
const MOST_MS = 5000;
const STEP_MS = 10;

/**
 * Delays `app.close()` until all answers are sent, at most `MOST_MS`. Build the application with
 * `forceCloseConnections: true`. Fastify alone either waits up to 72 s for connections that clients keep alive, or cuts answers off.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  let open = 0;
  let isClosing = false;
  const close = (): void => void open--;
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (isClosing) {
      reply.header('connection', 'close');
      return done(closing());
    }
    // Ignores WebSockets: their answers never end, and @fastify/websocket closes them.
    if (!(raw as { readonly upgrade?: unknown }).upgrade) {
      open++;
      reply.raw.once('close', close);
    }
    done();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (let waited = 0; open > 0 && waited < MOST_MS; waited += STEP_MS) await setTimeout(STEP_MS);
  });
}

function closing(): WayzoneError {
  const text = 'expected a host that goes on, received a request while it ends';
  return new WayzoneError('host-closing', '', text, { status: 503, wireCode: 503 });
}
