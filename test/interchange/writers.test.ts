import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone, Pair } from '../../src/core/wire.js';
import { fromGeoJson, fromKml, toCsv, toFeatureCollection, toKml } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { dataPath, hasData } from './realData.js';

const NASTY = [
  ']]>',
  '<script>',
  '&amp;',
  '-->',
  '\u0000\u001f',
  '\uFFFE',
  '\uD800',
  '\u202E',
  ' a\r\nb\t',
  '__proto__',
  '=1',
  '日本😀',
];

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom(...NASTY));
const lon = fc
  .double({ min: -179, max: 179, noNaN: true })
  .map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
const lat = fc
  .double({ min: -80, max: 80, noNaN: true })
  .map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
const pair: fc.Arbitrary<Pair> = fc.tuple(lon, lat);

/** A closed or open, left- or right-turning quadrilateral. */
const quad: fc.Arbitrary<Pair[]> = fc
  .tuple(
    fc.double({ min: -170, max: 170, noNaN: true }),
    fc.double({ min: -70, max: 70, noNaN: true }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([west, south, closed, reversed]) => {
    const ring: Pair[] = [
      [west, south],
      [west + 0.3, south],
      [west + 0.3, south + 0.2],
      [west, south + 0.1],
    ];
    if (reversed) ring.reverse();
    const [first] = ring;
    return closed && first !== undefined ? [...ring, first] : ring;
  });

const shape: fc.Arbitrary<object> = fc.oneof(
  pair.map((place) => ({ type: { key: 'point' }, geometry: [place] })),
  pair.map((place) => ({ type: { key: 'circle', value: 'Circle' }, geometry: [place], width: 250.5 })),
  fc
    .array(pair, { minLength: 2, maxLength: 5 })
    .map((line) => ({ type: { key: 'line' }, geometry: line, width: 30 })),
  quad.map((ring) => ({ type: { key: 'polygon' }, geometry: ring })),
  fc.tuple(quad, quad).map(([a, b]) => ({ type: { key: 'polygon' }, geometry: a, parts: [[a], [b]] })),
);

const zone: fc.Arbitrary<Geozone> = fc
  .tuple(
    shape,
    text,
    fc.record(
      {
        color: fc.constantFrom({ key: '#F56C6C', value: 'x' }, null, { key: 'red' }),
        icon: fc.constant({ key: 'school' }),
        is_show_on_map: fc.boolean(),
        is_delete: fc.constantFrom(true, 0, 'true'),
        companies: fc.constant([{ id: 'c' }]),
        polygon_geometry: fc.array(pair, { maxLength: 3 }),
        area: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        note: fc.dictionary(text, text, { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom('further', 'a"b', '\u0001', '__proto__'), text, { maxKeys: 2 }),
  )
  .map(([shaped, name, fields, more]) => {
    const entries = [
      ...Object.entries(shaped),
      ['name', name],
      ...Object.entries(fields),
      ...Object.entries(more),
    ];
    // The wire is JSON: what JSON makes of the object (no -0, no lone prototype) is what must come back.
    return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Geozone;
  });

const zones: fc.Arbitrary<Geozone[]> = fc
  .array(zone, { maxLength: 4 })
  .chain((list) =>
    fc
      .uniqueArray(fc.oneof(text, fc.uuid()), { minLength: list.length, maxLength: list.length })
      .map((ids) =>
        list.map((item, i) => ({ ...item, id: (JSON.parse(JSON.stringify(ids[i])) as string) ?? '' })),
      ),
  );

describe('what is written is read back', () => {
  test.each(['lonlat', 'latlon'] as const)('GeoJSON with all fields, %s', (axisOrder) => {
    fc.assert(
      fc.property(zones, (list) => {
        const wire = axisOrder === 'lonlat' ? list : list.map(swapped);
        const written = JSON.stringify(toFeatureCollection(wire, { all: true, axisOrder }));
        const { value, issues } = fromGeoJson(written, { axisOrder });
        expect(issues).toEqual([]);
        expect(value.zones).toEqual(wire);
      }),
      { numRuns: volume(4000) },
    );
  });

  test.each(['lonlat', 'latlon'] as const)('KML with groups, %s', (axisOrder) => {
    fc.assert(
      fc.property(zones, text, (list, groupName) => {
        const wire = axisOrder === 'lonlat' ? list : list.map(swapped);
        const name = JSON.parse(JSON.stringify(groupName)) as string;
        const geozones = [...list].reverse().map(({ id }) => ({ id }));
        const groups = [
          { id: 'g', name, geozones },
          { id: 'h', name: 'all', geozones: [...geozones, { id: 'elsewhere' }] },
        ];
        const { value, issues } = fromKml(toKml(wire, { name, groups, axisOrder }), { axisOrder });
        expect(issues).toEqual([]);
        expect(value.zones).toEqual(wire);
        expect(value.groups).toEqual(groups);
      }),
      { numRuns: volume(4000) },
    );
  });

  function swapped(item: Geozone): Geozone {
    const swap = (pairs: readonly Pair[]): Pair[] => pairs.map(([a, b]) => [b, a]);
    const drawn = item.polygon_geometry;
    return {
      ...item,
      geometry: swap(item.geometry),
      ...(drawn === undefined ? {} : { polygon_geometry: swap(drawn) }),
    };
  }
});

const POINT: Geozone = {
  id: 'p',
  name: 'P',
  type: { key: 'point' },
  geometry: [[1, 2]],
  is_show_on_map: true,
};

describe('toFeatureCollection', () => {
  test('by default gives the features on the map with address and name', () => {
    const rows: Geozone[] = [
      POINT,
      { ...POINT, id: 'hidden', is_show_on_map: false },
      { ...POINT, id: 'deleted', is_delete: '1' },
    ];
    expect(toFeatureCollection(rows)).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'p',
          geometry: { type: 'Point', coordinates: [1, 2] },
          properties: { address: null, name: 'P' },
        },
      ],
    });
    expect(toFeatureCollection(rows, { address: () => 'Street 1' }).features[0]?.properties['address']).toBe(
      'Street 1',
    );
  });

  test('a line over the antimeridian is cut there', () => {
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: [
        [179, 0],
        [-179, 2],
      ],
    };
    expect(toFeatureCollection([line]).features[0]?.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [179, 0],
          [180, 1],
        ],
        [
          [-180, 1],
          [-179, 2],
        ],
      ],
    });
  });

  test('a bad shape and an object that holds itself throw with the path of the zone', () => {
    const bad: Geozone = { ...POINT, geometry: [[1, 95]] };
    expect(() => toFeatureCollection([POINT, bad])).toThrow(
      expect.objectContaining({ code: 'lat-range', field: 'zones[1].geometry[0][1]' }),
    );
    const loop: Record<string, unknown> = { ...POINT };
    loop['self'] = loop;
    expect(() => toFeatureCollection([loop as unknown as Geozone], { all: true })).toThrow(
      expect.objectContaining({ code: 'cycle' }),
    );
  });
});

describe('toKml', () => {
  const installed = spawnSync('xmllint', ['--version']).status === 0;
  test.skipIf(!installed || !hasData('kml/validate.sh'))(
    'is valid by the OGC schema (needs xmllint and ../shared/data)',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'wayzone-kml-'));
      try {
        const sample = fc.sample(zones, { numRuns: 40, seed: 7 }).flat();
        const list = sample.map((item, i) => ({ ...item, id: `${i} ${item.id}` }));
        const groups = [
          { id: 'g', name: NASTY.join(' '), geozones: list.slice(0, 5).map(({ id }) => ({ id })) },
        ];
        writeFileSync(join(folder, 'a.kml'), toKml(list, { groups, name: NASTY.join('') }));
        writeFileSync(join(folder, 'b.kml'), toKml([]));
        execFileSync('sh', [dataPath('kml/validate.sh'), join(folder, 'a.kml'), join(folder, 'b.kml')], {
          stdio: 'pipe',
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test('characters that XML forbids are U+FFFD in the visible name', () => {
    expect(toKml([{ ...POINT, name: 'a\u0003\uD800]]>' }])).toContain('<name>a\uFFFD\uFFFD]]&gt;</name>');
  });
});

describe('toCsv', () => {
  test('text cells cannot be formulas; numbers stay numbers', () => {
    const cells = ['=cmd|x', '+1', '-1', '@a', '\tb', '\rc', '＝d', 'plain', 'say "hi"', 'a\nb', 'x,y'];
    expect(toCsv(['=h', 'n'], [...cells.map((cell) => [cell, -1]), [null, Number.NaN]])).toBe(
      [
        "'=h,n",
        "'=cmd|x,-1",
        "'+1,-1",
        "'-1,-1",
        "'@a,-1",
        "'\tb,-1",
        '"\'\rc",-1',
        "'＝d,-1",
        'plain,-1',
        '"say ""hi""",-1',
        '"a\nb",-1',
        '"x,y",-1',
        ',',
        '',
      ].join('\r\n'),
    );
  });
});
