/** Every refusal in the platform's form, also those that Fastify and Node's HTTP parser write by themselves. */

import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';

/** An error with the status of its answer. */
export function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

/** Nothing of the host's inside comes out: the message of an error without a status is replaced. */
export function sendError(
  error: FastifyError | WayzoneError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.type('application/json');
  if (error instanceof WayzoneError) {
    // RFC 9110 section 15.5.2.
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(error.status).send(error.toJSON());
  }
  const status = statusOf(error);
  if (status >= 500) request.log.error(error);
  return reply.code(status).send({ code: status, message: messageOf(error, status, request), field: '' });
}

function messageOf(error: FastifyError, status: number, { headers }: FastifyRequest): string {
  if (status === 503) return 'expected the database, received no answer';
  if (status >= 500) return 'internal error';
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return `expected a body of application/json, received ${headers['content-type'] ?? 'no content-type'}`;
  return error.message;
}

/** SQLSTATE classes of a server that cannot be asked: 08 connection, 53 resources (a full disk), 57P shutdown. */
const UNAVAILABLE = /^(?:08|53|57P)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOSPC)$/;
/** What `pg` says, without a code, of a connection that broke. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying)/;

function statusOf(error: FastifyError & { readonly syscall?: string }): number {
  const { code, statusCode, syscall, message } = error;
  if (typeof code === 'string' && UNAVAILABLE.test(code)) return 503;
  // The socket's file is gone, or the host's name.
  if (syscall === 'connect' || syscall === 'getaddrinfo' || BROKEN.test(message)) return 503;
  if (statusCode === undefined || statusCode < 400) return 500;
  // What the multipart reader calls "not acceptable" is an unsupported media type (RFC 9110 section 15.5.16).
  return statusCode === 406 ? 415 : statusCode;
}

/** Requests that Node's parser refuses: there is no reply yet, so the answer is written to the socket. */
export function refuseUnread(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', 'expected a shorter address and headers'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout', 'expected the request sooner'] as const)
        : ([400, 'Bad Request', 'expected HTTP'] as const);
  const body = JSON.stringify({ code: status, message, field: '' });
  const head = `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}
