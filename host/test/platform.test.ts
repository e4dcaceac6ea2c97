import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { lineToPolygon } from 'wayzone';
import { signToken } from '../src/auth/tokens.js';
import { pictureForm } from './samples.js';
import { type Caller, type Given, NOW, onADatabase, type TestHost } from './testHost.js';

/** What the platform's document says of companies, dictionaries, units, history, keys and pictures. */

const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const ROUTE = { name: 'Round', points: [{ ...ZONE, name: 'A' }] };
const FOREIGN_FIELDS = {
  company_id: '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f',
  version: 77,
  created: '1999-01-01 00:00:00',
  is_delete: true,
};
const GRADATION = { styles: [{ max: null, hex_color: '#ff0000' }] };

function contract(given: () => Given): void {
  let hosted: TestHost;
  let admin: Caller;
  let other: Caller;
  /** An administrator of both companies. */
  let both: Caller;
  beforeAll(async () => {
    ({ hosted } = given());
    admin = await hosted.as(await hosted.company(), 'ADMIN');
    other = await hosted.as(await hosted.company(), 'ADMIN');
    both = withToken(
      admin,
      await tokenOf({ companies: [other.companyId], name: 'Ann', email: 'ann@fleet.example' }),
    );
  });

  const tokenOf = (more: object): Promise<string> =>
    signToken(
      hosted.host.secret!,
      { issuer: 'wayzone-host', audience: 'wayzone' },
      { companyId: admin.companyId, userId: 'ann', role: 'ADMIN', ...more },
      NOW + 3_600_000,
    );
  const withToken = (caller: Caller, token: string): Caller => ({
    ...caller,
    send: (method, url, body, headers) =>
      caller.send(method, url, body, { ...headers, authorization: `Bearer ${token}` }),
  });
  const made = async (caller: Caller, url: string, body: object): Promise<never> => {
    const answer = await caller.send('POST', url, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const unitOf = async (caller: Caller): Promise<string> =>
    ((await made(caller, '/units', { name: 'Van' })) as { id: string }).id;
  const tripOf = (unitId: string): object => ({
    name: 'Tour',
    unit: { id: unitId },
    passage_order_type: { key: 'strict' },
    dates: ['2026-03-02'],
    work_types: ['snow', 'salt'],
    points: ROUTE.points,
  });
  const namesOf = async (caller: Caller): Promise<string[]> =>
    ((await caller.send('GET', '/geozones')).body as { name: string }[]).map(({ name }) => name);

  test('routes and trips state their company in every answer; what a caller may not set is not taken', async () => {
    const trip = tripOf(await unitOf(admin));
    for (const [url, body] of [
      ['/routes', ROUTE],
      ['/trips', trip],
      ['/geozones', ZONE],
    ] as const) {
      const row = (await made(admin, url, { ...body, ...FOREIGN_FIELDS })) as { id: string };
      const expected = url === '/geozones' ? {} : { company_id: admin.companyId };
      expect(row).toMatchObject({ ...expected, created: '2026-03-02 15:00:00' });
      expect(row).not.toHaveProperty('is_delete');
      expect(row).not.toHaveProperty('version');
      const listed = (await admin.send('POST', `${url}/filter`, {})).body as { list: object[] };
      expect(listed.list).toContainEqual(row);
      expect((await admin.send('GET', `${url}?ids=${row.id}`)).body).toEqual(row);
      expect((await admin.send('GET', url)).body).toContainEqual(row);
      const put = await admin.send('PUT', `${url}/${row.id}`, { ...row, ...FOREIGN_FIELDS, name: 'New' });
      expect([put.status, put.body]).toEqual([200, { ...row, name: 'New' }]);
      expect((await admin.send('DELETE', `${url}/${row.id}`)).body).toMatchObject({
        ...expected,
        is_delete: true,
      });
    }
  });

  test('a line has the corridor of the library in its answer, by its id, in lists and in other companies', async () => {
    const geometry = Array.from(
      { length: 300 },
      (_, i) => [50 + i / 1000, 20 + 0.001 * Math.sin(i)] as const,
    );
    const line = { type: { key: 'line' }, geometry, width: 40 } as const;
    const companies = [{ id: other.companyId }];
    const row = (await made(both, '/geozones', { ...line, name: 'Road', companies })) as { id: string };
    expect(row).toMatchObject({ name: 'Road', created: '2026-03-02 15:00:00', ...lineToPolygon(line) });
    const byId = `/geozones?ids=${row.id}`;
    expect((await admin.send('GET', byId)).body).toEqual(row);
    expect((await admin.send('GET', `${byId},${row.id}`)).body).toEqual(row);
    const second = (await made(admin, '/geozones', ZONE)) as { id: string };
    expect((await admin.send('GET', `/geozones?ids=${second.id},none,${row.id}`)).body).toEqual([
      second,
      row,
    ]);
    expect((await admin.send('GET', '/geozones')).body).toContainEqual(row);
    expect((await other.send('GET', byId)).body).toEqual(row);
    const wider = { ...line, width: 60 } as const;
    const put = await both.send('PUT', `/geozones/${row.id}`, { ...wider, name: 'Road', companies });
    expect(put.body).toMatchObject({ id: row.id, width: 60, ...lineToPolygon(wider) });
    expect((await other.send('GET', byId)).body).toEqual(put.body);
    for (const { id } of [row, second]) await both.send('DELETE', `/geozones/${id}`);
    expect((await other.send('GET', byId)).body).toEqual({ ...(put.body as object), is_delete: true });
  });

  test('a zone is shared with companies of the caller, which see it but do not change it', async () => {
    const companies = [{ id: admin.companyId }, { id: other.companyId }];
    expect(await admin.send('POST', '/geozones', { ...ZONE, companies })).toMatchObject({
      status: 422,
      body: { code: 4022, field: 'companies[1].id' },
    });
    const place = { ...ZONE, name: 'Shared', geometry: [[40, 50]], companies };
    const { id } = (await made(both, '/geozones', place)) as { id: string };
    expect(await namesOf(other)).toEqual(['Shared']);
    expect((await other.send('GET', '/positions/40,50/geozones')).body).toEqual([{ id }]);
    expect((await other.send('POST', '/geozones/filter', {})).body).toMatchObject({ max: 1, list: [{ id }] });
    expect((await other.send('POST', '/geozones/export_kml', {})).body).toContain('Shared');
    expect((await other.send('PUT', `/geozones/${id}`, ZONE)).status).toBe(403);
    // The owner's administrator, who is not of the other company, may edit the zone and keep its companies.
    expect(
      (await admin.send('PUT', `/geozones/${id}`, { ...place, name: 'Moved', geometry: [[41, 50]] })).status,
    ).toBe(200);
    expect(await namesOf(other)).toEqual(['Moved']);
    expect((await other.send('GET', '/positions/40,50/geozones')).body).toEqual([]);
    expect((await other.send('GET', '/positions/41,50/geozones')).body).toEqual([{ id }]);
    expect((await admin.send('PUT', `/geozones/${id}`, ZONE)).status).toBe(200);
    expect(await namesOf(other)).toEqual([]);
    expect((await other.send('GET', '/positions/41,50/geozones')).body).toEqual([]);
    const again = (await made(both, '/geozones', place)) as { id: string };
    expect(await namesOf(other)).toEqual(['Shared']);
    // A company with which a zone is shared may leave it. The owner keeps the zone.
    expect((await admin.send('PUT', `/geozones/${again.id}`, { ...place, name: 'Left' })).status).toBe(200);
    expect((await other.send('DELETE', `/geozones/${again.id}`)).body).toMatchObject({
      id: again.id,
      name: 'Left',
      is_delete: true,
    });
    expect(await namesOf(other)).toEqual([]);
    expect(await namesOf(admin)).toContain('Left');
    expect((await admin.send('GET', `/geozones?ids=${again.id}`)).body).toMatchObject({
      companies: [{ id: admin.companyId }],
    });
    expect((await other.send('DELETE', `/geozones/${again.id}`)).status).toBe(400);
    await made(both, '/geozones', place);
    expect(await namesOf(other)).toEqual(['Shared']);
    const supervisor = await hosted.as(other.companyId, 'SUPERVISOR');
    const shared = ((await admin.send('GET', '/geozones')).body as { id: string; name: string }[]).find(
      ({ name }) => name === 'Shared',
    )!;
    expect((await supervisor.send('DELETE', `/admin/geozones/${shared.id}`)).status).toBe(200);
    expect(await namesOf(other)).toEqual([]);
    expect(await namesOf(admin)).not.toContain('Shared');
  });

  test('groups refuse unknown and foreign zones, trips units that are not the caller’s', async () => {
    const { id } = (await made(other, '/geozones', ZONE)) as { id: string };
    const unknown = '00000000-0000-4000-8000-000000000001';
    expect(
      await admin.send('POST', '/geozonesgroup', { name: 'G', geozones: [{ id }, { id: unknown }] }),
    ).toMatchObject({
      status: 422,
      body: { code: 4220, errors: [{ field: 'geozones[0].id' }, { field: 'geozones[1].id' }] },
    });
    const group = (await made(other, '/geozonesgroup', { name: 'G', geozones: [{ id }] })) as { id: string };
    await other.send('DELETE', `/geozones/${id}`);
    // A client that reads, edits and sends back still names the deleted zone.
    expect(
      (await other.send('PUT', `/geozonesgroup/${group.id}`, { name: 'H', geozones: [{ id }] })).status,
    ).toBe(200);

    const unitId = await unitOf(other);
    expect(await admin.send('POST', '/trips', tripOf(unitId))).toMatchObject({
      status: 422,
      body: { code: 422, field: 'unit.id' },
    });
    const trip = (await made(other, '/trips', tripOf(unitId))) as { id: string };
    const gone = await unitOf(other);
    expect((await other.send('DELETE', `/units/${gone}`)).status).toBe(200);
    expect((await other.send('PUT', `/trips/${trip.id}`, tripOf(gone))).status).toBe(422);
    await other.send('PUT', `/trips/${trip.id}`, { ...tripOf(unitId), work_types: ['sand'] });
    await other.send('DELETE', `/trips/${trip.id}`);
    expect((await other.send('GET', '/work_types')).body).toEqual(['snow', 'salt', 'sand']);
  });

  test('a dictionary or property type without entries is an empty list; custom fields are complete', async () => {
    for (const url of [
      '/dictionaries/sensor_type',
      '/dictionaries/no-such',
      '/properties/layers_type',
      '/properties/x',
    ])
      expect(await admin.send('GET', url)).toMatchObject({ status: 200, body: [] });
    expect((await admin.send('GET', '/dictionaries/customfield_groups')).body).toHaveLength(6);
    expect((await admin.send('GET', '/properties/roles')).body).toHaveLength(9);
    const { body } = await admin.send('GET', '/custom_fields');
    expect(body).toHaveLength(55);
    expect(body).toContainEqual(
      expect.objectContaining({ key: 'hours_rate', type: 'text', group: 'cf_etc', default_value: 8 }),
    );
    expect((await admin.send('GET', '/geozones?ids=no-such')).status).toBe(404);
  });

  test('properties are copied to companies of the caller only', async () => {
    const url = `/company/${admin.companyId}/properties`;
    await admin.send('PUT', url, { track_gradation: GRADATION });
    const copy = { companies: [{ id: other.companyId }], properties: ['track_gradation'] };
    expect(await admin.send('PUT', `${url}/copy`, copy)).toMatchObject({
      status: 422,
      body: { code: 4022, field: 'companies[0].id' },
    });
    expect((await both.send('PUT', `${url}/copy`, copy)).status).toBe(200);
    expect((await other.send('GET', `/company/${other.companyId}/properties`)).body).toEqual({
      track_gradation: GRADATION,
    });
    expect((await both.send('PUT', `${url}/copy`, { ...copy, properties: ['x'] })).status).toBe(422);
    expect(await other.send('GET', url)).toMatchObject({ status: 422, body: { code: 4022, field: 'id' } });
  });

  test('a change has its user, fields, and the object before and after; a failed write leaves no entry', async () => {
    const zone = (await made(both, '/geozones', { ...ZONE, name: 'First' })) as { id: string };
    await both.send('PUT', `/geozones/${zone.id}`, { ...ZONE, name: 'Second' });
    await both.send('PUT', `/geozones/${zone.id}`, { ...ZONE, name: 'Third' }, { 'if-match': '"1"' });
    await both.send('DELETE', `/geozones/${zone.id}`);
    const ask = (body: object): Promise<{ list: Record<string, never>[]; max_rows: number }> =>
      admin.send('POST', '/company/history', body).then((answer) => {
        expect(answer.status).toBe(200);
        return answer.body;
      });
    const { list, max_rows: count } = await ask({ object_id: zone.id, objects: ['geozones'] });
    expect(count).toBe(3);
    expect(list.map(({ operation }) => operation)).toEqual(['DELETE', 'PUT', 'POST']);
    expect(list[1]).toMatchObject({
      created: '2026-03-02 15:00:00',
      user: { id: 'ann', name: 'Ann', email: 'ann@fleet.example' },
      objects: 'geozones',
      object_id: zone.id,
      fields: ['name'],
      before: { name: 'First' },
      after: { name: 'Second' },
    });
    expect(list[2]).toMatchObject({ before: null, after: zone });
    const page = await ask({ object_id: zone.id, first_row: 1, max_rows: 1, sortField: 'operation' });
    expect([page.max_rows, page.list.map(({ operation }) => operation)]).toEqual([3, ['POST']]);
    expect((await ask({ max_rows: 0 })).list).toEqual([]);
    expect((await ask({ objects: 'trips', value: 'no such user' })).max_rows).toBe(0);
    expect((await ask({ value: '%' })).max_rows).toBe(0);
    expect((await ask({ to: '2026-03-01 00:00:00' })).max_rows).toBe(0);
    const refused = { from: '2024-01-01 00:00:00', to: '2026-01-01 00:00:00' };
    expect((await admin.send('POST', '/company/history', refused)).status).toBe(422);
    for (const objects of ['units', 'routes', 'trips', 'company'])
      expect((await ask({ objects })).max_rows, objects).toBeGreaterThan(0);
    const supervisor = await hosted.as(other.companyId, 'SUPERVISOR');
    const { body } = await supervisor.send('POST', `/company/${admin.companyId}/history`, {
      object_id: zone.id,
    });
    expect(body).toMatchObject({ max_rows: 3 });
  });

  test('entries with large objects come in pages, each once and in order', async () => {
    const owner = await hosted.as(await hosted.company(), 'ADMIN');
    const line = Array.from({ length: 3000 }, (_, i) => [30 + i / 3000, 60 + Math.sin(i / 5) / 300]);
    const zone = (await made(owner, '/geozones', { ...ZONE, name: 'Z0' })) as { id: string };
    for (let i = 1; i <= 3; i++) {
      const long = { name: `Z${i}`, type: { key: 'line' }, width: 10, geometry: line };
      expect((await owner.send('PUT', `/geozones/${zone.id}`, long)).status).toBe(200);
      for (let k = 0; k < 3; k++) await made(owner, '/geozones', { ...ZONE, name: `Small ${i} ${k}` });
    }
    const ask = async (body: object): Promise<string[]> => {
      const answer = await owner.send('POST', '/company/history', body);
      return (answer.body as { list: { after: { name: string } }[] }).list.map(({ after }) => after.name);
    };
    const names = ['Z0'];
    for (let i = 1; i <= 3; i++) names.push(`Z${i}`, `Small ${i} 0`, `Small ${i} 1`, `Small ${i} 2`);
    expect(await ask({})).toEqual(names.toReversed());
    expect(await ask({ sortField: 'created', first_row: 3, max_rows: 7 })).toEqual(names.slice(3, 10));
  });

  test('each zone of a long import has its entry in the history, in the order of the file', async () => {
    const importer = await hosted.as(await hosted.company(), 'ADMIN');
    const names = Array.from({ length: 1203 }, (_, i) => `Stop ${i}`);
    const rows = names.map((name, i) => `${name},circle,${30 + i / 1000},60,50`);
    const form = new FormData();
    form.append('file', new File([['name,type,lon,lat,radius_m', ...rows].join('\n')], 'stops.csv'));
    expect(await importer.send('POST', '/geozones/import', form)).toMatchObject({
      body: { read: 1203, stored: 1203 },
    });
    const { body } = await importer.send('POST', '/company/history', { max_rows: 2000 });
    const list = (body as { list: { msg: string; operation: string; after: object }[] }).list.reverse();
    expect(list.map(({ msg }) => msg)).toEqual(names.map((name) => `created ${name}`));
    expect(list[1202]).toMatchObject({ operation: 'POST', fields: expect.arrayContaining(['id', 'name']) });
    const zones = (await importer.send('GET', '/geozones')).body;
    expect(list.map(({ after }) => after)).toEqual(zones);
  });

  test('a unit has all required custom fields, which set its trip detector; it can be changed and deleted', async () => {
    const sensor = { name: 'Fuel', type: { key: 'fuel' } };
    const unit = (await made(admin, '/units', {
      name: 'Bus 7',
      imei: '350000000000001',
      icon: { key: 'bus' },
      custom_fields: [
        { key: 'tripdetector_minparktime', value: '600' },
        { key: 'depot', value: 'North' },
      ],
      sensors: [sensor],
    })) as {
      id: string;
      device_key: string;
      custom_fields: { key: string; value: unknown }[];
      sensors: object[];
    };
    expect(unit).toMatchObject({ company_id: admin.companyId, is_delete: 0, imei: '350000000000001' });
    expect(unit.device_key).toMatch(/^[\w-]{32}$/);
    expect(unit.custom_fields).toHaveLength(45);
    const type = { ...sensor.type, type: 'sensor_type', value: 'fuel' };
    expect(unit.sensors).toEqual([{ ...sensor, type, id: expect.any(String), unit_id: unit.id }]);
    const { device_key: key, ...read } = unit;
    expect((await admin.send('GET', `/units?ids=${unit.id}`)).body).toEqual(read);
    expect((await admin.send('PUT', `/units/${unit.id}`, { ...read, name: 'Bus 8' })).body).toEqual({
      ...read,
      name: 'Bus 8',
    });
    expect(
      await admin.send('PUT', `/units/${unit.id}`, { name: 'x', custom_fields: { hours_rate: 25 } }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'custom_fields.hours_rate', reason: 'field-pattern' }] },
    });
    expect((await admin.send('POST', '/units', { name: 'Van 9', device_key: 'Van 9' })).status).toBe(422);
    const fix = { device_key: key, time: NOW, lon: 30, lat: 60 };
    expect((await admin.send('POST', '/positions', [fix])).body).toMatchObject({ taken: 1 });
    const ofBoth = (await both.send('GET', '/units')).body as { company_id: string }[];
    expect(new Set(ofBoth.map(({ company_id: id }) => id))).toEqual(
      new Set([admin.companyId, other.companyId]),
    );
    expect((await admin.send('DELETE', `/units/${unit.id}`)).body).toMatchObject({ is_delete: 1 });
    expect((await admin.send('POST', '/positions', [fix])).body).toMatchObject({ taken: 0 });
    expect((await admin.send('GET', `/osmand?id=${key}&lat=60&lon=30`)).status).toBe(401);
    expect((await admin.send('GET', `/units?ids=${unit.id}`)).body).toMatchObject({ is_delete: 1 });
    expect((await admin.send('GET', '/units')).body).not.toContainEqual(
      expect.objectContaining({ id: unit.id }),
    );
  });

  test('keys expire, are rotated and revoked', async () => {
    const issue = (body: object): Promise<{ status: number; body: never }> =>
      admin.send('POST', '/users/gate/create_token', body);
    const { body: issued } = await issue({ valid_to: '2026-03-03 00:00:00', role: 'OPERATOR' });
    const { id, user_company_api_key: key } = issued as { id: string; user_company_api_key: string };
    const nobody = await hosted.as(admin.companyId, null);
    const use = (secret: string): Promise<number> =>
      nobody.send('GET', '/me', undefined, { user_company_api_key: secret }).then(({ status }) => status);
    expect(await use(key)).toBe(200);
    expect((await admin.send('GET', '/keys')).body).toContainEqual({
      id,
      user_id: 'gate',
      role: 'OPERATOR',
      valid_to: '2026-03-03 00:00:00',
      created: '2026-03-02 15:00:00',
    });
    const { body: rotated } = await admin.send('POST', `/keys/${id}/rotate`);
    const { user_company_api_key: second } = rotated as { user_company_api_key: string };
    expect([await use(key), await use(second)]).toEqual([401, 200]);
    await given()
      .database.storage.db.updateTable('api_keys')
      .set({ expires: NOW })
      .where('id', '=', id)
      .execute();
    expect(await use(second)).toBe(401);
    expect((await admin.send('DELETE', `/keys/${id}`)).status).toBe(200);
    expect((await admin.send('POST', `/keys/${id}/rotate`)).status).toBe(404);
    for (const body of [
      { valid_to: '2026-03-01 00:00:00' },
      { valid_to: '9999999999999999' },
      { valid_to: String(NOW + 1), role: 'ADMIN' },
      {},
    ])
      expect((await issue(body)).status, JSON.stringify(body)).toBe(422);
  });

  test('a caller sees what the role may edit', async () => {
    const reader = await hosted.as(admin.companyId, 'READER');
    expect((await reader.send('GET', '/me')).body).toMatchObject({
      role: { key: 'READER' },
      companies: [{ id: admin.companyId }],
      active_company: { id: admin.companyId, timezone: 'Europe/Moscow' },
      edit_classes_fields: [],
    });
    const { body } = await admin.send('GET', '/me/access');
    const access = body as { edit_classes_fields: { type: string }[]; actions: string[] };
    expect(access.edit_classes_fields.map(({ type }) => type)).toEqual([
      'geozones',
      'routes',
      'trips',
      'units',
    ]);
    expect(access.actions).toContain('PUT /geozones/:id');
    expect(access.actions).not.toContain('DELETE /admin/geozones/:id');
  });

  test('a picture is uploaded first; a custom type takes only addresses of uploaded pictures', async () => {
    const upload = async (bytes: Buffer): Promise<{ status: number; body: never }> => {
      const { body, headers } = await pictureForm(bytes);
      return admin.send('POST', '/upload_photos/geozones', body, headers);
    };
    const pictureOf = (width: number, height: number): Promise<Buffer> =>
      sharp({ create: { width, height, channels: 3, background: '#1585d8' } })
        .png()
        .toBuffer();
    const png = await pictureOf(320, 160);
    const { body: uploaded } = await upload(png);
    const [original, small] = uploaded as { id: string; url: string }[];
    expect([original, small]).toMatchObject([
      { url: `/api_v1/photos/${original!.id}/original`, width: 320, height: 160, param_type: 'geozones' },
      { width: 110, height: 55 },
    ]);
    const answer = await hosted.host.app.inject({ url: original!.url, headers: admin.headers });
    expect([answer.headers['content-type'], answer.rawPayload.equals(png)]).toEqual(['image/png', true]);
    expect((await other.send('GET', original!.url.replace('/api_v1', ''))).status).toBe(404);
    for (const [bytes, message] of [
      [Buffer.from('no picture'), 'No Image'],
      [Buffer.alloc(0), 'No File'],
      [await pictureOf(3001, 1), 'Image size exceeded 3000x3000'],
    ] as const)
      expect(await upload(bytes)).toMatchObject({ status: 422, body: { errors: [{ message }] } });
    expect((await upload(Buffer.alloc(6_000_000))).status).toBe(413);

    const create = (url: string): Promise<{ status: number; body: never }> =>
      admin.send('POST', '/custom_geozone_types', {
        name: 'Depot',
        company_id: other.companyId,
        photo: { original: { ...original, url }, small },
      });
    expect(await create(original!.url)).toMatchObject({ status: 200, body: { company_id: admin.companyId } });
    for (const url of ['javascript:alert(1)', 'https://example.org/a.png', '/api_v1/photos/no-such/original'])
      expect(await create(url)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'photo.original.url' }] },
      });
  });
}

onADatabase(contract);
