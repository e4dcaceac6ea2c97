import { describe, expect, test } from 'vitest';
import { fromCsv, toKml } from '../../src/interchange/index.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('validate');

interface Row {
  readonly file: string;
  readonly line: number | null;
  readonly field: string;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

const bow = {
  type: 'Feature',
  id: 'bow',
  properties: { name: 'B' },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  },
};
const line = {
  ...bow,
  id: 'line',
  geometry: { type: 'LineString', coordinates: bow.geometry.coordinates[0] },
};
const collection = (...features: object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

describe('wayzone validate', () => {
  test('valid files give exit code 0 and one line each', async () => {
    const kml = put('ok.kml', toKml([{ id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]] }]));
    const { code, out, err } = await wayzone('validate', kml);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`${kml}: 1 zone, 0 groups, 0 routes, 0 tracks (0 fixes); 0 errors, 0 warnings\n`);
  });

  test('unreadable and invalid parts are listed with file, line and field', async () => {
    const geojson = put('b.geojson', collection(bow, line, { type: 'Feature', geometry: 5 }));
    const gpx = put(
      'b.gpx',
      '<gpx>\n<trk><trkseg>\n<trkpt lat="91" lon="1"/>\n<trkpt lat="1" lon="1"/></trkseg></trk></gpx>',
    );
    const { code, out } = await wayzone('validate', geojson, gpx);
    expect(code).toBe(1);
    expect(out).toMatch(/b\.geojson: error geojson-type features\[2\]\.geometry: /);
    expect(out).toMatch(/b\.geojson: error ring-self-intersects zone "bow" geometry/);
    expect(out).toMatch(/b\.geojson: error width-missing zone "line" width: /);
    expect(out).toMatch(/b\.gpx:3: error lat-range trk\[0\]\.trkseg\[0\]\.trkpt\[0\]\.lat: /);
    expect(out).toMatch(/b\.gpx:2: warning time-missing trk\[0\]: /);
    expect(out).toMatch(/b\.gpx: 0 zones, .* 1 error, 2 warnings\n$/);
    expect((await wayzone('validate', geojson, '--default-width', '5')).out).not.toContain('width-missing');
  });

  test('every issue is listed as text, JSON and CSV, however many have the same code', async () => {
    const rows = Array.from({ length: 250 }, (_, i) => `z${i},POINT(1 95)`);
    const file = put('many.csv', `id,wkt\n${rows.join('\n')}\n`);
    const text = await wayzone('validate', file);
    expect([text.code, text.out.split('\n').length]).toEqual([1, 252]);
    const json = await wayzone('validate', file, '--format', 'json');
    const list = JSON.parse(json.out) as Row[];
    expect(list).toHaveLength(250);
    expect(list[249]).toMatchObject({ file, line: 251, severity: 'error', code: 'lat-range' });
    const csv = await wayzone('validate', file, '--format', 'csv');
    expect(csv.out.trim().split('\r\n')).toHaveLength(251);
    expect(csv.out).toMatch(/^file,line,field,severity,code,message\r\n/);
    expect(fromCsv(csv.out, { as: 'zones' }).issues[0]?.code).toBe('csv-columns');
  });

  test('a missing file or an unknown extension does not affect other files', async () => {
    const { code, out } = await wayzone(
      'validate',
      at('absent.kml'),
      put('x.shp', ''),
      put('y.gpx', '<gpx/>'),
    );
    expect(code).toBe(1);
    expect(out).toContain('absent.kml: error file-unreadable');
    expect(out).toContain('x.shp: error format-unknown');
    expect(out).toContain('y.gpx: 0 zones');
  });

  test('escape sequences in a file do not reach the terminal', async () => {
    const { out } = await wayzone('validate', put('esc.geojson', collection({ ...bow, id: '\u001b[31m' })));
    expect(out).toContain('ring-self-intersects');
    expect(out.includes('\u001b')).toBe(false);
  });

  test.each([
    ['no file', []],
    ['an unknown format', ['a.kml', '--format', 'xml']],
    ['an unknown coordinate system', ['a.kml', '--crs', 'EPSG:1']],
  ])('%s gives exit code 2', async (_, argv) => {
    expect((await wayzone('validate', ...argv)).code).toBe(2);
  });
});
