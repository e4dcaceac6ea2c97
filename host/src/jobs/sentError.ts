/** Passes errors between processes, because a structured clone loses the class and the fields of a `WayzoneError`. */

import { type FieldError, WayzoneError } from 'wayzone';

export interface SentError {
  readonly message: string;
  /** Fields of a `WayzoneError`; null for any other error. */
  readonly coded: {
    readonly code: WayzoneError['code'];
    readonly field: string;
    readonly errors: readonly FieldError[];
    readonly status: number;
    readonly wireCode: number | null;
  } | null;
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof WayzoneError))
    return { message: error instanceof Error ? error.message : String(error), coded: null };
  const { message, code, field, errors, status, wireCode } = error;
  return { message, coded: { code, field, errors, status, wireCode } };
}

export function receivedError({ message, coded }: SentError): Error {
  if (coded === null) return new Error(message);
  const { code, field, errors, status, wireCode } = coded;
  return new WayzoneError(code, field, message, {
    errors,
    status,
    ...(wireCode === null ? {} : { wireCode }),
  });
}

/** The error for a process that ended before its answer. Status 503, because the client may repeat the request. */
export function processEnded(reason: string): WayzoneError {
  return new WayzoneError('worker-failed', '', `expected an answer, received ${reason}`, {
    status: 503,
    wireCode: 503,
  });
}

/** The error for what still runs or waits when the host ends. */
export function hostEnds(): WayzoneError {
  return processEnded('the end of the host');
}
