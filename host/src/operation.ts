/** Declares an operation: handler and schemas in one place; its minimum role comes from `auth/operationRoles.ts`. The published document is built from these declarations. */

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { XStatic } from 'typebox/schema';
import { requestError } from 'wayzone';
import { WireErrorSchema } from 'wayzone/schemas';
import type { WebSocket } from 'ws';
import { referred } from './addComponents.js';
import { OPERATION_ROLES } from './auth/operationRoles.js';
import { type MinRole, type SideRanks, satisfies } from './auth/roles.js';
import type { Access } from './auth/tokens.js';
import { bodyCheck } from './bodyCheck.js';
import type { Lane } from './http/addTurns.js';
import { operationIdOf } from './operationIdOf.js';

/** A JSON Schema. */
type Schema = object;

export interface Operation {
  readonly method: HTTPMethods;
  readonly url: string;
  /** One line for lists of operations. */
  readonly summary: string;
  /** What the summary leaves out. The document adds the role and the limits. */
  readonly description?: string;
  readonly tags: readonly [string];
  readonly body?: Schema;
  readonly querystring?: Schema;
  readonly params?: Schema;
  /** The schema of an answer with status 200. */
  readonly answer: Schema;
  /** Whether `body` is the text of the JSON, which a thread parses. Default false. */
  readonly hasTextBody?: boolean;
  /** Media types of the answer. Default: JSON. */
  readonly produces?: readonly string[];
  /** Media types of the body. Default: JSON only. */
  readonly consumes?: readonly string[];
  /** How requests of one company wait for each other: `long` for answers with all rows of the company, `tile` for map tiles, `none` for requests that only wait. Default `short`. */
  readonly turn?: Lane | 'none';
  /** Maximum number of requests per minute and token. Default: no limit. */
  readonly perMinute?: number;
  /** Maximum size of the body, bytes. Default: that of the settings. */
  readonly bodyLimit?: number;
  /** Whether a ticket in the address may replace the header, for clients that cannot send headers. */
  readonly takesTicket?: boolean;
  readonly handler: (request: AuthorisedRequest, reply: FastifyReply) => unknown;
  /** Serves an open WebSocket. `handler` answers requests without upgrade; its refusals also apply to requests with one. */
  readonly webSocket?: (socket: WebSocket, request: AuthorisedRequest) => void;
}

/** A request with an authenticated caller. */
export type AuthorisedRequest = Omit<FastifyRequest, 'params' | 'query' | 'body'> & {
  readonly access: Access;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
};

/** Error statuses that any operation may answer. */
export const REFUSALS = [400, 401, 403, 404, 412, 413, 415, 422, 429, 500, 502, 503] as const;
const ERRORS = Object.fromEntries(REFUSALS.map((status) => [status, referred(WireErrorSchema)]));

export function declare(app: FastifyInstance, operation: Operation): void {
  const { method, url, summary, description, tags, body, params, answer, produces, perMinute } = operation;
  const { bodyLimit, consumes, takesTicket = false, hasTextBody = false, turn, webSocket } = operation;
  const minRole = minRoleOf(`${String(method)} ${url}`);
  const querystring = takesTicket ? withTicket(operation.querystring) : operation.querystring;
  app.route({
    method,
    url,
    schema: {
      operationId: operationIdOf(String(method), url),
      summary,
      description: describe(minRole, description, perMinute),
      tags: [...tags],
      ...(body === undefined ? {} : { body: referred(body) }),
      ...(consumes === undefined ? {} : { consumes: [...consumes] }),
      ...(querystring === undefined ? {} : { querystring }),
      ...(params === undefined ? {} : { params }),
      response: {
        200: produces === undefined ? referred(answer) : answerIn(produces, referred(answer) as Schema),
        ...ERRORS,
      },
      security: [{ bearer: [] }, { apiKey: [] }, ...(takesTicket ? [{ ticket: [] }] : [])],
      'x-min-role': minRole,
    } as object,
    config: {
      minRole,
      takesTicket,
      hasTextBody,
      ...(turn === undefined ? {} : { turn }),
      ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: 60_000 } }),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: (request, reply) => operation.handler(request as unknown as AuthorisedRequest, reply),
    ...(webSocket === undefined
      ? {}
      : {
          wsHandler: (socket: WebSocket, request: FastifyRequest) =>
            webSocket(socket, request as unknown as AuthorisedRequest),
        }),
  });
}

/** A request whose body has the type of its schema. */
export type CheckedRequest<Body> = Omit<AuthorisedRequest, 'body'> & { readonly body: XStatic<Body> };

/**
 * Declares an operation whose body is checked by its schema before the handler, which receives it with the schema's type. The answer has the
 * type of its schema. Field errors have the library's form. Use `declare` where a validator of the library checks the body.
 */
export function declareChecked<const Body extends Schema, const Answer extends Schema>(
  app: FastifyInstance,
  operation: Omit<Operation, 'body' | 'answer' | 'handler'> & {
    readonly body: Body;
    readonly answer: Answer;
    readonly handler: (
      request: CheckedRequest<Body>,
      reply: FastifyReply,
    ) => Promise<XStatic<Answer>> | XStatic<Answer>;
  },
): void {
  const check = bodyCheck(operation.body);
  declare(app, {
    ...operation,
    handler(request, reply) {
      check(request.body);
      return operation.handler(request as CheckedRequest<Body>, reply);
    },
  });
}

function describe(minRole: MinRole, more: string | undefined, perMinute: number | undefined): string {
  const role = `Needs the role ${minRole} or a higher one.`;
  const limit = perMinute === undefined ? '' : ` At most ${perMinute} requests per minute and company.`;
  return `${more === undefined ? '' : `${more}\n\n`}${role}${limit}`;
}

/** The body of an operation with `hasTextBody`; empty without one. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : '';
}

/** The documented schema of a route that needs no token. */
export function describeOpen({
  operation,
  summary,
  description,
  tags,
  querystring,
  body,
  consumes,
  answer,
}: Pick<Operation, 'summary' | 'description' | 'querystring' | 'body' | 'consumes' | 'answer'> & {
  readonly tags: readonly string[];
  /** `METHOD path`. */
  readonly operation: string;
}): object {
  const [method = '', url = ''] = operation.split(' ');
  return {
    operationId: operationIdOf(method, url),
    summary,
    description: description ?? 'Needs no token.',
    tags,
    ...(querystring === undefined ? {} : { querystring }),
    ...(body === undefined ? {} : { body }),
    ...(consumes === undefined ? {} : { consumes }),
    response: { 200: answer, ...ERRORS },
    security: [],
    'x-min-role': 'NONE',
  };
}

function answerIn(mediaTypes: readonly string[], schema: Schema): object {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  return { description: 'The answer', content };
}

function withTicket(querystring: Schema = { type: 'object' }): Schema {
  const { properties = {} } = querystring as { readonly properties?: object };
  return { ...querystring, properties: { ...properties, ticket: { type: 'string' } } };
}

function minRoleOf(operation: string): MinRole {
  const found = OPERATION_ROLES[operation];
  if (found === undefined)
    throw new TypeError(`expected a role of ${operation} in operationRoles.ts, received none`);
  return found.role;
}

/** Throws `forbidden` (403) if the role is below the operation's minimum. */
export function checkRole(access: Access, minimum: MinRole, sides: SideRanks): void {
  if (!satisfies(access.role, minimum, sides))
    throw requestError(403, `expected the role ${minimum} or above, received ${access.role}`, 'role');
}
