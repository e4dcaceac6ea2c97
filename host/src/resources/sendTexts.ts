/** Sends long lists page by page, so that no list is in memory as a whole. */

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

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
