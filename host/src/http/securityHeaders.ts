/** The headers of `@fastify/helmet`, made once: the plugin makes them again for each request, which takes longer than most answers. */

import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';

/** Of an API: nothing is shown as a page, so nothing may be loaded or framed; headers for pages of old browsers are left out. */
const OPTIONS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  dnsPrefetchControl: false,
  frameguard: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
};

export async function addSecurityHeaders(app: FastifyInstance): Promise<void> {
  const sample = Fastify();
  await sample.register(helmet, OPTIONS);
  sample.get('/', () => '');
  const { headers: all } = await sample.inject('/');
  await sample.close();
  const own = new Set(['content-type', 'content-length', 'date', 'connection']);
  const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !own.has(name)));
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers);
    done();
  });
}
