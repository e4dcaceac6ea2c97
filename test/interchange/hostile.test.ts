import { describe, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { ForeignData } from '../../src/core/fix.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  toFeatureCollection,
  toKml,
} from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';

type Reader = (input: string | Uint8Array) => ForeignData;

const READERS: Readonly<Record<string, Reader>> = {
  kml: fromKml,
  gpx: fromGpx,
  geojson: fromGeoJson,
  csv: fromCsv,
};

function codesOf(kind: string, text: string | Uint8Array): string[] {
  return READERS[kind]!(text).issues.map(({ code }) => code);
}

const kml = (inner: string): string =>
  `<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">${inner}</kml>`;
const gpx = (inner: string): string => `<gpx version="1.1"><trk><trkseg>${inner}</trkseg></trk></gpx>`;
const point = (coordinates: string): string =>
  `<Placemark><Point><coordinates>${coordinates}</coordinates></Point></Placemark>`;
const feature = (geometry: string): string => `{"type":"Feature","properties":{},"geometry":${geometry}}`;

/** Row of hostile-inputs.md, what it is, format, input, the code that says so. */
const TRAPS: readonly (readonly [row: number, what: string, kind: string, input: string, code: string])[] = [
  [
    37,
    'a thousand million laughs',
    'kml',
    `<!DOCTYPE kml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${kml('&b;')}`,
    'xml-dtd-forbidden',
  ],
  [
    37,
    'an external file',
    'gpx',
    '<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx>&x;</gpx>',
    'xml-dtd-forbidden',
  ],
  [
    37,
    'an external parameter entity',
    'kml',
    '<!DOCTYPE kml [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><kml/>',
    'xml-dtd-forbidden',
  ],
  [
    37,
    'quadratic blow-up',
    'kml',
    `<!DOCTYPE kml [<!ENTITY a "${'a'.repeat(50_000)}">]>${kml('&a;'.repeat(50_000))}`,
    'xml-dtd-forbidden',
  ],
  [38, 'a character reference to NUL', 'kml', kml('<name>&#0;</name>'), 'xml-bad-char-ref'],
  [38, 'a character reference to a surrogate', 'kml', kml('<name>&#xD800;</name>'), 'xml-bad-char-ref'],
  [
    38,
    'a character reference beyond Unicode',
    'gpx',
    '<gpx><name>&#x110000;</name></gpx>',
    'xml-bad-char-ref',
  ],
  [39, '65 Folders in each other', 'kml', kml('<Folder>'.repeat(65)), 'limit-depth'],
  [39, '100,000 tags in each other', 'gpx', '<gpx>'.repeat(100_000), 'limit-depth'],
  [
    39,
    '2,000 collections in each other',
    'geojson',
    `${'{"type":"GeometryCollection","geometries":['.repeat(2000)}`,
    'limit-depth',
  ],
  [39, '100,000 arrays in each other', 'geojson', '['.repeat(100_000), 'limit-depth'],
  [
    39,
    '100 collections in each other, soundly closed',
    'geojson',
    `${'{"type":"GeometryCollection","geometries":['.repeat(100)}${']}'.repeat(100)}`,
    'limit-depth',
  ],
  [40, 'a comma for a decimal point', 'kml', kml(point('37,6,55,7')), 'kml-coordinates'],
  [41, 'NUL in the text', 'kml', kml('<name>\u0000</name>'), 'xml-malformed'],
  [42, 'an attribute twice', 'gpx', '<gpx><wpt lat="1" lat="2" lon="3"/></gpx>', 'xml-malformed'],
  [
    42,
    'unequal counts in a track',
    'kml',
    kml('<Placemark><Track><when>2020-01-01T00:00:00Z</when></Track></Placemark>'),
    'kml-track-mismatch',
  ],
  [
    43,
    'a link to a file',
    'kml',
    kml('<NetworkLink><Link><href>file:///etc/passwd</href></Link></NetworkLink>'),
    'kml-unsupported',
  ],
  [
    47,
    'a number too great',
    'geojson',
    feature('{"type":"Point","coordinates":[1e999,0]}'),
    'coord-not-finite',
  ],
  [47, 'NaN in JSON', 'geojson', feature('{"type":"Point","coordinates":[NaN,0]}'), 'json-syntax'],
  [
    48,
    'too little nesting',
    'geojson',
    feature('{"type":"Polygon","coordinates":[[0,0],[1,0],[1,1]]}'),
    'geojson-nesting',
  ],
  [
    48,
    'another system',
    'geojson',
    '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:2154"}},"features":[]}',
    'crs-unsupported',
  ],
  [
    49,
    'the thirtieth of February',
    'gpx',
    gpx('<trkpt lat="1" lon="2"><time>2020-02-30T00:00:00Z</time></trkpt>'),
    'time-invalid',
  ],
  [
    49,
    'year 0000',
    'gpx',
    gpx('<trkpt lat="1" lon="2"><time>0000-03-13T00:00:00Z</time></trkpt>'),
    'time-invalid',
  ],
  [49, 'no time', 'gpx', gpx('<trkpt lat="1" lon="2"/>'), 'time-missing'],
  [
    49,
    'a leap second',
    'gpx',
    gpx('<trkpt lat="1" lon="2"><time>2016-12-31T23:59:60Z</time></trkpt>'),
    'leap-second',
  ],
  [50, 'a latitude of 91', 'gpx', gpx('<trkpt lat="91" lon="2"/>'), 'lat-range'],
  [50, 'an empty longitude', 'gpx', gpx('<trkpt lat="1" lon=""/>'), 'coord-type'],
  [
    50,
    'a height that is no number',
    'gpx',
    gpx('<trkpt lat="1" lon="2"><ele>NaN</ele><time>2020-01-01T00:00:00Z</time></trkpt>'),
    'number-invalid',
  ],
  [53, 'a quote that never ends', 'csv', `time,lat,lon\n"${'a'.repeat(100_000)}`, 'csv-syntax'],
];

describe('traps and bombs', () => {
  test.each(TRAPS)('Formats %i: %s (%s)', (_, __, kind, input, code) => {
    const { value, issues } = READERS[kind]!(input);
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(value.zones).toEqual([]);
  });

  test('Formats 38: a million character references take linear time', () => {
    const { value } = fromKml(
      kml(`<Placemark><name>${'&#65;'.repeat(1_000_000)}</name>${point('1,2').slice(11)}`),
    );
    expect(value.zones[0]?.name).toBe('A'.repeat(1_000_000));
  });

  test('Formats 43: a link of an icon or a description stays text', () => {
    const text = kml(`<Placemark><description>javascript:alert(1)</description>${point('1,2').slice(11)}`);
    expect(fromKml(text).value.zones[0]).toMatchObject({
      properties: { description: 'javascript:alert(1)' },
    });
  });

  test('Formats 47: dangerous names are names like others', () => {
    const text = `{"type":"Feature","properties":{"__proto__":{"x":1},"constructor":{"prototype":2}},"geometry":{"type":"Point","coordinates":[1,2]}}`;
    const zone = fromGeoJson(text).value.zones[0] as unknown as { properties: object };
    expect(Object.hasOwn(zone.properties, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('one id for many zones takes linear time', () => {
    const features = Array.from(
      { length: 20_000 },
      () => '{"type":"Feature","id":"a","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}',
    );
    const { value } = fromGeoJson(`{"type":"FeatureCollection","features":[${features.join(',')}]}`);
    expect(value.zones.at(-1)?.id).toBe('a~20000');
  });
});

const ZONES = [
  {
    id: 'a',
    name: 'A',
    type: { key: 'polygon' as const },
    geometry: [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ] as const,
    color: { key: '#F56C6C' },
  },
  { id: 'b', name: 'B', type: { key: 'circle' as const }, geometry: [[5, 5]] as const, width: 3 },
  {
    id: 'c',
    name: 'C',
    type: { key: 'line' as const },
    geometry: [
      [5, 5],
      [5.001, 5],
    ] as const,
    width: 3,
  },
];
const SEEDS: Readonly<Record<string, readonly string[]>> = {
  kml: [
    toKml(ZONES, { groups: [{ id: 'g', name: 'G', geozones: [{ id: 'a' }] }] }),
    kml(
      '<Folder><Placemark><MultiGeometry><Point><coordinates>1,2</coordinates></Point></MultiGeometry><ExtendedData><SchemaData><SimpleData name="a">1</SimpleData></SchemaData></ExtendedData></Placemark><Placemark><Track><when>2020-01-01T00:00:00Z</when><coord>1 2 3</coord></Track></Placemark></Folder>',
    ),
  ],
  gpx: [
    '<gpx version="1.1"><wpt lat="1" lon="2"><name>W</name></wpt><rte><rtept lat="1" lon="2"/></rte><trk><name>T</name><trkseg><trkpt lat="1" lon="2"><ele>5</ele><time>2020-01-01T00:00:00Z</time><speed>3</speed></trkpt></trkseg></trk></gpx>',
  ],
  geojson: [
    JSON.stringify(toFeatureCollection(ZONES, { all: true })),
    '{"type":"GeometryCollection","geometries":[{"type":"MultiPoint","coordinates":[[1,2]]}]}',
  ],
  csv: [
    'unit,time,lat,lon,speed_kph\na,2020-01-01T00:00:00Z,1,2,3\n"b",2020-01-01T00:00:00Z,1,2,',
    'id,wkt\na,"POLYGON((0 0,1 0,1 1,0 0))"\nb,POINT(1 2)',
  ],
};
const PIECES = [
  '<',
  '>',
  '/',
  '"',
  '&',
  '&#0;',
  ']]>',
  '<!--',
  '<![CDATA[',
  '<Folder>',
  '</Placemark>',
  '<!DOCTYPE x>',
  '{',
  '[',
  ']',
  '}',
  ',',
  ':',
  '\n',
  '\u0000',
  '\uFFFF',
  '1e999',
  '-',
  '0x1',
  'NaN',
  '٣',
  '__proto__',
  'null',
  '(',
  ')',
  'é',
  '91',
  '541',
];

/** One change of some bytes, a tag, a number or the length. */
function mutated(text: string, random: () => number): Uint8Array {
  const below = (count: number): number => Math.floor(random() * count);
  let result = text;
  for (let k = 0; k <= below(3); k++) {
    const at = below(result.length);
    const length = below(12);
    switch (below(6)) {
      case 0:
        result = result.slice(0, at) + PIECES[below(PIECES.length)]! + result.slice(at);
        break;
      case 1:
        result = result.slice(0, at) + result.slice(at + length);
        break;
      case 2:
        result = result.slice(0, at) + result.slice(at, at + length).repeat(below(20)) + result.slice(at);
        break;
      case 3:
        result = result.replace(/\d+/g, (number) =>
          below(10) === 0 ? PIECES[below(PIECES.length)]! : number,
        );
        break;
      case 4:
        result = result.slice(0, at);
        break;
      default: {
        const to = below(result.length);
        result = result.slice(0, at) + result.slice(to, to + 60) + result.slice(at);
      }
    }
  }
  const bytes = new TextEncoder().encode(result);
  if (bytes.length > 0 && below(4) === 0) bytes[below(bytes.length)] = below(256);
  return bytes;
}

describe('mutated files', () => {
  test.each(Object.keys(SEEDS))(
    '%s ends in a value with issues, or a coded error',
    (kind) => {
      const random = seeded(37);
      const seeds = SEEDS[kind]!;
      let zones = 0;
      let issues = 0;
      for (let run = 0; run < volume(20_000); run++) {
        const bytes = mutated(seeds[run % seeds.length]!, random);
        let data: ForeignData;
        try {
          data = READERS[kind]!(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WayzoneError);
          continue;
        }
        zones += data.value.zones.length + data.value.tracks.length;
        issues += data.issues.length;
        for (const issue of data.issues) {
          expect(issue.code).toMatch(/^[a-z0-9-]+$/);
          expect(issue.message).not.toBe('');
        }
        for (const zone of data.value.zones) {
          for (const [lon, lat] of zone.geometry)
            expect(Math.abs(lon) <= 540 && Math.abs(lat) <= 90).toBe(true);
        }
      }
      expect(zones).toBeGreaterThan(100);
      expect(issues).toBeGreaterThan(100);
    },
    600_000,
  );

  test('the codes of a sound file are none', () => {
    for (const [kind, seeds] of Object.entries(SEEDS)) expect(codesOf(kind, seeds[0]!)).toEqual([]);
  });
});
