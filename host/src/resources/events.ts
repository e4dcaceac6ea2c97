/** `GET /events`: a company's events as server-sent events (WHATWG HTML section 9.2), and the tickets that open streams. */

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { issueTicket } from '../auth/tickets.js';
import type { Context } from '../context.js';
import { streamEnd } from '../live/streamSignal.js';
import { type AuthorisedRequest, declare } from '../operation.js';

const TICKETS_PER_MINUTE = 600;
/** Events that are read at a time. */
const PAGE = 500;
/** Milliseconds after which a client comes again. */
const RETRY_MS = 2000;

export function eventsResource(app: FastifyInstance, context: Context): void {
  const { storage, changes, metrics, now } = context;

  declare(app, {
    method: 'POST',
    url: '/tickets',
    summary: 'A ticket that opens one stream within 30 s, for clients that can send no header',
    tags: ['events'],
    minRole: 'VIEWER',
    perMinute: TICKETS_PER_MINUTE,
    answer: {
      type: 'object',
      required: ['ticket', 'expires'],
      properties: { ticket: { type: 'string' }, expires: { type: 'integer' } },
    },
    handler: ({ access }) => issueTicket(storage, access, now()),
  });

  declare(app, {
    method: 'GET',
    url: '/events',
    summary:
      'The company’s visit events as they are stored; `cursor` or `Last-Event-ID` resumes after that one',
    tags: ['events'],
    minRole: 'VIEWER',
    takesTicket: true,
    querystring: { type: 'object', properties: { cursor: { type: 'string' } } },
    answer: { type: 'string' },
    produces: ['text/event-stream'],
    async handler(request, reply) {
      const { access, raw } = request;
      const from = cursorOf(request) ?? (await lastEvent(context, access.companyId));
      const end = streamEnd(now(), access.expiresAt);
      raw.once('close', () => end.end());
      metrics.streams.inc({ kind: 'events' });
      const lines = Readable.from(linesFrom(context, access.companyId, from, end.signal), {
        objectMode: false,
        highWaterMark: 1 << 16,
      });
      lines.once('close', () => {
        end.end();
        metrics.streams.dec({ kind: 'events' });
      });
      // A proxy that gathers the answer would hold the events back.
      reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      return reply.type('text/event-stream').send(lines);
    },
  });

  /** The rows are read when the client has taken those before: a slow one costs no memory. */
  async function* linesFrom(
    { storage: { db } }: Context,
    companyId: string,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    let cursor = from;
    yield `retry: ${RETRY_MS}\nid: ${cursor}\n\n`;
    for await (const turn of changes.of(companyId, signal)) {
      if (turn === 'idle') yield ': idle\n\n';
      for (let isFull = true; isFull && !signal.aborted; ) {
        const rows = await db
          .selectFrom('events')
          .select(['number', 'event'])
          .where('company_id', '=', companyId)
          .where('number', '>', String(cursor))
          .orderBy('number')
          .limit(PAGE)
          .execute();
        isFull = rows.length === PAGE;
        cursor = Number(rows.at(-1)?.number ?? cursor);
        if (rows.length > 0) yield rows.map(({ number, event }) => lineOf(number, event)).join('');
      }
    }
  }
}

function lineOf(number: string, event: Readonly<Record<string, unknown>>): string {
  return `id: ${number}\nevent: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}

function cursorOf({ query, headers }: AuthorisedRequest): number | null {
  const given = headers['last-event-id'] ?? query['cursor'];
  if (given === undefined) return null;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  throw new WayzoneError(
    'option-value',
    'cursor',
    `expected the number of an event, received ${String(given).slice(0, 60)}`,
  );
}

async function lastEvent({ storage: { db } }: Context, companyId: string): Promise<number> {
  const found = await db
    .selectFrom('company_streams')
    .select('last_event')
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return Number(found?.last_event ?? 0);
}
