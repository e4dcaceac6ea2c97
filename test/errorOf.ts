import { WayzoneError } from '../src/core/errors.js';

/** The coded error that `run` throws; any other outcome fails the test. */
export function errorOf(run: () => unknown): WayzoneError {
  try {
    run();
  } catch (error) {
    if (error instanceof WayzoneError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
