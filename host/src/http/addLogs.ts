/** One log line for each request. Lines name the operation, never its address or headers, which may contain tickets, tokens and keys. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { destination, type Logger, pino } from 'pino';
import { storedId } from '../storage/storedId.js';

const UUIDS = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/gi;
/** Names of fields with ids: `id`, `user_id`, `unitId`, `ids`. Other texts stay as they are, even if they look like ids. */
const NAMES = /^ids?$|_ids?$|[a-z]Ids?$/;
/** Fields with ids that are named otherwise: lists of ids or of objects with one. */
const LISTS: ReadonlySet<string> = new Set(['geozones', 'geozones_groups', 'companies', 'units', 'sinks']);
/** Lists of numbers, which may be long. */
const NUMBERS: ReadonlySet<string> = new Set(['geometry', 'polygon_geometry', 'coordinates', 'parts']);

/** A logger that writes JSON lines to standard error. */
export function hostLogger(level: string): Logger {
  // No host name and process id: the system's collector adds them.
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
}

export function requestId(): string {
  return randomUUID();
}

export function addLogs(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    const length = Number(reply.getHeader('content-length'));
    const line = {
      operation: `${request.method} ${request.routeOptions.url ?? 'unknown'}`,
      company: request.access?.companyId ?? null,
      user: request.access?.userId ?? null,
      status,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      // null for a stream.
      bytes: Number.isFinite(length) ? length : null,
    };
    if (status >= 500) request.log.warn(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}

/** Reads the ids of addresses, queries and JSON bodies. */
export function addIds(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _, done) => {
    for (const texts of [request.params, request.query] as Record<string, unknown>[])
      for (const [name, text] of Object.entries(texts ?? {}))
        if (typeof text === 'string' && text.length >= 36)
          texts[name] = text.replace(UUIDS, (id) => id.toLowerCase());
    lowerIds(request.body);
    done();
  });
}

function lowerIds(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const own = value as Record<string, unknown>;
  // The value of a condition of a list: `{field: 'unit.id', value}`.
  const { field } = own;
  const isCondition = typeof field === 'string' && /(?:^|[._])id$|^companies$/.test(field);
  for (const [name, item] of Object.entries(own)) {
    if (NUMBERS.has(name)) continue;
    const isId = NAMES.test(name) || (isCondition && name === 'value');
    if (typeof item === 'string') {
      if (isId) own[name] = storedId(item);
      else if (LISTS.has(name)) own[name] = item.replace(UUIDS, (id) => id.toLowerCase());
    } else if (Array.isArray(item) && (isId || LISTS.has(name))) {
      own[name] = item.map((one: unknown) => (typeof one === 'string' ? storedId(one) : one));
      lowerIds(own[name]);
    } else lowerIds(item);
  }
}
