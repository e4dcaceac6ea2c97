/** What `inspect` says of a JSON file every other command does. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('json-rows');

const FENCES = [
  { id: 1, attributes: {}, name: 'Depot', area: 'CIRCLE (51.05593 6.94626, 200)' },
  { id: 2, attributes: {}, name: 'Yard', area: 'POLYGON ((51 6, 51.1 6, 51.1 6.1, 51 6))' },
];
const POINT = { type: 'Point', coordinates: [6.94626, 51.05593] };
const PHONE = { type: 'Feature', properties: { timestamp: '2026-03-02T08:00:00Z' }, geometry: POINT };

test.each([
  ['a list', 'list.json', JSON.stringify(FENCES)],
  ['a list of a member', 'member.json', JSON.stringify({ total: 2, geofences: FENCES })],
  ['lines', 'lines.ndjson', FENCES.map((row) => JSON.stringify(row)).join('\n')],
  ['lines of another name', 'lines.jsonl', FENCES.map((row) => JSON.stringify(row)).join('\n')],
])('rows of zones: %s', async (_, name, text) => {
  const file = put(name, text);
  expect((await wayzone('inspect', file)).out).toContain('rows          zones');
  const measured = await wayzone('measure', file, '--format', 'json');
  expect(JSON.parse(measured.out)).toMatchObject([
    { id: '1', name: 'Depot', type: 'circle' },
    { id: '2', name: 'Yard', type: 'polygon' },
  ]);
  const track = put('at.csv', 'unit,time,lat,lon\nv,2026-03-02T08:00:00Z,51.05593,6.94626\n');
  expect((await wayzone('visits', '--zones', file, '--tracks', track)).out).toContain('Depot');
});

test.each([
  ['a collection', { type: 'FeatureCollection', features: [PHONE, PHONE] }],
  ['the locations of a phone', { locations: [PHONE, PHONE] }],
])('features with times: %s', async (_, root) => {
  const file = put('phone.json', JSON.stringify(root));
  const inspected = await wayzone('inspect', file);
  expect(inspected.out).toMatch(/tracks +1\n +fixes +2\n/);
  expect(inspected.out).toContain('2026-03-02T08:00:00.000Z');
  await wayzone('convert', file, at('phone.csv'), '--force');
  expect(readFileSync(at('phone.csv'), 'utf8')).toContain('phone,2026-03-02T08:00:00.000Z');
  const moved = await wayzone('movement', file, '--time-zone', 'UTC', '--format', 'json');
  expect(moved.err).toContain('Fixes: 2 read');
  // Commands of zones take them for zones, as those of tracks take them for tracks.
  expect((await wayzone('measure', file, '--format', 'json')).out).toContain('"type": "point"');
});

test('platform rows and GeoJSON stay what they are', async () => {
  const row = { id: 'a', name: 'A', type: { key: 'circle' }, geometry: [[6, 51]], width: 30 };
  for (const root of [[row], { max: 1, list: [row] }]) {
    const measured = await wayzone('measure', put('rows.json', JSON.stringify(root)), '--format', 'json');
    expect(JSON.parse(measured.out)).toMatchObject([{ id: 'a', type: 'circle' }]);
  }
});
