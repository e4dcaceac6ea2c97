/** Errors of engines. They name the engine, its own code and, if known, the point or the leg. */

import { describe, WayzoneError } from '../core/errors.js';

/** HTTP status that a backend answers with, by error code. */
const STATUS = {
  'no-route': 422,
  'no-segment': 422,
  'engine-limit': 422,
  'engine-query': 422,
  'engine-busy': 503,
  'engine-timeout': 504,
  'engine-unreachable': 502,
  'engine-response': 502,
} as const;

export type EngineErrorCode = keyof typeof STATUS;

/** `own` is the engine's code (`NoRoute`, `442`, `HTTP 503`). */
export function engineError(
  code: EngineErrorCode,
  engine: string,
  own: string,
  message: string,
  field: string = 'points',
  cause?: unknown,
): WayzoneError {
  return new WayzoneError(code, field, `${engine}: ${own}: ${message}`, {
    status: STATUS[code],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error of an answer with a wrong or missing part; `where` is the path in the answer. */
export function badAnswer(engine: string, where: string, what: string, received: unknown): WayzoneError {
  return engineError('engine-response', engine, where, `expected ${what}, received ${describe(received)}`);
}
