import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readParquet, toParquet } from '../../src/interchange/index.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('parquet');

const random = seeded(1);
const ROWS = Array.from({ length: 140_000 }, (_, i) => [
  `van ${i % 3}`,
  Date.UTC(2026, 2, 2) + Math.floor(i / 3) * 30_000,
  Number((56.01 + 0.01 * Math.cos(i / 9000)).toFixed(6)),
  Number((43.505 + 0.01 * Math.sin(i / 9000)).toFixed(6)),
  random() < 0.1 ? null : 30,
]);
const FIXES = { unit: 'text', time: 'time', lat: 'number', lon: 'number', speed_kph: 'number' } as const;
const ZONES = JSON.stringify({
  type: 'FeatureCollection',
  features: wkt('43.505 56.02, 43.515 56.01').map((coordinates, i) => ({
    type: 'Feature',
    id: `z${i}`,
    properties: { type: 'circle', width: 300 },
    geometry: { type: 'Point', coordinates },
  })),
});

function csv(): string {
  const lines = ROWS.map(([unit, time, lat, lon, speed]) =>
    [unit, new Date(time as number).toISOString(), lat, lon, speed].join(','),
  );
  return `unit,time,lat,lon,speed_kph\n${lines.join('\n')}\n`;
}

test('locate, visits and movement give the same from Parquet as from CSV', async () => {
  const parquet = put('fixes.parquet', await toParquet(FIXES, ROWS));
  const text = put('fixes.csv', csv());
  const zones = put('zones.geojson', ZONES);
  for (const argv of [
    ['locate', zones, '--format', 'ndjson', '--positions'],
    ['visits', '--zones', zones, '--tracks'],
    ['movement'],
  ]) {
    const wanted = await wayzone(...argv, text);
    const got = await wayzone(...argv, parquet);
    // The vans creep, whatever their speeds say.
    expect([got.code, got.err]).toEqual([0, wanted.err]);
    expect(got.out.length).toBeGreaterThan(100);
    expect(got.out === wanted.out, argv[0]).toBe(true);
  }
});

test('locate, visits and movement write Parquet files', async () => {
  const text = put('few.csv', csv().split('\n').slice(0, 3000).join('\n'));
  const zones = put('zones.geojson', ZONES);
  const located = at('located.parquet');
  expect(await wayzone('locate', zones, '--positions', text, '--out', located)).toMatchObject({
    code: 0,
    out: '',
  });
  const rows = (await wayzone('locate', zones, '--positions', text)).out.trimEnd().split('\r\n');
  const { value } = await readParquet(readFileSync(located), {
    columns: { unit: 'unit_id', time: 'time_utc' },
  });
  const fixes = value.tracks.flatMap(({ unitId, fixes: own }) => own.map((fix) => ({ unitId, ...fix })));
  expect(fixes).toHaveLength(rows.length - 1);
  const first = rows[1]!.split(',');
  expect(fixes[0]).toEqual({
    unitId: first[0],
    time: Date.parse(first[1]!),
    lon: Number(first[2]),
    lat: Number(first[3]),
  });
  for (const argv of [
    ['visits', '--zones', zones, '--tracks', text],
    ['movement', text],
  ]) {
    const out = at(`${argv[0]}.parquet`);
    expect(await wayzone(...argv, '--out', out)).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(out).subarray(0, 4).toString()).toBe('PAR1');
  }
  expect((await wayzone('movement', text, '--out', at('rows.txt'))).code).toBe(2);
  const nowhere = await wayzone('movement', text, '--out', at('no/such/folder.parquet'));
  expect(nowhere.code).toBe(1);
});

test('a damaged Parquet file is an issue of that file', async () => {
  const whole = await toParquet(FIXES, ROWS.slice(0, 100));
  const cut = put('cut.parquet', whole.subarray(0, whole.length - 30));
  const { code, err } = await wayzone('movement', cut);
  expect(code).toBe(1);
  expect(err).toContain('error parquet-invalid: 1');
  expect((await wayzone('movement', at('none.parquet'))).err).toContain('error file-unreadable: 1');
});

test('times without a zone ask for one, and are read with --time-zone', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const path = at('walls.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `COPY (SELECT 'a' AS unit, '2026-03-02 08:00:00'::TIMESTAMP AS time, 56.01 AS lat, 43.51 AS lon) TO '${path}'`,
  );
  const zones = put('walls.geojson', ZONES);
  const argv = ['locate', zones, '--positions', path, '--format', 'ndjson'];
  const asked = await wayzone(...argv);
  expect(asked.code).not.toBe(0);
  expect(asked.err).toContain('--time-zone');
  const { code, out } = await wayzone(...argv, '--time-zone', 'Asia/Tokyo');
  expect(code).toBe(0);
  expect(out).toContain(String(Date.UTC(2026, 2, 1, 23)));
});
