import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import { edgeDistance, exactEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { directPosition, inverseMeters } from '../../src/geodesy/karney.js';
import { LOCAL_EDGE_ERROR, localEdgeDistance } from '../../src/geodesy/localEdgeDistance.js';
import { denseMinimum, shortStep } from './oracle.js';

type Question = readonly [lon: number, lat: number, ...edge: Edge];
type Edge = readonly [lonA: number, latA: number, lonB: number, latB: number];

const at = ([lonA, latA, lonB, latB]: Edge, t: number): readonly [number, number] => [
  lonA + shortStep(lonA, lonB) * t,
  t < 0.5 ? latA + (latB - latA) * t : latB - (latB - latA) * (1 - t),
];

describe('the exact distance to an edge', () => {
  /** Checks that the distance is at most that to either end, and that it equals the minimum within the stated accuracy. */
  function expectLeast(lon: number, lat: number, edge: Edge, samples: number): void {
    const [lonA, latA, lonB, latB] = edge;
    const least = denseMinimum((t) => inverseMeters(lon, lat, ...at(edge, t)), samples);
    const ends = Math.min(inverseMeters(lon, lat, lonA, latA), inverseMeters(lon, lat, lonB, latB));
    for (const meters of [
      exactEdgeDistance(lon, lat, ...edge),
      exactEdgeDistance(lon, lat, lonB, latB, lonA, latA),
    ]) {
      const off = Math.abs(meters - least) / Math.max(1e-6, 1e-9 * least);
      if (!(off < 1 && meters <= ends)) expect({ lon, lat, edge, meters, ends }).toEqual({ least });
    }
  }

  test.each([30, -70])(
    'of edges from streets to countries at %f°, from beside, before and beyond them',
    (lat) => {
      for (const [east, north] of [
        [0.01, 0],
        [0.3, 0.4],
        [-3, 1],
        [0, -2],
        [8, 6],
        [-12, 0],
      ] as const) {
        const edge: Edge = [20, lat, 20 + east / Math.cos((lat * Math.PI) / 180), lat + north];
        for (const t of [-0.4, 0, 1e-3, 0.3, 0.98, 1.2]) {
          const azimuth = 40 + 100 * t;
          for (const meters of [2, 3000, 300_000]) {
            expectLeast(...directPosition(...at(edge, t), azimuth, meters), edge, 12);
          }
        }
      }
    },
  );

  test('very near an end it is never above the distance to that end', () => {
    for (let k = 0; k < 120; k++) {
      const edge: Edge = [10, 40 + k / 10, 10.01, 40.005 + k / 10];
      const back: Edge = [edge[2], edge[3], edge[0], edge[1]];
      const [lon, lat] = directPosition(...at(edge, (k % 7) * 1e-9), 131.6, 10 ** (1 + (k % 5)));
      const end = inverseMeters(lon, lat, edge[0], edge[1]);
      expect(exactEdgeDistance(lon, lat, ...edge)).toBeLessThanOrEqual(end);
      expect(exactEdgeDistance(lon, lat, ...back)).toBeLessThanOrEqual(end);
    }
  });

  test('of an arc around the pole, seen from the other side: at its ends', () => {
    for (const [lon, lat, half] of [
      [180, 60, 8],
      [180, 45, 8],
      [180, 60, 3],
      [170, 70, 8],
      [180, 60, 60],
    ] as const) {
      expectLeast(lon, lat, [-half, 80, half, 80], 40);
      expectLeast(lon, -lat, [-half, -80, half, -80], 40);
      expectLeast(lon, lat, [-half, 80, half, 82], 40);
    }
  });

  test('of an edge with two local minima', () => {
    for (const [lon, lat, edge] of [
      [0, 40, [-80, 60, 80, 60]],
      [0, 89, [-100, 80, 100, 85]],
      [30, 10, [-140, -40, 20, 60]],
      [0, 20, [-100, 85, 100, 10]],
      [0, 0, [-170, 75, 5, 74]],
      [10, -35, [100, -88, -70, -60]],
      [0, 5, [150, 30, -150, -40]],
      [0, 70, [-178, 66, 0, 40]],
      [151.1, 78.3, [-36.6, 74.1, -20.3, 74.3]],
      [-179, 60, [-8, 80, 8, 80.1]],
      [-56.6, -39.6, [-155.4, -7.9, -22.2, -66]],
      [-157.6, -18.1, [118, 29.1, -75, -25.1]],
      [42, -87.31, [123, -82.6, 102, -81.56]],
    ] as const)
      expectLeast(lon, lat, edge, 300);
  });
});

describe('the distance to a near edge', () => {
  test.each([0, 0.2, 35, -60, 69])(
    'at %f° in all directions, from beside, before and beyond: within its bound, never declined',
    (lat) => {
      for (const length of [0.5, 200, 9000]) {
        for (let azimuth = 0; azimuth < 360; azimuth += 40) {
          const a = [lat === 35 ? 179.99 : 12, lat] as const;
          const b = directPosition(...a, azimuth, length);
          const edge: Edge = [...a, wrapLon(b[0]), b[1]];
          for (const t of [-0.5, 0, 0.02, 0.45, 0.9, 1, 1.3]) {
            for (const meters of [0, 0.01, 40, 5000, 20_000]) {
              const [lon, latitude] = directPosition(...at(edge, t), azimuth + 90, meters);
              const found = localEdgeDistance(wrapLon(lon), latitude, ...edge);
              const exact = exactEdgeDistance(wrapLon(lon), latitude, ...edge);
              if (!(Math.abs(found - exact) <= LOCAL_EDGE_ERROR / 2))
                expect({ lon, latitude, edge, found }).toEqual({ exact });
            }
          }
        }
      }
    },
  );

  test.each([
    [80.659743, -88.72756103, 82.832651937, -88.707129382, 83.01802985, -88.71658866],
    [-135.872507652, -7.08925932, -135.672478626, -6.92598224, -135.730788973, -6.857862528],
    [-43.224745702, -86.5494955813, -43.251059486, -86.60207685167, -43.97941839, -86.51921476],
    [-74.793735115, 84.843937849, -75.036232272, 84.832127159, -73.732110951, 84.778380522],
    [-106.40530091, 4.858058457, -106.62338488761, 5.0175474750218, -106.66527393, 4.94343036833],
  ] as unknown as Question[])('from %f, %f: a last step that is just short enough', (...question) => {
    const exact = exactEdgeDistance(...question);
    expect(Math.abs(localEdgeDistance(...question) - exact)).toBeLessThanOrEqual(LOCAL_EDGE_ERROR / 2);
  });

  test('to edges that end at a pole: within its bound, or declined', () => {
    for (const side of [1, -1]) {
      for (const [lon, latA, lonB] of [
        [0, 89.9, 90],
        [10, 89.99, 11],
        [10, 89.7, 10],
        [0, 89.999, 179],
      ] as const) {
        for (const [east, lat] of [
          [5, 89.95],
          [40, 89.9995],
          [-20, 89.8],
          [0, 89.99999],
        ] as const) {
          for (const edge of [
            [lon, side * latA, lonB, side * 90],
            [lonB, side * 90, lon, side * latA],
          ] as unknown as Edge[]) {
            const found = localEdgeDistance(lon + east, side * lat, ...edge);
            if (found === -1) continue;
            const exact = exactEdgeDistance(lon + east, side * lat, ...edge);
            expect(Math.abs(found - exact)).toBeLessThanOrEqual(LOCAL_EDGE_ERROR / 2);
          }
        }
      }
    }
  });

  test.each([
    ['too long', [0.1, 0.1, 0, 0, 0.33, 0.33]],
    ['too far', [0.46, 0, 0, 0, 0.001, 0]],
    ['both together', [0.25, 0, 0, 0, 0, 0.25]],
    ['too far from a point', [0.46, 0, 0, 0, 0, 0]],
    ['bent too much for its distance', [10, 89.4, 10.5, 89.3, 14, 89.25]],
    ['around a pole', [0, 89.99, 0, 89.98, 100, 89.98]],
    ['beyond a pole', [180, 89.9, 0, 89.95, 1, 89.95]],
  ] as const)('%s: declined', (_, question) => {
    expect(localEdgeDistance(...(question as unknown as Question))).toBe(-1);
    expect(edgeDistance(...(question as unknown as Question))).toBe(
      exactEdgeDistance(...(question as unknown as Question)),
    );
  });
});
