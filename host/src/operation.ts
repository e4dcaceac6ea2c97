/** Declares an operation: handler and schemas in one place; its minimum role comes from `auth/roles.ts`. The published document is built from these declarations. */

import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  HTTPMethods,
} from 'fastify';
import type { XStatic } from 'typebox/schema';
import { requestError, WayzoneError } from 'wayzone';
import { WireErrorSchema } from 'wayzone/schemas';
import type { WebSocket } from 'ws';
import { type MinRole, OPERATION_ROLES, type SideRanks, satisfies } from './auth/roles.js';
import type { Access } from './auth/tokens.js';
import type { Lane } from './http/addTurns.js';
import { referred } from './publishedDocument.js';
import { type RequestPart, schemaCheck } from './schemaCheck.js';
import { GEOJSON } from './schemaParts.js';

/** A JSON Schema. */
type Schema = object;

export interface Operation<Params extends Schema = Nothing, Query extends Schema = Nothing> {
  readonly method: HTTPMethods;
  readonly url: string;
  /** One line for lists of operations. */
  readonly summary: string;
  /** Details beyond the summary. The document adds the role and the limits. */
  readonly description?: string;
  readonly tags: readonly [string];
  /** A body against this schema is refused, unless a process reads the body or the handler checks its items. */
  readonly body?: Schema;
  /** Reads a body that the schema rejects, and throws its own error. Default: the field errors of the schema. */
  readonly explain?: (body: unknown) => unknown;
  /** The query. Further parameters are ignored: proxies and clients add theirs. */
  readonly querystring?: Query;
  /** The parameters of the address, all of them. */
  readonly params?: Params;
  /** Headers, in lower case. */
  readonly headers?: Schema;
  /** The schema of an answer with status 200. */
  readonly answer: Schema;
  /** Whether `body` is the text of the JSON, which a process parses. Default false. */
  readonly hasTextBody?: boolean;
  /** Whether the handler checks the texts of each item of the body, so that a bad one refuses no other. Default false. */
  readonly checksItems?: boolean;
  /** Media types of the answer. Default: JSON. */
  readonly produces?: readonly string[];
  /** Media types of the body. Default: JSON only. */
  readonly consumes?: readonly string[];
  /** How requests of one company wait for each other: `long` for answers with all rows of the company, `tile` for map tiles, `none` for requests that only wait. Default `short`. */
  readonly turn?: Lane | 'none';
  /** Maximum number of requests per minute, of a company or of a user. Default: no limit. */
  readonly perMinute?: number;
  /** Whether `perMinute` counts the requests of a user. Default: those of a company. */
  readonly countsUsers?: boolean;
  /** Maximum size of the body, bytes. Default: that of the settings. */
  readonly bodyLimit?: number;
  /** Whether a ticket in the address may replace the header, for clients that cannot send headers. */
  readonly takesTicket?: boolean;
  readonly handler: (request: RequestOf<Params, Query>, reply: FastifyReply) => unknown;
  /** Serves an open WebSocket. `handler` answers requests without upgrade; its refusals also apply to requests with one. */
  readonly webSocket?: (socket: WebSocket, request: RequestOf<Params, Query>) => void;
}

/** A request with an authenticated caller. Its address and query have the types of their schemas. */
export type AuthorisedRequest<Params = unknown, Query = unknown> = Omit<
  FastifyRequest,
  'params' | 'query' | 'body'
> & {
  readonly access: Access;
  readonly params: Params;
  readonly query: Query;
  readonly body: unknown;
};

/** The schema of a part without fields. */
const NOTHING = { type: 'object', properties: {} } as const;
type Nothing = typeof NOTHING;
type RequestOf<Params extends Schema, Query extends Schema> = AuthorisedRequest<
  XStatic<Params>,
  XStatic<Query>
>;

/** Error statuses that any operation may answer. */
export const REFUSALS = [400, 401, 403, 404, 412, 413, 414, 415, 422, 429, 431, 500, 502, 503] as const;
const ERRORS = Object.fromEntries(REFUSALS.map((status) => [status, referred(WireErrorSchema)]));

/**
 * Declares an operation. Its address, query, headers and body are checked by their schemas before the handler, which receives them, except the body,
 * with the schemas' types.
 */
export function declare<const Params extends Schema = Nothing, const Query extends Schema = Nothing>(
  app: FastifyInstance,
  operation: Operation<Params, Query>,
): void {
  route(app, operation as unknown as Operation);
}

/** A request whose body has the type of its schema. */
export type CheckedRequest<Body, Params = unknown, Query = unknown> = Omit<
  AuthorisedRequest<Params, Query>,
  'body'
> & { readonly body: XStatic<Body> };

/**
 * Declares an operation whose body and answer have the types of their schemas. Use `declare` where a validator of the library gives the body its
 * type.
 */
export function declareChecked<
  const Body extends Schema,
  const Answer extends Schema,
  const Params extends Schema = Nothing,
  const Query extends Schema = Nothing,
>(
  app: FastifyInstance,
  operation: Omit<Operation<Params, Query>, 'body' | 'answer' | 'handler'> & {
    readonly body: Body;
    readonly answer: Answer;
    readonly handler: (
      request: CheckedRequest<Body, XStatic<Params>, XStatic<Query>>,
      reply: FastifyReply,
    ) => Promise<XStatic<Answer>> | XStatic<Answer>;
  },
): void {
  route(app, operation as unknown as Operation);
}

function route(app: FastifyInstance, operation: Operation): void {
  const { method, url, summary, description, tags, body, answer, produces, perMinute } = operation;
  const {
    bodyLimit,
    consumes,
    countsUsers = false,
    takesTicket = false,
    hasTextBody = false,
    checksItems = false,
    turn,
    webSocket,
  } = operation;
  const minRole = minRoleOf(`${String(method)} ${url}`);
  checkParams(url, operation.params ?? NOTHING);
  const checksTag = Object.hasOwn(Object(Object(operation.headers).properties) as object, 'if-match');
  const querystring = takesTicket ? withTicket(operation.querystring) : operation.querystring;
  const parts = partsOf({ ...operation, querystring });
  const isBodyChecked = body !== undefined && consumes === undefined && !hasTextBody && !checksItems;
  app.route({
    method,
    url,
    schema: {
      operationId: operationIdOf(String(method), url),
      summary,
      description: describe(minRole, description, perMinute, countsUsers ? 'user' : 'company'),
      tags: [...tags],
      ...(body === undefined ? {} : { body: referred(body) }),
      ...(consumes === undefined ? {} : { consumes: [...consumes] }),
      ...parts,
      response: {
        200: produces === undefined ? referred(answer) : answerIn(produces, referred(answer) as Schema),
        ...ERRORS,
      },
      security: [{ bearer: [] }, { apiKey: [] }, ...(takesTicket ? [{ ticket: [] }] : [])],
      'x-min-role': minRole,
    } as object,
    validatorCompiler: validators({ ...parts, ...(isBodyChecked ? { body } : {}) }, operation.explain),
    config: {
      minRole,
      takesTicket,
      hasTextBody,
      checksItems,
      ...(turn === undefined ? {} : { turn }),
      ...(perMinute === undefined
        ? {}
        : {
            rateLimit: {
              max: perMinute,
              timeWindow: 60_000,
              ...(countsUsers ? { keyGenerator: userOf } : {}),
            },
          }),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: (request, reply) => {
      if (method !== 'GET' && !checksTag) refuseTag(request);
      return operation.handler(request as unknown as AuthorisedRequest<object, object>, reply);
    },
    ...(webSocket === undefined
      ? {}
      : {
          wsHandler: (socket: WebSocket, request: FastifyRequest) =>
            webSocket(socket, request as unknown as AuthorisedRequest<object, object>),
        }),
  });
}

/** Refuses `If-Match` for a resource without a tag, so that no write ignores a condition. */
function refuseTag({ headers }: FastifyRequest): void {
  if (headers['if-match'] === undefined || headers['if-match'].trim() === '*') return;
  throw new WayzoneError(
    'version-differs',
    'if-match',
    'expected no If-Match for an operation whose object has no tag, received one',
    { status: 412, wireCode: 412 },
  );
}

type Parts = Readonly<Partial<Record<RequestPart, Schema>>>;

/** The schemas of address, query and headers that are declared. */
function partsOf({
  params,
  querystring,
  headers,
}: Readonly<Partial<Record<RequestPart, Schema | undefined>>>): Parts {
  return {
    ...(params === undefined ? {} : { params }),
    ...(querystring === undefined ? {} : { querystring }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Fastify's checks of the parts of a route. A part that is not in `parts` is accepted. */
function validators(parts: Parts, explain?: Operation['explain']): FastifySchemaCompiler<unknown> {
  return ({ httpPart }) => {
    const schema = parts[httpPart as RequestPart];
    if (schema === undefined) return () => true;
    const check = schemaCheck(schema, httpPart as RequestPart);
    if (httpPart !== 'body') return checked(check);
    const checkBody = checked(check);
    // No body is an empty one.
    return (value) => {
      const { error } = checkBody(value ?? {});
      if (error === undefined) return { value };
      return explain === undefined ? { error } : { error: checked(explain)(value).error ?? error };
    };
  };
}

/** Fastify makes 500 of what a check throws. */
function checked(check: (value: unknown) => unknown): (value: unknown) => { value?: unknown; error?: Error } {
  return (value) => {
    try {
      return { value: check(value) };
    } catch (error) {
      return { error: error as Error };
    }
  };
}

function checkParams(url: string, { properties = {} }: { readonly properties?: object }): void {
  const missing = url
    .split('/')
    .find((part) => part.startsWith(':') && !Object.hasOwn(properties, part.slice(1)));
  if (missing !== undefined) throw new TypeError(`expected a schema of ${missing} of ${url}, received none`);
}

/** The user to whom a limit counts a request. */
function userOf({ access, ip }: FastifyRequest): string {
  return access === null ? `ip ${ip}` : `user ${access.companyId} ${access.userId}`;
}

function describe(
  minRole: MinRole,
  more: string | undefined,
  perMinute: number | undefined,
  counted: string,
): string {
  const role = `Needs the role ${minRole} or a higher one.`;
  const limit = perMinute === undefined ? '' : ` At most ${perMinute} requests per minute and ${counted}.`;
  return `${more === undefined ? '' : `${more}\n\n`}${role}${limit}`;
}

/** The body of an operation with `hasTextBody`; empty without one. */
export function bodyTextOf(body: unknown): string {
  return typeof body === 'string' ? body : '';
}

/** The documented schema of a route that needs no token, and the checks of its address and query. */
export function openRoute({
  operation,
  summary,
  description,
  tags,
  querystring,
  body,
  consumes,
  answer,
}: Pick<Operation, 'summary' | 'description' | 'body' | 'consumes' | 'answer'> & {
  readonly querystring?: Schema;
  readonly tags: readonly string[];
  /** `METHOD path`. */
  readonly operation: string;
}): { readonly schema: object; readonly validatorCompiler: FastifySchemaCompiler<unknown> } {
  const [method = '', url = ''] = operation.split(' ');
  const parts = partsOf({ querystring });
  return {
    schema: {
      operationId: operationIdOf(method, url),
      summary,
      description: description ?? 'Needs no token.',
      tags,
      ...parts,
      ...(body === undefined ? {} : { body }),
      ...(consumes === undefined ? {} : { consumes }),
      response: { 200: answer, ...ERRORS },
      security: [],
      'x-min-role': 'NONE',
    },
    validatorCompiler: validators(parts),
  };
}

function answerIn(mediaTypes: readonly string[], schema: Schema): object {
  const schemaOf = (type: string): Schema => (type === 'application/geo+json' ? GEOJSON : schema);
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(type) }]));
  return { description: 'The answer', content };
}

function withTicket(querystring: Schema = { type: 'object' }): Schema {
  const { properties = {} } = querystring as { readonly properties?: object };
  return { ...querystring, properties: { ...properties, ticket: { type: 'string' } } };
}

function minRoleOf(operation: string): MinRole {
  const found = OPERATION_ROLES[operation];
  if (found === undefined)
    throw new TypeError(`expected a role of ${operation} in auth/roles.ts, received none`);
  return found.role;
}

/** Throws `forbidden` (403) if the role is below the operation's minimum. */
export function checkRole(access: Access, minimum: MinRole, sides: SideRanks): void {
  if (!satisfies(access.role, minimum, sides))
    throw requestError(403, `expected the role ${minimum} or above, received ${access.role}`, 'role');
}

/** `getUnitsByIdTrack` of `GET /units/:id/track`: the method, the words of the address, and `By` before a parameter. */
function operationIdOf(method: string, url: string): string {
  const words = url
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? `By${titled(part.slice(1))}` : titled(part)));
  return `${method.toLowerCase()}${words.join('')}`;
}

function titled(part: string): string {
  return part
    .split(/[_-]/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}
