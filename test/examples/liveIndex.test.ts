import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveIndex, SCHEMA } from '../../examples/liveIndex.js';

/** A PostgreSQL server of its own, from Debian's packages, on a socket in a folder of its own. */

const PACKAGES = '/usr/lib/postgresql';
const version = existsSync(PACKAGES) ? readdirSync(PACKAGES).sort().at(-1) : undefined;
const isThere = version !== undefined && existsSync(join(PACKAGES, version, 'bin/initdb'));
const note = isThere ? '' : ' (skipped: no PostgreSQL)';

const folder = mkdtempSync(join(tmpdir(), 'wayzone-pg-'));
const data = join(folder, 'data');

/** PostgreSQL refuses to run as root. */
function asOwner(command: string, ...args: string[]): string {
  const path = join(PACKAGES, version!, 'bin', command);
  const isRoot = process.getuid?.() === 0;
  return isRoot
    ? execFileSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', path, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    : execFileSync(path, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
}

beforeAll(() => {
  if (!isThere) return;
  if (process.getuid?.() === 0) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    );
    chownSync(folder, uid!, gid!);
  }
  asOwner('initdb', '-D', data, '-A', 'trust', '-U', 'wayzone', '--no-sync');
  asOwner(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-k ${folder} -c listen_addresses='' -c fsync=off`,
    'start',
  );
}, 120_000);

afterAll(() => {
  if (isThere) asOwner('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
  rmSync(folder, { recursive: true, force: true });
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ host: folder, user: 'wayzone', database: 'postgres' });
  await client.connect();
  return client;
}

const zone = (id: string, lon: number, isDeleted = false): string =>
  JSON.stringify({
    id,
    name: id,
    type: { key: 'circle' },
    geometry: [[lon, 55]],
    width: 500,
    is_delete: isDeleted,
  });

test.runIf(isThere)(
  `an index follows its table, through inserts, edits, deletions and bad rows${note}`,
  async () => {
    const writer = await connected();
    await writer.query(SCHEMA);
    const insert = (id: string, lon: number, isDeleted = false): Promise<unknown> =>
      writer.query('INSERT INTO geozones VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = $2', [
        id,
        zone(id, lon, isDeleted),
      ]);
    await insert('a', 37);
    await insert('b', 38);

    const listener = await connected();
    const errors: unknown[] = [];
    const index = await liveIndex(listener, (error) => errors.push(error));
    expect([index.at([37, 55]), index.at([38, 55]), index.at([39, 55])]).toEqual([['a'], ['b'], []]);

    await insert('c', 39);
    await insert('a', 40);
    await insert('b', 38, true);
    await writer.query("INSERT INTO geozones VALUES ('bad', $1)", [zone('bad', 999)]);
    await insert('last', 41);
    await expect.poll(() => index.has('last'), { timeout: 10_000 }).toBe(true);
    expect(index.ids().sort()).toEqual(['a', 'c', 'last']);
    expect([index.at([37, 55]), index.at([40, 55])]).toEqual([[], ['a']]);
    expect(errors).toMatchObject([{ code: 'lon-range' }]);
    await writer.query("DELETE FROM geozones WHERE id = 'c'");
    await expect.poll(() => index.has('c'), { timeout: 10_000 }).toBe(false);
    await writer.query("UPDATE geozones SET id = 'new', body = $1 WHERE id = 'a'", [zone('new', 40)]);
    await expect.poll(() => index.ids().sort(), { timeout: 10_000 }).toEqual(['last', 'new']);
    await listener.end();
    await writer.end();
  },
);
