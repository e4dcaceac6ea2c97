/** A host over a database of its own, asked without a port. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { POSTGRES_PATH } from '../../test/needs.js';
import type { Role } from '../src/auth/roles.js';
import { signToken } from '../src/auth/tokens.js';
import { readSettings, type Settings } from '../src/settings.js';
import { type Host, startHost } from '../src/start.js';
import { embeddedStorage } from '../src/storage/embeddedStorage.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import type { Storage } from '../src/storage/storage.js';

/** 2026-03-02 12:00 UTC. */
export const NOW: number = Date.UTC(2026, 2, 2, 12);
const SECRET = 'a secret of the tests, 32 bytes long';
const SETTINGS: Settings = readSettings({ TOKEN_SECRET: SECRET });

export interface Answer {
  readonly status: number;
  readonly body: never;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Caller {
  readonly companyId: string;
  send(
    method: string,
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

export interface TestHost {
  readonly host: Host;
  /** Adds a company. */
  company(): Promise<string>;
  /** Sends requests with a token of that company and role; null: without a token. */
  as(companyId: string, role: Role | null): Promise<Caller>;
  close(): Promise<void>;
}

export async function testHost(storage: Storage): Promise<TestHost> {
  const host = await startHost(SETTINGS, () => NOW, storage);
  return {
    host,
    async company() {
      const id = randomUUID();
      await storage.db
        .insertInto('companies')
        .values({ id, name: 'Test', time_zone: 'Europe/Moscow', zones_version: 0, properties: '{}' })
        .execute();
      return id;
    },
    async as(companyId, role) {
      const token =
        role === null
          ? null
          : await signToken(host.secret!, SETTINGS, { companyId, userId: 'u', role }, NOW + 3_600_000);
      return {
        companyId,
        async send(method, url, body, headers = {}) {
          const answer = await host.app.inject({
            method: method as 'GET',
            url: `/api_v1${url}`,
            headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
            ...(body === undefined ? {} : { payload: body as object }),
          });
          const isJson = String(answer.headers['content-type']).includes('json');
          return {
            status: answer.statusCode,
            body: (isJson && answer.body !== '' ? JSON.parse(answer.body) : answer.body) as never,
            headers: answer.headers,
          };
        },
      };
    },
    close: () => host.close(),
  };
}

export const embedded = (): Promise<{ storage: Storage; remove(): void }> =>
  embeddedStorage(null).then((storage) => ({ storage, remove: () => {} }));

/** A PostgreSQL cluster of its own, on a socket in a folder of its own. */
export async function ownPostgres(): Promise<{ storage: Storage; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-host-'));
  const isRoot = process.getuid?.() === 0;
  const asOwner = (command: string, ...args: string[]): void => {
    const path = join(POSTGRES_PATH, command);
    const own = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', path] : [path];
    execFileSync(own[0]!, [...own.slice(1), ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  // PostgreSQL refuses to run as root.
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    );
    chownSync(folder, uid!, gid!);
  }
  const data = join(folder, 'data');
  asOwner('initdb', '-D', data, '-A', 'trust', '-U', 'wayzone', '--no-sync');
  const options = `-k ${folder} -c listen_addresses='' -c fsync=off`;
  asOwner('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  const remove = (): void => {
    asOwner('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // `pg` reads the socket's folder from the address's query.
    const url = `postgres://wayzone@localhost/postgres?host=${encodeURIComponent(folder)}`;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    return { storage: await postgresStorage(url), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
