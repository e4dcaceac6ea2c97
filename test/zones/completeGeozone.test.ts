import { describe, expect, test } from 'vitest';
import { completeGeozone, type Geozone, type Issue, lineToPolygon, measureZone } from '../../src/index.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const CIRCLE: Geozone = {
  id: 'a',
  name: 'Depot',
  type: { key: 'circle' },
  geometry: [[37.6, 55.7]],
  width: 100,
};
const POLYGON: Geozone = {
  id: 'b',
  name: 'Yard',
  type: { key: 'polygon' },
  geometry: wkt('37 55, 38 55, 38 56'),
};

/** The codes of what `onIssue` receives. */
function differences(zone: Geozone, stored: Geozone | null = null): string[] {
  const codes: string[] = [];
  completeGeozone(zone, { stored, onIssue: ({ code }) => codes.push(code) });
  return codes;
}

describe('completeGeozone', () => {
  test.each([CIRCLE, POLYGON])('computes area and perimeter: %j', (zone) => {
    const { area, perimeter } = measureZone(zone);
    expect(completeGeozone(zone)).toEqual({
      ...zone,
      type: { key: zone.type.key, type: 'geozone_type', value: zone === CIRCLE ? 'Circle' : 'Polygon' },
      area,
      perimeter,
    });
  });

  test('a square of 1° by 1° at the equator has the area of such a cell of the ellipsoid', () => {
    const geometry = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const;
    // The strip of WGS84 from 0° to 1° of latitude, divided by 360: the closed form of the authalic area.
    const e = Math.sqrt(0.00669437999014);
    const sin = Math.sin(Math.PI / 180);
    const q = sin / (1 - (e * sin) ** 2) + Math.atanh(e * sin) / e;
    const area = ((6378137 ** 2 * (1 - e * e)) / 2) * q * (Math.PI / 180);
    expect(completeGeozone({ ...POLYGON, geometry }).area).toBeCloseTo(area, -1);
  });

  test('takes only the key of entries, whose type and value are the dictionary’s, and keeps their further fields', () => {
    const zone = {
      ...CIRCLE,
      type: { key: 'circle', type: 'zzz', value: 'Polygon' } as const,
      color: { key: '#1bb934', value: 'Red', shade: 7 },
      icon: { key: 'barn', type: 'x', value: 'Mine' },
    };
    expect(completeGeozone(zone, { language: 'ru' })).toMatchObject({
      type: { key: 'circle', type: 'geozone_type', value: 'Круг' },
      color: { key: '#1bb934', type: 'color_code', value: 'Зелёный', shade: 7 },
      icon: { key: 'barn', type: 'geo_icon', value: 'barn' },
    });
  });

  test('leaves out empty fields; keeps 0, false and unknown fields', () => {
    const zone = {
      ...CIRCLE,
      parts: null,
      color: null,
      area: null,
      companies: [],
      created: '',
      polygon_geometry: [],
      is_show_on_map: false,
      is_delete: 0,
      note: null,
      tags: [],
    };
    const { area, perimeter, ...rest } = completeGeozone(zone);
    expect(rest).toEqual({
      ...CIRCLE,
      type: { key: 'circle', type: 'geozone_type', value: 'Circle' },
      is_show_on_map: false,
      is_delete: 0,
      note: null,
      tags: [],
    });
    expect([area, perimeter].every(Number.isFinite)).toBe(true);
  });

  test('a point without a width has area 0, and a received 0 agrees', () => {
    const point: Geozone = { id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]], area: 0 };
    expect(completeGeozone(point)).toMatchObject({ area: 0, perimeter: 0 });
    expect(differences({ ...point, area: 1 })).toEqual(['area-differs']);
  });

  test('a line gets the area, the perimeter and the polygon of its corridor', () => {
    const line: Geozone = {
      id: 'l',
      name: 'L',
      type: { key: 'line' },
      width: 20,
      geometry: wkt('10 50, 10.01 50'),
    };
    const whole = completeGeozone(line);
    const { length } = measureZone(line);
    expect(whole.area! / (length! * 20 + Math.PI * 100)).toBeCloseTo(1, 3);
    expect(whole.perimeter! / (2 * length! + Math.PI * 20)).toBeCloseTo(1, 3);
    expect(whole.polygon_geometry).toEqual(lineToPolygon(line).polygon_geometry);
    expect(completeGeozone(whole)).toEqual(whole);
    const latLon = completeGeozone(
      { ...line, geometry: line.geometry.map(([lon, lat]) => [lat, lon] as const) },
      { axisOrder: 'latlon' },
    );
    expect(latLon.polygon_geometry!.map(([lat, lon]) => [lon, lat])).toEqual(whole.polygon_geometry);
  });

  test('a received polygon that differs is reported, and the computed one is used', () => {
    const line: Geozone = {
      ...POLYGON,
      type: { key: 'line' },
      width: 20,
      polygon_geometry: POLYGON.geometry,
    };
    expect(differences(line)).toEqual(['polygon-differs']);
    const issues: Issue[] = [];
    const whole = completeGeozone(
      { ...line, polygon_geometry: [[0, 0]] },
      { onIssue: (issue) => issues.push(issue) },
    );
    expect(issues.map(({ code }) => code)).toEqual(['polygon-differs']);
    expect(whole.polygon_geometry).toEqual(lineToPolygon(line).polygon_geometry);
  });

  test('a received value within 1 % gives no warning, and the computed one is used', () => {
    const { area } = measureZone(CIRCLE);
    for (const share of [0.9901, 1, 1.0099])
      expect(completeGeozone({ ...CIRCLE, area: area! * share }).area).toBe(area);
  });

  test('a received value with a greater error is reported, and the computed one is used', () => {
    const { area, perimeter } = measureZone(CIRCLE);
    const issues: Issue[] = [];
    const sent = { ...CIRCLE, area: area! * 1.0101, perimeter: 'long' as unknown as number };
    const zone = completeGeozone(sent, { onIssue: (issue) => issues.push(issue) });
    expect(zone).toMatchObject({ area, perimeter });
    expect(issues).toEqual([
      {
        code: 'area-differs',
        severity: 'warning',
        field: 'area',
        message: `expected the area of the geometry within 1 %, ${area} m², received ${sent.area}`,
      },
      {
        code: 'perimeter-differs',
        severity: 'warning',
        field: 'perimeter',
        message: `expected the perimeter of the geometry within 1 %, ${perimeter} m, received "long"`,
      },
    ]);
  });

  test('without onIssue nobody is told, and the computed values are used', () => {
    const sent = { ...CIRCLE, area: 1, perimeter: 'long' as unknown as number };
    expect(completeGeozone(sent)).toEqual(completeGeozone(CIRCLE));
    expect(differences({ ...CIRCLE, area: 1, perimeter: 1 })).toEqual(['area-differs', 'perimeter-differs']);
  });

  test.each(['circle', 'polygon', 'point'] as const)(
    'only a line has a polygon: a line that becomes a %s loses its own',
    (key) => {
      const line = { ...POLYGON, type: { key: 'line' }, width: 20 } as const;
      const stored = completeGeozone(line);
      const pairs = key === 'polygon' ? POLYGON.geometry : CIRCLE.geometry;
      const edited = { ...stored, type: { key }, geometry: pairs };
      expect(completeGeozone(edited)).not.toHaveProperty('polygon_geometry');
      expect(differences(edited)).toEqual(['area-differs', 'perimeter-differs', 'polygon-differs']);
      expect(differences(edited, stored)).toEqual([]);
      expect(completeGeozone({ ...edited, polygon_geometry: 'none' as never })).toEqual(
        completeGeozone(edited),
      );
    },
  );

  test.each([
    ['no object', null, {}, 'geozone-type', ''],
    ['a list', [], {}, 'geozone-type', ''],
    ['no shape', {}, {}, 'zone-type', 'type.key'],
    ['a latitude', { ...CIRCLE, geometry: [[0, 91]] }, {}, 'lat-range', 'geometry[0][1]'],
    ['a colour', { ...CIRCLE, color: { key: 'red' } }, {}, 'dictionary-key', 'color.key'],
    ['an icon as a text', { ...CIRCLE, icon: 'school' }, {}, 'dictionary-key', 'icon.key'],
    ['options', CIRCLE, null, 'option-type', 'options'],
    ['a handler', CIRCLE, { onIssue: 7 }, 'option-type', 'options.onIssue'],
    ['an order of axes', CIRCLE, { axisOrder: 'xy' }, 'option-value', 'options.axisOrder'],
    ['a language', CIRCLE, { language: 7 }, 'option-value', 'language'],
  ])('refuses an invalid value: %s', (_, input, options, code, field) => {
    expect(errorOf(() => completeGeozone(input as never, options as never))).toMatchObject({ code, field });
  });

  test('an input that throws when read is input-unreadable, and no input is changed', () => {
    const hostile = { ...CIRCLE };
    Object.defineProperty(hostile, 'note', {
      enumerable: true,
      get: () => {
        throw new TypeError('own');
      },
    });
    expect(errorOf(() => completeGeozone(hostile))).toMatchObject({ code: 'input-unreadable' });
    const frozen = Object.freeze({ ...CIRCLE, color: null, area: null });
    completeGeozone(frozen);
    expect(frozen).toEqual({ ...CIRCLE, color: null, area: null });
    const named = JSON.parse('{"__proto__": {"a": 1}}') as object;
    expect(Object.keys(completeGeozone({ ...named, ...CIRCLE }))).toContain('__proto__');
  });
});

describe('an update of a stored row', () => {
  const line: Geozone = {
    id: 'c',
    name: 'Road',
    type: { key: 'line' },
    geometry: wkt('37.6 55.7, 37.61 55.7'),
    width: 50,
  };

  test.each([CIRCLE, POLYGON, line])(
    'a row that is read, edited and sent back in full gets new derived fields: $name',
    (zone) => {
      const stored = completeGeozone(zone);
      const read = JSON.parse(JSON.stringify(stored)) as Geozone;
      const geometry = read.geometry.map(([x, y]) => [2 * x, y] as const);
      const edited = { ...read, geometry, width: (read.width ?? 0) * 2 };
      const saved = completeGeozone(edited, { stored });
      expect(saved).toEqual(completeGeozone({ ...zone, geometry, width: edited.width }));
      expect(saved.area).not.toBe(stored.area);
      expect(completeGeozone(read, { stored })).toEqual(stored);
      expect(differences(edited, stored)).toEqual([]);
      expect(differences(edited)).toContain('area-differs');
    },
  );

  test('a derived field that the client changed is compared', () => {
    const stored = completeGeozone(line);
    const edited = { ...stored, width: 100 };
    const fields = (sent: Geozone): string[] => differences(sent, stored);
    expect(fields({ ...edited, area: stored.area! + 1 })).toEqual(['area-differs']);
    expect(fields({ ...edited, perimeter: 7 })).toEqual(['perimeter-differs']);
    const moved = stored.polygon_geometry!.map(([x, y]) => [x, y + 1e-4] as const);
    expect(fields({ ...edited, polygon_geometry: moved })).toEqual(['polygon-differs']);
    const right = completeGeozone({ ...line, width: 100 });
    expect(completeGeozone({ ...edited, area: right.area! }, { stored })).toEqual(right);
  });

  test('a stored row without a value does not skip the comparison; null is no stored row; other types are refused', () => {
    expect(differences({ ...CIRCLE, area: 1 }, CIRCLE)).toEqual(['area-differs']);
    expect(completeGeozone(CIRCLE, { stored: null })).toEqual(completeGeozone(CIRCLE));
    for (const stored of [7, 'row', []])
      expect(errorOf(() => completeGeozone(CIRCLE, { stored: stored as never }))).toMatchObject({
        code: 'option-type',
        field: 'options.stored',
      });
  });
});
