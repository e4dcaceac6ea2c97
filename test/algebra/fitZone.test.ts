import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitZone } from '../../src/algebra/index.js';
import {
  destination,
  measureZone,
  signedDistanceMeters,
  type WrittenShape,
  zoneContains,
  zoneOutline,
} from '../../src/index.js';
import { validateGeozone } from '../../src/schemas/index.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { type Rings, whyNotInside } from './exactPlane.js';

type Pair = [number, number];

/** The open rings of a polygon of `fitZone`. */
function ringsOf({ geometry, parts }: WrittenShape): Rings {
  if (!parts) return [geometry as Pair[]];
  return parts.flat().map((ring) => ring.slice(0, -1).map(([lon, lat]): Pair => [lon, lat]));
}

const vertexCount = (shape: WrittenShape): number =>
  ringsOf(shape).reduce((sum, ring) => sum + ring.length, 0);

/** A star around a centre: radii of 20 to 100 units of 0.0001°, on that grid. */
function star(x: number, y: number, size: number): fc.Arbitrary<Pair[]> {
  return fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 4, maxLength: 40 }).map((radii) => {
    const points = radii.map((radius, i): Pair => {
      const angle = (2 * Math.PI * (i + 0.5)) / radii.length;
      const at = (centre: number, value: number) => Math.round((centre + value) * 1e4) / 1e4;
      return [at(x, size * radius * 1e-4 * Math.cos(angle)), at(y, size * radius * 1e-4 * Math.sin(angle))];
    });
    return points.filter(([a, b], i) => i === 0 || a !== points[i - 1]![0] || b !== points[i - 1]![1]);
  });
}

const closed = (ring: Pair[]): Pair[] => [...ring, ring[0]!];
const stars: fc.Arbitrary<WrittenShape> = fc.oneof(
  star(37.6, 55.7, 1).map((ring) => ({ type: { key: 'polygon' as const }, geometry: ring })),
  fc.tuple(star(37.6, 55.7, 10), star(37.6, 55.7, 1), star(37.65, 55.72, 1)).map(([shell, hole, other]) => ({
    type: { key: 'polygon' as const },
    geometry: shell,
    parts: [
      [closed(shell), closed(hole)],
      [closed(other.map(([x, y]): Pair => [Math.round((x + 1) * 1e4) / 1e4, y]))],
    ],
  })),
);
const isValid = (shape: WrittenShape): boolean => {
  try {
    validateGeozone({ id: '0d6f7f52-7b5f-4d9e-9d35-0d8a9d3a3a11', name: 'n', ...shape });
    return true;
  } catch {
    return false;
  }
};

describe('fitZone outer', () => {
  test('contains every position of the zone, by whole numbers, with no more vertices than allowed', () => {
    fc.assert(
      fc.property(
        stars,
        fc.constantFrom(3, 4, 5, 8, 12, 20, 200),
        fc.constantFrom(undefined, 3, 4, 6),
        (shape, maxVertices, decimals) => {
          fc.pre(isValid(shape));
          const fitted = fitZone(shape, { maxVertices, ...(decimals !== undefined && { decimals }) });
          expect(vertexCount(fitted.shape)).toBeLessThanOrEqual(maxVertices);
          expect(isValid(fitted.shape)).toBe(true);
          expect(whyNotInside(ringsOf(fitted.shape), ringsOf(shape))).toBe(null);
          expect(fitted.areaRatio).toBeGreaterThan(1 - 1e-9);
          if (decimals !== undefined) {
            for (const value of ringsOf(fitted.shape).flat(2))
              expect(value).toBe(Number(value.toFixed(decimals)));
          }
          // No vertex of the new boundary is farther out than told, no old one deeper inside.
          const rings = ringsOf(fitted.shape);
          for (const at of rings.flat()) {
            expect(signedDistanceMeters(shape, at)).toBeLessThanOrEqual(fitted.maxErrorMeters * 1.001 + 0.01);
          }
          for (const at of ringsOf(shape).flat()) {
            const inside = -signedDistanceMeters(fitted.shape, at);
            expect(inside).toBeLessThanOrEqual(fitted.maxErrorMeters * 1.001 + 0.01);
          }
        },
      ),
      { numRuns: volume(1500), seed: 20_261_125 },
    );
  });

  test('leaves a zone with few vertices as it is', () => {
    const ring: Pair[] = wkt('37.6 55.7, 37.7 55.7, 37.65 55.8');
    const { shape, maxErrorMeters, areaRatio } = fitZone(
      { type: { key: 'polygon' }, geometry: ring },
      { maxVertices: 3, decimals: 2 },
    );
    expect(shape.geometry).toEqual(ring);
    expect(maxErrorMeters).toBe(0);
    expect(areaRatio).toBe(1);
  });

  test('takes circles and lines by an outline that contains them, also across the antimeridian', () => {
    for (const lon of [37.6, 180, -179.999]) {
      const circle: WrittenShape = { type: { key: 'circle' }, geometry: [[lon, 55.7]], width: 500 };
      for (const maxVertices of [3, 4, 8, 30]) {
        const { shape, maxErrorMeters, areaRatio } = fitZone(circle, { maxVertices, decimals: 6 });
        expect(vertexCount(shape)).toBeLessThanOrEqual(maxVertices);
        for (let azimuth = 0; azimuth < 360; azimuth += 5) {
          expect(zoneContains(shape, destination([lon, 55.7], azimuth, 500))).toBe(true);
        }
        if (maxVertices === 30) expect([areaRatio < 1.02, maxErrorMeters < 20]).toEqual([true, true]);
      }
    }
    const line: WrittenShape = {
      type: { key: 'line' },
      geometry: wkt('179.99 10, -179.99 10.01, -179.98 10'),
      width: 200,
    };
    const { shape } = fitZone(line, { maxVertices: 12, decimals: 5 });
    for (const ring of [zoneOutline(line)].flatMap((outline) =>
      outline.type === 'Polygon' ? outline.coordinates : outline.coordinates.flat(),
    )) {
      for (const at of ring)
        expect(zoneContains(shape, [Math.min(180, Math.max(-180, at[0])), at[1]])).toBe(true);
    }
  });

  test('around a pole contains the zone, or is refused', () => {
    const lines: readonly Pair[][] = [
      [[179.99, -90], [179.9996, -90], [-179.99, -90]],
      [[179.8, 89.796], [-179.997, 89.996], [-179.797, 89.896]],
      [[0, 89.99], [170, 89.99]],
    ]; // biome-ignore format: three lines
    let [fitted, refused] = [0, 0];
    for (const maxVertices of [3, 4, 8, 16, 40, 400]) {
      for (const line of [...lines, [[37.6, 90]] as Pair[], [[-5, -89.999]] as Pair[], [[5, 89]] as Pair[]]) {
        const isLine = line.length > 1;
        const zone: WrittenShape = {
          type: { key: isLine ? 'line' : 'circle' },
          geometry: line,
          width: isLine ? 1000 : 500,
        };
        let fit: WrittenShape;
        try {
          fit = fitZone(zone, { maxVertices }).shape;
        } catch (error) {
          expect((error as { code: string }).code).toBe('limit-vertices');
          refused++;
          continue;
        }
        fitted++;
        expect(vertexCount(fit)).toBeLessThanOrEqual(maxVertices);
        for (const at of line) {
          for (let azimuth = 0; azimuth < 360; azimuth += 7) {
            for (const meters of [0, 1, 150, 499]) {
              const place = destination(at, azimuth, meters);
              expect(zoneContains(fit, place), JSON.stringify([zone, maxVertices, place])).toBe(true);
            }
          }
        }
      }
    }
    expect([fitted > 3, refused > 3]).toEqual([true, true]);
    // It ends at the pole and crosses the antimeridian: the outline that surely contains it would go beyond the pole.
    const geometry: Pair[] = [[175, 84.99], [-175.003, 84.99], [-174.003, 90], [179.997, 90]]; // biome-ignore format: one line
    expect(() => fitZone({ type: { key: 'polygon' }, geometry }, { maxVertices: 40 })).toThrow(
      expect.objectContaining({ code: 'limit-vertices' }),
    );
  });

  test('answers in the axis order of the zone', () => {
    const ring: Pair[] = wkt('55.7 137.6, 55.7 137.7, 55.8 137.65, 55.74 137.65');
    const zone: WrittenShape = { type: { key: 'polygon' }, geometry: ring };
    const { shape } = fitZone(zone, { maxVertices: 3, axisOrder: 'latlon' });
    for (const at of ring) expect(zoneContains(shape, [at[1], at[0]], { axisOrder: 'latlon' })).toBe(true);
  });

  test('refuses what cannot be', () => {
    const world: WrittenShape = {
      type: { key: 'polygon' },
      geometry: wkt('-179 -89, 179 -89, 179 89, -179 89').flatMap((at, i, all) => {
        const next = all[(i + 1) % 4]!;
        return [0, 1, 2, 3].map(
          (k): Pair => [at[0]! + ((next[0]! - at[0]!) * k) / 4, at[1]! + ((next[1]! - at[1]!) * k) / 4],
        );
      }),
    };
    const code = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(() => fitZone(world, { maxVertices: 3 }))).toBe('limit-vertices');
    expect(code(() => fitZone(world, { maxVertices: 2 }))).toBe('option-value');
    expect(code(() => fitZone(world, {} as never))).toBe('option-value');
    expect(code(() => fitZone(world, { maxVertices: 4, decimals: 0.5 }))).toBe('option-value');
    expect(code(() => fitZone({ type: { key: 'point' }, geometry: [[1, 1]] }, { maxVertices: 4 }))).toBe(
      'outline-empty',
    );
  });
});

describe('fitZone nearest', () => {
  test('keeps vertices of the zone, and a valid polygon', () => {
    fc.assert(
      fc.property(stars, fc.constantFrom(6, 8, 12, 20), (shape, maxVertices) => {
        fc.pre(isValid(shape));
        const { shape: fitted, areaRatio } = fitZone(shape, { maxVertices, side: 'nearest' });
        expect(vertexCount(fitted)).toBeLessThanOrEqual(maxVertices);
        expect(isValid(fitted)).toBe(true);
        const own = new Set(ringsOf(shape).flat().map(String));
        for (const at of ringsOf(fitted).flat()) expect(own.has(String(at))).toBe(true);
        expect(areaRatio).toBeCloseTo(measureZone(fitted).area / measureZone(shape).area, 9);
      }),
      { numRuns: volume(1000), seed: 20_261_125 },
    );
  });
});
