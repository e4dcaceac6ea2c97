/** Reads the same rows in each common dialect of CSV with each command. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { readParquet } from '../../src/interchange/index.js';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('dialects');

const HEADER = ['unit', 'time', 'lat', 'lon', 'speed_kph'];
const ROWS = [
  ['van 1', '2026-03-01T00:00:00Z', '55.1', '37.1', '0'],
  ['van 1', '2026-03-01T00:01:00Z', '55.2', '37.2', '66.5'],
  ['van 1', '2026-03-01T00:30:00Z', '55.2', '37.2', ''],
  ['Ж & co', '2026-03-01T00:02:00.500Z', '-1.5', '-0.25', '7'],
];

function table(delimiter: string, lineEnd = '\n', isQuoted = false): string {
  const lines = [HEADER, ...ROWS].map((row) =>
    row.map((cell) => (isQuoted ? `"${cell}"` : cell)).join(delimiter),
  );
  return lines.join(lineEnd) + lineEnd;
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

const DIALECTS: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['semicolons.csv', table(';')],
  ['tabs.csv', table('\t')],
  ['pipes.csv', table('|')],
  ['crlf.csv', table(',', '\r\n')],
  ['cr.csv', table(',', '\r')],
  ['quoted.csv', table(',', '\n', true)],
  ['bom.csv', `\ufeff${table(',')}`],
  ['bom, quoted; as Excel.csv', `\ufeff${table(';', '\r\n', true)}`],
  ['utf16le.csv', utf16(`\ufeff${table('\t')}`)],
  ['utf16be.csv', utf16(`\ufeff${table(',')}`).swap16()],
  ['utf16le without a mark.csv', utf16(table(','))],
  ['utf16be without a mark.csv', utf16(table(';')).swap16()],
  ['packed.csv.gz', gzipSync(table(','))],
  ['packed twice.csv.gz', Buffer.concat([gzipSync(table(',').slice(0, 60)), gzipSync(table(',').slice(60))])],
  ['no end.csv', table(',').trimEnd()],
  ['UPPER CASE.CSV', table(',')],
  ['tabs.tsv', table('\t')],
  ['packed tabs.TSV.gz', gzipSync(table('\t'))],
  ['sep.csv', `sep=;\r\n${table(';', '\r\n')}`],
  ['sep, as Excel.csv', utf16(`\ufeffsep=\t\r\n${table('\t', '\r\n')}`)],
  ['blank lines.csv', `\n\n${table(',').replaceAll('\n', '\n\n')}`],
  ['spaces.csv', table(', ')],
];

const ZONES = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'a b',
      properties: { name: 'A', type: 'circle', width: 30_000 },
      geometry: { type: 'Point', coordinates: [37.1, 55.1] },
    },
    {
      type: 'Feature',
      id: '=Ж, "x"\n',
      properties: {},
      geometry: {
        type: 'Polygon',
        coordinates: [wkt('-1 -2, 1 -2, 1 2, -1 2, -1 -2')],
      },
    },
  ],
});

/** The output of each command for a table. */
async function answers(file: string): Promise<unknown[]> {
  const zones = put('zones of all.geojson', ZONES);
  const outputs = [at('out a.gpx'), at('out a.csv')];
  const outcomes = [
    await wayzone('locate', zones, '--positions', file, '--format', 'ndjson'),
    await wayzone('visits', '--zones', zones, '--tracks', file),
    await wayzone('movement', file, '--format', 'json'),
  ];
  for (const output of outputs) {
    const { code, err } = await wayzone('convert', file, output);
    outcomes.push({
      code,
      err,
      out: readFileSync(output, 'utf8').replace(/<name>[^<]*\.[ct]sv[^<]*<\/name>/i, ''),
    });
  }
  return outcomes;
}

test('a table gives the same answers in every dialect', async () => {
  const wanted = await answers(put('commas.csv', table(',')));
  expect(
    wanted.map((outcome) => [(outcome as { code: number }).code, (outcome as { err: string }).err]),
  ).toEqual(wanted.map(() => [0, '']));
  for (const [name, content] of DIALECTS) expect(await answers(put(name, content)), name).toEqual(wanted);
});

test('zones give the same answers in every encoding', async () => {
  const track = put('track.csv', table(','));
  const locate = (file: string): ReturnType<typeof wayzone> => wayzone('locate', file, '--positions', track);
  const wanted = await locate(put('plain.geojson', ZONES));
  expect(wanted.out.split('\r\n')).toHaveLength(6);
  const encodings = [
    ['bom.geojson', `\ufeff${ZONES}`],
    ['utf16.json', utf16(`\ufeff${ZONES}`)],
    ['utf16 without a mark.geojson', utf16(ZONES)],
    ['packed.geojson.gz', gzipSync(ZONES)],
  ] as const;
  for (const [name, content] of encodings) expect(await locate(put(name, content)), name).toEqual(wanted);
});

test.each([
  ['empty.csv', ''],
  ['line ends.csv', '\n\r\n'],
  ['spaces.csv', '  \n \n'],
  ['header.csv', 'unit,time,lat,lon\n'],
  ['zeros.csv', new Uint8Array(3)],
])('a file without rows (%s) is reported, and no output is written for it', async (name, content) => {
  const file = put(name, content);
  const zones = put('zones.geojson', ZONES);
  const located = await wayzone('locate', zones, '--positions', file);
  expect(located.out).toBe('unit_id,time_utc,lon,lat,zone_id,zone_name\r\n');
  expect(located.err).toMatch(/csv-columns|no-positions/);
  expect((await wayzone('visits', '--zones', zones, '--tracks', file)).err).toMatch(/csv-columns|no-tracks/);
});

test('all output formats contain the same rows', async () => {
  const zones = put('zones.geojson', ZONES);
  const argv = ['locate', zones, '--positions', put('track.csv', table(','))];
  interface Row {
    readonly unitId: string;
    readonly time: number;
    readonly lon: number;
    readonly lat: number;
    readonly zones: readonly string[];
  }
  const json = JSON.parse((await wayzone(...argv, '--format', 'json')).out) as Row[];
  const lines = (await wayzone(...argv, '--format', 'ndjson')).out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as Row)).toEqual(json);
  expect(json.map((row) => row.zones)).toEqual([['a b'], ['a b'], ['a b'], ['=Ж, "x"\n']]);
  const flat = json.map(({ unitId, time, lon, lat, zones: [zone] }) => [unitId, time, lon, lat, zone]);
  const csv = parse((await wayzone(...argv)).out) as string[][];
  expect(
    csv.slice(1).map(([unit, time, lon, lat, zone]) => [
      unit,
      Date.parse(time!),
      Number(lon),
      Number(lat),
      // Cells that a spreadsheet would run as a formula begin with an apostrophe.
      zone!.replace(/^'/, ''),
    ]),
  ).toEqual(flat);
  await wayzone(...argv, '--out', at('rows out.parquet'));
  const { value } = await readParquet(readFileSync(at('rows out.parquet')), {
    columns: { time: 'time_utc' },
  });
  const fixes = value.tracks.flatMap(({ unitId, fixes: own }) =>
    own.map(({ time, lon, lat }) => [unitId, time, lon, lat]),
  );
  expect(fixes).toEqual(flat.map((row) => row.slice(0, 4)));
});
