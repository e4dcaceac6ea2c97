/** Addresses and methods that no route has: 404, 405 with the methods that there are, and the answer to `OPTIONS`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestError, WayzoneError } from 'wayzone';

/** Call before the routes are declared. */
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
    if (methods.length === 0) throw requestError(404, 'expected a known address, received another');
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
