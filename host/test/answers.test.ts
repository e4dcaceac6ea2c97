import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { pictureForm } from './samples.js';
import { type Caller, type Given, onBothDatabases } from './testHost.js';

/** Lists, groups, files and pictures: what was asked for, and what an answer lacks. */

const CIRCLE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const RING = [30, 30.1, 30.1, 30].map((lon, i) => [lon, i < 2 ? 60 : 60.1]);
const POLYGON = { name: 'Field', type: { key: 'polygon' }, geometry: [...RING, RING[0]] };
const LINE = { name: 'Road', type: { key: 'line' }, geometry: RING, width: 20 };
const POINT = { name: 'Gate', type: { key: 'point' }, geometry: [[30, 60]] };

interface Row {
  readonly id: string;
  readonly name: string;
}

function contract(given: () => Given): void {
  let admin: Caller;
  beforeAll(async () => {
    const { hosted } = given();
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });
  const create = async (body: object, url = '/geozones'): Promise<Row> => {
    const answer = await admin.send('POST', url, body);
    expect([url, answer.status, answer.body]).toMatchObject([url, 200, {}]);
    return answer.body;
  };
  const fieldsOf = (body: unknown): string[] =>
    ((body as { errors?: { field: string }[] }).errors ?? []).map(({ field }) => field);

  test('a group lists a zone once; `name` is the group’s name and `geozones.name` the zones’', async () => {
    const zones = [await create(CIRCLE), await create(POINT)].map(({ id }) => ({ id }));
    const twice = [...zones, ...zones.toReversed()];
    const group = await create({ name: 'Twice', geozones: twice }, '/geozonesgroup');
    expect(group).toMatchObject({ geozones: zones });
    const put = await admin.send('PUT', `/geozonesgroup/${group.id}`, { name: 'Twice', geozones: twice });
    expect(put.body).toMatchObject({ geozones: zones });
    const listed = async (fields: unknown): Promise<unknown> => {
      const { body } = await admin.send('POST', '/geozonesgroup/filter', { fields });
      return (body as Row[]).find(({ id }) => id === group.id);
    };
    expect(await listed(['name'])).toEqual({ ...group, geozones: zones });
    expect(await listed(['geozones.name'])).toEqual({
      ...group,
      geozones: [
        { ...zones[0], name: 'Yard' },
        { ...zones[1], name: 'Gate' },
      ],
    });
    const wrong = await admin.send('POST', '/geozonesgroup/filter', { fields: ['width'] });
    expect([wrong.status, fieldsOf(wrong.body)]).toEqual([422, ['fields[0]']]);
  });

  test('an export of wrong or unknown ids is 422 with all of them; nothing of it is written', async () => {
    const { id } = await create(CIRCLE);
    const group = await create({ name: 'G', geozones: [{ id }] }, '/geozonesgroup');
    const deleted = await create({ ...CIRCLE, name: 'Deleted' });
    await admin.send('DELETE', `/geozones/${deleted.id}`);
    for (const [body, fields] of [
      [{ geozones: [{ id }, { id: 'none' }, 'neither'] }, ['geozones[1].id', 'geozones[2]']],
      [{ geozones: `${id},none` }, ['geozones[1]']],
      [{ geozones: [{ id: '' }] }, ['geozones[0].id']],
      [{ geozones_groups: [{ id: group.id }, { id }] }, ['geozones_groups[1].id']],
      [{ geozones: [{ id: group.id }], geozones_groups: [{ id: group.id }] }, ['geozones[0].id']],
      [{ geozones: { id } }, ['geozones']],
      [{ geozones: 7 }, ['geozones']],
      [{ geozones: [7] }, ['geozones[0].id']],
      [{ geozones: [{ id: 7 }] }, ['geozones[0].id']],
      [{ geozones_groups: [null] }, ['geozones_groups[0].id']],
      [[], ['']],
    ] as const)
      for (const format of ['kml', 'gpx']) {
        const answer = await admin.send('POST', `/geozones/export_kml?format=${format}`, body);
        expect([body, answer.status, fieldsOf(answer.body)]).toEqual([body, 422, fields]);
      }
    for (const body of [
      {},
      { geozones: [] },
      { geozones: '' },
      { geozones: `${id}, ${deleted.id}` },
      { geozones: [{ id: deleted.id }], geozones_groups: [group.id] },
    ])
      expect((await admin.send('POST', '/geozones/export_kml', body)).status).toBe(200);
  });

  test('a GPX file says which zones it lacks, and whose widths', async () => {
    const zones = [];
    for (const body of [CIRCLE, POLYGON, POINT, LINE]) zones.push(await create(body));
    const [circle, polygon, point, line] = zones.map(({ id }) => id);
    const exported = async (...ids: (string | undefined)[]) => {
      const { body, headers } = await admin.send('POST', '/geozones/export_kml?format=gpx', {
        geozones: ids,
      });
      const text = String(body);
      return [headers['x-left-out'], /<desc>(.*)<\/desc>/.exec(text)?.[1], text.split('<wpt ').length - 1];
    };
    expect(await exported(circle, polygon, point, line)).toEqual([
      '2',
      `2 lines and polygons are left out: ${polygon}, ${line}; 1 circles are waypoints without their widths: ${circle}`,
      2,
    ]);
    expect(await exported(polygon)).toEqual(['1', `1 lines and polygons are left out: ${polygon}`, 0]);
    expect(await exported(point)).toEqual(['0', undefined, 1]);
    const kml = await admin.send('POST', '/geozones/export_kml', { geozones: [line] });
    expect(kml.headers).not.toHaveProperty('x-left-out');
  });

  test('a list that is sorted by the mark has live and deleted zones', async () => {
    const { hosted } = given();
    const own = await hosted.as(await hosted.company(), 'ADMIN');
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C'])
      ids.push(((await own.send('POST', '/geozones', { ...CIRCLE, name })).body as Row).id);
    await own.send('DELETE', `/geozones/${ids[0]}`);
    const namesOf = async (query: object): Promise<[number, string]> => {
      const { body } = await own.send('POST', '/geozones/filter', query);
      const { max, list } = body as { max: number; list: Row[] };
      return [max, list.map(({ name }) => name).join('')];
    };
    const sortField = 'is_delete';
    expect(await namesOf({ sortField })).toEqual([3, 'BCA']);
    expect(await namesOf({ sortField, sortDesc: 'true' })).toEqual([3, 'ABC']);
    expect(await namesOf({ sortField, sortDesc: true, from: 0, count: 1 })).toEqual([3, 'A']);
    expect(await namesOf({ sortField, conditions: [{ field: 'name', value: 'a' }] })).toEqual([1, 'A']);
    const live = { field: 'is_delete', value: false };
    expect(await namesOf({ sortField, conditions: [live] })).toEqual([2, 'BC']);
    expect(await namesOf({})).toEqual([2, 'BC']);
  });

  test('work types are trimmed, and blank ones are refused', async () => {
    const unit = await create({ name: 'Van' }, '/units');
    const trip = {
      name: 'Tour',
      unit: { id: unit.id },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      points: [CIRCLE],
    };
    const stored = await create({ ...trip, work_types: [' sweeping', 'waste\t', 'sweeping'] }, '/trips');
    expect(stored).toMatchObject({ work_types: ['sweeping', 'waste', 'sweeping'] });
    const blank = { ...trip, work_types: ['sweeping', '', '  '] };
    for (const [method, url] of [
      ['POST', '/trips'],
      ['PUT', `/trips/${stored.id}`],
    ] as const) {
      const { status, body } = await admin.send(method, url, blank);
      expect([status, fieldsOf(body)]).toEqual([422, ['work_types[1]', 'work_types[2]']]);
    }
    expect((await admin.send('GET', '/work_types')).body).toEqual(['sweeping', 'waste']);
  });

  test('items of a unit’s lists have the types of the document', async () => {
    const wrong = {
      name: 'Van',
      drivers: [{ user: { id: 7 } }],
      trailers: ['x'],
      services: [{ name: 'Oil', intervalKm: {} }],
      sensors: [{ name: 'Fuel' }, { name: 5 }, { param1: { calibrationXYlist: [{ x: [] }] } }],
    };
    const { status, body } = await admin.send('POST', '/units', wrong);
    expect([status, fieldsOf(body)]).toEqual([
      422,
      [
        'drivers[0].user.id',
        'trailers[0]',
        'services[0].intervalKm',
        'sensors[1].name',
        'sensors[2].param1.calibrationXYlist[0].x',
      ],
    ]);
    const lists = {
      drivers: [{ user: { id: 'u' }, date_from: '2026-01-01', date_to: null }],
      services: [{ name: 'Oil', isActiveKm: true, intervalKm: 10_000, lastDays: '2026-01-01' }],
      sensors: [
        { name: 'Fuel', type: { key: 'fuel' }, formula: 'S1', param1: { param_key: 'adc1' }, own: 1 },
      ],
    };
    const unit = await create({ name: 'Van', ...lists }, '/units');
    expect(unit).toMatchObject(lists);
  });

  test('a picture’s size is measured, whatever the client says, and turned as it is shown', async () => {
    const bytes = await sharp({ create: { width: 240, height: 60, channels: 3, background: '#1585d8' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const form = await pictureForm(bytes);
    const { body } = await admin.send('POST', '/upload_photos/geozones', form.body, form.headers);
    const [original, small] = body as { width: number; height: number; url: string }[];
    expect([original!.width, original!.height, small!.width, small!.height]).toEqual([60, 240, 28, 110]);
    const photo = {
      original: { url: original!.url, width: 1, height: 99_999, param_type: 'users' },
      small: { ...small, width: 3000, height: 0 },
    };
    const measured = {
      photo: {
        original: { url: original!.url, width: 60, height: 240, param_type: 'geozones' },
        small: { url: small!.url, width: 28, height: 110, param_type: 'geozones' },
      },
    };
    const type = await create({ name: 'Yards', photo }, '/custom_geozone_types');
    expect(type).toMatchObject(measured);
    const put = await admin.send('PUT', `/custom_geozone_types/${type.id}`, { name: 'Yards', photo });
    expect(put.body).toMatchObject(measured);
    expect((await admin.send('GET', `/custom_geozone_types?ids=${type.id}`)).body).toMatchObject(measured);
  });

  test('the map reads the marked zones alone, by an index', async () => {
    const { hosted, database } = given();
    const own = await hosted.as(await hosted.company(), 'ADMIN');
    const { db } = database.storage;
    await sql`insert into geozones (id, company_id, name, created, version, row)
      select ${own.companyId} || i, ${own.companyId}, 'Zone', now(), 0,
        ${JSON.stringify({ ...CIRCLE, is_show_on_map: false })}::jsonb || jsonb_build_object('id', ${own.companyId} || i)
      from generate_series(1, 3000) i`.execute(db);
    expect((await own.send('GET', '/geozones/map')).body).toEqual({
      type: 'FeatureCollection',
      features: [],
    });
    const marked = await own.send('POST', '/geozones', { ...CIRCLE, is_show_on_map: true });
    const { id } = marked.body as Row;
    const gone = (await own.send('POST', '/geozones', { ...CIRCLE, is_show_on_map: true })).body as Row;
    await own.send('DELETE', `/geozones/${gone.id}`);
    expect((await own.send('GET', '/geozones/map')).body).toMatchObject({ features: [{ id }] });
    await sql`analyze geozones`.execute(db);
    const { rows } = await sql<Record<string, string>>`explain select row from geozones
      where company_id = ${own.companyId} and not is_delete and row @> '{"is_show_on_map": true}'`.execute(
      db,
    );
    expect(JSON.stringify(rows)).toContain('geozones_shown');
  });
}

onBothDatabases(contract);
