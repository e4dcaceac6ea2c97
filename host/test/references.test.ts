/** Rows name other objects by their ids alone: a name that a client sends beside an id is never answered, nor kept. */

import { beforeAll, expect, test } from 'vitest';
import { type Caller, type Given, onBothDatabases } from './testHost.js';

const POINT = { name: 'A', type: { key: 'circle' }, geometry: [[30, 60]], width: 300 };
const PLAN = { dates: ['2026-03-02'], passage_order_type: { key: 'strict' }, points: [POINT] };

function contract(given: () => Given): void {
  let admin: Caller;
  beforeAll(async () => {
    const { hosted } = given();
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });
  const send = async (method: string, url: string, body: unknown): Promise<Record<string, never>> => {
    const answer = await admin.send(method, url, body);
    expect(answer, url).toMatchObject({ status: 200 });
    return answer.body;
  };
  const idOf = async (url: string, body: unknown): Promise<string> => (await send('POST', url, body))['id']!;
  /** A reference with what the object is not. */
  const wrong = (id: string): object => ({ id, name: 'lie', value: 'lie', geozone: { id: 'lie' } });

  test('of zones, groups, trips with their changes, and units', async () => {
    const [unit, other] = [await idOf('/units', { name: 'A' }), await idOf('/units', { name: 'B' })];
    const route = await idOf('/routes', { name: 'R', points: [POINT, { ...POINT, geometry: [[30.1, 60]] }] });
    const zone = { ...POINT, companies: [wrong(admin.companyId)] };
    const zoneId = await idOf('/geozones', zone);
    const trip = {
      name: 'T',
      ...PLAN,
      unit: wrong(unit),
      trailer: wrong(other),
      route: { ...wrong(route), width: 50 },
    };
    const tripId = await idOf('/trips', trip);
    const bodies: (readonly [string, object])[] = [
      ['/geozones', zone],
      ['/geozonesgroup', { name: 'G', geozones: [wrong(zoneId)] }],
      ['/trips', trip],
      [
        '/units',
        { name: 'C', trailers: [{ trailer: wrong(unit) }], drivers: [{ user: wrong('u') }], sensors: [] },
      ],
    ];
    for (const [url, body] of bodies) {
      const created = await send('POST', url, body);
      expect(JSON.stringify(created), url).not.toContain('lie');
      expect(JSON.stringify(await send('PUT', `${url}/${created['id']}`, body)), url).not.toContain('lie');
    }
    const amended = await send('POST', `/trips/${tripId}/amend`, { trip, date: '2026-03-02' });
    expect(JSON.stringify(amended)).not.toContain('lie');
    expect(amended).toMatchObject({ route: { id: route, width: 50 }, unit: { id: unit } });
    expect((await admin.send('GET', `/geozones?ids=${zoneId}`)).body).toMatchObject({
      companies: [{ id: admin.companyId }],
    });
  });
}

onBothDatabases(contract);
