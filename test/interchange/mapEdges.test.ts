/** Zones across the antimeridian in well-known text, and the exact bounding boxes of features. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone } from '../../src/core/wire.js';
import { measureZone } from '../../src/index.js';
import { fromCsv, toCsv, toFeatureCollection, toZoneCsv } from '../../src/interchange/index.js';

const wktOf = (csv: string): string => /(?:POLYGON|LINESTRING|POINT)[^"]*/.exec(csv)![0].trim();
/** The row without the column `wayzone`, as another program would write it. */
const foreign = (zone: Geozone): string => toCsv(['id', 'wkt'], [['a', fullWkt(toZoneCsv([zone]))]]);
const fullWkt = (csv: string): string => /"?((?:MULTI)?(?:POLYGON|LINESTRING) [^"]*)"/.exec(csv)![1]!;

describe('well-known text across the antimeridian', () => {
  const ring = [[179, 0], [-179, 0], [-179, 1], [179, 1]] as const; // biome-ignore format: one ring a line
  const ZONES: readonly Geozone[] = [
    { id: 'a', name: 'A', type: { key: 'polygon' }, geometry: ring },
    { id: 'a', name: 'A', type: { key: 'polygon' }, geometry: ring.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat] as const) },
    { id: 'a', name: 'A', type: { key: 'line' }, width: 500, geometry: [[179, 0], [-179, 1]] },
    { id: 'a', name: 'A', type: { key: 'polygon' }, geometry: ring, parts: [[[...ring, ring[0]]], [[[0, 0], [1, 0], [1, 1], [0, 0]]]] },
    { id: 'a', name: 'A', type: { key: 'polygon' }, geometry: [[-120, 80], [0, 80], [120, 80]] },
  ]; // biome-ignore format: one zone a line

  test.each(ZONES.map((zone, i) => [i, zone] as const))(
    'zone %i is cut at the antimeridian, and is read back unchanged from the column `wayzone`',
    (_, zone) => {
      const csv = toZoneCsv([zone]);
      expect(fromCsv(csv)).toEqual({
        value: { zones: [zone], groups: [], routes: [], tracks: [] },
        issues: [],
      });
      const { value, issues } = fromCsv(foreign(zone));
      expect(issues).toEqual([]);
      // Pieces that the file has cut at ±180 are one polygon again. A line stays in pieces.
      const area = (zones: readonly Geozone[]): number =>
        zones.reduce((sum, own) => sum + (measureZone(own, { defaultWidthMeters: 500 }).area ?? 0), 0);
      if (zone.type.key === 'polygon') {
        expect(value.zones).toHaveLength(1);
        expect(area(value.zones) / area([zone])).toBeCloseTo(1, 9);
      }
      const rings = fullWkt(csv).match(/\([^()]+\)/g)!;
      for (const text of rings) {
        const lons = [...text.matchAll(/(-?[\d.]+) -?[\d.]+/g)].map(([, lon]) => Number(lon));
        for (const [i, lon] of lons.entries()) {
          expect(Math.abs(lon)).toBeLessThanOrEqual(180);
          if (i > 0 && zone !== ZONES[4]) expect(Math.abs(lon - lons[i - 1]!)).toBeLessThanOrEqual(180);
        }
      }
    },
  );

  test('a zone that does not cross it is written as it is stored', () => {
    const zone: Geozone = { id: 'a', name: 'A', type: { key: 'polygon' }, geometry: [[1, 1], [1, 0], [0, 0]] }; // biome-ignore format: a line
    expect(wktOf(toZoneCsv([zone]))).toBe('POLYGON ((1 1, 1 0, 0 0, 1 1))');
  });

  test('an edited cell overrides the column `wayzone`, also for a line in several pieces', () => {
    const csv = toZoneCsv([ZONES[2]!]).replace(/MULTILINESTRING \([^"]*\)"/, 'LINESTRING (1 2, 3 4)"');
    expect(fromCsv(csv).value.zones).toMatchObject([{ type: { key: 'line' }, geometry: [[1, 2], [3, 4]], width: 500 }]); // biome-ignore format: a line
  });
});

describe('bbox', () => {
  test('contains every position of its feature exactly, and is not wider', () => {
    const lon = fc.double({ min: 170, max: 190, noNaN: true }).map((x) => (x > 180 ? x - 360 : x));
    const lat = fc.double({ min: -80, max: 80, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(lon, lat), { minLength: 2, maxLength: 6 }),
        fc.option(fc.nat(9)),
        (geometry, digits) => {
          const zone: Geozone = { id: 'a', name: 'A', type: { key: 'line' }, geometry };
          const options = { all: true, bbox: true, ...(digits === null ? {} : { digits }) } as const;
          const { bbox, features } = toFeatureCollection([zone], options);
          expect(features[0]!.bbox).toEqual(bbox);
          const [west, south, east, north] = bbox!;
          const positions = (features[0]!.geometry.coordinates as unknown[]).flat(9) as number[];
          const [lons, lats] = [
            positions.filter((_, i) => i % 2 === 0),
            positions.filter((_, i) => i % 2 === 1),
          ];
          expect([Math.min(...lats), Math.max(...lats)]).toEqual([south, north]);
          for (const x of lons)
            expect(west <= east ? x >= west && x <= east : x >= west || x <= east).toBe(true);
          for (const x of [west, east]) expect(lons).toContain(x);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('NUL in a table is written as U+FFFD', () => {
  expect(toCsv(['a\0'], [['b\0c', 1]])).toBe('a\uFFFD\r\nb\uFFFDc,1\r\n');
  const zone: Geozone = { id: 'a\0', name: '\0', type: { key: 'point' }, geometry: [[1, 2]] };
  expect(toZoneCsv([zone])).not.toContain('\0');
  expect(fromCsv(toZoneCsv([zone])).value.zones).toEqual([zone]);
});
