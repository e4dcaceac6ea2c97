import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { PATIENCE_MS } from '../../test/patience.js';
import { lockOwnership, type Ownership } from '../src/stream/ownership.js';
import { type Database, ownPostgres } from './testHost.js';

/** Partitions without progress change their owner. The clock of the locks stands still until the test sets it. */

interface Own extends Ownership {
  /** Waits for so many more looks at the locks. */
  beats(count: number): Promise<void>;
}

const postgres = needs(POSTGRESQL);
postgres.describe('workers with 4 partitions (needs PostgreSQL)', () => {
  let database: Database;
  beforeAll(async () => {
    database = await ownPostgres();
  });
  afterAll(async () => {
    await database?.storage.close();
    database?.remove();
  });

  /** Closed after each test, also a failed one: their locks would keep the next from its partitions. */
  const open: Own[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });
  async function workers(count: number, at: { time: number }): Promise<Own[]> {
    const all = Array.from({ length: count }, () => {
      let beats = 0;
      const own = lockOwnership({
        url: database.url!,
        workerId: randomUUID(),
        partitions: 4,
        onChange: () => {},
        onBeat: () => beats++,
        now: () => at.time,
        // On a busy machine a session may be silent for long.
        silentMs: PATIENCE_MS,
      });
      const until = async (last: number): Promise<void> => {
        while (beats < last) await turn();
      };
      return { ...own, beats: (more: number) => until(beats + more) };
    });
    open.push(...all);
    // All are live after the first look of each, and know it after one that began later.
    for (const looks of [1, 2]) await Promise.all(all.map((one) => one.beats(looks)));
    for (const one of all)
      while (one.owned().size !== 4 / count || one.surplus().length > 0) {
        for (const other of all) await other.release(other.surplus());
        await one.beats(1);
      }
    return all;
  }

  postgres.test('another one takes it at once, beyond its share', async () => {
    const [a, b] = (await workers(2, { time: 0 })) as [Own, Own];
    const [partition] = [...a.owned()] as [number];
    expect(await a.yieldUp(partition)).toBe(true);
    await b.beats(2);
    expect([a.owned().size, b.owned().size, b.owned().has(partition)]).toEqual([1, 3, true]);
  });

  postgres.test(
    'after trouble of the database, which all gave it up for, one takes it within 2 s',
    async () => {
      const at = { time: 0 };
      const all = await workers(2, at);
      const [partition] = [...all[0]!.owned()] as [number];
      expect(await all[0]!.yieldUp(partition)).toBe(true);
      while (!all[1]!.owned().has(partition)) await all[1]!.beats(1);
      expect(await all[1]!.yieldUp(partition)).toBe(true);
      const owners = async (): Promise<number> => {
        await Promise.all(all.map((one) => one.beats(2)));
        return all.filter((one) => one.owned().has(partition)).length;
      };
      expect(await owners()).toBe(0);
      at.time = 1999;
      expect(await owners()).toBe(0);
      at.time = 2000;
      expect(await owners()).toBe(1);
    },
  );

  postgres.test('the only one keeps it', async () => {
    const [alone] = (await workers(1, { time: 0 })) as [Own];
    expect([await alone.yieldUp(2), alone.owned().size]).toEqual([false, 4]);
  });
});
