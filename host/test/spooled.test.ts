import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { LONG, seeded } from '../../test/volume.js';
import { hostJobs } from '../src/jobs/jobs.js';
import type { Chunk } from '../src/jobs/pipe.js';
import { type Spool, spooled } from '../src/jobs/spooled.js';
import { errorOfAsync } from './errorOfAsync.js';

/** Output that waits on the disk for its reader. */

const folder = mkdtempSync(join(tmpdir(), 'wayzone-spool-'));
afterAll(() => rmSync(folder, { recursive: true }));
const spool = (left: number, at = folder, unreadMs = 60_000): Spool => ({
  folder: at,
  left,
  unreadMs,
  waiting: new Set(),
});
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await turn();
};

test('every reader gets all pieces in order, with much room, with little, and without a disk', async () => {
  const random = seeded(39);
  const some = (most: number): number => Math.floor(random() * most);
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const shared = spool(5_000_000);
  for (let i = 0; i < (LONG ? 400 : 30); i++) {
    const used = [shared, spool(0), spool(300_000), spool(3_000_000), spool(9e9), spool(9e9, file)][i % 6]!;
    const { left } = used;
    // Some readers at once share the room.
    const readers = Array.from({ length: used === shared ? 4 : 1 }, async () => {
      const [pieces, pauses] = [some(60), random() < 0.5 ? 1 : 20];
      const sent: Buffer[] = [];
      async function* source(): AsyncGenerator<Chunk, number> {
        for (let k = 0; k < pieces; k++) {
          const text = `${k}é`.repeat(some(random() < 0.1 ? 300_000 : 20_000));
          sent.push(Buffer.from(text));
          await turns(some(4));
          yield random() < 0.5 ? text : (Buffer.from(text) as Uint8Array<ArrayBuffer>);
        }
        return pieces;
      }
      const got: Buffer[] = [];
      const read = spooled(source(), used);
      for (;;) {
        const next = await read.next();
        if (next.done === true)
          return expect([next.value, Buffer.concat(got).equals(Buffer.concat(sent))]).toEqual([pieces, true]);
        got.push(next.value);
        if (random() < 0.3) await turns(some(pauses));
      }
    });
    await Promise.all(readers);
    expect(used.left).toBe(left);
  }
  expect(readdirSync(folder)).toEqual(['a-file']);
});

test('the source runs ahead of its reader by as much as there is room', async () => {
  const used = spool(8_000_000);
  let given = 0;
  let isOver = false;
  async function* source(): AsyncGenerator<Chunk> {
    try {
      for (; ; given++) yield new Uint8Array(1_000_000);
    } finally {
      isOver = true;
    }
  }
  const read = spooled(source(), used);
  await read.next();
  // The next piece waits for room.
  while (used.left > 0 || used.waiting.size === 0) await sleep(1);
  // One that was read, one or two in memory, eight on the disk.
  expect([10, 11]).toContain(given);
  for (let i = 0; i < 9; i++) await read.next();
  await turns(20);
  expect([given < 15, isOver]).toEqual([true, false]);
  await read.return(undefined);
  while (!isOver || used.left < 8_000_000) await sleep(1);
  expect(used.left).toBe(8_000_000);
});

test('an error of the source comes after what was written before it', async () => {
  async function* source(): AsyncGenerator<Chunk> {
    for (let i = 0; i < 5; i++) yield new Uint8Array(700_000);
    throw new Error('broken');
  }
  const used = spool(9e9);
  let bytes = 0;
  const error = await errorOfAsync(
    (async () => {
      for await (const piece of spooled(source(), used)) bytes += piece.length;
    })(),
  );
  expect([bytes, String(error), used.left]).toEqual([3_500_000, 'Error: broken', 9e9]);
});

test('a reader that takes nothing for too long gives its room back', async () => {
  let isOver = false;
  async function* source(): AsyncGenerator<Chunk> {
    try {
      for (;;) yield new Uint8Array(1_000_000);
    } finally {
      isOver = true;
    }
  }
  const used = spool(3_000_000, folder, 50);
  const read = spooled(source(), used);
  await read.next();
  while (!isOver || used.left < 3_000_000) await sleep(1);
  expect(await errorOfAsync(read.next())).toMatchObject({ code: 'limit-time', status: 422 });
});

test('readers that stop reading leave the processes to others, and their companies wait', async () => {
  const jobs = hostJobs({ exportFolder: folder, export: { most: 2 } });
  async function* rows(): AsyncGenerator<Chunk> {
    for (let i = 0; i < 15; i++)
      yield Array.from({ length: 1000 }, (_, k) =>
        JSON.stringify({
          id: `z${i}.${k}`,
          name: 'Z',
          type: { key: 'circle' },
          geometry: [[30, 60]],
          width: 5,
        }),
      ).join(',');
  }
  const read = (companyId: string) =>
    jobs.run(companyId, 'export', { format: 'geojson', language: 'en' }, rows());
  const stalled = [];
  for (const companyId of ['a', 'b'])
    for (let i = 0; i < 2; i++) {
      const one = read(companyId);
      await one.next();
      stalled.push(one);
    }
  const third = read('a');
  let isThirdBegun = false;
  const first = third.next().then(() => {
    isThirdBegun = true;
  });
  let bytes = 0;
  for await (const piece of read('quiet')) bytes += piece.length;
  expect([bytes > 1_000_000, isThirdBegun]).toEqual([true, false]);
  await stalled[0]!.return(undefined as never);
  await first;
  jobs.close();
});
