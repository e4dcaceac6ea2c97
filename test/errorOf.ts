import { WayzoneError } from '../src/core/errors.js';

/** The coded error that `run` throws. Any other result fails the test. */
export function errorOf(run: () => unknown): WayzoneError {
  try {
    run();
  } catch (error) {
    if (error instanceof WayzoneError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `code field: message` of the error. */
export function errorText(run: () => unknown): string {
  const { code, field, message } = errorOf(run);
  return `${code} ${field}: ${message}`;
}

/** An object with fields of these names that throw when they are read. */
export function trap(...names: string[]): object {
  const field = {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  };
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, field])));
}

/** The message of the error about such a field. */
export const UNREADABLE = 'expected a readable value, received one that throws when read';
