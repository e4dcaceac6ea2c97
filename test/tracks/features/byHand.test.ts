/** Steps of which the answer is worked out by hand. */

import { describe, expect, test } from 'vitest';
import { ZoneIndex } from '../../../src/index.js';
import {
  findSpeeding,
  type Measure,
  meterTrack,
  readTrack,
  splitByZone,
  urbanMileage,
} from '../../../src/tracks/index.js';
import { wkt } from '../../wkt.js';

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
  const measure = (from: number, to: number): Measure =>
    meter.between(START + from * 1000, START + to * 1000);
  const greatest = (from: number, to: number): number | null => measure(from, to).maxSpeedKph;

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
    // Within a step the way is even, and the mean can be above the speeds.
    expect(greatest(from, to)).toBeCloseTo(Math.max(kph, measure(from, to).meanSpeedKph ?? 0), 9);
  });

  test('is unknown outside the track', () => {
    expect(greatest(-5, -1)).toBeNull();
    expect(greatest(41, 50)).toBeNull();
  });
});

/** Metres of a degree of longitude on the equator. */
const PER_DEGREE = (6_378_137 * Math.PI) / 180;

describe('a reported speed that positions contradict', () => {
  /** Fixes on the equator: seconds, metres to the east, km/h. */
  const isExcess = (fixes: readonly (readonly [number, number, number])[], isNorth = false): boolean => {
    const track = readTrack(
      fixes.map(([seconds, meters, speedKph]) => ({
        time: START + seconds * 1000,
        // Along a meridian a degree has 110,574 m at the equator.
        lon: isNorth ? 0.5 : 0.5 + meters / PER_DEGREE,
        lat: isNorth ? 0.5 + meters / 110_574.4 : 0,
        speedKph,
      })),
      { maxSpeedKph: Number.POSITIVE_INFINITY },
    );
    return findSpeeding(track, { limitKph: 99 }).some(({ maxKph }) => maxKph === 108);
  };

  // 108 km/h are 30 m/s. Braking from there takes 7.5 s and 112.5 m; in 5 s the unit still covers 30 · 5 − 2 · 25 = 100 m. 30 m are noise.
  test.each([
    [
      'in 5 s it moved 70.1 m',
      [
        [0, 0, 0],
        [5, 70.1, 108],
      ],
      true,
    ],
    [
      'in 5 s it moved 69.9 m',
      [
        [0, 0, 0],
        [5, 69.9, 108],
      ],
      false,
    ],
    [
      'in 7 s it moved 82.1 m',
      [
        [0, 0, 0],
        [7, 82.1, 108],
      ],
      true,
    ],
    [
      'in 7 s it moved 81.9 m',
      [
        [0, 0, 0],
        [7, 81.9, 108],
      ],
      false,
    ],
    [
      'in 10 s it moved 82.6 m',
      [
        [0, 0, 0],
        [10, 82.6, 108],
      ],
      true,
    ],
    [
      'in 10 s it moved 82.4 m',
      [
        [0, 0, 0],
        [10, 82.4, 108],
      ],
      false,
    ],
    [
      'in 60 s it moved 82.6 m',
      [
        [0, 0, 0],
        [60, 82.6, 108],
      ],
      true,
    ],
    [
      'in 60 s it moved 82.4 m',
      [
        [0, 0, 0],
        [60, 82.4, 108],
      ],
      false,
    ],
    // The reference is the latest fix at least 10 s before, not the one 9 s before.
    [
      'since 10 s before it moved 83 m',
      [
        [-20, 0, 0],
        [0, 0, 0],
        [1, 83, 0],
        [10, 83, 108],
      ],
      true,
    ],
    [
      'since 9 s before it moved 83 m, since 10 s nothing',
      [
        [0, 83, 0],
        [1, 0, 0],
        [10, 83, 108],
      ],
      false,
    ],
    // One side that does not contradict is enough.
    [
      'it stood before, and drove on',
      [
        [0, 0, 0],
        [10, 0, 108],
        [20, 83, 0],
      ],
      true,
    ],
    [
      'it stood before and after',
      [
        [0, 0, 0],
        [10, 0, 108],
        [20, 82, 0],
      ],
      false,
    ],
    [
      'it drove before, and stands',
      [
        [0, 0, 0],
        [10, 83, 108],
        [20, 83, 0],
      ],
      true,
    ],
    [
      'the side after is the first fix 10 s later, not that after 9 s',
      [
        [0, 0, 0],
        [10, 0, 108],
        [19, 82, 0],
        [20, 83, 0],
        [30, 0, 0],
      ],
      true,
    ],
    [
      'the last fix where there is none so late',
      [
        [0, 0, 0],
        [10, 0, 108],
        [17, 82.1, 0],
      ],
      true,
    ],
    [
      'the last fix where there is none so late, too near',
      [
        [0, 0, 0],
        [10, 0, 108],
        [17, 81.9, 0],
      ],
      false,
    ],
  ] as const)('%s', (_, fixes, counts) => {
    expect(isExcess(fixes)).toBe(counts);
  });

  test('to the north too', () => {
    expect(isExcess([[0, 0, 0], [10, 82.7, 108]], true)).toBe(true); // biome-ignore format: one line
    expect(isExcess([[0, 0, 0], [10, 82.3, 108]], true)).toBe(false); // biome-ignore format: one line
  });
});

describe('splitByZone of a unit that stays in one zone', () => {
  const index = new ZoneIndex([
    { id: 'z', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 50_000 },
  ]);
  // After 60 s 111.4 m farther, after 120 s another 5.57 km, after 200 s at the same place.
  const track = readTrack(
    wkt('0 55.7, 60 55.701, 120 55.751, 200 55.751').map(([seconds, lat]) => ({
      time: START + seconds! * 1000,
      lon: 37.6,
      lat: lat!,
    })),
    { maxSpeedKph: Number.POSITIVE_INFINITY },
  );
  const runs = (options: object, given = track): string =>
    splitByZone(given, index, options)
      .map(({ zoneId, from, to }) => `${zoneId} ${(from - START) / 1000}-${(to - START) / 1000}`)
      .join(', ');

  test.each([
    [{}, 'z 0-200'],
    [{ maxGapMeters: 5600 }, 'z 0-200'],
    [{ maxGapMeters: 5500 }, 'z 0-60, null 60-120, z 120-200'],
    // A step over more metres is a sleep up to `parkedMeters`.
    [{ maxGapMeters: 100, parkedMeters: 112 }, 'z 0-60, null 60-120, z 120-200'],
    [{ maxGapMeters: 100, parkedMeters: 111 }, 'null 0-120, z 120-200'],
    [{ maxGapSeconds: 60 }, 'z 0-200'],
    [{ maxGapSeconds: 59 }, 'z 0-60, null 60-120, z 120-200'],
    [{ maxGapSeconds: 59, parkedMeters: 112 }, 'z 0-60, null 60-120, z 120-200'],
    [{ maxGapSeconds: 59, parkedMeters: 111 }, 'null 0-120, z 120-200'],
    [{ maxGapSeconds: 59, parkedMeters: 0 }, 'null 0-120, z 120-200'],
    [{ maxGapSeconds: 59, parkedMeters: 6000 }, 'z 0-200'],
    [{ maxGapSeconds: 59, maxGapMeters: 100, parkedMeters: 112 }, 'z 0-60, null 60-120, z 120-200'],
  ])('%j: %s', (options, wanted) => {
    expect(runs(options)).toBe(wanted);
  });

  test('a blind step, and one of half a turn, is never a sleep', () => {
    const blind = Uint8Array.of(0, 1, 0, 2);
    const options = { maxGapSeconds: 59, parkedMeters: Number.POSITIVE_INFINITY };
    expect(runs(options, { ...track, blind })).toBe('null 0-60, z 60-120, null 120-200');
    expect(runs(options, { ...track, lon: Float64Array.of(37.6, 37.6, -142.4, -142.4) })).toBe(
      'z 0-60, null 60-200',
    );
  });
});
