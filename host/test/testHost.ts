/** A host with its own database. Tests send requests without a port. */

import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { needs, POSTGRES_PATH, POSTGRESQL } from '../../test/needs.js';
import { PATIENCE_MS } from '../../test/patience.js';
import { LONG } from '../../test/volume.js';
import type { Role } from '../src/auth/roles.js';
import { signToken } from '../src/auth/tokens.js';
import { readSettings, type Settings } from '../src/settings.js';
import { type Host, startHost } from '../src/startHost.js';
import { databaseOf, PARSERS, storageOf } from '../src/storage/embeddedStorage.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { migrate, type Storage } from '../src/storage/storage.js';
import { checkAnswer } from './checkAnswer.js';
import { emptied, type Pristine, pristineOf } from './emptied.js';

/** 2026-03-02 12:00 UTC. */
export const NOW: number = Date.UTC(2026, 2, 2, 12);
const SECRET = 'a secret of the tests, 32 bytes long';
// The clocks of the tests and of the stream stand still.
export const SETTINGS: Settings = readSettings({
  TOKEN_SECRET: SECRET,
  TICK_SECONDS: '0',
  DELIVERY_SECONDS: '0',
  // Receivers of the tests.
  DELIVERY_NETWORKS: '127.0.0.0/8',
  LOG_LEVEL: 'silent',
});

export interface Answer {
  readonly status: number;
  readonly body: never;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Caller {
  readonly companyId: string;
  readonly headers: Readonly<Record<string, string>>;
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
  /** Sends requests with a token of that company and role; `null` for no token. */
  as(companyId: string, role: Role | null, expiresAt?: number, userId?: string): Promise<Caller>;
  close(): Promise<void>;
}

export async function testHost(storage: Storage, settings: Partial<Settings> = {}): Promise<TestHost> {
  // Saved files of large companies.
  const dataDir = mkdtempSync(join(tmpdir(), 'wayzone-data-'));
  const host = await startHost({ ...SETTINGS, dataDir, ...settings }, () => NOW, storage);
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
    async as(companyId, role, expiresAt = NOW + 3_600_000, userId = 'u') {
      const token =
        role === null
          ? null
          : await signToken(host.secret!, SETTINGS, { companyId, userId, role }, expiresAt);
      const own = token === null ? {} : { authorization: `Bearer ${token}` };
      return {
        companyId,
        headers: own,
        async send(method, url, body, headers = {}) {
          const answer = await host.app.inject({
            method: method as 'GET',
            url: `/api_v1${url}`,
            headers: { ...own, ...headers },
            ...(body === undefined ? {} : { payload: body as object }),
          });
          await checkAnswer(host.app, method, url, answer);
          const isJson = /[/+]json/.test(String(answer.headers['content-type']));
          return {
            status: answer.statusCode,
            body: (isJson && answer.body !== '' ? JSON.parse(answer.body) : answer.body) as never,
            headers: answer.headers,
          };
        },
      };
    },
    async close() {
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Database {
  readonly storage: Storage;
  /** The address of PostgreSQL; `null` for an embedded database. */
  readonly url: string | null;
  /** Stops and starts the server. PostgreSQL only. */
  stop(): void;
  start(): void;
  /** Sends SIGKILL to all processes of the server. PostgreSQL only. */
  kill(): void;
  /** The server's log so far. PostgreSQL only. */
  serverLog(): string;
  remove(): void;
}

const MANIFEST = resolve(import.meta.dirname, '../package.json');
const PROGRAM = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
const CACHE = resolve(import.meta.dirname, '../../out/pglite');
/** The schema, as a part of names: databases made by other migrations are not used. */
const SCHEMA = createHash('sha256')
  .update(readFileSync(resolve(import.meta.dirname, '../src/storage/migrations.ts')))
  .digest('hex')
  .slice(0, 12);

let made: Promise<PGliteOptions> | undefined;

/** The start of a database with its tables and no rows, which takes a tenth of the time of a new one. Read and compiled once for a process. */
export function emptyDatabase(): Promise<PGliteOptions> {
  made ??= Promise.all([emptyDump(), compiledProgram()]).then(([loadDataDir, pgliteWasmModule]) => ({
    loadDataDir,
    pgliteWasmModule,
  }));
  return made;
}

/** The types of Node do not have `WebAssembly`. */
function compiledProgram(): Promise<NonNullable<PGliteOptions['pgliteWasmModule']>> {
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { compile(bytes: Uint8Array): ReturnType<typeof compiledProgram> };
  };
  return WebAssembly.compile(readFileSync(PROGRAM));
}

async function emptyDump(): Promise<Blob> {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { dependencies: Record<string, string> };
  const file = join(CACHE, `${manifest.dependencies['@electric-sql/pglite']}-${SCHEMA}.tar`);
  if (!existsSync(file)) {
    const fresh = new PGlite();
    await fresh.waitReady;
    await migrate(databaseOf(fresh));
    // Uncompressed: each start reads it.
    const copy = await fresh.dumpDataDir('none');
    await fresh.close();
    mkdirSync(CACHE, { recursive: true });
    const own = `${file}.${process.pid}.${randomUUID()}`;
    writeFileSync(own, Buffer.from(await copy.arrayBuffer()));
    renameSync(own, file);
  }
  return new Blob([readFileSync(file)]);
}

/** Embedded databases of this process that are closed and empty. */
const idle: PGlite[] = [];
let pristine: Pristine | undefined;

/** PGlite in memory: a database that an earlier test has closed, emptied, or a new one. */
export async function embedded(): Promise<Database> {
  const pglite = idle.pop() ?? (await PGlite.create({ ...(await emptyDatabase()), parsers: PARSERS }));
  pristine ??= await pristineOf(pglite);
  const start = pristine;
  let isOpen = true;
  const stops: (() => Promise<void>)[] = [];
  const storage = storageOf({
    query: (...query) => (isOpen ? pglite.query(...query) : Promise.reject(new Error('PGlite is closed'))),
    async listen(channel, callback) {
      const stop = await pglite.listen(channel, callback);
      stops.push(stop);
      return stop;
    },
    async close() {
      isOpen = false;
      for (const stop of stops) await stop();
      if (await emptied(pglite, start)) idle.push(pglite);
      else await pglite.close();
    },
  });
  const nothing = (): void => {};
  const serverLog = (): string => '';
  return { storage, url: null, stop: nothing, start: nothing, kill: nothing, serverLog, remove: nothing };
}

export interface Given {
  readonly database: Database;
  readonly hosted: TestHost;
}

const suite =
  (contract: (given: () => Given) => void, open: () => Promise<Database>, settings?: Partial<Settings>) =>
  (): void => {
    let given: Given | undefined;
    beforeAll(async () => {
      const database = await open();
      given = { database, hosted: await testHost(database.storage, settings) };
    });
    afterAll(async () => {
      await given?.hosted.close();
      given?.database.remove();
    });
    contract(() => given!);
  };

/** Runs the same tests on the embedded database and on PostgreSQL. Call `given` only after `beforeAll`. */
export function onBothDatabases(contract: (given: () => Given) => void, settings?: Partial<Settings>): void {
  describe('on the embedded database', suite(contract, embedded, settings));
  needs(POSTGRESQL).describe('on PostgreSQL (needs PostgreSQL)', suite(contract, ownPostgres, settings));
}

/** For tests of rules above the database: the long run has both databases, the ordinary one PostgreSQL, or the embedded one where it is missing. */
export function onADatabase(contract: (given: () => Given) => void, settings?: Partial<Settings>): void {
  if (LONG) onBothDatabases(contract, settings);
  else if (POSTGRESQL.isThere) describe('on PostgreSQL', suite(contract, ownPostgres, settings));
  else describe('on the embedded database', suite(contract, embedded, settings));
}

/** Runs a program of PostgreSQL, which refuses to run as root, and returns what it prints. */
function asOwner(command: string, ...args: string[]): string {
  const path = join(POSTGRES_PATH, command);
  const own = isRoot() ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', path] : [path];
  return execFileSync(own[0]!, [...own.slice(1), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** A new folder of PostgreSQL's user. */
function ownerFolder(base: string): string {
  const folder = mkdtempSync(join(base, 'wayzone-host-'));
  if (isRoot()) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    );
    chownSync(folder, uid!, gid!);
  }
  return folder;
}

const CLUSTERS = resolve(import.meta.dirname, '../../out/postgres');

/** The folder of a stopped cluster with the tables and no rows. Copying it takes a twentieth of the time of `initdb` and the migrations. */
async function emptyCluster(): Promise<string> {
  const cluster = join(CLUSTERS, `${asOwner('initdb', '--version').replaceAll(/[^\w.]+/g, '-')}-${SCHEMA}`);
  if (existsSync(cluster)) return cluster;
  const folder = ownerFolder(tmpdir());
  const data = join(folder, 'data');
  initCluster(data);
  control(data, '-l', join(folder, 'log'), '-o', serverOptions(folder), 'start');
  try {
    await (await postgresStorage(urlOf(folder))).close();
  } finally {
    control(data, '-m', 'fast', 'stop');
  }
  mkdirSync(CLUSTERS, { recursive: true });
  const own = `${cluster}.${process.pid}.${randomUUID()}`;
  copyCluster(data, own);
  rmSync(folder, { recursive: true });
  try {
    renameSync(own, cluster);
  } catch (error) {
    // Another worker was first.
    if (!existsSync(cluster)) throw error;
    rmSync(own, { recursive: true });
  }
  return cluster;
}

const initCluster = (data: string, ...more: string[]): string =>
  asOwner('initdb', '-D', data, '-A', 'trust', '-U', 'wayzone', '--no-sync', ...more);

/** Keeps owners and permissions. */
const copyCluster = (from: string, to: string): Buffer => execFileSync('cp', ['-a', from, to]);

/** Few small segments, so that a small disk holds them. */
const SMALL_WAL = '-c max_wal_size=4MB -c min_wal_size=2MB';

const serverOptions = (folder: string): string => `-k ${folder} -c listen_addresses='' -c fsync=off`;

/** `pg` takes the folder of the socket from the query of the address. */
const urlOf = (folder: string): string =>
  `postgres://wayzone@localhost/postgres?host=${encodeURIComponent(folder)}`;

const control = (data: string, ...args: string[]): void =>
  void asOwner('pg_ctl', '-D', data, '-w', '-t', String(PATIENCE_MS / 1000), ...args);

/**
 * Starts a PostgreSQL cluster with a socket in its own folder inside `base`. Its write-ahead log (`pg_wal`) is there too, or in
 * `walFolder`.
 */
export async function ownPostgres(base: string = tmpdir(), walFolder?: string): Promise<Database> {
  const folder = ownerFolder(base);
  const data = join(folder, 'data');
  if (walFolder === undefined) copyCluster(await emptyCluster(), data);
  else initCluster(data, '-X', join(walFolder, 'pg_wal'), '--wal-segsize=1');
  const options = `${serverOptions(folder)} ${walFolder === undefined ? '' : SMALL_WAL}`;
  const start = (): void => control(data, '-l', join(folder, 'log'), '-o', options, 'start');
  const stop = (): void => control(data, '-m', 'immediate', 'stop');
  start();
  const remove = (): void => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = urlOf(folder);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    const kill = (): void => killPostgres(data);
    const serverLog = (): string => readFileSync(join(folder, 'log'), 'utf8');
    return { storage: await postgresStorage(url), url, stop, start, kill, serverLog, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Sends SIGKILL to the server's first process and its children. */
function killPostgres(data: string): void {
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number);
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}
