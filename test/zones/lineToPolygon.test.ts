import { describe, expect, test } from 'vitest';
import { corridor, lineToPolygon, measureZone, type Pair, type Position } from '../../src/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { partsOf } from './corridorChecker.js';
import { hardLine, LINE_KINDS } from './lines.js';

const loop: Pair[] = wkt('37.6 55.7, 37.61 55.7, 37.61 55.71, 37.6 55.71, 37.6 55.7');

/** Even-odd rule in the plane, on the ring as it is written. */
function evenOdd(ring: readonly Pair[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Square degrees by the shoelace rule. */
const signedArea = (ring: readonly Pair[]): number =>
  ring.slice(1).reduce((sum, [bx, by], i) => {
    const [[ox, oy], [ax, ay]] = [ring[0]!, ring[i]!];
    return sum + ((ax - ox) * (by - oy) - (bx - ox) * (ay - oy)) / 2;
  }, 0);

describe('lineToPolygon', () => {
  test('a loop keeps its hole open by a seam that goes due west', () => {
    const { polygon_geometry: ring } = lineToPolygon({ width: 50, geometry: loop });
    expect(ring[0]).toEqual(ring.at(-1));
    expect(evenOdd(ring, 37.605, 55.705)).toBe(false);
    expect(evenOdd(ring, 37.6, 55.705)).toBe(true);
    const keys = ring.map(([x, y]) => `${x} ${y}`);
    const twice = ring.filter((_, i) => keys.indexOf(keys[i]!) < i && i < ring.length - 1);
    expect(twice).toHaveLength(2);
    expect(twice[0]![1]).toBe(twice[1]![1]);
  });

  test('longitudes continue across the antimeridian', () => {
    const { polygon_geometry: ring } = lineToPolygon({
      width: 200,
      geometry: wkt('179.99 10, -179.99 10'),
    });
    const lons = ring.map(([lon]) => lon);
    expect(Math.max(...lons) - Math.min(...lons)).toBeLessThan(0.1);
    expect(Math.max(...lons.map(Math.abs))).toBeGreaterThan(180);
  });

  test('pairs have the axis order of the caller; the width follows the options', () => {
    const lonLat = lineToPolygon({ width: 50, geometry: loop }).polygon_geometry;
    const latLon = lineToPolygon(
      { width: 25, geometry: loop.map(([lon, lat]): Pair => [lat, lon]) },
      { axisOrder: 'latlon', lineWidth: 'each-side' },
    ).polygon_geometry;
    expect(latLon.map(([lat, lon]) => [lon, lat])).toEqual(lonLat);
    expect(lineToPolygon({ geometry: loop }, { defaultWidthMeters: 50 }).polygon_geometry).toEqual(lonLat);
    expect(lineToPolygon({ width: 50, geometry: [[5, 5]] }).polygon_geometry.length).toBeGreaterThan(20);
  });

  test('refuses the same input as a line zone', () => {
    const code = (line: unknown, options?: object): string => {
      const { code: reason, field } = errorOf(() =>
        lineToPolygon(line as { width: number; geometry: Pair[] }, options),
      );
      return `${reason} ${field}`;
    };
    expect(code({ geometry: loop })).toBe('width-missing width');
    expect(code({ width: 0, geometry: loop })).toBe('width-range width');
    expect(code({ width: 5, geometry: [] })).toBe('line-too-short geometry');
    expect(code({ width: 5, geometry: [[0, 91]] })).toBe('lat-range geometry[0][1]');
    expect(code({ width: 5, geometry: loop }, { toleranceMeters: -1 })).toBe(
      'tolerance-range options.toleranceMeters',
    );
    expect(code(null)).toBe('input-unreadable geometry');
  });

  test('the ring of a generated line has the area of the corridor and contains the same positions', () => {
    const random = seeded(41);
    for (let i = 0; i < volume(2200); i++) {
      const kind = LINE_KINDS[i % LINE_KINDS.length]!;
      const { line, width } = hardLine(kind, random);
      const { polygon_geometry: ring } = lineToPolygon({ width, geometry: line });
      const parts = partsOf(corridor(line, width));
      const flat = parts.flat().reduce((sum, outline) => sum + signedArea(outline), 0);
      expect({ i, kind, area: signedArea(ring) / flat }).toEqual({ i, kind, area: expect.closeTo(1, 9) });
      for (const [lon, lat] of line.slice(0, 10)) {
        if (Math.abs(lat) > 89.9 || Math.abs(lon) > 179.9) continue;
        expect({ i, kind, inside: [0, 360, -360].some((turn) => evenOdd(ring, lon + turn, lat)) }).toEqual({
          i,
          kind,
          inside: true,
        });
      }
    }
  });

  test('across a pole the ring is closed along the edge of the map', () => {
    const line: Position[] = wkt('0 89, 10 90, 120 89');
    const { polygon_geometry: ring } = lineToPolygon({ width: 50_000, geometry: line });
    expect(ring).toContainEqual([180, 90]);
    const wanted = measureZone({
      type: { key: 'polygon' },
      geometry: [],
      parts: partsOf(corridor(line, 50_000)),
    });
    expect(measureZone({ type: { key: 'polygon' }, geometry: ring }).area! / wanted.area!).toBeCloseTo(1, 9);
  });
});
