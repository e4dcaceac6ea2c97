import { describe, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

const codes = (text: string, options = {}): string[] => fromCsv(text, options).issues.map(({ code }) => code);

describe('zones in well-known text', () => {
  test('columns are wire fields by name; others are properties', () => {
    const file = [
      'ID;Name;WKT;radius;color;is_show_on_map;note',
      'a;Depot;"POINT (37.6 55.7)";250;#F56C6C;false;=x',
      ';Yard;"MULTIPOLYGON (((0 0,1 0,1 1,0 0),(0.5 0.1,0.6 0.1,0.6 0.2,0.5 0.1)),((5 5,6 5,6 6,5 5)))";;;1;',
      'c;;"linestring z(1 2 3, 4 5 0)";;;;',
    ].join('\n');
    const { value, issues } = fromCsv(file);
    expect(value.zones).toMatchObject([
      {
        id: 'a',
        name: 'Depot',
        type: { key: 'circle' },
        geometry: [[37.6, 55.7]],
        width: 250,
        color: { key: '#F56C6C' },
        is_show_on_map: false,
        properties: { note: '=x' },
      },
      { id: 'zone-2', name: 'Yard', type: { key: 'polygon' }, is_show_on_map: true },
      {
        id: 'c',
        type: { key: 'line' },
        geometry: [
          [1, 2],
          [4, 5],
        ],
      },
    ]);
    expect(value.zones[1]?.parts).toHaveLength(2);
    expect(value.tracks).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(['altitude-dropped']);
  });

  test('several geometries are zones in a group; the option wktColumn names the column', () => {
    const { value } = fromCsv('shape,name\n"GEOMETRYCOLLECTION(POINT(1 2),MULTIPOINT((3 4),5 6))",G', {
      wktColumn: 'SHAPE',
    });
    expect(value.zones.map(({ geometry }) => geometry[0])).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(value.groups).toMatchObject([{ name: 'G' }]);
  });

  test('with a column of times the rows are fixes, unless the option `as` is zones', () => {
    const file = 'time,lat,lon,wkt\n2026-01-01T00:00:00Z,1,2,POINT(3 4)';
    expect(fromCsv(file).value.tracks).toHaveLength(1);
    expect(fromCsv(file, { as: 'zones' }).value.zones[0]?.geometry).toEqual([[3, 4]]);
    expect(codes('a,b', { as: 'zones' })).toEqual(['csv-columns']);
  });

  const invalid: readonly (readonly [text: string, code: string])[] = [
    ['POINT', 'wkt-syntax'],
    ['POINT(1)', 'wkt-syntax'],
    ['POINT(1 2 3 4 5)', 'wkt-syntax'],
    ['POINT(1 2', 'wkt-syntax'],
    ['POINT(1 2) x', 'wkt-syntax'],
    ['POINT(1 NaN)', 'wkt-syntax'],
    ['POINT(0x1 2)', 'wkt-syntax'],
    ['CIRCLE(1 2)', 'wkt-syntax'],
    ['SRID=;POINT(1 2)', 'wkt-syntax'],
    ['SRID=32637;POINT(1 2)', 'crs-unsupported'],
    ['POINT(1 95)', 'lat-range'],
    ['LINESTRING(1 2)', 'line-too-short'],
    ['POLYGON((1 2,3 4,1 2))', 'ring-too-short'],
    ['POLYGON EMPTY', 'geometry-missing'],
    ['', 'geometry-missing'],
    ['GEOMETRYCOLLECTION('.repeat(100_000), 'limit-depth'],
    ['('.repeat(1000), 'wkt-syntax'],
  ];
  test.each(invalid.map(([text, code]) => [text.slice(0, 40), code, text] as const))(
    '"%s" gives %s with its line',
    (_, code, text) => {
      expect(fromCsv(`id,wkt\na,POINT(1 2)\nb,"${text}"`).issues).toMatchObject([{ code, line: 3 }]);
    },
  );

  test('an empty delimiter is an error', () => {
    expect(() => fromCsv('a', { delimiter: '' })).toThrow(expect.objectContaining({ code: 'option-value' }));
  });

  test('SRID 4326 is accepted', () => {
    expect(codes('wkt\nSRID=4326;POINT(1 2)')).toEqual([]);
  });
});
