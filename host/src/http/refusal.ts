/** Writes every error answer in the platform's form, including those of Fastify and of Node's HTTP parser. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import { requestError, WayzoneError } from 'wayzone';
import { isUnavailable } from '../storage/storage.js';

/** When a client may send a request again that was answered 503, or 429 by a full queue. */
const RETRY_SECONDS = 5;
const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Longest path parameter, as in `buildApp.ts`. */
const MAX_LENGTH = 2000;

/** An error with the HTTP status of its answer. */
export function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

/** Throws 400 for a truncated form: the error of the multipart reader then has no status. */
export function rethrowBroken(error: unknown): never {
  if (typeof (error as { statusCode?: unknown }).statusCode === 'number') throw error;
  throw refusal(400, 'expected a whole multipart form, received a broken one');
}

/** The error with other names of its fields: those of the request in place of the library's. Any other error as it is. */
export function withFields(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof WayzoneError)) return error;
  const { code, message, field, errors, status, wireCode } = error;
  if ([error, ...errors].every((one) => nameOf(one.field) === one.field)) return error;
  return new WayzoneError(code, nameOf(field), message, {
    errors: errors.map((one) => ({ ...one, field: nameOf(one.field) })),
    status,
    ...(wireCode === null ? {} : { wireCode }),
  });
}

/** Options of the library's functions are fields of bodies. */
const inBody = (field: string): string => field.replace(/^options\./, '');

/** Fastify's error handler. An error without a status becomes 500 with a fixed message, so that no internals leak. */
export function sendError(
  error: FastifyError | WayzoneError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // Errors of the router come before the hooks.
  reply.type('application/json').header('x-request-id', request.id);
  if (error instanceof WayzoneError) {
    // Limits per minute have set their own.
    if (error.status === 503 || (error.status === 429 && !reply.hasHeader('retry-after')))
      reply.header('retry-after', RETRY_SECONDS);
    // RFC 9110 section 15.5.2.
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    const own = withFields(error, inBody) as WayzoneError;
    return reply.code(error.status).send(own.toJSON());
  }
  const status = statusOf(error);
  if (status >= 500) request.log.error(error);
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  return reply.code(status).send({ code: status, message: messageOf(error, status, request), field: '' });
}

function messageOf(error: FastifyError, status: number, { headers, routeOptions }: FastifyRequest): string {
  if (status === 503) return 'expected an answer from the database, received none';
  if (status >= 500) return 'internal error';
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return `expected a body of ${mediaTypesOf(routeOptions.schema)}, received ${headers['content-type'] ?? 'no content-type'}`;
  if (error.code === 'FST_FIELDS_LIMIT') return 'expected fewer fields of the form, received too many';
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return 'expected a shorter part of the address';
  return error.message;
}

/** The media types of an operation's body, as the document states them. */
function mediaTypesOf(schema: unknown): string {
  const { consumes } = Object(schema) as { readonly consumes?: readonly string[] };
  return (consumes ?? ['application/json']).join(' or ');
}

function statusOf(error: FastifyError): number {
  const { statusCode } = error;
  if (isUnavailable(error)) return 503;
  if (statusCode === undefined || statusCode < 400) return 500;
  // The multipart reader answers 406 to another media type; RFC 9110 section 15.5.16 asks for 415.
  return statusCode === 406 ? 415 : statusCode;
}

/** Answers a request that Node's HTTP parser refused. No reply object exists yet, so the answer goes to the socket. */
export function refuseUnread(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', 'expected a shorter address and headers'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([
            408,
            'Request Timeout',
            'expected the whole request within the time limit, received a part',
          ] as const)
        : ([400, 'Bad Request', 'expected HTTP'] as const);
  const body = JSON.stringify({ code: status, message, field: '' });
  const head = `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: ${randomUUID()}\r\nconnection: close\r\n\r\n`;
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}

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
