/** What an error means to a worker. */

import { WayzoneError } from 'wayzone';

export interface Failure {
  /** `unavailable`: it passes. `refused`: PostgreSQL takes no such row. `alarm`: the partition must stand still. */
  readonly kind: 'unavailable' | 'refused' | 'alarm';
  /** An error code of wayzone, or an SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** The partition begins again from what is stored: a gap shows in the stream's state, a thread that died is started anew, newer zones are read. */
const PASSING: ReadonlySet<string> = new Set(['log-gap', 'worker-failed', 'zones-pruned']);
/** Data exceptions and violated constraints. */
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
