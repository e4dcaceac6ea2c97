import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NATS_SERVER, needs } from '../../../test/needs.js';
import type { Log } from '../../src/stream/log.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { prepareStream } from '../../src/stream/prepareStream.js';
import { tableLog } from '../../src/stream/tableLog.js';
import { embedded } from '../testHost.js';
import { brokerAt } from './cluster.js';

/** What both logs answer to the same calls. */

async function keepsWhatIsNotTrimmed(log: Log): Promise<void> {
  await log.create(0);
  const message = (text: string): { partition: number; payload: Uint8Array } => ({
    partition: 0,
    payload: new TextEncoder().encode(text),
  });
  expect(await log.publish(['a', 'b', 'c'].map(message))).toEqual([1, 2, 3]);
  const bounds = async (): Promise<[number, number]> => {
    const { first, last } = (await log.state(0))!;
    return [first, last];
  };
  await log.trim(0, 0);
  expect(await bounds()).toEqual([1, 3]);
  await log.trim(0, 1);
  expect(await bounds()).toEqual([1, 3]);
  await log.trim(0, 3);
  expect(await bounds()).toEqual([3, 3]);
  await log.trim(0, 4);
  expect(await bounds()).toEqual([4, 3]);
  expect(await log.publish([message('d')])).toEqual([4]);
  const stop = new AbortController();
  for await (const [one] of log.read(0, 4, stop.signal)) {
    expect([one!.seq, new TextDecoder().decode(one!.payload)]).toEqual([4, 'd']);
    break;
  }
  stop.abort();
}

needs(NATS_SERVER).test('a stream keeps the messages that are not trimmed (needs nats-server)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-log-'));
  const broker = await brokerAt(folder);
  const log = await natsLog(broker.url);
  try {
    await keepsWhatIsNotTrimmed(log);
  } finally {
    await log.close();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a table keeps the messages that are not trimmed', async () => {
  const database = await embedded();
  const { storage } = database;
  const log = tableLog(storage, () => 0);
  try {
    await prepareStream(storage, { log: 'table' });
    await keepsWhatIsNotTrimmed(log);
  } finally {
    await log.close();
    await storage.close();
    database.remove();
  }
});
