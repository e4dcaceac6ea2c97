/** Classifies an error by how a worker must react to it. */

import { WayzoneError } from 'wayzone';

export interface Failure {
  /** `unavailable`: temporary, retry. `refused`: PostgreSQL rejects a row. `alarm`: the cell must be halted. */
  readonly kind: 'unavailable' | 'refused' | 'alarm';
  /** An error code of wayzone, or an SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** Codes after which the cell restarts from its stored state: it starts a new thread, or reads newer zones. */
const PASSING: ReadonlySet<string> = new Set(['worker-failed', 'zones-pruned']);
/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const REFUSED = /^2[23]/;

export function failureOf(error: unknown): Failure {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  const text = String(message ?? error);
  if (error instanceof WayzoneError) {
    return { kind: PASSING.has(error.code) ? 'unavailable' : 'alarm', code: error.code, message: text };
  }
  const own = typeof code === 'string' ? code : 'unknown';
  if (REFUSED.test(own)) return { kind: 'refused', code: own, message: text };
  return { kind: 'unavailable', code: own, message: text };
}
