import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../src/buildApp.js';
import { unitKeys } from '../src/live/unitKeys.js';
import { hostMetrics } from '../src/metrics.js';
import { osmandFixes } from '../src/resources/osmand.js';
import { readSettings } from '../src/settings.js';
import type { Storage } from '../src/storage/storage.js';
import { type Caller, embedded, NOW, type TestHost, testHost } from './testHost.js';

/** Limits, logs, health, devices: what a host in production must withstand and show. */

let storage: Storage;
let hosted: TestHost;
let admin: Caller;
beforeAll(async () => {
  ({ storage } = await embedded());
  hosted = await testHost(storage);
  admin = await hosted.as(await hosted.company(), 'ADMIN');
});
afterAll(() => hosted.close());

test('a body is bounded before and after it is inflated, and in its nesting', async () => {
  const json = { 'content-type': 'application/json' };
  const reader = await hosted.as(admin.companyId, 'READER');
  const send = (body: string | Buffer, headers: object = {}): Promise<{ status: number }> =>
    reader.send('POST', '/geozones/filter', body, { ...json, ...headers });
  expect((await send(`{"from": 0${' '.repeat(1_000_000)}}`)).status).toBe(413);
  const brackets = gzipSync('['.repeat(48_000_000));
  expect(brackets.length).toBeLessThan(100_000);
  expect((await send(brackets, { 'content-encoding': 'gzip' })).status).toBe(413);
  expect((await send(`{"from": 0, "x": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).status).toBe(400);
  expect((await send(`{"from": 0, "x": ${'['.repeat(60)}${']'.repeat(60)}}`)).status).toBe(200);
  // Brackets in texts do not count.
  expect((await send(JSON.stringify({ from: 0, x: '[\\"{'.repeat(1000) }))).status).toBe(200);
  const lines = `${'['.repeat(20_000)}\n`;
  expect(
    (await admin.send('POST', '/positions', lines, { 'content-type': 'application/x-ndjson' })).status,
  ).toBe(422);
});

test('the time of a locator is checked before it is stored', async () => {
  const { id } = (await admin.send('POST', '/units', { name: 'Van' })).body as { id: string };
  for (const expires of ['9999999999999999', '300000000000000', '-1', 'soon', ''])
    expect((await admin.send('POST', '/locators', { unit: { id }, expires })).status, expires).toBe(422);
  expect(await admin.send('GET', '/locators')).toMatchObject({ status: 200, body: [] });
});

test('unknown units cost one query in a while; queries for the same unit are shared', async () => {
  const { id } = (await admin.send('POST', '/units', { name: 'Bus' })).body as { id: string };
  let queries = 0;
  const counted = {
    ...storage,
    db: new Proxy(storage.db, {
      get(db, name) {
        if (name === 'selectFrom') queries++;
        const value = db[name as 'selectFrom'] as unknown;
        return typeof value === 'function' ? value.bind(db) : value;
      },
    }),
  };
  let now = 0;
  const units = unitKeys(counted, () => now);
  const find = async (name: string): Promise<string | null> =>
    (await units.find(admin.companyId, [{ id: name }]))({ id: name });
  expect(await Promise.all(Array.from({ length: 20 }, () => find('no-such')))).toEqual(Array(20).fill(null));
  expect(await find('no-such')).toBe(null);
  expect(queries).toBe(1);
  expect(await find(id)).toBe(id);
  expect(await find(id)).toBe(id);
  expect(queries).toBe(2);
  now = 3000;
  expect(await find('no-such')).toBe(null);
  expect([await find(id), queries]).toEqual([id, 3]);
  units.forget(admin.companyId);
  expect([await find(id), queries]).toEqual([id, 4]);
});

test('a request has one log line, without tokens, tickets and keys; an error has its stack', async () => {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  const settings = readSettings({ TOKEN_SECRET: 'a secret of the tests, 32 bytes long' });
  const broken = { ...storage, db: { deleteFrom: () => fail() } } as unknown as Storage;
  const fail = (): never => {
    throw new Error('broken on purpose');
  };
  const tokens = {
    known: () => null,
    verify: async () => ({
      companyId: 'c7',
      userId: 'u7',
      role: 'ADMIN' as const,
      companies: [],
      name: '',
      email: '',
      expiresAt: null,
    }),
  };
  const context = { storage: broken, settings, log: pino({ base: null }, stream), now: () => NOW, tokens };
  const app = await buildApp({
    ...context,
    metrics: hostMetrics(() => 0),
    live: { unread: () => [] },
    issuerSignIn: null,
  } as never).catch((error: unknown) => error as Error);
  if (app instanceof Error) throw app;
  const url = '/api_v1/events?ticket=secret-ticket&cursor=secret-cursor';
  const headers = { authorization: 'Bearer secret.token.here', user_company_api_key: 'secret-key' };
  expect((await app.inject({ url, headers })).statusCode).toBe(500);
  const answer = await app.inject({
    url: '/api_v1/roles',
    headers: { authorization: headers.authorization },
  });
  await app.close();
  expect(answer.statusCode).toBe(200);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ msg }) => msg)).toEqual(['broken on purpose', 'request', 'request']);
  expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('production.test') } });
  expect(lines[2]).toMatchObject({
    operation: 'GET /api_v1/roles',
    company: 'c7',
    user: 'u7',
    status: 200,
    bytes: expect.any(Number),
    reqId: answer.headers['x-request-id'],
  });
  expect(text).not.toContain('secret');
});

test('health is the process, ready the database and the stream', async () => {
  const { app } = hosted.host;
  expect((await app.inject('/health')).json()).toMatchObject({ status: 'ok' });
  expect((await app.inject('/ready')).json()).toEqual({ status: 'ok', database: 'ok', unread: [] });
  expect((await app.inject('/health')).headers).not.toHaveProperty('strict-transport-security');
});

test.each([
  ['1', true],
  ['10.0.0.0/8, 127.0.0.1', true],
  ['0', true],
  ['proxy.example', false],
  ['10.0.0.0/8/8', false],
])('TRUST_PROXY=%s is accepted: %s', (text, isAccepted) => {
  const read = (): unknown => readSettings({ TRUST_PROXY: text }).trustProxy;
  if (isAccepted) read();
  else expect(read).toThrow(expect.objectContaining({ field: 'TRUST_PROXY' }));
});

test('messages of phone trackers are read as Traccar reads them', () => {
  const one = (fields: object): object => osmandFixes(fields as never, NOW)[0]!;
  const place = { time: NOW, lon: 30.5, lat: 60.25 };
  expect(one({ location: '60.25,30.5' })).toEqual(place);
  expect(one({ lat: 60.25, lon: 30.5, valid: false })).toEqual({ ...place, valid: false });
  expect(one({ lat: '60.25', lon: '30.5', valid: '1', heading: 90, batt: '80', speed: 10 })).toEqual({
    ...place,
    valid: true,
    courseDegrees: 90,
    batteryPercent: 80,
    speedKph: 18.52,
  });
  const coords = { latitude: 60.25, longitude: 30.5, speed: 10, heading: -1, accuracy: 5 };
  const location = { timestamp: '2026-03-02T12:00:00.000Z', coords, battery: { level: 0.5 } };
  const nested = { ...place, speedKph: 36, accuracyMeters: 5, batteryPercent: 50 };
  expect(osmandFixes({ device_id: 'a', location }, 0)).toEqual([nested]);
  expect(osmandFixes({ location: [location, location] }, 0)).toEqual([nested, nested]);
  expect(() => one({ location: '60.25' })).toThrow();
  expect(() => one({ lat: 60.25 })).toThrow();
});
