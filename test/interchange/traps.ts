/** Hostile files that readers must reject, with the code of the issue. `row` is the row of hostile-inputs.md, section Formats. */

import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, fromGeoJson, fromGpx, fromKml, fromKmz, toKml } from '../../src/interchange/index.js';
import { CENTRAL, changed, zip } from './zips.js';

export type Kind = 'kml' | 'kmz' | 'gpx' | 'geojson' | 'csv';

export interface Trap {
  readonly row: number;
  readonly what: string;
  readonly kind: Kind;
  readonly input: () => string | Uint8Array;
  readonly code: string;
}

export const READERS: Readonly<Record<Kind, (input: string | Uint8Array) => ForeignData>> = {
  kml: fromKml,
  kmz: (input) => fromKmz(input as Uint8Array),
  gpx: fromGpx,
  geojson: fromGeoJson,
  csv: fromCsv,
};

export const kml = (inner: string): string =>
  `<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">${inner}</kml>`;
export const gpx = (inner: string): string => `<gpx version="1.1"><trk><trkseg>${inner}</trkseg></trk></gpx>`;
export const point = (coordinates: string): string =>
  `<Placemark><Point><coordinates>${coordinates}</coordinates></Point></Placemark>`;
const feature = (geometry: string): string => `{"type":"Feature","properties":{},"geometry":${geometry}}`;

const TEXTS: readonly (readonly [row: number, what: string, kind: Kind, input: string, code: string])[] = [
  [
    37,
    'an entity that expands a thousand million times',
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
  [39, '65 nested Folders', 'kml', kml('<Folder>'.repeat(65)), 'limit-depth'],
  [39, '100,000 nested tags', 'gpx', '<gpx>'.repeat(100_000), 'limit-depth'],
  [
    39,
    '2,000 nested collections',
    'geojson',
    `${'{"type":"GeometryCollection","geometries":['.repeat(2000)}`,
    'limit-depth',
  ],
  [39, '100,000 nested arrays', 'geojson', '['.repeat(100_000), 'limit-depth'],
  [
    39,
    '100 nested collections in valid JSON',
    'geojson',
    `${'{"type":"GeometryCollection","geometries":['.repeat(100)}${']}'.repeat(100)}`,
    'limit-depth',
  ],
  [40, 'a decimal comma', 'kml', kml(point('37,6,55,7')), 'kml-coordinates'],
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
    'a number beyond the range of a double',
    'geojson',
    feature('{"type":"Point","coordinates":[1e999,0]}'),
    'coord-not-finite',
  ],
  [47, 'NaN in JSON', 'geojson', feature('{"type":"Point","coordinates":[NaN,0]}'), 'json-syntax'],
  [
    48,
    'coordinates nested too little',
    'geojson',
    feature('{"type":"Polygon","coordinates":[[0,0],[1,0],[1,1]]}'),
    'geojson-nesting',
  ],
  [
    48,
    'a coordinate system other than WGS84',
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
    'a height that is not a number',
    'gpx',
    gpx('<trkpt lat="1" lon="2"><ele>NaN</ele><time>2020-01-01T00:00:00Z</time></trkpt>'),
    'number-invalid',
  ],
  [53, 'an unclosed quote', 'csv', `time,lat,lon\n"${'a'.repeat(100_000)}`, 'csv-syntax'],
];

const SOUND = toKml([{ id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]] }]);
const spaces = (): Buffer => zip({ 'doc.kml': Buffer.alloc(60_000_000, ' ') });

const FILES: readonly Trap[] = [
  {
    row: 44,
    what: 'a KMZ in a KMZ',
    kind: 'kmz',
    input: () => zip({ 'a.kmz': zip({ 'doc.kml': SOUND }) }),
    code: 'kmz-no-kml',
  },
  {
    row: 44,
    what: 'an encrypted entry',
    kind: 'kmz',
    input: () => changed(zip({ 'doc.kml': SOUND }), CENTRAL, 8, 1),
    code: 'kmz-unsupported',
  },
  {
    row: 45,
    what: 'a name that leaves the folder',
    kind: 'kmz',
    input: () => zip({ '../../etc/x.kml': SOUND }),
    code: 'kmz-entry-name',
  },
  {
    row: 46,
    what: 'an entry that inflates to a thousand times its size',
    kind: 'kmz',
    input: spaces,
    code: 'limit-inflated',
  },
  {
    row: 46,
    what: 'a declared length that is far too small',
    kind: 'kmz',
    input: () => changed(changed(spaces(), CENTRAL, 24, 10, 4), null, 22, 10, 4),
    code: 'kmz-corrupt',
  },
  {
    row: 46,
    what: 'a declared length that is too small',
    kind: 'kmz',
    input: () => changed(changed(spaces(), CENTRAL, 24, 7_000_000, 4), null, 22, 7_000_000, 4),
    code: 'kmz-corrupt',
  },
  {
    row: 46,
    what: 'a folder entry with content, and no document',
    kind: 'kmz',
    input: () => zip({ 'padding/': Buffer.alloc(60_000_000) }),
    code: 'kmz-no-kml',
  },
  {
    row: 46,
    what: 'too many entries',
    kind: 'kmz',
    input: () => zip(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [String(i), '']))),
    code: 'limit-entries',
  },
];

export const TRAPS: readonly Trap[] = [
  ...TEXTS.map(([row, what, kind, input, code]): Trap => ({ row, what, kind, input: () => input, code })),
  ...FILES,
];
