import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackend } from '../../examples/backend/server.js';

/** The twelve endpoints of `examples/backend`, asked over HTTP. */

const server = createBackend();
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly [status: number, body: never]> {
  const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(origin + path, { method, body: text });
  const received = await answer.text();
  return [answer.status, (received.startsWith('<') ? received : JSON.parse(received)) as never];
}

const VAN = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';
const DEPOT = { name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 200 };

test('zones are stored, listed, changed, exported, imported and deleted', async () => {
  const [status, made] = await ask('POST', '/geozones', DEPOT);
  const { id, area } = made as { id: string; area: number };
  expect([status, Math.round(area)]).toEqual([200, 125_664]);
  expect(await ask('GET', `/geozones?ids=${id}`)).toMatchObject([200, { name: 'Depot' }]);
  expect(await ask('PUT', `/geozones/${id}`, { ...DEPOT, width: 300 })).toMatchObject([
    200,
    { id, width: 300 },
  ]);
  expect(await ask('GET', '/positions/37.604/55.7/geozones')).toMatchObject([200, [{ id }]]);
  expect(
    await ask('POST', '/geozones/filter', { conditions: [{ field: 'name', value: 'dep' }] }),
  ).toMatchObject([200, { max: 1 }]);
  const [, kml] = await ask('POST', '/geozones/export_kml', { geozones: [{ id }] });
  const [, { stored }] = (await ask('POST', '/geozones/import', kml)) as readonly [
    number,
    { stored: string[] },
  ];
  expect(stored.length).toBe(1);
  expect(await ask('DELETE', `/geozones/${stored[0]}`)).toMatchObject([200, { is_delete: true }]);
  expect((await ask('DELETE', `/geozones/${stored[0]}`))[1]).toMatchObject({ code: 4000 });
  const line = {
    geometry: [
      [37.6, 55.7],
      [37.61, 55.7],
    ],
    width: 50,
  };
  expect(Object.keys((await ask('POST', '/geozones/line_to_polygon', line))[1])).toContain(
    'polygon_geometry',
  );
});

test('positions give events, and a trip its report', async () => {
  await ask('POST', '/geozones', { ...DEPOT, name: 'Shop', geometry: [[37.7, 55.7]] });
  const fixes = [55.69, 55.7, 55.7, 55.712].map((lat, i) => ({
    unit_id: VAN,
    time: Date.UTC(2026, 2, 2, 6, 50 + 5 * i),
    lon: 37.7,
    lat,
  }));
  const [, events] = await ask('POST', '/positions', fixes);
  expect((events as { type: string }[]).map(({ type }) => type)).toEqual(['enter', 'exit']);
  const trip = {
    id: '1b671a64-40d5-491e-99b0-da01ff1f3341',
    name: 'Tour',
    unit: { id: VAN },
    passage_order_type: { key: 'strict' },
    activation_type: { key: 'entrance_to_first_point' },
    dates: ['2026-03-02'],
    points: [{ ...DEPOT, geometry: [[37.7, 55.7]], arrival: { time: '09:55', deviation_minutes: 5 } }],
  };
  expect(await ask('POST', '/trips/report?date=2026-03-02', trip)).toMatchObject([
    200,
    { status: 'finished' },
  ]);
  expect(await ask('GET', '/routing/55.75,37.61;55.70,37.50')).toMatchObject([200, { values: [{}] }]);
});

test('a mistake is an error body with its field, an unknown address is 404', async () => {
  expect(await ask('POST', '/geozones', { ...DEPOT, width: -1 })).toMatchObject([
    422,
    { errors: [{ field: 'width' }] },
  ]);
  expect((await ask('POST', '/geozones', '{'))[1]).toMatchObject({
    message: 'expected a body of JSON, received another text',
  });
  expect((await ask('GET', '/nothing'))[0]).toBe(404);
});
