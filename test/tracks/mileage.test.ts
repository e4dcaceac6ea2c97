import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { MileageKind } from '../../src/core/trackSettings.js';
import { detectTrips, type MovementReport, MovementTracker, readTrack } from '../../src/tracks/index.js';
import { fixAt } from './planeIndex.js';

/** Ten minutes at rest, ten steps of 300 m a minute each, ten minutes at rest. */
function drive(fieldsAt: (minute: number, meters: number) => Partial<Fix>): Fix[] {
  return Array.from({ length: 31 }, (_, minute) => {
    const meters = 300 * Math.min(Math.max(minute - 10, 0), 10);
    const isMoving = minute > 10 && minute <= 20;
    return fixAt(60 * minute, meters, 0, { speedKph: isMoving ? 18 : 0, ...fieldsAt(minute, meters) });
  });
}

function found(kind: MileageKind, fixes: readonly Fix[]): MovementReport {
  return detectTrips(readTrack(fixes), { tripdetector_mileagedetect: kind });
}

describe('tripdetector_mileagedetect', () => {
  test('mileage_GPS is the default, without issues', () => {
    const fixes = drive((_, meters) => ({ mileageMeters: 5000 + 2 * meters }));
    expect(found('mileage_GPS', fixes)).toEqual(detectTrips(readTrack(fixes)));
    expect(found('mileage_GPS', fixes).issues).toEqual([]);
    expect(found('mileage_GPS', fixes).trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
  });

  test('mileage_GPS_ignition counts the steps that begin with the ignition on', () => {
    // The ignition is on from 12 to 18: six steps begin with it on.
    const fixes = drive((minute) => ({ ignition: minute >= 12 && minute < 18 }));
    const { trips, issues } = found('mileage_GPS_ignition', fixes);
    expect(trips).toHaveLength(1);
    expect(trips[0]!.distanceMeters).toBeCloseTo(1800, 3);
    expect(trips[0]!.unmeasuredSteps).toBe(0);
    // Those before and after are driven with it off at both ends.
    expect(issues).toMatchObject([{ code: 'ignition-contradicts', count: 3, of: 11 }]);
    expect(trips[0]!.ignitionOffSeconds).toBe(300);
  });

  test('a drive with the ignition off is a trip without length', () => {
    const off = drive(() => ({ ignition: false }));
    const { trips, issues } = found('mileage_GPS_ignition', off);
    expect(trips).toMatchObject([{ distanceMeters: 0, durationSeconds: 660, ignitionOffSeconds: 660 }]);
    expect(issues).toMatchObject([{ code: 'ignition-contradicts', count: 10, of: 11 }]);
  });

  test('a mileage under half or over twice the way counts by position', () => {
    for (const [factor, quotient] of [
      [0, '0'],
      [0.001, '0.001'],
      [0.49, '0.49'],
      [2.1, '2.1'],
    ] as const) {
      const fixes = drive((_, meters) => ({ mileageMeters: 7777 + factor * meters }));
      const { trips, issues } = found('mileage_mileage_sensor', fixes);
      expect(trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
      expect(issues).toMatchObject([{ code: 'mileage-contradicts', count: 1, of: 1 }]);
      expect(issues[0]!.message).toContain(`received ${quotient} of it`);
    }
    for (const factor of [0.51, 1.99]) {
      const fixes = drive((_, meters) => ({ mileageMeters: 7777 + factor * meters }));
      const { trips, issues } = found('mileage_mileage_sensor', fixes);
      expect(trips[0]!.distanceMeters).toBeCloseTo(3000 * factor, 3);
      expect(issues).toEqual([]);
    }
  });

  test('a coarse odometer counts from one change to the next, and positions before and after', () => {
    for (const start of [0, 250, 500, 999]) {
      const fixes = drive((_, meters) => ({
        mileageMeters: 1000 * Math.floor((start + 1.1 * meters) / 1000),
      }));
      const { trips, issues } = found('mileage_mileage_sensor', fixes);
      // Each change is seen within a step of 330 m.
      expect(Math.abs(trips[0]!.distanceMeters - 3300)).toBeLessThan(400);
      expect(issues).toEqual([]);
    }
    const short = drive((_, meters) => ({ mileageMeters: 1000 * Math.floor((100 + 0.2 * meters) / 1000) }));
    expect(found('mileage_mileage_sensor', short).trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
  });

  test('mileage_mileage_sensor counts the growth of the odometer, also over fixes without a reading', () => {
    const every = drive((_, meters) => ({ mileageMeters: 120_000 + 1.1 * meters }));
    expect(found('mileage_mileage_sensor', every).trips[0]!.distanceMeters).toBeCloseTo(3300, 6);
    const second = drive((minute, meters) =>
      minute % 2 === 0 ? { mileageMeters: 120_000 + 1.1 * meters } : {},
    );
    const { trips, issues } = found('mileage_mileage_sensor', second);
    expect(trips[0]!.distanceMeters).toBeCloseTo(3300, 6);
    expect(trips[0]!.unmeasuredSteps).toBe(6);
    expect(issues).toMatchObject([
      { code: 'mileage-missing', severity: 'warning', field: 'track.mileageMeters' },
    ]);
  });

  test('a step with an odometer that decreases or leaps is measured by position, with an issue', () => {
    for (const offset of [-200_000, 200_000]) {
      const fixes = drive((minute, meters) => ({
        mileageMeters: 300_000 + meters + (minute >= 15 ? offset : 0),
      }));
      const { trips, issues } = found('mileage_mileage_sensor', fixes);
      expect(trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
      expect(trips[0]!.unmeasuredSteps).toBe(1);
      expect(issues).toMatchObject([{ code: 'mileage-missing' }]);
    }
  });

  test('mileage_relative_mileage sums the differences of the fixes', () => {
    const fixes = drive((minute) => ({ mileageDeltaMeters: minute > 10 && minute <= 20 ? 250 : 0 }));
    const { trips, issues } = found('mileage_relative_mileage', fixes);
    expect(trips[0]!.distanceMeters).toBe(2500);
    expect(issues).toEqual([]);
  });

  test('the factor applies to sensors too', () => {
    const settings = {
      tripdetector_mileagedetect: 'mileage_relative_mileage',
      advanced_mileagecoeff: 2,
    } as const;
    const fixes = drive((minute) => ({ mileageDeltaMeters: minute > 10 && minute <= 20 ? 250 : 0 }));
    expect(detectTrips(readTrack(fixes), settings).trips[0]!.distanceMeters).toBe(5000);
  });

  test.each([
    ['mileage_GPS_ignition', 'track.ignition'],
    ['mileage_mileage_sensor', 'track.mileageMeters'],
    ['mileage_relative_mileage', 'track.mileageDeltaMeters'],
  ] as const)('%s without its column: distances by position, and a coded issue', (kind, field) => {
    const fixes = drive(() => ({}));
    const { trips, issues } = found(kind, fixes);
    expect(trips[0]!.distanceMeters).toBeCloseTo(3000, 3);
    expect(issues).toMatchObject([{ code: 'mileage-missing', severity: 'warning', field }]);
    expect(found(kind, fixes.slice(0, 3)).issues).toMatchObject([{ code: 'mileage-missing', field }]);
    expect(found(kind, []).issues).toEqual([]);
  });

  test('the stream measures the same, also after any snapshot and with settings of the unit', () => {
    const fixes = drive((minute, meters) => (minute % 3 === 0 ? {} : { mileageMeters: 7000 + 1.1 * meters }));
    const settings = { tripdetector_mileagedetect: 'mileage_mileage_sensor' } as const;
    const batch = detectTrips(readTrack(fixes), settings);
    let tracker = new MovementTracker();
    tracker.configure('u', settings);
    const ended = fixes.flatMap((fix) => {
      const events = tracker.push('u', fix);
      tracker = MovementTracker.restore(JSON.stringify(tracker.snapshot()));
      return events.flatMap(({ kind, item }) => (item !== null && kind === 'trip' ? [item] : []));
    });
    expect(ended).toEqual(batch.trips);
    expect(ended[0]!.distanceMeters).toBeCloseTo(3300, 6);
    expect(tracker.current('u').issues).toMatchObject([{ code: 'mileage-missing' }]);
  });
});
