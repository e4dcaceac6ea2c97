/** Writes every error answer in the platform's form, including those of Fastify and of Node's HTTP parser. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';
import { isUnavailable } from '../storage/isUnavailable.js';

/** When a client may send a request again that was answered 503, or 429 by a full queue. */
const RETRY_SECONDS = 5;

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
