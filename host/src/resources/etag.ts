/** Entity tags (RFC 9110 section 8.8.3) of rows: the company's version at their last write. */

import type { FastifyReply } from 'fastify';
import { WayzoneError } from 'wayzone';
import type { AuthorisedRequest } from '../operation.js';

export function sendTag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/** Throws 412 where the request names tags and none is the row's; without `If-Match` every write is taken. */
export function checkTag(request: AuthorisedRequest, version: number): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // A proxy that compresses answers makes their tags weak (`W/`); the version is the same.
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${version}"`))
    throw new WayzoneError(
      'version-differs',
      'if-match',
      `expected "${version}", received ${wanted.slice(0, 60)}`,
      {
        status: 412,
        wireCode: 412,
      },
    );
}
