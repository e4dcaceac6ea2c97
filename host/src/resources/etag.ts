/**
 * Entity tags (RFC 9110 section 8.8.3) of rows. A row's tag begins with the company's version at its last write; `http/addTags.ts` adds a
 * digest to those of reads.
 */

import type { FastifyReply } from 'fastify';
import { WayzoneError } from 'wayzone';
import type { AuthorisedRequest } from '../operation.js';

/** The headers of a write of a row. */
export const IF_MATCH = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      description: 'The `ETag` of the row that the write is based on; another is 412',
    },
  },
} as const;

export function sendTag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/** Throws 412 if the request has `If-Match` without the row's tag. Accepts every write without `If-Match`. */
export function checkTag(request: AuthorisedRequest, version: number): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // Ignores `W/`: a proxy that compresses answers makes their tags weak, but the version is the same.
  const versions = wanted.split(',').map((tag) => /^(?:W\/)?"(\d+)(?:-[\w-]+)?"$/.exec(tag.trim())?.[1]);
  if (!versions.includes(String(version)))
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
