import { describe, expect, it } from 'vitest';
import type { Fix, Track } from '../../src/core/fix.js';
import { orderByTime } from '../../src/tracks/fixColumns.js';
import { readTrack, type TrackOptions } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { fixAt, START } from './planeIndex.js';

const DAY = 86_400_000;

function seconds(track: Track): number[] {
  return Array.from(track.time, (time) => (time - START) / 1000);
}

function rejectedOf(bad: unknown, options?: TrackOptions): object {
  const track = readTrack([fixAt(0, 0), bad as Fix, fixAt(100, 10)], options);
  expect(seconds(track)).toEqual([0, 100]);
  return track.rejected;
}

describe('readTrack', () => {
  it('sorts by time and keeps the columns that fixes have', () => {
    const track = readTrack([
      fixAt(20, 3, 0, { ignition: true }),
      fixAt(0, 1, 0, { speedKph: 5, accuracyMeters: 7 }),
      fixAt(10, 2, 0, { speedKph: -1, ignition: false, accuracyMeters: Number.NaN }),
    ]);
    expect(track.length).toBe(3);
    expect(seconds(track)).toEqual([0, 10, 20]);
    expect([...(track.speedKph ?? [])]).toEqual([5, -1, -1]);
    expect([...(track.accuracyMeters ?? [])]).toEqual([7, -1, -1]);
    expect([...(track.ignition ?? [])]).toEqual([255, 0, 1]);
    expect(track.rejected).toEqual({});
  });

  it('keeps the mileages that fixes have', () => {
    const track = readTrack([
      fixAt(20, 3, 0, { mileageMeters: 1_000_250, mileageDeltaMeters: 250 }),
      fixAt(0, 1, 0, { mileageMeters: 1_000_000 }),
      fixAt(10, 2, 0, { mileageMeters: -5, mileageDeltaMeters: Number.NaN }),
    ]);
    expect([...(track.mileageMeters ?? [])]).toEqual([1_000_000, -1, 1_000_250]);
    expect([...(track.mileageDeltaMeters ?? [])]).toEqual([-1, -1, 250]);
  });

  it('keeps a mileage that only a late fix has, and prefers the same fix in any order', () => {
    const fixes = Array.from({ length: 3000 }, (_, i) => fixAt(10 * i, i / 10));
    fixes.push(fixAt(29_990, 299.9, 0, { mileageMeters: 7 }), fixAt(29_990, 299.9, 0, { mileageMeters: 3 }));
    const track = readTrack(fixes);
    expect(track.mileageMeters?.length).toBe(3000);
    expect([...(track.mileageMeters ?? [])].filter((meters) => meters >= 0)).toEqual([3]);
    expect(track.mileageMeters?.[2999]).toBe(3);
    expect(track.mileageDeltaMeters).toBeNull();
    expect(readTrack([...fixes].reverse())).toEqual(track);
  });

  it('is empty without fixes, and lacks columns that no fix has', () => {
    expect(readTrack([])).toEqual({
      length: 0,
      time: new Float64Array(0),
      lon: new Float64Array(0),
      lat: new Float64Array(0),
      speedKph: null,
      accuracyMeters: null,
      ignition: null,
      mileageMeters: null,
      mileageDeltaMeters: null,
      blind: null,
      blindAfter: null,
      rejected: {},
      issues: [],
    });
  });

  it('keeps of equal times the most accurate fix, unknown last, then the smaller lon, then lat', () => {
    const kept = (...fixes: Fix[]): number[] => {
      const track = readTrack(fixes);
      expect(track.length).toBe(1);
      expect(track.rejected).toEqual({ duplicate: fixes.length - 1 });
      return [track.lon[0] as number, track.lat[0] as number];
    };
    const at = (lon: number, lat: number, accuracyMeters?: number): Fix =>
      accuracyMeters === undefined ? { time: START, lon, lat } : { time: START, lon, lat, accuracyMeters };
    expect(kept(at(1, 1), at(3, 3, 9), at(2, 2, 20))).toEqual([3, 3]);
    expect(kept(at(2, 1), at(1, 5), at(1, 4))).toEqual([1, 4]);
    expect(kept(at(1, 1), at(1, 1), at(1, 1))).toEqual([1, 1]);
  });

  it('counts the same message sent 1000 times as duplicates', () => {
    const once = [fixAt(0, 0), fixAt(10, 10), fixAt(20, 20)];
    const often = readTrack(Array.from({ length: 1000 }, () => once).flat());
    expect(often).toEqual({ ...readTrack(once), rejected: { duplicate: 2997 } });
  });

  it('leaves out values that are not fixes', () => {
    const good = fixAt(50, 5);
    for (const bad of [
      null,
      undefined,
      'fix',
      7,
      {},
      { ...good, valid: false },
      { ...good, lon: '10' },
      { ...good, lon: Number.NaN },
      { ...good, lon: 540.5 },
      { ...good, lat: null },
      { ...good, lat: 90.000001 },
      { ...good, lat: -122 },
      { ...good, lat: Number.POSITIVE_INFINITY },
      { ...good, time: String(good.time) },
      { ...good, time: Number.NaN },
      { ...good, time: Number.POSITIVE_INFINITY },
      { ...good, time: BigInt(good.time) },
    ]) {
      expect(rejectedOf(bad)).toEqual({ invalid: 1 });
    }
  });

  it('rounds times, and counts those that become equal as duplicates', () => {
    const times = [0.4, 1.5, 1.6, 9.5].map((time) => ({ ...fixAt(0, 0), time: START + time }));
    const track = readTrack(times);
    expect([...track.time].map((time) => time - START)).toEqual([0, 2, 10]);
    expect(track.rejected).toEqual({ duplicate: 1 });
  });

  it('leaves out impossible times, and the next good fix works', () => {
    for (const time of [0, -5, Date.UTC(1999, 7, 22), START / 1000, Date.UTC(2100, 0, 1), 8e15]) {
      expect(rejectedOf({ ...fixAt(50, 5), time })).toEqual({ 'time-implausible': 1 });
    }
    const limits = { earliestTime: START - DAY, latestTime: START + DAY };
    for (const time of [Date.UTC(2000, 1, 25), START + DAY + 1, Date.UTC(2094, 0, 1), START - DAY - 1]) {
      expect(rejectedOf({ ...fixAt(50, 5), time }, limits)).toEqual({ 'time-implausible': 1 });
    }
    expect(readTrack([{ ...fixAt(0, 0), time: START + DAY }], limits).length).toBe(1);
  });

  it('adds 1024 weeks only where the result lies within the time of receipt', () => {
    const week = 7 * DAY;
    const rolled = (time: number): Fix => ({ ...fixAt(50, 5), time: time - 1024 * week });
    const rolloverWindow = [START - DAY, START + DAY] as const;
    const lost = [
      rolled(START + 50_000),
      rolled(START + DAY),
      rolled(START + DAY + 1),
      rolled(START - 2 * DAY),
    ];
    const track = readTrack([fixAt(0, 0), ...lost], { rolloverWindow, earliestTime: START - DAY });
    expect(seconds(track)).toEqual([0, 50, 86_400]);
    expect(track).toMatchObject({ rolledOver: 2, rejected: { 'time-implausible': 2 } });
    expect(readTrack(lost)).toMatchObject({ length: 4, rejected: {} });
    expect('rolledOver' in readTrack(lost)).toBe(false);
    const old = [START - 1024 * week, START - DAY];
    expect(readTrack([fixAt(0, 0)], { rolloverWindow: [old[0]!, old[1]!] })).toMatchObject({
      length: 1,
      rolledOver: 0,
    });
    for (const bad of [7, [1], [2, 1], [0, Number.NaN], ['a', 'b']]) {
      expect(errorOf(() => readTrack([], { rolloverWindow: bad as never }))).toMatchObject({
        code: 'option-value',
        field: expect.stringMatching(/^options\.rolloverWindow/),
      });
    }
  });

  it('leaves out exactly 0, 0 unless the option keeps it', () => {
    expect(rejectedOf({ ...fixAt(50, 0), lon: 0, lat: 0 })).toEqual({ 'zero-island': 1 });
    expect(rejectedOf({ ...fixAt(50, 0), lon: -0, lat: -0 })).toEqual({ 'zero-island': 1 });
    const island = [{ time: START, lon: 0, lat: 0 }];
    expect(readTrack(island, { keepZeroIsland: true }).length).toBe(1);
  });

  it('V4a: leaves out a fix that is too fast from the last good one, if the next one returns', () => {
    expect(rejectedOf(fixAt(50, 90_000))).toEqual({ speed: 1 });
    expect(rejectedOf({ ...fixAt(50, 5), lon: -10 })).toEqual({ speed: 1 });
  });

  it('V4a: checks a second wild fix against the last good one', () => {
    const track = readTrack([fixAt(0, 0), fixAt(10, 90_000), fixAt(20, -90_000), fixAt(30, 5)]);
    expect(seconds(track)).toEqual([0, 30]);
    expect(track.rejected).toEqual({ jammed: 2 });
  });

  it('accepts a speed equal to maxSpeedKph; Infinity turns the check off', () => {
    const there = [fixAt(0, 0), fixAt(10, 1000), fixAt(20, 0)];
    expect(readTrack(there, { maxSpeedKph: 359.9 }).length).toBe(2);
    expect(readTrack(there, { maxSpeedKph: 360.1 }).length).toBe(3);
    const wild = [fixAt(0, 0), fixAt(10, 1e6), fixAt(20, 0)];
    expect(readTrack(wild, { maxSpeedKph: Number.POSITIVE_INFINITY }).length).toBe(3);
  });

  it('wraps longitudes, across the antimeridian too', () => {
    const track = readTrack([
      { time: START, lon: 179.9999, lat: 0.1 },
      { time: START + 1000, lon: 180.0001, lat: 0.1 },
      { time: START + 2000, lon: -180, lat: 0.1 },
    ]);
    expect([...track.lon]).toEqual([179.9999, 180.0001 - 360, 180]);
    expect(track.rejected).toEqual({});
  });

  it('does not change the fixes', () => {
    const frozen = Object.freeze([fixAt(10, 1), fixAt(0, 0)].map((fix) => Object.freeze(fix)));
    expect(readTrack(frozen).length).toBe(2);
    expect(readTrack(new Set(frozen).values() as Iterable<Fix>).length).toBe(2);
  });

  it('names the invalid argument', () => {
    expect(errorOf(() => readTrack(7 as never))).toMatchObject({ code: 'fixes-type', field: 'fixes' });
    expect(errorOf(() => readTrack(null as never))).toMatchObject({ code: 'fixes-type' });
    const throwing = {
      get time(): number {
        throw new Error('no');
      },
    };
    expect(errorOf(() => readTrack([throwing as Fix]))).toMatchObject({ code: 'input-unreadable' });
    for (const options of [{ maxSpeedKph: -1 }, { earliestTime: Number.NaN }, { keepZeroIsland: 1 }]) {
      const error = errorOf(() => readTrack([], options as TrackOptions));
      expect(error).toMatchObject({ code: 'option-value', field: `options.${Object.keys(options)[0]}` });
    }
    expect(errorOf(() => readTrack([], null as never))).toMatchObject({ code: 'option-type' });
  });

  it('sorts any times like a plain sort', () => {
    const random = seeded(3);
    for (const span of [1, 3, 70_000, 5e9, 3e12]) {
      for (const count of [0, 1, 2, 50, 2000]) {
        const times = Float64Array.from({ length: count }, () => START - Math.floor(random() * span));
        const order = orderByTime(times, (i, j) => i - j);
        const plain = Array.from(times.keys()).sort((i, j) => times[i]! - times[j]! || i - j);
        expect([...order]).toEqual(plain);
      }
    }
  });
});
