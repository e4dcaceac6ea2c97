/** One log line for each request. Lines name the operation, never its address or headers, which may contain tickets, tokens and keys. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { destination, type Logger, pino } from 'pino';

/** A logger that writes JSON lines to standard error. */
export function hostLogger(level: string): Logger {
  // No host name and process id: the system's collector adds them.
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
}

export function requestId(): string {
  return randomUUID();
}

export function addLogs(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    const length = Number(reply.getHeader('content-length'));
    const line = {
      operation: `${request.method} ${request.routeOptions.url ?? 'unknown'}`,
      company: request.access?.companyId ?? null,
      user: request.access?.userId ?? null,
      status,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      // null for a stream.
      bytes: Number.isFinite(length) ? length : null,
    };
    if (status >= 500) request.log.warn(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}
