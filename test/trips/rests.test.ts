import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { findVisits, readTrack } from '../../src/tracks/index.js';
import { fixAt, tripIndex } from '../../src/trips/seen/readObservations.js';
import { hasRest, newRestFinder, type RestFinder } from '../../src/trips/seen/restFinder.js';
import { type Sighted, stepKind } from '../../src/trips/seen/stepKind.js';
import { seenSpan } from '../../src/trips/seen/tripStay.js';
import { seeded, volume } from '../volume.js';
import { knownDay } from './knownDays.js';
import { DEFAULTS } from './oracle/slowModel.js';
import { slowRests } from './oracle/slowRests.js';
import { fixesOf } from './oracle/slowRun.js';
import { DATE, placeOf } from './randomRuns.js';

const RULES = { serviceMs: 60_000, parkedMeters: 200 };
const HOLES = {
  holeMs: 600_000,
  visitRules: { maxGapMs: 3_600_000, maxCrossedMeters: 5000, parkedMeters: 200 },
} as never;

/** Rests of fixes; `between` is called after each one. */
function restsOf(
  fixes: readonly Fix[],
  between: (finder: RestFinder, last: Sighted) => RestFinder = (finder) => finder,
): RestFinder {
  const track = readTrack(fixes);
  let finder = newRestFinder(RULES);
  let last: Sighted | null = null;
  for (let i = 0; i < track.length; i++) {
    const fix = fixAt(track, i);
    const isBlind = track.blind !== null && track.blind[i] !== 0;
    finder.to(fix, last !== null && stepKind(last, fix, isBlind, HOLES) === 'hole');
    last = fix;
    finder = between(finder, fix);
  }
  return finder;
}

/** Fixes each 10 s at metres east of the zone, from 08:00 on. */
const along = (meters: (seconds: number) => number, seconds: number, more: object = {}): Fix[] =>
  Array.from({ length: seconds / 10 + 1 }, (_, i) => {
    const [lon, lat] = placeOf(meters(10 * i), 0);
    return { time: Date.parse(`${DATE}T08:00:00Z`) + 10_000 * i, lon, lat, ...more };
  });

const isRest = (fixes: readonly Fix[]): boolean =>
  hasRest(restsOf(fixes).rests.seen, [[0, Number.MAX_SAFE_INTEGER]], 60_000);

describe('a seen stop is a rest at a place that a crawl leaves (T20, M22)', () => {
  test.each([
    ['a crawl at 4 km/h', along((s) => s / 0.9, 300), false],
    ['a crawl at 4 km/h with speeds of 0', along((s) => s / 0.9, 300, { speedKph: 0 }), false],
    [
      'a minute within noise of 10 m',
      along((s) => (s < 60 ? -400 + 6 * s : s > 130 ? 20 * (s - 130) : (s % 20) - 10), 250),
      true,
    ],
    [
      'two minutes within noise of 24 m, speeds of 40 km/h',
      along((s) => (s > 180 ? 20 * (s - 180) : [0, 24, 0, -24, 0, 6][(s / 10) % 6]!), 300, { speedKph: 40 }),
      true,
    ],
    [
      'a minute over 80 m with the ignition off',
      along((s) => 80 * ((s / 10) % 2), 60, { ignition: false }),
      true,
    ],
    [
      'a minute over 80 m with the ignition on',
      along((s) => 80 * ((s / 10) % 2), 60, { ignition: true }),
      false,
    ],
    [
      'a crawl at 4 km/h with an ignition that is always off',
      along((s) => s / 0.9, 600, { speedKph: 4, ignition: false }),
      false,
    ],
    ['50 s', along((s) => Math.max(0, s - 50) * 20, 100), false],
  ] as const)('%s', (_name, fixes, expected) => {
    expect(isRest(fixes)).toBe(expected);
  });

  test('a hole is no rest, and a sleep is one', () => {
    const [a, b] = [along(() => 0, 40), along(() => 0, 40)];
    const after = b.map((fix) => ({ ...fix, time: fix.time + 700_000 }));
    expect(isRest([...a, ...after])).toBe(true);
    const finder = newRestFinder(RULES);
    const sight = (fix: Fix, isApart: boolean): unknown =>
      finder.to(
        { speedKph: -1, ignition: 255, mileageMeters: -1, mileageDeltaMeters: -1, ...fix } as never,
        isApart,
      );
    for (const fix of a) sight(fix, false);
    after.forEach((fix, i) => {
      sight(fix, i === 0);
    });
    expect(finder.rests.seen.flat()).toEqual([]);
  });
});

describe('a possible rest is slow at a place of 50 m (T22)', () => {
  /** A minute at a place, within noise of a standard deviation in metres each way, or a way at a speed. */
  const minute = (seed: number, noise: number, kph: number, more: object = {}): Fix[] => {
    const random = seeded(seed);
    const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Array.from({ length: 7 }, (_, i) => {
      const [lon, lat] = placeOf((kph / 0.36) * i + noise * gauss(), noise * gauss());
      return { time: Date.parse(`${DATE}T08:00:00Z`) + 10_000 * i, lon, lat, ...more };
    });
  };
  const found = (kind: 'seen' | 'possible', fixesOfSeed: (seed: number) => Fix[]): number =>
    Array.from({ length: 200 }, (_, seed) => restsOf(fixesOfSeed(seed)).rests[kind]).filter((rests) =>
      hasRest(rests, [[0, Number.MAX_SAFE_INTEGER]], 60_000),
    ).length;

  test('a minute within noise of 10 m, of which a rest proves few', () => {
    const still = (seed: number): Fix[] => minute(seed, 10, 0);
    expect(found('seen', still)).toBeLessThan(100);
    expect(found('possible', still)).toBeGreaterThan(194);
    expect(found('possible', (seed) => minute(seed, 10, 0, { speedKph: 2 }))).toBeGreaterThan(194);
  });

  test.each([
    ['a way at 7 km/h', (seed: number) => minute(seed, 10, 7)],
    ['a speed of 4 km/h', (seed: number) => minute(seed, 10, 0, { speedKph: 4 })],
  ])('none: %s', (_name, fixesOfSeed) => {
    expect(found('possible', fixesOfSeed)).toBe(0);
  });
});

test('time in a zone counts over visits of one rest, and never of two', () => {
  const rests = [
    [
      [0, 100],
      [200, 300],
    ],
  ] as const;
  expect(
    hasRest(
      rests,
      [
        [10, 40],
        [60, 90],
      ],
      60,
    ),
  ).toBe(true);
  expect(
    hasRest(
      rests,
      [
        [10, 40],
        [60, 90],
      ],
      61,
    ),
  ).toBe(false);
  expect(hasRest(rests, [[60, 240]], 41)).toBe(false);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 10 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      (times, ends, least) => {
        const pairs = (list: readonly number[]): [number, number][] => {
          const sorted = [...new Set(list)].sort((a, b) => a - b);
          return sorted.flatMap((from, i): [number, number][] =>
            i % 2 === 0 && i + 1 < sorted.length ? [[from, sorted[i + 1]!]] : [],
          );
        };
        const [list, spans] = [pairs(times), pairs(ends)];
        const slow = list.some(
          ([from, to]) =>
            spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(to, b) - Math.max(from, a)), 0) >= least,
        );
        expect(hasRest([list], spans, least)).toBe(slow);
      },
    ),
  );
});

test('rests are those of whole lists, and of copies and states at every fix', () => {
  for (let seed = 0; seed < volume(30); seed++) {
    const { fixes } = knownDay(seeded(seed));
    const whole = restsOf(fixes);
    const slow = slowRests(fixesOf(readTrack(fixes)), DEFAULTS);
    for (const kind of ['seen', 'possible'] as const)
      expect(whole.rests[kind].flat().sort(byTime)).toEqual([...slow[kind]].sort(byTime));
    const resumed = restsOf(fixes, (finder, last) => {
      const next = newRestFinder(RULES);
      next.resume(JSON.parse(JSON.stringify(finder.state())), last);
      return next;
    });
    expect(resumed.state()).toEqual(whole.state());
    expect(restsOf(fixes, (finder) => finder.copy()).state()).toEqual(whole.state());
  }
});

const byTime = (a: readonly number[], b: readonly number[]): number => a[0]! - b[0]! || a[1]! - b[1]!;

test('what is taken back was never there', () => {
  const fixes = along((s) => Math.min(0, 20 * (s - 100)), 300);
  const [before, frozen] = [fixes.slice(0, 14), fixes.slice(14)];
  const finder = restsOf(before);
  const marks = finder.marks();
  const rests = structuredClone(finder.rests);
  frozen.forEach((fix) => {
    finder.to(
      { speedKph: -1, ignition: 255, mileageMeters: -1, mileageDeltaMeters: -1, ...fix } as never,
      false,
    );
  });
  expect(finder.rests.seen.flat()).not.toEqual(rests.seen.flat());
  finder.back(marks);
  expect(finder.rests).toEqual(rests);
});

interface ZoneStay {
  readonly zone: number;
  readonly from: number;
  readonly to: number;
  readonly isSeen: boolean;
}

/** Visits of more than one fix. */
function zoneStays(trip: Trip, fixes: readonly Fix[]): ZoneStay[] {
  const { seen: rests } = restsOf(fixes).rests;
  const index = tripIndex(trip, [0, 1, 2], { timeZone: 'UTC' });
  return findVisits(readTrack(fixes), index, { exitBufferMeters: 50 })
    .filter(({ fixCount }) => fixCount > 1)
    .map((visit) => ({
      zone: Number(visit.zoneId),
      from: visit.enter,
      to: visit.exit ?? Number.POSITIVE_INFINITY,
      isSeen: hasRest(rests, [seenSpan(visit, null, 60_000)], 60_000),
    }));
}

test('of known days few stops are lost, and hardly any is seen that was none', () => {
  let [stops, lost, others, wrong] = [0, 0, 0, 0];
  for (let seed = 0; seed < volume(400, 60); seed++) {
    const { trip, fixes, stops: known } = knownDay(seeded(seed));
    for (const { zone, from, to, isSeen } of zoneStays(trip, fixes)) {
      const truth = known.filter(
        (stop) => stop.zone === zone && Math.min(stop.to, to) - Math.max(stop.from, from) > 0,
      );
      const most = Math.max(0, ...truth.map((stop) => Math.min(stop.to, to) - Math.max(stop.from, from)));
      if (most >= 60_000) {
        stops++;
        if (!isSeen) lost++;
      } else if (truth.length === 0) {
        others++;
        if (isSeen) wrong++;
      }
    }
  }
  expect(stops).toBeGreaterThan(volume(200));
  expect(lost / stops).toBeLessThan(0.05);
  // Six of 449 in 400 days: of visits with two fixes or more.
  expect(wrong / others).toBeLessThan(0.02);
});
