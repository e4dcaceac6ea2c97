/** `type` and `value` of every entry are those of the dictionary in the caller's language, whatever was sent or stored. */

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { entryFiller, keepKeys, listCustomFields } from 'wayzone/schemas';
import { withLabels } from '../src/storage/entryColumns.js';
import { MIGRATIONS } from '../src/storage/migrations.js';
import { type Caller, type Given, onBothDatabases } from './testHost.js';

type Row = Readonly<Record<string, never>> & { readonly id: string };

const WRONG = { type: 'zzz', value: 'Polygon' };
const RUSSIAN = { 'accept-language': 'ru-RU,ru;q=0.9' };
const POINT = { name: 'A', type: { key: 'circle', ...WRONG }, geometry: [[30, 50]], width: 100 };
const ZONE = {
  ...POINT,
  name: 'Depot',
  color: { key: '#1bb934', value: 'Red' },
  icon: { key: 'barn', ...WRONG },
  is_show_on_map: true,
};
const ZONE_LABELS = {
  en: ['Circle', 'Green', 'barn'],
  ru: ['Круг', 'Зелёный', 'barn'],
} as const;
const TRIP = {
  name: 'Milk',
  activation_type: { key: 'leaving_first_point', ...WRONG },
  passage_order_type: { key: 'strict', ...WRONG },
  dates: ['2026-03-02'],
  points: [POINT, POINT],
};
const UNIT = {
  name: 'Van',
  type: { key: 'truck', ...WRONG },
  terminal_type: { key: 't1', ...WRONG },
  icon: { key: 'van', ...WRONG },
  custom_fields: [
    { key: 'hours_rate', name: 'Mine', value: 7 },
    { key: 'own', name: 'Own field', value: 'x' },
  ],
  sensors: [{ name: 'Fuel', type: { key: 'fuel', ...WRONG } }],
};

onBothDatabases((given: () => Given) => {
  let admin: Caller;
  let db: Given['database']['storage']['db'];

  beforeAll(async () => {
    const { database, hosted } = given();
    db = database.storage.db;
    admin = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });

  const send = async (method: string, url: string, body?: unknown, headers = {}): Promise<Row> => {
    const answer = await admin.send(method, url, body, headers);
    expect(answer, `${method} ${url}`).toMatchObject({ status: 200 });
    return answer.body;
  };
  /** The `[type, value]` of a row's entries at some fields. */
  const labels = (row: unknown, ...fields: string[]): unknown[] =>
    fields.map((field) => {
      const { type, value } = (row as Record<string, { type: string; value: string }>)[field]!;
      return [type, value];
    });
  const stored = async (table: string, id: string): Promise<string> => {
    const { rows } = await sql<{ row: object }>`select row from ${sql.table(table)} where id = ${id}`.execute(
      db,
    );
    return JSON.stringify(rows[0]!.row);
  };
  const zoneLabels = (language: 'en' | 'ru'): unknown[] => {
    const [type, color, icon] = ZONE_LABELS[language];
    return [
      ['geozone_type', type],
      ['color_code', color],
      ['geo_icon', icon],
    ];
  };

  test('geozones, by every way in and out', async () => {
    for (const [language, headers] of [
      ['en', {}],
      ['ru', RUSSIAN],
    ] as const) {
      const right = zoneLabels(language);
      const check = (row: unknown): void => expect(labels(row, 'type', 'color', 'icon')).toEqual(right);
      const made = await send('POST', '/geozones', ZONE, headers);
      check(made);
      expect(await stored('geozones', made.id)).not.toMatch(/zzz|Polygon|Circle|Круг|"type":"/);
      check(await send('PUT', `/geozones/${made.id}`, { ...made, ...ZONE }, headers));
      check(await send('GET', `/geozones?ids=${made.id}`, undefined, headers));
      const group = await send('POST', '/geozonesgroup', { name: 'G', geozones: [{ id: made.id }] });
      const other = await send('POST', '/geozones', { ...POINT, name: 'Other' });
      const [first] = (await send(
        'GET',
        `/geozones?ids=${made.id},${other.id}`,
        undefined,
        headers,
      )) as unknown as Row[];
      check(first);
      const all = (await send('GET', '/geozones', undefined, headers)) as unknown as Row[];
      check(all.find(({ id }) => id === made.id));
      const conditions = [
        { field: 'type.type', value: 'geozone_type' },
        { field: 'color.type', value: 'color_code' },
        { field: 'icon.type', value: 'geo_icon' },
      ];
      const { list } = (await send('POST', '/geozones/filter', { conditions }, headers)) as unknown as {
        list: Row[];
      };
      check(list.find(({ id }) => id === made.id));
      const none = await send('POST', '/geozones/filter', {
        conditions: [{ field: 'type.type', value: 'zzz' }],
      });
      expect(none).toMatchObject({ max: 0 });
      const fields = ['type', 'color', 'icon'].map((name) => `geozones.${name}`);
      const groups = (await send('POST', '/geozonesgroup/filter', { fields }, headers)) as unknown as {
        geozones: Row[];
        id: string;
      }[];
      check(groups.find(({ id }) => id === group.id)!.geozones[0]);
      const file = (
        await admin.send(
          'POST',
          '/geozones/export_kml?format=geojson',
          { geozones: [{ id: made.id }] },
          headers,
        )
      ).body as { features: { properties: { wayzone: object } }[] };
      check(file.features[0]!.properties.wayzone);
      check(await send('DELETE', `/geozones/${made.id}`, undefined, headers));
      expect(labels(await send('DELETE', `/admin/geozones/${other.id}`, undefined, headers), 'type')).toEqual(
        [right[0]],
      );
    }
  });

  test('an edit of a label alone changes nothing; that of a key changes its label', async () => {
    const made = await send('POST', '/geozones', ZONE);
    const russian = await send('GET', `/geozones?ids=${made.id}`, undefined, RUSSIAN);
    await send('PUT', `/geozones/${made.id}`, russian);
    const recoloured = {
      ...russian,
      color: { ...(russian as unknown as typeof ZONE).color, key: '#F56C6C' },
    };
    const saved = await send('PUT', `/geozones/${made.id}`, recoloured);
    expect(labels(saved, 'color')).toEqual([['color_code', 'Red']]);
    const { list } = (await send('POST', '/company/history', { object_id: made.id }, RUSSIAN)) as unknown as {
      list: { fields: string[]; operation: string; before: object | null; after: object }[];
    };
    const edits = list.filter(({ operation }) => operation === 'PUT').toReversed();
    expect(edits.map(({ fields }) => fields)).toEqual([['color']]);
    expect(labels(edits[0]!.before, 'color')).toEqual([['color_code', 'Зелёный']]);
    expect(labels(edits[0]!.after, 'color', 'type')).toEqual([
      ['color_code', 'Красный'],
      ['geozone_type', 'Круг'],
    ]);
  });

  test('routes, and trips with changes', async () => {
    const unit = await send('POST', '/units', { name: 'Van' });
    const words = {
      en: ['Circle', 'On leaving the first point', 'Strict'],
      ru: ['Круг', 'При выезде из первой точки', 'Строгий'],
    };
    for (const [language, headers] of [
      ['en', {}],
      ['ru', RUSSIAN],
    ] as const) {
      const [circle, leaving, strict] = words[language];
      type WithPoints = Row & { points: object[]; changes?: { trip: WithPoints }[] };
      const points = (row: unknown): void =>
        expect((row as WithPoints).points.map((point) => labels(point, 'type'))).toEqual([
          [['geozone_type', circle]],
          [['geozone_type', circle]],
        ]);
      const route = await send('POST', '/routes', { name: 'Ring', points: [POINT, POINT] }, headers);
      expect(await stored('routes', route.id)).not.toMatch(/zzz|Polygon|geozone_type/);
      const page = async (url: string): Promise<Row> =>
        (
          (await send('POST', `${url}/filter`, { sortField: 'created' }, headers)) as unknown as {
            list: Row[];
          }
        ).list.at(-1)!;
      for (const row of [
        route,
        await send('PUT', `/routes/${route.id}`, { ...route, name: 'Ring 2' }, headers),
        await send('GET', `/routes?ids=${route.id}`, undefined, headers),
        await page('/routes'),
        await send('DELETE', `/routes/${route.id}`, undefined, headers),
      ])
        points(row);
      const trip = await send('POST', '/trips', { ...TRIP, unit: { id: unit.id } }, headers);
      const amended = await send(
        'POST',
        `/trips/${trip.id}/amend`,
        { trip: { ...TRIP, unit: { id: unit.id } } },
        headers,
      );
      expect(await stored('trips', trip.id)).not.toMatch(/zzz|Polygon|Strict|trip_/);
      for (const row of [
        trip,
        amended,
        (await page('/trips')) as WithPoints,
        await send('GET', `/trips?ids=${trip.id}`, undefined, headers),
        (amended as WithPoints).changes![0]!.trip,
        await send('DELETE', `/trips/${trip.id}`, undefined, headers),
      ]) {
        points(row);
        expect(labels(row, 'activation_type', 'passage_order_type')).toEqual([
          ['trip_activation_type', leaving],
          ['trip_passage_order_type', strict],
        ]);
      }
    }
  });

  test('units, their sensors and the names of their custom fields', async () => {
    for (const [language, headers] of [
      ['en', {}],
      ['ru', RUSSIAN],
    ] as const) {
      const unit = await send('POST', '/units', UNIT, headers);
      expect(await stored('units', unit.id)).not.toMatch(/zzz|Polygon|Mine|cf_etc/);
      const list = (await send('GET', '/units', undefined, headers)) as unknown as Row[];
      const { list: history } = (await send(
        'POST',
        '/company/history',
        { object_id: unit.id },
        headers,
      )) as unknown as {
        list: { after: Row }[];
      };
      const rows = [
        unit,
        await send('GET', `/units?ids=${unit.id}`, undefined, headers),
        list.find(({ id }) => id === unit.id)!,
        history[0]!.after,
        await send('PUT', `/units/${unit.id}`, { ...unit, ...UNIT }, headers),
        await send('DELETE', `/units/${unit.id}`, undefined, headers),
      ];
      const rate = listCustomFields({ language }).find(({ key }) => key === 'hours_rate')!;
      for (const row of rows) {
        expect(labels(row, 'type', 'terminal_type', 'icon')).toEqual([
          ['unit_type', 'truck'],
          ['terminal_type', 't1'],
          ['unit_icon', 'van'],
        ]);
        const { sensors, custom_fields: fields } = row as unknown as typeof UNIT;
        expect(labels(sensors[0], 'type')).toEqual([['sensor_type', 'fuel']]);
        expect(fields.slice(0, 2)).toEqual([
          { key: 'hours_rate', name: rate.name, value: 7, group: 'cf_etc' },
          { key: 'own', name: 'Own field', value: 'x', group: 'cf_custom' },
        ]);
      }
    }
  });

  test('the icons of a company’s sensors', async () => {
    const url = `/company/${admin.companyId}/properties`;
    const icon = { key: 'school', ...WRONG };
    const sent = { monitoring_sensors_settings: [{ name: 'T', sensor_name_mask: 't*', icon }] };
    for (const [value, headers] of [
      ['School', {}],
      ['Школа', RUSSIAN],
    ] as const)
      for (const answer of [
        await send('PUT', url, sent, headers),
        await send('GET', url, undefined, headers),
      ])
        expect(answer).toMatchObject({
          monitoring_sensors_settings: [{ icon: { key: 'school', type: 'geo_icon', value } }],
        });
  });

  test('the tag of a list belongs to its language', async () => {
    for (const url of ['/geozones', '/routes', '/trips', '/units']) {
      const { headers } = await admin.send('GET', url);
      expect(String(headers['vary'])).toContain('Accept-Language');
      const known = { 'if-none-match': String(headers['etag']) };
      expect((await admin.send('GET', url, undefined, known)).status).toBe(304);
      expect((await admin.send('GET', url, undefined, { ...known, ...RUSSIAN })).status).toBe(200);
    }
  });

  test('rows from before the migration lose their labels, and nothing else', async () => {
    const zone = await send('POST', '/geozones', ZONE);
    const old = {
      ...ZONE,
      id: zone.id,
      color: { ...ZONE.color, shade: 7 },
      note: { type: { key: 'circle', value: 'kept' } },
    };
    const unit = await send('POST', '/units', { name: 'Van' });
    const trip = await send('POST', '/trips', { ...TRIP, unit: { id: unit.id } });
    const oldTrip = {
      ...TRIP,
      id: trip.id,
      unit: { id: unit.id },
      changes: [{ type: 'amend', at: 0, trip: TRIP }],
    };
    await sql`update geozones set row = ${JSON.stringify(old)}::jsonb where id = ${zone.id}`.execute(db);
    await sql`update trips set row = ${JSON.stringify(oldTrip)}::jsonb where id = ${trip.id}`.execute(db);
    await sql`update units set row = ${JSON.stringify({ ...UNIT, custom_fields: UNIT.custom_fields })}::jsonb where id = ${unit.id}`.execute(
      db,
    );
    await sql`update change_history set after = ${JSON.stringify(old)}::jsonb where object_id = ${zone.id}`.execute(
      db,
    );
    await MIGRATIONS['003_entry_keys']!.up(db);
    expect(JSON.parse(await stored('geozones', zone.id))).toEqual(keepKeys('geozone', old));
    expect(JSON.parse(await stored('trips', trip.id))).toEqual(keepKeys('trip', oldTrip));
    expect(JSON.parse(await stored('units', unit.id))).toEqual({
      ...keepKeys('unit', UNIT),
      custom_fields: [{ key: 'hours_rate', value: 7 }, UNIT.custom_fields[1]],
    });
    const { rows } = await sql<{
      after: object;
    }>`select after from change_history where object_id = ${zone.id}`.execute(db);
    expect(rows[0]!.after).toEqual(keepKeys('geozone', old));
  });

  test('the database fills in what the library fills in, also in rows of any other form', async () => {
    const rows = [
      {},
      { type: null, color: 7, icon: 'school', points: {}, sensors: null },
      { type: {}, color: { key: 7 }, icon: { key: '__proto__' }, points: [null, 1, [], {}, POINT] },
      {
        type: { key: 'x' },
        color: { key: '#abcdef' },
        icon: { key: 'school', more: [1] },
        changes: [{ trip: TRIP }, {}],
      },
    ];
    for (const [table, kind] of [
      ['geozones', 'geozone'],
      ['routes', 'route'],
      ['trips', 'trip'],
      ['units', 'unit'],
    ] as const)
      for (const language of ['en', 'ru'])
        for (const row of rows) {
          const value = withLabels(table, language)(sql`${JSON.stringify(row)}::jsonb`);
          const { rows: found } = await sql<{ value: object }>`select ${value} as value`.execute(db);
          expect(found[0]!.value, `${table} ${JSON.stringify(row)}`).toEqual(
            entryFiller(kind, { language })(row),
          );
        }
  });
});
