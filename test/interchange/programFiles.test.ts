/** Zones and positions as programs export them. */

import { expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { fromWireRows } from '../../src/interchange/wire/fromWireRows.js';

const zonesOf = ({ value }: ForeignData): unknown[] =>
  value.zones.map(({ id, name, type, geometry, width }) => [
    id,
    name,
    type.key,
    geometry,
    ...(width === undefined ? [] : [width]),
  ]);
const errors = ({ issues }: ForeignData): string[] =>
  issues.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);

const WIALON = [
  { n: 'Depot', d: '', id: 1, rid: 7, t: 3, w: 200, c: 4_294_967_040, p: [{ x: 44, y: 56, r: 200 }] },
  {
    n: 'Yard',
    d: 'y',
    id: 2,
    rid: 7,
    t: 2,
    w: 0,
    c: 1,
    p: [
      { x: 44, y: 56, r: 0 },
      { x: 45, y: 56, r: 0 },
      { x: 45, y: 57, r: 0 },
    ],
  },
  {
    n: 'Road',
    d: '',
    id: 3,
    rid: 7,
    t: 1,
    w: 30,
    c: 1,
    p: [
      { x: 44, y: 56, r: 30 },
      { x: 45, y: 57, r: 30 },
    ],
  },
];

test.each([
  ['a list', WIALON],
  ['an object by ids', Object.fromEntries(WIALON.map((zone) => [zone.id, zone]))],
  ['a member', { zones: WIALON }],
])('geofences of Wialon: %s', (_, root) => {
  const data = fromCsv(JSON.stringify(root));
  expect(errors(data)).toEqual([]);
  expect(zonesOf(data)).toEqual([
    ['1', 'Depot', 'circle', [[44, 56]], 200],
    [
      '2',
      'Yard',
      'polygon',
      [
        [44, 56],
        [45, 56],
        [45, 57],
        [44, 56],
      ],
    ],
    [
      '3',
      'Road',
      'line',
      [
        [44, 56],
        [45, 57],
      ],
      30,
    ],
  ]);
});

test('addresses of Samsara', () => {
  const vertices = [
    [56, 44],
    [56, 45],
    [57, 45],
  ].map(([latitude, longitude]) => ({ latitude, longitude }));
  const root = {
    data: [
      {
        id: '494',
        name: 'HQ',
        formattedAddress: '1 Main',
        geofence: { circle: { latitude: 56, longitude: 44, radiusMeters: 250 } },
      },
      { id: '495', name: 'Lot', formattedAddress: '2 Main', geofence: { polygon: { vertices } } },
    ],
    pagination: { hasNextPage: false },
  };
  const data = fromCsv(JSON.stringify(root));
  expect(zonesOf(data)).toEqual([
    ['494', 'HQ', 'circle', [[44, 56]], 250],
    [
      '495',
      'Lot',
      'polygon',
      [
        [44, 56],
        [45, 56],
        [45, 57],
        [44, 56],
      ],
    ],
  ]);
});

test('stops and shapes of GTFS', () => {
  const stops = fromCsv(
    'stop_id,stop_code,stop_name,stop_lat,stop_lon,zone_id\nS1,1,Main St,56.1,44.1,Z\nS2,2,Oak St,56.2,44.2,Z\n',
  );
  expect(zonesOf(stops)).toEqual([
    ['S1', 'Main St', 'point', [[44.1, 56.1]]],
    ['S2', 'Oak St', 'point', [[44.2, 56.2]]],
  ]);
  const rows = [
    ['A', 56.1, 44.1, 1],
    ['A', 56.3, 44.3, 3],
    ['A', 56.2, 44.2, 2],
    ['B', 56, 44, 1],
    ['B', 56.5, 44, 2],
    ['B', 56, 44, 3],
  ];
  const shapes = fromCsv(
    `shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n${rows.map((row) => row.join()).join('\n')}\n`,
  );
  expect(zonesOf(shapes)).toEqual([
    [
      'A',
      '',
      'line',
      [
        [44.1, 56.1],
        [44.2, 56.2],
        [44.3, 56.3],
      ],
    ],
    [
      'B',
      '',
      'line',
      [
        [44, 56],
        [44, 56.5],
        [44, 56],
      ],
    ],
  ]);
});

/** WKB of a point; with `srid` EWKB. */
function hexPoint(lon: number, lat: number, isLittle: boolean, srid: number | null): string {
  const view = new DataView(new ArrayBuffer(srid === null ? 21 : 25));
  view.setUint8(0, Number(isLittle));
  view.setUint32(1, srid === null ? 1 : 0x2000_0001, isLittle);
  if (srid !== null) view.setUint32(5, srid, isLittle);
  view.setFloat64(view.byteLength - 16, lon, isLittle);
  view.setFloat64(view.byteLength - 8, lat, isLittle);
  return Array.from(new Uint8Array(view.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

test.each([
  ['as psql shows it', hexPoint(44, 56, true, 4326).toUpperCase()],
  ['as a bytea', `\\x${hexPoint(44, 56, false, null)}`],
])('hexadecimal WKB %s', (_, text) => {
  for (const header of ['geom', 'wkb_geometry', 'way']) {
    const data = fromCsv(`id,name,${header}\n1,A,${text}\n2,B,POINT(1 2)`);
    expect(zonesOf(data)).toEqual([
      ['1', 'A', 'point', [[44, 56]]],
      ['2', 'B', 'point', [[1, 2]]],
    ]);
  }
  const fixes = fromCsv(`unit,time,geom\nu,2026-03-02T08:00:00Z,${text}\n`);
  expect(fixes.value.tracks[0]?.fixes).toEqual([{ time: Date.UTC(2026, 2, 2, 8), lon: 44, lat: 56 }]);
});

test.each([
  ['another system', hexPoint(400_000, 6_000_000, true, 32_637), 'crs-unsupported'],
  ['a cut text', hexPoint(44, 56, true, 4326).slice(0, -2), 'wkb-invalid'],
])('hexadecimal WKB of %s is an error of its row', (_, text, code) => {
  const data = fromCsv(`id,geom\n1,${text}\n2,POINT(1 2)`);
  expect(data.value.zones.map(({ id }) => id)).toEqual(['2']);
  expect(errors(data)[0]).toContain(code);
});

test('the log of requests of OsmAnd', () => {
  const request = (id: string, s: number, lon: number): string =>
    `10.0.0.1 - - [02/Mar/2026:09:00:0${s}] "GET /?id=${id}&timestamp=${1_772_438_400 + s}&lat=56.1&lon=${lon}&speed=10&bearing=90&altitude=120&hdop=3 HTTP/1.1" 200 -`;
  const text = [
    request('car', 1, 44.1),
    'GET /favicon.ico',
    request('car', 2, 44.2),
    request('bike', 3, 44.3),
  ].join('\n');
  const data = fromCsv(text);
  expect(errors(data)).toEqual([]);
  expect(data.value.tracks.map(({ unitId, fixes }) => [unitId, fixes.map(({ lon }) => lon)])).toEqual([
    ['car', [44.1, 44.2]],
    ['bike', [44.3]],
  ]);
  expect(data.value.tracks[0]?.fixes[0]).toMatchObject({
    time: 1_772_438_401_000,
    speedKph: 18.52,
    altitudeMeters: 120,
  });
  expect(describeTable(text)).toMatchObject({ form: 'osmand', kind: 'fixes' });
  expect(data.issues.map(({ message }) => message).join()).toContain('no request');
});

test('zones of Geotab', () => {
  const points = [
    { x: -79.68, y: 43.45 },
    { x: -79.67, y: 43.45 },
    { x: -79.67, y: 43.46 },
  ];
  const zone = { name: 'Depot', points, activeFrom: '2020-01-01T00:00:00.000Z', displayed: true, id: 'b2A' };
  for (const root of [[zone], { result: [zone], jsonrpc: '2.0' }]) {
    const data = fromCsv(JSON.stringify(root));
    expect(errors(data)).toEqual([]);
    const ring = [...points, points[0]!].map(({ x, y }) => [x, y]);
    expect(zonesOf(data)).toEqual([['b2A', 'Depot', 'polygon', ring]]);
  }
});

test('zones of Navixy', () => {
  const place = (lat: number, lng: number): object => ({ lat, lng });
  const list = [
    { id: 1, label: 'Depot', type: 'circle', center: place(53.1, 10.2), radius: 150 },
    {
      id: 2,
      label: 'Yard',
      type: 'polygon',
      points: [place(53.1, 10.2), place(53.2, 10.2), place(53.2, 10.3)],
    },
    { id: 3, label: 'Road', type: 'sausage', radius: 30, points: [place(53.1, 10.2), place(53.2, 10.2)] },
  ];
  const data = fromCsv(JSON.stringify({ list, success: true }));
  expect(errors(data)).toEqual([]);
  expect(zonesOf(data)).toEqual([
    ['1', 'Depot', 'circle', [[10.2, 53.1]], 150],
    [
      '2',
      'Yard',
      'polygon',
      [
        [10.2, 53.1],
        [10.2, 53.2],
        [10.3, 53.2],
        [10.2, 53.1],
      ],
    ],
    // A radius is half of the width.
    [
      '3',
      'Road',
      'line',
      [
        [10.2, 53.1],
        [10.2, 53.2],
      ],
      60,
    ],
  ]);
});

test('points that are positions make no route', () => {
  const row = { id: 1, label: 'Yard', points: [{ lat: 53, lng: 10 }] };
  const { value, issues } = fromWireRows([row], {});
  expect([value.routes, issues.map(({ code }) => code)]).toEqual([[], ['zone-type']]);
});

const PLT = (datum: string): string =>
  `OziExplorer Track Point File Version 2.1\n${datum}\nAltitude is in Feet\nReserved 3\n0,2,255,T,0,0,2,8421376\n1\n 55.75,37.61,1,492.1,38874.4583333,06-Jun-06,11:00:00 AM\n`;

test.each([
  ['WGS 84', []],
  ['WGS84', []],
  ['Pulkovo 1942 (1)', ['crs-datum']],
  ['NAD27 CONUS', ['crs-datum']],
  ['European 1950', ['crs-datum']],
] as const)('the datum %s of OziExplorer', (datum, wanted) => {
  const data = fromCsv(PLT(datum), { unitId: 'u' });
  expect(data.value.tracks[0]?.fixes).toHaveLength(1);
  expect(data.issues.map(({ code }) => code).filter((code) => code === 'crs-datum')).toEqual(wanted);
});

test('negative numbers of 32 bits that are written without their sign', () => {
  const location = {
    latitudeE7: 2 ** 32 - 338_000_000,
    longitudeE7: 2 ** 32 - 134_000_000,
    timestampMs: '1709294400000',
  };
  const data = fromCsv(JSON.stringify({ locations: [location] }), { unitId: 'u' });
  expect(data.value.tracks[0]?.fixes[0]).toMatchObject({ lat: -33.8, lon: -13.4 });
});

test('the header of another file that was appended', () => {
  const first = 'unit,time,lat,lon\nv,2026-03-02T08:00:00Z,50,10\n';
  const same = fromCsv(first + first.replace('v,', 'w,'));
  expect([same.value.tracks.map(({ unitId }) => unitId), errors(same)]).toEqual([['v', 'w'], []]);
  const other = fromCsv(`${first}unit,time,lon,lat\nw,2026-03-02T08:00:00Z,10,51\n`);
  expect(other.value.tracks.map(({ unitId }) => unitId)).toEqual(['v']);
  expect(errors(other)).toMatchObject([expect.stringContaining('columns-unknown')]);
});

test('Traccar’s geofences have their colour and, as lines, twice their distance to each side', () => {
  const zone = (id: number, area: string, attributes: object): object => ({
    id,
    name: `Z${id}`,
    area,
    attributes,
  });
  const { value, issues } = fromCsv(
    JSON.stringify([
      zone(1, 'CIRCLE (55.7 37.6, 500)', { color: '#ff0000', speedLimit: 27 }),
      zone(2, 'LINESTRING (55.7 37.6, 55.8 37.7)', { polylineDistance: 25 }),
      zone(3, 'LINESTRING (55.7 37.6, 55.8 37.7)', {}),
    ]),
  );
  expect(value.zones.map(({ type, width, color }) => [type.key, width, color?.key])).toEqual([
    ['circle', 500, '#ff0000'],
    ['line', 50, undefined],
    ['line', undefined, undefined],
  ]);
  expect(value.zones[0]).toMatchObject({ properties: { 'attributes.speedLimit': '27' } });
  expect(issues.map(({ message }) => message).join()).toContain(
    'speedLimit of 1 zone, in knots, is no limit',
  );
});

test.each([
  [0xff_12_ab_00, '#12ab00'],
  [0x80_00_00_ff, '#0000ff'],
])('Wialon’s colour %d is %s', (c, color) => {
  const file = JSON.stringify([{ n: 'A', d: '', id: 1, t: 3, w: 300, c, p: [{ x: 37.6, y: 55.7, r: 300 }] }]);
  expect(fromCsv(file).value.zones[0]?.color).toEqual({ key: color });
});
