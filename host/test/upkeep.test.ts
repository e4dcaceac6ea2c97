import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import type { Log, Outgoing } from '../src/stream/log.js';
import type { Held } from '../src/stream/partitionReader.js';
import { startUpkeep } from '../src/stream/startUpkeep.js';
import type { ZoneSource } from '../src/stream/zoneSource.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The partitions whose ticks were published, by milliseconds since the start. */
function ticking(partitions: number, publish: (partition: number) => Promise<number[]>) {
  const held = heldPartitions();
  for (let i = 0; i < partitions; i++) held.held.set(i, {} as Held);
  const ticks = new Map<number, number[]>();
  const from = Date.now();
  const log = {
    publish([message]: readonly Outgoing[]) {
      const { partition, isTick } = message!;
      expect(isTick).toBe(true);
      const at = Date.now() - from;
      ticks.set(at, [...(ticks.get(at) ?? []), partition]);
      return publish(partition);
    },
  } as Pick<Log, 'publish'> as Log;
  const upkeep = startUpkeep({
    partitions: held,
    log,
    store: {
      forgetRecords: async () => {},
      prunableZones: async () => new Map(),
      pruneZones: async () => {},
      received: null!,
    },
    zones: { outdated: async () => [] } as Pick<ZoneSource, 'outdated'> as ZoneSource,
    tickMs: 1000,
    keepMs: 60_000,
    exclusive: async () => {},
    syncZones: async () => {},
    leaveRewound: async () => {},
  });
  return { ticks, upkeep };
}

test('each partition has one tick in each interval, and few partitions tick at once', async () => {
  const { ticks, upkeep } = ticking(64, async () => [1]);
  await vi.advanceTimersByTimeAsync(2999);
  upkeep.stop();
  await vi.advanceTimersByTimeAsync(3000);
  const times = Array.from({ length: 64 }, (_, i) =>
    [...ticks].filter(([, own]) => own.includes(i)).map(([at]) => at),
  );
  for (const own of times) {
    expect(own.length).toBe(2);
    expect(own[1]! - own[0]!).toBe(1000);
  }
  expect(Math.max(...[...ticks.values()].map((own) => own.length))).toBe(4);
});

test('a partition that takes no tick does not stop the clocks of others', async () => {
  const { ticks, upkeep } = ticking(20, (partition) =>
    partition === 3 ? new Promise<number[]>(() => {}) : Promise.reject(new Error('full')),
  );
  await vi.advanceTimersByTimeAsync(3999);
  upkeep.stop();
  const counts = new Map<number, number>();
  for (const own of ticks.values())
    for (const partition of own) counts.set(partition, (counts.get(partition) ?? 0) + 1);
  for (let i = 0; i < 20; i++) expect(counts.get(i)).toBe(i === 3 ? 1 : 3);
});
