/** Files given for others, and positions that fit the zones only when latitude and longitude are exchanged: an error or a question, never an empty answer. */

import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('exchanged');

const HEADER = 'unit,time,lat,lon,speed_kph';
/** A row a minute. `places` are latitude and longitude. */
function tableOf(units: Readonly<Record<string, readonly (readonly [number, number])[]>>): string {
  const rows = Object.entries(units).flatMap(([unit, places]) =>
    places.map(([lat, lon], i) => `${unit},2026-03-02T08:0${i}:00Z,${lat},${lon},4`),
  );
  return `${[HEADER, ...rows].join('\n')}\n`;
}

const HERE = [
  [55.7, 37.6],
  [55.7001, 37.6],
] as const;
const THERE = HERE.map(([lat, lon]) => [lon, lat] as const);
const ZONES = put('zones.csv', 'name,lat,lon,radius_m\nDepot,55.7,37.6,200\nYard,55.71,37.61,100.5\n');
const TRACKS = put('tracks.csv', tableOf({ v1: HERE, v2: HERE.slice(1) }));
const TURNED = put('turned.csv', tableOf({ v1: THERE, v2: THERE.slice(1) }));
const PAIRS = put(
  'pairs.csv',
  'unit;time;position\nv1;2026-03-02T08:00:00Z;37.6, 55.7\nv1;2026-03-02T08:01:00Z;37.6, 55.7001\n',
);
const GPX = put(
  'track.gpx',
  '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>v1</name><trkseg><trkpt lat="55.7" lon="37.6"><time>2026-03-02T08:00:00Z</time></trkpt></trkseg></trk></gpx>',
);

/** Visits beside the zones: those in the depot, or the error's first line. */
const visits = (tracks: string, ...more: readonly string[]): ReturnType<typeof wayzone> =>
  wayzone('visits', '--zones', ZONES, '--tracks', tracks, ...more);

test('a file of tracks given as zones is an error that says so, in every command with zones', async () => {
  for (const file of [TRACKS, GPX]) {
    const argvs = [
      ['visits', '--zones', file, '--tracks', TRACKS],
      ['mileage', '--zones', file, '--tracks', TRACKS],
      ['rides', '--zones', file, '--tracks', TRACKS],
      ['locate', file, '--at', '55.7,37.6'],
      ['index', file, '--out', at('zones.wzi')],
      ['tiles', file, at('zones.pmtiles')],
      ['measure', file, '--format', 'csv'],
    ];
    for (const argv of argvs) {
      const { code, out, err } = await wayzone(...argv);
      expect([argv[0], code, out.split('\r\n').length <= 2]).toEqual([argv[0], 1, true]);
      expect(err, argv.join(' ')).toMatch(
        /no-zones[\s\S]*expected zones, received \d tracks? with \d fixes|no-zones[\s\S]*expected zones, received \d tracks with \d/,
      );
    }
  }
  expect(existsSync(at('zones.wzi'))).toBe(false);
  expect(existsSync(at('zones.pmtiles'))).toBe(false);
  const local = put(
    'local.csv',
    'ТС;Время;Широта;Долгота\nА1;15.01.2026 08:00;55,70;37,60\nА1;15.01.2026 08:01;55,70;37,60\n',
  );
  const { code, err } = await wayzone('visits', '--zones', local, '--tracks', TRACKS);
  expect([code, err.includes('expected zones, received a table of fixes')]).toEqual([1, true]);
});

test('a file of zones given as tracks is an error that says so, in every command with tracks', async () => {
  const argvs = [
    ['visits', '--zones', ZONES, '--tracks', ZONES],
    ['mileage', '--zones', ZONES, '--tracks', ZONES],
    ['rides', '--zones', ZONES, '--tracks', ZONES],
    ['movement', ZONES],
    ['meetings', '--tracks', ZONES, '--meters', '100'],
    ['speeding', '--tracks', ZONES, '--limit', '60'],
  ];
  for (const argv of argvs) {
    const { code, out, err } = await wayzone(...argv);
    expect([argv[0], code, out]).toEqual([argv[0], 1, '']);
    expect(err, argv.join(' ')).toContain('expected tracks, received 2 zones');
  }
});

test('tracks that fit the zones only when exchanged are asked about, and never turned', async () => {
  const right = await visits(TRACKS);
  expect([right.code, right.out.split('\r\n').length]).toEqual([0, 4]);
  for (const argv of [
    ['visits', '--zones', ZONES, '--tracks', TURNED],
    ['visits', '--zones', ZONES, '--tracks', PAIRS],
    ['mileage', '--zones', ZONES, '--tracks', TURNED],
    ['rides', '--zones', ZONES, '--tracks', TURNED],
    ['locate', ZONES, '--positions', TURNED],
    ['locate', ZONES, '--positions', PAIRS, '--format', 'json'],
  ]) {
    const { code, out, err } = await wayzone(...argv);
    expect([argv.join(' '), code, out, err.includes('axis-order-suspect')]).toEqual([
      argv.join(' '),
      1,
      '',
      true,
    ]);
  }
  expect((await visits(TURNED, '--swapped-units', 'v1', 'v2')).out).toBe(right.out);
  expect((await visits(PAIRS, '--axis-order', 'lonlat')).out).toContain('v1,zones-1,Depot');
  const far = await visits(TURNED, '--swapped-units', 'none');
  expect([far.code, far.out.split('\r\n').length]).toEqual([0, 2]);
});

test('one exchanged unit of several is left out with an error that names it', async () => {
  // The other unit is too far from the mirror image to show it.
  const file = put(
    'mixed.csv',
    tableOf({
      north: wkt('57.7 37.6, 57.7001 37.6'),
      south: THERE,
    }),
  );
  const { code, out, err } = await visits(file);
  expect([code, out.includes('south')]).toEqual([1, false]);
  expect(err).toContain('"south" far from every zone');
  expect((await visits(file, '--swapped-units', 'south')).out).toContain('south,zones-1,Depot');
});

test('a position of --at that fits only when exchanged is answered with a warning', async () => {
  const { code, out, err } = await wayzone('locate', ZONES, '--at', '37.6,55.7');
  expect([code, out.split('\r\n')[1]]).toEqual([0, ',,55.7,37.6,,']);
  expect(err).toContain('--at is LAT,LON');
  // Far from the zones in both orders, and near them as they are.
  for (const place of ['20,10', '55.7,37.61', '40,150'])
    expect((await wayzone('locate', ZONES, '--at', place)).err).toBe('');
});
