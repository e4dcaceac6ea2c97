import { beforeAll, expect, test } from 'vitest';
import { SAMPLES } from './samples.js';
import { type Caller, type Database, type Given, NOW, onBothDatabases, type TestHost } from './testHost.js';

/** Tests the endpoints on the embedded database and on PostgreSQL. */

const CIRCLE = { name: 'Склад', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };
const LINE = {
  name: 'Road',
  type: { key: 'line' },
  geometry: [
    [37.6, 55.7],
    [37.7, 55.7],
  ],
  width: 50,
};

function contract(given: () => Given): void {
  let database: Database;
  let hosted: TestHost;
  let admin: Caller;
  let other: Caller;
  beforeAll(async () => {
    ({ database, hosted } = given());
    admin = await hosted.as(await hosted.company(), 'ADMIN');
    other = await hosted.as(await hosted.company(), 'ADMIN');
  });

  const create = async (
    zone: object = CIRCLE,
  ): Promise<{ id: string; area: number; polygon_geometry?: unknown }> => {
    const { status, body } = await admin.send('POST', '/geozones', zone);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };

  test('a track in the request is measured in the company’s geozones and against limits; nothing is stored', async () => {
    const owner = await hosted.as(await hosted.company(), 'ADMIN');
    const answer = await owner.send('POST', '/geozones', { ...CIRCLE, geometry: [[30, 60]] });
    const { id } = answer.body as { id: string };
    const fixes = [0, 1, 2].map((i) => ({
      time: NOW - 120_000 + i * 60_000,
      lon: 29.982 + 0.018 * i,
      lat: 60,
      speedKph: 60,
    }));
    const ledger = (await owner.send('POST', '/tracks/ledger', { fixes })).body as {
      total: { distanceMeters: number };
      visits: { zoneId: string; measure: { distanceMeters: number } }[];
      sums: { zoneId: string | null; measure: { distanceMeters: number } }[];
    };
    expect(ledger.visits.map(({ zoneId }) => zoneId)).toEqual([id]);
    expect(ledger.visits[0]!.measure.distanceMeters).toBeCloseTo(1000, 0);
    const sum = ledger.sums.reduce((meters, { measure }) => meters + measure.distanceMeters, 0);
    expect(sum).toBeCloseTo(ledger.total.distanceMeters, 6);
    const speeding = await owner.send('POST', '/tracks/speeding', {
      fixes,
      limitKph: 90,
      zoneLimits: { [id]: 30 },
    });
    expect(speeding.body).toMatchObject([{ maxOverKph: 30, parts: [{ zoneId: id, limitKph: 30 }] }]);
    // Without limits in the request those of the geozones count.
    expect((await owner.send('POST', '/tracks/speeding', { fixes, limitKph: 90 })).body).toEqual([]);
    await owner.send('PUT', `/geozones/${id}`, {
      ...CIRCLE,
      geometry: [[30, 60]],
      width: 500,
      speed_limit: 40,
    });
    expect((await owner.send('POST', '/tracks/speeding', { fixes, limitKph: 90 })).body).toMatchObject([
      { maxOverKph: 20, parts: [{ zoneId: id, limitKph: 40 }] },
    ]);
    // The company's thresholds count where the request has none.
    const properties = `/company/${owner.companyId}/properties`;
    const thresholds = { tolerance_kph: 25, min_seconds: 5 };
    expect((await owner.send('PUT', properties, { speeding: thresholds })).body).toMatchObject({
      speeding: thresholds,
    });
    expect((await owner.send('POST', '/tracks/speeding', { fixes, limitKph: 90 })).body).toEqual([]);
    expect(
      (await owner.send('POST', '/tracks/speeding', { fixes, limitKph: 90, toleranceKph: 0 })).body,
    ).toHaveLength(1);
    for (const [speeding, field] of [
      [5, 'speeding'],
      [{ tolerance_kph: -1 }, 'speeding.tolerance_kph'],
      [{ min_seconds: '5' }, 'speeding.min_seconds'],
      [{ tolerance: 5 }, 'speeding.tolerance'],
    ] as const) {
      expect(await owner.send('PUT', properties, { speeding })).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
      expect(await owner.send('POST', '/units', { name: 'Strict', speeding })).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
    }
    expect((await owner.send('POST', '/units', { name: 'Strict', speeding: thresholds })).body).toMatchObject(
      { speeding: thresholds },
    );
    expect(await owner.send('POST', '/tracks/speeding', { fixes, limitKph: 0 })).toMatchObject({
      status: 422,
    });
    expect(await owner.send('POST', '/tracks/ledger', { fixes, by: 'week' })).toMatchObject({ status: 422 });
    expect((await other.send('POST', '/tracks/ledger', { fixes })).body).toMatchObject({ visits: [] });
  });

  test('a geozone with hours is open on the company’s clock, and closed on its holidays', async () => {
    const owner = await hosted.as(await hosted.company(), 'ADMIN');
    const weekly = [{ days: [1, 2], from: '08:00', to: '17:00' }];
    const hours = { weekly, holidayHours: [] };
    const { body: zone } = await owner.send('POST', '/geozones', { ...CIRCLE, hours });
    expect(zone).toMatchObject({ hours });
    const { id } = zone as { id: string };
    // Monday and Tuesday in Moscow, by its clock and by epoch milliseconds.
    const url = (from: string, to: string): string => `/geozones/${id}/hours?from=${from}&to=${to}`;
    const [monday, tuesday] = [Date.UTC(2026, 2, 2, 5), Date.UTC(2026, 2, 3, 5)];
    const open = [
      { from: monday, to: monday + 9 * 3_600_000 },
      { from: tuesday, to: tuesday + 9 * 3_600_000 },
    ];
    const week = url('2026-03-02%2000:00:00', '2026-03-09%2000:00:00');
    expect(await owner.send('GET', week)).toMatchObject({ status: 200, body: open });
    expect((await owner.send('GET', url(String(monday + 1000), String(monday + 5000)))).body).toEqual([
      { from: monday + 1000, to: monday + 5000 },
    ]);
    const holidays = [{ year: 2026, days: ['03.03'] }];
    const properties = `/company/${owner.companyId}/properties`;
    expect((await owner.send('PUT', properties, { holidays })).body).toMatchObject({ holidays });
    expect((await owner.send('GET', week)).body).toEqual(open.slice(0, 1));
    expect(
      await owner.send('PUT', properties, { holidays: [{ year: 2026, days: ['02.30'] }] }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'holidays[0].days[0]' }] },
    });
    // Without hours: always open.
    const { body: plain } = await owner.send('POST', '/geozones', CIRCLE);
    const always = `/geozones/${(plain as { id: string }).id}/hours?from=1000&to=5000`;
    expect((await owner.send('GET', always)).body).toEqual([{ from: 1000, to: 5000 }]);
    for (const [from, to] of [
      ['5000', '1000'],
      ['0', '40000000000'],
      ['x', '1'],
    ] as const)
      expect(await owner.send('GET', url(from, to))).toMatchObject({ status: 422 });
    expect(await other.send('GET', week)).toMatchObject({ status: 400 });
    for (const limit of [0, -5, '50', true])
      expect(await owner.send('POST', '/geozones', { ...CIRCLE, speed_limit: limit })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'speed_limit' }] },
      });
    const wrong = { ...CIRCLE, hours: { weekly: [{ ...weekly[0], days: [8] }] } };
    expect(await owner.send('POST', '/geozones', wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'hours.weekly[0].days[0]' }] },
    });
    await owner.send('DELETE', `/geozones/${id}`);
    expect(await owner.send('GET', week)).toMatchObject({ status: 400 });
  });

  test('a trip names its route, and a unit the distance of its trailer', async () => {
    const { body: unit } = await admin.send('POST', '/units', { name: 'Puller', device_key: 'puller' });
    const { id } = unit as { id: string };
    const trip = {
      name: 'Along',
      unit: { id },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      points: [{ ...CIRCLE, arrival: { time: '08:00' } }],
    };
    const routed = await SAMPLES['get /routes']!(admin);
    const sent = { ...trip, route: { id: routed.id, width: 60 } };
    expect((await admin.send('POST', '/trips', sent)).body).toMatchObject({ route: sent.route });
    for (const [route, field] of [
      [{ width: 60 }, 'route.id'],
      [{ id: 'any', width: 0 }, 'route.width'],
      ['any', 'route.id'],
      [{ id: 'any', width: 60 }, 'route.id'],
    ] as const)
      expect(await admin.send('POST', '/trips', { ...trip, route })).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
    const trailers = [{ trailer: { id: 'any' }, meters: 0 }];
    expect(await admin.send('PUT', `/units/${id}`, { name: 'Puller', trailers })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'trailers[0].meters' }] },
    });
    const custom_fields = [{ key: 'advanced_speedlimit', value: 'fast' }];
    expect(await admin.send('PUT', `/units/${id}`, { name: 'Puller', custom_fields })).toMatchObject({
      status: 422,
    });
  });

  test('a track is matched to a route of points and lines', async () => {
    const points = [
      { ...CIRCLE, geometry: [[37.5, 55.7]] },
      LINE,
      { name: 'End', type: { key: 'point' }, geometry: [[37.7, 55.8]], width: 50 },
    ];
    const { body: route } = await admin.send('POST', '/routes', {
      name: 'Round',
      points,
      company_id: admin.companyId,
    });
    const url = `/routes/${(route as { id: string }).id}/match`;
    const drive = (lons: readonly number[]): object[] =>
      lons.map((lon, i) => ({ time: NOW - 3_600_000 + i * 20_000, lon, lat: 55.7 }));
    const fixes = drive([37.5, 37.505, 37.51, 37.515, 37.52]);
    const { status, body } = await admin.send('POST', url, { fixes, width: 60 });
    expect(status).toBe(200);
    const match = body as {
      lengthMeters: number;
      along: number[];
      parts: { status: string; toMeters: number }[];
    };
    expect(match.parts.map((part) => part.status)).toEqual(['covered', 'ahead']);
    expect(match.parts.at(-1)!.toMeters).toBe(match.lengthMeters);
    expect(match.lengthMeters).toBeGreaterThan(23_600);
    expect(match.along).toHaveLength(5);
    expect(match.along[4]).toBeCloseTo(1257, -1);
    const aside = [...fixes, { time: NOW - 3_480_000, lon: 37.521, lat: 55.71 }];
    const { body: deviated } = await admin.send('POST', url, { fixes: aside, width: 60 });
    expect(deviated).toMatchObject({ deviations: [{ to: NOW - 3_480_000 }], along: { 5: -1 } });
    expect((deviated as { deviations: { maxMeters: number }[] }).deviations[0]!.maxMeters).toBeGreaterThan(
      1000,
    );
    expect(await admin.send('POST', url, { fixes, width: 0 })).toMatchObject({ status: 422 });
    expect(await admin.send('POST', url, { fixes })).toMatchObject({ status: 422 });
    expect(await other.send('POST', url, { fixes, width: 60 })).toMatchObject({ status: 422 });
    const square = [
      [37.6, 55.7],
      [37.7, 55.7],
      [37.7, 55.8],
      [37.6, 55.7],
    ];
    const withPolygon = [...points, { name: 'P', type: { key: 'polygon' }, geometry: square }];
    const { body: odd } = await admin.send('POST', '/routes', {
      name: 'Odd',
      points: withPolygon,
      company_id: admin.companyId,
    });
    expect(
      await admin.send('POST', `/routes/${(odd as { id: string }).id}/match`, { fixes, width: 60 }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'points[3].type.key' }] },
    });
  });

  test('a created geozone is complete, has its time on the company’s clock, and is found at its position', async () => {
    const place = { ...CIRCLE, geometry: [[33, 50]] };
    const zone = await create(place);
    expect(zone).toMatchObject({
      ...place,
      type: { key: 'circle', type: 'geozone_type' },
      created: '2026-03-02 15:00:00',
    });
    expect(zone.area).toBeCloseTo(785_398, 0);
    expect((await admin.send('GET', '/positions/33.001,50.001/geozones')).body).toContainEqual({
      id: zone.id,
    });
    expect((await other.send('GET', '/positions/33.001,50.001/geozones')).body).toEqual([]);
  });

  test('a row that is read, edited and sent back is accepted; its computed fields are computed anew', async () => {
    const zone = await create(LINE);
    const { body: read } = await admin.send('GET', `/geozones?ids=${zone.id}`);
    expect(read).toEqual(zone);
    const { status, body } = await admin.send('PUT', `/geozones/${zone.id}`, {
      ...(read as object),
      width: 100,
    });
    expect(status).toBe(200);
    expect((body as { area: number }).area).toBeGreaterThan(1.9 * zone.area);
    expect((body as { polygon_geometry: unknown }).polygon_geometry).not.toEqual(zone.polygon_geometry);
  });

  test('the same copy of a client is saved twice; what it sent for computed fields has no say', async () => {
    for (const place of [CIRCLE, LINE]) {
      const zone = await create(place);
      const { body: read } = await admin.send('GET', `/geozones?ids=${zone.id}`);
      const edited = { ...(read as object), width: 100 };
      const first = await admin.send('PUT', `/geozones/${zone.id}`, edited);
      const again = await admin.send('PUT', `/geozones/${zone.id}`, edited);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
      const odd = { ...edited, area: 1e9, perimeter: null, polygon_geometry: [[0, 85]] };
      expect(await admin.send('PUT', `/geozones/${zone.id}`, odd)).toMatchObject({
        status: 200,
        body: first.body,
      });
      // A value that the document does not allow is refused as in other fields.
      expect(await admin.send('PUT', `/geozones/${zone.id}`, { ...edited, area: 'large' })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'area' }, {}, {}] },
      });
      expect((await create({ ...odd, name: 'A copy' } as never)).area).toBe(
        (first.body as { area: number }).area,
      );
    }
  });

  test('only lines have polygon_geometry, also after a zone changed its type', async () => {
    const shapes = [
      { type: { key: 'circle' }, geometry: [[30, 50]], width: 70 },
      { type: { key: 'point' }, geometry: [[30, 50]] },
      {
        type: { key: 'polygon' },
        geometry: [
          [30, 50],
          [31, 50],
          [31, 51],
        ],
      },
    ];
    for (const shape of shapes) {
      const zone = await create(LINE);
      const { body } = await admin.send('PUT', `/geozones/${zone.id}`, { ...zone, ...shape });
      expect(body).not.toHaveProperty('polygon_geometry');
      expect((await admin.send('GET', `/geozones?ids=${zone.id}`)).body).toEqual(body);
      const drawn = { name: 'Drawn', ...shape, polygon_geometry: zone.polygon_geometry };
      expect(await create(drawn as never)).not.toHaveProperty('polygon_geometry');
    }
  });

  test('a deleted geozone is readable by its id, is in no list, and cannot be deleted again', async () => {
    const zone = await create();
    expect((await admin.send('DELETE', `/geozones/${zone.id}`)).status).toBe(200);
    expect((await admin.send('GET', `/geozones?ids=${zone.id}`)).body).toMatchObject({
      id: zone.id,
      is_delete: true,
    });
    const { body: list } = await admin.send('POST', '/geozones/filter', {});
    expect((list as { list: { id: string }[] }).list.map(({ id }) => id)).not.toContain(zone.id);
    expect(await admin.send('DELETE', `/geozones/${zone.id}`)).toMatchObject({
      status: 400,
      body: { code: 4000, field: 'id' },
    });
    expect(await other.send('DELETE', `/geozones/${zone.id}`)).toMatchObject({
      status: 400,
      body: { code: 4000 },
    });
  });

  test('a write with an outdated ETag is rejected', async () => {
    const zone = await create();
    const { headers } = await admin.send('GET', `/geozones?ids=${zone.id}`);
    const tag = String(headers['etag']);
    expect(tag).toMatch(/^"\d+-[\w-]+"$/);
    const other = { ...CIRCLE, name: 'Other' };
    expect((await admin.send('PUT', `/geozones/${zone.id}`, other, { 'if-match': tag })).status).toBe(200);
    expect((await admin.send('PUT', `/geozones/${zone.id}`, other, { 'if-match': tag })).status).toBe(412);
  });

  test('every error has the platform’s form', async () => {
    const form = { code: expect.any(Number), message: expect.any(String) };
    const wrong = { ...CIRCLE, geometry: [[37.6, 95]] };
    expect(await admin.send('POST', '/geozones', wrong)).toMatchObject({
      status: 422,
      body: { code: 4220, errors: [{ code: 4221, field: 'geometry[0][1]', reason: 'lat-range' }] },
    });
    expect(await admin.send('POST', '/geozones', { ...CIRCLE, name: 'a\0b' })).toMatchObject({
      status: 422,
      body: { code: 4220, errors: [{ field: 'name', reason: 'text-invalid' }] },
    });
    expect(await admin.send('POST', '/geozones', { ...CIRCLE, more: { deep: ['\ud800'] } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'more.deep[0]' }] },
    });
    expect(await admin.send('GET', '/nothing')).toMatchObject({ status: 404, body: form });
    expect(await admin.send('POST', '/geozones', '{', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: form,
    });
    expect(await (await hosted.as(admin.companyId, null)).send('GET', '/geozones')).toMatchObject({
      status: 401,
      body: form,
    });
    expect(
      await (await hosted.as(admin.companyId, 'READER')).send('POST', '/geozones', CIRCLE),
    ).toMatchObject({ status: 403, body: form });
    expect(await admin.send('DELETE', '/routes/no-such')).toMatchObject({
      status: 422,
      body: { code: 422, field: 'id' },
    });
  });

  test('groups list their live zones by the dotted names', async () => {
    const zone = await create();
    const { body: group } = await admin.send('POST', '/geozonesgroup', {
      name: 'G',
      geozones: [{ id: zone.id }],
    });
    const { status, body } = await admin.send('POST', '/geozonesgroup/filter', {
      fields: ['geozones.id', 'geozones.name'],
    });
    expect(status).toBe(200);
    expect(body).toContainEqual({ ...(group as object), geozones: [{ id: zone.id, name: CIRCLE.name }] });
  });

  test('an export contains the requested zones, and an import reads them back', async () => {
    const zone = await create({ ...CIRCLE, name: 'Exported' });
    await create({ ...CIRCLE, name: 'Not asked for' });
    for (const format of ['kml', 'kmz', 'geojson', 'gpx', 'csv']) {
      const { status, headers } = await admin.send('POST', `/geozones/export_kml?format=${format}`, {
        geozones: [{ id: zone.id }],
      });
      expect([status, headers['content-disposition']]).toEqual([
        200,
        `attachment; filename="geozones.${format}"`,
      ]);
    }
    const { body: kml } = await admin.send('POST', '/geozones/export_kml', { geozones: [{ id: zone.id }] });
    expect(kml).toContain('Exported');
    expect(kml).not.toContain('Not asked for');
    const upload = (query: string): Promise<{ status: number; body: unknown }> =>
      other.send('POST', `/geozones/import${query}`, form('zones.kml', kml), {
        'content-type': 'multipart/form-data; boundary=b',
      });
    expect(await upload('?dry_run=true')).toMatchObject({ status: 200, body: { read: 1, stored: 0 } });
    expect(await upload('')).toMatchObject({ status: 200, body: { read: 1, stored: 1 } });
    expect(
      (await other.send('POST', '/geozones/filter', { conditions: [{ field: 'name', value: 'exported' }] }))
        .body,
    ).toMatchObject({ max: 1 });
  });

  test('an import names what has no name, lists each error with zone and field, and stores the rest on request', async () => {
    const ring = [
      [44, 56.3],
      [44.01, 56.3],
      [44.01, 56.31],
      [44, 56.3],
    ];
    const feature = (properties: object): object => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [ring] },
    });
    const features = [feature({}), feature({ name: 'a\u0000' }), feature({ name: 'Named' })];
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    const upload = async (query: string): Promise<unknown> =>
      (
        await other.send('POST', `/geozones/import${query}`, form('Parks 2026.geojson', text), {
          'content-type': 'multipart/form-data; boundary=b',
        })
      ).body;
    const issues = [
      { severity: 'warning', code: 'required', field: 'zones[0].name' },
      { severity: 'error', field: 'zones[1].name' },
    ];
    expect(await upload('')).toMatchObject({ read: 2, stored: 0, issues });
    expect(await upload('?dry_run=true&partial=true')).toMatchObject({ read: 2, stored: 0, issues });
    expect(await upload('?partial=true')).toMatchObject({ read: 2, stored: 2, issues });
    const { body } = await other.send('POST', '/geozones/filter', {
      conditions: [{ field: 'name', value: 'Parks 2026 1' }],
    });
    expect(body).toMatchObject({ max: 1 });
  });

  test('an import of a table says its questions and assumptions, and parameters answer them', async () => {
    interface Answer {
      readonly read: number;
      readonly stored: number;
      readonly issues: readonly { readonly code: string; readonly severity: string }[];
      readonly table?: {
        readonly assumptions: readonly { readonly message: string; readonly parameter: string | null }[];
        readonly questions: readonly object[];
      };
    }
    const upload = async (query: string, text: string, name = 'zones.csv'): Promise<Answer> => {
      const { status, body } = await other.send('POST', `/geozones/import${query}`, form(name, text), {
        'content-type': 'multipart/form-data; boundary=b',
      });
      expect(status).toBe(200);
      return body as Answer;
    };
    const circles = 'Название;Широта;Долгота;Радиус\nСклад;56,30;44,01;250\n';
    const asked = await upload('', circles);
    expect(asked).toMatchObject({ read: 0, stored: 0 });
    expect(asked.table!.questions).toEqual([
      {
        code: 'radius-unit-unknown',
        message: expect.stringContaining('Радиус') as string,
        parameter: 'radius_unit',
        value: 'm',
      },
    ]);
    expect(asked.table!.assumptions).toContainEqual(
      expect.objectContaining({ message: 'decimal comma', parameter: 'decimal' }),
    );
    expect(await upload('?radius_unit=m', circles)).toMatchObject({
      read: 1,
      stored: 1,
      table: { questions: [] },
    });
    const fixes = 'unit,time,lat,lon\nv1,2026-03-02T08:00:00Z,55.7,37.6\nv1,2026-03-02T08:01:00Z,55.7,37.6\n';
    const local = 'ТС;Время;Широта;Долгота\nА1;15.01.2026 08:00;55,70;37,60\n';
    for (const text of [fixes, local]) {
      const other = await upload('', text, 'tracks.csv');
      expect(other).toMatchObject({ read: 0, stored: 0 });
      expect(other.issues).toContainEqual(expect.objectContaining({ code: 'no-zones', severity: 'error' }));
    }
    const ring = 'name\tring\nYard\t55.7 37.5, 55.7 37.6, 55.8 37.6\n';
    expect((await upload('?dry_run=true', ring, 'yards.tsv')).table!.questions).toMatchObject([
      { code: 'axis-order-suspect', parameter: 'axis_order', value: 'latlon' },
    ]);
    const read = await upload('?axis_order=latlon', ring, 'yards.tsv');
    expect(read).toMatchObject({ read: 1, stored: 1 });
    const { body: found } = await other.send('POST', '/geozones/filter', {
      conditions: [{ field: 'name', value: 'yard' }],
    });
    const corner = [37.5, 55.7];
    const geometry = [corner, [37.6, 55.7], [37.6, 55.8], corner];
    expect(found).toMatchObject({ max: 1, list: [{ geometry }] });
    expect('table' in (await upload('?dry_run=true', 'id,name,wkt\n1,a,POINT(37 55)\n'))).toBe(false);
    const wrong = await other.send('POST', '/geozones/import?time_zone=Mars', form('zones.csv', circles), {
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(wrong).toMatchObject({ status: 422 });
    expect(JSON.stringify(wrong.body)).toContain('tz-unknown');
  });

  test('ten points of any number of digits are routed', async () => {
    const points = Array.from({ length: 10 }, (_, i) => `55.${i}00000000000001,37.${i}00000000000001`).join(
      ';',
    );
    const { status, body } = await admin.send(
      'GET',
      `/routing/${encodeURIComponent(points)}?optimize=true&language=ru`,
    );
    expect(status).toBe(200);
    expect((body as { values: unknown[] }).values).toHaveLength(9);
  });

  test('fixes are accepted, their visit is in the unit’s visits, and an invalid fix names its field', async () => {
    await create({ ...CIRCLE, name: 'Depot', geometry: [[30, 60]] });
    const { body: unit } = await admin.send('POST', '/units', {
      name: 'Van',
      device_key: `key-${admin.companyId}`,
    });
    const { id } = unit as { id: string };
    const fixes = Array.from({ length: 11 }, (_, i) => ({
      unit_id: id,
      time: NOW - 3_600_000 + i * 60_000,
      lon: 29.95 + i / 100,
      lat: 60,
    }));
    expect(
      await admin.send('POST', '/positions', [...fixes, { unit_id: id, time: NOW, lon: 1, lat: 100 }]),
    ).toMatchObject({
      status: 200,
      body: { taken: 11, errors: [{ field: '[11].lat' }] },
    });
    const { status, body } = await admin.send('GET', `/units/${id}/visits?from=${NOW - 7_200_000}&to=${NOW}`);
    expect([status, (body as unknown[]).length]).toEqual([200, 1]);
    const events = await database.storage.db
      .selectFrom('events')
      .select('event')
      .where('unit_id', '=', id)
      .execute();
    expect(new Set(events.map(({ event }) => event['type']))).toEqual(new Set(['begin', 'enter', 'exit']));
    expect((await other.send('GET', `/units/${id}/visits?from=0&to=${NOW}`)).status).toBe(422);
    const stamp = Math.floor(NOW / 1000);
    expect(
      await (await hosted.as('', null)).send(
        'GET',
        `/osmand?id=key-${admin.companyId}&lat=60&lon=30&timestamp=${stamp}&speed=10`,
      ),
    ).toMatchObject({ status: 200 });
  });

  test('a trip is stored, listed, and reported', async () => {
    const { body: unit } = await admin.send('POST', '/units', {
      name: 'Bus',
      device_key: `bus-${admin.companyId}`,
    });
    const { id: unitId } = unit as { id: string };
    const trip = {
      name: 'Tour',
      unit: { id: unitId },
      activation_type: { key: 'entrance_to_first_point' },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      work_types: ['snow'],
      points: [{ name: 'A', type: { key: 'circle' }, geometry: [[30, 61]], width: 300 }],
    };
    const { status, body } = await admin.send('POST', '/trips', trip);
    expect({ status, body }).toMatchObject({ status: 200 });
    const { id } = body as { id: string };
    expect((await admin.send('GET', '/work_types')).body).toEqual(['snow']);
    expect(
      (await admin.send('POST', '/trips/filter', { conditions: [{ field: 'unit.id', value: unitId }] })).body,
    ).toMatchObject({ max: 1 });
    expect(await admin.send('GET', `/trips/${id}/report?date=2026-03-02`)).toMatchObject({
      status: 200,
      body: { tripId: id },
    });
    expect((await admin.send('GET', `/trips/${id}/report?date=2026-03-03`)).status).toBe(422);
    expect((await other.send('GET', `/trips/${id}/report?date=2026-03-02`)).status).toBe(422);
  });

  test('properties of a company are validated and stored', async () => {
    const url = `/company/${admin.companyId}/properties`;
    const gradation = {
      styles: [
        { max: 60, hex_color: '#00ff00' },
        { max: null, hex_color: '#ff0000' },
      ],
    };
    expect((await admin.send('PUT', url, { track_gradation: gradation })).status).toBe(200);
    expect((await admin.send('GET', url)).body).toEqual({ track_gradation: gradation });
    expect(
      (await admin.send('PUT', url, { track_gradation: { styles: [{ max: 1, hex_color: 'red' }] } })).status,
    ).toBe(422);
    expect((await other.send('GET', url)).status).toBe(422);
  });

  test('the document lists every operation with its lowest role', async () => {
    const { body } = await admin.send('GET', '/openapi.json');
    const document = body as {
      openapi: string;
      info: { version: string };
      paths: Record<string, Record<string, { 'x-min-role'?: string }>>;
    };
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.5.0']);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(35);
    for (const operation of operations) expect(operation['x-min-role']).toMatch(/^[A-Z_]+$/);
  });
}

function form(name: string, text: string): string {
  return `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}\r\n--b--\r\n`;
}

onBothDatabases(contract);
