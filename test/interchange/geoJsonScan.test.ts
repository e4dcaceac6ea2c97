/** Compares the reader of GeoJSON bytes with `JSON.parse` of the whole file: hostile files, cut at every byte, in chunks of every size. */

import { describe, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { ForeignData } from '../../src/core/fix.js';
import { FlatPairs } from '../../src/core/wire.js';
import { decodeText } from '../../src/interchange/common/decodeText.js';
import { FeatureReader } from '../../src/interchange/geojson/featureReader.js';
import { FeatureScanner } from '../../src/interchange/geojson/featureScanner.js';
import { flatReadGeoJson, fromGeoJson, readGeoJson } from '../../src/interchange/geojson/fromGeoJson.js';
import { crsMember, type GeoJsonOptions } from '../../src/interchange/geojson/geoJsonOptions.js';
import { parseJson } from '../../src/interchange/json/parseJson.js';
import { seeded } from '../volume.js';

const encoder = new TextEncoder();

/** The file by `JSON.parse` as a whole. A file that cannot be read has only that issue, without those of its features. */
function parsedWhole(bytes: Uint8Array, options: GeoJsonOptions = {}): ForeignData {
  const reader = new FeatureReader(options);
  const { issues, limits } = reader.builder;
  const text = decodeText(bytes, issues, limits)!;
  try {
    const root = parseJson(text, limits.maxDepth);
    if (reader.acceptsCrs(crsMember(root))) reader.readRoot(root, text);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    issues.error(error.code, error.field, error.message);
  }
  reader.finish();
  return reader.builder.toForeignData();
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.slice(at, at + size));
  return list;
}

/** Chunks in one buffer, which is overwritten after each. */
function* reused(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0x58);
  }
}

/** The fields of zones that an index needs, with flat positions as pairs. */
function forIndex({ value, issues }: ForeignData): ForeignData {
  const fields = ['id', 'name', 'type', 'width', 'parts', 'is_delete'] as const;
  const zones = value.zones.map((zone) => {
    const geometry: unknown = zone.geometry;
    const pairs = geometry instanceof FlatPairs ? geometry.toPairs() : zone.geometry;
    const kept = fields.filter((field) => Object.hasOwn(zone, field)).map((field) => [field, zone[field]]);
    return { ...Object.fromEntries(kept), geometry: pairs } as typeof zone;
  });
  return { value: { ...value, zones }, issues };
}

/** The data as text, so that the order of members and -0 are compared too. Issues of the file's root come before or after those of features. */
function textOf({ value, issues }: ForeignData): string {
  // Reading that ends early does not see invalid bytes after its end.
  const isCut = issues.some(({ code }) => code === 'json-syntax' || code.startsWith('limit-'));
  const kept = issues.filter(({ code }) => !isCut || code !== 'encoding');
  const sorted = kept.map((issue) => JSON.stringify(issue)).sort();
  return JSON.stringify([value, sorted], (_, item: unknown) => (Object.is(item, -0) ? '-0' : item));
}

/** Whether the text has two members `features`, of which `JSON.parse` keeps the last and the readers the first. */
function isDoubled(data: ForeignData): boolean {
  return data.issues.some(({ code }) => code === 'json-duplicate');
}

async function expectSame(
  bytes: Uint8Array,
  sizes: readonly number[],
  options: GeoJsonOptions = {},
): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const read = fromGeoJson(bytes, options);
  const parsed = parsedWhole(bytes, options);
  const wrong = parsed.issues.find(
    ({ code, field }) => code === 'json-syntax' || (code === 'geojson-type' && field === 'type'),
  );
  // A limit may end the reading before the error.
  const isLimited = read.issues.some(({ code }) => code.startsWith('limit-'));
  if (wrong !== undefined) {
    // Bytes that are not UTF-8 have no number of UTF-16 units.
    const isUtf8 = parsed.issues.every(({ code }) => code !== 'encoding');
    const wanted = isUtf8 ? wrong : expect.objectContaining({ code: wrong.code });
    // NaN is read as null where it stands for a value.
    const isRead = read.issues.some(({ code }) => code === 'json-value');
    if (!isLimited && !isRead) expect(read.issues, text).toContainEqual(wanted);
  } else if (!isDoubled(read)) expect(textOf(read), text).toBe(textOf(parsed));
  for (const size of sizes) {
    expect(textOf(await readGeoJson(pieces(bytes, size), options)), text).toBe(textOf(read));
    const indexed = await flatReadGeoJson(reused(bytes, size), options, 'index');
    expect(textOf(forIndex(indexed)), text).toBe(textOf(forIndex(read)));
  }
}

const RING = '[[37.5,55.5],[37.6,55.5],[37.6,55.6],[37.5,55.5]]';
const POLYGON = `{"type":"Polygon","coordinates":[${RING}]}`;
const feature = (members: string): string => `{"type":"Feature",${members}}`;
const zone = (geometry: string, properties: string = '{"name":"A"}'): string =>
  feature(`"properties":${properties},"geometry":${geometry}`);
const collection = (...features: string[]): string =>
  `{"type":"FeatureCollection","features":[${features.join(',')}]}`;

/** Features in usual forms; each takes another path through the scanner. */
const FEATURES: readonly string[] = [
  zone(POLYGON),
  feature(`"id":"a","properties":{"name":"Склад \\"№ 1\\" 🚚","rate":[1,{"a":"}]"}]},"geometry":${POLYGON}`),
  feature(`"id":7,"geometry":${POLYGON},"properties":null`),
  `{"geometry":${POLYGON},"properties":{},"id":"last","type":"Feature"}`,
  zone(`{"coordinates":[${RING}],"type":"Polygon"}`),
  zone(
    `{"type":"Polygon","coordinates":[${RING},[[37.51,55.51],[37.52,55.51],[37.52,55.52],[37.51,55.51]]]}`,
  ),
  zone(`{"type":"MultiPolygon","coordinates":[[${RING}],[[[1,2],[3,2],[3,4]]]]}`),
  zone('{"type":"LineString","coordinates":[[1,2],[-3.5,4.25,120.5],[5,6,0]]}', '{"width":20}'),
  zone('{"type":"Point","coordinates":[37.123456789012345,-0]}', '{"radius":"250","type":"circle"}'),
  ' { "type" : "Feature" ,\n "bbox" : [ 1 , 2.5, -3,4 ] ,\r\n\t"properties" : { "name" : "B" } , "geometry" : { "type" : "Polygon" , "coordinates" : [ [ [ 1 , 2 ] ,\n [ 3 , 2 ] , [ 3 , 4 ] ] ] } } ',
];

const identified = (properties: string, id: string = '"a"'): string =>
  feature(`"id":${id},"properties":${properties},"geometry":${POLYGON}`);

/** Properties that an index reads from their bytes, and properties that must be parsed. */
const PROPERTIES: readonly string[] = [
  '{}',
  ' { } ',
  '{"name":"A name that is longer than any copied slice"}',
  '{ "zone" : "Z" , "title" : "T" , "a" : 1 }',
  '{"title":"T","name":7,"zone":null}',
  '{"a":-0,"b":1.25,"c":true,"d":false,"e":null,"f":"","name":"Ж 🚚"}',
  '{"type":"polygon","name":"t","width":5,"is_delete":true,"id":"x"}',
  '{"name":"A","name":"B"}',
  '{"name":1,"name":"B"}',
  '{"na\\u006de":"A"}',
  '{"name":"A\\n"}',
  '{"name":["A"]}',
  '{"a":1e3}',
  '{"a":123456789012345,"b":1234567890123456}',
  '{"a":0.1234567890123456789,"name":"n"}',
  '{"a":9007199254740993}',
  ...['01', '-', '1.', '.5', 'nul', 'tru', 'True', '+1', '-01', '1.5.5', '--1', '0x1', '1 2'].map(
    (value) => `{"a":${value}}`,
  ),
  '{"a":1,}',
  '{,"a":1}',
  '{"a" 1}',
  '{"a":}',
  '{"a":1 "b":2}',
  '{"a":1]}',
];

/** Features that the scanner must leave to `JSON.parse`. */
const ODD: readonly string[] = [
  zone('{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}'),
  zone(`{"type":"GeometryCollection","geometries":[${POLYGON}]}`),
  zone('null'),
  zone('{"type":"Polygon","coordinates":[]}'),
  zone('{"type":"Polygon","coordinates":[[]]}'),
  zone('{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}'),
  zone('{"type":"Polygon","coordinates":[[[1,2],[1,2],[1,2],[1,2]]]}'),
  zone('{"type":"LineString","coordinates":[[1,2]]}'),
  zone('{"type":"Point","coordinates":[1,2,3,4]}'),
  zone('{"type":"Point","coordinates":[1]}'),
  zone('{"type":"Point","coordinates":[[1,2]]}'),
  zone('{"type":"Point","coordinates":["1",2]}'),
  zone('{"type":"Point","coordinates":[200,2]}'),
  zone('{"type":"Point","coordinates":[541,2]}'),
  zone('{"type":"Point","coordinates":[55.7,91]}'),
  zone('{"type":"Point","coordinates":[1e1,-2.5E-1]}'),
  zone('{"type":"Point","coordinates":[1e400,2]}'),
  zone('{"type":"Point","coordinates":[0.12345678901234567890123456789,2]}'),
  zone('{"type":"Point","coordinates":[-0.0,0.000000000000000000001]}'),
  zone('{"type":"Point","coordinates":[1,2],"bbox":[1,2,1,2],"extra":1}'),
  zone('{"type":"Point","coordinates":[1,2],"coordinates":[3,4]}'),
  zone('{"type":"Pol\\u0079gon","coordinates":[[[1,2],[3,2],[3,4]]]}'),
  zone('{"type":"point","coordinates":[1,2]}'),
  zone(POLYGON, '{"big":12345678901234567890,"small":1e400,"deep":[[9007199254740993]]}'),
  zone(POLYGON, '{"big":1e400,"big":1e401}'),
  zone(POLYGON, '{"__proto__":{"a":1},"constructor":2,"toString":3}'),
  zone(POLYGON, '{"name":"A","name":"B"}'),
  zone(POLYGON, '{"type":{"key":"polygon"},"name":"w","geometry":"open","id":"other"}'),
  zone(POLYGON, '{"type":{"key":"line"},"name":"w","width":5}'),
  zone(POLYGON, '[1]'),
  zone(POLYGON, '"text"'),
  feature(`"id":"a\\n","properties":null,"geometry":${POLYGON}`),
  feature(`"id":null,"properties":null,"geometry":${POLYGON}`),
  feature(`"id":1.5,"properties":null,"geometry":${POLYGON}`),
  feature(`"id":9007199254740993,"properties":null,"geometry":${POLYGON}`),
  feature(`"id":{"a":1},"properties":null,"geometry":${POLYGON}`),
  feature(`"id":"a","id":"b","properties":null,"geometry":${POLYGON}`),
  feature(`"i\\u0064":"a","properties":null,"geometry":${POLYGON}`),
  feature(`"bbox":[1,2],"properties":null,"geometry":${POLYGON}`),
  feature(`"bbox":"no","name":"unknown member","properties":null,"geometry":${POLYGON}`),
  feature('"properties":{}'),
  `{"type":"feature","geometry":${POLYGON}}`,
  '{}',
  '[]',
  'null',
  '5',
  '"text"',
  `{"features":[1],"type":"Feature","geometry":${POLYGON},"properties":{"features":[{"type":"Feature"}]}}`,
];

/** Features that are not JSON. */
const BROKEN: readonly string[] = [
  ...['01', '-01', '1.', '.5', '+1', '-', '1e', '1 2', '0x1', 'NaN', '', '1,', '1.5.5', '--1', '00'].map(
    (number) => zone(`{"type":"Point","coordinates":[${number},2]}`),
  ),
  zone('{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],]]}'),
  zone('{"type":"Polygon","coordinates":[[[1,2][3,2],[3,4]]]}'),
  zone('{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4]}]}'),
  zone(POLYGON, '{"a":1,}'),
  zone(POLYGON, '{"a":"\u0001"}'),
  zone(POLYGON, '{"a":"line\nend"}'),
  zone(POLYGON, '{"a":"\\x"}'),
  zone(POLYGON, '{"a":[}'),
  zone(POLYGON, '{a:1}'),
  feature(`"id":"a\u0000b","geometry":${POLYGON}`),
  feature(`"id":"a\tb","geometry":${POLYGON}`),
  feature(`"id":01,"geometry":${POLYGON}`),
  feature(`"bbox":[1,2,3,],"geometry":${POLYGON}`),
  feature(`"bbox":[1,2,03,4],"geometry":${POLYGON}`),
  `${zone(POLYGON)},`,
  `,${zone(POLYGON)}`,
  `${zone(POLYGON)} ${zone(POLYGON)}`,
  `${zone(POLYGON)}\u0000`,
  `${zone(POLYGON)}]`,
  `{"type":"Feature",,"geometry":${POLYGON}}`,
  `{"type":"Feature" "geometry":${POLYGON}}`,
  `{"type":"Feature","geometry":${POLYGON}`,
];

/** Files with various texts around the features. */
const FRAMES: readonly string[] = [
  '',
  ' ',
  '{',
  POLYGON,
  zone(POLYGON),
  '{"type":"FeatureCollection"}',
  '{"type":"FeatureCollection","features":null}',
  '{"type":"FeatureCollection","features":{}}',
  collection(),
  `{"type":"Nothing","features":[${zone(POLYGON)}]}`,
  `{"features":[${zone(POLYGON)}]}`,
  `{"features":[${zone(POLYGON)}],"type":"FeatureCollection"}`,
  `{"bbox":[1,2,3,4],"name":"Zones","type":"FeatureCollection","features":[${zone(POLYGON)}],"note":{"features":[1]}}`,
  `{"type":"FeatureCollection","features":[${zone(POLYGON)}],"big":12345678901234567890}`,
  `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[${zone(POLYGON)}]}`,
  `\ufeff${collection(zone(POLYGON))}`,
  `${collection(zone(POLYGON))} x`,
  `${collection(zone(POLYGON))}${collection(zone(POLYGON))}`,
  `[${collection(zone(POLYGON))}]`,
  `{"type":"FeatureCollection","a":${'['.repeat(100)}${']'.repeat(100)},"features":[${zone(POLYGON)}]}`,
];

describe('a scanned file gives the same result as a parsed file', () => {
  test('features in usual forms are scanned, not parsed', () => {
    for (const text of FEATURES) {
      const bytes = encoder.encode(`${text.trim()}\u0000`);
      expect(new FeatureScanner().read(bytes, 0, false), text).toBe(bytes.length - 1);
    }
  });

  test('each feature alone and between others', async () => {
    const own = PROPERTIES.flatMap((text) => [identified(text), identified(text, '70'), zone(POLYGON, text)]);
    for (const text of [...FEATURES, ...ODD, ...BROKEN, ...own]) {
      await expectSame(encoder.encode(collection(text)), [1000]);
      await expectSame(encoder.encode(collection(FEATURES[0]!, text, FEATURES[1]!)), [64]);
    }
  });

  test('all texts around the features', async () => {
    for (const text of FRAMES) await expectSame(encoder.encode(text), [1, 1000]);
    const late = `{"features":[${zone(POLYGON)}],"type":"FeatureCollection","features":[]}`;
    const read = fromGeoJson(late);
    expect([read.value.zones.length, read.issues.map(({ code }) => code)]).toEqual([1, ['json-duplicate']]);
    await expectSame(encoder.encode(late), [1, 1000]);
  });

  test('a file truncated at every byte', async () => {
    const bytes = encoder.encode(collection(FEATURES[1]!, ODD[0]!, FEATURES[9]!));
    for (let end = 0; end < bytes.length; end++) await expectSame(bytes.subarray(0, end), [97]);
  });

  test('chunks that end at every byte', async () => {
    const bytes = encoder.encode(collection(FEATURES[9]!, ODD[0]!, FEATURES[1]!, FEATURES[2]!));
    const whole = textOf(fromGeoJson(bytes));
    for (let end = 1; end < bytes.length; end++) {
      const halves = [bytes.slice(0, end), bytes.slice(end)];
      expect(textOf(await readGeoJson(halves)), `cut at ${end}`).toBe(whole);
    }
    await expectSame(bytes, [1, 2, 3, 7, 31]);
  });

  test('bytes changed, removed and doubled', async () => {
    const random = seeded(20);
    const clean = encoder.encode(collection(...FEATURES));
    const marks = [...encoder.encode('{}[]",:\\0-1e. \n\u0000é')];
    for (let run = 0; run < 500; run++) {
      const bytes = [...clean];
      for (let change = 0; change <= run % 3; change++) {
        const at = Math.floor(random() * bytes.length);
        const kind = random();
        if (kind < 0.4) bytes[at] = marks[Math.floor(random() * marks.length)]!;
        else if (kind < 0.6) bytes.splice(at, 1 + Math.floor(random() * 3));
        else if (kind < 0.8) bytes.splice(at, 0, ...bytes.slice(at, at + Math.floor(random() * 40)));
        else bytes[at] = Math.floor(random() * 256);
      }
      await expectSame(Uint8Array.from(bytes), [1 + Math.floor(random() * 400)]);
    }
  });

  test('options that change ids, names, fields and limits', async () => {
    const bytes = encoder.encode(collection(...FEATURES, ...ODD.filter((text) => text.startsWith('{'))));
    for (const options of [
      { idProperty: 'name', idPrefix: 'z' },
      { nameProperty: 'rate', axisOrder: 'latlon' },
      { fieldProperties: { width: 'rate', color: 'name' } },
      { near: [55.5, 37.5] },
      { limits: { maxFeatures: 5 } },
      { limits: { maxVertices: 20 } },
      { limits: { maxIssues: 2 } },
    ] as const satisfies readonly GeoJsonOptions[]) {
      await expectSame(bytes, [100], options);
    }
  });

  test('a ring longer than the array of the scanner, after other rings in it', async () => {
    const ring = Array.from({ length: 70_000 }, (_, i) => [i / 1000, (i % 89) / 2]);
    const long = zone(JSON.stringify({ type: 'Polygon', coordinates: [ring, ring.slice(0, 5)] }));
    const one = zone(JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
    await expectSame(encoder.encode(collection(FEATURES[0]!, long, one, FEATURES[0]!, one)), [100_000]);
  });
});
