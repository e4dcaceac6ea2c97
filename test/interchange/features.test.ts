import fc from 'fast-check';
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { describe, expect, test } from 'vitest';
import type { Geozone, Pair } from '../../src/core/wire.js';
import {
  type FeatureCollectionOptions,
  fromCsv,
  fromGeoJson,
  fromKml,
  toFeatureCollection,
  toKml,
  toZoneCsv,
  writeFeatureCollection,
} from '../../src/interchange/index.js';
import { zoneOutline } from '../../src/zones/zoneOutline.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { zones } from './arbitraryZones.js';
import { chunksOf } from './chunksOf.js';

const POINT: Geozone = {
  id: 'p',
  name: 'P',
  type: { key: 'point' },
  geometry: [[1, 2]],
  is_show_on_map: true,
};

function polygon(geometry: Pair[], more: Partial<Geozone> = {}): Geozone {
  return { ...POINT, type: { key: 'polygon' }, geometry, ...more };
}

function geometryOf(zone: Geozone, options: FeatureCollectionOptions = {}): unknown {
  return toFeatureCollection([zone], { all: true, ...options }).features[0]?.geometry;
}

describe('addresses', () => {
  const address = (options: FeatureCollectionOptions, zone: Geozone = POINT): unknown =>
    toFeatureCollection([zone], options).features[0]?.properties['address'];

  test('come from a function, a map or a record by id, else from the zone, else are empty text', () => {
    expect(address({})).toBe('');
    expect(address({ address: (zone) => `at ${zone.id}` })).toBe('at p');
    expect(address({ address: new Map([['p', 'Street 1']]) })).toBe('Street 1');
    expect(address({ address: { p: 'Street 2' } })).toBe('Street 2');
    const own = { ...POINT, address: 'own' } as Geozone;
    expect(address({}, own)).toBe('own');
    expect(address({ address: () => null }, own)).toBe('own');
    expect(address({ address: {} }, { ...POINT, id: 'constructor' })).toBe('');
  });

  test('that are not text are errors', () => {
    expect(() => address({ address: (() => 5) as unknown as () => string })).toThrow(
      expect.objectContaining({ code: 'option-value' }),
    );
  });
});

describe('circles, bbox, digits', () => {
  const circle: Geozone = { ...POINT, type: { key: 'circle' }, width: 500 };

  test('a circle is written as its outline, or as the Point of its centre', () => {
    expect(geometryOf(circle)).toMatchObject({ type: 'Polygon' });
    expect(geometryOf(circle, { circles: 'point' })).toEqual({ type: 'Point', coordinates: [1, 2] });
  });

  test('a line is written as its corridor, or as itself; without a width always as itself', () => {
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: wkt('1 2, 1.01 2'),
      width: 30,
    };
    const itself = {
      type: 'LineString',
      coordinates: wkt('1 2, 1.01 2'),
    };
    expect(geometryOf(line)).toEqual(zoneOutline(line));
    expect(geometryOf(line, { lines: 'line' })).toEqual(itself);
    const { width: _, ...bare } = line;
    expect(geometryOf(bare)).toEqual(itself);
    expect(geometryOf(bare, { defaultWidthMeters: 30 })).toEqual(zoneOutline(line));
    expect(() => geometryOf({ ...line, width: -1 })).toThrow(
      expect.objectContaining({ field: 'zones[0].width' }),
    );
  });

  test.each([
    [wkt('170 1, 179 2'), [170, 1, 179, 2]],
    [wkt('179 1, -179 2'), [179, 1, -179, 2]],
    [wkt('-1 1, 1 2'), [-1, 1, 1, 2]],
    [wkt('-90 0, 0 1, 90 2'), [-90, 0, 90, 2]],
    [wkt('180 1, 170 2'), [170, 1, 180, 2]],
  ] as [Pair[], number[]][])('the bbox of the line %j is %j', (geometry, bbox) => {
    const line: Geozone = { ...POINT, type: { key: 'line' }, geometry, width: 10 };
    const collection = toFeatureCollection([line], { bbox: true, lines: 'line' });
    expect(collection.bbox).toEqual(bbox);
    expect(collection.features[0]?.bbox).toEqual(bbox);
  });

  test('the bbox of a collection contains all features, and crosses the antimeridian where that is narrower', () => {
    const at = (lon: number): Geozone => ({ ...POINT, geometry: [[lon, 5]] });
    expect(toFeatureCollection([at(170), at(-170)], { bbox: true }).bbox).toEqual([170, 5, -170, 5]);
    expect(toFeatureCollection([at(170), at(-170), at(0)], { bbox: true }).bbox).toEqual([0, 5, -170, 5]);
    expect(toFeatureCollection([at(-10), at(10)], { bbox: true }).bbox).toEqual([-10, 5, 10, 5]);
    expect(toFeatureCollection([], { bbox: true })).toEqual({ type: 'FeatureCollection', features: [] });
  });

  test('digits other than a whole number from 0 to 15 are errors', () => {
    for (const digits of [-1, 16, 1.5, Number.NaN]) {
      expect(() => toFeatureCollection([], { digits })).toThrow(
        expect.objectContaining({ code: 'option-value' }),
      );
    }
  });

  test('more digits are kept where rounding would remove, fold or reverse a geometry', () => {
    expect(geometryOf({ ...POINT, geometry: [[1.23456789, -0.0000001]] }, { digits: 5 })).toEqual({
      type: 'Point',
      coordinates: [1.23457, 0],
    });
    const small: Pair[] = wkt(
      '1.00001 1.00001, 1.00002 1.00001, 1.00002 1.00002, 1.00001 1.00002, 1.00001 1.00001',
    );
    expect(geometryOf(polygon(small), { digits: 2 })).toEqual({ type: 'Polygon', coordinates: [small] });
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: wkt('1.04 1, 1.01 1'),
    };
    expect(geometryOf(line, { digits: 1, lines: 'line' })).toEqual({
      type: 'LineString',
      coordinates: wkt('1.04 1, 1.01 1'),
    });
  });

  test('a valid polygon is valid after rounding, checked by JTS', () => {
    const factory = new GeometryFactory();
    const isValid = (geometry: unknown): boolean => {
      const [ring] = (geometry as { coordinates: Pair[][] }).coordinates;
      const shell = factory.createLinearRing(ring!.map(([x, y]) => new Coordinate(x, y)));
      return new IsValidOp(factory.createPolygon(shell, [])).getValidationError() === null;
    };
    // Rounding easily folds a star with thin rays.
    const star = fc
      .tuple(
        fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 5, maxLength: 24 }),
        fc.double({ min: -100, max: 100, noNaN: true }),
        fc.double({ min: 1e-4, max: 0.3, noNaN: true }),
      )
      .map(([radii, x, size]) =>
        polygon(
          radii.map((radius, i) => {
            const angle = (2 * Math.PI * i) / radii.length;
            return [x + size * radius * Math.cos(angle), 20 + size * radius * Math.sin(angle)] as const;
          }),
        ),
      );
    let shortened = 0;
    fc.assert(
      fc.property(star, fc.integer({ min: 0, max: 7 }), (zone, digits) => {
        if (!isValid(geometryOf(zone))) return;
        const rounded = geometryOf(zone, { digits });
        expect(isValid(rounded)).toBe(true);
        if (JSON.stringify(rounded).length < JSON.stringify(geometryOf(zone)).length) shortened++;
      }),
      { numRuns: volume(10_000) },
    );
    expect(shortened).toBeGreaterThan(volume(10_000) / 2);
  });
});

describe('toleranceMeters', () => {
  const circle: Geozone = { ...POINT, type: { key: 'circle' }, width: 500 };
  const line: Geozone = {
    ...POINT,
    type: { key: 'line' },
    width: 100,
    geometry: wkt('1 2, 1.01 2'),
  };

  test('bounds the distance of circles and corridors from the true boundary, as in zoneOutline', async () => {
    for (const zone of [circle, line]) {
      for (const toleranceMeters of [0.01, 1, 20]) {
        const outline = zoneOutline(zone, { toleranceMeters });
        expect(geometryOf(zone, { toleranceMeters })).toEqual(outline);
        const chunks = await chunksOf((sink) => writeFeatureCollection([zone], sink, { toleranceMeters }));
        expect(JSON.parse(chunks.join('')).features[0].geometry).toEqual(outline);
      }
    }
    const { length } = (geometryOf(circle) as { coordinates: Pair[][] }).coordinates[0]!;
    expect(length).toBe(73);
  });

  test('out of range is an error, also without zones', () => {
    for (const toleranceMeters of [0, -1, Number.NaN, '1', null]) {
      expect(() => toFeatureCollection([], { toleranceMeters } as FeatureCollectionOptions)).toThrow(
        expect.objectContaining({ code: 'tolerance-range' }),
      );
    }
  });
});

describe('polygons whose rings cross', () => {
  const bowTie = polygon(wkt('0 0, 2 2, 2 0, 0 2'));
  const twice = polygon(wkt('0 0, 2 0, 1 2, 0 0, 2 0, 1 2'));

  test('are written as their outline by every writer, and read back as they were', () => {
    const outline = zoneOutline(bowTie);
    expect(outline.type).toBe('MultiPolygon');
    expect(geometryOf(bowTie)).toEqual(outline);
    expect(toKml([bowTie]).match(/<Polygon>/g)).toHaveLength(2);
    expect(toZoneCsv([bowTie])).toContain('MULTIPOLYGON (((0 0, 1 1, 0 2, 0 0)), ((2 2, 1 1, 2 0, 2 2)))');
    for (const zone of [bowTie, twice, polygon([...bowTie.geometry, bowTie.geometry[0]!])]) {
      for (const { value, issues } of [
        fromGeoJson(JSON.stringify(toFeatureCollection([zone], { all: true, bbox: true, digits: 6 }))),
        fromKml(toKml([zone])),
        fromCsv(toZoneCsv([zone])),
      ]) {
        expect(issues).toEqual([]);
        expect(value.zones).toEqual([zone]);
      }
    }
  });

  test('without an inside are a MultiPolygon without polygons', () => {
    expect(geometryOf(twice)).toEqual({ type: 'MultiPolygon', coordinates: [] });
  });
});

describe('writeFeatureCollection', () => {
  const written = (
    source: Parameters<typeof writeFeatureCollection>[0],
    options: FeatureCollectionOptions,
  ): Promise<string[]> => chunksOf((sink) => writeFeatureCollection(source, sink, options));

  test.each([{}, { all: true }, { bbox: true, digits: 4 }])(
    'writes the collection of toFeatureCollection, %j',
    async (options) => {
      const list = fc.sample(zones, { numRuns: 400, seed: 5 }).flat();
      async function* later(): AsyncGenerator<Geozone> {
        yield* list;
      }
      const chunks = await written(later(), options);
      for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(65_536);
      expect(JSON.parse(chunks.join(''))).toEqual(
        JSON.parse(JSON.stringify(toFeatureCollection(list, options))),
      );
    },
  );

  test('writes an empty collection without zones; the error of an invalid zone has its path', async () => {
    expect(JSON.parse((await written([], {})).join(''))).toEqual({ type: 'FeatureCollection', features: [] });
    await expect(written([POINT, { ...POINT, geometry: [] }], {})).rejects.toMatchObject({
      field: expect.stringContaining('zones[1]'),
    });
    await expect(written(null as unknown as Geozone[], {})).rejects.toMatchObject({ code: 'source-type' });
  });
});
