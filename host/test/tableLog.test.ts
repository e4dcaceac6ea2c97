import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { tableLog } from '../src/stream/tableLog.js';
import { type Database, ownPostgres, testHost } from './testHost.js';

/** The log as a table of the database. */

const postgres = needs(POSTGRESQL);
postgres.describe('on PostgreSQL (needs PostgreSQL)', () => {
  let database: Database;
  beforeAll(async () => {
    database = await ownPostgres();
  });
  afterAll(async () => {
    await database.storage.close();
    database.remove();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  /** Sets the clock of this process ahead; the database's stays. */
  const jump = (ms: number): void => {
    const real = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
  };

  postgres.test('messages are taken while a checkpoint of their partition is under way', async () => {
    const { storage } = database;
    await prepareStream(storage, { log: 'table' });
    const log = tableLog(storage, () => 1_772_431_200_000);
    const message = (text: string) => ({ partition: 0, payload: Buffer.from(text) });
    expect(await log.publish([message('a'), message('b')])).toEqual([1, 2]);
    await storage.db.transaction().execute(async (trx) => {
      // As a checkpoint does until its commit.
      await sql`update partitions set position = 2 where partition = 0`.execute(trx);
      expect(await log.publish([message('c')])).toEqual([3]);
    });
    expect(await log.state(0)).toMatchObject({ first: 1, last: 3 });
    await log.close();
  });

  postgres.test('messages have the time of the database, whatever the clock of the host does', async () => {
    const { storage } = database;
    await prepareStream(storage, { log: 'table' });
    const databaseTime = async (): Promise<number> => {
      const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(storage.db);
      return rows[0]!.time.getTime();
    };
    const log = tableLog(storage);
    const times: number[] = [];
    const seqs: number[] = [];
    for (const ms of [600_000, 0, -86_400_000]) {
      jump(ms);
      times.push(await databaseTime());
      seqs.push(...(await log.publish([{ partition: 1, payload: Buffer.from('x') }])));
      times.push(await databaseTime());
      vi.restoreAllMocks();
    }
    // What this process remembers, and what another one reads.
    for (const reader of [log, tableLog(storage)]) {
      const stop = new AbortController();
      for await (const messages of reader.read(1, seqs[0]!, stop.signal)) {
        const stamps = messages.map(({ stamp }) => stamp);
        const sorted = [
          times[0]!,
          stamps[0]!,
          times[1]!,
          times[2]!,
          stamps[1]!,
          times[3]!,
          times[4]!,
          stamps[2]!,
          times[5]!,
        ];
        expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
        break;
      }
      stop.abort();
    }
    await log.close();
  });

  postgres.test(
    'a clock that differs from the database’s is an alarm in /ready and the metrics',
    async () => {
      const hosted = await testHost(database.storage);
      const { app } = hosted.host;
      try {
        // A busy database may answer too late: both are asked again.
        const ready = async (): Promise<Record<string, unknown>> => {
          const answer = await app.inject('/ready');
          return answer.statusCode === 200 ? answer.json() : ready();
        };
        const offset = async (): Promise<number> => {
          const { body } = await app.inject('/metrics');
          const found = /^wayzone_clock_offset_seconds (\S+)$/m.exec(body)?.[1];
          return found === undefined ? offset() : Number(found);
        };
        expect(await ready()).not.toHaveProperty('clockOffsetSeconds');
        for (const sign of [1, -1]) {
          jump(sign * 600_000);
          const { status, clockOffsetSeconds } = await ready();
          expect([status, Math.round(Number(clockOffsetSeconds) / 60)]).toEqual(['degraded', sign * 10]);
          expect(Math.round((await offset()) / 60)).toBe(sign * 10);
          vi.restoreAllMocks();
        }
        expect(Math.abs(Math.round((await offset()) / 60))).toBe(0);
      } finally {
        await hosted.close();
      }
    },
  );
});
