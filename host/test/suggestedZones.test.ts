import { beforeAll, expect, test } from 'vitest';
import { type Caller, type Given, NOW, onADatabase, type TestHost } from './testHost.js';

/** Tests places that are suggested as geozones from stored fixes. */

const DAY_MS = 86_400_000;

interface Place {
  readonly shape: { readonly geometry: readonly (readonly number[])[]; readonly width: number };
  readonly visits: number;
}

function contract(given: () => Given): void {
  let hosted: TestHost;
  let owner: Caller;
  let unitId: string;
  beforeAll(async () => {
    ({ hosted } = given());
    owner = await hosted.as(await hosted.company(), 'ADMIN');
    unitId = ((await owner.send('POST', '/units', { name: 'van' })).body as { id: string }).id;
    // Three mornings: ten minutes at the depot, ten minutes of way, ten minutes at a customer.
    const fixes = [3, 2, 1].flatMap((days) =>
      Array.from({ length: 31 }, (_, minute) => ({
        unit_id: unitId,
        time: NOW - days * DAY_MS + minute * 60_000,
        lon: 37.6 + 0.01 * Math.min(10, Math.max(0, minute - 10)),
        lat: 55.7,
      })),
    );
    expect((await owner.send('POST', '/positions', fixes)).body).toMatchObject({ taken: fixes.length });
  });

  const suggested = async (more: object = {}): Promise<{ status: number; body: Place[] }> => {
    const span = { from: String(NOW - 4 * DAY_MS), to: String(NOW) };
    return (await owner.send('POST', '/geozones/suggest', { units: [{ id: unitId }], ...span, ...more })) as {
      status: number;
      body: Place[];
    };
  };

  test('places of repeated stays are suggested, but not where there is a geozone', async () => {
    const { status, body } = await suggested();
    expect(status).toBe(200);
    expect(body.map(({ visits }) => visits)).toEqual([3, 3]);
    const [depot, customer] = body;
    expect(depot!.shape.geometry[0]![0]).toBeCloseTo(37.6, 6);
    expect(customer!.shape.geometry[0]![0]).toBeCloseTo(37.7, 6);
    const zone = { name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 300 };
    expect((await owner.send('POST', '/geozones', zone)).status).toBe(200);
    expect((await suggested()).body).toEqual([customer]);
    expect((await suggested({ min_visits: 4 })).body).toEqual([]);
    expect((await suggested({ from: String(NOW - DAY_MS), min_visits: 1, min_days: 1 })).body).toHaveLength(
      1,
    );
  });

  test('other units, periods and options are refused', async () => {
    for (const wrong of [
      { units: [] },
      { units: [{ id: 'x' }] },
      { from: 'today' },
      { min_visits: 0 },
      { link_meters: 0 },
    ])
      expect((await suggested(wrong)).status).toBe(422);
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    const body = { units: [{ id: unitId }], from: '0', to: String(NOW) };
    expect((await other.send('POST', '/geozones/suggest', body)).body).toMatchObject({
      errors: [{ field: 'units[0].id' }],
    });
  });
}

onADatabase(contract);
