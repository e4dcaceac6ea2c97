import { beforeAll, expect, test } from 'vitest';
import { fixDays } from '../src/storage/fixDays.js';
import { type Caller, type Database, type Given, NOW, onADatabase, type TestHost } from './testHost.js';

/** Changes of runs under way: their operations on both databases. `streamTrips.test.ts` has those of the stream. */

const DATE = '2026-03-02';
const MINUTE = 60_000;
const DAY = Date.parse(DATE);
/** Epoch milliseconds of a minute after 10:00 UTC; the company is in Moscow, where it is 13:00. */
const at = (minute: number): number => DAY + 10 * 3_600_000 + minute * MINUTE;
const point = (name: string, lon: number, time?: string): object => ({
  name,
  type: { key: 'circle' },
  geometry: [[lon, 60]],
  width: 300,
  ...(time && { arrival: { time, deviation_minutes: 10 } }),
});
const POINTS = [point('A', 30, '13:00'), point('B', 30.1, '13:30'), point('C', 30.2, '14:00')];

function contract(given: () => Given): void {
  let database: Database;
  let hosted: TestHost;
  let editor: Caller;
  let old: string;
  let spare: string;
  beforeAll(async () => {
    ({ database, hosted } = given());
    const company = await hosted.company();
    editor = await hosted.as(company, 'EDITOR');
    const admin = await hosted.as(company, 'ADMIN');
    const unit = async (name: string): Promise<string> =>
      (
        (await admin.send('POST', '/units', { name, device_key: `${name}-${company}` })).body as {
          id: string;
        }
      ).id;
    [old, spare] = [await unit('old'), await unit('spare')];
    await fixDays(database.storage).ensure([at(0)]);
    // The old truck serves A and breaks down; the spare one serves B and C.
    await fixesOf(old, [29.9, 30, 30, 30, 30.03, 30.03, 30.03]);
    await fixesOf(spare, [30.1, 30.1, 30.1, 30.1, 30.1, 30.05, 30.1, 30.1, 30.15, 30.2, 30.2, 30.3]);
  });

  /** A fix every five minutes from 09:55 on. */
  const fixesOf = async (unitId: string, lons: readonly number[]): Promise<void> => {
    for (const [i, lon] of lons.entries())
      await database.storage.db
        .insertInto('fixes')
        .values({
          unit_id: unitId,
          time: String(at(5 * i - 5)),
          lon,
          lat: 60,
          accuracy: null,
          is_usable: true,
        } as never)
        .execute();
  };
  const created = async (more: object = {}): Promise<{ id: string; tag: string }> => {
    const body = {
      name: 'Milk',
      unit: { id: old },
      activation_type: { key: 'entrance_to_first_point' },
      passage_order_type: { key: 'strict' },
      dates: [DATE],
      points: POINTS,
      ...more,
    };
    const answer = await editor.send('POST', '/trips', body);
    expect(answer).toMatchObject({ status: 200 });
    return { id: (answer.body as { id: string }).id, tag: String(answer.headers['etag']) };
  };
  const report = async (id: string): Promise<Record<string, never>> => {
    const { status, body } = await editor.send('GET', `/trips/${id}/report?date=${DATE}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const statuses = async (id: string): Promise<string[]> =>
    ((await report(id))['points'] as unknown as { status: string }[]).map(({ status }) => status);

  test('a breakdown: another unit takes over, and the report tells it', async () => {
    const { id, tag } = await created();
    expect(await statuses(id)).toEqual(['passed', 'pending', 'pending']);
    const body = { unitId: spare, at: at(18), reason: 'breakdown' };
    const answer = await editor.send('POST', `/trips/${id}/hand_over`, body, { 'if-match': tag });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        unit: { id: old },
        changes: [{ type: 'handOver', unitId: spare, at: at(18), date: DATE, reason: 'breakdown', by: 'u' }],
      },
    });
    expect(await report(id)).toMatchObject({
      status: 'finished',
      unitId: old,
      handOvers: [{ at: at(18), from: old, to: spare }],
      violations: [],
    });
    // The row has a new version: the old tag is refused.
    const again = await editor.send('POST', `/trips/${id}/cancel`, {}, { 'if-match': tag });
    expect(again).toMatchObject({ status: 412 });
    expect(answer.headers['etag']).not.toBe(tag);
  });

  test('a point is excused, the plan amended, and the run cancelled', async () => {
    const { id } = await created();
    await editor.send('POST', `/trips/${id}/excuse`, { pointIndex: 1, at: at(10) });
    expect(await statuses(id)).toEqual(['passed', 'excused', 'pending']);
    const trip = { name: 'Milk', unit: { id: old }, passage_order_type: { key: 'strict' }, dates: [DATE] };
    const amended = { ...trip, points: [POINTS[0]!, point('D', 30.03)] };
    const answer = await editor.send('POST', `/trips/${id}/amend`, {
      trip: amended,
      from: [0, null],
      at: at(12),
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(await statuses(id)).toEqual(['passed', 'passed']);
    const other = await created();
    // Without a time the change holds from now on.
    expect(await editor.send('POST', `/trips/${other.id}/cancel`)).toMatchObject({
      body: { changes: [{ type: 'cancel', at: NOW, date: DATE, by: 'u' }] },
    });
    expect(await report(other.id)).toMatchObject({ status: 'cancelled', totals: { passed: 1, excused: 2 } });
  });

  test('a change is recorded in the history with who and when', async () => {
    const { id } = await created();
    await editor.send('POST', `/trips/${id}/excuse`, { pointIndex: 1, reason: 'closed' });
    const admin = await hosted.as(editor.companyId, 'ADMIN');
    const { body } = await admin.send('POST', '/company/history', { object_id: id });
    expect(body).toMatchObject({
      list: [
        { operation: 'PUT', objects: 'trips', fields: ['changes'], user: { id: 'u' }, before: { id } },
        { operation: 'POST' },
      ],
    });
  });

  test('PUT keeps the changes, and refuses points that they do not fit; POST stores none', async () => {
    const changes = [{ type: 'cancel', at: 1, date: DATE }];
    const { id } = await created({ changes });
    const { body } = await editor.send('GET', `/trips?ids=${id}`);
    expect(body).not.toHaveProperty('changes');
    await editor.send('POST', `/trips/${id}/excuse`, { pointIndex: 2, at: at(10) });
    const row = (await editor.send('GET', `/trips?ids=${id}`)).body as { changes: object[] };
    const put = await editor.send('PUT', `/trips/${id}`, { ...row, name: 'Cream', changes });
    expect(put).toMatchObject({
      status: 200,
      body: { name: 'Cream', changes: [{ type: 'excuse', pointIndex: 2 }] },
    });
    expect(await editor.send('PUT', `/trips/${id}`, { ...row, points: POINTS.slice(0, 2) })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'changes[0].pointIndex', reason: 'change-invalid' }] },
    });
  });

  test('errors name the fields of the body, and nothing is stored', async () => {
    const { id } = await created({ dates: [DATE, '2026-03-03'] });
    const errorOf = async (path: string, body: object): Promise<unknown[]> => {
      const { status, body: error } = await editor.send('POST', `/trips/${id}/${path}`, body);
      const { errors, field, code } = error as {
        errors?: { field: string; reason: string }[];
        field?: string;
        code: number;
      };
      return [status, ...(errors?.map((one) => `${one.field} ${one.reason}`) ?? [`${field} ${code}`])];
    };
    const run = { date: DATE };
    expect(await errorOf('excuse', run)).toEqual([422, 'pointIndex required']);
    expect(await errorOf('excuse', { pointIndex: 1 })).toEqual([422, 'date required']);
    expect(await errorOf('excuse', { pointIndex: 3, ...run })).toEqual([422, 'pointIndex change-invalid']);
    expect(await errorOf('excuse', { pointIndex: 1, date: '2026-03-04' })).toEqual([422, 'date date']);
    expect(await errorOf('cancel', { at: 0.5, ...run })).toEqual([422, 'at type']);
    expect(await errorOf('hand_over', { unitId: 'unknown', ...run })).toEqual([422, 'unitId 422']);
    const trip = { name: 'Milk', unit: { id: old }, passage_order_type: { key: 'strict' }, dates: [DATE] };
    expect(await errorOf('amend', { trip: { ...trip, points: [POINTS[0]] }, ...run })).toEqual([
      422,
      'from amend-points',
    ]);
    expect(
      await errorOf('amend', { trip: { ...trip, points: [{ ...POINTS[0], width: -1 }] }, ...run }),
    ).toEqual([422, 'trip.points[0].width radius-range']);
    expect(
      await errorOf('amend', { trip: { ...trip, dates: ['2026-03-05'], points: POINTS }, ...run }),
    ).toEqual([422, 'trip.dates date-not-planned']);
    const reader = await hosted.as(editor.companyId, 'OPERATOR');
    expect(await reader.send('POST', `/trips/${id}/cancel`, run)).toMatchObject({ status: 403 });
    expect((await editor.send('GET', `/trips?ids=${id}`)).body).not.toHaveProperty('changes');
  });
}

onADatabase(contract);
