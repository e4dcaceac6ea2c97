import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone } from '../../src/core/wire.js';
import {
  type FeatureCollectionOptions,
  fromGeoJson,
  fromKml,
  toCsv,
  toFeatureCollection,
  toKml,
  writeFeatureCollection,
} from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { swapped, text, zones } from './arbitraryZones.js';
import { chunksOf } from './chunksOf.js';

describe('written zones are read back unchanged', () => {
  test.each(['lonlat', 'latlon'] as const)('GeoJSON with all fields, %s', (axisOrder) => {
    fc.assert(
      fc.property(zones, (list) => {
        const wire = axisOrder === 'lonlat' ? list : list.map(swapped);
        const written = JSON.stringify(toFeatureCollection(wire, { all: true, axisOrder }));
        const { value, issues } = fromGeoJson(written, { axisOrder });
        expect(issues).toEqual([]);
        expect(value.zones).toEqual(wire);
      }),
      { numRuns: volume(4000), seed: 20_261_125 },
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
      { numRuns: volume(4000), seed: 20_261_125 },
    );
  });
});

const POINT: Geozone = {
  id: 'p',
  name: 'P',
  type: { key: 'point' },
  geometry: [[1, 2]],
  is_show_on_map: true,
};

describe('toFeatureCollection', () => {
  const color = { key: '#F56C6C', type: 'color_code', value: 'red' } as const;
  const ROWS: readonly Geozone[] = [
    { ...POINT, color, icon: { key: 'hospital' } },
    { ...POINT, id: 'hidden', is_show_on_map: false },
    { ...POINT, id: 'deleted', is_delete: '1' },
  ];

  test('by default gives all live zones with address, name, type, colour and icon', () => {
    const geometry = { type: 'Point', coordinates: [1, 2] };
    const type = { key: 'point' };
    expect(toFeatureCollection(ROWS)).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'p',
          geometry,
          properties: { address: '', name: 'P', type, color, icon: { key: 'hospital' } },
        },
        { type: 'Feature', id: 'hidden', geometry, properties: { address: '', name: 'P', type } },
      ],
    });
    expect(toFeatureCollection(ROWS, { address: () => 'Street 1' }).features[0]?.properties.address).toBe(
      'Street 1',
    );
  });

  test('with onlyShownOnMap and two properties gives the features of the map endpoint', async () => {
    const options = { onlyShownOnMap: true, properties: ['address', 'name'] };
    const expected = {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'p',
          geometry: { type: 'Point', coordinates: [1, 2] },
          properties: { address: '', name: 'P' },
        },
      ],
    };
    expect(toFeatureCollection(ROWS, options)).toEqual(expected);
    const chunks = await chunksOf((sink) => writeFeatureCollection(ROWS, sink, options));
    expect(JSON.parse(chunks.join(''))).toEqual(expected);
    const ids = (more: FeatureCollectionOptions): (string | number)[] =>
      toFeatureCollection(ROWS, more).features.map(({ id }) => id);
    expect(ids({ all: true })).toEqual(['p', 'hidden', 'deleted']);
    expect(ids({ all: true, onlyShownOnMap: true })).toEqual(['p']);
    expect(ids({ onlyShownOnMap: true })).toEqual(['p']);
  });

  test('properties are copies of the named fields, with pairs in lon, lat', () => {
    const drawn = { ...ROWS[0]!, polygon_geometry: [[50, 10]], note: undefined } as Geozone;
    const properties = ['color', 'polygon_geometry', 'note', 'constructor', 'is_show_on_map'];
    const [feature] = toFeatureCollection([drawn], { properties, axisOrder: 'latlon' }).features;
    expect(feature!.properties).toEqual({ color, polygon_geometry: [[10, 50]], is_show_on_map: true });
    expect(feature!.properties['color']).not.toBe(color);
    for (const wrong of [['geometry'], ['id'], ['parts'], 'name', [5], null]) {
      expect(() => toFeatureCollection([], { properties: wrong as string[] })).toThrow(
        expect.objectContaining({ code: 'option-value', field: 'properties' }),
      );
    }
    expect(() => toFeatureCollection([], { properties: ['name'], all: true })).toThrow(
      expect.objectContaining({ code: 'option-value', field: 'properties' }),
    );
  });

  test('a line across the antimeridian is cut there', () => {
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: wkt('179 0, -179 2'),
    };
    expect(toFeatureCollection([line], { lines: 'line' }).features[0]?.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [wkt('179 0, 180 1'), wkt('-180 1, -179 2')],
    });
  });

  test('an invalid shape throws with its path; an object that contains itself throws', () => {
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

describe('toCsv', () => {
  test('Formats 53: text cells cannot be formulas; numbers stay numbers', () => {
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
