/**
 * Requests of one company wait for each other, so that no company takes the event loop, the processes and the database connections from
 * the others. Long requests, those with a large body or with all rows of the company as answer, run one at a time, and so do map tiles. While
 * other companies are active, the next long one begins after a rest. A client with a slow connection does not hold up its own company.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';

/** Bodies up to this size are short, bytes; parsing one takes about 1 ms. */
const SMALL_BYTES = 100_000;
/** A compressed body may be many times as large. */
const SMALL_COMPRESSED_BYTES = 10_000;
/** Requests of one company that are read and answered at the same time, and that wait for that. */
const LANES = {
  short: { open: 16, waiting: 1000 },
  long: { open: 1, waiting: 50 },
  /** A page asks for all tiles of its map at once. They need no rest: processes draw them. */
  tile: { open: 1, waiting: 1000 },
} as const;
/**
 * A long request is followed by a rest while others are active: this many times its own duration, and once more for each `BUDGET_MS` that
 * the company has spent on long requests lately, at most `MOST_REST` times and `MOST_REST_MS`.
 */
const REST = 3;
const BUDGET_MS = 500;
const MOST_REST = 20;
const MOST_REST_MS = 10_000;
/** A long request of less than this needs no rest, milliseconds: most lists are short. */
const NO_REST_MS = 50;
/** After this a request leaves its place to the next one of its company: it waits for its client's connection, or for a process. */
const MOST_HELD_MS = 5000;
/** Half-life of the time that a company has used, milliseconds. */
const HALVED_MS = 30_000;
/** A company counts as active for this long after a request. */
const ACTIVE_MS = 1000;

/** In which line requests wait. */
export type Lane = keyof typeof LANES;

declare module 'fastify' {
  interface FastifyRequest {
    /** Called when the answer of a request that took a turn begins. */
    endWork: (() => void) | null;
  }
  interface FastifyContextConfig {
    turn?: Lane | 'none';
  }
}

interface Turns {
  open: number;
  /** Milliseconds of the clock before which no request begins. */
  restUntil: number;
  /** Milliseconds of long requests, halved every `HALVED_MS`, as of `spentAt`. */
  spent: number;
  spentAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly waiting: Set<() => void>;
}

/** Call it before `addBodies`: a body that waits is neither read nor decompressed. */
export function addTurns(app: FastifyInstance): void {
  const lanes = {
    short: new Map<string, Turns>(),
    long: new Map<string, Turns>(),
    tile: new Map<string, Turns>(),
  };
  const others = activity();

  /** Begins waiting requests of a company while it has room. */
  const next = (lane: Lane, companyId: string, turns: Turns): void => {
    const left = others.areActive(companyId) ? turns.restUntil - performance.now() : 0;
    if (turns.waiting.size === 0) return;
    if (left > 0) {
      // Others may fall silent before the rest is over.
      const soon = Math.min(left, ACTIVE_MS);
      turns.timer ??= setTimeout(() => {
        turns.timer = undefined;
        next(lane, companyId, turns);
      }, soon).unref();
    } else if (turns.open < LANES[lane].open) {
      const [begin] = turns.waiting;
      begin!();
      next(lane, companyId, turns);
    }
  };

  app.decorateRequest('endWork', null);
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.endWork?.();
    done();
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    const companyId = request.access?.companyId;
    const lane = laneOf(request);
    if (companyId === undefined || lane === 'none') return done(null, payload);
    others.add(companyId);
    const turns = lanes[lane].get(companyId) ?? noTurns();
    lanes[lane].set(companyId, turns);
    const begin = (): void => {
      turns.waiting.delete(begin);
      turns.open++;
      reply.raw.off('close', leave);
      let [isHeld, isClosed, isWorking] = [true, false, true];
      const end = (): void => {
        if (!isHeld) return;
        isHeld = false;
        clearTimeout(timer);
        turns.open--;
        next(lane, companyId, turns);
      };
      const timer = setTimeout(end, MOST_HELD_MS).unref();
      // The work goes on after a client has gone away.
      reply.raw.once('close', () => {
        isClosed = true;
        if (!isWorking) end();
      });
      // Neither the time of the upload nor that of the download counts.
      let begun = performance.now();
      payload.once('end', () => {
        begun = performance.now();
      });
      request.endWork = () => {
        isWorking = false;
        if (lane === 'long') rest(turns, begun, performance.now());
        if (isClosed) end();
      };
      // Requests of others that have arrived meanwhile come before a long one.
      if (lane !== 'short') setImmediate(() => done(null, payload));
      else done(null, payload);
    };
    const leave = (): void => void turns.waiting.delete(begin);
    const { waiting: most } = LANES[lane];
    if (turns.waiting.size >= most) return done(queueFull(lane, most));
    turns.waiting.add(begin);
    reply.raw.once('close', leave);
    next(lane, companyId, turns);
  });
}

/** Few bytes, kept for every company that has sent a request. */
function noTurns(): Turns {
  return { open: 0, restUntil: 0, spent: 0, spentAt: 0, timer: undefined, waiting: new Set() };
}

/** Begins the rest after the work of a long request. */
function rest(turns: Turns, begun: number, ended: number): void {
  if (ended - begun < NO_REST_MS) return;
  turns.spent = turns.spent * 0.5 ** ((ended - turns.spentAt) / HALVED_MS) + (ended - begun);
  turns.spentAt = ended;
  const times = Math.min(MOST_REST, REST + turns.spent / BUDGET_MS);
  turns.restUntil = ended + Math.min(MOST_REST_MS, times * (ended - begun));
}

/** Counts the companies with recent requests. */
function activity(): { add(companyId: string): void; areActive(but: string): boolean } {
  /** The last two companies and the times of their last requests: one of them is another company than the one asked for. */
  let last = { companyId: '', at: Number.NEGATIVE_INFINITY };
  let before = last;
  return {
    add(companyId) {
      if (last.companyId !== companyId) before = last;
      last = { companyId, at: performance.now() };
    },
    areActive(but) {
      const other = last.companyId === but ? before : last;
      return performance.now() - other.at < ACTIVE_MS;
    },
  };
}

function laneOf(request: FastifyRequest): Lane | 'none' {
  const { turn } = request.routeOptions.config;
  // With ids, a list has only those rows.
  const isNarrow = (request.query as { readonly ids?: string } | undefined)?.ids !== undefined;
  if ((turn === 'long' && !isNarrow) || isLarge(request)) return 'long';
  return turn === 'none' || turn === 'tile' ? turn : 'short';
}

/** Whether the body is large, or of unknown size. Files are read in parts by processes. */
function isLarge({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (type.startsWith('multipart/')) return false;
  if (length === undefined) return headers['transfer-encoding'] !== undefined;
  return Number(length) > (encoding === undefined ? SMALL_BYTES : SMALL_COMPRESSED_BYTES);
}

function queueFull(lane: Lane, most: number): WayzoneError {
  return new WayzoneError(
    'limit-queue',
    '',
    `expected at most ${most} waiting ${lane} requests of a company, received more`,
    { status: 429, wireCode: 429 },
  );
}
