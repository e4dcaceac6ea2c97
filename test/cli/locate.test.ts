import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from '../../src/index.js';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { folder, put: file } = testFolder('locate');

function circle(id: string, lon: number, lat: number, width: number): object {
  const properties = { name: id, type: 'circle', width };
  return { type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

function collection(features: object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const ZONES = [
  circle('=depot', 44, 56.3, 500),
  circle('city', 44, 56.3, 50_000),
  circle('far', -120, 10, 100),
];
const TRACK = `unit,time,lat,lon
u,2026-01-01T00:00:00Z,56.3,44
u,2026-01-01T00:10:00Z,56.32,44
u,2026-01-01T00:20:00Z,0,0
`;

describe('wayzone locate', () => {
  test('--at gives the zones of one position', async () => {
    const zones = file('zones.geojson', collection(ZONES));
    const { code, out, err } = await wayzone('locate', zones, '--at', '56.32,44', '--format', 'json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual([{ unitId: '', time: null, lon: 44, lat: 56.32, zones: ['city'] }]);
  });

  test('an index file is advised for zones of 50 MB, and not for an index file', async () => {
    const zones = file('large.geojson', collection(ZONES) + ' '.repeat(50e6));
    const large = await wayzone('locate', zones, '--at', '56.32,44', '--format', 'json');
    expect([large.code, JSON.parse(large.out)[0].zones]).toEqual([0, ['city']]);
    expect(large.err).toMatch(/^The zones have 50 MB\. An index file .*\n$/);
    const index = join(folder, 'large.wzi');
    await wayzone('index', zones, '--out', index);
    const stored = await wayzone('locate', index, '--at', '56.32,44', '--format', 'json');
    expect(stored).toEqual({ ...large, err: '' });
  });

  test('every fix of a track gets a CSV row per zone, safe for spreadsheets', async () => {
    const { code, out } = await wayzone(
      'locate',
      file('zones.geojson', collection(ZONES)),
      '--positions',
      file('t.csv', TRACK),
    );
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'unit_id,time_utc,lon,lat,zone_id,zone_name',
        "u,2026-01-01T00:00:00.000Z,44,56.3,'=depot,'=depot",
        'u,2026-01-01T00:00:00.000Z,44,56.3,city,city',
        'u,2026-01-01T00:10:00.000Z,44,56.32,city,city',
        'u,2026-01-01T00:20:00.000Z,0,0,,',
        '',
      ].join('\r\n'),
    );
  });

  test('an index file gives the same answers as its zones, in every format', async () => {
    const zones = file('zones.geojson', collection(ZONES));
    const out = join(folder, 'fleet.wzi');
    const written = await wayzone('index', zones, '--out', out);
    expect([written.code, written.err]).toEqual([0, '']);
    expect(written.out).toContain('3 zones');
    const bytes = readFileSync(out);
    const index = ZoneIndex.fromBuffer<Geozone>(bytes);
    expect(index.ids()).toEqual(['=depot', 'city', 'far']);
    const points = file(
      'points.geojson',
      collection(
        wkt('44 56.3, -120 10, 1 1').map((coordinates, i) => ({
          type: 'Feature',
          id: `p${i}`,
          properties: {},
          geometry: { type: 'Point', coordinates },
        })),
      ),
    );
    const asked = ['--positions', file('t.csv', TRACK), points, '--format', 'ndjson'];
    const one = await wayzone('locate', out, ...asked);
    expect(one.code).toBe(0);
    const rows = one.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { unitId: string; zones: string[] });
    expect(rows.map(({ unitId, zones: ids }) => [unitId, ids])).toEqual([
      ['u', ['=depot', 'city']],
      ['u', ['city']],
      ['u', []],
      ['p0', ['=depot', 'city']],
      ['p1', ['far']],
      ['p2', []],
    ]);
    expect((await wayzone('locate', zones, ...asked)).out).toBe(one.out);
    const json = await wayzone('locate', out, ...asked.slice(0, -1), 'json');
    expect(JSON.parse(json.out)).toEqual(rows);
  });

  test('unreadable positions are reported, and the others answered', async () => {
    const zones = file('mixed.geojson', collection([...ZONES, { ...circle('bad', 0, 0, 5), geometry: 7 }]));
    const { code, out, err } = await wayzone(
      'locate',
      zones,
      '--positions',
      file('t.csv', TRACK),
      join(folder, 'no.gpx'),
    );
    expect(code).toBe(1);
    expect(out.split('\r\n').length).toBe(6);
    expect(err).toContain('error file-unreadable: 1');
    const none = await wayzone('locate', zones, '--positions', file('zones.geojson', collection([])));
    expect(none.err).toContain('warning no-positions: 1');
    expect(none.out).toBe('unit_id,time_utc,lon,lat,zone_id,zone_name\r\n');
  });

  test.each(['no.geojson', 'bad.geojson', 'bad.kmz', 'bad.geojson.gz', 'zones.doc'])(
    'an unreadable zone file (%s) answers no position',
    async (name) => {
      const path = name === 'no.geojson' ? join(folder, name) : file(name, '{"type":');
      const sound = file('sound.geojson', collection(ZONES));
      const track = file('t.csv', TRACK);
      const table = join(folder, 'refused.parquet');
      for (const where of [
        ['--at', '0,0'],
        ['--positions', track],
        ['--positions', track, '--out', table],
      ]) {
        const { code, out, err } = await wayzone('locate', sound, path, ...where);
        expect([code, out]).toEqual([1, '']);
        expect(err).toMatch(
          /error (?:file-unreadable|json-syntax|gzip-invalid|format-unknown|kmz-[a-z]+): 1/,
        );
        expect(err).toContain('no position is answered');
      }
      expect(existsSync(table)).toBe(false);
    },
  );

  test('a damaged index file gives a coded error', async () => {
    writeFileSync(join(folder, 'bad.wzi'), Buffer.from('not an index at all, but long enough for a header'));
    const { code, err, out } = await wayzone('locate', join(folder, 'bad.wzi'), '--at', '0,0');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^wayzone: expected /);
  });

  test.each([
    ['no position', ['locate', 'zones.geojson']],
    ['both kinds of positions', ['locate', 'z.geojson', '--at', '1,2', '--positions', 'a.csv']],
    ['an incomplete position', ['locate', 'z.geojson', '--at', '1']],
    ['a latitude out of range', ['locate', 'z.geojson', '--at', '95,37']],
    ['an index without its ending', ['index', 'z.geojson', '--out', 'fleet.bin']],
    ['an index without a name', ['index', 'z.geojson']],
  ])('%s: wrong use', async (_, argv) => {
    const { code, out, err } = await wayzone(...argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('wayzone --help');
  });
});
