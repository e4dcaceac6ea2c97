import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { decidedDistance, geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { FixColumns } from '../../src/tracks/fixColumns.js';
import type { CleanFix } from '../../src/tracks/fixReader.js';
import {
  detectTrips,
  findDeviations,
  gradeTrack,
  MovementTracker,
  readTrack,
  VisitTracker,
} from '../../src/tracks/index.js';
import { isPlausible } from '../../src/tracks/isPlausible.js';
import { noneRejected, trackOfColumns } from '../../src/tracks/readTrack.js';

const START = 1_772_438_400_000;
const DAY = 86_400_000;
const at = (seconds: number, lon: number, more: Partial<Fix> = {}): Fix => ({
  time: START + seconds * 1000,
  lon,
  lat: 55.7,
  ...more,
});
const INDEX = new ZoneIndex([
  { id: 'z', name: 'z', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 } as never,
]);

/** Metres from 37.6, 55.7, the distance that is compared with a limit. */
const metersTo = (lon: number, lat: number): number =>
  decidedDistance(37.6, 55.7, lon, lat, geodesicDistance(37.6, 55.7, lon, lat));

describe('fixes', () => {
  test('a speed or accuracy that is negative, infinite or text is unknown, and an accuracy of 0', () => {
    for (const bad of [-5, -1, Number.POSITIVE_INFINITY, Number.NaN, '5', true, null]) {
      const { speedKph, accuracyMeters } = readTrack([
        at(0, 37.6, { speedKph: bad as number, accuracyMeters: bad as number }),
      ]);
      expect([speedKph, accuracyMeters]).toEqual([null, null]);
    }
    // Receivers that know no accuracy send 0.
    expect(readTrack([at(0, 37.6, { speedKph: 0, accuracyMeters: 0 })])).toMatchObject({
      speedKph: Float64Array.of(0),
      accuracyMeters: null,
    });
  });

  test('a time at an end of the rollover window is in it', () => {
    const rollover = 7168 * DAY;
    const [from, to] = [START, START + rollover + DAY];
    const times = (time: number): [number, number] => {
      const track = readTrack([{ time, lon: 1, lat: 1 }], { rolloverWindow: [from, to] });
      return [track.time[0]!, track.rolledOver!];
    };
    expect(times(from)).toEqual([from, 0]);
    expect(times(from - 1)).toEqual([from - 1 + rollover, 1]);
    expect(times(to)).toEqual([to, 0]);
    const narrow = [START, START + 1000] as const;
    const late = (time: number): number =>
      readTrack([{ time, lon: 1, lat: 1 }], { rolloverWindow: narrow }).time[0]!;
    expect([START - rollover, START - rollover + 1000].map(late)).toEqual([...narrow]);
    expect(late(START - rollover - 1)).toBe(START - rollover - 1);
    expect(late(START - rollover + 1001)).toBe(START - rollover + 1001);
  });

  test('a step at the speed limit is plausible, and so is a step that only the bound of its length exceeds', () => {
    const meters = metersTo(37.67, 55.71);
    expect((meters * 3600) / 3600).toBe(meters);
    const step = [
      { time: 0, lon: 37.6, lat: 55.7 },
      { time: 3600, lon: 37.67, lat: 55.71 },
    ] as const;
    expect(isPlausible(...step, meters)).toBe(true);
    expect(isPlausible(...step, meters - 1e-6)).toBe(false);
    // 4.4 km in a minute are 264 km/h.
    const tracker = new VisitTracker(INDEX);
    tracker.push('u', at(0, 37.5));
    tracker.push('u', at(60, 37.57));
    expect(tracker.counts('u')).toMatchObject({ applied: 2, pending: 0 });
    tracker.push('u', at(120, 37.66));
    expect(tracker.counts('u')).toMatchObject({ applied: 2, pending: 1 });
  });

  test('joined columns equal the columns of all fixes', () => {
    const rules = {
      fixRules: { maxSpeedKph: Infinity, frozenSpeedKph: Infinity, parkedMeters: Infinity } as never,
      rolloverWindow: null,
      near: null,
      maxLoneMs: 0,
    };
    const clean = (i: number): CleanFix => ({
      time: START + ((i * 7919) % 3000) * 1000,
      lon: i / 1000,
      lat: 1,
      speedKph: i % 3 === 0 ? i : -1,
      accuracyMeters: -1,
      ignition: i > 2500 ? i % 2 : 255,
      mileageMeters: i > 1000 && i < 2000 ? i : -1,
      mileageDeltaMeters: i > 2700 ? 5 : -1,
    });
    const columnsOf = (from: number, to: number): FixColumns => {
      const columns = new FixColumns();
      for (let i = from; i < to; i++) columns.push(clean(i));
      return columns;
    };
    const whole = columnsOf(0, 3000);
    const joined = columnsOf(0, 900);
    joined.append(columnsOf(900, 2400));
    expect([joined.length, joined.hasSpeed, joined.hasAccuracy, joined.hasIgnition]).toEqual([
      2400,
      true,
      false,
      false,
    ]);
    joined.append(columnsOf(2400, 3000));
    expect(trackOfColumns(joined, rules, noneRejected(), 0)).toEqual(
      trackOfColumns(whole, rules, noneRejected(), 0),
    );
    expect(joined.hasIgnition).toBe(true);
  });
});

describe('tracks', () => {
  test('a limit of a gradation is crossed at a position between the fixes', () => {
    const track = readTrack([
      { time: START, lon: 10, lat: 50, speedKph: 0 },
      { time: START + 60_000, lon: 10.02, lat: 50.01, speedKph: 100 },
    ]);
    const styles = [
      { max: 50, hex_color: '#aaaaaa' },
      { max: null, hex_color: '#bbbbbb' },
    ];
    const [slow, fast] = gradeTrack(track, { styles });
    const [[lon, lat]] = slow!.points.slice(-1) as [[number, number]];
    expect(lon).toBeCloseTo(10.01, 9);
    expect(lat).toBeCloseTo(50.005, 9);
    expect([slow!.to, fast!.from]).toEqual([START + 30_000, START + 30_000]);
  });

  test('the greatest distance from a bent line far north lies between two fixes', () => {
    const line = [
      [0.64, 67.77],
      [2.86, 72.38],
      [4.45, 70.37],
    ] as const;
    const [from, to] = [[0.66, 67.86] as const, [3.44, 72.04] as const];
    const hour = 3_600_000;
    const track = readTrack(
      [from, to].map(([lon, lat], i) => ({ time: START + i * hour, lon, lat })),
      {
        maxSpeedKph: 500,
      },
    );
    const zone = { type: { key: 'line' }, geometry: line, width: 2 } as never;
    let most = 0;
    for (let i = 0; i <= 100; i++) {
      const t = i / 100;
      const place = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])] as const;
      most = Math.max(most, signedDistanceMeters(zone, place) + 1);
    }
    const found = Math.max(...findDeviations(track, line, 2).map(({ maxMeters }) => maxMeters));
    expect(most).toBeGreaterThan(21_800);
    expect(found).toBeGreaterThanOrEqual(most - 0.05);
    expect(found).toBeLessThan(most + 100);
  });

  test('a step of exactly `maxdistancemsg` is not a jump', () => {
    const meters = metersTo(37.6 + 0.02, 55.7);
    const track = readTrack([0, 0, 1, 1].map((k, i) => at(i * 120, 37.6 + 0.02 * k)));
    const trips = (most: number): number =>
      detectTrips(track, { tripdetector_maxdistancemsg: most, tripdetector_minparktime: 1000 }).trips.length;
    expect(trips(meters)).toBe(1);
    expect(trips(meters - 1e-3)).toBe(0);
  });
});

describe('streams', () => {
  test('a watermark never decreases', () => {
    const tracker = new VisitTracker(INDEX, { latenessSeconds: 600 });
    tracker.push('u', at(1200, 37.6));
    tracker.push('u', at(720, 37.6));
    tracker.push('u', at(300, 37.6));
    expect(tracker.counts('u')).toMatchObject({ late: 1, pending: 2 });
  });

  test('waiting fixes count for the open visits', () => {
    const tracker = new VisitTracker(INDEX, { latenessSeconds: 600 });
    tracker.push('u', at(0, 37.6));
    tracker.push('u', at(60, 37.6));
    expect(tracker.openVisits('u')).toMatchObject([{ zoneId: 'z', enter: START, fixCount: 2 }]);
    expect(tracker.counts('u')).toMatchObject({ applied: 0, pending: 2 });
  });

  const moving = (seconds: number, k: number): Fix => at(seconds, 37.6 + 0.005 * k, { speedKph: 20 });
  const resting = (seconds: number, k: number): Fix => at(seconds, 37.6 + 0.005 * k, { speedKph: 0 });

  test('waiting fixes count for the movement, with the stops before it', () => {
    const tracker = new MovementTracker({ tripdetector_mintriptime: 600 }, { latenessSeconds: 300 });
    const fixes = [resting(0, 0), moving(60, 1), resting(120, 2), resting(200, 2), moving(240, 4)];
    for (const fix of fixes) tracker.push('u', fix);
    for (const seconds of [300, 400, 500, 600, 700, 800]) tracker.push('u', moving(seconds, seconds / 60));
    const { trips, stops } = tracker.current('u');
    expect(stops).toMatchObject([{ from: START + 120_000, to: START + 200_000 }]);
    expect(trips).toMatchObject([{ from: START, to: START + 800_000 }]);
  });

  test('silence ends a trip, however long a parking takes', () => {
    const tracker = new MovementTracker({ tripdetector_minparktime: 7200 });
    for (const fix of [resting(0, 0), moving(60, 1), moving(120, 2), resting(180, 3)]) tracker.push('u', fix);
    expect(tracker.advance(START + (180 + 3600) * 1000)).toEqual([]);
    expect(tracker.wakeAt('u')).toBe(START + (180 + 3600) * 1000 + 1);
    const events = tracker.advance(START + (180 + 3600) * 1000 + 1);
    expect(events).toMatchObject([{ type: 'end', kind: 'trip', time: START + 180_000 }]);
    // The unit slept there, from the first fix at rest.
    expect(tracker.push('u', resting(9000, 3))).toMatchObject([
      { type: 'begin', kind: 'parking', time: START + 180_000 },
    ]);
  });

  test('a snapshot contains the settings, also those of a unit', () => {
    const tracker = new MovementTracker({
      tripdetector_minparktime: '60',
      key_tripdetector_movedetect: ' ',
    } as never);
    tracker.push('u', resting(0, 0));
    tracker.configure('u', { tripdetector_minparktime: 90, key_tripdetector_movedetect: 'ignition' });
    const snapshot = tracker.snapshot();
    expect(snapshot.options).toMatchObject({
      tripdetector_minparktime: 60,
      key_tripdetector_movedetect: 'speedkph',
    });
    const settings = {
      tripdetector_minparktime: 90,
      key_tripdetector_movedetect: 'ignition',
    };
    expect(snapshot.units).toMatchObject([{ id: 'u', settings }]);
    expect(MovementTracker.restore(snapshot).snapshot()).toEqual(snapshot);
  });
});
