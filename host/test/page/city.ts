/** A small company: zones of all four types, vans with positions of the last minutes, and a trip. */

import { wkt } from '../../../test/wkt.js';
import { type Caller, NOW } from '../testHost.js';

export const HOSTILE = '<img src=x onerror="alert(1)"> & "Hof"';

export const ZONES: readonly object[] = [
  {
    name: 'Depot',
    type: { key: 'circle' },
    geometry: [[30.3, 59.93]],
    width: 400,
    color: { key: '#F56C6C' },
    speed_limit: 20,
  },
  {
    name: 'Harbour',
    type: { key: 'polygon' },
    geometry: wkt('30.2 59.9, 30.24 59.9, 30.24 59.92, 30.2 59.92'),
    color: { key: '#409EFF' },
    hours: { weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }] },
  },
  {
    name: 'Ring road',
    type: { key: 'line' },
    geometry: wkt('30.25 59.95, 30.3 59.97, 30.36 59.95'),
    width: 300,
  },
  { name: HOSTILE, type: { key: 'point' }, geometry: [[30.36, 59.91]], width: 150 },
];

export interface City {
  /** Ids of `ZONES`, in order. */
  readonly zones: readonly string[];
  readonly units: readonly string[];
  readonly tripId: string;
}

async function made(owner: Caller, url: string, body: unknown): Promise<string> {
  const answer = await owner.send('POST', url, body);
  if (answer.status !== 200) throw new Error(`expected 200, received ${JSON.stringify(answer)}`);
  return (answer.body as { id: string }).id;
}

/** A fix of a van `minutes` before now. */
export function fixAt(unitId: string, lon: number, lat: number, minutes: number, speedKph = 30): object {
  return { unit_id: unitId, time: NOW - minutes * 60_000, lon, lat, speedKph };
}

export async function buildCity(owner: Caller): Promise<City> {
  const zones: string[] = [];
  for (const zone of ZONES) zones.push(await made(owner, '/geozones', zone));
  const units: string[] = [];
  for (const name of ['Van 1', 'Van 2', 'Lorry'])
    units.push(await made(owner, '/units', { name, device_key: `${owner.companyId} ${name}` }));
  const [first, second, third] = units as [string, string, string];
  const fixes = [
    ...Array.from({ length: 30 }, (_, i) => fixAt(first, 30.22 + i * 0.0028, 59.91 + i * 0.0007, 30 - i, 40)),
    ...Array.from({ length: 20 }, (_, i) => fixAt(second, 30.25 + i * 0.003, 59.95 + i * 0.001, 21 - i, 0)),
    fixAt(third, 30.36, 59.91, 45, 0),
  ];
  await owner.send('POST', '/positions', fixes);
  const at = (lon: number, lat: number): object => ({
    type: { key: 'circle' },
    geometry: [[lon, lat]],
    width: 400,
  });
  const tripId = await made(owner, '/trips', {
    name: 'Morning round',
    unit: { id: first },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: ['2026-03-02'],
    points: [
      { name: 'Harbour gate', ...at(30.22, 59.91), arrival: { time: '14:30' }, departure: { time: '14:35' } },
      { name: 'Depot', ...at(30.3, 59.93), arrival: { time: '14:50' }, departure: { time: '15:20' } },
    ],
  });
  return { zones, units, tripId };
}
