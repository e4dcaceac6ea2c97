import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { signToken } from '../src/auth/tokens.js';
import { startHost } from '../src/startHost.js';
import { fixDays } from '../src/storage/fixDays.js';
import { cellMap } from '../src/stream/cellMap.js';
import { fixIntake } from '../src/stream/fixIntake.js';
import { addCompany } from './addCompany.js';
import { type Database, ownPostgres, SETTINGS, testHost } from './testHost.js';

/** The clock of a host that differs from its database's. */

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
  const databaseTime = async (): Promise<number> => {
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(database.storage.db);
    return rows[0]!.time.getTime();
  };
  /** Sets the clock of this process ahead; the database's stays. */
  const jump = (ms: number): void => {
    const real = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
  };

  postgres.test('messages have the time of the database, whatever the clock of the host does', async () => {
    const { storage } = database;
    await addCompany(storage, 'c', { units: [{ id: 'van' }] });
    const take = fixIntake({
      storage,
      days: fixDays(storage),
      cells: cellMap(storage),
      now: null,
      onTaken: () => {},
    });
    const time = await databaseTime();
    const sorted: number[] = [];
    for (const [i, ms] of [600_000, 0, -86_400_000].entries()) {
      jump(ms);
      sorted.push(await databaseTime());
      const taken = await take('c', [{ unitId: 'van', fix: { time: time + i, lon: 30, lat: 60 } }]);
      const [[cell, seq] = []] = taken;
      const { rows } = await sql<{ stamp: string }>`
        select stamp from cell_messages where cell = ${cell} and seq = ${seq}`.execute(storage.db);
      sorted.push(Number(rows[0]!.stamp), await databaseTime());
      vi.restoreAllMocks();
    }
    expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
  });

  postgres.test('fixes are near the time of the database, whatever the clock of the host says', async () => {
    const { storage } = database;
    await addCompany(storage, 'near', { units: [{ id: 'near-0' }] });
    for (const ms of [-600_000, 600_000]) {
      const time = await databaseTime();
      jump(ms);
      const dataDir = mkdtempSync(join(tmpdir(), 'wayzone-clock-'));
      const host = await startHost({ ...SETTINGS, databaseUrl: database.url, dataDir });
      const access = { companyId: 'near', userId: 'u', role: 'ADMIN' } as const;
      const token = await signToken(host.secret!, SETTINGS, access, time + 86_400_000);
      const post = async (at: number): Promise<unknown> => {
        const answer = await host.app.inject({
          method: 'POST',
          url: '/api_v1/positions',
          headers: { authorization: `Bearer ${token}` },
          payload: [{ unit_id: 'near-0', time: at, lon: 30, lat: 60 }],
        });
        return answer.json();
      };
      expect(await post(time)).toMatchObject({ taken: 1, errors: [] });
      expect(await post(time + 7_200_000)).toMatchObject({ taken: 0, errors: [{ reason: 'time-range' }] });
      vi.restoreAllMocks();
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
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
