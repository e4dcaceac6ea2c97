/** Large bodies of one company wait for each other, so that their parsing on the event loop does not hold up other companies. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';

/** Bodies up to this size never wait, bytes; parsing one takes about 1 ms. */
const SMALL_BYTES = 100_000;
/** A compressed body may be many times as large. */
const SMALL_COMPRESSED_BYTES = 10_000;
/** Requests of one company with large bodies that are read and answered at the same time. */
const MOST_OPEN = 2;
const MOST_WAITING = 50;

interface Turns {
  open: number;
  readonly waiting: Set<() => void>;
}

/** Call it before `addBodies`: a body that waits is neither read nor decompressed. */
export function addTurns(app: FastifyInstance): void {
  const companies = new Map<string, Turns>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const companyId = request.access?.companyId;
    if (companyId === undefined || !isLarge(request)) return done(null, payload);
    const turns = companies.get(companyId) ?? { open: 0, waiting: new Set() };
    companies.set(companyId, turns);
    const begin = (): void => {
      turns.waiting.delete(begin);
      turns.open++;
      reply.raw.off('close', leave);
      reply.raw.once('close', end);
      // Requests of others that have arrived meanwhile come first.
      setImmediate(() => done(null, payload));
    };
    const leave = (): void => void turns.waiting.delete(begin);
    const end = (): void => {
      turns.open--;
      const [next] = turns.waiting;
      if (next !== undefined) next();
      else if (turns.open === 0) companies.delete(companyId);
    };
    if (turns.open < MOST_OPEN && turns.waiting.size === 0) return begin();
    if (turns.waiting.size >= MOST_WAITING)
      return done(
        new WayzoneError(
          'limit-queue',
          '',
          `expected at most ${MOST_WAITING} waiting requests of a company with large bodies, received more`,
          { status: 429, wireCode: 429 },
        ),
      );
    turns.waiting.add(begin);
    reply.raw.once('close', leave);
  });
}

/** Whether the body is large, or of unknown size. Files are read in parts by threads. */
function isLarge({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (type.startsWith('multipart/')) return false;
  if (length === undefined) return headers['transfer-encoding'] !== undefined;
  return Number(length) > (encoding === undefined ? SMALL_BYTES : SMALL_COMPRESSED_BYTES);
}
