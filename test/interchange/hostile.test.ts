import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { ForeignData } from '../../src/core/fix.js';
import { fromGeoJson, fromKml, toFeatureCollection, toKml, toZoneCsv } from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';
import { type Kind, kml, point, READERS, TRAPS } from './traps.js';

function codesOf(kind: Kind, text: string | Uint8Array): string[] {
  return READERS[kind](text).issues.map(({ code }) => code);
}

describe('traps and bombs', () => {
  test.each(TRAPS)('Formats $row: $what ($kind)', ({ kind, input, code }) => {
    const { value, issues } = READERS[kind](input());
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(value.zones).toEqual([]);
  });

  // `npm run bench -- interchange` measures their time and memory.
  test('there are at least 30', () => {
    expect(TRAPS.length).toBeGreaterThanOrEqual(30);
  });

  test('Formats 38: ten million character references take linear time', () => {
    const count = volume(10_000_000);
    const { value } = fromKml(
      kml(`<Placemark><name>${'&#65;'.repeat(count)}</name>${point('1,2').slice(11)}`),
    );
    expect(value.zones[0]?.name).toBe('A'.repeat(count));
  });

  test('Formats 41: UTF-16 with and without a byte order mark, and declared encodings, are read', () => {
    const text = kml(`<Placemark><name>Ёлка é</name>${point('1,2').slice(11)}`);
    const declared = (encoding: string): string =>
      text.replace('<?xml version="1.0"?>', `<?xml version="1.0" encoding="${encoding}"?>`);
    const big = Buffer.from(text, 'utf16le').swap16();
    for (const bytes of [
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(text, 'utf16le'),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      big,
    ]) {
      const { value, issues } = fromKml(bytes);
      expect([issues, value.zones[0]?.name]).toEqual([[], 'Ёлка é']);
    }
    const latin = Buffer.from(declared('ISO-8859-1').replace('Ёлка ', ''), 'latin1');
    expect(fromKml(latin).value.zones[0]?.name).toBe('é');
    const cyrillic = Buffer.from(declared('windows-1251').replace('Ёлка é', '\u00A8\u00EB'), 'latin1');
    expect(fromKml(cyrillic).value.zones[0]?.name).toBe('Ёл');
    for (const wrong of [Buffer.from(declared('utf-9')), Buffer.from(text, 'latin1')]) {
      expect(fromKml(wrong).issues.map(({ code }) => code)).toContain('encoding');
    }
  });

  test('Formats 43: a link in an icon or description stays text', () => {
    const text = kml(`<Placemark><description>javascript:alert(1)</description>${point('1,2').slice(11)}`);
    expect(fromKml(text).value.zones[0]).toMatchObject({
      properties: { description: 'javascript:alert(1)' },
    });
  });

  test('Formats 47: names like __proto__ are read as properties', () => {
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
const SEEDS: Readonly<Record<Exclude<Kind, 'kmz'>, readonly string[]>> = {
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
    toZoneCsv(ZONES),
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

/** The text with up to three random changes: bytes, tags, numbers or the length. */
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
  test.each(Object.keys(SEEDS) as (keyof typeof SEEDS)[])(
    '%s gives a value with issues, or a coded error',
    (kind) => {
      const random = seeded(37);
      const seeds = SEEDS[kind];
      let zones = 0;
      let issues = 0;
      for (let run = 0; run < volume(20_000); run++) {
        const bytes = mutated(seeds[run % seeds.length]!, random);
        let data: ForeignData;
        try {
          data = READERS[kind](bytes);
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
      expect(zones).toBeGreaterThan(volume(20_000) / 10);
      expect(issues).toBeGreaterThan(volume(20_000) / 10);
    },
    600_000,
  );

  test('a valid file gives no issues', () => {
    for (const [kind, seeds] of Object.entries(SEEDS)) expect(codesOf(kind as Kind, seeds[0]!)).toEqual([]);
  });
});

test('each row under Formats has a test that names it', () => {
  const folders = ['.', '../cli'].map((name) => fileURLToPath(new URL(`${name}/`, import.meta.url)));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => folder + name));
  const named = files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'Formats (\d+): /g)].map(([, row]) => Number(row)),
    );
  const rows = new Set([...named, ...TRAPS.map(({ row }) => row)]);
  expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => 37 + i));
});
