import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCheckpoints } from '../src/stream/checkpoints.js';
import type { Sealed } from '../src/stream/commitSealed.js';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import { TICK } from '../src/stream/message.js';
import type { Held } from '../src/stream/partitionReader.js';
import { type PartitionRun, partitionRun } from '../src/stream/partitionRun.js';
import { newPartition } from './newPartition.js';

/**
 * Checkpoints are committed one at a time, whoever asks for them. Two at once would make `settled` resolve while one of them is under way, and a
 * revision that then reads the stored events would emit those of that checkpoint again.
 */

const PARTITIONS = 4;

const unused = (): never => {
  throw new Error('expected a log, zones and trips that are not used');
};

test('callers that wait for the same checkpoint commit one after the other, and `settled` waits for each', async () => {
  const partitions = heldPartitions();
  /** Ends the commits so far. */
  const ends: (() => void)[] = [];
  const committed: number[][] = [];
  const checkpoints = startCheckpoints({
    partitions,
    store: {
      commit(sealed: readonly Sealed[]) {
        committed.push(sealed.map(({ partition }) => partition));
        return new Promise((resolve) => {
          ends.push(() => resolve([]));
        });
      },
    } as never,
    log: { wake: unused } as never,
    rotationMs: 60_000,
    onCommitted: unused,
    onPaused: () => {},
    onSettled: () => {},
  });
  const runs: PartitionRun[] = [];
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const run = partitionRun({
      partition,
      from: newPartition,
      store: {} as never,
      zones: { current: unused, at: unused } as never,
      trips: { at: unused } as never,
      routes: unused as never,
      pairs: { of: unused } as never,
      latenessSeconds: 10,
      settled: checkpoints.settled,
    });
    await run.handle({ seq: 1, stamp: 1000, payload: TICK });
    runs.push(run);
    partitions.held.set(partition, {
      run,
      stop() {},
      credit: 0,
      savedAt: 0,
      leavesFrom: null,
    } as unknown as Held);
  }
  /** The partitions that are committed by now, in order. */
  const positions = (): number[] => runs.map((run) => run.committed);

  checkpoints.start([runs[0]!]);
  const waiting = runs.slice(1).map((run) => checkpoints.commitNow([run], { count: 0 }));
  let isSettled = false;
  const settled = checkpoints.settled().then(() => {
    isSettled = true;
  });
  for (let n = 1; n <= PARTITIONS; n++) {
    await turn();
    expect(committed).toEqual(runs.slice(0, n).map(({ partition }) => [partition]));
    expect([checkpoints.isBusy, isSettled]).toEqual([true, false]);
    expect(positions()).toEqual(runs.map((_, i) => (i < n - 1 ? 1 : 0)));
    ends[n - 1]!();
  }
  await Promise.all([...waiting, settled]);
  expect([checkpoints.isBusy, positions()]).toEqual([false, [1, 1, 1, 1]]);
});

test('of partitions that are given back, the states from before that began are written first, in checkpoints of bounded size', async () => {
  const partitions = heldPartitions();
  const counts: unknown[] = [];
  const checkpoints = startCheckpoints({
    partitions,
    store: { commit: async () => [] } as never,
    log: { wake: unused } as never,
    rotationMs: Number.POSITIVE_INFINITY,
    onCommitted: unused,
    onPaused: () => {},
    onSettled: () => {},
  });
  /** Of each partition 1,000 states are out of date; so many of them were when it began to leave. */
  const behind = [350, 200, 350, null, 20];
  for (const [partition, count] of behind.entries()) {
    const run = {
      partition,
      dirtyUnits: 1000,
      statesBehind: (seq: number) => (seq === 7 ? count : Number.NaN),
      seal(choice: { readonly count: number }) {
        counts.push(choice.count);
        return {
          partition,
          fixes: [],
          events: [],
          states: [],
          zones: [],
          companyIds: new Set(),
          position: 8,
        };
      },
      committedTo: () => {},
    } as unknown as PartitionRun;
    const leavesFrom = count === null ? null : 7;
    partitions.held.set(partition, { run, stop() {}, credit: 0, savedAt: Date.now(), leavesFrom } as never);
  }
  checkpoints.start([...partitions.held.values()].map(({ run }) => run));
  await checkpoints.settled();
  expect(counts).toEqual([300, 200, 100, 0, 0]);
});
