import { wkt } from '../wkt.js'; /** Valid inputs of every shape, newly built at each call. */

export const ID = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';

type Json = Record<string, unknown>;

export const geozone = (fields: Json = {}): Json => ({
  id: ID,
  name: 'Depot',
  type: { key: 'circle' },
  geometry: [[37.6, 55.7]],
  width: 100,
  ...fields,
});

export const polygon = (geometry: unknown, fields: Json = {}): Json =>
  geozone({ type: { key: 'polygon' }, geometry, width: null, ...fields });

export const SQUARE: readonly (readonly [number, number])[] = wkt('0 0, 1 0, 1 1, 0 1');

export const group = (fields: Json = {}): Json => ({
  id: ID,
  name: 'North',
  geozones: [{ id: ID }],
  ...fields,
});

const photo = (fields: Json = {}): Json => ({
  url: 'https://example.org/a.png',
  width: 64,
  height: 64,
  param_type: 'geozones',
  ...fields,
});

export const customType = (fields: Json = {}): Json => ({
  company_id: ID,
  name: 'Yard',
  photo: { original: photo(), small: photo() },
  ...fields,
});

export const point = (fields: Json = {}): Json => ({
  name: 'Shop',
  type: { key: 'point' },
  geometry: [[37.6, 55.7]],
  ...fields,
});

export const route = (fields: Json = {}): Json => ({ id: ID, name: 'Ring', points: [point()], ...fields });

export const trip = (fields: Json = {}): Json => ({
  id: ID,
  name: 'Milk',
  company_id: ID,
  unit: { id: ID },
  passage_order_type: { key: 'strict' },
  dates: ['2026-11-21'],
  points: [point({ arrival: { time: '08:00' } }), point()],
  ...fields,
});
