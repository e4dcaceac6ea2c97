import { expect, test } from 'vitest';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import type { Log } from '../src/stream/log.js';
import type { Ownership } from '../src/stream/ownership.js';
import type { Held } from '../src/stream/partitionReader.js';
import type { PartitionRun } from '../src/stream/partitionRun.js';
import { reconcilePartitions } from '../src/stream/reconcilePartitions.js';
import type { StreamStore, TakenOver } from '../src/stream/streamStore.js';
import { newPartition } from './newPartition.js';

/** A worker that owns these partitions. A takeover lasts until `taken` is called. */
function reconciled(own: readonly number[]) {
  const partitions = heldPartitions();
  const owned = new Set(own);
  const at = { surplus: [] as number[], isLeaving: false };
  const released: number[] = [];
  const commits: { readonly partitions: number[]; readonly states: unknown }[] = [];
  const waiting = new Map<number, () => void>();
  const takenOver: number[] = [];
  let pended = 0;
  const state = { created: 'now', first: 1, last: 9 };
  const { reconcile, ended } = reconcilePartitions({
    id: 'w',
    partitions,
    ownership: {
      owned: () => owned,
      surplus: () => at.surplus,
      async release(given) {
        for (const one of given) {
          owned.delete(one);
          released.push(one);
        }
        at.surplus = at.surplus.filter((one) => !given.includes(one));
      },
    } as Pick<Ownership, 'owned' | 'surplus' | 'release'> as Ownership,
    store: {
      look: async () => ({ ...newPartition, streamCreated: 'now' }),
      takeOver: (partition) => {
        takenOver.push(partition);
        return new Promise<TakenOver>((resolve) => {
          waiting.set(partition, () => resolve({ ...newPartition, streamCreated: 'now' }));
        });
      },
    } as Pick<StreamStore, 'look' | 'takeOver'> as StreamStore,
    log: { state: async () => state, read: () => unread() } as Pick<Log, 'state' | 'read'> as Log,
    checkpoints: {
      settled: async () => {},
      pend: () => void pended++,
      commitNow: async (runs, states) =>
        void commits.push({ partitions: runs.map(({ partition }) => partition), states }),
    },
    turns: { isWorking: () => false, takeTriesBack: async () => {} },
    isLeaving: () => at.isLeaving,
    wake: () => {},
    pause: (error) => {
      throw error;
    },
    leaveRewound: async () => {},
    zones: null!,
    trips: null!,
    routes: null!,
    pairs: { of: async () => [], dateOf: async () => '' },
    latenessSeconds: 30,
  });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    at,
    partitions,
    owned,
    released,
    commits,
    takenOver,
    reconcile,
    ended,
    turn,
    get pended() {
      return pended;
    },
    async taken(...given: number[]) {
      for (const one of given) waiting.get(one)!();
      await turn();
    },
    /** A partition of which messages up to `position` are handled; those before `committed` were committed by its former owner. */
    hold(partition: number, run: { position: number; replayFrom: number; committed?: number }): void {
      const { committed = 0, ...rest } = run;
      partitions.held.set(partition, {
        run: { partition, ...rest } as Partial<PartitionRun> as PartitionRun,
        from: { ...newPartition, position: committed },
        leavesFrom: null,
        stop() {},
      } as Partial<Held> as Held);
    },
  };
}

/** Messages that never come. */
function unread(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
}

test('partitions are taken over while others are handled, some at a time and each once', async () => {
  const worker = reconciled(Array.from({ length: 20 }, (_, i) => i));
  await worker.reconcile();
  await worker.turn();
  expect(worker.takenOver).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(worker.partitions.held.size).toBe(0);
  await worker.taken(2, 5);
  // Held only when the worker reconciles: a task in between meets no new partition.
  expect(worker.partitions.held.size).toBe(0);
  await worker.reconcile();
  await worker.turn();
  expect([...worker.partitions.held.keys()]).toEqual([2, 5]);
  expect(worker.takenOver).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await worker.reconcile();
  expect(worker.takenOver.length).toBe(10);
});

test('a partition that was lost, or of a worker that leaves, is not held when its takeover ends', async () => {
  const lost = reconciled([0, 1]);
  await lost.reconcile();
  await lost.turn();
  lost.owned.delete(0);
  await lost.taken(0, 1);
  await lost.reconcile();
  expect([...lost.partitions.held.keys()]).toEqual([1]);

  const leaving = reconciled([0]);
  await leaving.reconcile();
  await leaving.turn();
  leaving.at.isLeaving = true;
  await leaving.reconcile();
  expect(leaving.released).toEqual([]);
  await leaving.taken(0);
  await leaving.ended();
  await leaving.reconcile();
  expect(leaving.partitions.held.size).toBe(0);
  expect(leaving.released).toEqual([0]);
});

test('a partition is given back when the states of its beginning leave are written, without further states', async () => {
  const worker = reconciled([0, 1, 2]);
  worker.hold(0, { position: 10, replayFrom: 3 });
  worker.hold(1, { position: 20, replayFrom: 21 });
  worker.hold(2, { position: 30, replayFrom: 31 });
  worker.at.surplus = [0, 1];
  await worker.reconcile();
  expect(worker.released).toEqual([1]);
  expect(worker.commits).toEqual([{ partitions: [1], states: { count: 0 } }]);
  expect(worker.partitions.held.get(0)!.leavesFrom).toBe(10);
  // A checkpoint writes the states.
  expect(worker.pended).toBe(1);

  Object.assign(worker.partitions.held.get(0)!.run, { position: 14, replayFrom: 10 });
  await worker.reconcile();
  expect(worker.released).toEqual([1]);
  Object.assign(worker.partitions.held.get(0)!.run, { replayFrom: 11 });
  await worker.reconcile();
  expect(worker.released).toEqual([1, 0]);
  expect([...worker.partitions.held.keys()]).toEqual([2]);
  expect(worker.partitions.held.get(2)!.leavesFrom).toBeNull();
});

test('a partition whose replay has not ended is given back without a commit', async () => {
  const worker = reconciled([0]);
  worker.hold(0, { position: 5, replayFrom: 2, committed: 9 });
  worker.at.isLeaving = true;
  await worker.reconcile();
  expect([worker.released, worker.commits, worker.partitions.held.size]).toEqual([[0], [], 0]);
});

test('a partition that the share includes again stays', async () => {
  const worker = reconciled([0]);
  worker.hold(0, { position: 10, replayFrom: 3 });
  worker.at.surplus = [0];
  await worker.reconcile();
  worker.at.surplus = [];
  await worker.reconcile();
  expect(worker.partitions.held.get(0)!.leavesFrom).toBeNull();
  expect(worker.released).toEqual([]);
});
