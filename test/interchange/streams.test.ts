import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  readCsv,
  readGeoJson,
  readGpx,
  readKml,
  toFeatureCollection,
  toKml,
} from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';
import { zones } from './arbitraryZones.js';
import { dataFiles } from './realData.js';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type Whole = (bytes: Uint8Array) => ForeignData;
type Stream = (chunks: Chunks) => Promise<ForeignData>;

const READERS: Readonly<Record<string, readonly [Whole, Stream]>> = {
  kml: [fromKml, readKml],
  gpx: [fromGpx, readGpx],
  geojson: [fromGeoJson, readGeoJson],
  csv: [fromCsv, readCsv],
};

/** The bytes in random pieces of 1 to `most` bytes. */
async function* inPieces(bytes: Uint8Array, most: number, seed: number): AsyncGenerator<Uint8Array> {
  const random = seeded(seed);
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + 1 + Math.floor(random() * most));
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function expectSame(kind: string, bytes: Uint8Array, most: number, seed = 1): Promise<void> {
  const [whole, stream] = READERS[kind]!;
  const wanted = whole(bytes);
  const got = await stream(inPieces(bytes, most, seed));
  expect(got).toEqual(wanted);
}

describe('a file in chunks gives the same result as the whole file', () => {
  test('random zones in random chunks', async () => {
    await fc.assert(
      fc.asyncProperty(zones, fc.integer({ min: 1, max: 400 }), async (list, most) => {
        const groups = [{ id: 'g', name: 'G', geozones: list.slice(1).map(({ id }) => ({ id })) }];
        await expectSame('kml', Buffer.from(toKml(list, { groups })), most);
        const collection = toFeatureCollection(list, { all: true });
        await expectSame('geojson', Buffer.from(JSON.stringify(collection, null, most % 3)), most);
        const last = {
          type: collection.type,
          extra: { features: [1, '"]'] },
          features: collection.features,
          after: ['}'],
        };
        await expectSame('geojson', Buffer.from(JSON.stringify(last)), most);
      }),
      { numRuns: volume(1000) },
    );
  });

  test('real files (needs ../shared/data)', async () => {
    for (const ending of ['.kml', '.gpx', '.geojson']) {
      for (const file of [...dataFiles('kml', ending), ...dataFiles('tracks/gpx', ending)]) {
        const bytes = readFileSync(file);
        if (bytes.length < 300_000) await expectSame(ending.slice(1), bytes, 5000);
      }
    }
  });

  test.each([
    [
      'csv',
      'unit;time;lat;lon\r\na;2026-01-01T00:00:00Z;1;2\r\nb;x;1;2\r\na;2026-01-01T00:00:01Z;91;2\r\n"q";2026-01-01T00:00:02Z;1;"2"',
    ],
    ['csv', 'id,name,wkt,note\n1,"A, ""b""","POLYGON((0 0,1 0,1 1,0 0))",é\n2,B,POINT(1,2)\n3,C,\n'],
    ['csv', 'a,b\n1,"2'],
    ['csv', ''],
    ['csv', '\uFEFFunit,time,lat,lon'],
    ['geojson', ''],
    ['geojson', ' 5'],
    ['geojson', '{"type":"Point","coordinates":[1,2,3]}'],
    ['geojson', '{"type":"FeatureCollection","features":[{"type":"Feature"},\n\n]}'],
    ['geojson', '{"type":"FeatureCollection","features":[1,"a]",null,[{}]]}'],
    ['geojson', '{"type":"FeatureCollection","features":[,1]}'],
    ['geojson', '{"type":"FeatureCollection","features":[]\n,x}'],
    ['geojson', '{"type":"FeatureCollection","features":[{"a":\n\n}'],
    ['geojson', '{"type":"FeatureCollection","features":{}}'],
    ['geojson', '{"type":"FeatureCollection","features":[1]}]'],
    ['geojson', '{"feat\\u0075res":[{"type":"Feature"}],"type":"FeatureCollection"}'],
    ['kml', '\n\n  <kml><Placemark><name>é日😀</name>'],
    [
      'kml',
      '<?xml version="1.0" encoding="windows-1251"?><kml><Document><name>\u00e9</name></Document></kml>',
    ],
    ['gpx', '<gpx><wpt lat="1" lon="2"/>&nbsp;<wpt lat="1" lon="x"/></gpx></x>'],
  ])('%s: %j', async (kind, text) => {
    for (const most of [1, 3, 1000]) await expectSame(kind, Buffer.from(text), most);
    await expectSame(kind, Buffer.from(text, 'latin1'), 2);
    if (kind === 'kml') await expectSame(kind, Buffer.from(`\uFEFF${text.trim()}`, 'utf16le'), 1);
  });
});

describe('sources', () => {
  test.each(Object.entries(READERS))(
    '%s: an invalid source is an error; an error of the source is thrown unchanged',
    async (_, [, stream]) => {
      await expect(stream(null as unknown as Chunks)).rejects.toMatchObject({ code: 'source-type' });
      await expect(stream(['text'] as unknown as Chunks)).rejects.toMatchObject({ code: 'input-type' });
      const broken = new Error('disk');
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('<');
        throw broken;
      }
      await expect(stream(failing())).rejects.toBe(broken);
    },
  );

  test('a source is closed as soon as reading ends', async () => {
    let given = 0;
    let closed = false;
    async function* endless(first: string, text: string): AsyncGenerator<Uint8Array> {
      try {
        for (given = 1; ; given++) yield Buffer.from(given === 1 ? first : text);
      } finally {
        closed = true;
      }
    }
    const bad = await readKml(endless('<kml></b>'.padEnd(400), ' '.repeat(1000)));
    expect([bad.issues[0]?.code, given, closed]).toEqual(['xml-malformed', 1, true]);
    const long = await readKml(endless('<kml>', '<Folder></Folder>'.padEnd(1000)), {
      limits: { maxBytes: 10_000 },
    });
    expect(long.issues.map((issue) => issue.code)).toContain('limit-bytes');
    expect(given).toBe(11);
    const features = await readGeoJson(
      endless('{"type":"FeatureCollection","features":[1,]'.padEnd(400), ' '),
    );
    expect([features.issues.at(-1)?.code, given]).toEqual(['json-syntax', 1]);
  });
});

describe('limits', () => {
  const kml = toKml(fc.sample(zones, { numRuns: 20, seed: 2 }).flat());

  test.each(['maxBytes', 'maxVertices', 'maxFeatures', 'maxDepth', 'maxEntries', 'maxIssues'])(
    '%s of 0 is an error',
    (name) => {
      for (const limit of [0, -1, Number.NaN, '5']) {
        expect(() => fromKml(kml, { limits: { [name]: limit } as object })).toThrow(
          expect.objectContaining({ code: 'option-value', field: `limits.${name}` }),
        );
      }
      expect(() => fromKml(kml, { limits: 5 as unknown as object })).toThrow(
        expect.objectContaining({ code: 'option-value' }),
      );
    },
  );

  test('maxIssues issues of each code are reported; the rest are counted', () => {
    const rows = Array.from({ length: 130 }, () => 'x,POINT(1 95)').join('\n');
    const file = `id,wkt\n${rows}`;
    expect(fromCsv(file).issues).toHaveLength(101);
    expect(
      fromCsv(file, { limits: { maxIssues: 2 } })
        .issues.map(({ message }) => message)
        .at(-1),
    ).toBe('128 further issues of this kind, 130 in all');
    expect(fromCsv(file, { limits: { maxIssues: Number.POSITIVE_INFINITY } }).issues).toHaveLength(130);
  });

  test('the content before a limit is returned', () => {
    const all = fromKml(kml).value.zones;
    expect(all.length).toBeGreaterThan(10);
    const few = fromKml(kml, { limits: { maxFeatures: 5 } });
    expect(few.value.zones).toEqual(all.slice(0, 5));
    expect(few.issues).toMatchObject([{ code: 'limit-features', severity: 'error' }]);
    const vertices = fromKml(kml, { limits: { maxVertices: 12 } });
    expect(vertices.issues).toMatchObject([{ code: 'limit-vertices' }]);
    expect(vertices.value.zones).toEqual(all.slice(0, vertices.value.zones.length));
    expect(fromKml(kml, { limits: { maxBytes: 100 } })).toMatchObject({
      value: { zones: [] },
      issues: [{ code: 'limit-bytes' }],
    });
    expect(fromGeoJson('[[[[]]]]', { limits: { maxDepth: 3 } }).issues).toMatchObject([
      { code: 'limit-depth' },
    ]);
    const csv = 'time,lat,lon\n2026-01-01T00:00:00Z,1,2\n2026-01-01T00:00:01Z,1,2';
    const limited = fromCsv(csv, { limits: { maxVertices: 1 } });
    expect(limited.issues).toMatchObject([{ code: 'limit-vertices' }]);
    expect(limited.value.tracks[0]?.fixes).toHaveLength(1);
    const gpx = '<gpx><trk/><trk/><wpt lat="1" lon="2"/></gpx>';
    expect(fromGpx(gpx, { limits: { maxFeatures: 2 } }).issues).toMatchObject([{ code: 'limit-features' }]);
  });
});
