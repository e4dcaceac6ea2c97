import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/volume.js';
import { drainBeforeClose } from '../src/http/drainBeforeClose.js';
import { sendError } from '../src/http/refusal.js';
import { MIGRATIONS } from '../src/storage/migrations.js';
import { type Caller, embedded, type Given, NOW, onADatabase, type TestHost, testHost } from './testHost.js';

/** What attackers from outside found, each as the kind that it is a member of. */

const random = seeded(53);
/** PostgreSQL compresses what repeats. */
const LONG_TEXT = Array.from({ length: 3000 }, () => Math.floor(36 * random()).toString(36)).join('');

function contract(given: () => Given): void {
  let hosted: TestHost;
  let admin: Caller;
  beforeAll(async () => {
    ({ hosted } = given());
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });

  test('texts that an index has are short, or refused with their field', async () => {
    expect(await admin.send('POST', '/units', { name: 'u', device_key: LONG_TEXT })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'device_key' }] },
    });
    const unit = (await admin.send('POST', '/units', { name: 'u' })).body as { id: string };
    const trip = {
      name: 'Tour',
      unit: { id: unit.id },
      activation_type: { key: 'entrance_to_first_point' },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      work_types: ['short', LONG_TEXT],
      points: [{ name: 'P', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 }],
    };
    expect(await admin.send('POST', '/trips', trip)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'work_types[1]' }] },
    });
  });

  test('labels of formulas come from the dictionary', async () => {
    const sensors = [{ name: 's', formula: { key: 'S1', value: 'lie', type: 'zzz' } }];
    const { body } = await admin.send('POST', '/units', { name: 'u', sensors }, { 'accept-language': 'ru' });
    const formula = { key: 'S1', type: 'formula', value: 'Параметр 1' };
    expect(body).toMatchObject({ sensors: [{ formula }] });
  });

  test.each([
    ['kk, ru;q=0.9, en;q=0.5', 'Красный'],
    ['ru;q=0, en', 'Red'],
    ['ru;q=0.1,en;q=0.9', 'Red'],
    ['ru-RU,ru;q=0.8', 'Красный'],
    ['', 'Red'],
    ['ru;q=x', 'Red'],
  ])('Accept-Language %s prefers %s', async (header, value) => {
    const { body } = await admin.send('GET', '/dictionaries?types=color_code', undefined, {
      'accept-language': header,
    });
    expect(JSON.stringify(body)).toContain(value);
  });

  test('a sink that is saved as it is has no change, and its changes are its own', async () => {
    const sink = { name: 'S', kind: 'webhook', target: { url: 'https://93.184.215.14/hook' } };
    const { id } = (await admin.send('POST', '/event_sinks', sink)).body as { id: string };
    const list = async (): Promise<readonly { fields: string[] }[]> =>
      (
        (await admin.send('POST', '/company/history', { max_rows: 50 })).body as {
          list: { fields: string[] }[];
        }
      ).list;
    const before = (await list()).length;
    expect((await admin.send('PUT', `/event_sinks/${id}`, sink)).status).toBe(200);
    expect((await list()).length).toBe(before);
    expect((await admin.send('PUT', `/event_sinks/${id}`, { ...sink, name: 'T' })).status).toBe(200);
    expect((await list()).map(({ fields }) => fields)).toContainEqual(['name']);
  });

  test('limits of zones by ids in capitals are those of the zones', async () => {
    const zone = { name: 'Z', type: { key: 'circle' }, geometry: [[30, 50]], width: 2000 };
    const { id } = (await admin.send('POST', '/geozones', zone)).body as { id: string };
    const fixes = [0, 60].map((s) => ({ time: NOW + s * 1000, lon: 30 + s / 10_000, lat: 50, speedKph: 60 }));
    const ask = (zoneLimits: object): Promise<unknown> =>
      admin.send('POST', '/tracks/speeding', { fixes, zoneLimits }).then(({ body }) => body);
    const found = await ask({ [id]: 30 });
    expect(found).toHaveLength(1);
    expect(await ask({ [id.toUpperCase()]: 30 })).toEqual(found);
  });

  test('settings of another company are not in the lists of a token', async () => {
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    const own = { key: 'k', value: 'v', company_id: admin.companyId };
    expect((await admin.send('POST', '/me/settings', own)).body).toMatchObject([{ key: 'k' }]);
    expect((await other.send('GET', '/me/settings')).body).toEqual([]);
  });

  test('fields of errors are those of the request', async () => {
    const fieldsOf = async (answer: Promise<{ body: unknown }>): Promise<unknown> => {
      const { errors = [], field } = (await answer).body as { errors?: { field: string }[]; field?: string };
      return field ?? errors.map((one) => one.field);
    };
    const { device_key: key } = (await admin.send('POST', '/units', { name: 'f' })).body as {
      device_key: string;
    };
    const fixes = [{ time: NOW, lon: 30, lat: 50 }];
    expect(await fieldsOf(admin.send('POST', '/tracks/ledger', { fixes, by: 'x' }))).toEqual(['by']);
    expect(await fieldsOf(admin.send('POST', '/tracks/speeding', { fixes, limitKph: -1 }))).toEqual([
      'limitKph',
    ]);
    const osmand = async (query: string): Promise<unknown> =>
      fieldsOf(
        hosted.host.app
          .inject(`/api_v1/osmand?id=${key}&lat=50&lon=30&timestamp=${NOW / 1000}&${query}`)
          .then((answer) => ({ body: answer.json() as unknown })),
      );
    expect(await osmand('bearing=abc')).toEqual(['bearing']);
    expect(await osmand('accuracy=-4')).toEqual(['accuracy']);
    const form = new FormData();
    form.append('file', new File(['name,lat,lon,radius_m\na,50,30,100'], 'zones.csv'));
    expect(await fieldsOf(admin.send('POST', '/geozones/import?axis_order=x', form))).toEqual(['axis_order']);
  });

  test('the movement of a unit matches its schema when its steps may be jumps', async () => {
    const { id } = (await admin.send('POST', '/units', { name: 'm' })).body as { id: string };
    const fixes = [0, 60].map((s) => ({
      unit_id: id,
      time: NOW - 100_000 + s * 1000,
      lon: 100 + s / 3000,
      lat: 10,
    }));
    await admin.send('POST', '/positions', fixes);
    const { body } = await admin.send('GET', `/units/${id}/movement?from=${NOW - 200_000}&to=${NOW}`);
    expect(body).toMatchObject({ issues: [{ code: 'jump-plausible' }] });
    const document = (await hosted.host.app.inject('/api_v1/openapi.json')).json() as {
      paths: Record<string, { get: { responses: { 200: { content: Record<string, { schema: object }> } } } }>;
    };
    const { schema } =
      document.paths['/api_v1/units/{id}/movement']!.get.responses[200].content['application/json']!;
    expect(schema).toMatchObject({ additionalProperties: false, properties: { issues: { type: 'array' } } });
  });

  test('whether another company has a device key is not told, and its phone stays its own', async () => {
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    const [known, unknown] = [`known-${admin.companyId}`, `unknown-${admin.companyId}`];
    const unitOf = async (caller: Caller, key: string): Promise<{ id: string }> => {
      const { status, body } = await caller.send('POST', '/units', { name: 'u', device_key: key });
      expect(status).toBe(200);
      return body;
    };
    const own = await unitOf(admin, known);
    const [theirs, fresh] = [await unitOf(other, known), await unitOf(other, unknown)];
    expect(Object.keys(theirs)).toEqual(Object.keys(fresh));
    expect(theirs).toMatchObject({ device_key: known });
    const moved = { name: 'u', device_key: known };
    expect((await other.send('PUT', `/units/${fresh.id}`, moved)).status).toBe(422);
    expect((await other.send('DELETE', `/units/${theirs.id}`)).status).toBe(200);
    expect(
      (await other.send('PUT', `/units/${fresh.id}`, { name: 'u', device_key: `x${known}` })).status,
    ).toBe(200);
    expect((await other.send('POST', '/units', moved)).status).toBe(422);
    const timesOf = async (caller: Caller, id: string): Promise<number> =>
      ((await caller.send('GET', `/units/${id}/track?from=${NOW - 90_000}&to=${NOW}`)).body as { points: [] })
        .points.length;
    const third = await hosted.as(await hosted.company(), 'ADMIN');
    const late = await unitOf(third, known);
    const sent = await hosted.host.app.inject(
      `/api_v1/osmand?id=${known}&lat=50&lon=30&timestamp=${NOW / 1000 - 60}`,
    );
    expect(sent.json()).toEqual({ taken: 1 });
    expect([await timesOf(admin, own.id), await timesOf(third, late.id)]).toEqual([1, 0]);
    // With a token the key is that of the company.
    const fix = [{ device_key: known, time: NOW - 30_000, lon: 30, lat: 50 }];
    expect((await third.send('POST', '/positions', fix)).body).toMatchObject({ taken: 1 });
    expect([await timesOf(admin, own.id), await timesOf(third, late.id)]).toEqual([1, 1]);
  });

  test('a zone, and a point of a route, have one shape', async () => {
    const ring = (lon: number, size: number, lat = 50): number[][] => [
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
    ];
    const [small, large, hole] = [ring(30, 0.1), ring(31, 0.3), ring(31.1, 0.05, 50.1).reverse()];
    const closed = (one: number[][]): number[][] => [...one, one[0]!];
    const parts = [[closed(small)], [closed(large), closed(hole)]];
    const zone = { name: 'Z', type: { key: 'polygon' }, parts };
    const send = (more: object): Promise<{ status: number; body: never }> =>
      admin.send('POST', '/geozones', { ...zone, ...more });
    expect(await send({ geometry: ring(40, 1) })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'geometry' }] },
    });
    expect((await send({ geometry: [large[2], large[3], large[0], large[1]] })).body).toMatchObject({
      geometry: [large[2], large[3], large[0], large[1]],
      parts,
    });
    const { id, geometry } = (await send({ geometry: small })).body as { id: string; geometry: unknown };
    expect(geometry).toEqual(closed(large));
    const circle = { ...zone, type: { key: 'circle' }, geometry: [[30, 50]], width: 100 };
    expect((await admin.send('PUT', `/geozones/${id}`, circle)).body).not.toHaveProperty('parts');
    const route = { name: 'R', points: [{ ...zone, geometry: ring(40, 1) }] };
    expect(await admin.send('POST', '/routes', route)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'points[0].geometry' }] },
    });
    const file = {
      type: 'Feature',
      properties: { name: 'F' },
      geometry: { type: 'MultiPolygon', coordinates: parts },
    };
    const form = new FormData();
    form.append('file', new File([JSON.stringify(file)], 'zones.geojson'));
    expect((await admin.send('POST', '/geozones/import', form)).body).toMatchObject({ stored: 1 });
  });

  test('geometry and coordinates of a zone say the same, and one of them is stored', async () => {
    const zone = { name: 'C', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 };
    const sent = (coordinates: unknown): Promise<{ status: number; body: never }> =>
      admin.send('POST', '/geozones', { ...zone, coordinates });
    for (const other of [[[31, 50]], 'x', []])
      expect(await sent(other)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'coordinates', reason: 'geometry-conflict' }] },
      });
    for (const same of [[[30, 50]], null]) {
      const { status, body } = await sent(same);
      expect([status, Object.keys(body)]).toEqual([200, expect.not.arrayContaining(['coordinates'])]);
    }
    const { id } = (await sent(null)).body as { id: string };
    const { db } = given().database.storage;
    const more = JSON.stringify({ coordinates: [[31, 50]] });
    await sql`update geozones set row = row || ${more}::jsonb where id = ${id}`.execute(db);
    await MIGRATIONS['009_coordinates']!.up(db);
    const read = (await admin.send('GET', `/geozones?ids=${id}`)).body as object;
    expect(read).not.toHaveProperty('coordinates');
    expect(await admin.send('PUT', `/geozones/${id}`, read)).toMatchObject({ status: 200, body: read });
  });

  test('an amended trip has no changes of its own, and the labels of the dictionary', async () => {
    const point = { name: 'P', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 };
    const trip = {
      name: 'T',
      unit: { id: await newUnit() },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      points: [point],
    };
    const { id } = (await admin.send('POST', '/trips', trip)).body as { id: string };
    const ru = { 'accept-language': 'ru' };
    expect((await admin.send('POST', `/trips/${id}/excuse`, { pointIndex: 0 }, ru)).status).toBe(200);
    for (let i = 0; i < 2; i++) {
      const row = (await admin.send('GET', `/trips?ids=${id}`, undefined, ru)).body as object;
      expect((await admin.send('POST', `/trips/${id}/amend`, { trip: row }, ru)).status).toBe(200);
    }
    const { changes } = (await admin.send('GET', `/trips?ids=${id}`)).body as {
      changes: { trip?: Record<string, unknown> }[];
    };
    expect(changes).toHaveLength(3);
    expect(changes[2]!.trip).toMatchObject({ passage_order_type: { value: 'Strict' } });
    for (const name of ['changes', 'id', 'created', 'company_id'])
      expect(changes[2]!.trip).not.toHaveProperty(name);
    expect(JSON.stringify(changes)).not.toMatch(/[а-я]/i);
  });

  test('fixes of a track that cannot be used are counted', async () => {
    const fixes = [{ time: NOW - 60_000, lon: 30, lat: 50 }, 7, { time: NOW, lon: 30, lat: 91 }];
    const { rejected } = (await admin.send('POST', '/tracks/ledger', { fixes })).body as {
      rejected: Record<string, number>;
    };
    expect(Object.values(rejected).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  test('the file of geozones as GeoJSON is an object in the document', async () => {
    const { paths } = (await hosted.host.app.inject('/api_v1/openapi.json')).json() as {
      paths: Record<string, { post: { responses: { 200: { content: Record<string, object> } } } }>;
    };
    const { content } = paths['/api_v1/geozones/export_kml']!.post.responses[200];
    expect(content['application/geo+json']).toMatchObject({
      schema: { type: 'object', required: ['type', 'features'] },
    });
    expect(content['text/csv']).toEqual({ schema: { type: 'string' } });
  });

  test('a write that changes nothing keeps the version, and writes no history', async () => {
    const count = async (): Promise<number> =>
      ((await admin.send('POST', '/company/history', { max_rows: 0 })).body as { max_rows: number }).max_rows;
    const point = { name: 'P', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 };
    const line = {
      ...point,
      type: { key: 'line' },
      geometry: [
        [30, 50],
        [30.1, 50],
      ],
    };
    const bodies = [
      ['/geozones', point],
      ['/geozones', line],
      ['/routes', { name: 'R', points: [point] }],
      [
        '/trips',
        { name: 'T', passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [point] },
      ],
      ['/geozonesgroup', { name: 'G', geozones: [] }],
    ] as const;
    for (const [url, body] of bodies) {
      const unit = url === '/trips' ? { unit: { id: await newUnit() } } : {};
      const made = await admin.send('POST', url, { ...body, ...unit });
      const { id } = made.body as { id: string };
      const before = await count();
      const again = await admin.send('PUT', `${url}/${id}`, made.body, {
        'if-match': String(made.headers['etag']),
      });
      expect([url, again.status, again.headers['etag'], again.body]).toEqual([
        url,
        200,
        made.headers['etag'],
        made.body,
      ]);
      expect((await admin.send('PUT', `${url}/${id}`, made.body, { 'if-match': '"0"' })).status, url).toBe(
        412,
      );
      expect(await count(), url).toBe(before);
    }
  });

  const newUnit = async (): Promise<string> =>
    ((await admin.send('POST', '/units', { name: 'u' })).body as { id: string }).id;

  test('units keep further fields, as zones do, and never show their key', async () => {
    const more = { note: 'spare', own: { deep: [1, null] }, garage: null };
    const made = (
      await admin.send('POST', '/units', { name: 'k', device_key: `k-${admin.companyId}`, ...more })
    ).body as { id: string };
    expect(made).toMatchObject(more);
    for (const ids of [made.id, `${made.id},${admin.companyId}`]) {
      const { body } = await admin.send('GET', `/units?ids=${ids}`);
      const [unit] = [body].flat() as object[];
      expect(unit).toMatchObject(more);
      expect(JSON.stringify(unit)).not.toContain('k-');
    }
    const { body } = await admin.send('PUT', `/units/${made.id}`, { ...made, note: 'sold', own: undefined });
    expect(body).toMatchObject({ note: 'sold', garage: null });
    expect(body).not.toHaveProperty('own');
  });

  test('the document has the fields and headers that answers have', async () => {
    const { paths, components } = (await hosted.host.app.inject('/api_v1/openapi.json')).json() as {
      paths: Record<string, { get: { responses: { 200: { headers: object } } } }>;
      components: { schemas: Record<string, { properties: object; required: string[] }> };
    };
    for (const name of ['Geozone', 'GeozoneInput'])
      expect(Object.keys(components.schemas[name]!.properties)).toEqual(
        expect.arrayContaining(['hours', 'speed_limit']),
      );
    expect(components.schemas['CustomGeozoneType']!.required).toContain('id');
    expect(components.schemas['CustomGeozoneTypeInput']!.properties).not.toHaveProperty('id');
    expect(paths['/api_v1/fleet/day']!.get.responses[200].headers).not.toHaveProperty('etag');
    const long = await hosted.host.app.inject(`/api_v1/geozones/${'a'.repeat(3000)}/hours`);
    expect(long.statusCode).toBe(414);
    expect(String(long.headers['x-request-id'])).toMatch(/^[\da-f-]{36}$/);
    const broken = await hosted.host.app.inject('/api_v1/geozones/%zz/hours');
    expect([broken.statusCode, typeof broken.headers['x-request-id']]).toEqual([400, 'string']);
  });

  test('an upload that ends within a part is 400', async () => {
    const payload = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
    const headers = { 'content-type': 'multipart/form-data; boundary=B' };
    expect((await admin.send('POST', '/upload_photos/geozones', payload, headers)).status).toBe(400);
  });
}

onADatabase(contract);

/** The status lines of requests that are sent on one connection, each after the answer to the one before. */
async function statusesOf(port: number, requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const lines: string[] = [];
  for (const text of requests) {
    socket.write(text);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    lines.push(chunk.toString().split('\r\n')[0]!);
  }
  socket.destroy();
  return lines;
}

test('a request that asks for another protocol is answered as it is; WebSockets keep their address', async () => {
  const { storage } = await embedded();
  const hosted = await testHost(storage);
  const { app } = hosted.host;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const { headers } = await hosted.as(await hosted.company(), 'ADMIN');
  const common = `Host: a\r\nAuthorization: ${(headers as { authorization: string }).authorization}\r\n`;
  const h2c =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
  const socket =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const plain = `GET /api_v1/me HTTP/1.1\r\n${common}\r\n`;
  for (const upgrade of [h2c, 'Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n', socket]) {
    const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n';
    const statuses = await statusesOf(port, [
      `GET /api_v1/me HTTP/1.1\r\n${common}${upgrade}\r\n`,
      `POST /api_v1/geozones/filter HTTP/1.1\r\n${common}${upgrade}${body}\r\n{}`,
      plain,
    ]);
    expect(statuses, upgrade).toEqual(Array(3).fill('HTTP/1.1 200 OK'));
  }
  await hosted.close();
});

test('a host that ends refuses in the form of all refusals', async () => {
  const app = Fastify({ return503OnClosing: false });
  drainBeforeClose(app);
  app.setErrorHandler(sendError);
  let finish = (): void => {};
  const begun = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve();
      await new Promise<void>((done) => {
        finish = done;
      });
      return 'done';
    });
  });
  const slow = app.inject('/slow').then(({ body }) => body);
  await begun;
  const closed = app.close();
  const answer = await app.inject('/slow');
  expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 503, field: '' }]);
  expect(answer.headers).toMatchObject({ connection: 'close' });
  finish();
  expect(await slow).toBe('done');
  await closed;
});
