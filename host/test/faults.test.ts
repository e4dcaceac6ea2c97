import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { LONG } from '../../test/volume.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { type Caller, type Database, NOW, ownPostgres, type TestHost, testHost } from './testHost.js';

/** The host under faults: a database that restarts, endless bodies, clients that read or send nothing. */

const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const IDLE = LONG ? 10_000 : 300;

needs(POSTGRESQL).describe('a host under faults (needs PostgreSQL)', () => {
  let database: Database;
  let hosted: TestHost;
  let admin: Caller;
  let port: number;
  beforeAll(async () => {
    database = await ownPostgres();
    hosted = await testHost(database.storage);
    port = Number(new URL(await hosted.host.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  beforeEach(async () => {
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });
  afterAll(async () => {
    await hosted?.close();
    database?.remove();
  });

  const inMemory = async (): Promise<number> =>
    ((await admin.send('GET', '/positions/30,60/geozones')).body as unknown[]).length;

  test('while PostgreSQL is unavailable, requests are answered 503; afterwards they succeed, and zones in memory are updated', async () => {
    const { body: unit } = await admin.send('POST', '/units', { name: 'Van', device_key: admin.companyId });
    const fix = (minute: number): object => ({
      unit_id: (unit as { id: string }).id,
      time: NOW - 3_600_000 + minute * 60_000,
      lon: 30,
      lat: 60,
    });
    expect((await admin.send('POST', '/geozones', ZONE)).status).toBe(200);
    expect((await admin.send('POST', '/positions', [fix(0)])).status).toBe(200);
    expect(await inMemory()).toBe(1);
    database.stop();
    const refused = await Promise.all([
      admin.send('POST', '/geozones', { ...ZONE, name: 'Lost' }),
      admin.send('POST', '/positions', [fix(1)]),
      admin.send('GET', '/trips'),
    ]);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 503, body: { code: 503, message: expect.any(String) } });
    // Requests that need only memory succeed.
    expect(await inMemory()).toBe(1);
    database.start();

    // The client repeats the request, as after every 503.
    let taken = await admin.send('POST', '/positions', [fix(1)]);
    for (; taken.status === 503; taken = await admin.send('POST', '/positions', [fix(1)])) await sleep(50);
    expect(taken.status).toBe(200);
    // Another process writes. This one is notified or compares the versions.
    const second = await testHost(await postgresStorage(database.url!));
    const there = await second.as(admin.companyId, 'ADMIN');
    expect((await there.send('POST', '/geozones', { ...ZONE, name: 'Caught up' })).status).toBe(200);
    while ((await inMemory()) < 2) await sleep(20);
    await second.close();
  });

  test('a restart of PostgreSQL during writes and reads loses no acknowledged write; index and lists agree afterwards', async () => {
    const stored: string[] = [];
    const others = new Set<number>();
    let isBack = false;
    const writer = async (n: number): Promise<void> => {
      for (let i = 0, after = 0; after < 3; i++) {
        const name = `${n}-${i}`;
        const { status, body } = await admin.send('POST', '/geozones', { ...ZONE, name });
        if (status === 200) stored.push(name);
        else expect([status, body]).toMatchObject([503, { code: 503, field: '' }]);
        if (status === 200 && isBack) after++;
      }
    };
    const reader = async (path: string): Promise<void> => {
      while (!isBack) others.add((await admin.send('GET', path)).status);
    };
    const load = Promise.all([writer(0), writer(1), writer(2), reader('/trips'), reader('/geozones')]);
    while (stored.length < 6) await sleep(5);
    database.stop();
    while (!others.has(503)) await sleep(5);
    database.start();
    isBack = true;
    await load;
    expect(others).toEqual(new Set([200, 503]));
    const rows = (await admin.send('GET', '/geozones')).body as { name: string }[];
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(stored));
    while ((await inMemory()) < rows.length) await sleep(20);
    const { body } = await admin.send('POST', '/geozones/filter', { count: 0 });
    expect([await inMemory(), body]).toEqual([rows.length, { max: rows.length, list: [] }]);
  });

  test('a body of a gigabyte is rejected by its declared length, or at the limit without one', async () => {
    const request = async (headers: string, body: () => Buffer | null): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      let answer = '';
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      const ended = new Promise((done) => socket.once('close', done));
      const { authorization } = admin.headers as { authorization: string };
      socket.write(
        `POST /api_v1/geozones HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n`,
      );
      for (let chunk = body(); chunk !== null && !socket.destroyed && answer === ''; chunk = body())
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), ended]).catch(() => {});
      await ended;
      return answer;
    };
    expect(await request('Content-Length: 1073741824', () => null)).toMatch(/^HTTP\/1.1 413 .*"code":413/s);
    const piece = Buffer.alloc(1 << 20, 32);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]);
    let sent = 0;
    await request('Transfer-Encoding: chunked', () => (sent++ < 1024 ? chunk : null));
    // Cut off near the limit of 100 MB, long before the gigabyte.
    expect(sent).toBeLessThan(300);
    expect((await admin.send('GET', '/geozones')).status).toBe(200);
  });

  test('idle sockets and a client that does not read delay no other client', async () => {
    // The sockets are opened by another process, because each process has a limit of open files.
    const script = `import { connect } from 'node:net';
      for (let i = 0; i < ${IDLE}; i++)
        await new Promise((done) => connect(${port}, '127.0.0.1', done).on('error', () => process.exit(1)));
      console.log('open');`;
    const idle = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(idle.stdout, 'data');
    const { server } = hosted.host.app;
    const open = (): Promise<number> =>
      new Promise((done) => server.getConnections((_, count) => done(count)));
    while ((await open()) < IDLE) await sleep(20);
    const slow = connect(port, '127.0.0.1');
    await once(slow, 'connect');
    slow.on('error', () => {});
    slow.pause();
    const { authorization } = admin.headers as { authorization: string };
    slow.write(`GET /api_v1/events?cursor=0 HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`);
    expect((await admin.send('POST', '/geozones', { ...ZONE, name: 'Meanwhile' })).status).toBe(200);
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    expect(answer.status).toBe(200);
    slow.destroy();
    idle.kill();
  });
});
