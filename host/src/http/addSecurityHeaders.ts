/** Headers of every answer: security, and CORS. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { OPERATION_ROLES } from '../auth/roles.js';

/** Options for an API: no page may load or frame anything. Headers that only affect pages in old browsers are off. */
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
  // The host speaks plain HTTP; the proxy that speaks TLS adds the header.
  strictTransportSecurity: false,
  xssFilter: false,
};
/** The methods of all operations. */
const METHODS: ReadonlySet<string> = new Set(
  Object.keys(OPERATION_ROLES).map((operation) => operation.split(' ', 1)[0]!),
);

export function addSecurityHeaders(app: FastifyInstance): void {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => {},
  };
  helmet(OPTIONS)({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Allows requests from `origins` (`https://fleet.example`; `*` for all), without credentials, because the host uses no cookies. */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    // `true` answers with the request's own origin.
    origin: origins.includes('*') ? true : [...origins],
    methods: [...METHODS],
    allowedHeaders: [
      'authorization',
      'content-type',
      'if-match',
      'if-none-match',
      'last-event-id',
      'user_company_api_key',
    ],
    exposedHeaders: ['content-disposition', 'etag', 'retry-after', 'x-left-out', 'x-request-id'],
    maxAge: 86_400,
    strictPreflight: false,
  });
}
