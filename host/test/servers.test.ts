/** A host of two databases on two servers: each company is in one of them, whatever is sent, killed, or missing. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { PATIENCE_MS } from '../../test/patience.js';
import { accessCommand } from '../src/accessCommand.js';
import type { Role } from '../src/auth/roles.js';
import { signInLink } from '../src/auth/signInLinks.js';
import { signToken } from '../src/auth/tokens.js';
import { setAsideHost } from '../src/setAsideHost.js';
import { readSettings, type Settings } from '../src/settings.js';
import { type Hosts, startHosts } from '../src/startHosts.js';
import { startWorkerHost } from '../src/workerHost.js';
import { errorOfAsync } from './errorOfAsync.js';
import { SAMPLES } from './samples.js';
import { type Answer, type Caller, type Database, NOW, ownPostgres, SETTINGS } from './testHost.js';

const NAMES = ['main', 'east'] as const;
type Name = (typeof NAMES)[number];
/** Also after the clock of this machine. */
const LATER = NOW + 10 * 365 * 86_400_000;
const SECRET = 'a secret of the tests, 32 bytes long';
const bytes = new TextEncoder().encode(SECRET);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('expected an end of waiting, received none');
    await sleep(50);
  }
}

test('DATABASES has names and addresses, each once, and no DATABASE_URL beside it', () => {
  const read = (text: string, url?: string): unknown => {
    try {
      return readSettings({ DATABASES: text, ...(url === undefined ? {} : { DATABASE_URL: url }) }).databases;
    } catch (error) {
      const { code, field, message } = error as { code: string; field: string; message: string };
      return [code, field, message];
    }
  };
  expect(read(' main=postgres://u:p@a/x\n east=postgresql://b/y ')).toEqual([
    { name: 'main', url: 'postgres://u:p@a/x' },
    { name: 'east', url: 'postgresql://b/y' },
  ]);
  expect(read('')).toEqual([]);
  const wrong = (text: string, received: string, url?: string): void => {
    expect(read(text, url)).toEqual(['option-value', 'DATABASES', expect.stringContaining(received)]);
    // The address may hold a password.
    expect(JSON.stringify(read(text, url))).not.toContain('secret');
  };
  wrong('main=http://secret@a/x', 'main in another form');
  wrong('postgres://secret@a/x', 'a pair in another form');
  wrong('Main=postgres://secret@a/x', 'a pair in another form');
  wrong('a=postgres://secret@a/x a=postgres://secret@b/x', 'a twice');
  wrong('a=postgres://secret@a/x b=postgres://secret@a/x', 'that of a for b too');
  wrong('a=postgres://secret@a/x', 'both', 'postgres://secret@b/x');
});

/** Processes of a killed server end a little later than its first one. */
const restart = (database: Database): Promise<void> =>
  until(async () => {
    try {
      database.start();
      return true;
    } catch {
      return false;
    }
  });

needs(POSTGRESQL).describe('two servers (needs PostgreSQL)', () => {
  let databases: Record<Name, Database>;
  let settings: Settings;
  let hosts: Hosts;
  let url: string;
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-servers-'));

  beforeAll(async () => {
    const [main, east] = await Promise.all([ownPostgres(), ownPostgres()]);
    databases = { main, east };
    settings = {
      ...SETTINGS,
      isFollowing: false,
      dataDir: folder,
      databases: NAMES.map((name) => ({ name, url: databases[name].url! })),
    };
    hosts = await startHosts(settings, () => NOW);
    url = await hosts.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await hosts?.close();
    for (const one of Object.values(databases ?? {})) {
      await one.storage.close();
      one.remove();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const company = async (name: Name, id: string = randomUUID()): Promise<string> => {
    await databases[name].storage.db
      .insertInto('companies')
      .values({ id, name: 'Test', time_zone: 'UTC', zones_version: 0, properties: '{}' })
      .execute();
    return id;
  };
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    at = url,
  ): Promise<Answer> => {
    const type = typeof body === 'string' || body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${at}${path}`, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined
        ? {}
        : { body: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as never,
      headers: Object.fromEntries(answer.headers),
    };
  };
  const tokenFor = (companyId: string, role: Role = 'ADMIN', companies?: string[]): Promise<string> =>
    signToken(
      bytes,
      settings,
      { companyId, userId: 'u', role, ...(companies === undefined ? {} : { companies }) },
      LATER,
    );
  const as = async (companyId: string, companies?: string[], at = url): Promise<Caller> => {
    const own = { authorization: `Bearer ${await tokenFor(companyId, 'SUPERVISOR', companies)}` };
    return {
      companyId,
      headers: own,
      send: (method, path, body, headers = {}) =>
        request(method, `/api_v1${path}`, body, { ...own, ...headers }, at),
    };
  };
  /** The companies that any row of the database is of, and the units of its fixes. */
  const tracesOf = async (name: Name): Promise<Set<string>> => {
    const { db } = databases[name].storage;
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('company_id', 'unit_id', 'owner_id')`.execute(db);
    const traces = new Set<string>();
    for (const { table, column } of columns) {
      const { rows } = await sql<{ id: string | null }>`
        select distinct ${sql.ref(column)} as id from ${sql.table(table)}`.execute(db);
      for (const { id } of rows) if (id !== null) traces.add(id);
    }
    return traces;
  };

  test('every operation that writes writes the database of its company alone', async () => {
    const callers = await Promise.all(
      NAMES.map(async (name) => [name, await as(await company(name))] as const),
    );
    // Those that only read use the same connections.
    const writing = Object.keys(SAMPLES).filter(
      (name) => !/^get |filter$|export|suggest|tracks|match$/.test(name),
    );
    expect(writing.length).toBeGreaterThan(40);
    for (const name of writing) {
      const [method = '', path = ''] = name.split(' ');
      const answers: number[] = [];
      for (const [, caller] of callers) {
        const sample = await SAMPLES[name]!(caller);
        const { status } = await caller.send(method.toUpperCase(), sample.url, sample.body, sample.headers);
        answers.push(status);
      }
      expect([path, answers]).toEqual([path, [answers[0], answers[0]]]);
    }
    const units = new Map<Name, string[]>();
    for (const [name, caller] of callers) {
      const { body } = await caller.send('GET', '/units');
      units.set(
        name,
        (body as { id: string }[]).map(({ id }) => id),
      );
      expect(units.get(name)!.length).toBeGreaterThan(0);
    }
    const [main, east] = [await tracesOf('main'), await tracesOf('east')];
    const [[, a], [, b]] = callers as [(typeof callers)[number], (typeof callers)[number]];
    expect([main.has(a.companyId), main.has(b.companyId)]).toEqual([true, false]);
    expect([east.has(a.companyId), east.has(b.companyId)]).toEqual([false, true]);
    for (const id of units.get('main')!) expect(east.has(id)).toBe(false);
    for (const id of units.get('east')!) expect(main.has(id)).toBe(false);
  });

  test('keys, tickets, links and device keys lead to the database of their company', async () => {
    for (const name of NAMES) {
      const caller = await as(await company(name));
      const key = await caller.send('POST', '/users/x/create_token', { valid_to: String(NOW + 86_400_000) });
      const text = (key.body as { user_company_api_key: string }).user_company_api_key;
      const me = await request('GET', '/api_v1/me', undefined, { user_company_api_key: text });
      expect([me.status, (me.body as { active_company: { id: string } }).active_company.id]).toEqual([
        200,
        caller.companyId,
      ]);

      const link = (
        await signInLink(
          '',
          bytes,
          settings,
          { companyId: caller.companyId, userId: 'u', role: 'ADMIN' },
          NOW,
        )
      ).split('#once=')[1];
      const signedIn = await request('POST', '/map/sign-in', { link });
      expect(signedIn.status).toBe(200);
      expect((await request('POST', '/map/sign-in', { link })).status).toBe(401);

      const unit = await caller.send('POST', '/units', { name: 'A', device_key: `key of ${name}` });
      expect(unit.status).toBe(200);
      const fix = `lat=60&lon=30&timestamp=${NOW / 1000}`;
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await request('POST', '/api_v1/osmand', `id=key of ${name}&${fix}`, form)).body).toEqual({
        taken: 1,
      });
      const unitId = (unit.body as { id: string }).id;
      const { rows } = await sql<{
        unit_id: string;
      }>`select unit_id from fixes where unit_id = ${unitId}`.execute(databases[name].storage.db);
      expect(rows).toHaveLength(1);

      const { ticket } = (await caller.send('POST', '/tickets')).body as { ticket: string };
      const stream = await fetch(`${url}/api_v1/events?ticket=${ticket}`, {
        headers: { accept: 'text/event-stream' },
      });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ]);
      await stream.body!.cancel();
      const locator = await caller.send('POST', '/locators', {
        unit: { id: unitId },
        expires: '2026-03-02 18:00:00',
      });
      const { ticket: second } = (await caller.send('POST', '/tickets')).body as { ticket: string };
      const socket = new WebSocket(
        `${url.replace('http', 'ws')}/api_v1/locator/${(locator.body as { id: string }).id}?ticket=${second}`,
      );
      const message = await new Promise<string>((resolve, reject) => {
        socket.on('message', (data: Buffer) => resolve(String(data)));
        socket.on('error', reject);
        socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
      });
      expect(JSON.parse(message)).toMatchObject({ unit_name: 'A', _marker_latlon: [60, 30] });
      socket.close();
    }
  });

  test('what is of two databases, or of none, is refused by its code and field', async () => {
    const [a, b] = [await company('main'), await company('east')];
    expect((await (await as(randomUUID())).send('GET', '/me')).status).toBe(401);
    expect((await request('GET', '/api_v1/me', undefined, { user_company_api_key: 'nobody' })).status).toBe(
      401,
    );
    expect((await request('GET', '/api_v1/me')).status).toBe(401);
    expect((await request('GET', '/api_v1/osmand?id=nobody&lat=1&lon=1')).status).toBe(401);
    const both = await (await as(a, [b])).send('GET', '/units');
    expect([both.status, both.body]).toEqual([
      403,
      { code: 403, field: 'companies', message: expect.stringContaining(`received ${b} of east`) },
    ]);
    // A company that no database has is no other's.
    expect((await (await as(a, [randomUUID()])).send('GET', '/units')).status).toBe(200);
    const twice = await company('main');
    await company('east', twice);
    const refused = await (await as(twice)).send('GET', '/units');
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      503,
      '5',
      { code: 503, field: 'company_id', message: expect.stringContaining('received main and east') },
    ]);
    for (const [name, id] of [
      ['main', a],
      ['east', b],
    ] as const) {
      const unit = { name: 'A', device_key: 'twin' };
      expect([name, (await (await as(id)).send('POST', '/units', unit)).status]).toEqual([name, 200]);
    }
    const fix = await request('GET', `/api_v1/osmand?id=twin&lat=60&lon=30&timestamp=${NOW / 1000}`);
    expect([fix.status, fix.body]).toEqual([
      422,
      { code: 422, field: 'id', message: expect.stringContaining('main and east') },
    ]);
  });

  test('companies are added to a named database', async () => {
    const add = (...more: string[]): Promise<string> =>
      accessCommand('company', settings, ['--name', 'New', ...more], NOW);
    const id = await add('--database', 'east');
    expect((await (await as(id)).send('GET', '/me')).status).toBe(200);
    expect((await tracesOf('main')).has(id)).toBe(false);
    expect(await errorOfAsync(add())).toMatchObject({ code: 'required', field: '--database' });
    expect(await errorOfAsync(add('--database', 'west'))).toMatchObject({
      code: 'database-unknown',
      field: '--database',
    });
    expect(await setAsideHost(settings, ['list', '--database', 'east'])).toEqual([]);
    expect(await errorOfAsync(setAsideHost(settings, ['list']))).toMatchObject({ code: 'required' });
  });

  test('while a server is away its companies wait, and the others go on', async () => {
    const [a, b] = [await as(await company('main')), await as(await company('east'))];
    for (const one of [a, b]) expect((await one.send('GET', '/units')).status).toBe(200);
    databases.east.kill();
    const away = await b.send('GET', '/units');
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
    for (let i = 0; i < 5; i++)
      expect((await a.send('POST', '/units', { name: `${i}`, device_key: `away ${i}` })).status).toBe(200);
    // Nobody knows whose it is: to be asked again.
    const unknown = await (await as(randomUUID())).send('GET', '/units');
    expect([
      unknown.status,
      unknown.headers['retry-after'],
      (unknown.body as { field: string }).field,
    ]).toEqual([503, '5', 'PostgreSQL']);
    const ready = await request('GET', '/ready');
    expect([ready.status, ready.body]).toMatchObject([
      200,
      { status: 'degraded', databases: { main: { database: 'ok' }, east: { status: 'unavailable' } } },
    ]);
    const { body: metrics } = (await request('GET', '/metrics')) as { body: string };
    expect(metrics).toContain('wayzone_database_up{database="main"} 1');
    expect(metrics).toContain('wayzone_database_up{database="east"} 0');
    expect(metrics).toMatch(/wayzone_http_request_seconds_count\{[^}]*database="east"/);
    expect(metrics.match(/^# HELP wayzone_http_request_seconds /gm)).toHaveLength(1);

    // A process that starts meanwhile has the other database, and this one as soon as it answers.
    const second = await startHosts({ ...settings, dataDir: join(folder, 'second') }, () => NOW);
    const at = await second.listen({ host: '127.0.0.1', port: 0 });
    const [ofA, ofB] = [await as(a.companyId, undefined, at), await as(b.companyId, undefined, at)];
    expect((await ofA.send('GET', '/units')).status).toBe(200);
    expect((await ofB.send('GET', '/units')).status).toBe(503);
    expect((await request('GET', '/ready', undefined, {}, at)).body).toMatchObject({
      databases: { main: { database: 'ok' }, east: { status: 'unavailable', database: 'server-away' } },
    });
    await restart(databases.east);
    await until(async () => (await ofB.send('GET', '/units')).status === 200);
    await until(async () => (await b.send('GET', '/units')).status === 200);
    expect((await request('GET', '/ready')).status).toBe(200);
    await second.close();
  });

  test('one worker process follows the units of both, also beside a server that is away', async () => {
    const apis = await startHosts({ ...settings, dataDir: join(folder, 'apis') });
    const at = await apis.listen({ host: '127.0.0.1', port: 0 });
    const worker = await startWorkerHost({ ...settings, metricsPort: 0 });
    const callers = [
      await as(await company('main'), undefined, at),
      await as(await company('east'), undefined, at),
    ];
    const start = Date.now() - 3_600_000;
    let minute = 0;
    /** Passes the zone. */
    const pass = async (caller: Caller): Promise<number> => {
      const fixes = [29.98, 30, 30.02].map((lon, i) => ({
        device_key: caller.companyId,
        lon,
        lat: 60,
        time: start + 60_000 * (minute + i),
      }));
      return (await caller.send('POST', '/positions', fixes)).status;
    };
    const eventsOf = async (name: Name, { companyId }: Caller): Promise<number> => {
      const { rows } = await sql`select 1 from events where company_id = ${companyId}`.execute(
        databases[name].storage.db,
      );
      return rows.length;
    };
    for (const caller of callers) {
      const zone = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 200 };
      expect((await caller.send('POST', '/geozones', zone)).status).toBe(200);
      expect((await caller.send('POST', '/units', { name: 'A', device_key: caller.companyId })).status).toBe(
        200,
      );
    }
    for (let round = 0; round < 3; round++) {
      const before = [await eventsOf('main', callers[0]!), await eventsOf('east', callers[1]!)];
      for (const caller of callers) expect(await pass(caller)).toBe(200);
      await until(
        async () =>
          (await eventsOf('main', callers[0]!)) > before[0]! &&
          (await eventsOf('east', callers[1]!)) > before[1]!,
      );
      minute += 3;
      databases.east.kill();
      const alone = await eventsOf('main', callers[0]!);
      expect(await pass(callers[0]!)).toBe(200);
      expect(await pass(callers[1]!)).toBe(503);
      await until(async () => (await eventsOf('main', callers[0]!)) > alone);
      await restart(databases.east);
      await until(async () => (await pass(callers[1]!)) === 200);
      minute += 3;
    }
    for (const [i, name] of NAMES.entries()) {
      const other = NAMES[1 - i]!;
      const { companyId } = callers[i]!;
      expect([name, (await tracesOf(name)).has(companyId), (await tracesOf(other)).has(companyId)]).toEqual([
        name,
        true,
        false,
      ]);
    }
    const { body } = await request('GET', '/metrics', undefined, {}, worker.url!);
    for (const name of NAMES)
      expect(body).toMatch(new RegExp(`wayzone_fixes_total\\{database="${name}"\\} [1-9]`));
    await worker.close();
    await apis.close();
  });
});
