/** Answers cross-origin requests of browsers (WHATWG Fetch, CORS protocol) from the origins of the setting `CORS_ORIGINS`. */

import type { FastifyInstance } from 'fastify';

const DAY_SECONDS = '86400';
const REQUEST_HEADERS = 'authorization, content-type, if-match, last-event-id, user_company_api_key';
const ANSWER_HEADERS = 'content-disposition, etag, retry-after';
const METHODS = 'GET, POST, PUT, DELETE';

/** Allows requests from `origins` (`https://fleet.example`; `*` for all), without credentials, because the host uses no cookies. */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', ({ method, headers }, reply, done) => {
    reply.header('vary', 'origin');
    const { origin } = headers;
    if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return done();
    reply.header('access-control-allow-origin', origin);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', ANSWER_HEADERS);
      return done();
    }
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': DAY_SECONDS,
    });
    reply.code(204).send();
  });
}
