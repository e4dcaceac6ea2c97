/** `GET /events`: a company's events as server-sent events (WHATWG HTML section 9.2), and the tickets that open streams. */

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { issueTicket } from '../auth/tickets.js';
import type { Context } from '../context.js';
import {
  type Cursor,
  cursorFrom,
  eventsAfter,
  lastCursor,
  readCursor,
  streamEnd,
  writeCursor,
} from '../live/cursor.js';
import { EVENT_SCHEMA } from '../live/eventSchema.js';
import { positionLines } from '../live/positionLines.js';
import { type AuthorisedRequest, declare } from '../operation.js';

const TICKETS_PER_MINUTE = 600;
/** Maximum number of events in one query. */
const PAGE = 500;
/** Maximum number of events before now with which a stream begins. */
const MOST_LAST = 500;
/** Milliseconds between two messages with positions. */
const PAUSE_MS = 1000;
/** Milliseconds after which a client reconnects. */
const RETRY_MS = 2000;

export function eventsResource(app: FastifyInstance, context: Context): void {
  const { storage, changes, metrics, now } = context;

  declare(app, {
    method: 'POST',
    url: '/tickets',
    summary: 'A ticket that opens one stream within 30 s, for clients that cannot send headers',
    tags: ['events'],
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
    turn: 'none',
    summary:
      'The company’s events of visits, movement and trips as they are stored; `cursor` or `Last-Event-ID` resumes after that event',
    tags: ['events'],
    takesTicket: true,
    querystring: {
      type: 'object',
      properties: {
        cursor: { type: 'string' },
        last: {
          type: 'integer',
          minimum: 0,
          maximum: MOST_LAST,
          default: 0,
          description: 'Without a cursor: so many of the latest events come first',
        },
        positions: { type: 'boolean', default: false },
      },
    },
    headers: {
      type: 'object',
      properties: { 'last-event-id': { type: 'string', description: 'Takes precedence over `cursor`' } },
    },
    answer: { type: 'string', contentMediaType: 'application/json', contentSchema: EVENT_SCHEMA },
    produces: ['text/event-stream'],
    async handler(request, reply) {
      const { access, raw } = request;
      const given = cursorOf(request);
      const from =
        given === null
          ? await lastCursor(storage, access.companyId, request.query.last)
          : await cursorFrom(storage, access.companyId, given);
      const end = streamEnd(now(), access.expiresAt);
      raw.once('close', () => end.end());
      metrics.streams.inc({ kind: 'events' });
      const lines = Readable.from(
        linesFrom(context, access.companyId, from, end.signal, request.query.positions === true),
        {
          objectMode: false,
          highWaterMark: 1 << 16,
        },
      );
      lines.once('close', () => {
        end.end();
        metrics.streams.dec({ kind: 'events' });
      });
      // Forbids proxies to buffer the answer, which would delay the events.
      reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      return reply.type('text/event-stream').send(lines);
    },
  });

  /** Reads rows only when the client has received the earlier ones, so that a slow client costs no memory. */
  async function* linesFrom(
    { storage: stored }: Context,
    companyId: string,
    from: Cursor,
    signal: AbortSignal,
    hasPositions: boolean,
  ): AsyncGenerator<string> {
    const positions = hasPositions ? positionLines(context, companyId) : null;
    let cursor = from;
    yield `retry: ${RETRY_MS}
id: ${writeCursor(cursor.number)}

`;
    for await (const turn of changes.of(companyId, signal)) {
      let hasWritten = false;
      while (!signal.aborted) {
        const { number } = cursor;
        const read = await eventsAfter(stored, companyId, cursor, PAGE);
        cursor = read.cursor;
        if (cursor.number === number) break;
        if (read.events.length === 0) continue;
        hasWritten = true;
        yield read.events.map((one) => lineOf(writeCursor(one.number), one.event)).join('');
      }
      // A heartbeat also if only others were woken.
      if (turn === 'idle' && !hasWritten) yield ': idle\n\n';
      if (positions === null || signal.aborted) continue;
      const lines = await positions();
      if (lines !== '') yield lines;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function lineOf(id: string, event: Readonly<Record<string, unknown>>): string {
  return `id: ${id}\nevent: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}

function cursorOf({
  query,
  headers,
}: AuthorisedRequest<unknown, { readonly cursor?: string }>): ReturnType<typeof readCursor> | null {
  const given = headers['last-event-id'] ?? query.cursor;
  return given === undefined ? null : readCursor(String(given));
}
