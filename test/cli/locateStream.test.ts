import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { OutputStream } from '../../src/cli/io/io.js';
import { run } from '../../src/cli/run.js';
import { ZoneIndex } from '../../src/index.js';
import { LONG, seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { testFolder } from './wayzone.js';

const PROGRAM = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;
const ROWS = 40_000;
const ZONES = Array.from({ length: 50 }, (_, i) => ({
  id: `z${i}`,
  name: `z${i}`,
  type: { key: 'circle' as const },
  width: 9000,
  geometry: [[43.5 + (i % 10) / 10, 56 + Math.floor(i / 10) / 5]] as [number, number][],
}));

const { folder, put: file } = testFolder('stream');
let zones = '';
beforeAll(() => {
  const features = ZONES.map(({ id, type, width, geometry }) => ({
    type: 'Feature',
    id,
    properties: { type: type.key, width },
    geometry: { type: 'Point', coordinates: geometry[0] },
  }));
  zones = file('zones.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
});

interface Row {
  readonly unitId: string;
  readonly time: number | null;
  readonly lon: number;
  readonly lat: number;
  readonly zones: string[];
}

/** Rows of several interleaved units. Every `badEvery`th row has no valid latitude. */
function table(count: number, badEvery: number = Infinity): { text: string; expected: Row[] } {
  const random = seeded(5);
  const index = new ZoneIndex(ZONES);
  const expected: Row[] = [];
  const lines = ['unit,time,lat,lon'];
  for (let i = 0; i < count; i++) {
    const [lon, lat] = [Number((43.5 + random()).toFixed(6)), Number((56 + random()).toFixed(6))];
    const unitId = `u${Math.floor(random() * 20)}`;
    const time = Date.UTC(2026, 0, 1) + i * 1000;
    const isBad = i % badEvery === badEvery - 1;
    lines.push(`${unitId},${new Date(time).toISOString()},${isBad ? 'north' : lat},${lon}`);
    if (!isBad) expected.push({ unitId, time, lon, lat, zones: index.at([lon, lat]) });
  }
  return { text: `${lines.join('\n')}\n`, expected };
}

async function wayzone(
  argv: readonly string[],
  stdout?: OutputStream,
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await run(argv, {
    stdout: stdout ?? { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

test('a file of many batches gives all rows in order, in every format, from .csv and .csv.gz', async () => {
  const { text, expected } = table(ROWS);
  const plain = file('t.csv', text);
  const packed = file('p.csv.gz', gzipSync(text));
  const json = await wayzone(['locate', zones, '--positions', plain, '--format', 'json']);
  expect([json.code, json.err]).toEqual([0, '']);
  expect(JSON.parse(json.out)).toEqual(expected);
  const lines = await wayzone(['locate', zones, '--positions', packed, '--format', 'ndjson']);
  expect(lines.out).toBe(expected.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const csv = await wayzone(['locate', zones, '--positions', packed]);
  const rows = csv.out.trimEnd().split('\r\n');
  expect(rows[0]).toBe('unit_id,time_utc,lon,lat,zone_id,zone_name');
  expect(rows.slice(1)).toEqual(
    expected.flatMap(({ unitId, time, lon, lat, zones: ids }) =>
      (ids.length === 0 ? [''] : ids).map(
        (id) => `${unitId},${new Date(time!).toISOString()},${lon},${lat},${id},`,
      ),
    ),
  );
});

test('bad rows are reported with their lines, and all others are answered', async () => {
  const { text, expected } = table(ROWS, 5000);
  const path = file('bad.csv', text);
  const { code, out, err } = await wayzone(['locate', zones, '--positions', path, '--format', 'ndjson']);
  expect(code).toBe(1);
  expect(out.trimEnd().split('\n')).toHaveLength(expected.length);
  expect(err).toContain(`error coord-type: ${ROWS / 5000}`);
  expect(err).toContain('bad.csv:5001 lat: expected a number of degrees, received "north"');
  expect(err).toContain('bad.csv:10001 lat:');
});

test('nothing is written while standard output is full', async () => {
  const { text, expected } = table(ROWS);
  let pending: (() => void) | null = null;
  let waits = 0;
  let out = '';
  const stdout: OutputStream = {
    write(piece) {
      expect(pending).toBeNull();
      out += piece;
      return false;
    },
    once(_, listener) {
      waits++;
      pending = listener;
      setTimeout(() => {
        pending = null;
        listener();
      }, 1);
    },
  };
  await wayzone(['locate', zones, '--positions', file('t.csv', text), '--format', 'ndjson'], stdout);
  expect(out.trimEnd().split('\n')).toHaveLength(expected.length);
  expect(waits).toBeGreaterThan(5);
});

test('positions come from GPX, GeoJSON and KML, and a warning counts lines and polygons', async () => {
  const gpx = `<gpx version="1.1"><wpt lat="56" lon="43.5"><name>w</name></wpt><trk><name>van</name><trkseg>
    <trkpt lat="56" lon="43.5"><time>2026-01-01T00:00:00Z</time></trkpt>
    <trkpt lat="91" lon="43.5"><time>2026-01-01T00:00:01Z</time></trkpt>
    <trkpt lat="57" lon="50"><time>2026-01-01T00:00:02Z</time></trkpt></trkseg></trk></gpx>`;
  const line = {
    type: 'LineString',
    coordinates: wkt('1 2, 3 4'),
  };
  const point = { type: 'Point', coordinates: [43.5, 56] };
  const features = [line, point].map((geometry, i) => ({
    type: 'Feature',
    id: `f${i}`,
    properties: {},
    geometry,
  }));
  const kml = '<kml><Placemark id="k"><Point><coordinates>43.5,56</coordinates></Point></Placemark></kml>';
  const argv = [
    file('a.gpx', gpx),
    file('b.geojson.gz', gzipSync(JSON.stringify({ type: 'FeatureCollection', features }))),
    file('c.kml', kml),
  ];
  const { code, out, err } = await wayzone(['locate', zones, '--positions', ...argv, '--format', 'ndjson']);
  expect(code).toBe(1);
  const rows = out
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as Row);
  expect(rows.map((row) => [row.unitId, row.time, row.zones])).toEqual([
    ['a-1', null, ['z0', 'z1']],
    ['van', Date.UTC(2026, 0, 1), ['z0', 'z1']],
    ['van', Date.UTC(2026, 0, 1) + 2000, []],
    ['f1', null, ['z0', 'z1']],
    ['k', null, ['z0', 'z1']],
  ]);
  expect(err).toContain('a.gpx:3 trk[0].trkseg[0].trkpt[1].lat');
  expect(err).toContain('warning not-a-position: 1');
});

test('a truncated file gives its complete rows and an error', async () => {
  const { text, expected } = table(ROWS);
  const packed = gzipSync(text);
  const cut = file('cut.csv.gz', packed.subarray(0, Math.floor(packed.length * 0.7)));
  const { code, out, err } = await wayzone(['locate', zones, '--positions', cut, '--format', 'ndjson']);
  expect(code).toBe(1);
  const rows = out
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as Row);
  expect(rows.length).toBeGreaterThan(ROWS / 2);
  expect(rows).toEqual(expected.slice(0, rows.length));
  expect(err).toContain('error gzip-invalid: 1');
  expect(err).toContain('the positions before it are answered');
  const none = await wayzone([
    'locate',
    zones,
    '--positions',
    file('no.csv.gz', 'no gzip'),
    folder,
    join(folder, 'none.csv'),
  ]);
  expect(none.err).toContain('error gzip-invalid: 1');
  expect(none.err).toContain('error format-unknown: 1');
  expect(none.err).toContain('error file-unreadable: 1');
});

test('the reader may close the pipe early', () => {
  const { text } = table(ROWS);
  const argv = `"${process.execPath}" "${PROGRAM}" locate "${zones}" --positions "${file('t.csv', text)}"`;
  const out = execFileSync('bash', ['-c', `set -o pipefail; ${argv} | head -n 2`], { encoding: 'utf8' });
  expect(out.split('\n')[0]).toBe('unit_id,time_utc,lon,lat,zone_id,zone_name\r');
});

test(
  'memory does not grow with the file',
  async () => {
    const { text } = table(volume(1_000_000));
    const argv = ['--max-old-space-size=64', PROGRAM, 'locate', zones, '--positions', file('big.csv', text)];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 1e9 });
    expect(stdout.split('\n').length).toBeGreaterThan(volume(1_000_000));
  },
  LONG ? 300_000 : 60_000,
);
