/** Waits for a server that is unavailable when a process starts, and reports it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { WayzoneError } from 'wayzone';
import { isUnavailable } from './storage/storage.js';
import { failureOf } from './stream/failure.js';

export type Server = 'PostgreSQL' | 'NATS' | 'MQTT' | 'Kafka';

/** Names of errors that the NATS client throws while no broker answers. */
const NO_BROKER: ReadonlySet<unknown> = new Set(['ConnectionError', 'TimeoutError', 'ClosedConnectionError']);

export interface AwaitOptions {
  /** Milliseconds before the second attempt. Doubled after each attempt. Default 200. */
  readonly firstMs?: number;
  /** Longest wait between two attempts, milliseconds. Default 10,000. */
  readonly mostMs?: number;
  /** Called with an error `server-away` after each failed attempt. Default: writes it to standard error. */
  readonly onAway?: (error: WayzoneError) => void;
}

/**
 * Returns the result of `open`. Repeats the call while it fails because the server is unavailable. Rejects with every other error, such
 * as a wrong password.
 */
export async function awaitServer<T>(
  server: Server,
  open: () => Promise<T>,
  { firstMs = 200, mostMs = 10_000, onAway = reportAway }: AwaitOptions = {},
): Promise<T> {
  for (let wait = firstMs; ; wait = Math.min(2 * wait, mostMs)) {
    try {
      return await open();
    } catch (error) {
      if (!isUnavailable(error) && !(server === 'NATS' && NO_BROKER.has((error as Error).name))) throw error;
      onAway(
        new WayzoneError(
          'server-away',
          server,
          `expected an answer from ${server}, received ${reasonOf(error)}; the next attempt follows in ${wait / 1000} s`,
        ),
      );
      await sleep(wait);
    }
  }
}

/** An `AggregateError` of several addresses has no message. */
function reasonOf(error: unknown): string {
  const { code, message } = failureOf(error);
  return message === '' ? code : message;
}

function reportAway({ code, message }: WayzoneError): void {
  process.stderr.write(`Waiting: ${code}: ${message}\n`);
}
