import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Geozone } from '../../src/core/wire.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import {
  fromCsv,
  loadCrs,
  readCsv,
  toFixCsv,
  toZoneCsv,
  writeFixCsv,
  writeZoneCsv,
} from '../../src/interchange/index.js';
import { errorOf } from '../errorOf.js';
import { volume } from '../volume.js';
import { pair, swapped, zones } from './arbitraryZones.js';
import { chunksOf } from './chunksOf.js';

const CIRCLE: Geozone = { id: 'c', name: 'C', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 50 };
const SQUARE: Geozone = {
  id: 's',
  name: 'S',
  type: { key: 'polygon' },
  geometry: [
    [37, 55],
    [38, 55],
    [38, 56],
    [37, 56],
  ],
  area: 7,
  color: { key: '#F56C6C', value: 'Red' },
};

describe('zones as CSV', () => {
  test.each(['lonlat', 'latlon'] as const)(
    'every field is read back, with exactly the same coordinates, %s',
    async (axisOrder) => {
      await fc.assert(
        fc.asyncProperty(zones, async (list) => {
          const wire = axisOrder === 'lonlat' ? list : list.map(swapped);
          const text = toZoneCsv(wire, { axisOrder });
          const { value, issues } = fromCsv(Buffer.from(text), { axisOrder });
          expect(issues).toEqual([]);
          expect(value.zones).toEqual(wire);
          const chunks = await chunksOf((sink) => writeZoneCsv(wire, sink, { axisOrder }));
          expect(chunks.join('')).toBe(text);
        }),
        { numRuns: volume(4000) },
      );
    },
  );

  test('the row has readable columns: type, width and well-known text', () => {
    const [header, circle, square] = toZoneCsv([CIRCLE, SQUARE]).split('\r\n');
    expect(header).toBe('id,name,type,width,color,icon,is_show_on_map,is_delete,wkt,wayzone');
    expect(circle).toContain('c,C,circle,50,,,,,POINT (37.6 55.7),');
    expect(square).toContain('s,S,polygon,,#F56C6C,,,,"POLYGON ((37 55, 38 55, 38 56, 37 56, 37 55))",');
  });

  test('an edited cell overrides the field in the column `wayzone`', () => {
    const changed = (zone: Geozone, from: string, to: string): object => {
      const { value, issues } = fromCsv(toZoneCsv([zone]).replace(from, to));
      expect(issues).toEqual([]);
      return value.zones[0]!;
    };
    expect(changed(SQUARE, 's,S,', 's,"New, name",')).toEqual({ ...SQUARE, name: 'New, name' });
    expect(changed(SQUARE, 's,S,', 't,S,')).toEqual({ ...SQUARE, id: 't' });
    expect(changed(SQUARE, ',#F56C6C,', ',#1585D8,')).toEqual({ ...SQUARE, color: { key: '#1585D8' } });
    expect(changed(SQUARE, ',#F56C6C,,,,', ',,school,0,true,')).toEqual({
      ...Object.fromEntries(Object.entries(SQUARE).filter(([field]) => field !== 'color')),
      icon: { key: 'school' },
      is_show_on_map: false,
      is_delete: true,
    });
    expect(changed(CIRCLE, 'circle,50', 'circle,60')).toEqual({ ...CIRCLE, width: 60 });
    expect(changed(CIRCLE, 'POINT (37.6', 'POINT (38.6')).toEqual({ ...CIRCLE, geometry: [[38.6, 55.7]] });
    expect(changed(CIRCLE, 'circle,50', 'point,')).toEqual({
      ...Object.fromEntries(Object.entries(CIRCLE).filter(([field]) => field !== 'width')),
      type: { key: 'point' },
    });
    const { area: _, ...unmeasured } = SQUARE;
    const moved = changed(SQUARE, '(37 55, 38 55', '(36 55, 38 55').valueOf() as Geozone;
    expect(moved).toMatchObject({ ...unmeasured, geometry: expect.anything() as unknown });
    expect(moved.geometry[0]).toEqual([36, 55]);
    expect(Object.hasOwn(moved, 'area')).toBe(false);
  });

  test('if fields and geometry disagree, the columns are read, with a warning', () => {
    const wrong = toZoneCsv([CIRCLE]).replace('circle,50', 'line,50');
    expect(fromCsv(wrong)).toMatchObject({
      value: { zones: [{ type: { key: 'point' } }] },
      issues: [{ code: 'type-mismatch', severity: 'warning', line: 2 }],
    });
    const torn = toZoneCsv([CIRCLE]).replace('{', '[');
    expect(fromCsv(torn).issues).toMatchObject([{ code: 'type-mismatch' }]);
  });

  test('a row with invalid fields is a zone or an issue', () => {
    const [header, row] = toZoneCsv([SQUARE]).split('\r\n');
    for (const more of [
      '"parts":5',
      '"parts":[1]',
      '"color":"x"',
      '"name":{}',
      `"note":${'['.repeat(9000)}${']'.repeat(9000)}`,
    ]) {
      const json = `{"id":"s","name":"S","type":{"key":"polygon"},${more}}`;
      const cells = row!.slice(0, row!.indexOf(',"{'));
      const { value, issues } = fromCsv(`${header}\r\n${cells},"${json.replaceAll('"', '""')}"\r\n`);
      expect(value.zones.length + issues.length).toBeGreaterThan(0);
    }
  });

  test('half a million fixes are written as one table', () => {
    const fixes = Array.from(
      { length: volume(500_000) },
      (_, i): Fix => ({ time: i * 1000, lon: 1, lat: 2 }),
    );
    expect(toFixCsv([{ name: 'a', unitId: 'a', fixes }]).split('\r\n')).toHaveLength(fixes.length + 2);
  });

  test('an invalid shape throws with the path of its zone', () => {
    for (const [zone, code] of [
      [{ ...CIRCLE, geometry: [] }, 'geometry-count'],
      [{ ...SQUARE, geometry: [[1, 2]] }, 'ring-too-short'],
      [{ ...SQUARE, type: { key: 'line' }, geometry: [] }, 'line-too-short'],
      [{ ...SQUARE, parts: [[[[1, 95]]]] }, 'lat-range'],
    ] as const) {
      const error = errorOf(() => toZoneCsv([CIRCLE, zone as unknown as Geozone]));
      expect([error.code, error.field.startsWith('zones[1]')]).toEqual([code, true]);
    }
  });

  test('in another system the EPSG code comes first, and positions are read back within a millimetre', async () => {
    const crs = await loadCrs('EPSG:32637');
    const text = toZoneCsv([CIRCLE, SQUARE], { crs });
    expect(text).toContain('SRID=32637;POINT (412');
    const chunks = await chunksOf((sink) => writeZoneCsv([CIRCLE, SQUARE], sink, { crs: 'EPSG:32637' }));
    expect(chunks.join('')).toBe(text);
    const { value, issues } = await readCsv([Buffer.from(text)], { crs: 'EPSG:32637' });
    expect(issues).toEqual([]);
    expect(value.zones[0]).toEqual(CIRCLE);
    value.zones[1]!.geometry.slice(0, 4).forEach(([lon, lat], i) => {
      const [x, y] = SQUARE.geometry[i]!;
      expect(geodesicDistance(lon, lat, x, y)).toBeLessThan(1e-3);
    });
    expect(fromCsv(text).issues.map(({ code }) => code)).toEqual(['crs-unsupported', 'crs-unsupported']);
    expect(errorOf(() => toZoneCsv([], { crs: 'EPSG:32637' })).code).toBe('crs-not-loaded');
    const nowhere = { ...crs, fromWgs84: () => [Number.NaN, 0] as const };
    expect(errorOf(() => toZoneCsv([CIRCLE], { crs: nowhere }))).toMatchObject({ code: 'crs-range' });
  });
});

describe('fixes as CSV', () => {
  const fix: fc.Arbitrary<Fix> = fc
    .tuple(
      pair,
      fc.integer({ min: 0, max: 4e12 }),
      fc.record(
        {
          speedKph: fc.double({ min: 0, max: 200, noNaN: true }),
          courseDegrees: fc.integer({ min: 0, max: 359 }),
          altitudeMeters: fc.integer({ min: -500, max: 50_000 }),
          accuracyMeters: fc.nat(90),
          satellites: fc.nat(40),
          valid: fc.boolean(),
          ignition: fc.boolean(),
          mileageMeters: fc.double({ min: 0, max: 1e9, noNaN: true }),
          mileageDeltaMeters: fc.nat(5000),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([[lon, lat], time, more]) => ({ time, lon, lat, ...more }));

  test('are read back with exactly the same numbers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fix, { minLength: 1 }), fc.array(fix, { minLength: 1 }), async (a, b) => {
        const tracks = [
          { name: 'a', unitId: 'a', fixes: a },
          { name: 'b,"', unitId: 'b,"', fixes: b },
        ];
        const text = toFixCsv(tracks);
        const { value, issues } = fromCsv(text);
        expect(issues).toEqual([]);
        expect(value.tracks).toEqual(tracks);
        const chunks = await chunksOf((sink) => writeFixCsv(tracks, sink));
        expect(chunks.join('')).toBe(text);
      }),
      { numRuns: volume(1000) },
    );
  });

  test('in another system the columns are y and x; an invalid time is an error with its path', async () => {
    const crs = await loadCrs('EPSG:32637');
    const tracks = [{ name: 'a', unitId: 'a', fixes: [{ time: 0, lon: 37.6, lat: 55.7 }] }];
    const text = toFixCsv(tracks, { crs });
    expect(text).toMatch(/^unit,time,y,x,/);
    // Also at 1970-01-01, which stands before times of day in some tables.
    const { time, lon, lat } = fromCsv(text, { crs }).value.tracks[0]!.fixes[0]!;
    expect(time).toBe(0);
    expect(geodesicDistance(lon, lat, 37.6, 55.7)).toBeLessThan(1e-3);
    const late = [{ ...tracks[0]!, fixes: [{ time: Number.NaN, lon: 1, lat: 2 }] }];
    expect(errorOf(() => toFixCsv(late))).toMatchObject({
      code: 'time-range',
      field: 'tracks[0].fixes[0].time',
    });
    await expect(writeFixCsv(late, () => undefined)).rejects.toMatchObject({ code: 'time-range' });
  });
});

describe('marks of spreadsheet programs', () => {
  const marks = { delimiter: ';', decimal: ',' } as const;
  const zone = {
    id: 'a',
    name: 'A; "b"',
    type: { key: 'circle' as const },
    geometry: [[37.6, 55.7] as const],
    width: 50.5,
  };

  test('zones and fixes are read back unchanged, with their attributes', () => {
    const full = { ...zone, properties: { load: 1.25, note: 'x;y' } };
    const text = toZoneCsv([full], { marks });
    expect(text).toMatch(/^\uFEFFid;name;type;width;.*\r\n.*;50,5;/);
    expect(fromCsv(text)).toEqual({
      value: { zones: [full], groups: [], routes: [], tracks: [] },
      issues: [],
    });
    const fixes = [{ time: 0, lon: 37.6, lat: 55.7, speedKph: 12.5 }];
    const table = toFixCsv([{ name: 'v', unitId: 'v', fixes }], { marks });
    expect(table).toMatch(/^\uFEFFunit;time;lat;lon;.*\r\nv;1970-01-01T00:00:00.000Z;55,7;37,6;12,5;/);
    expect(fromCsv(table).value.tracks).toEqual([{ name: 'v', unitId: 'v', fixes }]);
  });

  test.each([null, 7, {}, { delimiter: ',', decimal: ',' }, { delimiter: '|', decimal: '.' }])(
    '%j is refused',
    (wrong) => {
      for (const write of [
        () => toZoneCsv([zone], { marks: wrong as never }),
        () => toFixCsv([], { marks: wrong as never }),
      ])
        expect(errorOf(write)).toMatchObject({ code: 'option-value', field: 'marks' });
    },
  );
});
