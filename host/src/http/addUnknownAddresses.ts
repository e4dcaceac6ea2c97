/** Answers requests without a route: 404 for an unknown address, 405 with `Allow` for an unknown method, 204 for `OPTIONS`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { requestError, WayzoneError } from 'wayzone';

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Longest path parameter, as in `buildApp.ts`. */
const MAX_LENGTH = 2000;

/** Call it before the routes are declared: it records their addresses and methods. */
export function addUnknownAddresses(app: FastifyInstance): void {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_LENGTH });
  const known = new Set<string>();
  app.addHook('onRoute', ({ url, method }) => {
    // The route of @fastify/cors for OPTIONS.
    if (url.endsWith('*')) return;
    for (const name of [method].flat()) {
      if (known.has(`${name} ${url}`)) continue;
      known.add(`${name} ${url}`);
      router.on(name as HTTPMethod, url, () => {});
    }
  });
  const methods = [...METHODS].sort();
  const methodsOf = (path: string): string[] =>
    methods.filter((method) => router.find(method, path) !== null);
  // The handler of @fastify/cors answers every OPTIONS.
  app.addHook('onRequest', ({ method, url }, reply, done) => {
    const allowed = method === 'OPTIONS' ? methodsOf(url.split('?')[0]!) : [];
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    done();
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf(request.url.split('?')[0]!);
    if (allowed.length === 0) throw requestError(404, 'expected a known address, received an unknown one');
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new WayzoneError(
      'method-unknown',
      '',
      `expected ${allowed.join(', ')}, received ${request.method}`,
      {
        status: 405,
        wireCode: 405,
      },
    );
  });
}
