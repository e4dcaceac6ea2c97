import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MultiPolygon, Polygon, Position } from '../../src/core/geometry.js';
import type { Geozone } from '../../src/core/wire.js';
import { measureZone, signedDistanceMeters, ZoneIndex, zoneOutline } from '../../src/index.js';
import {
  fromCsv,
  fromGeoJson,
  fromKml,
  readParquet,
  toFeatureCollection,
  toGeoParquet,
  toKml,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { readWkb } from '../../src/interchange/parquet/geo/readWkb.js';
import { validateGeozones } from '../../src/schemas/index.js';
import { volume } from '../volume.js';
import { wkbOf } from './wkbOf.js';

type Outline = Polygon | MultiPolygon;

const polygonsOf = (outline: Outline): readonly (readonly (readonly Position[])[])[] =>
  outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;

const ringText = (ring: readonly Position[]): string => `(${ring.map(([x, y]) => `${x} ${y}`).join(', ')})`;

/** The outline as each format has it, and what is read from it. */
const READ: Readonly<Record<string, (outline: Outline) => Geozone[]>> = {
  geojson: (outline) =>
    fromGeoJson({ type: 'Feature', properties: {}, geometry: outline }).value.zones as Geozone[],
  kml: (outline) => {
    const boundary = (ring: readonly Position[], kind: string): string =>
      `<${kind}BoundaryIs><LinearRing><coordinates>${ring.map(([x, y]) => `${x},${y}`).join(' ')}</coordinates></LinearRing></${kind}BoundaryIs>`;
    const polygons = polygonsOf(outline).map(
      (rings) =>
        `<Polygon>${rings.map((ring, i) => boundary(ring, i === 0 ? 'outer' : 'inner')).join('')}</Polygon>`,
    );
    return fromKml(`<kml><Placemark><MultiGeometry>${polygons.join('')}</MultiGeometry></Placemark></kml>`)
      .value.zones as Geozone[];
  },
  wkt: (outline) => {
    const polygons = polygonsOf(outline).map((rings) => `(${rings.map(ringText).join(', ')})`);
    return fromCsv(`id;wkt\na;"MULTIPOLYGON(${polygons.join(', ')})"`, { delimiter: ';' }).value
      .zones as Geozone[];
  },
  // What GeoParquet files hold.
  wkb: (outline) => {
    const { geometry } = readWkb(new Uint8Array(wkbOf(outline as never)));
    return fromGeoJson({ type: 'Feature', properties: {}, geometry }).value.zones as Geozone[];
  },
};

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

function zoneOf(parts: readonly (readonly Position[])[]): Geozone {
  const [first] = parts;
  const shape = parts.length === 1 ? {} : { parts: [parts] };
  return { id: 'a', name: '', type: { key: 'polygon' }, geometry: first!, ...shape } as Geozone;
}

/** A star of `count` corners around a place: its ring is simple. */
function star(lon: number, lat: number, size: number, shares: readonly number[]): Position[] {
  return shares.map((share, i): Position => {
    const angle = (2 * Math.PI * i) / shares.length;
    const reach = size * (0.3 + 0.7 * share);
    return [lon + reach * Math.cos(angle), Math.max(-90, Math.min(90, lat + reach * Math.sin(angle)))];
  });
}

/** A ring around a pole, a corner for each share. */
function cap(pole: 90 | -90, shares: readonly number[]): Position[] {
  return shares.map((share, i): Position => {
    const lon = -175 + (360 * i) / shares.length;
    return [lon, pole > 0 ? 50 + 35 * share : -50 - 35 * share];
  });
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 24 });
const across = fc
  .tuple(
    fc.integer({ min: -50, max: 50 }),
    fc.double({ min: 178, max: 182, noNaN: true }),
    shares,
    fc.boolean(),
  )
  .map(([lat, lon, own, hasHole]) => {
    const shell = star(lon, lat, 20, own);
    return zoneOf(hasHole ? [shell, star(lon, lat, 4, own)] : [shell]);
  });
const polar = fc
  .tuple(fc.constantFrom<90 | -90>(90, -90), shares)
  .map(([pole, own]) => zoneOf([cap(pole, own)]));

const problemsOf = (zone: Geozone): unknown =>
  validateGeozones([{ ...zone, id: '00000000-0000-4000-8000-000000000001', name: 'a' }]).issues;

function isReadBack(zone: Geozone): void {
  const outline = zoneOutline(zone);
  const wanted = measureZone(zone);
  for (const [format, read] of Object.entries(READ)) {
    const zones = read(outline);
    expect(zones, format).toHaveLength(1);
    const [back] = zones as [Geozone];
    expect(problemsOf(back), format).toEqual([]);
    const given = measureZone(back);
    expect(Math.abs(given.area! / wanted.area! - 1), format).toBeLessThan(1e-7);
    expect(Math.abs(given.perimeter! / wanted.perimeter! - 1), format).toBeLessThan(1e-5);
    for (const [lon, lat] of [
      [179.99, 0],
      [-179.99, 45],
      [180, 10],
      [100, 88],
      [-60, -89],
    ] as const) {
      const near = signedDistanceMeters(zone, [lon, lat]);
      // An edge that the cut parts at 180° is two geodesics then.
      const off = Math.abs(signedDistanceMeters(back, [lon, lat]) - near);
      expect(off, `${format} ${lon} ${lat}`).toBeLessThan(1 + Math.abs(near) * 1e-3);
    }
  }
}

describe('polygons that a file has cut at 180° are one polygon', () => {
  test('the example of RFC 7946 §3.1.9 and a depot of two halves', () => {
    const halves = (west: Position[], east: Position[]): Geozone =>
      fromGeoJson({
        type: 'Feature',
        properties: {},
        geometry: { type: 'MultiPolygon', coordinates: [[west], [east]] },
      }).value.zones[0] as Geozone;
    const zone = halves(box(170, 40, 180, 50), box(-180, 40, -170, 50));
    expect(zone.parts).toBeUndefined();
    expect(measureZone(zone).perimeter).toBeCloseTo(5_364_428, 0);
    expect(signedDistanceMeters(zone, [179.99, 45])).toBeCloseTo(-555_415, -1);
    // A step where only a part of the two sides faces, in either order.
    const step = halves(box(-180, 42, -170, 60), box(170, 40, 180, 50));
    expect(problemsOf(step)).toEqual([]);
    expect(step.geometry).toHaveLength(9);
  });

  test('any zone across 180° is read back from every format as it was', () => {
    fc.assert(fc.property(across, isReadBack), { seed: 2, numRuns: volume(400) });
  });

  test('any zone around a pole is read back from every format as it was', () => {
    fc.assert(fc.property(polar, isReadBack), { seed: 3, numRuns: volume(400) });
  });

  test('a wavy band around the Earth has no edge at 180°', () => {
    const ring: Position[] = [];
    for (let lon = -180; lon <= 180; lon += 60) ring.push([lon, lon % 120 === 0 ? -10 : -14]);
    for (let lon = 180; lon >= -180; lon -= 60) ring.push([lon, lon % 120 === 0 ? 12 : 15]);
    const closed = [...ring, ring[0]!];
    const zone = fromGeoJson({ type: 'Polygon', coordinates: [closed] }).value.zones[0] as Geozone;
    const index = new ZoneIndex([zone]);
    for (const lon of [-180, -120, 0, 59, 179]) {
      expect(index.at([lon, 0]).length).toBe(1);
      expect(index.at([lon, 40]).length).toBe(0);
      expect(index.at([lon, -60]).length).toBe(0);
    }
    expect(signedDistanceMeters(zone, [180, 0])).toBeLessThan(-1_000_000);
  });

  test('parts that only touch at 180°, or lie on the same side, stay apart', () => {
    const apart = [[box(170, 40, 180, 50)], [box(-180, 50, -170, 60)]];
    const zone = fromGeoJson({ type: 'MultiPolygon', coordinates: apart }).value.zones[0] as Geozone;
    expect(zone.parts).toHaveLength(2);
    const same = [[box(170, 40, 180, 50)], [box(160, 60, 180, 70)]];
    expect(
      (fromGeoJson({ type: 'MultiPolygon', coordinates: same }).value.zones[0] as Geozone).parts,
    ).toEqual(same);
  });

  test('an empty member of a geometry is skipped with an issue; of a geometry without others nothing is read', () => {
    const yard = [box(10, 50, 11, 51)];
    const read = (type: string, coordinates: unknown): ReturnType<typeof fromGeoJson> =>
      fromGeoJson({ type: 'Feature', id: 'y', properties: {}, geometry: { type, coordinates } });
    for (const coordinates of [
      [[], yard],
      [yard, []],
      [[], yard, []],
    ]) {
      const { value, issues } = read('MultiPolygon', coordinates);
      expect(issues).toMatchObject([{ code: 'geometry-missing', severity: 'warning' }]);
      expect(value.zones).toEqual([{ id: 'y', name: '', type: { key: 'polygon' }, geometry: yard[0] }]);
      expect(() => new ZoneIndex(value.zones as Geozone[])).not.toThrow();
    }
    for (const [type, coordinates] of [
      ['MultiPolygon', [[], []]],
      ['MultiLineString', [[]]],
    ] as const) {
      expect(read(type, coordinates)).toMatchObject({
        value: { zones: [] },
        issues: [{ code: 'geometry-missing' }],
      });
    }
  });
});

test('a band round the Earth, or a cap, is written to all formats and read back', async () => {
  for (const [south, north] of [
    [70, 90],
    [-90, -60],
    [10, 20],
  ] as const) {
    const geometry = box(-180, south, 180, north);
    const zone: Geozone = { id: 'a', name: 'A', type: { key: 'polygon' }, geometry };
    const wanted = measureZone(zone);
    expect(wanted.area!).toBeGreaterThan(1e13);
    const read = [
      fromGeoJson(JSON.stringify(toFeatureCollection([zone]))),
      fromKml(toKml([zone])),
      fromCsv(toZoneCsv([zone])),
      fromCsv(toZoneCsv([zone]).replace('wayzone', 'other')),
      await readParquet(await toGeoParquet([zone])),
    ];
    for (const { value, issues } of read) {
      expect([value.zones.length, issues.filter(({ severity }) => severity === 'error')]).toEqual([1, []]);
      const { area, perimeter } = measureZone(value.zones[0]!);
      expect(Math.abs(area! / wanted.area! - 1)).toBeLessThan(1e-9);
      expect(Math.abs(perimeter! / wanted.perimeter! - 1)).toBeLessThan(1e-9);
    }
  }
});
