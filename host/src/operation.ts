/** How a resource file declares an operation: its least role and schemas stand beside its handler, and the document is made from them. */

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { requestError } from 'wayzone';
import { WireErrorSchema } from 'wayzone/schemas';
import { type MinRole, satisfies } from './auth/roles.js';
import type { Access } from './auth/tokens.js';

/** A JSON Schema. */
type Schema = object;

export interface Operation {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly minRole: MinRole;
  readonly body?: Schema;
  readonly querystring?: Schema;
  readonly params?: Schema;
  /** The schema of an answer with status 200. */
  readonly answer: Schema;
  /** Media type of the answer, if it is not JSON. */
  readonly produces?: string;
  /** Requests a minute of one token; absent: no limit. */
  readonly perMinute?: number;
  readonly handler: (request: AuthorisedRequest, reply: FastifyReply) => unknown;
}

/** A request of somebody known. */
export type AuthorisedRequest = Omit<FastifyRequest, 'params' | 'query' | 'body'> & {
  readonly access: Access;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
};

/** The statuses with which any operation may refuse. */
const REFUSALS = [400, 401, 403, 404, 412, 413, 415, 422, 429, 503] as const;
const ERRORS = Object.fromEntries(REFUSALS.map((status) => [status, WireErrorSchema]));

export function declare(app: FastifyInstance, operation: Operation): void {
  const { method, url, summary, tags, minRole, body, querystring, params, answer, produces, perMinute } =
    operation;
  app.route({
    method,
    url,
    schema: {
      summary,
      tags: [...tags],
      ...(body === undefined ? {} : { body }),
      ...(querystring === undefined ? {} : { querystring }),
      ...(params === undefined ? {} : { params }),
      ...(produces === undefined ? {} : { produces: [produces] }),
      response: { 200: answer, ...ERRORS },
      security: [{ bearer: [] }, { apiKey: [] }],
      'x-min-role': minRole,
    } as object,
    config: {
      minRole,
      ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: 60_000 } }),
    },
    handler: (request, reply) => operation.handler(request as unknown as AuthorisedRequest, reply),
  });
}

/** Throws `forbidden` (403) where the role is below the operation's. */
export function checkRole(access: Access, minimum: MinRole): void {
  if (!satisfies(access.role, minimum))
    throw requestError(403, `expected the role ${minimum} or above, received ${access.role}`, 'role');
}
