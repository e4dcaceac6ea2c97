import { expect, test } from 'vitest';
import { MOST_CHANGES, versionedCache } from '../src/zones/versionedCache.js';
import { embedded } from './testHost.js';

/** What is kept of companies never loses a write that it had. */

interface Row {
  version: number;
  upTo: number;
  changes: number;
}

/** A promise, and the function that keeps it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('rows that are read anew beside the old ones take their place with all later writes', async () => {
  const { storage } = await embedded();
  const now = { version: 1 };
  const reading = gate();
  const changing = gate();
  const [readAgain, changesAgain] = [gate(), gate()];
  let [reads, isGated] = [0, false];
  const cache = await versionedCache<Row>({
    storage,
    maxBytes: 1e9,
    bytesOf: () => 1,
    changesOf: ({ changes }) => changes,
    async read() {
      const { version } = now;
      if (reads++ > 0) {
        readAgain.open();
        await reading.opened;
      }
      return { version, upTo: version, changes: 0 };
    },
    async change(_, held) {
      const { version } = now;
      if (isGated && held.changes === 0) {
        changesAgain.open();
        await changing.opened;
      }
      held.changes += (version - held.version) * MOST_CHANGES;
      held.version = held.upTo = version;
      return true;
    },
  });
  expect(await cache.of('c')).toMatchObject({ version: 1, changes: 0 });
  now.version = 3;
  // Twice as many changes as may be: all is read again.
  expect(await cache.refresh('c')).toMatchObject({ version: 3, changes: 2 * MOST_CHANGES });
  await readAgain.opened;
  now.version = 5;
  const old = await cache.refresh('c');
  expect(old.version).toBe(5);
  isGated = true;
  reading.open();
  await changesAgain.opened;
  // What was read at version 3 is not shown before it has the writes up to 5.
  expect((await cache.of('c')).version).toBe(5);
  changing.open();
  const anew = await cache.refresh('c');
  expect([anew.version, anew === old]).toEqual([5, false]);
  await storage.close();
});

test('the least recently used company goes first, and a failed change does not read all again', async () => {
  const { storage } = await embedded();
  const reads: string[] = [];
  let isBroken = true;
  const cache = await versionedCache<Row>({
    storage,
    maxBytes: 2,
    bytesOf: () => 1,
    changesOf: () => 0,
    async read(companyId) {
      reads.push(companyId);
      return { version: 1, upTo: 1, changes: 0 };
    },
    async change() {
      if (isBroken) throw new Error('away');
      return true;
    },
  });
  await expect(cache.of('a')).rejects.toThrow('away');
  isBroken = false;
  await cache.refresh('a');
  expect(reads).toEqual(['a']);
  for (const id of ['b', 'a', 'c', 'a', 'b']) await cache.of(id);
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
  expect([...cache.all().keys()]).toEqual(['a', 'b']);
  await storage.close();
});
