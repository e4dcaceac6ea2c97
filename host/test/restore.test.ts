import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { needs, POSTGRES_PATH, POSTGRESQL } from '../../test/needs.js';
import { databaseEpoch } from '../src/storage/databaseClock.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { NOW, ownPostgres, testHost } from './testHost.js';

/** The way of `docs/host/production.md`: a dump of the running host, restored into an empty database, has everything. */

needs(POSTGRESQL).test(
  'a dump that is restored has equal zones, units, events and keys (needs PostgreSQL)',
  async () => {
    const database = await ownPostgres();
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-dump-'));
    const first = await testHost(database.storage);
    const companyId = await first.company();
    const admin = await first.as(companyId, 'ADMIN');
    const zones = Array.from({ length: 200 }, (_, i) => ({
      name: `Yard ${i} «Юг»`,
      type: { key: 'circle' },
      geometry: [[30 + i / 50, 60]],
      width: 500 + i,
    }));
    for (const zone of zones) expect((await admin.send('POST', '/geozones', zone)).status).toBe(200);
    const { body: unit } = await admin.send('POST', '/units', { name: 'Van' });
    const { id } = unit as { id: string };
    const fixes = Array.from({ length: 50 }, (_, i) => ({
      unit_id: id,
      time: NOW - 3_600_000 + i * 60_000,
      lon: 30 + 0.02 * Math.sin(i / 2),
      lat: 60,
    }));
    expect((await admin.send('POST', '/positions', fixes)).status).toBe(200);
    await admin.send('POST', '/users/u7/create_token', { valid_to: String(NOW + 86_400_000) });
    const urls = [
      '/geozones',
      '/units',
      '/keys',
      `/units/${id}/visits?from=${NOW - 3_600_000}&to=${NOW}`,
      '/positions/30,60/geozones',
    ];
    const before = await Promise.all(urls.map(async (url) => (await admin.send('GET', url)).body as unknown));
    const { headers } = await admin.send('GET', '/geozones');
    const epoch = await databaseEpoch(database.storage.db);

    const url = new URL(database.url!);
    const socket = url.searchParams.get('host')!;
    const run = (program: string, ...args: string[]): void =>
      void execFileSync(join(POSTGRES_PATH, program), ['-h', socket, '-U', 'wayzone', ...args], {
        stdio: 'pipe',
      });
    // The host runs meanwhile.
    run('pg_dump', '--format=custom', '--file', join(folder, 'wayzone.dump'), 'postgres');
    await first.close();
    run('createdb', 'restored');
    run('pg_restore', '--exit-on-error', '--no-owner', '--dbname', 'restored', join(folder, 'wayzone.dump'));

    url.pathname = '/restored';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query('analyze');
    await client.end();
    const storage = await postgresStorage(url.href);
    const second = await testHost(storage);
    const again = await second.as(companyId, 'ADMIN');
    const after = await Promise.all(urls.map(async (one) => (await again.send('GET', one)).body as unknown));
    expect(after).toEqual(before);
    expect((after[0] as unknown[]).length).toBe(200);
    expect(await databaseEpoch(storage.db)).not.toBe(epoch);
    // A client of the former database reads the list anew, although the version is the same.
    const read = await again.send('GET', '/geozones', undefined, {
      'if-none-match': String(headers['etag']),
    });
    expect(read.status).toBe(200);
    // The stream goes on.
    const more = fixes.map((fix) => ({ ...fix, time: fix.time + 30_000 }));
    expect((await again.send('POST', '/positions', more)).body).toMatchObject({ taken: 50 });
    await second.close();
    database.remove();
    rmSync(folder, { recursive: true });
  },
);
