/** Opens something for each of several databases. A database that is away at the start, or cannot be used, does not delay the others. */

import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { NamedDatabase } from '../namedDatabase.js';
import { isUnavailable } from '../storage/storage.js';
import { failureOf } from '../stream/failure.js';

export interface Opened<T> {
  readonly name: string;
  /** null while the database has not answered. */
  value: T | null;
  /** The error code for which there is no value; null: there is one. */
  failure: string | null;
}

/** Databases that do not answer within this time are left for later. */
const START_MS = 10_000;
const RETRY_MS = 5000;

/**
 * Fills `opened` by `open`, again while the database is away, and resolves when all have a value, or after 10 s. Rejects if one fails in this time for
 * another reason; later its code stays in `failure`. `close` gets a value that comes after `signal` was aborted.
 */
export async function openEach<T>(
  databases: readonly NamedDatabase[],
  opened: readonly Opened<T>[],
  open: (database: NamedDatabase) => Promise<T>,
  close: (value: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
  const fill = async (place: Opened<T>, database: NamedDatabase): Promise<void> => {
    while (!signal.aborted)
      try {
        const value = await open(database);
        if (signal.aborted) return await close(value);
        Object.assign(place, { value, failure: null });
        return;
      } catch (error) {
        const { code, message } = failureOf(error);
        place.failure = code;
        process.stderr.write(`Not started: database ${place.name}: ${code}: ${message}\n`);
        if (!isUnavailable(error)) throw error;
        await pause(RETRY_MS);
      }
  };
  const all = Promise.all(opened.map((place, i) => fill(place, databases[i]!)));
  // After the start one that fails leaves the others alone.
  all.catch(() => {});
  await Promise.race([all, pause(START_MS)]);
}

export async function joinedMetrics(
  process: Registry,
  databases: readonly Registry[],
): Promise<{ readonly type: string; readonly body: string }> {
  const all = await Promise.all(databases.map((one) => one.getMetricsAsJSON()));
  const texts = await Promise.all([process.metrics(), AggregatorRegistry.aggregate(all).metrics()]);
  return { type: process.contentType, body: `${texts.join('\n').trim()}\n` };
}
