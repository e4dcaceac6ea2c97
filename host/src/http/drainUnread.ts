/**
 * Frees connections whose request was answered before its body had ended. Node discards what nobody has begun to read, but what a reader left off,
 * as that of a form does, stops the connection for whoever sends the next request on it.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface DrainOptions {
  /** Bytes of a body that are discarded after its answer. Default 16 MiB. */
  readonly mostBytes?: number;
  /** Milliseconds that the rest of a body may take. Default 10,000. */
  readonly mostMs?: number;
}

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_MS = 10_000;

/** Discards the rest of such a body. A rest that is longer or slower than the limits closes the connection, on which nothing else can follow. */
export function drainUnread(
  app: FastifyInstance,
  { mostBytes = MOST_BYTES, mostMs = MOST_MS }: DrainOptions = {},
): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnread(request)) {
      // Fastify closes the connections of some refusals, often before their clients have read the answer.
      reply.removeHeader('connection');
      // The client then knows that it need not send the rest.
      if (Number(request.headers['content-length']) > mostBytes) reply.header('connection', 'close');
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    done();
    if (!isUnread(request)) return;
    const { raw } = request;
    const close = (): void => void raw.destroy();
    const timer = setTimeout(close, mostMs).unref();
    let bytes = 0;
    raw.unpipe();
    raw.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > mostBytes) close();
    });
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
    raw.once('error', close);
    raw.resume();
  });
}

function isUnread({ raw }: FastifyRequest): boolean {
  return !raw.complete && !raw.readableEnded && !raw.destroyed;
}
