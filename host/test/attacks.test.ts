import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/volume.js';
import { drainBeforeClose } from '../src/http/drainBeforeClose.js';
import { sendError } from '../src/http/refusal.js';
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
