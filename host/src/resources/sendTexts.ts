/** Answers as texts of JSON, and their entity tags. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { WayzoneError } from 'wayzone';
import type { AuthorisedRequest } from '../operation.js';
import { canonical } from '../storage/changeHistory.js';

/** Sends JSON that is written already. */
export function sendJson(reply: FastifyReply, json: string | Buffer | Readable): FastifyReply {
  return reply.type('application/json').send(json);
}

/** Sends `head`, the pages joined with commas, and `tail` as JSON: a single page with its length, several pages as a stream. */
export async function sendTexts(
  reply: FastifyReply,
  head: string,
  pages: AsyncGenerator<string>,
  tail: string,
): Promise<FastifyReply> {
  const first = await pages.next();
  const second = first.done === true ? first : await pages.next();
  if (second.done === true) return sendJson(reply, `${head}${first.done === true ? '' : first.value}${tail}`);
  const texts = joined(head, [String(first.value), second.value], pages, tail);
  return sendJson(reply, Readable.from(texts, { objectMode: false }));
}

async function* joined(
  head: string,
  [first, second]: readonly [string, string],
  pages: AsyncGenerator<string>,
  tail: string,
): AsyncGenerator<string> {
  yield `${head}${first},${second}`;
  for await (const page of pages) yield `,${page}`;
  yield tail;
}

/** The headers of a write of a row. */
export const IF_MATCH = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      description:
        'The `ETag` of the row that the write is based on; another, or a weak one (`W/"…"`), is 412',
    },
  },
} as const;

/** Version of a row at its last write: the company's version, or `versionOf` its content. */
type Version = number | string;

export function sendTag(reply: FastifyReply, version: Version): void {
  reply.header('etag', `"${version}"`);
}

/** The version of content without a version number: a digest that does not depend on the order of its fields. */
export function versionOf(content: unknown): string {
  return createHash('sha256')
    .update(canonical(content) ?? '')
    .digest('hex')
    .slice(0, 24);
}

/** Throws 412 if the request has `If-Match` without the row's tag. Accepts every write without `If-Match`. */
export function checkTag(request: Pick<AuthorisedRequest, 'headers'>, version: Version): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  // The strong comparison of RFC 9110 section 13.1.1: a weak tag (`W/"…"`) never matches.
  const versions = wanted.split(',').map((tag) => /^"([0-9a-f]+)(?:-[\w-]{16})?"$/.exec(tag.trim())?.[1]);
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
