import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fairPublisher } from '../src/stream/fairPublisher.js';
import type { Outgoing } from '../src/stream/log.js';

/** A worker that handles the messages of all companies in their order, and a clock that only pauses set on. */
function published(msPerMessage: (message: Outgoing) => number) {
  const order: number[] = [];
  let time = 0;
  /** When the worker will have committed everything. */
  let free = 0;
  const done: number[] = [];
  const publish = fairPublisher({
    log: {
      publish: async (messages) =>
        messages.map((message) => {
          free = Math.max(free, time) + msPerMessage(message);
          done.push(free);
          order.push(message.payload[0]!);
          return done.length;
        }),
    },
    areCommitted: async (last) => [...last.values()].every((seq) => done[seq - 1]! <= time),
    now: () => time,
    async pause(ms) {
      time += ms;
      await turn();
    },
  });
  return {
    publish,
    order,
    /** How long a message that is published now waits for the worker. */
    backlog: () => Math.max(0, free - time),
    get time() {
      return time;
    },
  };
}
const messages = (company: number, count: number, bytes = 100_000): Outgoing[] =>
  Array.from({ length: count }, () => ({ partition: 0, payload: new Uint8Array(bytes).fill(company) }));

test('beside 100 messages of a company at once, another one waits for a few', async () => {
  const worker = published(() => 200);
  let isDone = false;
  const big = worker.publish('big', messages(1, 100)).finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  while (!isDone) {
    const before = worker.time;
    while (worker.time < before + 1000 && !isDone) await turn();
    waits.push(worker.backlog());
    await worker.publish('small', messages(2, 1, 100));
  }
  expect(await big).toHaveLength(100);
  expect(Math.max(...waits)).toBeLessThanOrEqual(600);
  expect(waits.length).toBeGreaterThan(15);
  // The worker is seldom without work.
  expect(worker.time).toBeLessThan(100 * 200 * 1.3);
});

test('a company whose messages are committed soon does not wait long, and keeps its order', async () => {
  const worker = published(() => 1);
  const seqs = await Promise.all(
    Array.from({ length: 50 }, (_, i) => worker.publish('gateway', messages(i, 10))),
  );
  expect(seqs.flat()).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
  expect(worker.order).toEqual([...worker.order].sort((a, b) => a - b));
  expect(worker.time).toBeLessThan(2000);
});

test('a small company asks for no commit; one whose partition has no worker goes on after 5 s', async () => {
  const worker = published(({ payload }) => (payload[0] === 3 ? 1e9 : 1));
  for (let i = 0; i < 100; i++) await worker.publish('small', messages(2, 1, 100));
  expect(worker.time).toBe(0);
  await worker.publish('stuck', messages(3, 4));
  expect(worker.time).toBeGreaterThanOrEqual(5000);
  expect(worker.order).toHaveLength(104);
});

test('what the log refuses is refused, and the next messages are published', async () => {
  let isFull = true;
  const publish = fairPublisher({
    log: {
      async publish(all) {
        if (isFull) throw new Error('full');
        return all.map(() => 1);
      },
    },
    areCommitted: async () => true,
  });
  await expect(publish('a', messages(1, 5))).rejects.toThrow('full');
  await expect(publish('a', messages(1, 1, 10))).rejects.toThrow('full');
  isFull = false;
  expect(await publish('a', messages(1, 5))).toEqual([1, 1, 1, 1, 1]);
});
