/** Options that `locateParallel` and `replay` share. */

import { inputError, WayzoneError } from '../core/errors.js';

/** The highest number of threads allowed. */
export const MAX_WORKERS = 1024;

/** Reads a whole number. Error: `option-value`. */
export function readCount(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const wanted = `a whole number from ${min} to ${max}`;
  throw inputError('option-value', `options.${name}`, wanted, value);
}

/** The error of work stopped by its signal. */
export function aborted(signal: AbortSignal): WayzoneError {
  return new WayzoneError('aborted', 'options.signal', 'expected to finish, received the signal to stop', {
    cause: signal.reason,
  });
}
