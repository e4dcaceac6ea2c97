/** Finds the best order of points by the costs of an engine. */

import { inputError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readNumber } from '../core/input.js';
import { type OptionTable, OWN, readOption } from '../core/options.js';
import { MAX_POINTS, readMatrix } from './readMatrix.js';
import {
  checkRequest,
  REQUEST_OPTIONS,
  type RouteRequest,
  type RoutingEngine,
  readPoints,
  requestOf,
} from './routingEngine.js';
import {
  readSequenceOptions,
  SEQUENCE_OPTIONS,
  type Sequence,
  type SequenceOptions,
  sequenceRounds,
} from './sequencePoints.js';

export interface SequenceRouteOptions extends SequenceOptions, RouteRequest {
  /** Cost to minimise. Default `duration`, in seconds; `distance` is in metres. `windows` and `service` are in the same unit. */
  readonly by?: 'duration' | 'distance' | undefined;
  /** Seconds after the call at which the search ends with the best order so far. Needs `clock`. Default: none. */
  readonly timeLimitSeconds?: number | undefined;
  /** The clock of the time limit, milliseconds from any instant, such as `performance.now`. */
  readonly clock?: (() => number) | undefined;
}

export const SEQUENCE_ROUTE_OPTIONS: OptionTable<SequenceRouteOptions, 'start' | 'end' | 'timeLimitSeconds'> =
  {
    ...SEQUENCE_OPTIONS,
    ...REQUEST_OPTIONS,
    by: { words: ['duration', 'distance'] },
    timeLimitSeconds: OWN,
    clock: OWN,
  };

/** The best order of points, by the costs of an engine. */
export interface RouteSequence extends Sequence {
  /** `time-limit` if the time limit ended the search, else null. */
  readonly stopped: 'time-limit' | null;
}

/**
 * `sequencePoints` with an engine's matrix. The search runs in rounds of 500 moves, with other work of the event loop in between. After a round
 * `signal` ends the search with its reason, and `timeLimitSeconds` ends it with the best order so far. Up to 12 points the order is exact and
 * there are no rounds.
 *
 * Errors: as `sequencePoints`, and the errors of the engine; `option-value` for a time limit without a clock.
 *
 * @example
 * import { sequenceRoute, straightLineEngine } from 'wayzone/routing';
 * const sequence = await sequenceRoute([[0, 0], [2, 0], [1, 0]], straightLineEngine(), { start: 0 });
 * sequence.order; // [0, 2, 1]
 */
export async function sequenceRoute(
  points: readonly Position[],
  engine: RoutingEngine,
  options: SequenceRouteOptions = {},
): Promise<RouteSequence> {
  const places = readPoints(points, 0);
  const settings = readSequenceOptions(options, places.length, SEQUENCE_ROUTE_OPTIONS);
  const request = requestOf(options);
  checkRequest(request);
  if (places.length > MAX_POINTS) {
    // Checked before the request: the engine would compute millions of ways.
    throw inputError('limit-points', 'points', `at most ${MAX_POINTS} points`, places.length);
  }
  const { signal } = options;
  const by = readOption(SEQUENCE_ROUTE_OPTIONS.by, options.by, 'options.by');
  const deadline = readDeadline(options);
  signal?.throwIfAborted();
  const matrix =
    places.length < 2
      ? { distancesMeters: places.map(() => [0]), durationsSeconds: places.map(() => [0]) }
      : await engine.matrix(places, request);
  const square = readMatrix(by === 'duration' ? matrix.durationsSeconds : matrix.distancesMeters, MAX_POINTS);
  const rounds = sequenceRounds(square, settings);
  for (;;) {
    const { done, value } = rounds.next();
    if (done === true) return { ...value, stopped: null };
    if (deadline()) return { ...value(), stopped: 'time-limit' };
    await pause();
    signal?.throwIfAborted();
  }
}

/** Returns a function that tells whether the time limit has passed. */
function readDeadline({ timeLimitSeconds, clock }: SequenceRouteOptions): () => boolean {
  if (timeLimitSeconds === undefined) return () => false;
  const limit = readNumber(timeLimitSeconds, 'options.timeLimitSeconds', 'option-value', 0, 86_400);
  if (typeof clock !== 'function') {
    throw inputError('option-value', 'options.clock', 'a clock for the time limit', clock);
  }
  const end = clock() + limit * 1000;
  return () => clock() >= end;
}

/** Lets other work of the event loop (timers, sockets) run, by a message to itself: no timer, no clock. */
async function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    // `once` exists only on Node's ports; Node's types lack `onmessage`, which all ports have.
    (port1 as { onmessage?: () => void }).onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
