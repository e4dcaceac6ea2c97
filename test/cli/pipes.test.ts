import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fromGeoJson, fromKml, readParquet, toKml, toKmz } from '../../src/interchange/index.js';
import { type Outcome, testFolder, wayzone } from './wayzone.js';

const { at, put, folder } = testFolder('pipes');
const PROGRAM = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;

const ZONES = [
  {
    id: '1',
    name: 'A',
    type: { key: 'polygon' },
    geometry: [
      [37, 55],
      [38, 55],
      [38, 56],
    ],
    properties: { floor: 5 },
  },
  { id: 'b', name: 'B', type: { key: 'circle' }, geometry: [[37.5, 55.5]], width: 50 },
] as const;
const feature = (id: string, lon: number): object => ({
  type: 'Feature',
  id,
  properties: { name: id },
  geometry: { type: 'Point', coordinates: [lon, 55] },
});

/** Runs a command with bytes on standard input. */
async function piped(input: string | Uint8Array, ...argv: string[]): Promise<Outcome> {
  let out = '';
  let err = '';
  async function* stdin(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(input as string);
    for (let i = 0; i < bytes.length; i += 1000) yield bytes.subarray(i, i + 1000);
  }
  const code = await run(argv, {
    stdin: stdin(),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

describe('standard input', () => {
  const kml = toKml(ZONES as never);
  const line = `${JSON.stringify(feature('p', 37))}\n`;
  test.each<[string, string | Uint8Array, number]>([
    ['KML', kml, 2],
    ['KMZ', toKmz(ZONES as never), 2],
    ['gzip', gzipSync(kml), 2],
    ['GeoJSON', JSON.stringify({ type: 'FeatureCollection', features: [feature('p', 37)] }), 1],
    ['features on lines', line + line.replace('"p"', '"q"'), 2],
    [
      'text sequences',
      `\u001E${line}\u001E{\n"type":"Feature","properties":null,\n"geometry":{"type":"Point","coordinates":[1,2]}}\n`,
      2,
    ],
    ['rows of the platform', JSON.stringify({ max: 2, list: ZONES }), 2],
    ['an array of rows', JSON.stringify(ZONES), 2],
    ['CSV', 'name,wkt\na,POINT (37 55)\n', 1],
  ])('%s: the format by its content', async (_, bytes, count) => {
    const { code, out, err } = await piped(
      bytes,
      'measure',
      '-',
      '--format',
      'json',
      '--default-width',
      '10',
    );
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toHaveLength(count);
  });

  test('issues name it `-`; a format by --from', async () => {
    const { code, out } = await piped('name,wkt\na,POINT (91 95)\n', 'validate', '-', '--from', 'csv');
    expect(code).toBe(1);
    expect(out).toContain('-:2: error lat-range');
    expect((await piped('x', 'validate', '-', '--from', 'kml')).code).toBe(1);
    expect(existsSync('-')).toBe(false);
  });

  test('tracks and zones of commands', async () => {
    const csv = 'unit,time,lat,lon\nu,2026-03-02T08:00:00Z,55.5,37.5\nu,2026-03-02T08:10:00Z,55.5,37.5\n';
    const zones = put('zones.json', JSON.stringify({ max: 2, list: ZONES }));
    const visits = await piped(csv, 'visits', '--zones', zones, '--tracks', '-');
    expect([visits.code, visits.err]).toEqual([0, '']);
    expect(visits.out.split('\n')).toHaveLength(4);
    expect((await piped(csv, 'locate', zones, '--positions', '-')).out).toContain(
      'u,2026-03-02T08:00:00.000Z',
    );
  });
});

describe('the built program', () => {
  const shell = (command: string): Promise<{ code: number | null; out: Buffer }> =>
    new Promise((done) => {
      const child = spawn('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
      const out: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.on('close', (code) => done({ code, out: Buffer.concat(out) }));
    });

  test('reads and writes pipes', async () => {
    put('in.kml', toKml(ZONES as never));
    const program = `${process.execPath} ${PROGRAM}`;
    const { code, out } = await shell(
      `cat in.kml | ${program} convert - - --to geojsonl | ${program} convert - - --to parquet | ${program} convert - - --to kml`,
    );
    expect(code).toBe(0);
    expect(fromKml(out).value.zones).toMatchObject(ZONES as never);
    expect(readdirSync(folder)).not.toContain('-');
  });
});

describe('convert', () => {
  test('several files as one; ids stay unique', async () => {
    const one = put('one.kml', toKml(ZONES as never));
    const two = put(
      'two.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: [feature('b', 1), feature('c', 2)] }),
    );
    const { code, err } = await wayzone('convert', one, two, at('all.geojson'));
    expect(code).toBe(0);
    expect(err).toContain('duplicate-id: 1');
    const { value } = fromGeoJson(readFileSync(at('all.geojson')));
    expect(value.zones.map(({ id }) => id)).toEqual(['1', 'b', 'b~2', 'c']);
    expect((await wayzone('convert', one)).code).toBe(2);
  });

  test.each(['geojson.gz', 'csv.gz', 'kml.gz', 'geojsonl.gz', 'geojsonl', 'geojsonseq', 'parquet', 'csv'])(
    'to .%s and back',
    async (ending) => {
      const from = put('from.kml', toKml(ZONES as never));
      const [middle, back] = [at(`middle.${ending}`), at('back.kml')];
      expect((await wayzone('convert', from, middle)).code).toBe(0);
      if (ending.endsWith('.gz')) expect(gunzipSync(readFileSync(middle)).length).toBeGreaterThan(100);
      expect(await wayzone('convert', middle, back)).toMatchObject({ code: 0, err: '' });
      expect(fromKml(readFileSync(back)).value.zones).toMatchObject(ZONES as never);
    },
  );

  test('fixes to Parquet with timestamps in UTC, and back', async () => {
    const csv = put(
      't.csv',
      'unit,time,lat,lon,speed_kph,ignition\nu,2026-03-02T08:00:00Z,55,37,10,true\nu,2026-03-02T08:00:05Z,55,37,,\n',
    );
    expect((await wayzone('convert', csv, at('t.parquet'))).code).toBe(0);
    const { value, issues } = await readParquet(readFileSync(at('t.parquet')));
    expect(issues).toEqual([]);
    expect(value.tracks[0]!.fixes).toEqual([
      { time: Date.UTC(2026, 2, 2, 8), lon: 37, lat: 55, speedKph: 10, ignition: true },
      { time: Date.UTC(2026, 2, 2, 8, 0, 5), lon: 37, lat: 55 },
    ]);
    const table = await wayzone('validate', at('t.parquet'));
    expect(table.out).toContain('1 track (2 fixes); 0 errors');
  });

  test('GPX to KML keeps times as gx:Track', async () => {
    const gpx = put(
      't.gpx',
      '<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>u</name><trkseg><trkpt lat="55" lon="37"><ele>9</ele><time>2026-03-02T08:00:00Z</time></trkpt><trkpt lat="55.1" lon="37"><time>2026-03-02T08:01:00Z</time></trkpt></trkseg></trk></gpx>',
    );
    expect(await wayzone('convert', gpx, at('t.kml'))).toMatchObject({ code: 0, err: '' });
    const text = readFileSync(at('t.kml'), 'utf8');
    expect(text).toContain('<gx:Track><when>2026-03-02T08:00:00.000Z</when>');
    expect(text).not.toContain('<Style');
    expect(fromKml(text).value.tracks[0]!.fixes.map(({ time }) => time)).toEqual([
      Date.UTC(2026, 2, 2, 8),
      Date.UTC(2026, 2, 2, 8, 1),
    ]);
  });
});

test('totals count every issue, also beyond the limit of details', async () => {
  const rows = Array.from({ length: 534 }, () => 'u,2026-03-02T08:00:00Z,55,999');
  const bad = put('bad.csv', `unit,time,lat,lon\nu,2026-03-02T08:00:00Z,55,37\n${rows.join('\n')}\n`);
  expect((await wayzone('movement', bad)).err).toContain('534 errors');
  expect((await wayzone('validate', bad)).out).toContain('534 errors, 0 warnings');
});

test('a fault in the JSON of trips says its place', async () => {
  const trips = put('trips.json', '[\n  {"id": 1,\n  }\n]');
  const tracks = put('one.csv', 'unit,time,lat,lon\nu,2026-03-02T08:00:00Z,55,37\n');
  const { code, err } = await wayzone('trips', '--trips', trips, '--tracks', tracks, '--time-zone', 'UTC');
  expect(code).toBe(1);
  expect(err).toContain('line 3');
});

test('the rows of locate are read as tracks again', async () => {
  const tracks = put('one.csv', 'unit,time,lat,lon\nu,2026-03-02T08:00:00Z,55.5,37.5\n');
  const zones = put('zones.json', JSON.stringify(ZONES.slice(0, 1)));
  const { out } = await wayzone('locate', zones, '--positions', tracks);
  const again = await wayzone('locate', zones, '--positions', put('located.csv', out));
  expect(again.code).toBe(0);
  expect(again.out).toBe(out);
});
