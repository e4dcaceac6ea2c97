/** Answers requests without a route: 404 for an unknown address, 405 with `Allow` for an unknown method, 204 for `OPTIONS`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestError, WayzoneError } from 'wayzone';

/** Call it before the routes are declared: it records their addresses and methods. */
export function addUnknownAddresses(app: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`);
    const route = routes.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });
  const methodsOf = (path: string): string[] => {
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url.split('?')[0]!);
    if (methods.length === 0) throw requestError(404, 'expected a known address, received an unknown one');
    reply.header('allow', methods.join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new WayzoneError(
      'method-unknown',
      '',
      `expected ${methods.join(', ')}, received ${request.method}`,
      {
        status: 405,
        wireCode: 405,
      },
    );
  });
}
