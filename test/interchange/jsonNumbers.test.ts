/** Numbers of JSON that a double does not represent exactly are kept as their texts, with a warning. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCsv, fromGeoJson, fromKml, readGeoJson, toKml, toZoneCsv } from '../../src/interchange/index.js';
import { keepNumberTexts, numberTexts } from '../../src/interchange/json/numberTexts.js';

const POINT = '"geometry":{"type":"Point","coordinates":[1,2]}';
const feature = (properties: string, more = ''): string =>
  `{"type":"Feature",${more}"properties":{${properties}},${POINT}}`;
const collection = (...features: string[]): string =>
  `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
const bytes = (text: string): Uint8Array[] => {
  const all = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(all.length / 7) }, (_, i) => all.subarray(7 * i, 7 * i + 7));
};

describe('number-range', () => {
  const CASES: readonly (readonly [string, string, unknown])[] = [
    ['an exponent beyond the range of a double', '1e400', '1e400'],
    ['a negative number beyond that range', '-1.5E+309', '-1.5E+309'],
    ['a whole number beyond 2^53', '9007199254740993', '9007199254740993'],
    ['a negative whole number beyond 2^53', '-12345678901234567890', '-12345678901234567890'],
    ['a number that JavaScript writes with an exponent', '1000000000000000000000', '1000000000000000000000'],
    ['a fraction beyond 2^53', '9007199254740993.0', '9007199254740993.0'],
  ];

  test.each(CASES)('%s is kept as its text in properties', async (_, token, kept) => {
    const text = collection(feature('"a":1'), feature(`"n":{"list":[0,${token}]}`));
    const { value, issues } = fromGeoJson(text);
    expect(value.zones[1]).toMatchObject({ properties: { n: { list: [0, kept] } } });
    expect(issues).toMatchObject([
      { code: 'number-range', severity: 'warning', field: 'features[1].properties.n.list[1]' },
    ]);
    expect(issues[0]!.message).toContain(token);
    expect(await readGeoJson(bytes(text))).toEqual({ value, issues });
    expect(JSON.stringify(value)).not.toContain('null');
  });

  test.each([
    '1e300',
    '9007199254740992',
    '-9007199254740991',
    '1.5',
    '100000000000000000000',
    '1e+21',
    '5e-324',
  ])('%s stays a number', (token) => {
    const { value, issues } = fromGeoJson(feature(`"n":${token}`));
    expect(value.zones[0]).toMatchObject({ properties: { n: Number(token) } });
    expect(issues).toEqual([]);
  });

  test('different ids beyond 2^53 stay different, as `id`, property `id` or `idProperty`', async () => {
    const ids = ['9007199254740992', '9007199254740993', '9007199254740995'];
    const asIds = collection(...ids.map((id) => feature('', `"id":${id},`)));
    const asProperties = collection(...ids.map((id) => feature(`"id":${id}`)));
    const asOthers = collection(...ids.map((id) => feature(`"code":${id}`)));
    for (const [text, options] of [
      [asIds, {}],
      [asProperties, {}],
      [asOthers, { idProperty: 'code' }],
    ] as const) {
      const { value, issues } = fromGeoJson(text, options);
      expect(value.zones.map(({ id }) => id)).toEqual(ids);
      expect(issues.map(({ code }) => code)).toEqual(['number-range', 'number-range']);
      expect((await readGeoJson(bytes(text), options)).value.zones.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('a coordinate beyond the range of a double is an error', () => {
    const { issues } = fromGeoJson('{"type":"Point","coordinates":[1e400,2]}');
    expect(issues).toMatchObject([{ code: 'coord-not-finite', field: 'geometry.coordinates[0]' }]);
  });

  test('an inexact number in the column or data of our own writers makes the zone foreign', () => {
    const zone = {
      id: 'a',
      name: 'A',
      type: { key: 'point' as const },
      geometry: [[1, 2] as const],
      area: 7,
    };
    const csv = fromCsv(toZoneCsv([zone]).replace('""area"":7', '""area"":1e400'));
    expect(JSON.stringify(csv.value)).not.toContain('null');
    expect(csv.issues).toMatchObject([{ code: 'type-mismatch' }]);
    const kml = fromKml(toKml([zone]).replace('<value>7</value>', '<value>1e400</value>'));
    expect(kml.value.zones[0]).not.toHaveProperty('area');
    expect(kml.value.zones[0]).toMatchObject({ properties: { 'wayzone.area': '1e400' } });
  });

  test('of a repeated member only the last value is kept, with its text', () => {
    expect(fromGeoJson(feature('"n":1e400,"n":5')).value.zones[0]).toMatchObject({ properties: { n: 5 } });
    expect(fromGeoJson(feature('"n":5,"n":1e400')).value.zones[0]).toMatchObject({
      properties: { n: '1e400' },
    });
  });
});

/** A JSON text and the value that must be read from it. */
interface TextAndValue {
  readonly text: string;
  readonly value: unknown;
}

const digits = fc.stringMatching(/^[1-9]\d{0,24}$/);
const number: fc.Arbitrary<TextAndValue> = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', 'e400', 'E-3'))
  .map(([sign, whole, exponent]): TextAndValue => {
    const text = sign + whole + exponent;
    const value = Number(text);
    const isExact =
      exponent === 'e400'
        ? false
        : exponent !== '' || BigInt(text) === 0n || Math.abs(value) <= Number.MAX_SAFE_INTEGER
          ? Math.abs(value) <= Number.MAX_SAFE_INTEGER
          : String(value) === text;
    return { text, value: isExact ? value : text };
  })
  // Numbers beyond 2^53 with an exponent are compared by their digits; they are not generated here.
  .filter(({ text, value }) => !text.endsWith('E-3') || typeof value === 'number');
const string: fc.Arbitrary<TextAndValue> = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', '"', '\\"', '[1e400', '{"a":1e400}', '1e400'))
  .map((value) => ({ text: JSON.stringify(value), value }));
const { tree } = fc.letrec<{ tree: TextAndValue; list: TextAndValue; record: TextAndValue }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, number, string, tie('list'), tie('record')),
  list: fc.array(tie('tree'), { maxLength: 4 }).map((items) => ({
    text: `[ ${items.map(({ text }) => text).join(' , ')}]`,
    value: items.map(({ value }) => value),
  })),
  record: fc
    .uniqueArray(
      fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', '"', 'a\\')), tie('tree')),
      {
        maxLength: 4,
        selector: ([key]) => key,
      },
    )
    .map((entries) => ({
      text: `{${entries.map(([key, { text }]) => `${JSON.stringify(key)} : ${text}`).join(',\n')}}`,
      value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    })),
}));

test('every value of a random JSON text is read exactly, as a number or its text', () => {
  fc.assert(
    fc.property(tree, ({ text, value }) => {
      const reported: string[] = [];
      const read = keepNumberTexts(
        JSON.parse(text),
        '',
        () => numberTexts(text),
        (field) => reported.push(field),
      );
      expect(read).toEqual(value);
      expect(reported).toHaveLength(countOfTexts(JSON.parse(text), value));
    }),
    { numRuns: 500 },
  );
});

/** Count of numbers in `parsed` that are texts in `kept`. */
function countOfTexts(parsed: unknown, kept: unknown): number {
  if (typeof parsed === 'number') return typeof kept === 'string' ? 1 : 0;
  if (typeof parsed !== 'object' || parsed === null) return 0;
  const [a, b] = [Object.values(parsed), Object.values(kept as object)];
  return a.reduce<number>((sum, item, i) => sum + countOfTexts(item, b[i]), 0);
}

test('many inexact numbers under a long name take linear time', () => {
  const name = 'n'.repeat(1_000_000);
  const text = `{"${name}":{"a":[${'1e400,'.repeat(100_000)}0]}}`;
  // A path for each of the 100,000 numbers would have a million characters, which would not be feasible.
  const found = numberTexts(text) as Map<string, Map<string, Map<number, string>>>;
  expect(found.get(name)!.get('a')!.size).toBe(100_000);
});

describe('fromGeoJson of an object', () => {
  const parsed = (text: string): object => JSON.parse(text) as object;

  test('gives the same result as its text, and does not change the object', () => {
    const text = collection(
      feature('"name":"A","list":[1,{"b":null}]', '"id":7,'),
      feature('"radius":50'),
      '{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}',
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,95]}}',
      '7',
    );
    const input = parsed(text);
    expect(fromGeoJson(input)).toEqual(fromGeoJson(text));
    expect(JSON.stringify(input)).toBe(JSON.stringify(JSON.parse(text)));
    expect(fromGeoJson(parsed('{"type":"Point","coordinates":[1,2]}')).value.zones).toHaveLength(1);
    expect(fromGeoJson(parsed('[1]')).issues).toMatchObject([{ code: 'geojson-type' }]);
  });

  test('shares no objects with the result', () => {
    const properties = { name: 'A', deep: { list: [1] } };
    const input = { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [1, 2] } };
    const { value } = fromGeoJson(input);
    const kept = value.zones[0] as unknown as { readonly properties: typeof properties };
    expect(kept.properties.deep).toEqual({ list: [1] });
    expect(kept.properties.deep.list).not.toBe(properties.deep.list);
  });

  test('numbers that JSON cannot represent become texts; functions, cycles and throwing getters are issues', () => {
    const of = (properties: object): ReturnType<typeof fromGeoJson> =>
      fromGeoJson({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [1, 2] } });
    const odd = of({ a: Number.POSITIVE_INFINITY, b: 2 ** 60, c: 12345678901234567890n, d: undefined });
    expect(odd.value.zones[0]).toMatchObject({
      properties: { a: 'Infinity', b: 2 ** 60, c: '12345678901234567890' },
    });
    expect(odd.issues.map(({ code, field }) => `${code} ${field}`)).toEqual(
      ['a', 'b', 'c'].map((key) => `number-range properties.${key}`),
    );
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(of(round).issues).toMatchObject([{ code: 'limit-depth', severity: 'error' }]);
    expect(of({ f: () => 1 }).issues).toMatchObject([{ code: 'json-value', field: 'properties.f' }]);
    const throwing = {
      type: 'Feature',
      get properties(): never {
        throw new Error('mine');
      },
    };
    expect(fromGeoJson(throwing).issues).toMatchObject([{ code: 'input-unreadable' }]);
  });
});

describe('members of a FeatureCollection that GeoJSON does not define', () => {
  const members = '"name":"Depots","generator":"x","timestamp":1e400,"meta":{"a":[1]}';
  const text = `{"type":"FeatureCollection",${members},"bbox":[0,0,1,1],"features":[],"more":true}`;

  test('become value.document, also for a file in chunks', async () => {
    const { value, issues } = fromGeoJson(text);
    expect(value.document).toEqual({
      name: 'Depots',
      properties: { generator: 'x', timestamp: '1e400', meta: { a: [1] }, more: true },
    });
    expect(issues).toMatchObject([{ code: 'number-range', field: 'timestamp' }]);
    expect(await readGeoJson(bytes(text))).toEqual({ value, issues });
    expect(fromGeoJson(collection(feature(''))).value).not.toHaveProperty('document');
  });

  test('unknown members of a geometry give a warning', () => {
    const { issues } = fromGeoJson('{"type":"Point","coordinates":[1,2],"title":"x"}');
    expect(issues).toMatchObject([{ code: 'fields-left-out', severity: 'warning' }]);
    expect(issues[0]!.message).toContain('geometry.title (1)');
  });
});
