import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { decidedDistance, geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { detectTrips, type Measure, meterTrack, readTrack } from '../../../src/tracks/index.js';
import { gapRules } from '../../../src/tracks/meter/gapRules.js';
import { meterRules, readMeterSettings } from '../../../src/tracks/meter/meterSettings.js';
import { restSteps } from '../../../src/tracks/meter/meterTrack.js';
import { measureStepByStep, measureSteps } from '../../../src/tracks/meter/stepColumns.js';
import { GAP, IDLING, MOVING, PARKED } from '../../../src/tracks/meter/stepMeter.js';
import { movementRules, readMovement } from '../../../src/tracks/movementRules.js';
import { errorOf } from '../../errorOf.js';
import { volume } from '../../volume.js';
import { restsOf, slowBetween, slowSteps, speedIn } from '../oracle/slowMeter.js';
import { expectClose } from './closeTo.js';
import { drives, gapArbitrary, START, settingsArbitrary, trackOf } from './drivesArbitrary.js';
import { fastDrives } from './speedingArbitrary.js';

const NONE: Measure = {
  durationSeconds: 0,
  movingSeconds: 0,
  idlingSeconds: 0,
  parkedSeconds: 0,
  unmeasuredSeconds: 0,
  distanceMeters: 0,
  unmeasuredMeters: 0,
  maxSpeedKph: null,
  meanSpeedKph: null,
};
const runs = { numRuns: volume(2000, 25), seed: 38 };

/** Times at fixes, between them, and outside the track. */
const cutsOf = (fixes: readonly Fix[], picks: readonly number[]): number[] => {
  const [first, last] = [fixes[0]?.time ?? START, fixes.at(-1)?.time ?? START];
  return picks
    .map((n) =>
      n % 3 === 0 && fixes.length > 0
        ? fixes[n % fixes.length]!.time
        : first - 5000 + Math.floor(((n * 7919) % 1000) * ((last - first + 10_000) / 1000)),
    )
    .sort((a, b) => a - b);
};
const picksArbitrary = fc.array(fc.nat(1e6), { minLength: 3, maxLength: 6 });

describe('meterTrack', () => {
  it('measures what the slow reference measures, in any span', () => {
    fc.assert(
      fc.property(
        drives(0, 14),
        settingsArbitrary,
        gapArbitrary,
        picksArbitrary,
        (fixes, settings, gaps, picks) => {
          const track = trackOf(fixes);
          const meter = meterTrack(track, settings, gaps);
          const steps = slowSteps(track, settings, gaps, restsOf(track, settings));
          const cuts = cutsOf(fixes, picks);
          for (const from of cuts)
            for (const to of cuts)
              if (from <= to) expectClose(meter.between(from, to), slowBetween(track, steps, from, to), 1e-8);
        },
      ),
      runs,
    );
  });

  it('measures steps of a whole track as a stream does, to the last bit', () => {
    const kinds = new Set<number>();
    fc.assert(
      fc.property(
        fc.oneof(drives(0, 14), fastDrives, drives(40, 60)),
        settingsArbitrary,
        gapArbitrary,
        fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 16, maxLength: 16 }),
        fc.boolean(),
        (fixes, settings, gaps, blinds, isBlind) => {
          const plain = trackOf(fixes);
          const blind = Uint8Array.from(plain.time, (_, i) => (i === 0 ? 0 : blinds[i % 16]!));
          const track = isBlind ? { ...plain, blind } : plain;
          const gps = { ...settings, tripdetector_mileagedetect: 'mileage_GPS' } as const;
          const rules = meterRules(readMeterSettings(gps), gapRules(gaps));
          for (const isRest of [null, restSteps(track, movementRules(readMovement(gps, undefined)))]) {
            const { metersOf: _, evenKphOf: __, ...columns } = measureSteps(track, rules, isRest);
            const {
              metersOf: ___,
              evenKphOf: ____,
              measure: _____,
              ...wanted
            } = measureStepByStep(track, rules, isRest);
            expect({ ...columns }).toEqual(wanted);
            for (const kind of columns.kind) kinds.add(kind);
          }
        },
      ),
      runs,
    );
    expect([...kinds]).toEqual(expect.arrayContaining([GAP, MOVING, IDLING, PARKED]));
  });

  it('answers to the last bit alike whatever was asked before, also over many blocks of steps', () => {
    fc.assert(
      fc.property(
        drives(30, 150),
        settingsArbitrary,
        gapArbitrary,
        fc.array(fc.nat(1e6), { minLength: 8, maxLength: 8 }),
        (fixes, settings, gaps, picks) => {
          const track = trackOf(fixes);
          const asked = meterTrack(track, settings, gaps);
          const total = asked.total();
          const steps = slowSteps(track, settings, gaps, restsOf(track, settings));
          expectClose(total, slowBetween(track, steps, asked.from!, asked.to!), 1e-8);
          const anew = meterTrack(track, settings, gaps);
          for (let i = 0; i + 1 < picks.length; i++) {
            const [from, to] = cutsOf(fixes, [picks[i]!, picks[i + 1]!]) as [number, number];
            const own = anew.between(from, to);
            expect(own).toEqual(asked.between(from, to));
            expect(meterTrack(track, settings, gaps).between(from, to)).toEqual(own);
            expectClose(own, slowBetween(track, steps, from, to), 1e-8);
          }
          expect(anew.total()).toEqual(total);
        },
      ),
      { numRuns: volume(600), seed: 381 },
    );
  });

  it('does not see what happens to the columns of the track after the call', () => {
    const fixes = fc.sample(drives(40, 40), { numRuns: 20, seed: 5 });
    for (const own of fixes) {
      const [track, twin] = [trackOf(own), trackOf(own)];
      const meter = meterTrack(track);
      for (const column of Object.values(track))
        if (ArrayBuffer.isView(column)) (column as Float64Array).fill(1);
      expect(meter.total()).toEqual(meterTrack(twin).total());
    }
  });

  it('takes a step of exactly `maxGapMeters` as seen', () => {
    let exact = 0;
    for (let i = 0; i < 200; i++) {
      const [a, b] = [
        { lon: 37.6, lat: 55.7 },
        { lon: 37.6 + 0.01 + i * 1e-4, lat: 55.7 + i * 7e-5 },
      ] as const;
      const maxGapMeters = geodesicDistance(a.lon, a.lat, b.lon, b.lat);
      const track = trackOf([
        { time: START, ...a },
        { time: START + 60_000, ...b },
      ]);
      const gap = meterTrack(track, {}, { maxGapMeters, parkedMeters: 0 }).total();
      const isExact = decidedDistance(a.lon, a.lat, b.lon, b.lat, maxGapMeters) === maxGapMeters;
      expect(gap.unmeasuredSeconds).toBe(0);
      expect(meterTrack(track, {}, { maxGapMeters: maxGapMeters - 1e-4 }).total().unmeasuredSeconds).toBe(60);
      if (isExact) exact++;
    }
    expect(exact).toBeGreaterThan(20);
  });

  it('is additive over any cut, and its seconds sum to the duration', () => {
    fc.assert(
      fc.property(
        drives(1, 20),
        settingsArbitrary,
        gapArbitrary,
        picksArbitrary,
        (fixes, settings, gaps, picks) => {
          const meter = meterTrack(trackOf(fixes), settings, gaps);
          const [a, b, c] = cutsOf(fixes, picks) as [number, number, number];
          const [left, right, whole] = [meter.between(a, b), meter.between(b, c), meter.between(a, c)];
          for (const name of Object.keys(whole) as (keyof Measure)[]) {
            if (name === 'meanSpeedKph') continue;
            if (name === 'maxSpeedKph') {
              const most = Math.max(left[name] ?? -1, right[name] ?? -1);
              // At the cut itself a step without speeds counts on both sides, or on neither of two empty ones.
              if (!(a < b && b < c)) continue;
              // The mean of a part can be above its speeds.
              const isMean = [left, right].some(
                ({ meanSpeedKph, maxSpeedKph }) => meanSpeedKph !== null && meanSpeedKph === maxSpeedKph,
              );
              if (isMean) expect(most).toBeGreaterThanOrEqual((whole[name] ?? -1) * (1 - 1e-9));
              else expect(most).toBe(whole[name] ?? -1);
              continue;
            }
            expect(Math.abs(left[name]! + right[name]! - whole[name]!)).toBeLessThanOrEqual(
              1e-9 * whole[name]!,
            );
          }
          const { durationSeconds, movingSeconds, idlingSeconds, parkedSeconds, unmeasuredSeconds } = whole;
          expect(movingSeconds + idlingSeconds + parkedSeconds + unmeasuredSeconds).toBeCloseTo(
            durationSeconds,
            6,
          );
        },
      ),
      runs,
    );
  });

  it('multiplies both distances by the coefficient and nothing else, and moves with the times', () => {
    fc.assert(
      fc.property(
        drives(1, 12),
        settingsArbitrary,
        fc.integer({ min: -1e9, max: 1e9 }),
        (fixes, settings, shift) => {
          const once = meterTrack(trackOf(fixes), { ...settings, advanced_mileagecoeff: 1 }).total();
          const thrice = meterTrack(trackOf(fixes), { ...settings, advanced_mileagecoeff: 3 }).total();
          const { distanceMeters, unmeasuredMeters, meanSpeedKph, maxSpeedKph } = once;
          const mean = meanSpeedKph && 3 * meanSpeedKph;
          // A greatest speed that is a mean follows it.
          const reached = Math.max(thrice.maxSpeedKph ?? 0, mean ?? 0);
          if (maxSpeedKph !== null) expect(thrice.maxSpeedKph).toBeCloseTo(reached, 6);
          expectClose(thrice, {
            ...once,
            distanceMeters: 3 * distanceMeters,
            unmeasuredMeters: 3 * unmeasuredMeters,
            meanSpeedKph: mean,
            maxSpeedKph: thrice.maxSpeedKph,
          });
          const later = trackOf(fixes.map((fix) => ({ ...fix, time: fix.time + shift })));
          expect(meterTrack(later, { ...settings, advanced_mileagecoeff: 1 }).total()).toEqual(once);
        },
      ),
      runs,
    );
  });

  it('does not notice a fix inserted on a moving step at its position, time and speed', () => {
    fc.assert(
      fc.property(drives(2, 10), fc.nat(100), fc.integer({ min: 1, max: 99 }), (fixes, pick, percent) => {
        const track = trackOf(fixes);
        const settings = { tripdetector_minmovespeed: 0 };
        const i = pick % (fixes.length - 1);
        const step = slowSteps(track, settings, {}, restsOf(track, settings))[i]!;
        const time = step.from + Math.floor(((step.to - step.from) * percent) / 100);
        const isLinear = (track.speedKph?.[i] ?? -1) >= 0 && (track.speedKph?.[i + 1] ?? -1) >= 0;
        fc.pre(step.kind === 'moving' && isLinear && time > step.from && Math.abs(track.lon[i]!) < 179);
        const share = (time - step.from) / (step.to - step.from);
        const inserted: Fix = {
          time,
          lon: track.lon[i]! + (track.lon[i + 1]! - track.lon[i]!) * share,
          lat: track.lat[i]! + (track.lat[i + 1]! - track.lat[i]!) * share,
          speedKph: speedIn(step, time)!,
          ...(fixes[i]!.ignition !== undefined && { ignition: fixes[i]!.ignition! }),
        };
        const more = trackOf([...fixes.slice(0, i + 1), inserted, ...fixes.slice(i + 1)]);
        expectClose(meterTrack(more, settings).total(), meterTrack(track, settings).total(), 1e-6);
      }),
      runs,
    );
  });

  it('counts as far as detectTrips where each step belongs to a trip or a parking', () => {
    let count = 0;
    const wide = {
      tripdetector_maxdistancemsg: 1e7,
      advanced_maxintervalmsg: 1e9,
      tripdetector_minparktime: 0,
    };
    const any = { ...wide, tripdetector_mintripdist: 0, tripdetector_mintriptime: 0 };
    fc.assert(
      fc.property(drives(2, 20), settingsArbitrary, (fixes, settings) => {
        const track = trackOf(fixes);
        const fields = { ...settings, ...any };
        const { trips, parkings } = detectTrips(track, fields);
        const items = [...trips, ...parkings];
        const seconds = items.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
        const meter = meterTrack(track, fields, { maxGapSeconds: Infinity });
        const total = meter.total();
        // An odometer's readings before a trip do not count in detectTrips; in the meter they do.
        if (settings.tripdetector_mileagedetect === 'mileage_mileage_sensor') return;
        if (Math.abs(seconds - total.durationSeconds) > 1e-6) return;
        count++;
        const meters = items.reduce((sum, { distanceMeters }) => sum + distanceMeters, 0);
        expect(Math.abs(meters - total.distanceMeters)).toBeLessThanOrEqual(
          // Trips count whole micrometres of each step.
          1e-9 * meters + 1e-6 + 0.5e-6 * fixes.length * Number(settings.advanced_mileagecoeff ?? 1),
        );
      }),
      runs,
    );
    expect(count).toBeGreaterThan(volume(15, 15));
  });

  it('is at rest in all of a parking, whatever is reported', () => {
    let count = 0;
    fc.assert(
      fc.property(
        fc.oneof(drives(2, 20), drives(40, 60)),
        settingsArbitrary,
        gapArbitrary,
        fc.constantFrom(30, 300),
        (fixes, own, gaps, minparktime) => {
          const track = trackOf(fixes);
          const settings = { ...own, tripdetector_minparktime: minparktime };
          const meter = meterTrack(track, settings, gaps);
          const { parkings, stops } = detectTrips(track, settings);
          for (const { from, to, durationSeconds } of [...parkings, ...stops]) {
            count++;
            const { idlingSeconds, parkedSeconds, distanceMeters } = meter.between(from, to);
            expect(idlingSeconds + parkedSeconds).toBeCloseTo(durationSeconds, 6);
            if (own.tripdetector_gpscorrect === 1) expect(distanceMeters).toBe(0);
          }
        },
      ),
      runs,
    );
    expect(count).toBeGreaterThan(volume(400));
  });

  it('rests where a parked unit always reports 40 km/h, with noise and a spike', () => {
    const fixes = Array.from({ length: 181 }, (_, i) => ({
      time: START + i * 10_000,
      lon: 10 + Math.max(0, i - 120) * 0.0015,
      lat: 50 + (i % 2) * 0.00005 + (i === 60 ? 0.004 : 0),
      speedKph: 40,
    }));
    const meter = meterTrack(trackOf(fixes), { tripdetector_gpscorrect: 1 });
    const night = meter.between(START, START + 1_200_000);
    expect(night).toMatchObject({ movingSeconds: 0, parkedSeconds: 1200, distanceMeters: 0 });
    expect(meter.between(START + 1_210_000, START + 1_800_000).movingSeconds).toBe(590);
  });

  it('has no mean above its greatest speed, whatever is reported', () => {
    fc.assert(
      fc.property(
        drives(2, 20),
        settingsArbitrary,
        gapArbitrary,
        picksArbitrary,
        (fixes, settings, gaps, picks) => {
          const meter = meterTrack(trackOf(fixes), settings, gaps);
          const [a, b] = cutsOf(fixes, picks) as [number, number, number];
          for (const { meanSpeedKph, maxSpeedKph } of [meter.between(a, b), meter.total()])
            if (meanSpeedKph !== null) expect(maxSpeedKph!).toBeGreaterThanOrEqual(meanSpeedKph);
        },
      ),
      runs,
    );
  });

  it('takes a speed of 0 on the way for none: at 45 km/h, 0 is reported from minute 10 on', () => {
    const fixes = Array.from({ length: 81 }, (_, i) => ({
      time: START + i * 30_000,
      lon: 10 + (i * 375) / (111_320 * Math.cos((50 * Math.PI) / 180)),
      lat: 50,
      speedKph: i < 20 ? 45 : 0,
    }));
    const { movingSeconds, parkedSeconds, meanSpeedKph, maxSpeedKph } = meterTrack(trackOf(fixes)).total();
    expect([movingSeconds, parkedSeconds]).toEqual([2400, 0]);
    expect(meanSpeedKph).toBeCloseTo(45, 0);
    expect(maxSpeedKph).toBeGreaterThanOrEqual(meanSpeedKph!);
  });

  it('rests in a parking, however far its drift adds up and whatever its end reports', () => {
    const fixes = Array.from({ length: 121 }, (_, i) => ({
      time: START + i * 30_000,
      lon: 10,
      lat: 50 + (i % 2) * 0.0001,
      speedKph: i < 119 ? 0 : 10,
    }));
    const total = meterTrack(trackOf(fixes)).total();
    expect([total.movingSeconds, total.parkedSeconds]).toEqual([0, 3600]);
    expect(total.distanceMeters).toBeGreaterThan(1300);
    expect(total.meanSpeedKph).toBe(null);
  });

  it('measures a jammed or frozen step as a gap, however short', () => {
    const track = readTrack([
      { time: START, lon: 37, lat: 55, speedKph: 40 },
      { time: START + 10_000, lon: 37, lat: 55, speedKph: 40 },
      { time: START + 20_000, lon: 37, lat: 55, speedKph: 40 },
      { time: START + 30_000, lon: 37.003, lat: 55, speedKph: 40 },
    ]);
    expect(track.blind?.[1]).toBe(2);
    const { unmeasuredSeconds, unmeasuredMeters, distanceMeters, maxSpeedKph } = meterTrack(track).total();
    expect([unmeasuredSeconds, distanceMeters, maxSpeedKph]).toEqual([30, 0, 40]);
    expect(unmeasuredMeters).toBeCloseTo(191.9, 0);
  });

  it('books nothing in gaps, and takes near ends of a gap as a sleep unless the mileage grew', () => {
    const at = (minutes: number, lat: number, mileageMeters: number): Fix => ({
      time: START + minutes * 60_000,
      lon: 37,
      lat,
      speedKph: 0,
      ignition: true,
      mileageMeters,
    });
    const track = trackOf([at(0, 55, 0), at(90, 55.001, 150), at(180, 55.001, 5150)]);
    const byPosition = meterTrack(track).total();
    expect(byPosition).toMatchObject({ parkedSeconds: 10_800, idlingSeconds: 0, unmeasuredMeters: 0 });
    expect(byPosition.distanceMeters).toBeCloseTo(111.3, 0);
    const byOdometer = meterTrack(track, { tripdetector_mileagedetect: 'mileage_mileage_sensor' }).total();
    expect(byOdometer).toMatchObject({
      parkedSeconds: 5400,
      unmeasuredSeconds: 5400,
      distanceMeters: 150,
      unmeasuredMeters: 5000,
    });
    expect(meterTrack(track, { tripdetector_gpscorrect: 1 }).total().distanceMeters).toBe(0);
  });

  it('gives zeros for a span without duration, and no speed outside the track', () => {
    const track = trackOf([
      { time: START, lon: 37, lat: 55, speedKph: 40 },
      { time: START + 20_000, lon: 37.003, lat: 55, speedKph: 60 },
      { time: START + 30_000, lon: 37.006, lat: 55 },
    ]);
    const meter = meterTrack(track);
    expect(meter.between(START + 5000, START + 5000)).toEqual({ ...NONE, maxSpeedKph: 45 });
    expect(meter.between(START, START).maxSpeedKph).toBe(40);
    expect(meter.between(START + 30_000, START + 30_000).maxSpeedKph).toBeCloseTo(69.1, 1);
    expect(meter.between(START - 7000, START - 7000)).toEqual(NONE);
    expect(meter.between(START - 7000, START - 2000)).toEqual({
      ...NONE,
      durationSeconds: 5,
      unmeasuredSeconds: 5,
    });
    expect(meter.between(START - 7000, START).maxSpeedKph).toBe(40);
    const empty = meterTrack(trackOf([]));
    expect([empty.from, empty.to, empty.total()]).toEqual([null, null, NONE]);
    const lone = meterTrack(trackOf([{ time: START, lon: 1, lat: 2 }]));
    expect([lone.from, lone.to, lone.total()]).toEqual([START, START, NONE]);
  });

  it('keeps every digit of a short span late in a long track', () => {
    const far = Array.from({ length: 20_000 }, (_, i) => ({
      time: START + i * 1000,
      lon: 37,
      lat: -80 + 0.007 * i,
    }));
    const still = far.at(-1)!;
    const near = [
      { ...still, time: still.time + 1000, lat: still.lat + 1e-7 },
      { ...still, time: still.time + 2000, lat: still.lat + 2e-7 },
    ];
    const meter = meterTrack(readTrack([...far, ...near], { maxSpeedKph: Infinity }));
    const [a, b, c] = [still.time, still.time + 1300, still.time + 2000];
    const whole = meter.between(a, c).distanceMeters;
    expect(
      Math.abs(meter.between(a, b).distanceMeters + meter.between(b, c).distanceMeters - whole),
    ).toBeLessThan(1e-9 * whole);
  });

  it('refuses spans, settings and options that are none', () => {
    const meter = meterTrack(trackOf([{ time: START, lon: 1, lat: 2 }]));
    const track = trackOf([]);
    expect(errorOf(() => meter.between(START + 1, START))).toMatchObject({
      code: 'span-invalid',
      field: 'to',
    });
    expect(errorOf(() => meter.between(Number.NaN, START))).toMatchObject({
      code: 'span-invalid',
      field: 'from',
    });
    expect(errorOf(() => meter.between(0.5, START))).toMatchObject({ code: 'span-invalid', field: 'from' });
    expect(errorOf(() => meter.between(START, 9e15))).toMatchObject({ code: 'span-invalid', field: 'to' });
    expect(errorOf(() => meterTrack([] as never))).toMatchObject({ code: 'track-invalid' });
    expect(errorOf(() => meterTrack(track, 5 as never))).toMatchObject({ code: 'settings-type' });
    expect(errorOf(() => meterTrack(track, { advanced_mileagecoeff: 'x' }))).toMatchObject({
      code: 'setting-value',
      field: 'settings.advanced_mileagecoeff',
    });
    expect(errorOf(() => meterTrack(track, {}, { maxGapSeconds: -1 }))).toMatchObject({
      code: 'option-value',
      field: 'options.maxGapSeconds',
    });
    expect(errorOf(() => meterTrack(track, {}, [] as never))).toMatchObject({ code: 'option-type' });
    expect(errorOf(() => meterTrack(track, {}, { maxGap: 1 } as never))).toMatchObject({
      code: 'option-unknown',
    });
  });
});

describe('the greatest speed of a span', () => {
  const at = (seconds: number, meters: number, speedKph?: number): Fix => ({
    time: START + seconds * 1000,
    lon: 37.6,
    lat: 55.7 + meters / 111_330,
    ...(speedKph !== undefined && { speedKph }),
  });
  const speeds = (fixes: readonly Fix[], from: number, to: number): number | null => {
    const kph = meterTrack(readTrack(fixes)).between(START + from * 1000, START + to * 1000).maxSpeedKph;
    return kph === null ? null : Math.round(kph);
  };

  it('that ends at a fix knows nothing of the step after it', () => {
    const even = [at(0, 0), at(10, 100), at(20, 300), at(30, 400)];
    expect(speeds(even, 0, 10)).toBe(36);
    expect(speeds(even, 5, 10)).toBe(36);
    expect(speeds(even, 0, 11)).toBe(72);
    expect(speeds(even, 20, 30)).toBe(36);
    expect(speeds(even, 19, 30)).toBe(72);
    // At one instant: of the step to it, else of that from it.
    expect(speeds(even, 10, 10)).toBe(36);
    expect(speeds(even, 0, 0)).toBe(36);
    expect(speeds(even, 30, 30)).toBe(36);
    const known = [at(0, 0, 30), at(10, 100, 50), at(20, 300), at(30, 400, 20)];
    expect(speeds(known, 0, 10)).toBe(50);
    expect(speeds(known, 0, 5)).toBe(40);
    expect(speeds(known, 10, 10)).toBe(50);
    const slower = [at(0, 0, 50), at(10, 100, 30), at(20, 200, 10)];
    expect([speeds(slower, 5, 8), speeds(slower, 5, 15), speeds(slower, 0, 8)]).toEqual([40, 40, 50]);
    expect(speeds(known, 10, 20)).toBe(72);
    expect(speeds(known, 30, 30)).toBe(20);
    expect(speeds([at(0, 0, 30)], 0, 0)).toBe(30);
    expect(speeds([at(0, 0)], 0, 0)).toBe(null);
  });

  it('is that of the track as it was, whatever becomes of it', () => {
    for (const mode of ['mileage_GPS', 'mileage_mileage_sensor'] as const) {
      const track = readTrack([at(0, 0, 30), at(10, 100, 50), at(20, 200, 40)]);
      const meter = meterTrack(track, { tripdetector_mileagedetect: mode });
      track.speedKph!.fill(99);
      track.time.fill(0);
      expect(meter.between(START, START + 20_000).maxSpeedKph).toBe(50);
    }
  });

  it('of an odometer that was not read at a fix grows over it', () => {
    const fixes = [0, 10, 20].map((s) => ({
      ...at(s, 10 * s, 36),
      ...(s !== 10 && { mileageMeters: 25 * s }),
    }));
    const { distanceMeters } = meterTrack(readTrack(fixes), { tripdetector_mileagedetect: 'mileage_mileage_sensor' }).total(); // biome-ignore format: one line
    expect(distanceMeters).toBeCloseTo(500, 6);
  });

  it('is a reported one to the last bit', () => {
    for (let i = 0; i < 200; i++) {
      const [slow, fast] = [(i * 7.31) % 50, 50 + ((i * 13.37) % 60)] as [number, number];
      const meter = meterTrack(readTrack([at(0, 0, slow), at(10, 100, fast), at(20, 200, slow)]));
      for (const [from, to] of [[0, 20], [5, 20], [5, 15], [0, 10], [5, 10], [10, 15]] as const) // biome-ignore format: one line
        expect(meter.between(START + from * 1000, START + to * 1000).maxSpeedKph).toBe(fast);
    }
  });

  it('of times that no track has is unknown, up to the last that there is', () => {
    const meter = meterTrack(readTrack([at(0, 0, 30), at(10, 100, 50)]));
    const whole = meter.between(-8.64e15, 8.64e15);
    expect([whole.maxSpeedKph, whole.durationSeconds]).toEqual([50, 1.728e13]);
    expect(meter.between(START + 10_001, START + 20_000).maxSpeedKph).toBe(null);
    expect(meter.between(START - 10_000, START - 1).maxSpeedKph).toBe(null);
    expect(meterTrack(readTrack([])).between(0, 1000)).toMatchObject({
      durationSeconds: 1,
      maxSpeedKph: null,
    });
  });
});
