/** Starts a PostgreSQL cluster in a temporary folder for a bench, with Debian's programs and the server's defaults. */

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The address of the cluster, the id of its first process, and a function that removes it; `null` if PostgreSQL is not installed. */
export function startPostgres() {
  const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => b - a)[0] : undefined;
  if (version === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const run = (name, ...args) => {
    const command = [join(DEBIAN, version, 'bin', name), ...args];
    // PostgreSQL refuses to run as root.
    if (isRoot) command.unshift('setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups');
    execFileSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
    chownSync(folder, uid, gid);
  }
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-A', 'trust', '-U', 'wayzone');
  run(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-k ${folder} -c listen_addresses=''`,
    'start',
  );
  return {
    url: `postgres://wayzone@localhost/postgres?host=${encodeURIComponent(folder)}`,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    remove() {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
