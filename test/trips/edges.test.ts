import { describe, expect, test } from 'vitest';
import { makeClock } from '../../src/core/localClock.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { lengthMeters } from '../../src/geodesy/edgeSums.js';
import { inverseMeters } from '../../src/geodesy/karney.js';
import { openTripSnapshot } from '../../src/trips/follow/tripSnapshot.js';
import { evaluateTrip, planTrip, TripTracker, tripZones } from '../../src/trips/index.js';
import { readDay } from '../../src/trips/plan/readDueTrip.js';
import { zoneKeys, zoneNumbers } from '../../src/trips/plan/tripZones.js';
import { readGaps } from '../../src/trips/seen/readVisits.js';
import { isGap, metersBetween, type Sighted, stepKind } from '../../src/trips/seen/stepKind.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';
import { at, DATE, evaluate, events, MIDNIGHT, points, trip, UTC, visits } from './shortTrips.js';

describe('steps of a track', () => {
  const place = (time: number, lon: number, lat: number): { time: number; lon: number; lat: number } => ({
    time,
    lon,
    lat,
  });
  const rules = { maxGapMs: 1000, maxCrossedMeters: 3000 } as never;

  test('a gap exceeds the limit of time, or spans exactly 180° of longitude', () => {
    expect(isGap(place(0, 0, 0), place(1000, 0, 0), rules)).toBe(false);
    expect(isGap(place(0, 0, 0), place(1001, 0, 0), rules)).toBe(true);
    expect(isGap(place(0, -90, 0), place(1, 90, 0), rules)).toBe(true);
    expect(isGap(place(0, -90, 0), place(1, 89.9, 0), rules)).toBe(false);
  });

  test('a step of exactly the longest crossing is unseen', () => {
    // Near the limit the smaller of the two measured distances counts, as for visits.
    const ends = [10, 50, 10.03, 50.01] as const;
    const meters = Math.min(geodesicDistance(...ends), inverseMeters(...ends));
    const kind = (a: Sighted, b: Sighted, maxCrossedMeters: number, holeMs = 1e9): string =>
      stepKind(a, b, false, {
        visitRules: { ...(rules as object), maxCrossedMeters, parkedMeters: 200 } as never,
        holeMs,
      });
    const at = (time: number, lon: number, lat: number, mileageMeters = -1): Sighted => ({
      ...place(time, lon, lat),
      speedKph: -1,
      ignition: 255,
      mileageMeters,
      mileageDeltaMeters: -1,
    });
    expect(kind(at(0, 10, 50), at(1, 10.03, 50.01), meters)).toBe('hole');
    expect(kind(at(0, 10, 50), at(1, 10.03, 50.01), meters + 1e-6)).toBe('seen');
    expect(kind(at(0, 10, 88), at(1, 10.2, 88), 3000)).toBe('seen');
    // A gap and a step longer than `holeSeconds`: a unit at the same place was asleep, unless its mileage grew.
    expect(kind(at(0, 10, 50), at(2000, 10, 50.01), 3000)).toBe('hole');
    expect(kind(at(0, 10, 50), at(2000, 10, 50), 3000)).toBe('seen');
    expect(kind(at(0, 10, 50), at(900, 10, 50.01), 3000, 899)).toBe('hole');
    expect(kind(at(0, 10, 50), at(900, 10, 50.01), 3000, 900)).toBe('seen');
    expect(kind(at(0, 10, 50), at(900, 10, 50.001), 3000, 899)).toBe('sleep');
    expect(kind(at(0, 10, 50, 5), at(900, 10, 50, 205), 3000, 899)).toBe('sleep');
    expect(kind(at(0, 10, 50, 5), at(900, 10, 50, 205.1), 3000, 899)).toBe('hole');
    expect(kind(at(0, 10, 50), { ...at(900, 10, 50), mileageDeltaMeters: 201 }, 3000, 899)).toBe('hole');
  });

  test('the metres between two times are those of that part of the track, also across the antimeridian', () => {
    const [a, b] = [place(100, 179.9, 10), place(500, -179.7, 12)];
    const whole = lengthMeters(wkt('179.9 10, -179.7 12'));
    expect(metersBetween(a, b, 0, 1000)).toBeCloseTo(whole, 6);
    expect(metersBetween(a, b, 100, 500)).toBeCloseTo(whole, 6);
    const part = lengthMeters(wkt('180 10.5, -179.8 11.5'));
    expect(metersBetween(a, b, 200, 400)).toBeCloseTo(part, 3);
    expect(metersBetween(a, b, 0, 300) + metersBetween(a, b, 300, 900)).toBeCloseTo(whole, 6);
    expect(metersBetween(a, b, 500, 900)).toBe(0);
    expect(metersBetween(a, b, 400, 300)).toBe(0);
  });
});

describe('validation', () => {
  test('dates are days that exist, with a time part of zeros at most', () => {
    expect(readDay('2028-02-29', 'd')).toBe(Date.UTC(2028, 1, 29));
    expect(readDay('2026-03-02 00:00', 'd')).toBe(Date.UTC(2026, 2, 2));
    expect(readDay('2026-03-02 00:00:00', 'd')).toBe(Date.UTC(2026, 2, 2));
    for (const bad of [
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-01-32',
      '2026-1-1',
      'x2026-01-01',
      '2026-01-01x',
      '2026-01-01 00:01',
      '2026-01-01 00:00:01',
      ['2026-01-01'],
      '',
      null,
      5,
      undefined,
    ])
      expect(errorOf(() => readDay(bad, 'dates[0]'))).toMatchObject({ code: 'date', field: 'dates[0]' });
  });

  test('gaps are pairs of numbers in order', () => {
    expect(readGaps(undefined)).toBeNull();
    expect(readGaps(null)).toBeNull();
    expect(readGaps([])).toEqual([]);
    expect(readGaps([{ from: 1, to: 1, more: 2 }, { from: -Infinity, to: 5 }])).toEqual([
      { from: 1, to: 1, start: null, end: null, reason: 'gap' },
      { from: -Infinity, to: 5, start: null, end: null, reason: 'gap' },
    ]); // biome-ignore format: gaps
    expect(readGaps([{ from: 1, to: 2, start: [541 - 181, 1], end: null }])).toMatchObject([
      { start: [0, 1] },
    ]);
    expect(errorOf(() => readGaps([{ from: 1, to: 2, end: [1, 91] }]))).toMatchObject({
      code: 'lat-range',
      field: 'gaps[0].end[1]',
    });
    for (const bad of [
      null,
      undefined,
      5,
      {},
      { from: 2, to: 1 },
      { from: '1', to: 2 },
      { from: 1, to: '2' },
      { from: Number.NaN, to: 1 },
    ])
      expect(errorOf(() => readGaps([{ from: 1, to: 2 }, bad]))).toMatchObject({
        code: 'gap-invalid',
        field: 'gaps[1]',
      });
    expect(errorOf(() => readGaps({ length: 1 }))).toMatchObject({ code: 'gaps-type', field: 'gaps' });
  });

  test('visits have the form of findVisits; anything else is an error with its path', () => {
    const [good] = visits('0 08:00 08:10');
    const read = (visit: unknown): unknown =>
      evaluateTrip(trip(['A']), DATE, { visits: [good!, visit as never] }, UTC);
    const most = 8.64e15;
    expect(() => read({ ...good, enter: at('09:00'), exit: most, exitBounds: [most, most] })).not.toThrow();
    for (const bad of [
      null,
      undefined,
      5,
      'visit',
      { ...good, end: 'gone' },
      { ...good, seen: 'heard' },
      { ...good, enter: 1.5 },
      { ...good, enter: most + 2 },
      { ...good, fixCount: '1' },
      { ...good, enterBounds: null },
      { ...good, enterBounds: ['1', 2] },
      { ...good, enterBounds: [1, null] },
      { ...good, exit: '9' },
      { ...good, exit: good!.enter - 1 },
      { ...good, exitBounds: null },
      { ...good, exitBounds: [null, 2] },
      { ...good, exitBounds: [1, '2'] },
    ])
      expect(errorOf(() => read(bad)).field).toMatch(/^visits\[1\]/);
  });

  test('planned times are objects; days are counted from the date', () => {
    for (const arrival of ['08:00', 5, true]) {
      const given = { ...trip(['A']), points: [{ ...trip(['A']).points[0]!, arrival }] } as never;
      expect(errorOf(() => planTrip(given, DATE, UTC))).toMatchObject({
        code: 'type',
        field: 'points[0].arrival',
      });
    }
  });

  test('a point is an object', () => {
    for (const point of [null, 5, 'A']) {
      const given = { ...trip(['A']), points: [...trip(['A']).points, point] } as never;
      expect(errorOf(() => tripZones(given))).toMatchObject({ code: 'zone-type', field: 'points[1]' });
    }
  });

  test('errors of a geometry name the given field', () => {
    const [point] = trip(['A']).points;
    const { geometry: _, ...bare } = point as { geometry: unknown };
    const zones = (own: object): unknown => tripZones({ points: [own] } as never);
    expect(errorOf(() => zones({ ...bare, coordinates: [[1, 95]] })).field).toBe(
      'points[0].coordinates[0][1]',
    );
    expect(errorOf(() => zones({ ...bare, geometry: [[1, 95]] })).field).toBe('points[0].geometry[0][1]');
    expect(errorOf(() => zones({ ...bare, geometry: null, coordinates: null })).field).toBe(
      'points[0].geometry',
    );
    expect(errorOf(() => zones({ ...bare, geometry: [[1, 5]], width: -1 })).field).toBe('points[0].width');
    expect(zones({ ...bare, geometry: [[1, 5]], parts: null })).toEqual(
      zones({ ...bare, geometry: [[1, 5]] }),
    );
    expect(errorOf(() => zones({ ...bare, coordinates: [[1, 5]], width: -1 })).field).toBe('points[0].width');
  });

  test('zones are equal if type, geometry and width are; a polygon’s width is ignored', () => {
    const ring = [[0, 0], [1, 0], [1, 1]]; // biome-ignore format: ring
    const polygon = (width?: number): object => ({
      type: { key: 'polygon' },
      geometry: ring,
      ...(width === undefined ? {} : { width }),
    });
    const circle = (width?: number, key = 'circle'): object => ({
      type: { key },
      coordinates: [[0, 0]],
      ...(width === undefined ? {} : { width }),
    });
    const numbers = (...list: object[]): number[] => zoneNumbers(zoneKeys({ points: list } as never, 100));
    expect(numbers(polygon(1), polygon(2), polygon())).toEqual([0, 0, 0]);
    expect(numbers(circle(1), circle(2), circle(), circle(100), circle(1))).toEqual([0, 1, 2, 2, 0]);
    expect(numbers(circle(1), circle(1, 'point'), { ...circle(1), parts: [] })).toEqual([0, 1, 2]);
    expect(numbers({ type: { key: 'circle' }, geometry: [[0, 0]], width: 1 }, circle(1))).toEqual([0, 0]);
  });

  test('an unknown time zone is an error of its option', () => {
    for (const timeZone of ['Mars/Olympus', '+03:00', '', 5, undefined])
      expect(errorOf(() => makeClock(timeZone))).toMatchObject({
        code: 'tz-unknown',
        field: 'options.timeZone',
      });
  });

  test('a snapshot that is not JSON, has another version, or throws when read is rejected', () => {
    expect(errorOf(() => openTripSnapshot('{'))).toMatchObject({ code: 'state-corrupt', field: 'snapshot' });
    expect(errorOf(() => openTripSnapshot('{"version":99}'))).toMatchObject({
      code: 'state-version',
      field: 'snapshot.version',
    });
    expect(errorOf(() => openTripSnapshot(5)).field).toMatch(/^snapshot/);
    const trap = { get version(): number { throw new Error('no'); } }; // biome-ignore format: short
    expect(errorOf(() => openTripSnapshot(trap))).toMatchObject({
      code: 'input-unreadable',
      field: expect.stringMatching(/^snapshot/),
    });
  });

  test('options of a tracker and of a push are objects; exceptions of getters become coded errors', () => {
    const tracker = new TripTracker(trip(['A']), DATE, UTC);
    const fix = { time: at('08:00'), lon: 13, lat: 52 };
    for (const options of [null, 5, [], 'x'])
      expect(errorOf(() => tracker.push(fix, options as never))).toMatchObject({
        code: 'option-type',
        field: 'options',
      });
    for (const receivedAt of [8.64e15 + 2, Number.NaN, '5'])
      expect(errorOf(() => tracker.push(fix, { receivedAt } as never)).field).toBe('options.receivedAt');
    const trap = new Proxy({}, { get: () => { throw new Error('no'); }, ownKeys: () => { throw new Error('no'); } }); // biome-ignore format: short
    expect(errorOf(() => new TripTracker(trip(['A']), DATE, trap as never))).toMatchObject({
      code: 'input-unreadable',
      field: expect.stringMatching(/^options/),
    });
    expect(errorOf(() => tracker.push(fix, trap as never))).toMatchObject({ field: 'options' });
  });
});

describe('edges of the window', () => {
  const END = MIDNIGHT + 86_400_000;
  const LEAVING = { activation_type: { key: 'leaving_first_point' } };

  test('leaving at its start counts, leaving at its end does not', () => {
    const early = visits('0 00:00 00:00', '1 03:00 03:10');
    expect(evaluate(trip(['A', 'B'], LEAVING), early).activatedAt).toBe(MIDNIGHT);
    const [late] = visits('0 08:00 08:10');
    const leaves = (exit: number): number | null =>
      evaluate(trip(['A', 'B'], LEAVING), [{ ...late!, exit, exitBounds: [exit, exit] }], {
        now: END + 86_400_000,
      }).activatedAt;
    expect(leaves(END - 1)).toBe(END - 1);
    expect(leaves(END)).toBeNull();
  });

  test('an entry at the end does not activate, an entry at the start does; a stay that ends at the start is over', () => {
    const [visit] = visits('0 08:00 08:10');
    const activated = (enter: number, exit: number): number | null => {
      const own = {
        ...visit!,
        enter,
        exit,
        enterBounds: [enter, enter] as const,
        exitBounds: [exit, exit] as const,
      };
      return evaluate(trip(['A', 'B']), [own as never], { now: END + 86_400_000 }).activatedAt;
    };
    expect(activated(END - 1, END + 5)).toBe(END - 1);
    expect(activated(END, END + 5)).toBeNull();
    expect(activated(MIDNIGHT, MIDNIGHT + 5)).toBe(MIDNIGHT);
    expect(activated(MIDNIGHT - 5, MIDNIGHT)).toBeNull();
    expect(activated(MIDNIGHT - 5, MIDNIGHT + 1)).toBe(MIDNIGHT);
  });

  test('a visit to the first point may be out of turn, but not at the end of the window', () => {
    const seen = visits('1 08:30 08:40', '0 09:00 09:10', '2 10:00 10:10');
    const byClock = trip(['A 08:00', 'B', 'C'], { activation_type: { key: 'time_of_first_point' } });
    expect(events(evaluate(byClock, seen))).toContain('09:00 point_out_of_order 0');
    const [visit] = visits('0 08:00 08:10');
    const at_ = (enter: number): object => ({
      ...visit!,
      zoneId: '2',
      enter,
      exit: null,
      end: 'open',
      enterBounds: [enter, enter],
      exitBounds: null,
    });
    const eventsOf = (enter: number): string[] =>
      events(
        evaluate(trip(['A', 'B', 'C', 'D']), [visit!, at_(enter) as never], {
          policy: 'wait',
          serviceSeconds: 0,
          now: END + 1000,
        }),
      );
    expect(eventsOf(END - 1000).filter((text) => text.includes('out_of_order'))).toHaveLength(1);
    expect(eventsOf(END).filter((text) => text.includes('out_of_order'))).toEqual([]);
  });

  test('the last event is the abort of the trip at the end of the window', () => {
    const report = evaluate(trip(['A', 'B']), visits('0 08:00 08:10'), { now: END });
    expect(report.events.at(-1)).toEqual({ type: 'trip_aborted', time: END, pointIndex: null });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'missed  ']);
  });
});
