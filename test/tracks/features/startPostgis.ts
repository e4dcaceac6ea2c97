/** A PostgreSQL cluster with PostGIS in a folder of its own, without a network. */

import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSTGRES_PATH } from '../../needs.js';
import { PATIENCE_MS } from '../../patience.js';

export interface Postgis {
  /** Runs statements, of which the last one answers with one JSON value. */
  query(sql: string): unknown;
  stop(): void;
}

export function startPostgis(): Postgis {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-postgis-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const owner = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const run = (program: string, args: readonly string[], input: string | null = ''): string => {
    const [command, ...rest] = [...owner, join(POSTGRES_PATH, program), ...args];
    // A server that `pg_ctl` starts must not hold its pipes.
    const stdio = input === null ? ('ignore' as const) : ('pipe' as const);
    return execFileSync(command!, rest, {
      stdio,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      ...(input !== null && { input }),
    });
  };
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  run('initdb', ['-D', data, '-A', 'trust', '-U', 'wayzone', '--no-sync']);
  const options = `-k ${folder} -c listen_addresses='' -c fsync=off`;
  run(
    'pg_ctl',
    ['-D', data, '-w', '-t', String(PATIENCE_MS / 1000), '-l', join(folder, 'log'), '-o', options, 'start'],
    null,
  );
  const psql = ['-h', folder, '-U', 'wayzone', '-d', 'postgres', '-qtAX', '-v', 'ON_ERROR_STOP=1', '-f', '-'];
  run('psql', psql, 'create extension postgis;');
  return {
    query: (sql) => JSON.parse(run('psql', psql, sql)) as unknown,
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
