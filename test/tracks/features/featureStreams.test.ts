import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { ZoneIndex } from '../../../src/index.js';
import {
  findSpeeding,
  findVisits,
  type Measure,
  type MeasuredVisit,
  measureVisits,
  meterTrack,
  readTrack,
  type Speeding,
  type SpeedingEvent,
  SpeedingTracker,
  type VisitEvent,
  VisitTracker,
} from '../../../src/tracks/index.js';
import { errorOf } from '../../errorOf.js';
import { volume } from '../../volume.js';
import { expectClose } from './closeTo.js';
import { drives, gapArbitrary, INFINITY, START, settingsArbitrary } from './drivesArbitrary.js';
import { meterByStep } from './meterByStep.js';
import { fastDrives, limitsArbitrary } from './speedingArbitrary.js';
import { indexOf, zonesArbitrary } from './zonesArbitrary.js';

const runs = { numRuns: volume(1600), seed: 83 };

/** Without V20, which holds a fix back that is far ahead of the one before. */
const NOW = { maxAheadSeconds: INFINITY };
const intakes = fc.constantFrom<object>(
  { maxSpeedKph: INFINITY, frozenSpeedKph: INFINITY },
  {},
  { maxSpeedKph: 120, maxJamSeconds: 60 },
);
/** The order of arrival: each fix up to 60 s late. */
const orders = fc.array(fc.integer({ min: 0, max: 59_000 }), { minLength: 20, maxLength: 20 });
const delayed = (fixes: readonly Fix[], delays: readonly number[]): Fix[] =>
  fixes
    .map((fix, i) => ({ fix, arrival: fix.time + delays[i % delays.length]! }))
    .toSorted((a, b) => a.arrival - b.arrival)
    .map(({ fix }) => fix);

function expectVisits(actual: readonly MeasuredVisit[], wanted: readonly MeasuredVisit[]): void {
  const byTime = (a: MeasuredVisit, b: MeasuredVisit): number =>
    a.enter - b.enter || a.zoneId.localeCompare(b.zoneId) || (a.exit ?? INFINITY) - (b.exit ?? INFINITY);
  const bare = (all: readonly MeasuredVisit[]): unknown => all.map((visit) => ({ ...visit, measure: null }));
  const [found, expected] = [actual.toSorted(byTime), wanted.toSorted(byTime)];
  expect(bare(found)).toEqual(bare(expected));
  for (const [i, { measure }] of found.entries()) expectClose(measure, expected[i]!.measure);
}

const visitsOf = (events: readonly VisitEvent[], tracker: VisitTracker): MeasuredVisit[] => [
  ...events.flatMap(({ type, visit }) => (type === 'exit' ? [visit as MeasuredVisit] : [])),
  ...(tracker.openVisits('u') as MeasuredVisit[]),
];

describe('VisitTracker with measure', () => {
  it('measures what measureVisits measures, in any order of arrival, restored at any point', () => {
    const visitOptions = fc.record({
      exitBufferMeters: fc.constantFrom(0, 0, 30),
      minInsideSeconds: fc.constantFrom(0, 0, 20),
      minOutsideSeconds: fc.constantFrom(0, 0, 30),
    });
    fc.assert(
      fc.property(
        fc.oneof(drives(0, 18), fastDrives),
        zonesArbitrary,
        fc.tuple(settingsArbitrary, gapArbitrary, visitOptions, intakes),
        orders,
        fc.boolean(),
        (fixes, zones, [settings, gaps, own, intake], delays, isLate) => {
          const index = indexOf(zones, fixes);
          const track = readTrack(fixes, { ...intake, parkedMeters: gaps.parkedMeters });
          const wanted = measureVisits(
            findVisits(track, index, { ...own, ...gaps }),
            meterByStep(track, settings, gaps),
          );
          const options = {
            ...own,
            ...gaps,
            ...intake,
            ...NOW,
            measure: true,
            settings,
            latenessSeconds: isLate ? 60 : 0,
          };
          let tracker = new VisitTracker(index, options);
          const events: VisitEvent[] = [];
          for (const [i, fix] of (isLate ? delayed(fixes, delays) : fixes).entries()) {
            events.push(...tracker.push('u', fix));
            if (!isLate && i === delays[0]! % fixes.length) {
              // The fixes so far give what the batch finds in them.
              const read = readTrack(fixes.slice(0, i + 1), { ...intake, parkedMeters: gaps.parkedMeters });
              const visits = findVisits(read, index, { ...own, ...gaps });
              expectVisits(
                visitsOf(events, tracker),
                measureVisits(visits, meterByStep(read, settings, gaps)),
              );
            }
            const text = JSON.stringify(tracker.snapshot());
            tracker = VisitTracker.restore(index, text);
            expect(JSON.stringify(tracker.snapshot())).toBe(text);
          }
          expectVisits(visitsOf(events, tracker), wanted);
          if (!isLate || fixes.length === 0) return;
          events.push(...tracker.advance(fixes.at(-1)!.time + 60_001));
          expectVisits(visitsOf(events, tracker), wanted);
        },
      ),
      runs,
    );
  });

  it('gives plain visits and the snapshots of before without it', () => {
    const index = indexOf([1], []);
    const tracker = new VisitTracker(index, { settings: { advanced_mileagecoeff: 2 } });
    tracker.push('u', { time: START, lon: 37.6, lat: 55.7 });
    expect(tracker.openVisits('u')[0]).not.toHaveProperty('measure');
    const text = JSON.stringify(tracker.snapshot());
    expect(text).not.toMatch(/measure|sums|mileagecoeff/);
    const measuring = new VisitTracker(index, { measure: true });
    expect(errorOf(() => measuring.adopt(text))).toMatchObject({ code: 'state-options' });
    expect(errorOf(() => new VisitTracker(index, { measure: 1 } as never))).toMatchObject({
      code: 'option-value',
    });
    expect(errorOf(() => new VisitTracker(index, { measure: true, settings: 5 } as never))).toMatchObject({
      code: 'settings-type',
    });
  });

  it('judges each step by itself, as a visit is final at its exit: a parked unit that reports 40 km/h moves', () => {
    const metersAt = (s: number): number => 15 * (Math.min(0, s - 600) + Math.max(0, s - 1800));
    const fixes = Array.from({ length: 81 }, (_, i) => ({
      time: START + i * 30_000,
      lon: 37.6,
      // Noise, so that the receiver is not frozen.
      lat: 55.7 + (metersAt(i * 30) + ((i * 7) % 5)) / 111_320,
      speedKph: 40,
    }));
    const index = new ZoneIndex([
      { id: 'yard', name: 'Yard', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 150 },
    ]);
    const track = readTrack(fixes);
    const [whole] = measureVisits(findVisits(track, index), meterTrack(track));
    const tracker = new VisitTracker(index, { measure: true });
    const [own] = visitsOf(
      fixes.flatMap((fix) => tracker.push('u', fix)),
      tracker,
    );
    expect([whole!.measure.parkedSeconds, own!.measure.parkedSeconds]).toEqual([1200, 0]);
    expect(own!.measure.movingSeconds).toBe(own!.measure.durationSeconds);
  });

  it('measures a visit that an edit of the zone ends', () => {
    const index = indexOf([1], []);
    const tracker = new VisitTracker(index, { measure: true });
    const at = (s: number, meters: number): Fix => ({
      time: START + s * 1000,
      lon: 37.6,
      lat: 55.7 + meters / 111_320,
      speedKph: 36,
    });
    tracker.push('u', at(0, -50));
    tracker.push('u', at(10, 50));
    tracker.push('other', { time: START, lon: 0, lat: 1 });
    index.remove('z1');
    const [exit] = tracker.advance(START + 11_000);
    const { measure, secondsSinceLast } = exit!.visit as MeasuredVisit;
    expect([exit!.reason, measure.durationSeconds, secondsSinceLast]).toEqual(['zone-changed', 10, null]);
    expect((measure as Measure).distanceMeters).toBeCloseTo(100, 0);
  });
});

const speedingOf = (events: readonly SpeedingEvent[], tracker: SpeedingTracker): Speeding[] => [
  ...events.flatMap(({ type, speeding }) => (type === 'end' ? [speeding] : [])),
  ...tracker.current('u'),
];

function expectSpeeding(actual: readonly Speeding[], wanted: readonly Speeding[]): void {
  const bare = (all: readonly Speeding[]): unknown =>
    all.map((one) => ({
      ...one,
      distanceMeters: 0,
      parts: one.parts.map((part) => ({ ...part, distanceMeters: 0 })),
    }));
  expect(bare(actual)).toEqual(bare(wanted));
  for (const [i, { distanceMeters }] of actual.entries())
    expect(distanceMeters).toBeCloseTo(wanted[i]!.distanceMeters, 6);
}

describe('SpeedingTracker', () => {
  it('emits what findSpeeding finds, in any order of arrival, restored at any point', () => {
    let count = 0;
    fc.assert(
      fc.property(
        fc.oneof(fastDrives, drives(0, 14)),
        zonesArbitrary,
        fc.tuple(limitsArbitrary, settingsArbitrary, gapArbitrary, intakes),
        orders,
        fc.boolean(),
        (fixes, zones, [{ limitKph, ...limits }, settings, gaps, intake], delays, isLate) => {
          const index = indexOf(zones, fixes);
          const own = { ...limits, ...gaps, settings, ...(limitKph !== undefined && { limitKph }) };
          const wanted = findSpeeding(readTrack(fixes, { ...intake, parkedMeters: gaps.parkedMeters }), {
            ...own,
            index,
          });
          const sources = { index, zoneLimits: limits.zoneLimits };
          let tracker = new SpeedingTracker({
            ...own,
            ...intake,
            ...NOW,
            index,
            latenessSeconds: isLate ? 60 : 0,
          });
          const events: SpeedingEvent[] = [];
          for (const [i, fix] of (isLate ? delayed(fixes, delays) : fixes).entries()) {
            events.push(...tracker.push('u', fix));
            const text = JSON.stringify(tracker.snapshot());
            // Asking changes nothing, and the fixes so far give what the batch finds in them.
            const so = speedingOf(events, tracker);
            expect(JSON.stringify(tracker.snapshot())).toBe(text);
            if (!isLate && i === delays[0]! % fixes.length) {
              const read = readTrack(fixes.slice(0, i + 1), { ...intake, parkedMeters: gaps.parkedMeters });
              expectSpeeding(so, findSpeeding(read, { ...own, index }));
            }
            tracker = SpeedingTracker.restore(text, sources);
            expect(JSON.stringify(tracker.snapshot())).toBe(text);
          }
          expectSpeeding(speedingOf(events, tracker), wanted);
          if (isLate && fixes.length > 0) events.push(...tracker.advance(fixes.at(-1)!.time + 60_001));
          expectSpeeding(speedingOf(events, tracker), wanted);
          count += wanted.length;
          // Each event begins once before it ends.
          let begun: number | null = null;
          for (const { type, time, speeding } of events) {
            expect(time).toBe(type === 'begin' ? speeding.from : speeding.to);
            expect(speeding.durationSeconds).toBeGreaterThanOrEqual(limits.minSeconds);
            if (type === 'begin') expect(begun).toBe(null);
            else expect(begun).toBe(speeding.from);
            begun = type === 'begin' ? speeding.from : null;
          }
        },
      ),
      { ...runs, numRuns: volume(2800) },
    );
    expect(count).toBeGreaterThan(volume(40) / 5);
  });

  it('gives three units in turn what a tracker gives them that is restored before each fix', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fastDrives, drives(1, 14)), { minLength: 3, maxLength: 3 }),
        fc.tuple(limitsArbitrary, gapArbitrary, fc.boolean()),
        (units, [{ minSeconds, toleranceKph }, gaps, repeats]) => {
          const options = { ...gaps, ...NOW, minSeconds, toleranceKph, limitKph: 60 };
          const tracker = new SpeedingTracker(options);
          const restored = units.map(() => new SpeedingTracker(options));
          const longest = Math.max(...units.map(({ length }) => length));
          for (let i = 0; i < longest; i++) {
            for (const [k, fixes] of units.entries()) {
              if (i >= fixes.length) continue;
              // A place that is repeated makes a copy, which a frozen receiver takes back.
              const fix = repeats && i % 3 === 1 ? { ...fixes[i - 1]!, time: fixes[i]!.time } : fixes[i]!;
              restored[k] = SpeedingTracker.restore(restored[k]!.snapshot());
              expect(tracker.push(`unit ${k}`, fix)).toEqual(restored[k].push(`unit ${k}`, fix));
              expect(tracker.snapshot(`unit ${k}`)).toEqual(restored[k].snapshot());
            }
          }
        },
      ),
      runs,
    );
  });

  const at = (seconds: number, meters: number, speedKph: number): Fix => ({
    time: START + seconds * 1000,
    lon: 37.6,
    lat: 55.7 + meters / 111_320,
    speedKph,
  });

  it('begins an event when it has lasted minSeconds and no speed in it waits for evidence', () => {
    const tracker = new SpeedingTracker({ limitKph: 90, minSeconds: 20 });
    expect(tracker.push('u', at(0, 0, 110))).toEqual([]);
    expect(tracker.push('u', at(5, 150, 110))).toEqual([]);
    expect(tracker.push('u', at(15, 450, 110))).toEqual([]);
    const [begin] = tracker.push('u', at(25, 750, 110));
    expect(begin).toMatchObject({
      type: 'begin',
      unitId: 'u',
      time: START,
      speeding: { durationSeconds: 25, end: 'track' },
    });
    expect(tracker.advance(START + 30_000)).toEqual([]);
    expect(tracker.current('u')).toMatchObject([{ from: START, to: START + 25_000, end: 'track' }]);
    const [end] = tracker.push('u', at(35, 1000, 70));
    expect(end).toMatchObject({ type: 'end', time: START + 30_000, speeding: { end: 'below' } });
    expect(tracker.current('u')).toEqual([]);
  });

  it('ends an event at a sleep as soon as the sleep is over', () => {
    const tracker = new SpeedingTracker({ limitKph: 90 });
    const pushed = [at(0, 0, 110), at(10, 300, 110), at(5410, 330, 110)].map((fix) => tracker.push('u', fix));
    expect(pushed[1]!.map(({ type }) => type)).toEqual(['begin']);
    expect(pushed[2]).toMatchObject([
      { type: 'end', time: START + 10_000, speeding: { durationSeconds: 10, end: 'gap' } },
    ]);
    expect(tracker.current('u')).toEqual([]);
    // Whether the speed after the sleep is believed depends on the next fix; that the event is over does not.
    const doubted = new SpeedingTracker({ limitKph: 90 });
    for (const fix of [at(0, 0, 110), at(10, 300, 110)]) doubted.push('u', fix);
    expect(doubted.push('u', at(5410, 301, 110)).map(({ type }) => type)).toEqual(['end']);
    const restored = SpeedingTracker.restore(doubted.snapshot());
    for (const one of [doubted, restored]) {
      expect(one.push('u', at(5420, 302, 0))).toEqual([]);
      expect(one.current('u')).toEqual([]);
    }
  });

  it('waits for the evidence after a speed that the fixes before contradict', () => {
    const tracker = new SpeedingTracker({ limitKph: 90 });
    for (let s = 0; s <= 30; s += 10) expect(tracker.push('u', at(s, 0.01 * s, 0))).toEqual([]);
    expect(tracker.push('u', at(40, 1, 150))).toEqual([]);
    expect(tracker.push('u', at(45, 2, 0))).toEqual([]);
    // As if the track ended here: the last fix is the reference.
    expect(tracker.current('u')).toEqual([]);
    expect(tracker.push('u', at(50, 3, 0))).toEqual([]);
    const trusting = new SpeedingTracker({ limitKph: 90, trustSpeeds: true });
    for (let s = 0; s <= 30; s += 10) trusting.push('u', at(s, 0.01 * s, 0));
    expect(trusting.push('u', at(40, 1, 150)).map(({ type }) => type)).toEqual(['begin']);
  });

  it('takes the limit of a fix up to the next one, and the settings of a unit', () => {
    const fixes = [0, 10, 20, 30, 40, 50].map((s) => at(s, s * 25, 90));
    const tracker = new SpeedingTracker({ limitKph: 130, latenessSeconds: 30 });
    const limits = [undefined, 80, null, 60, undefined, undefined] as const;
    for (const i of [1, 0, 2, 4, 3, 5]) {
      const limitKph = limits[i];
      tracker.push('u', fixes[i]!, limitKph === undefined ? {} : { limitKph });
    }
    const events = tracker.advance(START + 1e6).filter(({ type }) => type === 'end');
    expect(
      events.map(({ speeding: { from, to, parts } }) => [from - START, to - START, parts[0]!.limitKph]),
    ).toEqual([
      [10_000, 20_000, 80],
      [30_000, 40_000, 60],
    ]);
    const own = new SpeedingTracker({ settings: { advanced_speedlimit: 100 } });
    own.configure('u', { advanced_speedlimit: '70', advanced_mileagecoeff: 2 });
    for (const fix of fixes) own.push('u', fix);
    for (const fix of fixes) own.push('v', fix);
    const restored = SpeedingTracker.restore(own.snapshot());
    expect(restored.current('u')[0]!.distanceMeters).toBeCloseTo(2500, -1);
    expect(restored.current('v')).toEqual([]);
    restored.configure('u', null);
    expect(restored.push('u', at(60, 1500, 90))).toEqual([]);
    expect(restored.push('u', at(70, 1750, 90)).map(({ type, time }) => [type, time - START])).toEqual([
      ['end', 60_000],
    ]);
    expect(restored.forget('u')).toBe(true);
    expect(restored.current('u')).toEqual([]);
  });

  it('asks for the thresholds of each unit, and goes by new ones from the next fix on', () => {
    const thresholds = new Map([['u', { toleranceKph: 30 }], ['v', { minSeconds: 40 }]]); // biome-ignore format: one line
    const thresholdsOf = (unitId: string): object | null => thresholds.get(unitId) ?? null;
    let tracker = new SpeedingTracker({ limitKph: 70, toleranceKph: 5, minSeconds: 15, thresholdsOf });
    const plain = new SpeedingTracker({ limitKph: 70, toleranceKph: 5, minSeconds: 15 });
    expect(tracker.snapshot()).toEqual(plain.snapshot());
    const drive = [0, 10, 20, 30, 40].map((s) => at(s, s * 25, 90));
    const begun: unknown[] = [];
    for (const fix of drive) {
      for (const unitId of ['u', 'v', 'w']) {
        for (const { type } of tracker.push(unitId, fix))
          begun.push([unitId, type, (fix.time - START) / 1000]);
        tracker = SpeedingTracker.restore(tracker.snapshot(), { thresholdsOf });
      }
    }
    expect(begun).toEqual([['w', 'begin', 20], ['v', 'begin', 40]]); // biome-ignore format: one line
    expect(tracker.current('u')).toEqual([]);
    thresholds.delete('u');
    thresholds.set('w', { toleranceKph: 30 });
    expect(tracker.push('u', at(50, 1250, 90))).toEqual([]);
    expect(tracker.push('u', at(60, 1500, 90))[0]).toMatchObject({ type: 'begin', time: START + 40_000 });
    expect(tracker.push('w', at(50, 1250, 90))[0]).toMatchObject({
      type: 'end',
      time: START + 40_000,
      speeding: { end: 'below' },
    });
    const refused = (given: unknown): unknown =>
      errorOf(() =>
        new SpeedingTracker({ limitKph: 70, thresholdsOf: () => given as never }).push('u', at(0, 0, 0)),
      );
    expect(refused({ toleranceKph: -1 })).toMatchObject({
      code: 'option-value',
      field: 'options.thresholdsOf().toleranceKph',
    });
    expect(refused({ minSeconds: Number.NaN })).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => new SpeedingTracker({ thresholdsOf: 5 } as never))).toMatchObject({
      code: 'option-type',
      field: 'options.thresholdsOf',
    });
    const thrown = { thresholdsOf: () => { throw new Error('no'); } }; // biome-ignore format: one line
    expect(errorOf(() => new SpeedingTracker(thrown).push('u', at(0, 0, 0)))).toMatchObject({
      code: 'input-unreadable',
    });
  });

  it('keeps no more of a parked or driving unit after an hour than after a minute', () => {
    const tracker = new SpeedingTracker({ limitKph: 50 });
    const sizes: number[] = [];
    for (let s = 0; s < 3600; s++) {
      tracker.push('u', at(s, s < 1800 ? 0 : 25 * (s - 1800), s < 1800 ? 0 : 90));
      if (s % 600 === 100) sizes.push(JSON.stringify(tracker.snapshot()).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(4000);
  });

  it('refuses snapshots and options that do not fit', () => {
    const index = indexOf([1], []);
    const tracker = new SpeedingTracker({ index, zoneLimits: { z1: 50 } });
    const snapshot = tracker.snapshot();
    expect(errorOf(() => SpeedingTracker.restore(snapshot))).toMatchObject({
      code: 'option-value',
      field: 'sources.index',
    });
    expect(
      errorOf(() => SpeedingTracker.restore(snapshot, { index: 5, zoneLimits: {} } as never)),
    ).toMatchObject({ code: 'index-type' });
    expect(errorOf(() => SpeedingTracker.restore(snapshot, { indx: index } as never))).toMatchObject({
      code: 'option-unknown',
    });
    expect(
      errorOf(() => SpeedingTracker.restore({ ...snapshot, checksum: 'x' }, { index, zoneLimits: {} })),
    ).toMatchObject({ code: 'state-corrupt' });
    expect(errorOf(() => SpeedingTracker.restore('{}'))).toMatchObject({ code: 'state-corrupt' });
    expect(errorOf(() => tracker.push('u', at(0, 0, 0), { limitKph: 0 }))).toMatchObject({
      code: 'option-value',
      field: 'options.limitKph',
    });
    expect(errorOf(() => tracker.push('u', at(0, 0, 0), { limit: 5 } as never))).toMatchObject({
      code: 'option-unknown',
    });
    expect(errorOf(() => tracker.push(5 as never, at(0, 0, 0)))).toMatchObject({ code: 'unit-id' });
    expect(errorOf(() => new SpeedingTracker({ limitKph: 0 }))).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => tracker.configure('u', { advanced_speedlimit: 'x' }))).toMatchObject({
      code: 'setting-value',
    });
    expect(errorOf(() => tracker.adopt(new SpeedingTracker({ limitKph: 5 }).snapshot()))).toMatchObject({
      code: 'state-options',
    });
    expect(tracker.counts().in).toBe(0);
    expect(tracker.issues()).toEqual([]);
  });
});
