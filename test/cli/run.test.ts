import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readInput } from '../../src/cli/io/readInput.js';
import { measureZone } from '../../src/index.js';
import { fromGeoJson, fromKml } from '../../src/interchange/index.js';
import type { Summary } from '../../src/report/index.js';
import { wkt } from '../wkt.js';
import { type Outcome, testFolder, wayzone } from './wayzone.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const FILES = ['index.html', 'movement.csv', 'summary.json', 'visits.csv', 'zones.geojson', 'zones.kml'];
const { folder, put: file } = testFolder('run');

function summaryOf(name: string): Summary {
  return JSON.parse(readFileSync(join(folder, name, 'summary.json'), 'utf8')) as Summary;
}

function circle(id: string | number, name: string): object {
  return {
    type: 'Feature',
    id,
    properties: { name, type: 'circle', width: 200 },
    geometry: { type: 'Point', coordinates: [44, 56.3] },
  };
}

function features(...list: object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features: list });
}

const TRACK = `unit,time,lat,lon
u,2026-01-01T00:00:00Z,56.31,44
u,2026-01-01T00:10:00Z,56.3,44
u,2026-01-01T00:20:00Z,56.29,44
`;

describe('wayzone report', () => {
  let demo: Outcome;
  beforeAll(async () => {
    const now = ['--now', '2026-03-02T12:50Z', '--finish-on', 'departure'];
    demo = await wayzone('report', ...now, '--out', join(folder, 'demo'));
  });

  test('without input files it reports the example city in seven files, with most statuses of trips and all of points', () => {
    const { code, out, err } = demo;
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('example city');
    expect(readdirSync(join(folder, 'demo')).sort()).toEqual([...FILES, 'trips.csv'].sort());
    const summary = summaryOf('demo');
    expect(summary.zones.count).toBe(23);
    expect(summary.units).toEqual({ count: 7, withVisits: 7 });
    expect(Object.keys(summary.trips.byStatus)).toEqual([
      'active',
      'finished',
      'finished_with_violations',
      'no_data',
      'not_started',
      'scheduled',
    ]);
    expect(Object.keys(summary.trips.points)).toEqual([
      'inside',
      'missed',
      'no_data',
      'passed',
      'pending',
      'skipped',
    ]);
    expect(summary.movement.trips).toBeGreaterThan(50);
    expect(summary.fixes.leftOut).toMatchObject({ speed: 1, 'zero-island': 1 });
    expect(summary.visits.count).toBeGreaterThan(100);
    expect(summary.fixes.read).toBe(summary.sources.reduce((sum, { fixes }) => sum + fixes, 0));
  });

  test('the example table ends with a line break, and no cell is a formula', () => {
    const csv = readFileSync(join(folder, 'demo', 'visits.csv'), 'utf8');
    expect(csv.split('\r\n').at(-1)).toBe('');
    expect(csv).toContain("O'Neill & Sons");
    expect(csv).not.toMatch(/(^|,)"?[=+@]/m);
  });

  test('the written zones read back the same from GeoJSON and KML', () => {
    const written = (name: string): string => readFileSync(join(folder, 'demo', name), 'utf8');
    const geojson = fromGeoJson(written('zones.geojson'));
    const kml = fromKml(written('zones.kml'));
    expect(geojson.issues).toEqual([]);
    expect(kml.issues).toEqual([]);
    expect(geojson.value.zones.map(({ id, name }) => [id, name])).toEqual(
      kml.value.zones.map(({ id, name }) => [id, name]),
    );
    expect(geojson.value.zones).toHaveLength(23);
  });

  test('broken files give exit code 1, and the others are reported', async () => {
    const good = file('good.geojson', features(circle('a', 'A')));
    const broken = file('broken.geojson', '{"type": "FeatureCollection", "features": [');
    const packed = file('good.csv.gz', gzipSync(TRACK));
    const torn = file('torn.csv.gz', gzipSync(TRACK).subarray(0, 30));
    const { code, out } = await wayzone(
      ['report', '--zones', broken, good, '--tracks', torn, packed, join(folder, 'absent.gpx')],
      ['--out', join(folder, 'beside')],
    );
    expect(code).toBe(1);
    const { zones, visits, issues } = summaryOf('beside');
    expect([zones.count, visits.count, issues.errors]).toEqual([1, 1, 3]);
    expect(Object.keys(issues.byCode)).toEqual(
      expect.arrayContaining(['error file-unreadable', 'error gzip-invalid']),
    );
    expect(out).toContain('3 errors');
  });

  test('unreadable rows are listed with their lines, and the others are used', async () => {
    const { code } = await wayzone(
      ['report', '--zones', `${FIXTURES}city-zones.geojson`, '--tracks', `${FIXTURES}broken-rows.csv`],
      ['--speed-unit', 'kph', '--out', join(folder, 'rows')],
    );
    expect(code).toBe(1);
    const { fixes, issues } = summaryOf('rows');
    expect(fixes.read).toBe(12);
    expect(new Set(issues.list.map(({ line }) => line))).toEqual(new Set([6, 10]));
  });

  test('a repeated id, in one file or in several, gives a warning and keeps all zones', async () => {
    const one = file('one.geojson', features(circle('a', 'A'), circle('a', 'B')));
    const two = file('two.geojson', features(circle('a', 'C')));
    const { code } = await wayzone(
      ['report', '--zones', one, '--zones', two, '--tracks', file('t.csv', TRACK)],
      ['--out', join(folder, 'repeated')],
    );
    expect(code).toBe(0);
    const { zones, visits, issues } = summaryOf('repeated');
    expect([zones.count, visits.count, issues.errors]).toEqual([3, 3, 0]);
    expect(issues.byCode).toEqual({ 'warning duplicate-id': 2 });
  });

  test('a zone that cannot be indexed is an error of its file', async () => {
    const line = {
      type: 'Feature',
      id: 'no-width',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: wkt('44 56, 44 57'),
      },
    };
    const zones = file('lines.geojson', features(line, circle('a', 'A')));
    const argv = ['report', '--zones', zones, '--tracks', file('t.csv', TRACK)];
    const { code, out } = await wayzone(...argv, '--out', join(folder, 'refused'));
    expect(code).toBe(1);
    expect(out).toContain('no-width');
    expect(summaryOf('refused').zones.count).toBe(1);
    const widened = await wayzone(...argv, '--default-width', '50', '--out', join(folder, 'widened'));
    expect(widened.code).toBe(0);
    expect(summaryOf('widened').zones.count).toBe(2);
  });

  test('a unit in several files is one unit, in any order of the files', async () => {
    const rows = TRACK.trim().split('\n');
    const late = file('late.csv', `${[rows[0], rows[3]].join('\n')}\n`);
    const early = file('early.csv', `${rows.slice(0, 3).join('\n')}\n`);
    const zones = file('good.geojson', features(circle('a', 'A')));
    for (const [name, files] of [
      ['ab', [late, early]],
      ['ba', [early, late]],
    ] as const) {
      await wayzone('report', '--zones', zones, '--tracks', ...files, '--out', join(folder, name));
    }
    expect(summaryOf('ab').units.count).toBe(1);
    expect(summaryOf('ab').visits).toEqual(summaryOf('ba').visits);
    expect(summaryOf('ab').visits.byEnd).toEqual({ left: 1 });
  });

  test('escape sequences in names do not reach the terminal', async () => {
    const zones = file('escape.geojson', features(circle('a', '\u001b[31mred\u202e')));
    const { out } = await wayzone([
      'report',
      '--zones',
      zones,
      '--tracks',
      file('t.csv', TRACK),
      '--out',
      join(folder, 'escape'),
    ]);
    expect(out).toContain('red');
    expect(out.includes('\u001b') || out.includes('\u202e')).toBe(false);
  });

  test('an output folder that cannot be written gives exit code 1 and leaves no files', async () => {
    const { code, err } = await wayzone('report', '--out', join(file('plain', ''), 'below'));
    expect([code, existsSync(join(folder, 'plain', 'below'))]).toEqual([1, false]);
    expect(err).toContain('wayzone:');
  });
});

describe('wrong usage gives exit code 2', () => {
  test.each([
    ['an unknown command', ['frobnicate']],
    ['no command', ['--out', 'x']],
    ['no --out', ['report']],
    ['measure without files', ['measure', '--format', 'json']],
    ['zones without tracks', ['report', '--zones', 'a.geojson', '--out', 'x']],
    ['tracks without zones', ['report', '--tracks', 'a.gpx', '--out', 'x']],
    ['an unknown option', ['report', '--out', 'x', '--frob']],
    ['an unknown speed unit', ['report', '--out', 'x', '--speed-unit', 'furlongs']],
    ['a negative number', ['report', '--out', 'x', '--max-gap=-1']],
    ['an invalid number', ['report', '--out', 'x', '--min-inside', 'soon']],
    ['a stray word', ['report', 'stray', '--out', 'x']],
  ])('%s', async (_, argv) => {
    const { code, out, err } = await wayzone(...argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('wayzone --help');
  });
});

test('--help lists commands, options and examples, and --version the version', async () => {
  const help = await wayzone('--help');
  expect([help.code, help.err]).toEqual([0, '']);
  for (const command of ['report', 'measure', 'buffer', 'index', 'locate', 'convert', 'validate']) {
    expect(help.out).toContain(command);
    const own = await wayzone(command, '--help');
    expect([own.code, own.err]).toEqual([0, '']);
    expect(own.out).toContain('--axis-order');
    expect(own.out).toContain(`Examples:\n  wayzone ${command}`);
  }
  expect((await wayzone()).out).toBe(help.out);
  const { out } = await wayzone('--version');
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('files after one flag or several of them form one list in order', async () => {
  const zones = ['a', 'b', 'c'].map((id) => file(`${id}.geojson`, features(circle(id, id))));
  const argv = ['report', '--zones', zones[0]!, zones[1]!, '--tracks', file('t.csv', TRACK), '--zones'];
  await wayzone(...argv, zones[2]!, '--out', join(folder, 'list'));
  expect(summaryOf('list').sources.map((source) => source.file.slice(-9))).toEqual([
    'a.geojson',
    'b.geojson',
    'c.geojson',
    file('t.csv', TRACK).slice(-9),
  ]);
});

const READING = { axisOrder: 'lonlat', columns: {} } as const;

test('a gzipped file larger than the limit when inflated is not read', async () => {
  const bomb = file('bomb.csv.gz', gzipSync(Buffer.alloc(2_000_000)));
  const { issues, value } = await readInput(bomb, READING, 1_000_000);
  expect(issues.map(({ code }) => code)).toEqual(['limit-bytes']);
  expect(value.tracks).toEqual([]);
});

test('an unknown extension is an error of that file only', async () => {
  const { issues } = await readInput('zones.shp', READING);
  expect(issues).toMatchObject([{ code: 'format-unknown', severity: 'error' }]);
});

describe('wayzone measure', () => {
  test('prints the result of measureZone for every zone as a table, JSON and CSV', async () => {
    const zones = file('m.geojson', features(circle('a', 'A'), circle('b', '\u001b[31mB')));
    const json = await wayzone('measure', zones, '--format', 'json');
    expect([json.code, json.err]).toEqual([0, '']);
    const rows = JSON.parse(json.out) as { id: string; type: string; area: number }[];
    expect(rows.map(({ id, type }) => [id, type])).toEqual([
      ['a', 'circle'],
      ['b', 'circle'],
    ]);
    const shape = { type: { key: 'circle' }, geometry: [[44, 56.3]], width: 200 } as const;
    expect(rows[0]).toEqual({ id: 'a', name: 'A', type: 'circle', ...measureZone(shape) });
    const csv = await wayzone('measure', zones, '--format', 'csv');
    expect(csv.out.split('\r\n')[0]).toBe('id,name,type,area_m2,perimeter_meters,length_meters');
    expect(csv.out).toContain(`a,A,circle,${rows[0]!.area},`);
    const table = await wayzone('measure', zones);
    expect(table.code).toBe(0);
    expect(table.out).toContain(measureZone(shape).area!.toFixed(1));
    expect(table.out.includes('\u001b')).toBe(false);
  });

  test('reports unreadable files and zones on stderr with exit code 1', async () => {
    const zones = file('m2.geojson', features(circle('a', 'A'), { ...circle('z', 'Z'), geometry: 7 }));
    const { code, out, err } = await wayzone(
      'measure',
      zones,
      '--format',
      'json',
      join(folder, 'absent.kml'),
    );
    expect(code).toBe(1);
    expect((JSON.parse(out) as unknown[]).length).toBe(1);
    expect(err).toContain('error file-unreadable: 1');
    expect(err).toContain('features[1]');
  });
});
