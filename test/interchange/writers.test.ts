import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone } from '../../src/core/wire.js';
import { fromGeoJson, fromKml, toCsv, toFeatureCollection, toKml } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { swapped, text, zones } from './arbitraryZones.js';

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
});

const POINT: Geozone = {
  id: 'p',
  name: 'P',
  type: { key: 'point' },
  geometry: [[1, 2]],
  is_show_on_map: true,
};

describe('toFeatureCollection', () => {
  test('by default gives the zones on the map with address and name', () => {
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
          properties: { address: '', name: 'P' },
        },
      ],
    });
    expect(toFeatureCollection(rows, { address: () => 'Street 1' }).features[0]?.properties['address']).toBe(
      'Street 1',
    );
  });

  test('a line across the antimeridian is cut there', () => {
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: [
        [179, 0],
        [-179, 2],
      ],
    };
    expect(toFeatureCollection([line], { lines: 'line' }).features[0]?.geometry).toEqual({
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
