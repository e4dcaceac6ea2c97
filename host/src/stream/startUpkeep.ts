/** Periodic tasks of a worker: follows zones, checks its streams, trims the log and the zones of earlier versions, publishes ticks. */

import { every } from '../every.js';
import { alarmOf } from './acquirePartition.js';
import { type HeldPartitions, LOOK_MS } from './heldPartitions.js';
import type { Log } from './log.js';
import { lostMessages } from './lostMessages.js';
import { TICK } from './message.js';
import type { Held } from './partitionReader.js';
import type { StreamStore } from './streamStore.js';
import type { ZoneSource } from './zoneSource.js';

const ZONES_MS = 500;
/** Interval of the looks for messages that the log has lost. */
const LOST_MS = 1000;
/** How long zones of earlier versions stay at least after nothing records them. */
const PRUNE_MS = 30_000;
/** The ticks of an interval are published in so many portions: the outputs that they release then do not all wait for one checkpoint. */
const TICK_PORTIONS = 20;

export interface UpkeepOptions {
  readonly partitions: HeldPartitions;
  readonly log: Log;
  readonly store: Pick<StreamStore, 'forgetRecords' | 'prunableZones' | 'pruneZones' | 'received'>;
  readonly zones: ZoneSource;
  /** Milliseconds between the ticks of a partition's clock; 0: no ticks. */
  readonly tickMs: number;
  /** How long messages stay in the log after no restart needs them, milliseconds. */
  readonly keepMs: number;
  /** Runs a task while no message is handled. */
  readonly exclusive: (task: () => Promise<void>) => Promise<void>;
  readonly syncZones: (companyId: string) => Promise<void>;
  /** See `ReconcileOptions`. */
  readonly leaveRewound: (one: Held) => Promise<void>;
}

export function startUpkeep(options: UpkeepOptions): { stop(): void } {
  const { log, store, zones, tickMs, keepMs, exclusive, syncZones, leaveRewound } = options;
  const { held, drop } = options.partitions;

  const trim = async (): Promise<void> => {
    const now = Date.now();
    for (const one of held.values()) {
      one.samples.push([now, one.run.replayFrom]);
      while (one.samples.length > 1 && one.samples[1]![0] <= now - keepMs) one.samples.shift();
      const at = one.samples[0]![0];
      // The last committed message stays: it shows whether the stream has lost it.
      const before = Math.min(one.samples[0]![1], one.run.committed);
      if (at > now - keepMs || before <= one.trimmed) continue;
      // Set first, because a checkpoint during the trim can set it to 0.
      one.trimmed = before;
      try {
        await one.log.trim(one.run.partition, before);
        // Keeps zones of earlier versions as long as the messages that were evaluated with them.
        await store.forgetRecords(one.run.partition, before);
      } catch (error) {
        one.trimmed = 0;
        throw error;
      }
    }
  };
  /** Checks the streams: readers do not notice when their stream is deleted or recreated. */
  const inspect = async (): Promise<void> => {
    for (const one of held.values()) {
      const { partition, committed: position, replayFrom } = one.run;
      const { streamCreated } = one.from;
      const alarm = alarmOf({ streamCreated, position, replayFrom }, await one.log.state(partition));
      if (alarm === null) continue;
      if (alarm === 'stream-behind') {
        await leaveRewound(one);
        continue;
      }
      await exclusive(async () => {
        if (held.get(partition) === one) drop(partition);
      });
    }
  };
  let prunable: ReadonlyMap<string, number> = new Map();
  const prune = async (): Promise<void> => {
    await store.pruneZones(prunable);
    prunable = await store.prunableZones();
  };
  const timers = [
    every(ZONES_MS, async () => {
      for (const companyId of await zones.outdated()) await syncZones(companyId);
    }),
    every(LOOK_MS, inspect),
    every(PRUNE_MS, prune),
    ...(log.kind === 'nats' ? [every(LOST_MS, lostMessages({ ...options, received: store.received }))] : []),
    every(Math.min(LOOK_MS, Math.max(keepMs, 500)), trim),
  ];
  /** Ticks of the partitions of a portion. One by one: a partition without room must not stop the clocks of the others. */
  const tick = (portion: number): Promise<unknown> =>
    Promise.allSettled(
      [...held.keys()]
        .filter((partition) => partition % TICK_PORTIONS === portion)
        .map((partition) => log.publish([{ partition, payload: TICK, isTick: true }])),
    );
  if (tickMs > 0)
    for (let portion = 0; portion < TICK_PORTIONS; portion++) {
      const begin = (): number => timers.push(every(tickMs, () => tick(portion)));
      timers.push(setTimeout(begin, (tickMs * portion) / TICK_PORTIONS));
    }
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
