import { describe, expect, test } from 'vitest';
import { fromCsv, fromGeoJson, fromGpx, missingContent, readCsv } from '../../src/interchange/index.js';
import { DELIMITERS } from '../../src/interchange/table/splitRows.js';

const FIXES = 'unit,time,lat,lon\nu,2026-03-02T08:00:00Z,55.7,37.6\nu,2026-03-02T08:01:00Z,55.8,37.6\n';
const ZONES = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [37.6, 55.7] } };
const EMPTY = { type: 'FeatureCollection', features: [] };
const ROUTE =
  '<gpx version="1.1" creator="x"><rte><rtept lat="55.7" lon="37.6"/><rtept lat="55.8" lon="37.6"/></rte></gpx>';

describe('what a file lacks', () => {
  test.each([
    ['zones where zones are wanted', fromGeoJson(ZONES), 'zones', null],
    ['tracks where tracks are wanted', fromCsv(FIXES), 'tracks', null],
    ['tracks instead of zones', fromCsv(FIXES), 'zones', ['error', 'no-zones', '1 tracks with 2 fixes']],
    ['zones instead of tracks', fromGeoJson(ZONES), 'tracks', ['error', 'no-tracks', '1 zones']],
    ['a route instead of zones', fromGpx(ROUTE), 'zones', ['error', 'no-zones', '1 routes']],
    ['a route instead of tracks', fromGpx(ROUTE), 'tracks', ['error', 'no-tracks', '1 routes']],
    ['nothing, for zones', fromGeoJson(EMPTY), 'zones', ['warning', 'no-zones', 'none']],
    ['nothing, for tracks', fromGeoJson(EMPTY), 'tracks', ['warning', 'no-tracks', 'none']],
    [
      'a table of fixes that asks for a time zone',
      fromCsv('unit,time,lat,lon\nu,02.03.2026 08:00,55.7,37.6\nu,22.03.2026 08:01,55.8,37.6\n'),
      'zones',
      ['error', 'no-zones', 'a table of fixes'],
    ],
  ] as const)('%s', (_, data, wanted, expected) => {
    const found = missingContent(data, wanted);
    if (expected === null) {
      expect(found).toBeNull();
      return;
    }
    const [severity, code, received] = expected;
    const tail = severity === 'error' ? ': the file seems to be another' : '';
    expect(found).toEqual({
      severity,
      code,
      field: '',
      message: `expected ${wanted}, received ${received}${tail}`,
    });
  });

  test('the errors of a file that cannot be read say enough', () => {
    const broken = fromGeoJson('{"type":"Feature"');
    expect(broken.issues.some(({ severity }) => severity === 'error')).toBe(true);
    expect(missingContent(broken, 'zones')).toBeNull();
    expect(missingContent(broken, 'tracks')).toBeNull();
  });
});

test.each(DELIMITERS)('a table with the delimiter %j has the fixes of one with commas', async (delimiter) => {
  const text = FIXES.replaceAll(',', delimiter);
  const bytes = new TextEncoder().encode(text);
  const wanted = fromCsv(FIXES).value.tracks;
  expect(fromCsv(text)).toMatchObject({ value: { tracks: wanted }, issues: [] });
  const streamed = await readCsv((async function* () { yield bytes; })()); // biome-ignore format: one line
  expect(streamed.value.tracks).toEqual(wanted);
  // A hint makes the reader describe the table.
  const described = fromCsv(text, { table: { columns: [{ name: 'unit', role: 'unit' }] } });
  expect(described.value.tracks).toEqual(wanted);
});
