/** Entity tags of answers to `GET` (RFC 9110 section 8.8.3), and 304 for a client that has the answer already. */

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Length of a digest in a tag, characters: 96 bits. */
const DIGEST_LENGTH = 16;

/**
 * Tags every answer of `GET` with status 200 that is whole in memory by a digest of it. A row's version precedes the digest, so that the
 * tag also serves `If-Match`; the digest distinguishes equal versions of a restored database.
 * `@fastify/etag` would also tag errors and answer 304 to writes.
 */
export function addTags(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    // Labels are in the caller's language.
    if (request.method === 'GET') {
      const others = reply.getHeader('vary');
      reply.header('vary', others === undefined ? 'Accept-Language' : `${String(others)}, Accept-Language`);
    }
    if (request.method !== 'GET' || reply.statusCode !== 200 || !isWhole) return done(null, payload);
    const version = reply.getHeader('etag');
    const digest = createHash('sha256').update(payload).digest('base64url').slice(0, DIGEST_LENGTH);
    const tag = tagOf(version, digest);
    reply.header('etag', tag);
    if (!namesTag(request, tag)) return done(null, payload);
    reply.code(304);
    reply.removeHeader('content-length');
    done(null, '');
  });
}

/** A row's version with the digest, a list's own tag, or the digest. */
function tagOf(given: unknown, digest: string): string {
  if (typeof given !== 'string') return `"${digest}"`;
  return /^"[0-9a-f]+"$/.test(given) ? `${given.slice(0, -1)}-${digest}"` : given;
}

/** Whether `If-None-Match` names the tag. Ignores `W/`: a proxy that compresses answers makes their tags weak. */
export function namesTag({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean {
  const wanted = headers['if-none-match'];
  return wanted?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) === true;
}

/** Tags an answer that is sent in parts. Returns `true` after it has answered 304; the handler then sends nothing. */
export function sendKnown(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  tag: string,
): boolean {
  reply.header('etag', tag);
  if (!namesTag(request, tag)) return false;
  void reply.code(304).send();
  return true;
}
