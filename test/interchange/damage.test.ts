/** Damage stays where it is: one broken place leaves out one value, and the issue names the place. */

import { describe, expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  readCsv,
  readGeoJson,
  readGeoJsonLines,
  readGpx,
  readKml,
} from '../../src/interchange/index.js';

const codes = ({ issues }: ForeignData): string[] =>
  issues.map(({ code, severity }) => `${severity} ${code}`);

function collection(...features: readonly string[]): string {
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}`;
}
const point = (x: number, properties = '{}'): string =>
  `{"type":"Feature","properties":${properties},"geometry":{"type":"Point","coordinates":[${x},2]}}`;

test.each(['NaN', 'Infinity', '-Infinity'])('%s in properties of GeoJSON is null', async (word) => {
  const text = collection(point(1), point(2, `{"a":"NaN","b":${word}}`), point(3));
  const data = fromGeoJson(text);
  expect(data.value.zones).toHaveLength(3);
  expect(data.value.zones[1]).toMatchObject({ properties: { a: 'NaN', b: null } });
  expect(data.issues).toMatchObject([
    { code: 'json-value', severity: 'warning', line: 3, field: 'features[1]' },
  ]);
  const table = fromCsv(`[{"lat":1,"lon":2,"name":"A","n":${word}},{"lat":2,"lon":2,"name":"B"}]`);
  expect(table.value.zones.map(({ name }) => name)).toEqual(['A', 'B']);
});

test('a feature that is not JSON is left out, the others are read', () => {
  const data = fromGeoJson(collection(point(1), point(2, '{"a":}'), point(3)));
  expect(data.value.zones.map(({ geometry }) => geometry[0]![0])).toEqual([1, 3]);
  expect(data.issues).toMatchObject([{ code: 'json-syntax', severity: 'error' }]);
  expect(data.issues[0]?.message).toContain('(line 3)');
});

test('a record of lines that is not JSON stays one record', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`${point(1)}\n{"type":\n${point(3)}\n`);
  }
  const data = await readGeoJsonLines(chunks());
  expect(data.value.zones).toHaveLength(2);
});

test('one bad member of a collection', () => {
  const geometries = [
    { type: 'Point', coordinates: [1, 2] },
    { type: 'Point', coordinates: [1, 95] },
    { type: 'Sphere' },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [2, 2],
      ],
    },
  ];
  const data = fromGeoJson({
    type: 'Feature',
    properties: {},
    geometry: { type: 'GeometryCollection', geometries },
  });
  expect(data.value.zones.map(({ type }) => type.key)).toEqual(['point', 'line']);
  expect(data.issues).toMatchObject([
    { code: 'lat-range', field: 'geometry.geometries[1].coordinates' },
    { code: 'geojson-type', field: 'geometry.geometries[2].type' },
  ]);
});

const KML = (body: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n${body}\n</Document></kml>`;
const PLACE = (name: string, x: number): string =>
  `<Placemark><name>${name}</name><Point><coordinates>${x},2</coordinates></Point></Placemark>`;

test.each([
  ['R & D', 'R & D'],
  ['A && B', 'A && B'],
  ['A&B; C', 'A&B; C'],
  ['end &', 'end &'],
  ['&', '&'],
  ['Shop &amp; yard', 'Shop & yard'],
  ['&#65;&#x42;', 'AB'],
  ['<![CDATA[R & D &amp; x]]>', 'R & D &amp; x'],
])('an ampersand in XML: %s', async (name, wanted) => {
  const text = KML(`${PLACE('first', 1)}\n${PLACE(name, 3)}\n${PLACE('last', 5)}`);
  const data = fromKml(text);
  expect(data.value.zones.map((zone) => zone.name)).toEqual(['first', wanted, 'last']);
  const isBare = /&(?!amp;|#)/.test(name.replace(/<!\[CDATA.*/, ''));
  for (const issue of data.issues) expect([issue.code, issue.line]).toEqual(['xml-bad-char-ref', 4]);
  expect(data.issues.length > 0).toBe(isBare);
  // Wherever a chunk ends.
  for (let at = 0; at < text.length; at++) {
    const bytes = new TextEncoder().encode(text);
    const streamed = await readKml([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(
      streamed.value.zones.map((zone) => zone.name),
      String(at),
    ).toEqual(['first', wanted, 'last']);
  }
});

test('an ampersand in an attribute', () => {
  const data = fromGpx(
    '<gpx version="1.1"><wpt lat="1" lon="2"><name>A</name><link href="x?a=1&b=2"/></wpt></gpx>',
  );
  expect(data.value.zones[0]).toMatchObject({ name: 'A', properties: { link: 'x?a=1&b=2' } });
});

const track = (items: string): string =>
  KML(`<Placemark><name>t</name><gx:Track xmlns:gx="g">${items}</gx:Track></Placemark>`);
const when = (s: number): string => `<when>2022-08-13T14:11:0${s}Z</when>`;
const coord = (x: number): string => `<gx:coord>${x} 53 1</gx:coord>`;

test.each([
  ['a time too many at the end', when(1) + coord(1) + when(2) + coord(2) + when(3), [1, 2]],
  ['a time too many in between', when(1) + coord(1) + when(2) + when(3) + coord(3), [1, 3]],
  ['a position too many', when(1) + coord(1) + coord(9) + when(2) + coord(2), [1, 2]],
])('a gx:Track with %s', (_, items, lons) => {
  const data = fromKml(track(items));
  expect(data.value.tracks[0]?.fixes.map(({ lon }) => lon)).toEqual(lons);
  expect(codes(data)).toEqual(['warning kml-track-mismatch']);
});

test('a list of times before a shorter list of positions has no partners', () => {
  const data = fromKml(track(when(1) + when(2) + when(3) + coord(1) + coord(2)));
  expect(data.value.tracks[0]?.fixes).toEqual([]);
  expect(codes(data)[0]).toBe('error kml-track-mismatch');
});

test.each([
  [
    '19, 37 19, 41 13, 41',
    [
      [19, 37],
      [19, 41],
      [13, 41],
    ],
  ],
  [
    '19, 37, 5 19, 41, 5',
    [
      [19, 37],
      [19, 41],
    ],
  ],
  [
    '19,\n37 20,\t38',
    [
      [19, 37],
      [20, 38],
    ],
  ],
])('spaces after the commas of KML: %j', (text, wanted) => {
  const data = fromKml(
    KML(`<Placemark><LineString><coordinates>${text}</coordinates></LineString></Placemark>`),
  );
  expect(data.value.zones[0]?.geometry).toEqual(wanted);
});

test('a comma after a tuple is none of an altitude', () => {
  const data = fromKml(
    KML('<Placemark><LineString><coordinates>1,2, 3,4, 5,6</coordinates></LineString></Placemark>'),
  );
  expect(data.value.zones[0]?.geometry).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test.each([
  ['lat,lon\n1,2\n3,4', 2],
  ['lat,lon,ele\n1,2,0\n3,4,0', 2],
  ['lat,lon,desc\n1,2,Gate\n3,4,Yard', 2],
  ['x;y\n2;1', 1],
])('a table of positions alone is points: %j', (text, count) => {
  const data = fromCsv(text, { idPrefix: 'p-' });
  expect(data.value.zones).toHaveLength(count);
  expect(data.value.zones[0]).toMatchObject({ id: 'p-1', type: { key: 'point' }, geometry: [[2, 1]] });
});

test('positions of a unit without a time are no places', () => {
  expect(codes(fromCsv('unit,lat,lon,speed_kmh\na,1,2,3')).join()).toContain('error');
});

test('a member crs of null is WGS84', () => {
  const data = fromGeoJson({
    type: 'FeatureCollection',
    crs: null,
    features: [JSON.parse(point(1)) as object],
  });
  expect([data.value.zones.length, codes(data)]).toEqual([1, ['warning crs-unsupported']]);
});

describe('broken letters of UTF-8 are said by their lines', () => {
  const rows = (name: (i: number) => string): string[] => Array.from({ length: 40 }, (_, i) => name(i));
  const broken = (i: number): string => (i === 7 || i === 31 ? 'D\u00ff' : 'Dépôt');
  /** Each with a place for a name in every line; names with `ÿ` become invalid bytes. */
  const FILES: readonly [
    string,
    string,
    (text: Uint8Array) => ForeignData,
    (chunks: Uint8Array[]) => Promise<ForeignData>,
  ][] = [
    [
      'fixes',
      rows((i) => `${broken(i)},2026-03-02T08:00:${10 + i}Z,55,37`).join('\n'),
      (bytes) => fromCsv(bytes),
      readCsv,
    ],
    ['zones', rows((i) => `${i},${broken(i)},POINT(1 2)`).join('\n'), (bytes) => fromCsv(bytes), readCsv],
    [
      'geojson',
      `{"type":"FeatureCollection","features":[\n${rows((i) => `{"type":"Feature","properties":{"name":"${broken(i)}"},"geometry":{"type":"Point","coordinates":[1,2]}}`).join(',\n')}\n]}`,
      (bytes) => fromGeoJson(bytes),
      readGeoJson,
    ],
    [
      'kml',
      `<kml>\n${rows((i) => `<Placemark><name>${broken(i)}</name><Point><coordinates>1,2</coordinates></Point></Placemark>`).join('\n')}\n</kml>`,
      (bytes) => fromKml(bytes),
      readKml,
    ],
    [
      'gpx',
      `<gpx>\n${rows((i) => `<wpt lat="1" lon="2"><name>${broken(i)}</name></wpt>`).join('\n')}\n</gpx>`,
      (bytes) => fromGpx(bytes),
      readGpx,
    ],
  ];
  const HEADERS: Readonly<Record<string, string>> = { fixes: 'unit,time,lat,lon\n', zones: 'id,name,wkt\n' };
  const bytesOf = (name: string, text: string): Uint8Array => {
    const bytes = new TextEncoder().encode((HEADERS[name] ?? '') + text);
    // `ÿ` is two bytes: a first byte without its second one remains.
    return bytes.filter((byte, i) => !(byte === 0xbf && bytes[i - 1] === 0xc3));
  };
  const said = ({ issues }: ForeignData): unknown[] =>
    issues.filter(({ code }) => code === 'encoding').map(({ severity, line }) => [severity, line]);

  test.each(FILES)('%s', async (name, text, read, stream) => {
    const bytes = bytesOf(name, text);
    const wanted = [
      ['warning', 9],
      ['warning', 33],
    ];
    expect(said(read(bytes))).toEqual(wanted);
    for (const size of [1, 7, 300, 1000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(said(await stream(chunks))).toEqual(wanted);
    }
  });

  test('a file of another encoding is one error', async () => {
    const names = ['Łódź', 'Gdańsk', 'Wrocław', 'Kraków'].map((name) => Buffer.from(name, 'latin1'));
    const marks = names.flatMap((name) => [
      ...Buffer.from('<Placemark><name>'),
      ...name,
      0xb3,
      0xea,
      ...Buffer.from('</name></Placemark>'),
    ]);
    const bytes = Uint8Array.from([...Buffer.from('<kml>'), ...marks, ...Buffer.from('</kml>')]);
    for (const data of [fromKml(bytes), await readKml([bytes])])
      expect(said(data)).toEqual([['error', undefined]]);
  });
});

describe('a quote that is not well formed in a table that is read by its description', () => {
  const row = (i: number): string => `"Depot, gate ${i}";${i};${i};100`;
  const rows = Array.from({ length: 12 }, (_, i) => row(i));
  const zonesOf = (lines: readonly string[]): ForeignData =>
    fromCsv(`name;lat;lon;radius_m\n${lines.join('\n')}\n`);

  test.each([
    ['no closing quote', '"Depot, gate 5;5;5;100', '"Depot, gate 5'],
    ['a quote within', '"Depot "gate" 5";5;5;100', 'Depot gate" 5"'],
    ['text after the closing one', '"Depot, gate" 5;5;5;100', 'Depot, gate 5'],
    ['no closing quote in the last cell', '"Depot, gate 5";5;5;"100', null],
  ])('%s: its row is said, the others are read', (_, broken, name) => {
    const { value, issues } = zonesOf([...rows.slice(0, 5), broken, ...rows.slice(6)]);
    const syntax = issues.filter(({ code }) => code === 'csv-syntax');
    expect(syntax).toMatchObject([{ severity: 'warning', line: 7 }]);
    const wanted = zonesOf(rows).value.zones.map((zone) => zone.name);
    const names = value.zones.map((zone) => zone.name);
    expect(names).toEqual([...wanted.slice(0, 5), ...(name === null ? [] : [name]), ...wanted.slice(6)]);
  });

  test('a cell of several lines, and quotes within an unquoted cell are not', () => {
    const { value, issues } = zonesOf(['"Depot\n""North""";1;2;100', '5" pipe;3;4;100']);
    expect(value.zones.map(({ name }) => name)).toEqual(['Depot\n"North"', '5" pipe']);
    expect(issues).toEqual([]);
  });
});
