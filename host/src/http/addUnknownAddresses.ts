/** Answers requests without a route: 404 for an unknown address, 405 with `Allow` for an unknown method, 204 for `OPTIONS`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import { requestError, WayzoneError } from 'wayzone';

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Longest path parameter, as in `buildApp.ts`. */
const MAX_LENGTH = 2000;

/** Call it before the routes are declared: it records their addresses and methods. */
export function addUnknownAddresses(app: FastifyInstance): void {
  const known = new Map<string, readonly [name: HTTPMethod, url: string]>();
  app.addHook('onRoute', ({ url, method }) => {
    // The route of @fastify/cors for OPTIONS.
    if (url.endsWith('*')) return;
    for (const name of [method].flat()) known.set(`${name} ${url}`, [name as HTTPMethod, url]);
  });
  let router: Instance<HTTPVersion.V1> | undefined;
  // Made when it is first asked: a start does without.
  const routerOf = (): Instance<HTTPVersion.V1> => {
    if (router !== undefined) return router;
    router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: MAX_LENGTH });
    for (const [name, url] of known.values()) router.on(name, url, () => {});
    return router;
  };
  const methods = [...METHODS].sort();
  const methodsOf = (path: string): string[] =>
    methods.filter((method) => routerOf().find(method, path) !== null);
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
