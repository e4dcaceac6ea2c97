import { describe, expect, test } from 'vitest';
import { addEdge, emptySums } from '../../src/geodesy/edgeSums.js';
import { longEdgeMeters, longEdgeStrip } from '../../src/geodesy/longEdge.js';
import { seeded, volume } from '../volume.js';
import { fixedEdge, fixedError } from './fixedPoint.js';
import { fineLength, tanhSinhEdge } from './oracle.js';

const RAD = Math.PI / 180;

/** The accuracy in the docstrings of the fast rules, 1e-15 for truncation, and the rounding of both sides. */
const BOUND = 3e-15;
/** The accuracy in the docstring of `longEdge.ts`. */
const LONG_BOUND = 1e-13;

type Edge = readonly [xA: number, latA: number, xB: number, latB: number];

/**
 * A random edge. Every second one is 170 µm to 60° from a pole; its step of latitude is 1e-7 to 5 times cos φ, so that each rule occurs,
 * and its longitudes differ by 1e-6° to 178°.
 */
function anyEdge(random: () => number): Edge {
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  const latA =
    random() < 0.5 ? Math.asin(2 * random() - 1) / RAD : sign() * (90 - 10 ** (-8 + 9.8 * random()));
  const step = (sign() * 10 ** (-7 + 7.7 * random()) * Math.cos(latA * RAD)) / RAD;
  const latB = Math.max(-90, Math.min(90, latA + step));
  const xA = (random() - 0.5) * 360 * (random() < 0.5 ? 1e-3 : 1);
  return [xA, latA, xA + sign() * 10 ** (-6 + 8.25 * random()), latB];
}

function sumsOf(edge: Edge): { meters: number; strip: number } {
  const sums = emptySums();
  addEdge(sums, ...edge);
  return { meters: sums.meters + sums.metersLow, strip: sums.strip + sums.stripLow };
}

describe('addEdge', () => {
  test('length and strip of 1,000,000 edges by each rule equal the tanh-sinh rule', () => {
    const random = seeded(31);
    const cases = { short: 0, middling: 0, long: 0 };
    const worst = { short: 0, middling: 0, long: 0 };
    for (let i = 0; i < volume(1_000_000); i++) {
      const edge = anyEdge(random);
      const [, latA, , latB] = edge;
      const ratio = (Math.abs(latB - latA) * RAD) / Math.cos(((latA + latB) / 2) * RAD);
      const rule = ratio <= 0.01 ? 'short' : ratio <= 0.3 ? 'middling' : 'long';
      cases[rule]++;
      const exact = tanhSinhEdge(...edge);
      const { meters, strip } = sumsOf(edge);
      const error = Math.max(
        Math.abs(meters - exact.meters) / exact.meters,
        exact.scale === 0 ? Math.abs(strip) : Math.abs(strip - exact.strip) / exact.scale,
      );
      worst[rule] = Math.max(worst[rule], error);
      if (!(error < (rule === 'long' ? LONG_BOUND : BOUND)))
        expect.fail(`error ${error} on ${edge.join(', ')}`);
    }
    expect(Math.min(...Object.values(cases))).toBeGreaterThan(volume(1_000_000) / 10);
    expect(Math.max(worst.short, worst.middling)).toBeLessThan(BOUND);
    expect(worst.long).toBeLessThan(LONG_BOUND);
  });

  test('the tanh-sinh rule agrees with the fixed-point reference where the fast rules apply', () => {
    const random = seeded(32);
    for (let i = 0; i < volume(100_000); i++) {
      const [xA, latA, xB, latB] = anyEdge(random);
      const exact = tanhSinhEdge(xA, latA, xB, latB);
      expect(Math.abs(longEdgeMeters(latA, latB, xB - xA) / exact.meters - 1)).toBeLessThan(LONG_BOUND);
      if (latA === latB) continue;
      expect(Math.abs(longEdgeStrip(xA, latA, xB, latB) - exact.strip) / exact.scale).toBeLessThan(BOUND);
    }
  });

  test('fast rules are within 1.5e-15 of fixed-point arithmetic of 240 bits', () => {
    const random = seeded(34);
    let judged = 0;
    for (let i = 0; i < volume(4000); i++) {
      const [xA, latA, xB, latB] = anyEdge(random);
      if (Math.abs(latB - latA) * RAD > 0.3 * Math.cos(((latA + latB) / 2) * RAD)) continue;
      judged++;
      const at = [xA, latA, xB, latB].join(', ');
      const exact = fixedEdge(xA, latA, xB, latB);
      const { meters, strip } = sumsOf([xA, latA, xB, latB]);
      expect(Math.abs(fixedError(meters, exact.meters)), at).toBeLessThan(1.5e-15);
      if (latA === latB) {
        expect(strip, at).toBe(0);
        continue;
      }
      const farX = Math.max(Math.abs(xA), Math.abs(xB));
      const scale = fixedEdge(farX, latA, farX, latB).strip;
      expect(Math.abs(fixedError(strip, exact.strip, scale)), at).toBeLessThan(1.5e-15);
    }
    expect(judged).toBeGreaterThan(volume(4000) / 2);
  });

  test('the tanh-sinh rule agrees with 40,000 Simpson steps', () => {
    const edges: readonly Edge[] = [
      [0, 55, 0.1, 55.2],
      [0, 20, 100, 90],
      [0, 89.9999, 170, 90],
      [-3, -60, 7, 70],
    ];
    for (const edge of edges) {
      expect(tanhSinhEdge(...edge).meters / fineLength(...edge, 40_000)).toBeCloseTo(1, 12);
    }
  });

  test('a reversed edge has the same length and exactly the opposite strip', () => {
    const random = seeded(33);
    for (let i = 0; i < volume(100_000); i++) {
      const [xA, latA, xB, latB] = anyEdge(random);
      const [there, back] = [sumsOf([xA, latA, xB, latB]), sumsOf([xB, latB, xA, latA])];
      expect(back.meters).toBe(there.meters);
      expect(back.strip + there.strip).toBe(0);
    }
  });

  test('gives no NaN at poles, on equal points, at ±0 and ±180', () => {
    const lats = [-90, -45, -0, 0, 1e-300, 45, 90];
    const lons = [-180, -0, 0, 1e-300, 90, 180];
    for (const latA of lats) {
      for (const latB of lats) {
        for (const xB of lons) {
          const { meters, strip } = sumsOf([0, latA, xB, latB]);
          expect(meters).toBeGreaterThanOrEqual(0);
          expect(meters).toBeLessThan(3e7);
          expect(Number.isFinite(strip)).toBe(true);
          if (Math.abs(latA) === 90 && latA === latB) expect(meters).toBe(0);
        }
      }
    }
    expect(sumsOf([5, 5, 5, 5])).toEqual({ meters: 0, strip: 0 });
  });
});
