/** Answers cross-origin requests of browsers from the origins of the setting `CORS_ORIGINS`. */

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { OPERATION_ROLES } from '../auth/operationRoles.js';

/** The methods of all operations. */
const METHODS: ReadonlySet<string> = new Set(
  Object.keys(OPERATION_ROLES).map((operation) => operation.split(' ', 1)[0]!),
);

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
