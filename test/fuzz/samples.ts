/** Small valid objects as seeds. */

import type { Fix } from '../../src/core/fix.js';
import type { TripInput, TripPoint } from '../../src/core/trip.js';
import type { Geozone, GeozoneGroup, Route } from '../../src/core/wire.js';
import { wkt } from '../wkt.js';

const ID = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';
export const START: number = Date.UTC(2026, 2, 2, 7);

export const ZONES: readonly Geozone[] = [
  {
    id: 'disc',
    name: 'A',
    type: { key: 'circle' },
    geometry: [[13.4, 52.5]],
    width: 500,
    color: { key: '#F56C6C' },
  },
  { id: '__proto__', name: 'B & <b>', type: { key: 'point' }, geometry: [[13.41, 52.5]], width: 40 },
  {
    id: 'street',
    name: '=1',
    type: { key: 'line' },
    width: 60,
    geometry: wkt('13.38 52.5, 13.4 52.502, 13.42 52.5'),
  },
  {
    id: 'yard',
    name: '',
    type: { key: 'polygon' },
    icon: { key: 'school' },
    is_show_on_map: true,
    geometry: wkt('13.395 52.495, 13.405 52.495, 13.405 52.505, 13.395 52.505'),
  },
  {
    id: 'holes',
    name: 'Holes',
    type: { key: 'polygon' },
    geometry: wkt('13 52, 14 52, 14 53, 13 53'),
    parts: [[wkt('13 52, 14 52, 14 53, 13 53'), wkt('13.2 52.2, 13.2 52.3, 13.3 52.3')]],
  },
  {
    id: 'date-line',
    name: 'Fiji',
    type: { key: 'polygon' },
    geometry: wkt('179 -17, -179 -17, -179 -16, 179 -16'),
  },
];

/** A drive past the zones with stops, an outlier and a gap. */
export const FIXES: readonly Fix[] = Array.from({ length: 24 }, (_, i) => ({
  time: START + i * 60_000 + (i > 18 ? 7_200_000 : 0),
  lon: i === 11 ? 20 : 13.37 + 0.003 * Math.min(i, 20) - (i > 5 && i < 9 ? 0.001 * (i - 5) : 0),
  lat: 52.5 + (i % 3) * 0.0003,
  speedKph: i > 5 && i < 9 ? 0 : 40,
  ...(i % 4 === 0 ? { accuracyMeters: 12 } : {}),
  ...(i % 2 === 0 ? { ignition: i < 20 } : {}),
}));

const POINTS: readonly TripPoint[] = [
  {
    name: 'Depot',
    type: { key: 'circle' },
    geometry: [[13.37, 52.5]],
    width: 300,
    departure: { time: '08:05', deviation_minutes: 5 },
  },
  {
    name: 'Shop',
    type: { key: 'point' },
    coordinates: [[13.4, 52.5]],
    arrival: { time: '08:12', deviation_minutes: 5 },
    departure: { time: '08:14', after_days: 0 },
  },
  { name: 'Yard', type: { key: 'polygon' }, geometry: ZONES[3]!.geometry },
];

export const GEOZONE: Geozone & Readonly<Record<string, unknown>> = {
  ...ZONES[0]!,
  id: ID,
  companies: [{ id: ID }],
  created: '2026-01-01',
  is_delete: false,
};
export const GROUP: GeozoneGroup = { id: ID, name: 'North', geozones: [{ id: ID }] };
const PHOTO = { url: 'https://example.org/a.png', width: 64, height: 64, param_type: 'geozones' };
export const CUSTOM_TYPE: object = { company_id: ID, name: 'Yard', photo: { original: PHOTO, small: PHOTO } };
export const ROUTE: Route = {
  id: ID,
  name: 'Ring',
  company_id: ID,
  points: [0, 1].map((i) => ({
    name: `P${i}`,
    type: { key: 'circle' as const },
    geometry: [[13.4 + i, 52.5]] as const,
    width: 50,
  })),
};
export const TRIP: TripInput = {
  id: ID,
  name: 'Milk',
  company_id: ID,
  unit: { id: ID },
  passage_order_type: { key: 'strict' },
  activation_type: { key: 'entrance_to_first_point' },
  dates: ['2026-03-02', '2026-03-03 00:00'],
  work_types: ['a'],
  points: POINTS,
};
