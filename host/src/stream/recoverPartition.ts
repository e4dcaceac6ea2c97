/**
 * Continues a partition whose log has lost messages. Units whose states need lost messages are computed again from their stored fixes. Messages that
 * no checkpoint holds are published again.
 */

import { WayzoneError } from 'wayzone';
import type { Log } from './log.js';
import { partitionRun } from './partitionRun.js';
import type { StreamStore, TakenOver } from './streamStore.js';
import type { Sources } from './watchSources.js';

export interface RecoverOptions extends Sources {
  /** Who recovers. */
  readonly id: string;
  readonly store: StreamStore;
  readonly log: Log;
  readonly latenessSeconds: number;
}

export interface Recovered {
  /** Number of units that were computed again. */
  readonly units: number;
  /** Number of `revised` events, which correct events that were emitted before. */
  readonly revised: number;
}

/** The alarm stays until all is done. `now`: epoch milliseconds. Throws `partition-taken` if another owner takes the partition meanwhile. */
export async function recoverPartition(
  partition: number,
  alarm: string,
  options: RecoverOptions,
  now: number = Date.now(),
): Promise<Recovered> {
  const { id, store, log } = options;
  const taken = await store.takeOver(partition, id);
  await store.alarm(partition, taken.epoch, alarm);
  const done =
    taken.replayFrom > taken.position
      ? { units: 0, revised: 0, position: taken.position }
      : await recompute(partition, taken, options, Math.max(now, taken.clock));
  const found = (await log.state(partition)) ?? (await log.create(partition));
  const first = firstToRead(taken, log, found);
  await store.received.publish(log, partition);
  const shift = done.position + 1 - first;
  if (!(await store.restart(partition, taken.epoch, { created: found.created, shift })))
    throw partitionTaken(partition);
  return { units: done.units, revised: done.revised };
}

/** The first sequence of the log that is read: it gets the number after the last checkpoint's. */
function firstToRead(
  { streamCreated, position, shift }: TakenOver,
  log: Log,
  found: NonNullable<Awaited<ReturnType<Log['state']>>>,
): number {
  // Whatever a broker has was accepted before, and what no checkpoint holds follows.
  if (log.kind === 'nats') return found.last + 1;
  // The same log is read from the last checkpoint on; one that was restored to an older state, from its beginning: fixes that arrive twice change nothing.
  const isSame = found.created === streamCreated && found.last + shift >= position;
  return isSame ? Math.max(found.first, position + 1 - shift) : found.first;
}

/** Computes the units again whose states need lost messages, and commits all states. */
async function recompute(
  partition: number,
  taken: TakenOver,
  options: RecoverOptions,
  now: number,
): Promise<Recovered & { readonly position: number }> {
  const { store, latenessSeconds } = options;
  const from = { ...taken, replayFrom: taken.position + 1, replayClock: taken.clock };
  const run = partitionRun({ ...options, partition, from, settled: async () => {} });
  const since = Number.isFinite(taken.replayClock) ? taken.replayClock - latenessSeconds * 1000 : 0;
  const states = new Set(taken.states.map(({ unitId }) => unitId));
  const others = (await store.unitsSince(partition, since)).filter(
    ({ unitId }) => !states.has(unitId) && !taken.asideUnits.has(unitId),
  );
  const units = [...taken.states.map(({ unitId, companyId }) => ({ unitId, companyId })), ...others];
  const revised = await run.recompute(units, since, now);
  if ((await store.commit([run.seal('all')])).length > 0) throw partitionTaken(partition);
  return { units: units.length, revised, position: run.position };
}

function partitionTaken(partition: number): WayzoneError {
  return new WayzoneError(
    'partition-taken',
    `partition ${partition}`,
    'expected no other owner of the partition, received one: run go-on again',
  );
}
