import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { NATS_SERVER, needs } from '../../test/needs.js';
import { sendError } from '../src/http/refusal.js';
import { TICK } from '../src/stream/message.js';
import { natsLog } from '../src/stream/natsLog.js';
import { streamRoom } from '../src/stream/streamRoom.js';
import { brokerAt } from './crash/cluster.js';

/** A stream that fills up takes no more fixes at 80 %, and never loses what it has taken. */

describe('room in a stream', () => {
  const MAX = 100_000;
  const fixes = (bytes: number, partition = 0) => ({ partition, payload: new Uint8Array(bytes) });

  test('fixes are taken up to 80 %, ticks up to 90 %; a request is taken as a whole or not at all', async () => {
    let bytes = 0;
    let looks = 0;
    const room = streamRoom(
      async (partition) => {
        looks++;
        room.note(partition, partition === 0 ? bytes : 0, MAX);
      },
      () => 0,
    );
    await room.admit([fixes(1000)]);
    await room.admit([fixes(100)]);
    expect(looks).toBe(1);
    bytes = 79_000;
    // This process has published 2 % since: it looks again.
    await room.admit([fixes(900)]);
    await room.admit([fixes(100)]);
    await expect(room.admit([fixes(5000, 1), fixes(1000)])).rejects.toMatchObject({
      code: 'log-full',
      status: 503,
    });
    expect(room.fill(1)).toBe(0);
    expect(room.fill(0)).toBeCloseTo(0.79, 1);
    await room.admit([{ ...fixes(100), isTick: true }]);
    bytes = 90_000;
    room.note(0, bytes, MAX);
    await expect(room.admit([{ ...fixes(100), isTick: true }])).rejects.toMatchObject({ code: 'log-full' });
    bytes = 10_000;
    room.note(0, bytes, MAX);
    await room.admit([fixes(1000)]);
  });

  test('an old size is looked at again, at most once at a time; a stream without a limit is never full', async () => {
    let [time, looks] = [0, 0];
    const room = streamRoom(
      async (partition) => {
        looks++;
        room.note(partition, 1e12, -1);
      },
      () => time,
    );
    await Promise.all([room.admit([fixes(10)]), room.admit([fixes(10)])]);
    expect([looks, room.fill(0)]).toEqual([1, 0]);
    time = 6000;
    await room.admit([fixes(10)]);
    expect(looks).toBe(2);
  });

  test('the answer is 503 with Retry-After', async () => {
    const room = streamRoom(async (partition) => room.note(partition, MAX, MAX));
    const app = Fastify();
    app.setErrorHandler(sendError);
    app.get('/', () => room.admit([fixes(1)]));
    const answer = await app.inject('/');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.json()).toEqual({ code: 503, message: expect.stringContaining('100 % full'), field: '' });
  });
});

needs(NATS_SERVER).test('a full stream refuses fixes and loses no message (needs nats-server)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-full-'));
  const broker = await brokerAt(folder);
  const log = await natsLog(broker.url, { maxBytes: 1 << 20 });
  try {
    await log.create(0);
    const payload = new Uint8Array(3000).fill(65);
    let [taken, refused, ticks] = [0, 0, 0];
    while (refused < 20) {
      await log.publish([{ partition: 0, payload }]).then(
        () => taken++,
        (error: { code: string }) => {
          expect(error.code).toBe('log-full');
          refused++;
        },
      );
      // Small messages are what made the broker drop the oldest ones.
      for (let i = 0; i < 5; i++)
        await log.publish([{ partition: 0, payload: TICK, isTick: true }]).then(
          () => ticks++,
          () => {},
        );
    }
    for (let i = 0; i < 3000; i++)
      await log.publish([{ partition: 0, payload: TICK, isTick: true }]).then(
        () => ticks++,
        () => {},
      );
    expect(taken).toBeGreaterThan(200);
    expect(await log.state(0)).toMatchObject({ first: 1, last: taken + ticks });
    expect(log.fill!(0)).toBeLessThan(0.95);
    await log.trim(0, taken + ticks - 5);
    await log.state(0);
    await log.publish([{ partition: 0, payload }]);
  } finally {
    await log.close();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
