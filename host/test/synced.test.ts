import fs, { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { embeddedStorage } from '../src/storage/embeddedStorage.js';
import { emptyDatabase } from './testHost.js';

/** The embedded database syncs its write-ahead log at each commit. `powerCut.test.ts` cuts the power. */

/** The files that are synced while `work` runs. */
async function syncedBy(work: () => Promise<void>): Promise<string[]> {
  const real = fs.fsyncSync;
  const paths: string[] = [];
  fs.fsyncSync = (descriptor) => {
    real(descriptor);
    paths.push(readlinkSync(`/proc/self/fd/${descriptor}`));
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.fsyncSync = real;
    syncBuiltinESMExports();
  }
  return paths;
}

test('each commit syncs the write-ahead log before it is answered; reads sync nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-synced-'));
  try {
    let opened: Awaited<ReturnType<typeof embeddedStorage>> | undefined;
    const created = await syncedBy(async () => {
      opened = await embeddedStorage(folder, await emptyDatabase());
    });
    expect(created).toContain(folder);
    expect(created).toContain(join(folder, 'database/global/pg_control'));
    const { db } = opened!;
    await sql`create table counted (n int)`.execute(db);
    const logs = async (work: () => Promise<void>): Promise<number> => {
      const paths = await syncedBy(work);
      return paths.filter((path) => basename(dirname(path)) === 'pg_wal').length;
    };
    const writes = await logs(async () => {
      for (let n = 0; n < 20; n++) await sql`insert into counted values (${n})`.execute(db);
    });
    expect(writes).toBeGreaterThanOrEqual(20);
    const oneWrite = await logs(() =>
      db.transaction().execute(async (trx) => {
        for (let n = 0; n < 20; n++) await sql`insert into counted values (${n})`.execute(trx);
      }),
    );
    expect(oneWrite).toBeGreaterThanOrEqual(1);
    expect(oneWrite).toBeLessThan(20);
    // Reads of rows whose visibility is known by then.
    await sql`vacuum counted`.execute(db);
    expect(
      await logs(async () => {
        for (let n = 0; n < 20; n++) await sql`select count(*) from counted`.execute(db);
      }),
    ).toBe(0);
    await opened!.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
