import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { edgeDistance, exactEdgeDistance, nearerEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { directPosition } from '../../src/geodesy/karney.js';
import { LOCAL_EDGE_ERROR, localEdgeDistance } from '../../src/geodesy/localEdgeDistance.js';
import { seeded, volume } from '../volume.js';
import { shortStep } from './oracle.js';

type Case = [number, number, number, number, number, number];

/**
 * A position and an edge from millimetres to 30 km apart. A third are far north or south; one in five positions is on the edge or near
 * it.
 */
function near(random: () => number): Case {
  const lat =
    random() < 0.3 ? (random() < 0.5 ? 1 : -1) * (90 - 10 ** (1.3 - 4 * random())) : random() * 178 - 89;
  const lon = random() < 0.1 ? 180 : random() * 360 - 180;
  const a = directPosition(lon, lat, random() * 360, 10 ** (4.5 * random()) * random());
  const b = directPosition(...a, random() * 360, 10 ** (-3 + 7.5 * random()));
  if (random() > 0.2) return [lon, lat, ...a, ...b];
  const t = random();
  const on: [number, number] = [wrapLon(a[0] + shortStep(a[0], b[0]) * t), a[1] + (b[1] - a[1]) * t];
  const beside = random() < 0.3 ? on : directPosition(...on, random() * 360, 10 ** (-7 + 8 * random()));
  return [...beside, ...a, ...b];
}

describe('the distance to a near edge', () => {
  test('is within its bound of the exact distance, and rarely declines below 70° of latitude', () => {
    const random = seeded(41);
    let worst = 0;
    let asked = 0;
    let declined = 0;
    for (let i = 0; i < volume(1_000_000); i++) {
      const question = near(random);
      const meters = localEdgeDistance(...question);
      if (Math.abs(question[1]) < 70) {
        asked++;
        if (meters === -1) declined++;
      }
      if (meters === -1) continue;
      const off = Math.abs(meters - exactEdgeDistance(...question));
      if (!(off <= LOCAL_EDGE_ERROR / 2)) throw new Error(`off by ${off} at ${question.join()}`);
      worst = Math.max(worst, off);
    }
    expect(worst).toBeGreaterThan(0);
    expect(declined / asked).toBeLessThan(0.02);
  });

  test('is on the same side of each limit as the exact distance', () => {
    const random = seeded(42);
    for (let i = 0; i < volume(100_000); i++) {
      const question = near(random);
      const exact = exactEdgeDistance(...question);
      const limit = random() < 0.3 ? exact : exact + (random() - 0.5) * 10 ** (-9 + 4 * random());
      if (edgeDistance(...question, limit) <= limit !== exact <= limit)
        throw new Error(`wrong side at ${question.join()}, ${limit}`);
    }
  });

  test('nearerEdgeDistance over many edges equals the minimum of all distances', () => {
    const random = seeded(43);
    for (let i = 0; i < volume(20_000); i++) {
      const [lon, lat] = near(random);
      const spread = 10 ** (5 * random());
      const edges = Array.from({ length: 5 }, () => {
        const a = directPosition(lon, lat, random() * 360, spread * random());
        return [...a, ...directPosition(...a, random() * 360, spread * random())] as const;
      });
      const exact = Math.min(...edges.map((edge) => exactEdgeDistance(lon, lat, ...edge)));
      const limit = random() < 0.5 ? exact : exact + (random() - 0.5) * 1e-6;
      let [free, limited] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (const edge of edges) {
        free = nearerEdgeDistance(free, lon, lat, ...edge);
        limited = nearerEdgeDistance(limited, lon, lat, ...edge, limit);
      }
      if (!(Math.abs(free - exact) <= LOCAL_EDGE_ERROR)) throw new Error(`${free} instead of ${exact}`);
      if (limited <= limit !== exact <= limit) throw new Error(`${limited} and ${exact} at ${limit}`);
    }
  });

  test('declines poles, long edges and far ones, for which the exact distance is used', () => {
    const questions: readonly Case[] = [
      [0, 89.9, 0, 89.9, 90, 89.9],
      [0, 90, 10, 89.999, 20, 89.999],
      [5, 90, 0, 90, 50, 90],
      [0, 0, -1, 1, 1, 1],
      [0, 0, 2, 0, 2.1, 0],
      [0, 0, 1, 1, 1, 1],
      [0, 0, 179, 0, -179, 0],
    ];
    for (const question of questions) {
      expect(localEdgeDistance(...question), String(question)).toBe(-1);
      expect(edgeDistance(...question)).toBe(exactEdgeDistance(...question));
    }
  });

  test('handles ends, feet, both notations of the antimeridian and edges of zero length', () => {
    expect(localEdgeDistance(7, 7, 7, 7, 7.1, 7.1)).toBe(0);
    expect(localEdgeDistance(7.1, 7.1, 7, 7, 7.1, 7.1)).toBe(0);
    expect(localEdgeDistance(0.01, 0.005, 0, 0, 0.01, 0)).toBe(geodesicDistance(0.01, 0.005, 0.01, 0));
    expect(localEdgeDistance(180, 5, 179.99, 5, -179.99, 5)).toBeLessThan(1e-8);
    expect(localEdgeDistance(-180, 5, 179.99, 5, -179.99, 5)).toBeLessThan(1e-8);
    expect(localEdgeDistance(3, 4, 3, 4, 3, 4)).toBe(0);
    expect(localEdgeDistance(3, 4, 3.01, 4, 3.01, 4)).toBe(geodesicDistance(3, 4, 3.01, 4));
  });
});
