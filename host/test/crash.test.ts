import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { survives } from './crash/survives.js';
import { ownPostgres } from './testHost.js';

/** Kills the host (SIGKILL) at random instants during writes, `WAYZONE_KILLS` times. `npm run crash -w host` kills it 200 times. */

const KILLS = Number(process.env['WAYZONE_KILLS'] ?? 3);

test('the embedded database loses no acknowledged write and emits each event once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-host-'));
  try {
    await survives({ DATA_DIR: join(folder, 'data') }, Math.ceil(KILLS / 3));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

needs(POSTGRESQL).test(
  'PostgreSQL loses no acknowledged write and emits each event once (needs PostgreSQL)',
  async () => {
    const database = await ownPostgres();
    try {
      await survives({ DATABASE_URL: database.url! }, KILLS);
    } finally {
      await database.storage.close();
      database.remove();
    }
  },
);
