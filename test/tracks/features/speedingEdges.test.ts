/** What holds exactly at the limits of speeding and of its evidence, in the batch and after each fix of a stream. */

import { describe, expect, it, test } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { ZoneIndex } from '../../../src/index.js';
import {
  findSpeeding,
  type LimitPlace,
  readTrack,
  type Speeding,
  type SpeedingEvent,
  type SpeedingOptions,
  SpeedingTracker,
  type SpeedingTrackerOptions,
  urbanMileage,
} from '../../../src/tracks/index.js';
import { addPart, type SpeedingPart, speedingOf } from '../../../src/tracks/speeding/speeding.js';
import { errorOf, errorText } from '../../errorOf.js';
import { START } from './drivesArbitrary.js';

type Point = readonly [seconds: number, meters: number, speedKph?: number];

/** Fixes on a meridian. */
const fixesOf = (points: readonly Point[]): Fix[] =>
  points.map(([seconds, meters, speedKph]) => ({
    time: START + seconds * 1000,
    lon: 37.6,
    lat: 55.7 + meters / 111_330,
    ...(speedKph !== undefined && { speedKph }),
  }));
const READING = { maxSpeedKph: Number.POSITIVE_INFINITY, frozenSpeedKph: Number.POSITIVE_INFINITY };
const short = (all: readonly Speeding[]): string[] =>
  all.map(
    ({ from, to, end, maxKph }) =>
      `${(from - START) / 1000} ${(to - START) / 1000} ${end} ${Math.round(maxKph)}`,
  );

/** The speeding of a track, which a tracker finds too after each fix, restored or asked in between. */
function speeding(points: readonly Point[], options: SpeedingOptions): string[] {
  const fixes = fixesOf(points);
  let tracker = new SpeedingTracker({ ...options, ...READING, maxAheadSeconds: Number.POSITIVE_INFINITY });
  const ended: Speeding[] = [];
  for (const [i, fix] of fixes.entries()) {
    for (const { type, speeding: one } of tracker.push('u', fix)) if (type === 'end') ended.push(one);
    const text = JSON.stringify(tracker.snapshot());
    const found = findSpeeding(readTrack(fixes.slice(0, i + 1), READING), options);
    expect(short([...ended, ...tracker.current('u')]), `after ${i}`).toEqual(short(found));
    // Asking changes nothing.
    expect(JSON.stringify(tracker.snapshot())).toBe(text);
    tracker = SpeedingTracker.restore(text, { index: options.index, zoneLimits: options.zoneLimits, limitOf: options.limitOf } as never); // biome-ignore format: one line
  }
  return short(findSpeeding(readTrack(fixes, READING), options));
}

describe('evidence', () => {
  const options = { limitKph: 90 };

  it('is the latest fix at least 10 s before, and not a later one', () => {
    // It stands for 2 s with a speed of 100 km/h, where it came 270 m in 10 s.
    const stands: Point[] = [[0, 0, 0], [10, 270, 97], [12, 270, 100], [20, 270, 0], [30, 270, 0]]; // biome-ignore format: one line
    expect(speeding(stands, options)).toHaveLength(1);
    // Exactly 10 s before it was here already.
    const exact: Point[] = [[0, 0, 0], [5, 270, 0], [15, 270, 100], [25, 270, 0], [35, 270, 0]]; // biome-ignore format: one line
    expect(speeding(exact, options)).toEqual([]);
    expect(speeding(exact.map(([s, ...rest], i) => [i === 1 ? s + 0.001 : s, ...rest] as never), options)).toHaveLength(1); // biome-ignore format: one line
    const late: Point[] = [[0, 0, 0], [1, 270, 0], [12, 270, 100], [22, 270, 0], [32, 270, 0]]; // biome-ignore format: one line
    expect(speeding(late, options)).toEqual([]);
    // Exactly 10 s after it is far, or not.
    const after: Point[] = [[0, 0, 0], [10, 0, 0], [20, 0, 100], [29, 0, 0], [30, 270, 0], [40, 270, 0]]; // biome-ignore format: one line
    expect(speeding(after, options)).toHaveLength(1);
    expect(
      speeding(
        after.map(([s, ...rest]) => [s === 30 ? 29.999 : s, ...rest] as never),
        options,
      ),
    ).toHaveLength(1);
    const still: Point[] = [[0, 0, 0], [10, 0, 0], [20, 0, 100], [29, 150, 0], [30, 0, 0], [40, 0, 0]]; // biome-ignore format: one line
    expect(speeding(still, options)).toEqual([]);
  });

  it('of a run that ends is its last fix for those that wait, and not for those that are believed', () => {
    // The first fix is believed by the last one; the second by the first, though it stops hard.
    expect(speeding([[0, 0, 100], [4, 94, 100], [6, 94, 0]], options)).toEqual(['0 4.2 below 100']); // biome-ignore format: one line
    expect(speeding([[0, 0, 100], [4, 94, 100]], options)).toEqual(['0 4 track 100']); // biome-ignore format: one line
    expect(speeding([[0, 0, 100], [4, 10, 100]], options)).toEqual([]); // biome-ignore format: one line
    // The last fix of a run is contradicted by the side before it alone.
    expect(speeding([[0, 0, 0], [10, 0, 0], [20, 0, 120]], options)).toEqual([]); // biome-ignore format: one line
    expect(speeding([[0, 0, 0], [10, 0, 0], [20, 0, 120], [4020, 9000, 0], [4030, 9000, 0]], options)).toEqual([]); // biome-ignore format: one line
    expect(speeding([[0, 0, 120], [4000, 9000, 120], [4010, 9330, 120]], options)).toEqual(['4000 4010 track 120']); // biome-ignore format: one line
  });

  it('is needed above 55.77 km/h only: slower speeds are believed at once', () => {
    const begins = (speedKph: number): number => {
      const tracker = new SpeedingTracker({ limitKph: speedKph - 5 });
      const fixes = fixesOf([[0, 0, speedKph], [2, 30, speedKph]]); // biome-ignore format: one line
      return fixes.flatMap((fix) => tracker.push('u', fix)).length;
    };
    expect([begins(55.7), begins(55.8)]).toEqual([1, 0]);
  });

  it('counts 30 m of noise, and the way by which a unit stops or not', () => {
    // 72 km/h: it stops within 50 m and 5 s, so 20 m contradict it, and 20.1 m do not. Within 2 s it covers at least 32 m.
    const parked = (meters: number, seconds: number): Point[] => [[-30, -meters, 0], [-seconds, -meters, 0], [0, 0, 72], [seconds, meters, 0], [30, meters, 0]]; // biome-ignore format: one line
    for (const seconds of [5, 10, 20]) {
      expect(speeding(parked(19.9, seconds), { limitKph: 60 }), `${seconds} s`).toEqual([]);
      expect(speeding(parked(20.1, seconds), { limitKph: 60 }), `${seconds} s`).toHaveLength(1);
    }
    const moved = (meters: number): Point[] => [[0, 0, 72], [2, meters, 0]]; // biome-ignore format: one line
    expect(speeding(moved(1.9), { limitKph: 60 })).toEqual([]);
    expect(speeding(moved(2.1), { limitKph: 60 })).toHaveLength(1);
  });

  it('at a sleep that is restored is not the step over it', () => {
    const points: Point[] = [[0, 0, 110], [10, 300, 110], [5410, 301, 110], [5420, 601, 110], [5430, 901, 110]]; // biome-ignore format: one line
    expect(speeding(points, options)).toEqual(['0 10 gap 110', '5410 5430 track 110']);
  });
});

describe('an event', () => {
  const part = (from: number, to: number, own: Partial<SpeedingPart> = {}): SpeedingPart => ({
    from,
    to,
    limitKph: 50,
    zoneId: null,
    maxKph: 60,
    distanceMeters: 10,
    ...own,
  });
  const open = (...parts: SpeedingPart[]) => ({
    parts,
    reachesEnd: true,
    isAboveAtEnd: true,
    isBegun: false,
  });

  it('leaves out parts that rounding left without duration, and joins those around them', () => {
    expect(speedingOf(open(part(5, 5)), 'below')).toBe(null);
    expect(speedingOf(open(), 'below')).toBe(null);
    const zone = { zoneId: 'z', limitKph: 30 };
    const found = speedingOf(
      open(part(1, 5), part(5, 5, zone), part(5, 9, { maxKph: 70 }), part(9, 10, zone)),
      'gap',
    )!;
    expect(found).toMatchObject({
      from: 1,
      to: 10,
      maxKph: 70,
      maxOverKph: 30,
      distanceMeters: 30,
      end: 'gap',
    });
    expect(found.durationSeconds).toBe(0.009);
    expect(found.parts).toEqual([part(1, 9, { maxKph: 70, distanceMeters: 20 }), part(9, 10, zone)]);
    const alike = open(part(1, 2));
    addPart(alike, part(2, 3, { zoneId: 'z' }));
    addPart(alike, part(3, 4, { zoneId: 'z', limitKph: 60 }));
    addPart(alike, part(4, 5, { zoneId: 'z', limitKph: 60, maxKph: 50 }));
    expect(alike.parts.map(({ from, to, maxKph }) => [from, to, maxKph])).toEqual([[1, 2, 60], [2, 3, 60], [3, 5, 60]]); // biome-ignore format: one line
  });

  it('of less than half a millisecond is none', () => {
    const peak: Point[] = [[0, 0, 0], [1, 14, 100.0001], [2, 28, 0]]; // biome-ignore format: one line
    expect(speeding(peak, { limitKph: 100, trustSpeeds: true })).toEqual([]);
    expect(speeding(peak, { limitKph: 99.9, trustSpeeds: true })).toEqual(['0.999 1.001 below 100']);
  });

  it('has begun with the end that it would have now', () => {
    const tracker = new SpeedingTracker({ limitKph: 50 });
    const ends = fixesOf([[0, 0, 52], [10, 145, 52], [20, 285, 50]]).map((fix) => tracker.push('u', fix).map(({ type, speeding: { end } }) => [type, end])); // biome-ignore format: one line
    expect(ends).toEqual([[], [['begin', 'track']], []]);
    const slowing = new SpeedingTracker({ limitKph: 50 });
    const [begin] = fixesOf([[0, 0, 52], [10, 145, 50]]).flatMap((fix) => slowing.push('u', fix)); // biome-ignore format: one line
    expect(begin).toMatchObject({ type: 'begin', speeding: { end: 'below' } });
    expect(slowing.current('u')).toMatchObject([{ end: 'below' }]);
  });
});

describe('limits', () => {
  const box = (id: string, south: number, north: number): never =>
    ({ id, type: { key: 'polygon' }, geometry: [[37, 55.7 + south / 111_330], [38, 55.7 + south / 111_330], [38, 55.7 + north / 111_330], [37, 55.7 + north / 111_330]] }) as never; // biome-ignore format: a ring
  const index = new ZoneIndex([box('z', 100, 200)]);
  const drive: Point[] = [[0, 0, 36], [30, 300, 36]]; // biome-ignore format: one line

  it('are asked with the place and the zones of a step that leads north, and without a limit of a zone', () => {
    const asked: LimitPlace[] = [];
    const limitOf = (place: LimitPlace): null => {
      asked.push(place);
      return null;
    };
    findSpeeding(readTrack(fixesOf(drive), READING), { index, limitOf });
    expect(
      asked.map(({ position, zoneIds, limitKph, time }) => [Math.round((position[1] - 55.7) * 111_330), zoneIds, limitKph, Math.round((time - START) / 100) / 10]),
    ).toEqual([[0, [], null, 0], [100, ['z'], null, 10], [200, [], null, 20]]); // biome-ignore format: one line
  });

  it('of all kinds work in a tracker, which keeps its own copy of a table', () => {
    let own = 30;
    const table = { get z() { return own; } }; // biome-ignore format: one line
    const inZone = ['10 20 below 36'];
    expect(speeding(drive, { index, zoneLimits: table })).toEqual(inZone);
    expect(speeding(drive, { index, zoneLimits: (id: string) => (id === 'z' ? 30 : null) })).toEqual(inZone);
    expect(speeding(drive, { index, limitOf: ({ zoneIds }) => (zoneIds.length > 0 ? 30 : null) })).toEqual(
      inZone,
    );
    expect(speeding(drive, { limitOf: () => 30 })).toEqual(['0 30 track 36']);
    const tracker = new SpeedingTracker({ index, zoneLimits: table });
    own = 300;
    const events = fixesOf(drive).flatMap((fix) => tracker.push('u', fix));
    expect(short(events.filter(({ type }) => type === 'end').map((event) => event.speeding))).toEqual(inZone);
    for (const zoneLimits of [[50], null, 5])
      expect(errorOf(() => new SpeedingTracker({ index, zoneLimits } as never))).toMatchObject({
        code: 'option-type',
        field: 'options.zoneLimits',
      });
    for (const zoneLimits of [null, 5])
      expect(errorOf(() => findSpeeding(readTrack([]), { index, zoneLimits } as never))).toMatchObject({
        code: 'option-type',
        field: 'options.zoneLimits',
      });
  });

  it('that no snapshot can say as a number are restored', () => {
    const tracker = new SpeedingTracker({ limitKph: 50, latenessSeconds: 100 });
    const fixes = fixesOf([[0, 0, 80], [10, 222, 80], [20, 444, 80], [30, 666, 80]]); // biome-ignore format: one line
    tracker.push('u', fixes[0]!, { limitKph: Number.POSITIVE_INFINITY });
    tracker.push('u', fixes[1]!, { limitKph: null });
    for (const fix of fixes.slice(2)) tracker.push('u', fix);
    const snapshot = tracker.snapshot();
    expect(snapshot).toEqual(JSON.parse(JSON.stringify(snapshot)));
    for (const one of [
      tracker,
      SpeedingTracker.restore(snapshot),
      SpeedingTracker.restore(JSON.stringify(snapshot)),
    ]) {
      expect(short(one.current('u'))).toEqual(['20 30 track 80']);
      expect(one.snapshot()).toEqual(snapshot);
    }
  });
});

describe('limits that come with fixes', () => {
  const drive = fixesOf([0, 10, 20, 30, 40].map((s) => [s, s * 22, 80] as const));
  const parts = (events: readonly SpeedingEvent[]): unknown =>
    events.filter(({ type }) => type === 'end').map(({ speeding: { from, to, parts: [part] } }) => [(from - START) / 1000, (to - START) / 1000, part!.limitKph]); // biome-ignore format: one line
  const late = (options: Partial<SpeedingTrackerOptions> = {}): SpeedingTracker =>
    new SpeedingTracker({ limitKph: 130, latenessSeconds: 100, ...options });

  test.each<[string, readonly (number | null)[], number | null]>([
    ['the lower one', [60, 70], 60],
    ['the lower one that comes later', [70, 60], 60],
    ['one rather than none', [null, 70], 70],
    ['one rather than a later none', [70, null], 70],
    ['none twice', [null, null], null],
    ['an equal one', [60, 60], 60],
  ])('of one time: %s', (_, limits, wanted) => {
    const tracker = late();
    tracker.push('u', drive[0]!);
    for (const limitKph of limits) tracker.push('u', drive[1]!, { limitKph });
    for (const fix of drive.slice(2)) tracker.push('u', fix);
    const events = tracker.advance(START + 1e6);
    expect(parts(events)).toEqual(wanted === null ? [] : [[10, 20, wanted]]);
  });

  it('wait with their fixes, however many fixes are refused meanwhile, and with no others', () => {
    for (const own of [{}, { maxSpeedKph: 100, maxJamSeconds: 1000 }, { maxAheadSeconds: 3 }]) {
      // A fix that waits for lateness, as a suspect (300 km/h), or far ahead of the clock.
      const isLate = !('maxJamSeconds' in own) && !('maxAheadSeconds' in own);
      let tracker = new SpeedingTracker({ limitKph: 500, frozenSpeedKph: Number.POSITIVE_INFINITY, latenessSeconds: isLate ? 100 : 0, maxSpeedKph: 1000, ...own }); // biome-ignore format: one line
      const fixes = fixesOf([[0, 0, 70], [10, 900, 70], [20, 1100, 70], [30, 1300, 70]]); // biome-ignore format: one line
      const events: SpeedingEvent[] = [...tracker.push('u', fixes[0]!)];
      events.push(...tracker.push('u', fixes[1]!, { limitKph: 61 }));
      for (let i = 0; i < 200; i++) {
        const bad = { time: START + 60_000 + i, lon: 37.6, lat: 91 };
        events.push(...tracker.push('u', bad, { limitKph: 77 }));
      }
      expect(JSON.stringify(tracker.snapshot()).length).toBeLessThan(4500);
      tracker = SpeedingTracker.restore(tracker.snapshot());
      // One that comes after them is kept as well.
      events.push(...tracker.push('u', fixes[2]!, { limitKph: 62 }));
      events.push(...tracker.push('u', fixes[3]!));
      events.push(...tracker.advance(START + 1e6));
      expect(tracker.counts('u').rejected).toBe(200);
      const found = [
        ...events.filter(({ type }) => type === 'end').map(({ speeding: one }) => one),
        ...tracker.current('u'),
      ];
      expect(
        found.flatMap(({ parts }) => parts.map((part) => part.limitKph)),
        JSON.stringify(own),
      ).toEqual([61, 62]);
    }
  });

  it('of fixes that are no fixes, or come too late, leave nothing behind', () => {
    const tracker = new SpeedingTracker({ limitKph: 130 });
    for (const fix of drive.slice(0, 3)) tracker.push('u', fix, { limitKph: 77.5 });
    const given = (): unknown =>
      (tracker.snapshot().units[0] as { states: { speeding: { given: unknown } } }).states.speeding.given;
    expect(given()).toEqual([]);
    for (const fix of [null, undefined, 5, {}, { time: 'x' }, { time: Number.NaN }, drive[2], drive[0]])
      tracker.push('u', fix as never, { limitKph: 66 });
    expect(given()).toEqual([]);
    expect(tracker.counts('u')).toMatchObject({ in: 11, applied: 3 });
    const hostile = { get time(): number { throw new Error('no'); } }; // biome-ignore format: one line
    expect(errorText(() => tracker.push('u', hostile as never, { limitKph: 60 }))).toMatch(
      /^input-unreadable fix: /,
    );
    const options = { get limitKph(): number { throw new Error('no'); } }; // biome-ignore format: one line
    expect(errorText(() => tracker.push('u', drive[3]!, options))).toMatch(/^input-unreadable options/);
  });

  it('are apart from when the fix was received', () => {
    const tracker = new SpeedingTracker({ limitKph: 50 });
    for (const fix of drive.slice(0, 3)) tracker.push('u', fix, { receivedAt: fix.time });
    expect(tracker.current('u')).toMatchObject([{ parts: [{ limitKph: 50 }] }]);
    tracker.push('u', { ...drive[3]!, time: START + 1e9 }, { receivedAt: START + 30_000 });
    expect(tracker.counts('u').rejected).toBe(1);
    expect(tracker.push('u', drive[3]!, {})).toEqual([]);
    expect(tracker.current('u')).toMatchObject([{ durationSeconds: 30, parts: [{ limitKph: 50 }] }]);
  });
});

it('a zone that is removed while a unit drives in it gives no limit to its next step', () => {
  const edge = 500 / 111_330;
  const ring = [[37, 55.7 - edge], [38, 55.7 - edge], [38, 55.7 + edge], [37, 55.7 + edge]]; // biome-ignore format: a ring
  const index = new ZoneIndex([{ id: 'z', type: { key: 'polygon' }, geometry: ring } as never]);
  const tracker = new SpeedingTracker({ index, zoneLimits: { z: 30 } });
  const fixes = fixesOf([[0, 0, 36], [10, 100, 36], [20, 200, 36], [30, 300, 36]]); // biome-ignore format: one line
  const events = fixes.flatMap((fix, i) => {
    if (i === 2) index.remove('z');
    return tracker.push('u', fix);
  });
  expect(events.map(({ type, time }) => [type, time - START])).toEqual([['begin', START - START], ['end', 10_000]]); // biome-ignore format: one line
});

it('an event that began at a repeated place is not told again when the place was frozen', () => {
  const repeats = Array.from({ length: 10 }, (_, k): Point => [30 + 60 * k, 220, 80]);
  const awake = Array.from({ length: 8 }, (_, k): Point => [630 + 10 * k, 12_600 + 200 * k, 80]);
  const fixes = fixesOf([[0, 0, 80], [10, 220, 80], ...repeats, ...awake]);
  const track = readTrack(fixes, { maxJamSeconds: 60 });
  expect(track.rejected.frozen).toBe(10);
  const tracker = new SpeedingTracker({ limitKph: 50, minSeconds: 15, trustSpeeds: true, maxJamSeconds: 60, maxAheadSeconds: Number.POSITIVE_INFINITY }); // biome-ignore format: one line
  const events = fixes.flatMap((fix) => tracker.push('u', fix));
  const types = events.map(({ type }) => type);
  expect(types[0]).toBe('begin');
  for (const [i, type] of types.entries()) expect(type).toBe(i % 2 === 0 ? 'begin' : 'end');
  // An event does not change afterwards.
  for (const [i, { type, speeding: one }] of events.entries())
    if (type === 'end') expect(one.from).toBe(events[i - 1]!.speeding.from);
});

describe('a tracker of many units', () => {
  it('keeps them apart', () => {
    const alone = new SpeedingTracker({ limitKph: 90 });
    const among = new SpeedingTracker({ limitKph: 90 });
    const fixes = fixesOf([[0, 0, 100], [10, 280, 100], [4000, 9000, 100], [4010, 9280, 100]]); // biome-ignore format: one line
    for (const [i, fix] of fixes.entries()) {
      among.push('other', { ...fix, lon: 30 + i, speedKph: 150 });
      expect(among.push('u', fix)).toEqual(alone.push('u', fix));
      expect(among.snapshot('u')).toEqual(alone.snapshot());
    }
  });

  it('is restored with the sources that it had, and their errors are named', () => {
    const source = (sources: unknown): string =>
      errorText(() =>
        SpeedingTracker.restore(new SpeedingTracker({ limitKph: 5 }).snapshot(), sources as never),
      );
    expect(source({ indx: 5 })).toMatch(/^option-unknown sources\.indx: /);
    expect(source({ get index(): never { throw new Error('no'); } })).toMatch(/^input-unreadable sources/); // biome-ignore format: one line
    expect(source({ thresholdsOf: 5 })).toBe(
      'option-type options.thresholdsOf: expected a function, received 5',
    );
    expect(errorText(() => new SpeedingTracker({ limitKph: 0 }))).toMatch(
      /^option-value options\.limitKph: /,
    );
    const corrupt = (from: string, to: string): unknown =>
      errorOf(() => {
        const { checksum: _, ...plain } = JSON.parse(JSON.stringify(new SpeedingTracker({ limitKph: 5 }).snapshot()).replace(from, to)) as Record<string, unknown>; // biome-ignore format: one line
        return SpeedingTracker.restore(JSON.stringify(plain));
      });
    expect(corrupt('"limitKph":5', '"limitKph":"5"')).toMatchObject({ code: 'state-corrupt' });
    const thresholdsOf = (): never => ({ get minSeconds(): number { throw new Error('no'); } }) as never; // biome-ignore format: one line
    expect(errorText(() => new SpeedingTracker({ limitKph: 5, thresholdsOf }).push('u', fixesOf([[0, 0, 5]])[0]!))).toMatch(/^input-unreadable options\.thresholdsOf/); // biome-ignore format: one line
    const none = new SpeedingTracker({ limitKph: 5, thresholdsOf: () => undefined as never });
    expect(none.push('u', fixesOf([[0, 0, 5]])[0]!)).toEqual([]);
  });
});

it('mileage in town doubts speeds unless it is told to trust them', () => {
  const track = readTrack(fixesOf([[0, 0, 0], [10, 5, 100], [20, 10, 0], [30, 15, 0]]), READING); // biome-ignore format: one line
  const fields = { advanced_urbspeedlimit: 60 };
  expect(urbanMileage(track, fields).suburbanMeters).toBe(0);
  expect(urbanMileage(track, fields, { trustSpeeds: false }).suburbanMeters).toBe(0);
  expect(urbanMileage(track, fields, { trustSpeeds: true }).suburbanMeters).toBeCloseTo(4, 1);
});
