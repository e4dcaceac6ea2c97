import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import {
  addEdge,
  emptySums,
  measureRing,
  polarSide,
  ringAreaSquareMeters,
} from '../../src/geodesy/edgeSums.js';
import { EARTH_AREA } from '../../src/geodesy/ellipsoid.js';
import { longEdgeMeters, longEdgeStrip } from '../../src/geodesy/longEdge.js';
import { seeded, volume } from '../volume.js';
import { fixedEdge, fixedError } from './fixedPoint.js';
import {
  authalic,
  fineArea,
  fineLength,
  shortStep,
  tanhSinhArea,
  tanhSinhEdge,
  tanhSinhRing,
} from './oracle.js';

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

/** A star-shaped ring of `spread` degrees around a centre, with wrapped longitudes. */
function star(random: () => number, lon: number, lat: number, spread: number): number[] {
  const ring: number[] = [];
  const count = 3 + Math.floor(random() * 9);
  for (let i = 0; i < count; i++) {
    const angle = ((i + random() * 0.9) / count) * 2 * Math.PI;
    const reach = spread * (0.4 + random() * 0.6);
    ring.push(wrapLon(lon + (reach * Math.cos(angle)) / Math.cos(lat * RAD)), lat + reach * Math.sin(angle));
  }
  return ring;
}

/** A ring around the north pole, or (from 10° to 130° of longitude) with both sides meeting at it. */
function polar(random: () => number, spread: number, round: boolean): number[] {
  const count = 5 + Math.floor(random() * 9);
  const ring = round ? [] : [130, 90, 10, 90];
  for (let i = 0; i < count; i++) {
    const turn = (i + random() * 0.8) / count;
    ring.push(wrapLon(round ? 360 * turn : 10 + 120 * turn), 90 - spread * (0.3 + 0.7 * random()));
  }
  return ring;
}

function perimeterOf(ring: readonly number[]): number {
  let meters = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    meters += tanhSinhEdge(0, ring[i + 1]!, shortStep(ring[i]!, ring[j]!), ring[j + 1]!).meters;
  }
  return meters;
}

describe('ring area', () => {
  test('of a box between parallels equals its closed form', () => {
    const box = [10, 20, 40, 20, 40, 50, 10, 50];
    const exact = 30 * RAD * (authalic(50) - authalic(20));
    expect(ringAreaSquareMeters(box) / exact).toBeCloseTo(1, 13);
    expect(ringAreaSquareMeters([...box, 10, 20])).toBe(ringAreaSquareMeters(box));
  });

  test('of two degrees on the antimeridian, and of a ring at 80° N, is right', () => {
    const box = [179, -1, -179, -1, -179, 1, 179, 1];
    const exact = 2 * RAD * 2 * authalic(1);
    expect(ringAreaSquareMeters(box) / exact).toBeCloseTo(1, 13);
    const cap = [0, 80, 90, 80, 180, 80, -90, 80];
    expect(polarSide(cap)).toBe('north');
    expect(ringAreaSquareMeters(cap) / (2 * Math.PI * (authalic(90) - authalic(80)))).toBeCloseTo(1, 11);
    expect(ringAreaSquareMeters(cap)).toBeCloseTo(3.9086e12, -9);
    expect(polarSide(cap.map((value, i) => (i % 2 === 0 ? value : -value)))).toBe('south');
  });

  test('the equator halves the Earth, and this tie counts as north', () => {
    const equator = [0, 0, 120, 0, -120, 0];
    expect(ringAreaSquareMeters(equator) / EARTH_AREA).toBeCloseTo(0.5, 14);
    expect(polarSide(equator)).toBe('north');
    expect(polarSide([0, 10, 90, -10, 180, 10, -90, -10])).toBe('north');
    expect(polarSide([0, 1e-6, 120, 0, -120, 0])).toBe('north');
    expect(polarSide([0, -1e-6, 120, 0, -120, 0])).toBe('south');
  });

  test('covers a lune between the poles and a wedge at one pole', () => {
    expect(ringAreaSquareMeters([0, -90, 36, -90, 36, 90, 0, 90]) / (EARTH_AREA / 10)).toBeCloseTo(1, 13);
    expect(
      ringAreaSquareMeters([0, 89, 36, 89, 36, 90]) / (36 * RAD * (authalic(90) - authalic(89))),
    ).toBeLessThan(1);
  });

  test('is 0 if nothing is enclosed', () => {
    for (const ring of [[], [1, 2], [1, 2, 3, 4], [1, 2, 1, 2, 1, 2], [0, 1, 5, 1, 10, 1]]) {
      expect(ringAreaSquareMeters(ring), String(ring)).toBe(0);
      expect(polarSide(ring)).toBeNull();
    }
    expect(measureRing([]).perimeter).toBe(0);
    expect(measureRing([1, 2]).perimeter).toBe(0);
    expect(ringAreaSquareMeters([0, 90, 90, 90, 180, 90])).toBe(0);
  });

  test('of a square metre is accurate at the antimeridian and near a pole', () => {
    const lat = 45;
    const w = 1 - 0.006694379990141316 * Math.sin(lat * RAD) ** 2;
    const dLon = 1 / ((6_378_137 / Math.sqrt(w)) * Math.cos(lat * RAD)) / RAD;
    const dLat = 1 / ((6_378_137 * (1 - 0.006694379990141316)) / w ** 1.5) / RAD;
    const lon = 179.999_999_9;
    const east = wrapLon(lon + dLon);
    const area = ringAreaSquareMeters([
      lon,
      lat - dLat / 2,
      east,
      lat - dLat / 2,
      east,
      lat + dLat / 2,
      lon,
      lat + dLat / 2,
    ]);
    expect(Math.abs(area - 1)).toBeLessThan(1e-6);

    const colat = 2 ** -17; // 90 − colat is exact
    const cap = ringAreaSquareMeters([0, 90 - colat, 120, 90 - colat, -120, 90 - colat]);
    const polarRadius = 6_399_593.625_758_493;
    expect(cap / (Math.PI * (colat * RAD * polarRadius) ** 2)).toBeCloseTo(1, 9);
  });

  test('agrees with brute force over the surface element from 10 m to 1,000 km', () => {
    const random = seeded(11);
    let worst = 0;
    for (let i = 0; i < volume(1000); i++) {
      const spread = 10 ** (-4 + 4.6 * random());
      const ring = star(random, random() * 360 - 180, random() * 160 - 80, Math.min(spread, 4));
      const exact = fineArea(ring, 64);
      worst = Math.max(worst, Math.abs(ringAreaSquareMeters(ring) / exact - 1));
    }
    expect(worst).toBeLessThan(1e-9);
  });

  test('and perimeter are right to 1e-12 from 10 m to 1,000 km: anywhere, across the antimeridian, around and at a pole', () => {
    const random = seeded(13);
    const rings = {
      anywhere: (spread: number) => star(random, random() * 360 - 180, random() * 160 - 80, spread),
      antimeridian: (spread: number) => star(random, 180, random() * 160 - 80, spread),
      round: (spread: number) => polar(random, spread, true),
      atPole: (spread: number) => polar(random, spread, false),
    };
    for (const [kind, make] of Object.entries(rings)) {
      for (let i = 0; i < volume(2000); i++) {
        const spread = 10 ** (-4.35 + 5 * random());
        const ring = make(spread);
        const { area, perimeter, pole } = measureRing(ring);
        expect(pole).toBe(kind === 'round' ? 'north' : null);
        const at = `${kind} ${ring.join(', ')}`;
        const exact = tanhSinhArea(ring);
        expect(Math.abs(area / exact - 1), at).toBeLessThan(1e-12);
        expect(Math.abs(tanhSinhRing(ring).area / exact - 1), at).toBeLessThan(1e-12);
        expect(Math.abs(perimeter / perimeterOf(ring) - 1), at).toBeLessThan(1e-14);
        const mirrored = measureRing(ring.map((value, k) => (k % 2 === 0 ? value : -value)));
        expect(Math.abs(mirrored.area / area - 1), at).toBeLessThan(1e-12);
        expect(mirrored.pole).toBe(kind === 'round' ? 'south' : null);
      }
    }
  });

  test('and perimeter of rings of 10 m to 500 km are within 1e-14 of fixed-point arithmetic', () => {
    const random = seeded(14);
    for (let i = 0; i < volume(1000); i++) {
      const lon = Math.round(random() * 320 - 160);
      const ring = star(random, lon, random() * 160 - 80, 10 ** (-4.35 + 4.65 * random()));
      let [area, perimeter] = [0n, 0n];
      for (let k = 0; k < ring.length; k += 2) {
        const j = (k + 2) % ring.length;
        const edge = fixedEdge(ring[k]!, ring[k + 1]!, ring[j]!, ring[j + 1]!);
        area += edge.strip;
        perimeter += edge.meters;
      }
      const measured = measureRing(ring);
      expect(Math.abs(fixedError(measured.area, area)), ring.join(', ')).toBeLessThan(1e-14);
      expect(Math.abs(fixedError(measured.perimeter, perimeter)), ring.join(', ')).toBeLessThan(2e-15);
    }
  });

  test('is the same for any direction, start, full turn and mirroring; parts add up', () => {
    const random = seeded(12);
    for (let i = 0; i < volume(2000); i++) {
      const lon = random() * 360 - 180;
      const lat = random() * 120 - 60;
      const ring = star(random, lon, lat, 10 ** (-3 + 3 * random()));
      const area = ringAreaSquareMeters(ring);
      const pairs = Array.from({ length: ring.length / 2 }, (_, k) => ring.slice(2 * k, 2 * k + 2));
      const close = (other: number): void => expect(Math.abs(other / area - 1)).toBeLessThan(1e-9);
      close(ringAreaSquareMeters([...pairs].reverse().flat()));
      close(ringAreaSquareMeters([...pairs.slice(1), ...pairs.slice(0, 1)].flat()));
      close(ringAreaSquareMeters(ring.map((value, k) => (k % 2 === 0 ? value : -value))));
      close(ringAreaSquareMeters(ring.map((value, k) => (k % 2 === 0 ? wrapLon(-value) : value))));
      let fan = 0;
      for (let k = 0; k < pairs.length; k++) {
        fan += ringAreaSquareMeters([lon, lat, ...pairs[k]!, ...pairs[(k + 1) % pairs.length]!]);
      }
      if (pairs.length > 5) close(fan);
      expect(
        Math.abs(measureRing([...pairs].reverse().flat()).perimeter / measureRing(ring).perimeter - 1),
      ).toBeLessThan(1e-12);
    }
  });

  test('the perimeter equals the sum of the edges by brute force', () => {
    const ring = [170, 60, -170, 65, -175, 80, 175, 89];
    let exact = 0;
    for (let k = 0; k < 4; k++) {
      const j = (k + 1) % 4;
      exact += fineLength(ring[2 * k]!, ring[2 * k + 1]!, ring[2 * j]!, ring[2 * j + 1]!, 40_000);
    }
    expect(measureRing(ring).perimeter / exact).toBeCloseTo(1, 11);
  });
});
