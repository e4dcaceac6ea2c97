import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { embeddedStorage } from '../src/storage/embeddedStorage.js';
import type { Storage } from '../src/storage/storage.js';
import { smallDisk } from './crash/smallDisk.js';
import { type Caller, emptyDatabase, ownPostgres, testHost } from './testHost.js';

/** On a full disk writes are answered 503 and reads still work. Writes work again when there is space. */

const clusterDisk = smallDisk('1m');
const embeddedDisk = smallDisk('256m');

afterAll(() => {
  clusterDisk.remove();
  embeddedDisk.remove();
});

/** About 60 kB of JSON per zone. */
function zone(name: string): object {
  const ring = Array.from({ length: 3000 }, (_, i) => {
    const angle = (i / 3000) * 2 * Math.PI;
    return [30 + Math.cos(angle) / 10, 60 + Math.sin(angle) / 10];
  });
  return { name, type: { key: 'polygon' }, geometry: ring };
}

async function fillAndGoOn(storage: Storage, makeRoom: () => void): Promise<void> {
  const hosted = await testHost(storage);
  const admin = await hosted.as(await hosted.company(), 'ADMIN');
  const names = async (): Promise<string[]> =>
    ((await admin.send('GET', '/geozones')).body as { name: string }[]).map(({ name }) => name);
  const stored: string[] = [];
  const write = async (): Promise<Awaited<ReturnType<Caller['send']>>> => {
    const name = `Zone ${stored.length}`;
    const answer = await admin.send('POST', '/geozones', zone(name));
    if (answer.status === 200) stored.push(name);
    return answer;
  };
  let answer = await write();
  while (answer.status === 200) answer = await write();
  expect(answer).toMatchObject({ status: 503, body: { code: 503, message: expect.any(String), field: '' } });
  expect(stored.length).toBeGreaterThan(3);
  // An import stores all zones or none.
  const many = Array.from({ length: 5 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Many ${i}` },
    geometry: { type: 'Polygon', coordinates: [(zone('') as { geometry: [number, number][] }).geometry] },
  }));
  const text = JSON.stringify({ type: 'FeatureCollection', features: many });
  const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.geojson"\r\n\r\n${text}\r\n--b--\r\n`;
  const imported = await admin.send('POST', '/geozones/import', form, {
    'content-type': 'multipart/form-data; boundary=b',
  });
  expect(imported.status).toBe(503);
  expect(await names()).toEqual(stored);
  makeRoom();
  expect((await write()).status).toBe(200);
  expect(await names()).toEqual(stored);
  expect(((await admin.send('GET', '/positions/30,60/geozones')).body as unknown[]).length).toBe(
    stored.length,
  );
  await hosted.close();
}

needs(clusterDisk.need, embeddedDisk.need).describe('on a full disk (needs root and tmpfs)', () => {
  needs(POSTGRESQL).test(
    'PostgreSQL’s writes are refused until there is room (needs PostgreSQL)',
    async () => {
      const { folder } = clusterDisk;
      const database = await ownPostgres();
      try {
        const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
        chownSync(folder, uid!, gid!);
        const { db } = database.storage;
        await sql`create tablespace small location ${sql.lit(folder)}`.execute(db);
        await sql`alter table geozones set tablespace small`.execute(db);
        await fillAndGoOn(database.storage, () => execFileSync('mount', ['-o', 'remount,size=64m', folder]));
      } finally {
        database.remove();
      }
    },
  );

  test('so are those of the embedded database', async () => {
    const { folder } = embeddedDisk;
    const storage = await embeddedStorage(join(folder, 'data'), await emptyDatabase());
    const { bavail, bsize } = statfsSync(folder);
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 1_000_000));
    await fillAndGoOn(storage, () => rmSync(ballast));
  });
});
