/** Steps of which the answer is worked out by hand. */

import { describe, expect, test } from 'vitest';
import { meterTrack, readTrack, urbanMileage } from '../../../src/tracks/index.js';

const START = 1772438400000;
const SECONDS = 10;

/** Fixes 10 s apart, each a thousandth of a degree of latitude from the last. */
const drive = (speeds: readonly (number | undefined)[]): ReturnType<typeof readTrack> =>
  readTrack(
    speeds.map((speedKph, i) => ({
      time: START + i * SECONDS * 1000,
      lon: 37.6,
      lat: 55.7 + 0.001 * i,
      ...(speedKph !== undefined && { speedKph }),
    })),
  );

describe('urbanMileage of one step', () => {
  test.each([
    [50, 100, 0.8],
    [100, 50, 0.8],
    [50, 70, 0.5],
    [60, 80, 1],
    [80, 60, 1],
    [61, 61, 1],
    [60, 60, 0],
    [40, 60, 0],
    [60, 40, 0],
    [10, 20, 0],
  ])('from %d to %d km/h, with 60 the limit: %d of it suburban', (from, to, share) => {
    const track = drive([from, to]);
    const { distanceMeters } = meterTrack(track).total();
    const { urbanMeters, suburbanMeters } = urbanMileage(
      track,
      { advanced_urbspeedlimit: 60 },
      { trustSpeeds: true },
    );
    expect(distanceMeters).toBeGreaterThan(111);
    expect(suburbanMeters).toBeCloseTo(share * distanceMeters, 9);
    expect(urbanMeters).toBeCloseTo((1 - share) * distanceMeters, 9);
  });

  test('without speeds the speed is distance by time', () => {
    const track = drive([undefined, undefined]);
    const { distanceMeters, maxSpeedKph } = meterTrack(track).total();
    expect(maxSpeedKph).toBeCloseTo((distanceMeters / SECONDS) * 3.6, 9);
    const suburban = (limit: number): number =>
      urbanMileage(track, { advanced_urbspeedlimit: limit }).suburbanMeters;
    expect(suburban(maxSpeedKph! - 0.001)).toBe(distanceMeters);
    expect(suburban(maxSpeedKph! + 0.001)).toBe(0);
  });
});

describe('the greatest speed of a span', () => {
  // 20, 60, 40, 80, 0 km/h at 0, 10, 20, 30, 40 s, straight between.
  const meter = meterTrack(drive([20, 60, 40, 80, 0]));
  const greatest = (from: number, to: number): number | null =>
    meter.between(START + from * 1000, START + to * 1000).maxSpeedKph;

  test.each([
    [0, 40, 80],
    [0, 0, 20],
    [0, 5, 40],
    [2, 4, 36],
    [5, 15, 60],
    [10, 10, 60],
    [12, 14, 56],
    [12, 25, 60],
    [16, 20, 48],
    [20, 20, 40],
    [31, 40, 72],
    [35, 35, 40],
    [40, 40, 0],
    [40, 50, 0],
    [-5, 0, 20],
    [-5, 1, 24],
  ])('from %d to %d s: %d km/h', (from, to, kph) => {
    expect(greatest(from, to)).toBeCloseTo(kph, 9);
  });

  test('is unknown outside the track', () => {
    expect(greatest(-5, -1)).toBeNull();
    expect(greatest(41, 50)).toBeNull();
  });
});
