import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { ZoneIndex } from '../../../src/index.js';
import {
  findSpeeding,
  type LimitPlace,
  meterTrack,
  type Speeding,
  urbanMileage,
} from '../../../src/tracks/index.js';
import { errorOf } from '../../errorOf.js';
import { volume } from '../../volume.js';
import { restsOf, slowSteps } from '../oracle/slowMeter.js';
import { slowJudged, slowSpeeding } from '../oracle/slowSpeeding.js';
import { drives, gapArbitrary, START, settingsArbitrary, trackOf } from './drivesArbitrary.js';
import { meterByStep } from './meterByStep.js';
import { fastDrives, limitsArbitrary } from './speedingArbitrary.js';
import { indexOf, zonesArbitrary } from './zonesArbitrary.js';

const runs = { numRuns: volume(2000), seed: 3838 };

function expectSame(actual: readonly Speeding[], wanted: readonly Speeding[]): void {
  const plain = (all: readonly Speeding[]): unknown =>
    all.map(({ from, to, end, parts }) => ({
      from,
      to,
      end,
      parts: parts.map((part) => [part.from, part.to, part.limitKph, part.zoneId]),
    }));
  expect(plain(actual)).toEqual(plain(wanted));
  for (const [i, one] of actual.entries()) {
    const other = wanted[i]!;
    expect(one.maxKph).toBeCloseTo(other.maxKph, 5);
    expect(one.maxOverKph).toBeCloseTo(other.maxOverKph, 5);
    expect(one.distanceMeters).toBeCloseTo(other.distanceMeters, 4);
    expect(one.durationSeconds).toBe(other.durationSeconds);
    for (const [k, part] of one.parts.entries()) {
      expect(part.maxKph).toBeCloseTo(other.parts[k]!.maxKph, 5);
      expect(part.distanceMeters).toBeCloseTo(other.parts[k]!.distanceMeters, 4);
    }
  }
}

const within = (inner: readonly Speeding[], outer: readonly Speeding[]): boolean =>
  inner.every(({ from, to }) => outer.some((one) => one.from <= from && to <= one.to));

describe('findSpeeding', () => {
  it('finds what the slow reference finds', () => {
    let count = 0;
    fc.assert(
      fc.property(
        fastDrives,
        zonesArbitrary,
        limitsArbitrary,
        gapArbitrary,
        fc.boolean(),
        (fixes, zones, { limitKph, ...limits }, gaps, asks) => {
          const track = trackOf(fixes);
          const index = indexOf(zones, fixes);
          const limitOf = ({ zoneIds, limitKph: kph, position }: LimitPlace): number | null =>
            zoneIds.length === 1 ? 70 : position[1] > (fixes[0]?.lat ?? 0) ? kph : null;
          const options = {
            ...limits,
            ...(limitKph !== undefined && { limitKph }),
            ...(asks && { limitOf }),
          };
          const found = findSpeeding(track, { ...options, ...gaps, index });
          count += found.length;
          expectSame(found, slowSpeeding(track, gaps, { ...options, index, rows: index.rows }));
        },
      ),
      runs,
    );
    expect(count).toBeGreaterThan(volume(40) / 2);
  });

  it('finds them on wild tracks, by any source of distance', () => {
    fc.assert(
      fc.property(
        drives(0, 16),
        zonesArbitrary,
        limitsArbitrary,
        settingsArbitrary,
        (fixes, zones, { limitKph, ...limits }, settings) => {
          const track = trackOf(fixes);
          const index = indexOf(zones, fixes);
          const options = { ...limits, ...(limitKph !== undefined && { limitKph }), settings };
          const found = findSpeeding(track, { ...options, index });
          expectSame(found, slowSpeeding(track, {}, { ...options, index, rows: index.rows }));
          const meter = meterByStep(track, settings);
          for (const { from, to, distanceMeters } of found) {
            const measured = meter.between(from, to);
            expect(measured.unmeasuredSeconds).toBe(0);
            expect(Math.abs(distanceMeters - measured.distanceMeters)).toBeLessThanOrEqual(
              1e-9 * distanceMeters + 1e-6,
            );
          }
        },
      ),
      runs,
    );
  });

  it('gives events in order, and fewer of them for a higher limit or tolerance', () => {
    fc.assert(
      fc.property(
        fastDrives,
        zonesArbitrary,
        limitsArbitrary,
        fc.integer({ min: 1, max: 40 }),
        (fixes, zones, limits, more) => {
          const track = trackOf(fixes);
          const index = indexOf(zones, fixes);
          const options = { ...limits, limitKph: limits.limitKph ?? 60, minSeconds: 0, index };
          const found = findSpeeding(track, options);
          for (let i = 1; i < found.length; i++)
            expect(found[i]!.from).toBeGreaterThanOrEqual(found[i - 1]!.to);
          for (const { from, to, parts } of found) {
            expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([from, to]);
            for (let i = 1; i < parts.length; i++) expect(parts[i]!.from).toBe(parts[i - 1]!.to);
          }
          expect(
            within(findSpeeding(track, { ...options, toleranceKph: options.toleranceKph + more }), found),
          ).toBe(true);
          const higher = Object.fromEntries(
            Object.entries(limits.zoneLimits).map(([id, kph]) => [id, kph + more]),
          );
          const raised = { ...options, limitKph: options.limitKph + more, zoneLimits: higher };
          expect(within(findSpeeding(track, raised), found)).toBe(true);
        },
      ),
      runs,
    );
  });

  it('does not change by a zone without a limit', () => {
    fc.assert(
      fc.property(fastDrives, zonesArbitrary, limitsArbitrary, (fixes, zones, limits) => {
        const track = trackOf(fixes);
        const index = indexOf(zones, fixes);
        const kept = zones.filter((number) => `z${number}` in limits.zoneLimits);
        const { limitKph, ...rest } = limits;
        const options = { ...rest, ...(limitKph !== undefined && { limitKph }) };
        const found = findSpeeding(track, { ...options, index });
        expectSame(findSpeeding(track, { ...options, index: indexOf(kept, fixes) }), found);
      }),
      runs,
    );
  });

  it('is the union of its parts when the track is cut outside all events, with trusted speeds', () => {
    fc.assert(
      fc.property(fastDrives, fc.nat(100), (fixes, pick) => {
        const track = trackOf(fixes);
        const options = { limitKph: 70, trustSpeeds: true };
        const all = findSpeeding(track, options);
        const cut = fixes[pick % Math.max(1, fixes.length)]?.time ?? START;
        fc.pre(all.every(({ from, to }) => cut < from || to < cut));
        const parts = [fixes.filter(({ time }) => time <= cut), fixes.filter(({ time }) => time >= cut)];
        expectSame(
          parts.flatMap((part) => findSpeeding(trackOf(part), options)),
          all,
        );
      }),
      runs,
    );
  });

  const at = (seconds: number, lon: number, speedKph?: number): Fix => ({
    time: START + seconds * 1000,
    lon,
    lat: 0.5,
    ...(speedKph !== undefined && { speedKph }),
  });
  const box = (id: string, west: number, east: number): never =>
    ({ id, type: { key: 'polygon' }, geometry: [[west, -1], [east, -1], [east, 1], [west, 1]] }) as never; // biome-ignore format: a ring
  const TRUSTED = { trustSpeeds: true } as const;
  const spans = (all: readonly Speeding[]): unknown =>
    all.map(({ from, to, end }) => [from - START, to - START, end]);

  it('begins and ends where the speed crosses the limit, between the fixes', () => {
    const track = trackOf([at(0, 0, 80), at(10, 0.003, 100), at(20, 0.006, 80)]);
    const [one] = findSpeeding(track, { limitKph: 90, ...TRUSTED });
    expect(one).toMatchObject({
      from: START + 5000,
      to: START + 15_000,
      maxKph: 100,
      maxOverKph: 10,
      end: 'below',
      durationSeconds: 10,
    });
    expect(spans(findSpeeding(track, { limitKph: 90, toleranceKph: 5, ...TRUSTED }))).toEqual([
      [7500, 12_500, 'below'],
    ]);
    expect(findSpeeding(track, { limitKph: 90, minSeconds: 10, ...TRUSTED })).toHaveLength(1);
    expect(findSpeeding(track, { limitKph: 90, minSeconds: 10.001, ...TRUSTED })).toEqual([]);
    expect(findSpeeding(track, { limitKph: 100, ...TRUSTED })).toEqual([]);
  });

  it('takes single instants at the limit as part of the event, and equality as no excess', () => {
    const dip = trackOf([at(0, 0, 100), at(10, 0.003, 90), at(20, 0.006, 100)]);
    expect(spans(findSpeeding(dip, { limitKph: 90, ...TRUSTED }))).toEqual([[0, 20_000, 'track']]);
    const flat = trackOf([at(0, 0, 90), at(10, 0.003, 90), at(20, 0.006, 100)]);
    expect(spans(findSpeeding(flat, { limitKph: 90, ...TRUSTED }))).toEqual([[10_000, 20_000, 'track']]);
    const slowing = trackOf([at(0, 0, 100), at(10, 0.003, 90)]);
    expect(spans(findSpeeding(slowing, { limitKph: 90, ...TRUSTED }))).toEqual([[0, 10_000, 'below']]);
  });

  it('changes the limit at the border of a zone, within one step too, and keeps one event', () => {
    const index = new ZoneIndex([box('village', 0.01, 0.02), box('school', 0.014, 0.016)]);
    const zoneLimits = { village: 50, school: 30 };
    const track = trackOf([at(0, 0, 60), at(30, 0.03, 60)]);
    const [one, ...rest] = findSpeeding(track, { limitKph: 90, index, zoneLimits, ...TRUSTED });
    expect(rest).toEqual([]);
    expect(
      one!.parts.map(({ from, to, limitKph, zoneId }) => [from - START, to - START, limitKph, zoneId]),
    ).toEqual([
      [10_000, 14_000, 50, 'village'],
      [14_000, 16_000, 30, 'school'],
      [16_000, 20_000, 50, 'village'],
    ]);
    expect([one!.maxOverKph, one!.end]).toEqual([30, 'below']);
    const highest = findSpeeding(track, { limitKph: 90, index, zoneLimits, overlap: 'highest', ...TRUSTED });
    expect(highest[0]!.parts.map(({ zoneId }) => zoneId)).toEqual(['village']);
    const lowest = findSpeeding(track, { limitKph: 40, index, zoneLimits, combine: 'lowest', ...TRUSTED });
    expect(lowest[0]!.parts.map(({ zoneId, limitKph }) => [zoneId, limitKph])).toEqual([
      [null, 40],
      ['school', 30],
      [null, 40],
    ]);
    const equal = findSpeeding(track, {
      limitKph: 50,
      index,
      zoneLimits: { village: 50 },
      combine: 'lowest',
      ...TRUSTED,
    });
    expect(equal[0]!.parts.map(({ zoneId }) => zoneId)).toEqual([null, 'village', null]);
  });

  it('does not part an event at a border that two zones of one limit share', () => {
    const index = new ZoneIndex([box('a', 0, 0.013), box('b', 0.013, 0.03)]);
    const track = trackOf([at(0, 0.001, 60), at(30, 0.029, 60)]);
    const zones = findSpeeding(track, { index, zoneLimits: { a: 50, b: 50 }, ...TRUSTED });
    expect(zones.map(({ parts }) => parts.map(({ zoneId }) => zoneId))).toEqual([['a', 'b']]);
    const asked = findSpeeding(track, { index, limitOf: () => 50, ...TRUSTED });
    expect(asked.map(({ parts }) => parts.length)).toEqual([1]);
  });

  it('asks limitOf at the start of each step and at each border of any zone', () => {
    const index = new ZoneIndex([box('a', 0.01, 0.02)]);
    const asked: LimitPlace[] = [];
    const limitOf = (place: LimitPlace): number => {
      asked.push(place);
      return 1000;
    };
    findSpeeding(trackOf([at(0, 0, 60), at(30, 0.03, 60), at(40, 0.03, 0), at(9000, 0.9, 0)]), {
      index,
      limitOf,
      limitKph: 20,
      zoneLimits: { a: 40 },
    });
    expect(
      asked.map(({ time, zoneIds, limitKph, position }) => [
        time - START,
        zoneIds,
        limitKph,
        Number(position[0].toFixed(9)),
      ]),
    ).toEqual([
      [0, [], 20, 0],
      [10_000, ['a'], 40, 0.01],
      [20_000, [], 20, 0.02],
      [30_000, [], 20, 0.03],
    ]);
  });

  it('uses the distance by time where a speed is unknown, and reads the limit of the settings', () => {
    const track = trackOf([at(0, 0), at(10, 0.003), at(20, 0.006), at(60, 0.007)]);
    const found = findSpeeding(track, { settings: { advanced_speedlimit: '100' } });
    expect(spans(found)).toEqual([[0, 20_000, 'below']]);
    expect(found[0]!.maxKph).toBeCloseTo(120.2, 1);
    expect(findSpeeding(track, { settings: { advanced_speedlimit: '0' } })).toEqual([]);
    expect(findSpeeding(track, { settings: [{ key: 'advanced_speedlimit', value: '' }] })).toEqual([]);
    expect(findSpeeding(track, { limitKph: 130, settings: { advanced_speedlimit: 100 } })).toEqual([]);
    expect(findSpeeding(trackOf([at(0, 0, 200)]), { limitKph: 50 })).toEqual([]);
    expect(findSpeeding(trackOf([]), {})).toEqual([]);
  });

  it('ends at a gap, and begins anew after it', () => {
    const track = trackOf([at(0, 0, 100), at(10, 0.003, 100), at(4000, 0.5, 100), at(4010, 0.503, 100)]);
    expect(spans(findSpeeding(track, { limitKph: 90 }))).toEqual([
      [0, 10_000, 'gap'],
      [4_000_000, 4_010_000, 'track'],
    ]);
  });

  it('ends at a sleep, since the unit was not seen in it', () => {
    // It reports 100 km/h, is silent for 90 minutes, and reports 100 km/h again 30 m farther on.
    const fixes = [at(0, 0, 100), at(10, 0.0025, 100), at(5410, 0.0028, 100), at(5420, 0.0053, 100)];
    const track = trackOf(fixes);
    const after = [5_410_000, 5_420_000, 'track'];
    expect(spans(findSpeeding(track, { limitKph: 90, ...TRUSTED }))).toEqual([[0, 10_000, 'gap'], after]);
    expect(spans(findSpeeding(track, { limitKph: 90 }))).toEqual([[0, 10_000, 'gap'], after]);
    const { parkedSeconds, unmeasuredSeconds } = meterTrack(track).total();
    expect([parkedSeconds, unmeasuredSeconds]).toEqual([5400, 0]);
    // Without a fix after it nothing more is known.
    expect(spans(findSpeeding(trackOf(fixes.slice(0, 3)), { limitKph: 90 }))).toEqual([[0, 10_000, 'gap']]);
    // Exactly as long as `maxGapSeconds` is a step as any other.
    const hour = trackOf([at(0, 0, 100), at(3600, 0.0003, 100)]);
    expect(spans(findSpeeding(hour, { limitKph: 90, ...TRUSTED }))).toEqual([[0, 3_600_000, 'track']]);
  });

  it('does not believe a speed that both sides contradict', () => {
    const parked = (seconds: number, speedKph: number): Fix => at(seconds, 0.000001 * seconds, speedKph);
    const spike = trackOf([parked(0, 0), parked(10, 0), parked(20, 150), parked(30, 0), parked(40, 0)]);
    expect(findSpeeding(spike, { limitKph: 90 })).toEqual([]);
    expect(findSpeeding(spike, { limitKph: 90, ...TRUSTED })).toHaveLength(1);
    // A lone fix of a run has no side.
    const lone = trackOf([at(0, 0, 150), at(9000, 1, 150)]);
    expect(slowJudged(lone, slowSteps(lone, {}, {}, null))).toEqual([150, 150]);
    // A hard stop at a light: the side before supports the speed.
    const braking = trackOf([at(0, 0, 100), at(10, 0.0025, 100), at(15, 0.0027, 0), at(25, 0.0027, 0)]);
    expect(spans(findSpeeding(braking, { limitKph: 90 }))).toEqual([[0, 10_500, 'below']]);
  });

  it('refuses limits, functions and options that are none', () => {
    const track = trackOf([at(0, 0, 60), at(30, 0.03, 60)]);
    const index = new ZoneIndex([box('a', 0.01, 0.02)]);
    const code = (options: object): unknown => {
      const { code: own, field } = errorOf(() => findSpeeding(track, options as never)) as {
        code: string;
        field: string;
      };
      return [own, field];
    };
    for (const limitKph of [0, -5, Number.NaN, '50'])
      expect(code({ limitKph })).toEqual(['option-value', 'options.limitKph']);
    expect(code({ index, zoneLimits: { a: 0 } })).toEqual(['option-value', 'options.zoneLimits.a']);
    expect(code({ index, zoneLimits: () => Number.NaN })).toEqual([
      'option-value',
      "options.zoneLimits('a')",
    ]);
    expect(code({ index, zoneLimits: [50] })).toEqual(['option-type', 'options.zoneLimits']);
    expect(code({ index })).toEqual(['option-value', 'options.zoneLimits']);
    expect(code({ zoneLimits: {} })).toEqual(['option-value', 'options.index']);
    expect(code({ index: {}, zoneLimits: {} })).toEqual(['index-type', 'options.index']);
    expect(code({ limitOf: 50 })).toEqual(['option-type', 'options.limitOf']);
    expect(code({ limitOf: () => 0 })).toEqual(['option-value', 'options.limitOf()']);
    expect(code({ limitOf: () => { throw new Error('no'); } })).toEqual(['input-unreadable', 'options.limitOf']); // biome-ignore format: one line
    expect(code({ toleranceKph: -1 })).toEqual(['option-value', 'options.toleranceKph']);
    expect(code({ combine: 'unit' })).toEqual(['option-value', 'options.combine']);
    expect(code({ limit: 50 })).toEqual(['option-unknown', 'options.limit']);
    expect(code({ settings: { advanced_speedlimit: -5 } })).toEqual([
      'setting-value',
      'settings.advanced_speedlimit',
    ]);
    expect(code([])).toEqual(['option-type', 'options']);
  });
});

describe('urbanMileage', () => {
  it('shares the metres of each step by time, and sums to the meter', () => {
    fc.assert(
      fc.property(
        fc.oneof(drives(0, 14), fastDrives),
        settingsArbitrary,
        gapArbitrary,
        fc.constantFrom(0, '', 40, '60.5'),
        fc.boolean(),
        (fixes, settings, gaps, limit, trustSpeeds) => {
          const track = trackOf(fixes);
          const fields = { ...settings, advanced_urbspeedlimit: limit };
          const { urbanMeters, suburbanMeters, unmeasuredMeters } = urbanMileage(track, fields, {
            ...gaps,
            trustSpeeds,
          });
          const total = meterTrack(track, settings, gaps).total();
          const close = (a: number, b: number): void =>
            expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * b + 1e-6);
          close(urbanMeters + suburbanMeters, total.distanceMeters);
          close(unmeasuredMeters, total.unmeasuredMeters);
          if (Number(limit) === 0) expect(suburbanMeters).toBe(0);
          const steps = slowSteps(track, settings, gaps, restsOf(track, settings));
          const judged = slowJudged(track, steps);
          const speeds = (i: number): readonly [number, number] | null => {
            const [a, b] = trustSpeeds
              ? [track.speedKph?.[i] ?? -1, track.speedKph?.[i + 1] ?? -1]
              : [judged[i] ?? -1, judged[i + 1] ?? -1];
            return a >= 0 && b >= 0 ? [a, b] : null;
          };
          let suburban = 0;
          for (const step of steps) {
            if (step.kind === 'gap' || Number(limit) === 0) continue;
            const even = speeds(step.i);
            if (even === null) {
              const bare = slowSteps(
                track,
                {
                  ...settings,
                  tripdetector_mileagedetect: 'mileage_GPS',
                  advanced_mileagecoeff: 1,
                  tripdetector_gpscorrect: 0,
                },
                gaps,
                null,
              )[step.i]!;
              if ((bare.meters * 3600) / (step.to - step.from) > Number(limit)) suburban += step.meters;
              continue;
            }
            const parts = 2000;
            for (let k = 0; k < parts; k++) {
              if (even[0] + ((even[1] - even[0]) * (k + 0.5)) / parts > Number(limit))
                suburban += step.meters / parts;
            }
          }
          expect(Math.abs(suburban - suburbanMeters)).toBeLessThanOrEqual(0.001 * (total.distanceMeters + 1));
        },
      ),
      { ...runs, numRuns: volume(1000) },
    );
  });

  it('refuses wrong settings and options', () => {
    const track = trackOf([]);
    expect(urbanMileage(track)).toEqual({ urbanMeters: 0, suburbanMeters: 0, unmeasuredMeters: 0 });
    expect(errorOf(() => urbanMileage(track, { advanced_urbspeedlimit: 'x' }))).toMatchObject({
      code: 'setting-value',
      field: 'settings.advanced_urbspeedlimit',
    });
    expect(
      errorOf(() =>
        urbanMileage(track, [
          { key: 'advanced_urbspeedlimit', value: 1 },
          { key: 'advanced_urbspeedlimit', value: 2 },
        ]),
      ),
    ).toMatchObject({ code: 'setting-value' });
    expect(errorOf(() => urbanMileage(track, {}, { trustSpeeds: 1 } as never))).toMatchObject({
      code: 'option-value',
    });
  });
});
