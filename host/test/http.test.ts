import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, type Database, embedded, NOW, type TestHost, testHost } from './testHost.js';

/** The behaviour common to all resources: paths, methods, media types, encodings, queries, origins. */

const ORIGIN = 'https://fleet.example';
const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const FORM = { code: expect.any(Number), message: expect.any(String) };

let database: Database;
let hosted: TestHost;
let admin: Caller;
let url: string;
beforeAll(async () => {
  database = await embedded();
  hosted = await testHost(database.storage, { corsOrigins: [ORIGIN], maxBodyBytes: 100_000 });
  admin = await hosted.as(await hosted.company(), 'ADMIN');
  url = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await hosted?.close();
  database?.remove();
});

test('an unknown path is 404; a known path with another method is 405 with the allowed methods', async () => {
  expect(await admin.send('GET', '/nothing')).toMatchObject({ status: 404, body: { ...FORM, code: 404 } });
  const refused = await admin.send('PATCH', '/geozones/a');
  expect(refused).toMatchObject({ status: 405, body: { ...FORM, code: 405 } });
  expect(refused.headers['allow']).toBe('DELETE, PUT');
  const options = await admin.send('OPTIONS', '/geozones');
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, POST']);
});

test('a trailing slash is ignored; HEAD returns only the headers', async () => {
  expect((await admin.send('GET', '/trips/')).status).toBe(200);
  const head = await admin.send('HEAD', '/trips');
  expect([head.status, head.body]).toEqual([200, '']);
});

test('a response to a request without a valid token has WWW-Authenticate', async () => {
  const { status, headers } = await (await hosted.as('', null)).send('GET', '/trips');
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

test('a repeated parameter is a list; empty and repeated ids are ignored', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b'])
    ids.push(((await admin.send('POST', '/geozones', { ...ZONE, name })).body as { id: string }).id);
  const [a, b] = ids;
  const read = async (query: string): Promise<unknown> => {
    const { status, body } = await admin.send('GET', `/geozones?${query}`);
    const names = Array.isArray(body) ? (body as { name: string }[]).map(({ name }) => name) : body;
    return [status, names];
  };
  expect(await read(`ids=${a}&ids=${b}`)).toEqual([200, ['a', 'b']]);
  expect(await read(`ids=${b},,${a},${b}`)).toEqual([200, ['b', 'a']]);
  expect(await read(`ids=${a},${a}`)).toMatchObject([200, { name: 'a' }]);
  const [, all] = (await read('')) as [number, string[]];
  expect(all).toEqual(expect.arrayContaining(['a', 'b']));
  expect(await read('ids=,%20,')).toEqual([200, all]);
  expect(await read('ids=no-such')).toMatchObject([404, { code: 404, field: 'ids' }]);
  expect(await read(`ids=no-such,${b}`)).toEqual([200, ['b']]);
  expect(await admin.send('POST', '/geozones/filter', { from: all.length, count: 5 })).toMatchObject({
    status: 200,
    body: { max: all.length, list: [] },
  });
});

test('JSON bodies may be compressed, and empty if no field is required', async () => {
  const json = { 'content-type': 'application/json' };
  expect(await admin.send('POST', '/geozones/filter', '', json)).toMatchObject({ status: 200 });
  expect(await admin.send('DELETE', '/routes/no-such', '', json)).toMatchObject({ status: 422 });
  expect(await admin.send('POST', '/geozones', '', json)).toMatchObject({
    status: 422,
    body: { code: 4220 },
  });
  const gzip = { ...json, 'content-encoding': 'gzip' };
  const zone = gzipSync(JSON.stringify({ ...ZONE, name: 'Packed' }));
  expect(await admin.send('POST', '/geozones', zone, gzip)).toMatchObject({
    status: 200,
    body: { name: 'Packed' },
  });
  expect(await admin.send('POST', '/geozones', zone.subarray(0, 30), gzip)).toMatchObject({ status: 400 });
  expect(await admin.send('POST', '/geozones', '{}', gzip)).toMatchObject({ status: 400, body: FORM });
  // A megabyte of spaces compressed to a kilobyte: the limit applies to the decoded body.
  expect(await admin.send('POST', '/geozones', gzipSync(' '.repeat(1 << 20)), gzip)).toMatchObject({
    status: 413,
    body: FORM,
  });
  const other = { ...json, 'content-encoding': 'zstd' };
  expect(await admin.send('POST', '/geozones', '{}', other)).toMatchObject({ status: 415, body: FORM });
});

test('an unsupported media type is rejected by name', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/xml']) {
    const { status, body } = await admin.send('POST', '/geozones', 'a=b', { 'content-type': type });
    expect([status, body]).toMatchObject([415, { message: expect.stringContaining(type) }]);
  }
});

test('a weak tag never matches, whatever it names', async () => {
  const created = await admin.send('POST', '/geozones', ZONE);
  const { id } = created.body as { id: string };
  const tag = String(created.headers['etag']);
  const put = (value: string): Promise<{ status: number }> =>
    admin.send('PUT', `/geozones/${id}`, ZONE, { 'if-match': value });
  expect((await put(`W/${tag}`)).status).toBe(412);
  expect((await put(`"0", *`)).status).toBe(412);
  expect((await put(`W/"1", ${tag}`)).status).toBe(200);
  expect((await put('*')).status).toBe(200);
});

test('scripts of configured origins may send requests, others may not', async () => {
  const preflight = await admin.send('OPTIONS', '/geozones/a', undefined, {
    origin: ORIGIN,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('authorization'),
    },
  });
  const own = await admin.send('GET', '/trips', undefined, { origin: ORIGIN });
  expect(own.headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    vary: 'Origin, Accept-Language',
  });
  const foreign = await admin.send('GET', '/trips', undefined, { origin: 'https://other.example' });
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
});

test('errors of the HTTP parser have the platform’s form too', async () => {
  const { port } = new URL(url);
  const answer = async (request: string): Promise<[string | undefined, object]> => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.end(request);
    await once(socket, 'close');
    const [head = '', body = '{}'] = text.split('\r\n\r\n');
    return [/^HTTP\/1.1 (\d+)/.exec(head)?.[1], JSON.parse(body) as object];
  };
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  expect(await answer(get(`/api_v1/geozones?ids=${'a'.repeat(20_000)}`))).toMatchObject([
    '431',
    { code: 431 },
  ]);
  expect(await answer(get('/api_v1/positions/%ZZ/geozones'))).toMatchObject(['400', { code: 400 }]);
  expect(await answer('what is this\r\n\r\n')).toMatchObject(['400', { code: 400 }]);
  expect((await answer(get('/health')))[0]).toBe('200');
});

test('a phone tracker sends its fix in the query, in a form or in JSON; the body takes precedence', async () => {
  const tracker = await hosted.as('', null);
  const key = `phone ${admin.companyId}`;
  const { body: unit } = await admin.send('POST', '/units', { name: 'Phone', device_key: key });
  const { id } = unit as { id: string };
  const form = (query: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    tracker.send('POST', `/osmand${query}`, body, {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      ...headers,
    });
  const stored = async (): Promise<object> => {
    const row = await database.storage.db
      .selectFrom('fixes')
      .select(['time', 'lon', 'lat', 'more'])
      .where('unit_id', '=', id)
      .orderBy('time', 'desc')
      .executeTakeFirstOrThrow();
    return [Number(row.time) - NOW, row.lon, row.lat, JSON.parse(row.more ?? '{}') as object];
  };
  const at = (seconds: number): number => NOW / 1000 + seconds;
  const escaped = encodeURIComponent(key);

  expect(
    await form('', `id=${key.replace(' ', '+')}&timestamp=${at(1)}&lat=60&lon=30&speed=10`),
  ).toMatchObject({ status: 200, body: { taken: 1 } });
  expect(await stored()).toEqual([1000, 30, 60, { speedKph: 18.52 }]);
  // The key is in the query, as sent by trackers with a fixed URL; the position is taken from the body.
  expect((await form(`?id=${escaped}&lat=1&lon=2`, `timestamp=${at(2)}&lat=61&lon=31`)).status).toBe(200);
  expect(await stored()).toEqual([2000, 31, 61, {}]);
  expect((await form(`?id=${escaped}&timestamp=${at(3)}&lat=62&lon=32`, '')).status).toBe(200);
  expect(await stored()).toEqual([3000, 32, 62, {}]);
  const packed = gzipSync(`deviceid=${escaped}&timestamp=${at(4)}&lat=63&lon=33`);
  expect((await form('', packed, { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(await stored()).toEqual([4000, 33, 63, {}]);
  const json = { id: key, timestamp: String(at(5)), lat: '64', lon: '34' };
  expect((await tracker.send('POST', '/osmand', json)).status).toBe(200);
  expect(await stored()).toEqual([5000, 34, 64, {}]);

  const before = await stored();
  const good = `id=${escaped}&timestamp=${at(9)}&lat=60&lon=30`;
  for (const [body, status] of [
    ['', 401],
    [`id=other&lat=60&lon=30`, 401],
    [`id=${escaped}&id=${escaped}&lat=60&lon=30`, 401],
    [`id=${escaped}&lat=60`, 422],
    [`${good}&lat=61`, 422],
    [`${good}&speed=fast`, 422],
    [`${good}&note=%00`, 422],
    [`${good}&${'a=1&'.repeat(20_000)}`, 413],
  ] as const)
    expect([body.slice(0, 90), (await form('', body)).status]).toEqual([body.slice(0, 90), status]);
  expect(await stored()).toEqual(before);
  // No other operation accepts forms.
  expect(
    (await admin.send('POST', '/positions', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
  ).toBe(415);
});
