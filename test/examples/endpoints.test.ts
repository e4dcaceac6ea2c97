import { expect, test } from 'vitest';
import { endpoints } from '../../examples/endpoints.js';

const CIRCLE = { name: 'Склад', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };

test('the endpoints answer in the wire shapes of the platform', async () => {
  const app = await endpoints();
  const created = await app.inject({
    method: 'POST',
    url: '/geozones',
    payload: { ...CIRCLE, is_show_on_map: true },
  });
  expect(created.statusCode).toBe(200);
  const zone = created.json<{ id: string; area: number }>();
  expect(zone).toMatchObject({ ...CIRCLE, area: expect.closeTo(785_398, 0) });

  const list = await app.inject({
    method: 'POST',
    url: '/geozones/filter',
    payload: { count: 10, conditions: [{ field: 'name', value: 'СКЛ' }] },
  });
  expect(list.json()).toMatchObject({ max: 1, list: [{ id: zone.id }] });
  expect((await app.inject('/positions/37.601/55.701/geozones')).json()).toEqual([zone.id]);
  expect((await app.inject('/geozones/map')).json()).toMatchObject({ features: [{ id: zone.id }] });
  expect((await app.inject('/geozones/export.kml')).body).toContain('<name>Склад</name>');
  expect((await app.inject('/routing/55.7,37.6;55.8,37.7')).json()).toMatchObject({
    columns: [{ key: 'style' }, { key: 'points', value: 'Точки' }, {}, {}, {}, {}, {}, {}, {}, {}],
    values: [
      {
        order: 1,
        distance: expect.closeTo(16_617, 0),
        points: [
          [55.7, 37.6],
          [55.8, 37.7],
        ],
      },
    ],
  });

  const removed = await app.inject({ method: 'DELETE', url: `/geozones/${zone.id}` });
  expect(removed.statusCode).toBe(200);
  expect((await app.inject('/positions/37.601/55.701/geozones')).json()).toEqual([]);
  await app.close();
});

test('errors come in the form of the platform, all fields at once', async () => {
  const app = await endpoints();
  const bad = await app.inject({
    method: 'POST',
    url: '/geozones',
    payload: { type: { key: 'disc' }, geometry: [] },
  });
  expect(bad.statusCode).toBe(422);
  const { code, errors } = bad.json<{ code: number; errors: { code: number; field: string }[] }>();
  expect(code).toBe(4220);
  expect(errors.map(({ field }) => field)).toEqual(expect.arrayContaining(['name', 'type.key']));
  const unknown = await app.inject({ method: 'DELETE', url: '/geozones/nobody' });
  expect([unknown.statusCode, unknown.json()]).toEqual([
    400,
    { code: 4000, message: 'geozone "nobody" not found', field: 'id' },
  ]);
  const swapped = await app.inject('/positions/55.7/137.6/geozones');
  expect(swapped.json()).toMatchObject({ errors: [{ reason: 'lat-range' }] });
  await app.close();
});

test('the OpenAPI document holds the schemas', async () => {
  const app = await endpoints();
  const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, unknown> }>();
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/geozones', '/geozones/filter', '/routing/{points}']),
  );
  expect(JSON.stringify(paths['/geozones'])).toContain('polygon_geometry');
  await app.close();
});
