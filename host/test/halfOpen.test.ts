import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../test/needs.js';
import { fixDays } from '../src/storage/fixDays.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import { startWorker } from '../src/stream/liveStream.js';
import type { LogMessage } from '../src/stream/log.js';
import { encodeFixes } from '../src/stream/message.js';
import { natsLog } from '../src/stream/natsLog.js';
import { partitionOf } from '../src/stream/partitionOf.js';
import type { Held } from '../src/stream/partitionReader.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { tableLog } from '../src/stream/tableLog.js';
import { watchProgress } from '../src/stream/watchProgress.js';
import { addCompany } from './addCompany.js';
import { brokerAt } from './crash/cluster.js';
import { type SilentProxy, silentProxy } from './silentProxy.js';
import { type Database, ownPostgres } from './testHost.js';

/** Connections that stay open and fall silent: every call has a time limit, and a partition without progress changes its owner. */

needs(NATS_SERVER).test(
  'a silent connection to the broker is replaced, in publishing and in reading (needs nats-server)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-half-'));
    const broker = await brokerAt(folder);
    const proxy = await silentProxy({ host: '127.0.0.1', port: Number(new URL(broker.url).port) });
    const log = await natsLog(`nats://127.0.0.1:${proxy.port}`);
    const stop = new AbortController();
    try {
      await log.create(0);
      const payload = new Uint8Array([1, 2, 3]);
      await log.publish([{ partition: 0, payload }]);
      const read: LogMessage[] = [];
      const reading = (async () => {
        for await (const messages of log.read(0, 1, stop.signal)) read.push(...messages);
      })().catch(() => {});
      while (read.length === 0) await sleep(10);
      proxy.silence();
      // The client's default takes four minutes to notice.
      for (let isTaken = false; !isTaken; )
        isTaken = await log.publish([{ partition: 0, payload }]).then(
          () => true,
          () => false,
        );
      while (read.length < 2) await sleep(10);
      stop.abort();
      await reading;
      expect(proxy.connections).toBeGreaterThan(1);
    } finally {
      stop.abort();
      await log.close();
      proxy.close();
      await broker.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

needs(POSTGRESQL).describe('a silent connection to the database (needs PostgreSQL)', () => {
  const base = mkdtempSync(join(tmpdir(), 'wayzone-half-'));
  chmodSync(base, 0o777);
  let database: Database;
  let proxy: SilentProxy;
  let address: string;
  beforeAll(async () => {
    database = await ownPostgres(base);
    const folder = new URL(database.url!).searchParams.get('host')!;
    proxy = await silentProxy(join(folder, '.s.PGSQL.5432'));
    address = `postgres://wayzone@127.0.0.1:${proxy.port}/postgres`;
  });
  afterAll(async () => {
    proxy?.close();
    await database?.storage.close();
    database?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  test('costs one time limit, however many connections fell silent', async () => {
    const storage = await postgresStorage(address, { answerMs: 5000 });
    const ask = (): Promise<unknown> => sql`select pg_sleep(0.05)`.execute(storage.db);
    await Promise.all(Array.from({ length: 10 }, ask));
    proxy.silence();
    await expect(ask()).rejects.toThrow('Query read timeout');
    await ask();
    await storage.close();
  });

  test('a worker that cannot commit leaves its partitions to another one, although it holds their locks', async () => {
    const { storage } = database;
    await addCompany(storage, 'c', { units: Array.from({ length: 20 }, (_, i) => ({ id: `van-${i}` })) });
    const settings = await prepareStream(storage, { log: 'table', partitions: 4 });
    const log = tableLog(storage);
    const own = await postgresStorage(address, { answerMs: 5000 });
    const common = {
      settings,
      log,
      commitMs: 0,
      rotationMs: 60_000,
      tickMs: 0,
      keepMs: 60_000,
      stalledMs: 10_000,
    };
    const silent = { onCommitted: () => {}, onPaused: () => {} };
    // Its locks are held by a session of the server itself.
    const stuck = startWorker({
      ...common,
      ...silent,
      storage: { ...own, url: storage.url },
      days: fixDays(own),
    });
    while (stuck.running().length < 4) await sleep(20);
    const other = startWorker({ ...common, ...silent, storage, days: fixDays(storage) });
    while (other.running().length < 2 || stuck.running().length !== 2) await sleep(20);
    const left = new Set(stuck.running());
    proxy.silence({ later: true });
    const time = Date.now();
    const messages = Array.from({ length: 20 }, (_, i) => ({
      partition: partitionOf(`van-${i}`, 4),
      payload: encodeFixes('c', [{ unitId: `van-${i}`, fix: { time, lon: 30, lat: 60 } }]),
    }));
    await log.publish(messages);
    const stored = async (): Promise<number> =>
      (await storage.db.selectFrom('fixes').select('time').execute()).length;
    while ((await stored()) < 20) await sleep(50);
    expect(other.running().filter((partition) => left.has(partition)).length).toBeGreaterThan(0);
    proxy.close();
    await other.close();
    await stuck.close();
    await own.close();
  });
});

describe('progress', () => {
  const heldAt = (
    committed: number,
    position: number,
    more: { from?: number; waiting?: number; computed?: number } = {},
  ): Held =>
    ({
      run: { committed, position, computed: more.computed ?? 0, hasPending: position > committed },
      from: { position: more.from ?? 0 },
      queue: new Array(more.waiting ?? 0).fill(null),
      stop: () => {},
    }) as unknown as Held;

  test('is a commit, a step of a replay, or nothing to do; a failure that lasts is none', () => {
    const partitions = heldPartitions();
    const stalled: number[] = [];
    let time = 0;
    const watch = watchProgress({
      partitions,
      owned: () => new Set([0]),
      onStalled: async (partition) => void stalled.push(partition),
      now: () => time,
    });
    const at = (seconds: number, held: Held | null): number => {
      time = seconds * 1000;
      if (held === null) partitions.held.delete(0);
      else partitions.held.set(0, held);
      watch.look();
      return stalled.length;
    };
    expect(at(0, heldAt(0, 5))).toBe(0);
    expect(at(9, heldAt(3, 9))).toBe(0);
    expect(at(18, heldAt(9, 9))).toBe(0);
    // Nothing waits.
    expect(at(40, heldAt(9, 9))).toBe(0);
    // A replay.
    for (let i = 0; i < 5; i++) expect(at(50 + 9 * i, heldAt(9, i, { from: 9, waiting: 1 }))).toBe(0);
    // A partition that is dropped and taken over again all the time, because no commit succeeds.
    partitions.failing.add(0);
    expect(at(90, null)).toBe(0);
    expect(at(93, heldAt(9, 3, { from: 9, waiting: 1 }))).toBe(0);
    expect(at(95, null)).toBe(0);
    expect(at(99, heldAt(9, 4, { from: 9, waiting: 1 }))).toBe(1);
    // A halted partition waits for an operator.
    partitions.failing.delete(0);
    for (let i = 0; i < 5; i++) expect(at(100 + 9 * i, null)).toBe(1);
    // The work of one message, unit by unit; then the same again, because its commit fails.
    for (let i = 0; i < 5; i++) expect(at(200 + 9 * i, heldAt(3, 3, { waiting: 1, computed: i }))).toBe(1);
    for (let i = 0; i < 2; i++) expect(at(240 + 4 * i, heldAt(3, 3, { waiting: 1, computed: i }))).toBe(1);
    expect(at(248, heldAt(3, 3, { waiting: 1, computed: 4 }))).toBe(2);
    watch.stop();
  });
});
