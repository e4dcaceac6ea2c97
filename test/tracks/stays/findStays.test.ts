import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { type FindStaysOptions, findStays, readTrack } from '../../../src/tracks/index.js';
import { errorOf } from '../../errorOf.js';
import { LONG } from '../../volume.js';
import { fixAt, metersOf, START } from '../planeIndex.js';
import { KINDS, knownDay } from './days.js';
import { addDay, noScore, quantileOf } from './score.js';

/** `[minute, x, y]` rows as fixes without speeds. */
function fixesOf(rows: readonly (readonly [minute: number, x: number, y?: number])[]): Fix[] {
  return rows.map(([minute, x, y = 0]) => fixAt(minute * 60, x, y));
}

function spans(fixes: readonly Fix[], options?: FindStaysOptions): string[] {
  const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
  return findStays(track, options).map(
    ({ from, to }) => `${(from - START) / 60_000} ${(to - START) / 60_000}`,
  );
}

/** Each minute from one on, at a place. */
function rest(from: number, to: number, x: number): [number, number][] {
  return Array.from({ length: to - from + 1 }, (_, i) => [from + i, x]);
}

describe('findStays', () => {
  it('finds where fixes are near each other for long enough', () => {
    expect(spans([])).toEqual([]);
    expect(spans([fixAt(0, 0)])).toEqual([]);
    expect(spans(fixesOf(rest(0, 4, 0)))).toEqual([]);
    expect(spans(fixesOf(rest(0, 5, 0)))).toEqual(['0 5']);
    expect(spans(fixesOf([...rest(0, 6, 0), [7, 500], [8, 1000], ...rest(9, 20, 1500)]))).toEqual([
      '0 6',
      '9 20',
    ]);
  });

  it('takes spikes and cell positions for part of a stay, at any distance', () => {
    expect(spans(fixesOf([...rest(0, 9, 0), [10, 300], ...rest(11, 20, 0)]))).toEqual(['0 20']);
    expect(spans(fixesOf([...rest(0, 9, 0), [10, 9000], [11, -700], ...rest(12, 20, 0)]))).toEqual(['0 20']);
    // Also just after the first fix.
    expect(spans(fixesOf([[0, 0], [1, 400], ...rest(2, 20, 0)]))).toEqual(['0 20']);
  });

  it('ends a stay whose unit was elsewhere for as long as one takes', () => {
    const away = fixesOf([
      ...rest(0, 9, 0),
      [10, 300],
      [11, -200],
      [12, 300],
      [13, -200],
      [14, 300],
      [15, -200],
    ]);
    expect(spans([...away, ...fixesOf(rest(16, 30, 0))])).toEqual(['0 9', '16 30']);
  });

  it('ends a stay whose unit drove a round, by its reported speeds', () => {
    const round = [
      [120, 0],
      [120, 120],
      [0, 120],
    ].map(([x = 0, y], i) => fixAt(600 + 60 * i, x, y, { speedKph: 7.2 }));
    const resting = (from: number, to: number): Fix[] =>
      rest(from, to, 0).map(([minute, x]) => fixAt(60 * minute, x, 0, { speedKph: 7.2 }));
    const day = [...resting(0, 9), ...round, ...resting(13, 30)];
    expect(spans(day)).toEqual(['0 9', '13 30']);
    // Without speeds the unit may as well have stood.
    expect(spans(day.map(({ time, lon, lat }) => ({ time, lon, lat })))).toEqual(['0 30']);
  });

  it('finds a sleep between two fixes, and no rest in a drive that is seldom reported', () => {
    expect(
      spans(
        fixesOf([
          [0, 0],
          [1, 600],
          [500, 700],
          [501, 1300],
        ]),
      ),
    ).toEqual(['1 500']);
    expect(
      spans(
        fixesOf([
          [0, 0],
          [1, 600],
          [500, 900],
          [501, 1500],
        ]),
      ),
    ).toEqual([]);
    expect(
      spans(
        fixesOf([
          [0, 0],
          [1, 600],
          [500, 900],
          [501, 1500],
        ]),
        { maxSleepMeters: 301 },
      ),
    ).toEqual(['1 500']);
    const drive = Array.from({ length: 20 }, (_, i): [number, number] => [10 * i, 5000 * i]);
    expect(spans(fixesOf(drive))).toEqual([]);
  });

  it('is not quiet while it creeps, unless the way is less than that of noise', () => {
    const creep = (metersAMinute: number): Fix[] =>
      fixesOf(Array.from({ length: 40 }, (_, i) => [i / 2, (metersAMinute * i) / 2]));
    expect(spans(creep(16))).toEqual([]);
    expect(spans(creep(2))).toHaveLength(1);
  });

  it('takes positions that flip between two places for one stay, and a queue for none', () => {
    const steps = Array.from({ length: 40 }, (_, i) => (61 * i) / 60);
    for (const away of [20, 30, 40]) {
      expect(spans(fixesOf(steps.map((minute, i) => [minute, i % 2 === 0 ? 0 : away])))).toEqual([
        `0 ${steps.at(-1)}`,
      ]);
    }
    // It moves on by as much after three fixes.
    for (const away of [30, 40])
      expect(spans(fixesOf(steps.map((minute, i) => [minute, away * Math.floor(i / 3)])))).toEqual([]);
  });

  it('measures the place of a stay', () => {
    const track = readTrack([
      ...Array.from({ length: 99 }, (_, i) => fixAt(10 * i, i % 2 === 0 ? 8 : 12, 3)),
      fixAt(990, 10, 30),
    ]);
    const [stay, ...none] = findStays(track);
    expect(none).toEqual([]);
    expect(stay).toMatchObject({ from: START, to: START + 990_000, fixes: 100 });
    const [x, y] = metersOf(stay!.centre);
    expect([x, y]).toEqual([expect.closeTo(10, -1), expect.closeTo(3, 3)]);
    expect(stay!.radiusMeters).toBeLessThan(5);
  });

  it('refuses what is no track, and options out of range', () => {
    expect(errorOf(() => findStays({ length: 1 } as never))).toMatchObject({ code: 'track-invalid' });
    const track = readTrack([]);
    for (const options of [{ minSeconds: 29 }, { stayMeters: 14 }, { maxSleepMeters: -1 }])
      expect(errorOf(() => findStays(track, options))).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => findStays(track, { minMinutes: 5 } as never))).toMatchObject({
      code: 'option-unknown',
    });
  });
});

describe('days whose parkings are known', () => {
  // `positions of cells at rest` may begin and end with such a position.
  it.each(Object.keys(KINDS))('%s: every stay, and no other', (name) => {
    const score = noScore();
    for (let seed = 0; seed < (LONG ? 50 : 1); seed++) {
      const day = knownDay(name, seed);
      addDay(score, day, findStays(readTrack(day.fixes), { maxSleepMeters: 1000 }));
    }
    expect(score.right / score.known).toBeGreaterThanOrEqual(0.99);
    expect(score.right / score.found).toBeGreaterThanOrEqual(0.99);
    const limit = name.startsWith('positions of cells') ? 180 : Math.max(60, ...KINDS[name]!.steps);
    expect(quantileOf(score.offBegin, 0.95)).toBeLessThanOrEqual(limit);
    expect(quantileOf(score.offEnd, 0.95)).toBeLessThanOrEqual(limit);
  });
});
