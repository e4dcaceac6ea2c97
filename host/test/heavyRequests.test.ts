import type { KyselyPlugin } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { labelledUnit, wireUnit } from '../src/resources/unitRow.js';
import { schemaCheck } from '../src/schemaCheck.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import { type Caller, type Given, NOW, onADatabase, type TestHost, testHost } from './testHost.js';

/** Requests within the limits of bodies that took seconds, or answered a hundred times what they sent. */

const POINT = { name: 'A', type: { key: 'circle' }, geometry: [[30, 60]], width: 300 };
const TRIP = { name: 'Tour', passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [POINT] };
const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

function contract(given: () => Given): void {
  let storage: Storage;
  let hosted: TestHost;
  let admin: Caller;
  let unitId: string;
  /** Texts of the statements since it was emptied. */
  const statements: string[] = [];
  beforeAll(async () => {
    const watch: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(JSON.stringify(node));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    ({ storage } = given().database);
    // The database is closed with the host of `given`.
    hosted = await testHost({ ...storage, db: storage.db.withPlugin(watch), close: async () => {} });
    admin = await hosted.as(await hosted.company(), 'ADMIN');
    unitId = ((await admin.send('POST', '/units', { name: 'Van' })).body as { id: string }).id;
    return () => hosted.close();
  });

  test('of many wrong fixes an answer lists the first thousand, and the good ones are taken', async () => {
    const wrong = many(2500, (i) => ({ unit_id: 'unknown', time: NOW, lon: i, lat: 0 }));
    const good = { unit_id: unitId, time: NOW - 1000, lon: 30, lat: 60 };
    const { status, body } = await admin.send('POST', '/positions', [1, ...wrong, good, null]);
    const { taken, errors } = body as { taken: number; errors: { field: string }[] };
    expect([status, taken, errors.length, errors[999]!.field]).toEqual([200, 1, 1000, '[999].unit_id']);
    const long = await admin.send(
      'POST',
      '/positions',
      many(100_001, () => 1),
    );
    expect(long).toMatchObject({ status: 422, body: { errors: [{ reason: 'limit-fixes' }] } });
    const lines = await admin.send('POST', '/positions', '1\n'.repeat(100_001), {
      'content-type': 'application/x-ndjson',
    });
    expect(lines).toMatchObject({ status: 422, body: { errors: [{ reason: 'limit-fixes' }] } });
  });

  test('the work types of a trip are stored in one statement, each once, in the order of their first use', async () => {
    const post = (workTypes: readonly string[]): Promise<{ status: number }> =>
      admin.send('POST', '/trips', { ...TRIP, unit: { id: unitId }, work_types: workTypes });
    expect((await post(['salt', 'snow'])).status).toBe(200);
    statements.length = 0;
    const names = many(3000, (i) => `type ${(i * 7) % 3000}`);
    expect((await post(['snow', ...names, 'sand'])).status).toBe(200);
    expect(statements.filter((text) => text.includes('insert into work_types')).length).toBe(1);
    expect((await admin.send('GET', '/work_types')).body).toEqual(['salt', 'snow', ...names, 'sand']);
  });

  test('hours have few ranges of each day', async () => {
    const range = { days: [1, 2], from: '08:00', to: '17:00' };
    for (const [hours, field] of [
      [{ weekly: many(201, () => range) }, 'hours.weekly'],
      [{ weekly: [{ ...range, days: many(8, () => 1) }] }, 'hours.weekly[0].days'],
      [{ holidayHours: many(201, () => ({ from: '08:00', to: '09:00' })) }, 'hours.holidayHours'],
      [
        { dates: [{ date: '2026-03-02', hours: many(201, () => ({ from: '08:00', to: '09:00' })) }] },
        'hours.dates[0].hours',
      ],
      [5, 'hours'],
    ] as const) {
      const answer = await admin.send('POST', '/geozones', { ...ZONE, hours });
      expect([field, answer]).toMatchObject([field, { status: 422, body: { errors: [{ field }] } }]);
    }
    const { status } = await admin.send('POST', '/geozones', {
      ...ZONE,
      hours: { weekly: many(200, () => range) },
    });
    expect(status).toBe(200);
  });

  test('a history is searched for a short text, and a unit has at most a thousand custom fields', async () => {
    for (const field of ['value', 'object_id'])
      for (const [length, status] of [
        [500, 200],
        [501, 422],
      ] as const) {
        const answer = await admin.send('POST', '/company/history', { [field]: 'x'.repeat(length) });
        expect([field, length, answer.status]).toEqual([field, length, status]);
        if (status === 422) expect(answer.body).toMatchObject({ errors: [{ field }] });
      }
    const fields = (count: number): object[] => many(count, (i) => ({ key: `own_${i}`, value: '1' }));
    const long = await admin.send('POST', '/units', { name: 'Van', custom_fields: fields(1001) });
    expect(long).toMatchObject({ status: 422, body: { errors: [{ field: 'custom_fields' }] } });
    expect((await admin.send('POST', '/units', { name: 'Van', custom_fields: fields(900) })).status).toBe(
      200,
    );
  });

  test('changes of a long trip, which a thread checks, are those of a short one', async () => {
    const answers: unknown[][] = [];
    for (const count of [3, 400]) {
      const body = { ...TRIP, unit: { id: unitId }, points: many(count, () => POINT) };
      const { id } = (await admin.send('POST', '/trips', body)).body as { id: string };
      const own: unknown[] = [];
      for (const [path, change] of [
        ['excuse', { pointIndex: count - 1, reason: 'closed', at: NOW }],
        ['excuse', { pointIndex: count, at: NOW }],
        ['excuse', { at: NOW }],
        ['hand_over', { unitId: 'unknown', at: NOW + 1 }],
        ['amend', { trip: { ...body, points: [] }, at: NOW + 1 }],
        ['cancel', { at: NOW + 2, date: '2026-03-03' }],
        ['cancel', { at: NOW + 2 }],
      ] as const) {
        const { status, body: answer } = await admin.send('POST', `/trips/${id}/${path}`, change);
        const { changes, errors, field } = answer as {
          changes?: object[];
          errors?: { field: string; reason: string }[];
          field?: string;
        };
        own.push([
          path,
          status,
          field,
          errors?.map((one) => [one.field, one.reason]),
          changes?.map((one) => ({ ...one, pointIndex: 'pointIndex' in one ? 'last' : null })),
        ]);
      }
      // The excused point is no longer there.
      const shorter = await admin.send('PUT', `/trips/${id}`, { ...body, points: body.points.slice(1) });
      const { errors = [] } = shorter.body as { errors?: { field: string; reason: string }[] };
      own.push([shorter.status, errors.map((one) => [one.field, one.reason])]);
      expect((await admin.send('PUT', `/trips/${id}`, { ...body, name: 'Later' })).status).toBe(200);
      answers.push(own);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]!.map((one) => (one as unknown[]).find((part) => typeof part === 'number'))).toEqual([
      200, 422, 422, 422, 422, 422, 200, 422,
    ]);
  });

  test('a trip has at most 4,000 dates, and does not grow without end by its changes', async () => {
    const body = { ...TRIP, unit: { id: unitId } };
    const dates = many(4001, (i) => new Date(i * 86_400_000).toISOString().slice(0, 10));
    expect(await admin.send('POST', '/trips', { ...body, dates })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'dates' }] },
    });
    expect((await admin.send('POST', '/trips', { ...body, dates: dates.slice(1) })).status).toBe(200);
    const { body: trip } = await admin.send('POST', '/trips', body);
    await write(storage, admin.companyId, (writer) =>
      writer.update('trips', { ...(trip as WireRow), note: 'x'.repeat(4_000_000) } as unknown as WireRow),
    );
    const { id } = trip as { id: string };
    const answer = await admin.send('POST', `/trips/${id}/cancel`, {});
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ reason: 'option-value' }] } });
  });

  test('a part of an address that is too long is 414 and not repeated in the answer', async () => {
    const answer = await admin.send('GET', `/locator/${'a'.repeat(2001)}`);
    expect(answer).toMatchObject({
      status: 414,
      body: { code: 414, message: 'expected a shorter part of the address', field: '' },
    });
  });

  test('lists of units have each unit as its own answer has it, by name or in the order of the ids', async () => {
    const owner = await hosted.as(await hosted.company(), 'ADMIN');
    const made = new Map<string, object>();
    for (const i of many(30, (k) => k)) {
      const unit = {
        name: `Van ${(i * 7) % 30}`,
        imei: '1',
        custom_fields: { hours_rate: i % 24 },
        // Pages have about 500 kB.
        sensors: [
          {
            name: 's',
            expression: many(20_000, (k) => Math.sin(i + k).toString(36))
              .join(' ')
              .slice(0, 200_000),
          },
        ],
      };
      const { body } = await owner.send('POST', '/units', unit);
      const { device_key: _, ...row } = body as { device_key: string; id: string; name: string };
      made.set(row.id, row);
    }
    // As a seed writes it.
    const plain = { id: `${owner.companyId}-seed`, company_id: owner.companyId, name: 'A seed' };
    await storage.db
      .insertInto('units')
      .values({ ...plain, device_key: plain.id, settings: '{}' })
      .execute();
    made.set(plain.id, labelledUnit(wireUnit({ ...plain, settings: {}, is_delete: false, row: {} }), 'en'));
    const [gone] = [...made.keys()];
    const { body: deleted } = await owner.send('DELETE', `/units/${gone}`);
    expect((await owner.send('GET', `/units?ids=${gone}`)).body).toEqual(deleted);
    made.set(gone!, deleted as object);

    const { body: all, headers } = await owner.send('GET', '/units');
    const live = [...made.values()].slice(1) as { name: string; id: string }[];
    expect((all as { id: string }[]).map(({ id }) => id)).toEqual(
      live.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id),
    );
    for (const unit of all as { id: string }[]) expect(unit).toEqual(made.get(unit.id));
    const ids = [...made.keys()].reverse();
    const some = await owner.send('GET', `/units?ids=${ids.join(',')},unknown,${unitId}`);
    expect(some.body).toEqual(ids.map((id) => made.get(id)));

    const tag = String(headers['etag']);
    const again = (): Promise<{ status: number }> =>
      owner.send('GET', '/units', undefined, { 'if-none-match': tag });
    expect((await again()).status).toBe(304);
    await owner.send('PUT', `/units/${ids[3]}`, { name: 'Bus' });
    expect((await again()).status).toBe(200);
  });
}

test('the errors of a long list are looked for in its beginning only', () => {
  let reads = 0;
  const item = {
    get id(): unknown {
      reads++;
      return 1;
    },
  };
  const items = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const check = schemaCheck({ type: 'array', maxItems: 10_000, items }, 'body');
  expect(() => check(many(200_000, () => item))).toThrow(expect.objectContaining({ code: 'validation' }));
  expect(reads).toBeLessThan(50_000);
  const right = many(10_001, () => ({ id: 'a' }));
  expect(() => check(right)).toThrow(expect.objectContaining({ code: 'validation' }));
  expect(check(right.slice(1))).toHaveLength(10_000);
});

onADatabase(contract);
