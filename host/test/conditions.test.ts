/** Laws over all operations: `If-Match` is never ignored, and ids in capitals are the same ids; and what properties of a company are. */

import { beforeAll, expect, test } from 'vitest';
import { exampleCompany, seed } from '../src/demo/seed.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES } from './samples.js';
import { type Answer, type Caller, embedded, type Given, NOW, onBothDatabases } from './testHost.js';

const ZONE = { name: 'Depot', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 };
const TRIP = {
  name: 'Milk',
  passage_order_type: { key: 'strict' },
  dates: ['2026-03-02'],
  points: [{ name: 'A', type: { key: 'circle' }, geometry: [[30, 50]], width: 100 }],
};

onBothDatabases((given: () => Given) => {
  let admin: Caller;
  beforeAll(async () => {
    const { hosted } = given();
    admin = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });
  const idOf = async (url: string, body: unknown): Promise<string> =>
    ((await admin.send('POST', url, body)).body as { id: string }).id;

  test('every write with a stale If-Match is 412 and writes nothing', async () => {
    const { paths } = await documentOf(given().hosted.host.app);
    const writes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'get')
        .map((method) => `${method} ${path.replace('/api_v1', '')}`),
    );
    let asked = 0;
    for (const name of writes) {
      const sample = SAMPLES[name];
      if (sample === undefined) continue;
      const { url, body } = await sample(admin);
      const [method = ''] = name.split(' ');
      const stale = { 'if-match': '"abc123"' };
      const answer = await given().hosted.host.app.inject({
        method: method.toUpperCase() as 'PUT',
        url: `/api_v1${url}`,
        headers: { ...admin.headers, ...stale },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      // Uploads and operations without a token are refused before, or have no handler of the law.
      if (![412, 415, 422, 403, 400, 404].includes(answer.statusCode))
        expect.soft(answer.statusCode, name).toBe(412);
      if (answer.statusCode === 412) asked++;
    }
    expect(asked).toBeGreaterThan(30);
  });

  test('units, properties and the admin’s delete take the tag of what they replace, once', async () => {
    const unit = await idOf('/units', { name: 'Van' });
    const zone = await idOf('/geozones', ZONE);
    const properties = `/company/${admin.companyId}/properties`;
    const cases = [
      [`/units?ids=${unit}`, 'PUT', `/units/${unit}`, { name: 'Bus' }],
      [properties, 'PUT', properties, { speeding: { tolerance_kph: 7 } }],
      [`/geozones?ids=${zone}`, 'DELETE', `/admin/geozones/${zone}`, undefined],
    ] as const;
    for (const [read, method, url, body] of cases) {
      for (const headers of [{}, { 'accept-language': 'ru' }]) {
        const tag = String((await admin.send('GET', read, undefined, headers)).headers['etag']);
        if (Object.keys(headers).length === 0) {
          expect((await admin.send(method, url, body, { 'if-match': '"0"' })).status, url).toBe(412);
          const done = await admin.send(method, url, body, { 'if-match': tag });
          expect(done.status, url).toBe(200);
          expect(String(done.headers['etag']), url).toMatch(/^"[0-9a-f]+"$/);
          const again = await admin.send(method, url, body, { 'if-match': tag });
          expect(again.status, url).toBe(method === 'DELETE' ? 400 : 412);
        }
      }
    }
    const before = String((await admin.send('GET', `/units?ids=${unit}`)).headers['etag']);
    expect((await admin.send('DELETE', `/units/${unit}`, undefined, { 'if-match': before })).status).toBe(
      200,
    );
  });

  test('properties of a company: what the document lists, whole paths of errors, no history of nothing', async () => {
    const url = `/company/${admin.companyId}/properties`;
    const refused = async (body: unknown): Promise<unknown> => {
      const { status, body: answer } = await admin.send('PUT', url, body);
      return [status, (answer as { errors: { field: string }[] }).errors.map(({ field }) => field)];
    };
    const styles = [{ max: 'x', hex_color: '#00ff00' }];
    expect(await refused({})).toEqual([422, ['']]);
    expect(await refused({ available_maps: ['osm'] })).toEqual([422, ['available_maps']]);
    expect(await refused({ track_gradatoin: {}, holiday: [] })).toEqual([
      422,
      ['track_gradatoin', 'holiday'],
    ]);
    expect(await refused({ track_gradation: { styles } })).toEqual([422, ['track_gradation.styles[0].max']]);
    expect(await refused({ monitoring_sensors_settings: [{ name: 'T' }] })).toEqual([
      422,
      ['monitoring_sensors_settings[0].sensor_name_mask'],
    ]);
    expect(await refused({ holidays: null })).toEqual([422, ['holidays']]);
    expect(await refused({ holidays: [{ year: 2026, days: ['02.30'] }] })).toEqual([
      422,
      ['holidays[0].days[0]'],
    ]);
    expect(await refused({ speeding: { tolerance_kph: -1 }, track_gradation: 7 })).toEqual([
      422,
      ['speeding.tolerance_kph', 'track_gradation'],
    ]);
    const count = async (): Promise<number> =>
      ((await admin.send('POST', '/company/history', { max_rows: 0 })).body as { max_rows: number }).max_rows;
    const speeding = { speeding: { min_seconds: 9 } };
    await admin.send('PUT', url, speeding);
    const zone = await idOf('/geozones', ZONE);
    const unit = await idOf('/units', { name: 'Van' });
    const earlier = await count();
    await admin.send('PUT', url, speeding);
    await admin.send('PUT', `/geozones/${zone}`, ZONE);
    await admin.send('PUT', `/units/${unit}`, { name: 'Van' });
    expect(await count()).toBe(earlier);
  });

  test('ids in capitals are the same ids: in addresses, queries, bodies, conditions and tokens', async () => {
    const { hosted } = given();
    const loud = (id: string): string => id.toUpperCase();
    const unit = await idOf('/units', { name: 'Van' });
    const zone = await idOf('/geozones', ZONE);
    const ok = async (answer: Promise<Answer>): Promise<unknown> => {
      const { status, body } = await answer;
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    };
    expect(await ok(admin.send('GET', `/units?ids=${loud(unit)}`))).toMatchObject({ id: unit });
    expect(await ok(admin.send('GET', `/geozones?ids=${loud(zone)},${zone}`))).toMatchObject({ id: zone });
    const trip = (await ok(admin.send('POST', '/trips', { ...TRIP, unit: { id: loud(unit) } }))) as {
      id: string;
    };
    expect(trip).toMatchObject({ unit: { id: unit } });
    const conditions = [{ field: 'unit.id', value: loud(unit) }];
    expect(await ok(admin.send('POST', '/trips/filter', { conditions }))).toMatchObject({ max: 1 });
    const group = await ok(
      admin.send('POST', '/geozonesgroup', { name: 'G', geozones: [{ id: loud(zone) }] }),
    );
    expect(group).toMatchObject({ geozones: [{ id: zone }] });
    await ok(admin.send('POST', '/geozones/export_kml', { geozones: [loud(zone)] }));
    await ok(admin.send('POST', '/positions', [{ unit_id: loud(unit), time: NOW - 1000, lon: 30, lat: 50 }]));
    await ok(admin.send('PUT', `/geozones/${loud(zone)}`, { ...ZONE, name: loud(zone) }));
    expect(await ok(admin.send('GET', `/geozones?ids=${zone}`))).toMatchObject({ name: loud(zone) });
    const other = await hosted.as(loud(admin.companyId), 'SUPERVISOR');
    expect(await ok(other.send('GET', `/units?ids=${unit}`))).toMatchObject({ id: unit });
    await ok(other.send('GET', `/company/${loud(admin.companyId)}/properties`));
    await ok(admin.send('DELETE', `/trips/${loud(trip.id)}`));
  });
});

test('a trip can be given to a unit of the example city', async () => {
  const { storage } = await embedded();
  await seed(storage, NOW);
  const rows = await storage.db.selectFrom('units').select(['id', 'name', 'company_id']).execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { id, name, company_id: companyId } of rows) {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(name).not.toBe(id);
    expect(companyId).toBe(await exampleCompany(storage));
  }
  await storage.close();
});
